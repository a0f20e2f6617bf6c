//! What has no row of its own because another one says and does the same, in real applications.

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, NodeAction, Part, Scope};
use fingertip_core::{Flags, Node, NodeIndex, Point, Role, Snapshot, WindowKind, compact, hit};

use crate::form::find;
use crate::support::{Session, read_when, scope, shows, soon};

/// What can be done to a node.
const ACTS: Flags = Flags::CLICKABLE.union(Flags::EDITABLE).union(Flags::CHECKABLE);

/// How many rows a screen has on all its pages.
fn rows(read: &Snapshot) -> usize {
    compact::whole(read).lines().filter(|line| line.matches('\t').count() == 6).count() - 1
}

/// The control that is folded and that no row can be acted on instead of.
fn lost(read: &Snapshot) -> Option<NodeIndex> {
    let stands_for = |one: NodeIndex, other: NodeIndex| {
        let (node, folded) = (read.node(one), read.node(other));
        let is_near = node.bounds.overlaps(folded.bounds);
        !node.folded && is_near && node.flags.contains(folded.flags & ACTS)
    };
    read.indices().find(|&index| {
        let node = read.node(index);
        let is_control = node.folded && node.is(Flags::VISIBLE) && node.flags.intersects(ACTS);
        let is_named = node.is(Flags::ENABLED) && node.role != Role::Separator;
        is_control && is_named && !read.indices().any(|other| stands_for(other, index))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_has_the_name_that_only_its_box_has_and_a_tooltip_is_nothing() {
    let session = Session::start();
    let process = session.script("gtk3_tooltip.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Nothing yet")).await;
    let with_tip = |tip: &str| {
        let of_it = |index: &NodeIndex| {
            let node = read.node(*index);
            !node.folded && [&node.text, &node.description].iter().any(|said| said.as_deref() == Some(tip))
        };
        read.indices().filter(of_it).collect::<Vec<_>>()
    };
    for tip in ["Start afresh", "Take back", "Only the box says so"] {
        let with_tip = with_tip(tip);
        assert_eq!(with_tip.len(), 1, "{tip}: {}", compact::whole(&read));
        assert!(read.node(with_tip[0]).is(Flags::CLICKABLE), "{tip}");
    }
    assert_eq!(lost(&read).map(|index| read.node(index)), None);
    assert!(!compact::whole(&read).contains("\tseparator\t"), "{}", compact::whole(&read));
    // A tooltip comes up by itself, and is neither a popup nor a change.
    let before = target.receivers(soon()).await.unwrap().len();
    let named = with_tip("Start afresh")[0];
    let Point { x, y } = read.node(named).bounds.center();
    let place = [x, y].map(|pixels| format!("{pixels:.0}"));
    let moved = session.command("xdotool").arg("mousemove").args(place).status();
    assert!(moved.is_ok_and(|status| status.success()));
    let start = std::time::Instant::now();
    while target.receivers(soon()).await.unwrap().len() == before {
        assert!(start.elapsed().as_secs() < 30, "no tooltip came up");
        let nudge = session.command("xdotool").args(["mousemove_relative", "1", "0"]).status();
        assert!(nudge.is_ok_and(|status| status.success()));
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    }
    let after = target.snapshot(&visible, soon()).await.unwrap();
    assert!(after.windows().iter().all(|window| window.kind != WindowKind::Popup), "{:?}", after.windows());
    assert_eq!(rows(&after), rows(&read), "{}", compact::whole(&after));
    // The button that has its name from elsewhere is the one that is pressed.
    let read = target.snapshot(&visible, soon()).await.unwrap();
    let boxed = read.indices().find(|&index| {
        let node = read.node(index);
        !node.folded && node.description.as_deref() == Some("Only the box says so")
    });
    target.act(&read, boxed.unwrap(), &NodeAction::Click, soon()).await.unwrap();
    read_when(&target, &visible, |read| shows(read, "pressed")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_colour_of_a_palette_has_one_row_that_can_be_clicked() {
    let session = Session::start();
    let process = session.script("gtk3_palette.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let is_told = |node: &Node| !node.folded && node.description.as_deref() == Some("Colour 7");
    let read = read_when(&target, &visible, |read| read.nodes().iter().any(is_told)).await;
    let colours = read.nodes().iter().filter(|node| !node.folded && node.bounds.area() <= 40 * 40).count();
    // The item that has the focus is marked beside its colour.
    assert!(colours <= 31, "{colours}: {}", compact::whole(&read));
    let colour = read.indices().find(|index| is_told(read.node(*index))).unwrap();
    assert!(read.node(colour).is(Flags::CLICKABLE | Flags::LONG_CLICKABLE));
    session.click(hit::aim(&read, colour).expect("it can be clicked"));
    read_when(&target, &visible, |read| shows(read, "chosen Colour 7")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_office_program_has_one_menu_bar_and_its_cells_are_where_they_are_said_to_be() {
    let session = Session::start();
    let _calc = session.launch("soffice", &["--calc", "--norestore", "--nologo"]);
    let target = session.target().await;
    let visible = Scope::App { app: AppRef::named("soffice"), part: Part::Visible };
    let read = read_when(&target, &visible, |read| find(read, "A1").is_some()).await;
    let table = compact::whole(&read);
    assert!(rows(&read) <= compact::MAX_ROWS, "{} rows", rows(&read));
    let folded = read.nodes().iter().filter(|node| node.folded).count();
    assert!(folded >= 20, "{folded} folded: {table}");
    assert_eq!(table.matches("\tmenu\tFile\t").count(), 1, "{table}");
    assert!(!table.contains("\tseparator\t"), "{table}");
    assert_eq!(lost(&read).map(|index| read.node(index)), None, "{table}");

    // A click where a cell is said to be goes to it: the place that its toolkit reports is that of another box.
    let first = read.node(find(&read, "A1").unwrap()).bounds;
    let rows_down = 3;
    let at = Point::new(first.center().x, first.center().y + f64::from(rows_down * first.height()));
    session.click(at);
    let focused = |read: &Snapshot| {
        let index = find(read, "A4")?;
        read.node(index).is(Flags::FOCUSED).then(|| read.node(index).bounds)
    };
    let read = read_when(&target, &visible, |read| focused(read).is_some()).await;
    assert!(focused(&read).unwrap().contains(at), "{:?} at {at:?}", focused(&read));
}
