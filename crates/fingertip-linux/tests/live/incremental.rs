//! An incremental look after an act, which asks for what has changed alone, shows what a proper look shows, on each toolkit.

use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{NodeAction, Part, Scope};
use fingertip_core::{Flags, Node, Snapshot, Value};
use fingertip_linux::LinuxTarget;

use crate::form::Form;
use crate::support::{Session, read_when, scope, shows, soon};

/// How long an application may take to become idle.
const IDLE_WITHIN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a node says of itself, without where it is: layout is left to proper looks.
fn words(snapshot: &Snapshot) -> Vec<String> {
    let line = |node: &Node| {
        let states = node.flags - Flags::VISIBLE;
        format!("{:?} {:?} {:?} {:?} {states:?}", node.role, node.text, node.description, node.value)
    };
    snapshot.indices().map(|index| line(snapshot.node(index))).collect()
}

/// Looks incrementally until that shows what a proper look does, and returns how many calls it took.
async fn agrees(target: &LinuxTarget, scope: &Scope, after: &str) -> (u64, u64) {
    let start = Instant::now();
    loop {
        let before = target.round_trips().await;
        let incremental = target.incremental_look(scope, soon()).await.expect("an incremental look");
        let between = target.round_trips().await;
        let look = target.snapshot(scope, soon()).await.expect("a look");
        if words(&incremental) == words(&look) {
            return (between - before, target.round_trips().await - between);
        }
        let (incremental, look) = (words(&incremental), words(&look));
        let missing: Vec<_> = look.iter().filter(|line| !incremental.contains(line)).collect();
        let wrong: Vec<_> = incremental.iter().filter(|line| !look.contains(line)).collect();
        assert!(
            start.elapsed() < IDLE_WITHIN,
            "after {after} an incremental look lacks {missing:#?} and has {wrong:#?}"
        );
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Does one thing after another and looks incrementally after each.
async fn follows(form: &Form) {
    let scope = scope(&form.process, Part::Visible);
    let first = form.target.incremental_look(&scope, soon()).await.expect("an incremental look");
    assert!(!first.recalled, "nothing was read before");
    agrees(&form.target, &scope, "nothing").await;
    for text in ["Grace", "", "Ada"] {
        form.set_text("Name", text).await.unwrap();
        agrees(&form.target, &scope, "a text").await;
    }
    form.act("Greet", NodeAction::Click).await.unwrap();
    form.wrote("greeted", "Ada").await;
    agrees(&form.target, &scope, "a press").await;
    for checked in [true, false] {
        form.set_value("Agree", Value::Checked(checked)).await.unwrap();
        agrees(&form.target, &scope, "a check").await;
    }
    let number = Value::Number { current: 40.0, minimum: None, maximum: None };
    form.set_value("Volume", number).await.unwrap();
    agrees(&form.target, &scope, "a number").await;
    let again = form.target.incremental_look(&scope, soon()).await.expect("an incremental look");
    assert!(again.recalled, "what was read is remembered");
    let (incremental, look) = agrees(&form.target, &scope, "all").await;
    assert!(incremental * 3 < look, "an incremental look takes {incremental} calls, a look {look}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incremental_look_at_gtk3_shows_what_changed() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk3.py").await;
    follows(&form).await;
    let scope = scope(&form.process, Part::Visible);
    for (label, action) in
        [("Name", NodeAction::Focus), ("More", NodeAction::Expand), ("More", NodeAction::Collapse)]
    {
        form.act(label, action).await.unwrap();
        agrees(&form.target, &scope, label).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incremental_look_at_gtk4_shows_what_changed() {
    let session = Session::start();
    follows(&Form::open(&session, "form_gtk4.py").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incremental_look_at_qt_shows_what_changed() {
    let session = Session::start();
    let form = Form::open(&session, "form_qt6.py").await;
    follows(&form).await;
    form.act("Name", NodeAction::Focus).await.unwrap();
    agrees(&form.target, &scope(&form.process, Part::Visible), "the focus").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incremental_look_at_a_page_shows_what_changed() {
    let session = Session::start();
    let process = session.page("form.html");
    let (target, scope) = (session.target().await, scope(&process, Part::Visible));
    let at = |read: &Snapshot, words: &str| {
        read.indices().find(|index| read.node(*index).text.as_deref() == Some(words))
    };
    read_when(&target, &scope, |read| at(read, "Greet").is_some()).await;
    target.incremental_look(&scope, soon()).await.expect("an incremental look");
    for (label, said) in [("Agree", "Agreed true"), ("Greet", "Hello")] {
        let read = target.snapshot(&scope, soon()).await.expect("the page");
        let control = at(&read, label).expect("a control");
        target.act(&read, control, &NodeAction::Click, soon()).await.unwrap();
        read_when(&target, &scope, |read| shows(read, said)).await;
        agrees(&target, &scope, label).await;
    }
}
