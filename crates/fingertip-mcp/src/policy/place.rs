//! Where a call would act, found out for the question the user is asked. Only looks.

use std::time::Duration;

use fingertip_core::id::Located;
use fingertip_core::target::{Part, Scope};
use fingertip_core::{Deadline, Flags, Node, NodeId, Snapshot};

use super::confirm::Place;
use crate::attached::Attached;

/// How long finding out may take. Without an answer the question is asked all the same, with less in it.
const FOUND_WITHIN: Duration = Duration::from_secs(3);

/// Finds out where a call would act that names this element, or none.
pub(crate) async fn find(attached: &Attached, element: Option<NodeId>) -> Place {
    let target = attached.target().info().name;
    // An element is looked for where it was seen; anything else goes to whatever is in front.
    let owner = element.and_then(|id| attached.app_of(id));
    let scope = owner.map_or(Scope::Screen, |app| Scope::App { app, part: Part::Visible });
    match attached.look(&scope, Deadline::after(FOUND_WITHIN)).await {
        Ok(snapshot) => seen(attached, &snapshot, element, target),
        // What cannot be seen may be a password field.
        Err(_) => Place { target, secret: true, ..Place::default() },
    }
}

fn seen(attached: &Attached, snapshot: &Snapshot, element: Option<NodeId>, target: String) -> Place {
    let index = match element.map(|id| attached.locate(snapshot, id)) {
        Some(Located::Found(index)) => Some(index),
        Some(_) => None,
        None => snapshot.focused_node(),
    };
    let node = index.map(|index| snapshot.node(index));
    let window = match index.filter(|_| element.is_some()) {
        Some(index) => Some(snapshot.window_of(index)),
        None => snapshot.focused_window(),
    };
    let owner = window.and_then(|window| snapshot.windows()[window].app.clone());
    let app = owner.or_else(|| snapshot.app.clone()).map(String::from);
    Place {
        target,
        app,
        element: node.filter(|_| element.is_some()).map(Node::summary),
        secret: node.is_some_and(|node| node.is(Flags::PASSWORD)),
    }
}
