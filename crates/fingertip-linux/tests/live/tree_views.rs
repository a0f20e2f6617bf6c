//! Trees and tables: Qt 5 makes a new object for each cell and header each time it is asked for them; GTK 3 draws check boxes in
//! cells.

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, NodeAction, Part};
use fingertip_core::{Flags, IdPool, Identities, NodeId, NodeIndex, Role, Snapshot, Value, compact};

use crate::support::{Session, read_when, scope, shows, soon};

fn cells(snapshot: &Snapshot) -> Vec<(Option<&str>, Option<NodeId>)> {
    let is_cell = |role: Role| matches!(role, Role::Cell | Role::ColumnHeader | Role::TreeItem);
    let cells = snapshot.nodes().iter().filter(|node| is_cell(node.role));
    cells.map(|node| (node.text.as_deref(), node.id)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_keeps_its_id_though_its_object_is_replaced() {
    let session = Session::start();
    let process = session.script("qt5_tree.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let mut identities = Identities::new(IdPool::default().into());
    let mut first = read_when(&target, &visible, |read| shows(read, "child 3")).await;
    identities.assign(&mut first);
    let mut second = target.snapshot(&visible, soon()).await.unwrap();
    identities.assign(&mut second);
    let handles = |read: &Snapshot| read.nodes().iter().map(|node| node.handle.clone()).collect::<Vec<_>>();
    assert_ne!(handles(&first), handles(&second), "Qt 5 has learnt to keep its objects");
    assert_eq!(cells(&first).len(), 18, "{:?}", cells(&first));
    assert_eq!(cells(&first), cells(&second));

    let second_row = first.nodes().iter().find(|node| node.text.as_deref() == Some("child 2")).unwrap();
    let now = second.find_id(second_row.id.unwrap()).expect("the same cell");
    target
        .gesture(&Gesture::tap(second.node(now).bounds.center()), &Expected::anyone(), soon())
        .await
        .unwrap();
    read_when(&target, &visible, |read| shows(read, "clicked child 2 0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_box_that_gtk_3_draws_in_a_cell_says_whether_it_is_on() {
    let session = Session::start();
    let process = session.script("gtk3_checks.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let checks = |read: &Snapshot| -> Vec<(NodeIndex, bool)> {
        let is_check = |index: &NodeIndex| read.node(*index).role == Role::CheckBox;
        let checks = read.indices().filter(is_check);
        checks.map(|index| (index, read.node(index).is(Flags::CHECKED))).collect()
    };
    let states = |read: &Snapshot| -> Vec<bool> { checks(read).into_iter().map(|(_, on)| on).collect() };
    let first = read_when(&target, &visible, |read| shows(read, "Numbers")).await;
    assert_eq!(states(&first), [false, false, true], "{}", compact::whole(&first));
    // What it calls toggle does nothing; a click does.
    let blank_lines = checks(&first)[1].0;
    assert!(!target.can_act(&first, blank_lines, &NodeAction::Click));
    let tap = Gesture::tap(first.node(blank_lines).bounds.center());
    target.gesture(&tap, &Expected::anyone(), soon()).await.unwrap();
    let second = read_when(&target, &visible, |read| states(read) == [false, true, true]).await;
    target.set_value(&second, checks(&second)[2].0, &Value::Checked(false), soon()).await.unwrap();
    read_when(&target, &visible, |read| states(read) == [false, true, false]).await;
}
