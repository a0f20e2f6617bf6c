//! Changed copies of snapshots, which are themselves read-only.

use crate::{Node, NodeIndex, Snapshot, Window};

/// A copy in which `change` was applied to every node.
#[must_use]
pub fn map_nodes(snapshot: &Snapshot, mut change: impl FnMut(NodeIndex, &mut Node)) -> Snapshot {
    rebuild(
        snapshot,
        |_| true,
        |index, mut node| {
            change(index, &mut node);
            Some(node)
        },
    )
}

/// A copy in which `change` was applied to this node.
#[must_use]
pub fn change_node(snapshot: &Snapshot, changed: NodeIndex, change: impl FnOnce(&mut Node)) -> Snapshot {
    let mut change = Some(change);
    map_nodes(snapshot, |index, node| {
        if index == changed
            && let Some(change) = change.take()
        {
            change(node);
        }
    })
}

/// A copy without this node and all below it.
#[must_use]
pub fn remove_node(snapshot: &Snapshot, removed: NodeIndex) -> Snapshot {
    rebuild(snapshot, |_| true, |index, node| (index != removed).then_some(node))
}

/// A copy without these nodes and all below them.
#[must_use]
pub fn remove_nodes(snapshot: &Snapshot, removed: impl Fn(NodeIndex) -> bool) -> Snapshot {
    rebuild(snapshot, |_| true, |index, node| (!removed(index)).then_some(node))
}

/// A copy with only those windows.
#[must_use]
pub fn keep_windows(snapshot: &Snapshot, keep: impl FnMut(&Window) -> bool) -> Snapshot {
    rebuild(snapshot, keep, |_, node| Some(node))
}

/// A copy in which `change` was applied to every window.
#[must_use]
pub fn map_windows(snapshot: &Snapshot, mut change: impl FnMut(&mut Window)) -> Snapshot {
    let mut builder = Snapshot::builder(snapshot.screen);
    for position in 0..snapshot.windows().len() {
        copy_window(&mut builder, snapshot, position, &mut change, &mut |_, node| Some(node));
    }
    with_facts_of(snapshot, builder.finish())
}

/// A copy with the windows and their nodes of another snapshot behind its own.
#[must_use]
pub fn add_windows(snapshot: &Snapshot, other: &Snapshot) -> Snapshot {
    let mut builder = Snapshot::builder(snapshot.screen);
    for source in [snapshot, other] {
        for window in 0..source.windows().len() {
            copy_window(&mut builder, source, window, &mut |_| (), &mut |_, node| Some(node));
        }
    }
    with_facts_of(snapshot, builder.finish())
}

/// A copy of the windows to keep, with the nodes `change` returns; a node it drops goes with all below it.
fn rebuild(
    snapshot: &Snapshot,
    mut keep: impl FnMut(&Window) -> bool,
    mut change: impl FnMut(NodeIndex, Node) -> Option<Node>,
) -> Snapshot {
    let mut builder = Snapshot::builder(snapshot.screen);
    for (position, window) in snapshot.windows().iter().enumerate() {
        if keep(window) {
            copy_window(&mut builder, snapshot, position, &mut |_| (), &mut change);
        }
    }
    with_facts_of(snapshot, builder.finish())
}

fn copy_window(
    builder: &mut crate::Builder,
    snapshot: &Snapshot,
    window: usize,
    change_window: &mut impl FnMut(&mut Window),
    change: &mut impl FnMut(NodeIndex, Node) -> Option<Node>,
) {
    let mut changed = snapshot.windows()[window].clone();
    change_window(&mut changed);
    builder.window(changed);
    let mut open = 0;
    let mut dropped: Option<NodeIndex> = None;
    for index in snapshot.nodes_of(window) {
        if dropped.is_some_and(|dropped| snapshot.is_within(index, dropped)) {
            continue;
        }
        let Some(node) = change(index, snapshot.node(index).clone()) else {
            dropped = Some(index);
            continue;
        };
        while open > snapshot.depth(index) {
            builder.close();
            open -= 1;
        }
        builder.open(node);
        open += 1;
    }
}

fn with_facts_of(source: &Snapshot, mut copy: Snapshot) -> Snapshot {
    copy.app.clone_from(&source.app);
    copy.activity.clone_from(&source.activity);
    copy.cut.clone_from(&source.cut);
    copy.settled = source.settled;
    copy.lasting_handles = source.lasting_handles;
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{find, sample};

    #[test]
    fn an_unchanged_copy_equals_its_source() {
        let phone = sample::phone_with_keyboard();
        assert_eq!(map_nodes(&phone, |_, _| ()), phone);
    }

    #[test]
    fn a_removed_node_takes_its_descendants_with_it() {
        let phone = sample::phone();
        let list = find(&phone, "Contacts");
        let removed = phone.subtree(list).len();
        assert!(removed > 1);
        assert_eq!(remove_node(&phone, list).nodes().len(), phone.nodes().len() - removed);
    }

    #[test]
    fn windows_can_be_added_and_taken_away() {
        let phone = sample::phone();
        let both = add_windows(&phone, &sample::keyboard());
        assert_eq!(both, sample::phone_with_keyboard());
        assert_eq!(keep_windows(&both, |window| window.focused), phone);
    }
}
