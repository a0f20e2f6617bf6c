//! Applications that people have, each with a trait that once made us freeze or bloat it.

use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Expected, Key, NodeAction, Part, Scope};
use fingertip_core::{IdPool, Identities, NodeId, NodeIndex, Snapshot};
use fingertip_linux::LinuxTarget;

use crate::form::find;
use crate::support::{Session, read_when, scope, soon};

/// What Calc may grow by in 55 looks, in KiB: a quarter of what it grows by when every one asks for new cells.
const LOOKS_GROWTH: u64 = 15 * 1024;
/// What an application may grow by while it is read and used, in KiB.
const GROWTH: u64 = 200 * 1024;
/// How long an application is given to become idle, and then watched.
const IDLE_AFTER: Duration = Duration::from_secs(5);
/// The processor time it may take meanwhile; one that went astray takes five seconds.
const IDLE: Duration = Duration::from_secs(1);
/// The most calls of one look at a sheet: when all objects are walked, and dozens of closed menus.
const MOST_CALLS: u64 = 4_000;
/// Clock ticks of `/proc` in a second, on every Linux.
const TICKS: u64 = 100;

async fn press(target: &LinuxTarget, scope: &Scope, label: &str) {
    let read = read_when(target, scope, |read| find(read, label).is_some()).await;
    target.act(&read, find(&read, label).unwrap(), &NodeAction::Click, soon()).await.unwrap();
}

fn human(session: &Session, arguments: &[&str]) {
    assert!(session.command("xdotool").args(arguments).status().unwrap().success());
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn thunar_renames_a_file_and_hears_keys_after_it() {
    let session = Session::start();
    let folder = session.file("files");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("old.txt"), "words").unwrap();
    let thunar = session.launch("thunar", &[folder.to_str().unwrap()]);
    let target = session.target().await;
    let visible = scope(&thunar, Part::Visible);
    read_when(&target, &visible, |read| find(read, "Edit").is_some()).await;
    // As a list: its icons expose nothing.
    human(&session, &["key", "ctrl+2"]);
    read_when(&target, &visible, |read| find(read, "old.txt").is_some()).await;
    human(&session, &["key", "ctrl+a"]);

    press(&target, &visible, "Edit").await;
    press(&target, &visible, "Rename...").await;
    let is_name = |read: &Snapshot| name_field(read, "old.txt").is_some();
    let read = read_when(&target, &visible, is_name).await;
    target.set_text(&read, name_field(&read, "old.txt").unwrap(), "new.txt", soon()).await.unwrap();
    target.press_key(Key::Enter.into(), &Expected::anyone(), soon()).await.unwrap();
    until("new.txt is there", || folder.join("new.txt").exists()).await;

    // Once the dialog is gone and its window has the keyboard again.
    let is_back = |read: &Snapshot| {
        read.windows().len() == 1 && read.windows()[0].focused && find(read, "new.txt").is_some()
    };
    read_when(&target, &visible, is_back).await;
    human(&session, &["key", "F2"]);
    read_when(&target, &visible, |read| name_field(read, "new.txt").is_some()).await;
    human(&session, &["key", "ctrl+a"]);
    human(&session, &["type", "third.txt"]);
    human(&session, &["key", "Return"]);
    until("third.txt is there", || folder.join("third.txt").exists()).await;
}

