//! Qt 5 makes a new object for each cell and header of a tree each time it is asked for them.

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Part};
use fingertip_core::{IdPool, Identities, NodeId, Role, Snapshot};

use crate::support::{Session, read_when, scope, shows, soon};

fn cells(snapshot: &Snapshot) -> Vec<(Option<&str>, Option<NodeId>)> {
    let is_cell = |role: Role| matches!(role, Role::Cell | Role::ColumnHeader | Role::TreeItem);
    let cells = snapshot.nodes().iter().filter(|node| is_cell(node.role));
    cells.map(|node| (node.text.as_deref(), node.id)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_keeps_its_id_though_its_object_is_made_anew() {
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
