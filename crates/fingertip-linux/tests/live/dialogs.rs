//! Windows above others: modal dialogs, and popups that expose nothing of what is in them.

use fingertip_core::prelude::*;
use fingertip_core::target::{NodeAction, Part};
use fingertip_core::{Reason, Snapshot, WindowKind, compact, hit};

use crate::form::find;
use crate::support::{Session, only, read_when, scope, shows, soon};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_modal_dialog_blocks_is_left_alone() {
    let session = Session::start();
    let process = session.script("modal.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let main = read_when(&target, &visible, |read| shows(read, "Ask")).await;
    assert_eq!(
        only(&main, "the labelled field", |node| node.description.as_deref() == Some("Count"))
            .text
            .as_deref(),
        Some("0")
    );
    target.act(&main, find(&main, "Ask").unwrap(), &NodeAction::Click, soon()).await.unwrap();

    let both = read_when(&target, &visible, |read| shows(read, "Yes")).await;
    let other = find(&both, "Other").expect("still there");
    let refused = target.act(&both, other, &NodeAction::Click, soon()).await.unwrap_err();
    assert_eq!(refused.reason(), Reason::Covered);
    assert!(refused.to_string().contains("'Sure?'"), "{refused}");
    let aim = hit::aim(&both, other).unwrap_err();
    assert!(aim.describe(&both).contains("blocked by the dialog 'Sure?'"));
    let table = compact::whole(&both);
    assert!(table.contains("\tYes\t") && !table.contains("\tOther\t"), "{table}");
    assert!(table.contains("note:window 'Main' is left out: it is blocked by the dialog 'Sure?'"), "{table}");

    target.act(&both, find(&both, "Yes").unwrap(), &NodeAction::Click, soon()).await.unwrap();
    let free = |read: &Snapshot| {
        !shows(read, "Yes") && read.windows().iter().all(|window| window.blocked_by.is_none())
    };
    let main = read_when(&target, &visible, free).await;
    assert!(shows(&main, "nothing"), "it was pressed while it was blocked");
    target.act(&main, find(&main, "Other").unwrap(), &NodeAction::Click, soon()).await.unwrap();
    read_when(&target, &visible, |read| shows(read, "pressed")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gtk_4_outlives_looks_while_a_dialog_closes() {
    let session = Session::start();
    let process = session.script("gtk4_closing.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let main = read_when(&target, &visible, |read| shows(read, "Blink")).await;
    target.act(&main, find(&main, "Blink").unwrap(), &NodeAction::Click, soon()).await.unwrap();
    // Each asks again for the windows it knows, of which one may just have closed.
    while !shows(&target.incremental_look(&visible, soon()).await.expect("it is still there"), "Rested") {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_popup_that_exposes_nothing_has_its_place_noted() {
    let session = Session::start();
    let process = session.script("qt5_menu.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    // It is on the bus before the window manager has its window.
    let is_there =
        |read: &Snapshot| shows(read, "Right") && read.windows().iter().all(|window| window.handle.is_some());
    let plain = read_when(&target, &visible, is_there).await;
    assert!(!compact::whole(&plain).contains("note:a popup"));
    target.act(&plain, find(&plain, "Right").unwrap(), &NodeAction::LongClick, soon()).await.unwrap();
    let is_popup = |window: &fingertip_core::Window| window.kind == WindowKind::Popup;
    let open = read_when(&target, &visible, |read| read.windows().iter().any(is_popup)).await;
    let place = open.windows().iter().find(|window| is_popup(window)).unwrap().bounds;
    let window = open.windows().iter().find(|window| is_popup(window)).unwrap();
    assert_eq!(window.handle.as_deref(), Some(&*session.window_at(place.center())), "{place:?}");
    let note =
        format!("at {},{},{},{} exposes no elements", place.left, place.top, place.right, place.bottom);
    assert!(compact::whole(&open).contains(&note), "{}", compact::whole(&open));
}