fn name_field(read: &Snapshot, name: &str) -> Option<NodeIndex> {
    read.indices().find(|index| {
        let node = read.node(*index);
        node.is(fingertip_core::Flags::EDITABLE) && node.text.as_deref() == Some(name)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn calc_is_read_and_computes_without_growing_or_spinning() {
    let session = Session::start();
    let _calc = session.launch("soffice", &["--calc", "--norestore", "--nologo"]);
    let target = session.target().await;
    let visible = Scope::App { app: AppRef::named("soffice"), part: Part::Visible };
    // The cell that has the focus, although it is empty.
    let read = read_when(&target, &visible, |read| find(read, "A1").is_some()).await;
    let program = read.windows()[0].pid.expect("its process");
    let before = memory(program);
    let sheet = read.nodes().iter().filter(|node| node.class.as_deref() == Some("table cell")).count();
    assert!(sheet < 20, "{sheet} cells of an empty sheet");

    let at = read.node(find(&read, "A1").unwrap()).bounds.center();
    session.click(at);
    target.type_text("=6*7", &Expected::anyone(), soon()).await.unwrap();
    target.press_key(Key::Enter.into(), &Expected::anyone(), soon()).await.unwrap();
    let holds = |read: &Snapshot| {
        let cell = find(read, "A1").map(|index| read.node(index).clone());
        cell.is_some_and(|cell| cell.text.as_deref() == Some("42"))
    };
    let read = read_when(&target, &visible, holds).await;
    assert!(find(&read, "A2").is_some(), "the cell that has the focus now");
    // All of it is asked for too, and is no more.
    let whole = Scope::App { app: AppRef::named("soffice"), part: Part::Whole };
    let read = target.snapshot(&whole, soon()).await.unwrap();
    assert!(read.cut.is_some(), "a sheet is never read whole");

    tokio::time::sleep(IDLE_AFTER).await;
    let spent = processor(program);
    tokio::time::sleep(IDLE_AFTER).await;
    let spent = processor(program) - spent;
    assert!(spent < IDLE, "{spent:?} of {IDLE_AFTER:?} spent for nothing");
    let grown = memory(program).saturating_sub(before);
    assert!(grown < GROWTH, "it grew by {grown} KiB");
}

/// LibreOffice makes another object for each cell it is asked for, and does not get all of the memory back.
#[tokio::test(flavor = "multi_thread")]
async fn calc_does_not_grow_with_every_look() {
    let session = Session::start();
    let _calc = session.launch("soffice", &["--calc", "--norestore", "--nologo"]);
    let target = session.target().await;
    let visible = Scope::App { app: AppRef::named("soffice"), part: Part::Visible };
    let read = read_when(&target, &visible, |read| find(read, "A1").is_some()).await;
    let program = read.windows()[0].pid.expect("its process");
    let mut before = 0;
    for look in 0..60 {
        let read = target.snapshot(&visible, soon()).await.unwrap();
        assert!(find(&read, "A1").is_some(), "{:?}", read.cut);
        // What it builds once does not count.
        before = if look < 5 { memory(program) } else { before };
    }
    let grown = memory(program).saturating_sub(before);
    assert!(grown < LOOKS_GROWTH, "it grew by {grown} KiB");
}

/// A sheet goes on listing a chart whose assistant was dismissed; to ask that for its name, or the cache for all names, ends
/// LibreOffice or freezes it.
#[tokio::test(flavor = "multi_thread")]
async fn calc_is_read_after_a_chart_was_not_inserted() {
    let session = Session::start();
    let _calc = session.launch("soffice", &["--calc", "--norestore", "--nologo"]);
    let target = session.target().await;
    let visible = Scope::App { app: AppRef::named("soffice"), part: Part::Visible };
    let whole = Scope::App { app: AppRef::named("soffice"), part: Part::Whole };
    let read = read_when(&target, &visible, |read| find(read, "A1").is_some()).await;
    session.click(read.node(find(&read, "A1").unwrap()).bounds.center());
    let is_asked =
        |read: &Snapshot| read.windows().iter().any(|window| window.title.as_deref() == Some("Chart Type"));

    human(&session, &["key", "alt+i"]);
    read_when(&target, &visible, |read| find(read, "Chart...").is_some()).await;
    human(&session, &["key", "c"]);
    let read = read_when(&target, &visible, is_asked).await;
    assert!(find(&read, "Choose a Chart Type").is_some(), "{}", fingertip_core::compact::whole(&read));
    human(&session, &["key", "Escape"]);
    read_when(&target, &visible, |read| !is_asked(read) && find(read, "A1").is_some()).await;
    // By whatever way, and again.
    for scope in [&whole, &visible, &whole] {
        let read = target.snapshot(scope, soon()).await.unwrap();
        assert!(find(&read, "A1").is_some(), "{:?}", read.cut);
    }
    target.type_text("=6*7", &Expected::anyone(), soon()).await.unwrap();
    target.press_key(Key::Enter.into(), &Expected::anyone(), soon()).await.unwrap();
    let computed = |read: &Snapshot| read.nodes().iter().any(|node| node.text.as_deref() == Some("42"));
    read_when(&target, &visible, computed).await;
}

/// What a process has in memory, in KiB.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The processor time of a process so far.
fn processor(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 1000 / TICKS)
}

/// What a sheet is filled with: some values come more than once, and its seventh row stands alone, with a gap.
const VALUES: &str = "name,price,number\napple,3,5\npear,3,5\nplum,3,5\n,,\n,,\nsum,,15\n";

/// Each cell that holds something: which it is, what it says, and its id.
fn filled_cells(read: &Snapshot) -> Vec<(Option<&str>, Option<&str>, Option<NodeId>)> {
    let cells = read.nodes().iter().filter(|node| node.class.as_deref() == Some("table cell"));
    cells.map(|node| (node.description.as_deref(), node.text.as_deref(), node.id)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_of_calc_keeps_its_id_whatever_object_and_text_it_has() {
    let session = Session::start();
    let file = session.file("prices.csv");
    std::fs::write(&file, VALUES).unwrap();
    let filter = "--infilter=CSV:44,34,76,1";
    let _calc =
        session.launch("soffice", &["--calc", "--norestore", "--nologo", filter, file.to_str().unwrap()]);
    let target = session.target().await;
    let visible = Scope::App { app: AppRef::named("soffice"), part: Part::Visible };
    let mut identities = Identities::new(IdPool::default().into());
    let mut first = read_when(&target, &visible, |read| find(read, "C7").is_some()).await;
    let before = target.round_trips().await;
    target.snapshot(&visible, soon()).await.unwrap();
    let calls = target.round_trips().await - before;
    // A client that asks for the first time gets other objects.
    let mut second = session.target().await.snapshot(&visible, soon()).await.unwrap();
    identities.assign(&mut first);
    identities.assign(&mut second);
    let handles = |read: &Snapshot| {
        let cells = read.indices().filter(|index| read.node(*index).class.as_deref() == Some("table cell"));
        cells.map(|index| read.node(index).handle.clone()).collect::<Vec<_>>()
    };
    assert_ne!(handles(&first), handles(&second), "LibreOffice has learnt to keep its objects");
    assert!(filled_cells(&first).len() >= 14, "{:?}", filled_cells(&first));
    assert_eq!(filled_cells(&first), filled_cells(&second));
    assert!(calls < MOST_CALLS, "{calls} calls for a sheet");

    let id = first.node(find(&first, "C3").unwrap()).id.unwrap();
    let now = second.find_id(id).expect("the same cell");
    assert_eq!(second.node(now).text.as_deref(), Some("5"));
    session.click(second.node(now).bounds.center());
    target.type_text("=B3*9", &Expected::anyone(), soon()).await.unwrap();
    target.press_key(Key::Enter.into(), &Expected::anyone(), soon()).await.unwrap();
    let holds = |read: &Snapshot| {
        find(read, "C3").is_some_and(|index| read.node(index).text.as_deref() == Some("27"))
    };
    let mut third = read_when(&target, &visible, holds).await;
    identities.assign(&mut third);
    assert_eq!(third.node(find(&third, "C3").unwrap()).id, Some(id), "though it says something else now");
}
