//! What changed between two snapshots.
//!
//! Nodes are the same when their ids are; a node without an id takes no part. Windows have no ids: they are the
//! same when their handles are, else when application, process and kind are, the same title first. One pass
//! over each snapshot. Not compared: a node's handle, which is the driver's own, and its place among siblings.

mod windows;

use rustc_hash::FxHashMap;

use crate::{Flags, NodeId, NodeIndex, Snapshot};

bitflags::bitflags! {
    /// What of a node or window is not as it was.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ChangedFields: u16 {
        /// The text, or the length of a secret.
        const TEXT = 1;
        /// The description or the hint.
        const DESCRIPTION = 1 << 1;
        /// The value.
        const VALUE = 1 << 2;
        /// A yes/no property other than the focus.
        const STATE = 1 << 3;
        /// The input focus.
        const FOCUS = 1 << 4;
        /// The bounds.
        const BOUNDS = 1 << 5;
        /// The parent.
        const PARENT = 1 << 6;
        /// The drawing order of a node, the layer of a window.
        const STACKING = 1 << 7;
        /// What it is: role, class, resource id or actions.
        const IDENTITY = 1 << 8;
        /// The title of a window.
        const TITLE = 1 << 9;
    }
}

/// A node that is in both snapshots and differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Its place in the old snapshot.
    pub old: NodeIndex,
    /// Its place in the new one.
    pub new: NodeIndex,
    /// What differs.
    pub fields: ChangedFields,
}

/// A window that is in both snapshots and differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowChange {
    /// Its position in the old snapshot.
    pub old: usize,
    /// Its position in the new one.
    pub new: usize,
    /// What differs.
    pub fields: ChangedFields,
}

/// What changed; each list in the order of its snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Nodes only in the new snapshot.
    pub added: Vec<NodeIndex>,
    /// Nodes only in the old snapshot.
    pub removed: Vec<NodeIndex>,
    /// Nodes in both that differ, in the new order.
    pub changed: Vec<Change>,
    /// Windows only in the new snapshot, by position.
    pub windows_opened: Vec<usize>,
    /// Windows only in the old snapshot, by position.
    pub windows_closed: Vec<usize>,
    /// Windows in both that differ, in the new order.
    pub windows_changed: Vec<WindowChange>,
}

impl Changes {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What changed from the old snapshot to the new one.
#[must_use]
pub fn between(old: &Snapshot, new: &Snapshot) -> Changes {
    let mut earlier = Earlier::of(old);
    let mut changes = Changes::default();
    for (id, index) in named(new) {
        let Some(before) = earlier.take(id) else {
            changes.added.push(index);
            continue;
        };
        let fields = compare(old, before, new, index);
        if !fields.is_empty() {
            changes.changed.push(Change { old: before, new: index, fields });
        }
    }
    changes.removed = earlier.left().collect();
    windows::compare(old, new, &mut changes);
    changes
}

/// The nodes of the old snapshot, taken one by one as they are met in the new one.
///
/// Most stand in the same order in both, so the next one is tried first. A table of them all, whose entries lie all over the
/// memory, is made only when that fails; it made large snapshots cost five times more a node than small ones.
struct Earlier {
    nodes: Vec<(NodeId, NodeIndex)>,
    taken: Vec<bool>,
    next: usize,
    places: Option<FxHashMap<NodeId, usize>>,
}

impl Earlier {
    fn of(old: &Snapshot) -> Self {
        let nodes: Vec<_> = named(old).collect();
        Self { taken: vec![false; nodes.len()], nodes, next: 0, places: None }
    }

    /// The node with this id, unless it was taken.
    fn take(&mut self, id: NodeId) -> Option<NodeIndex> {
        while self.taken.get(self.next).is_some_and(|taken| *taken) {
            self.next += 1;
        }
        let place = match self.nodes.get(self.next) {
            Some((next, _)) if *next == id => self.next,
            _ => *self.places().get(&id)?,
        };
        if std::mem::replace(&mut self.taken[place], true) {
            return None;
        }
        // What follows it there most likely follows it here.
        self.next = place + 1;
        Some(self.nodes[place].1)
    }

    fn places(&mut self) -> &FxHashMap<NodeId, usize> {
        let (nodes, taken) = (&self.nodes, &self.taken);
        self.places.get_or_insert_with(|| {
            let left = nodes.iter().enumerate().filter(|(place, _)| !taken[*place]);
            left.map(|(place, (id, _))| (*id, place)).collect()
        })
    }

    /// Those that were not taken, in their order.
    fn left(&self) -> impl Iterator<Item = NodeIndex> {
        self.nodes.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|((_, index), _)| *index)
    }
}

/// The windows only in the new snapshot, by position.
#[must_use]
pub fn windows_opened(old: &Snapshot, new: &Snapshot) -> Vec<usize> {
    let mut changes = Changes::default();
    windows::compare(old, new, &mut changes);
    changes.windows_opened
}

fn named(snapshot: &Snapshot) -> impl Iterator<Item = (NodeId, NodeIndex)> + use<'_> {
    snapshot.indices().filter_map(|index| Some((snapshot.node(index).id?, index)))
}

fn compare(old: &Snapshot, before: NodeIndex, new: &Snapshot, after: NodeIndex) -> ChangedFields {
    let parent = |snapshot: &Snapshot, index| snapshot.node(snapshot.parent(index)?).id;
    let parent_changed = parent(old, before) != parent(new, after);
    let (before, after) = (old.node(before), new.node(after));
    let flags = before.flags ^ after.flags;
    fields([
        (ChangedFields::TEXT, before.text != after.text || before.secret_length != after.secret_length),
        (ChangedFields::DESCRIPTION, before.description != after.description || before.hint != after.hint),
        (ChangedFields::VALUE, before.value != after.value),
        (ChangedFields::STATE, !(flags - Flags::FOCUSED).is_empty()),
        (ChangedFields::FOCUS, flags.contains(Flags::FOCUSED)),
        (ChangedFields::BOUNDS, before.bounds != after.bounds),
        (ChangedFields::PARENT, parent_changed),
        (ChangedFields::STACKING, before.drawing_order != after.drawing_order),
        (
            ChangedFields::IDENTITY,
            before.role != after.role
                || before.class != after.class
                || before.resource_id != after.resource_id
                || before.actions != after.actions,
        ),
    ])
}

/// Those of the fields that differ.
fn fields<const COUNT: usize>(compared: [(ChangedFields, bool); COUNT]) -> ChangedFields {
    compared.into_iter().filter_map(|(field, differs)| differs.then_some(field)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_support::{edit, find, sample, tree};
    use crate::{Node, Rect, Value};

    /// The phone with ids, as [`crate::id`] would give them.
    fn phone() -> Snapshot {
        edit::map_nodes(&sample::phone(), |index, node| node.id = NodeId::new(index.position() as u32 + 1))
    }

    #[test]
    fn a_snapshot_does_not_differ_from_itself() {
        assert!(between(&phone(), &phone()).is_empty());
    }

    #[test]
    fn a_removed_subtree_is_reported_node_by_node() {
        let old = phone();
        let list = find(&old, "Contacts");
        let changes = between(&old, &edit::remove_node(&old, list));
        assert_eq!(changes.removed, old.subtree(list).collect::<Vec<_>>());
        assert!(changes.added.is_empty() && changes.changed.is_empty());
        let back = between(&edit::remove_node(&old, list), &old);
        assert_eq!(back.added, changes.removed);
    }

    #[test]
    fn a_node_under_another_parent_has_moved() {
        let old = tree("A id=1\n  B id=2\n    C id=3");
        let new = tree("A id=1\n  C id=3\n  B id=2");
        let changes = between(&old, &new);
        let [change] = changes.changed[..] else { panic!("one change: {changes:?}") };
        assert_eq!(change.fields, ChangedFields::PARENT);
        assert_eq!(new.node(change.new).class.as_deref(), Some("C"));
    }

    #[test]
    fn nodes_without_ids_take_no_part() {
        let changes = between(&tree("A\n  B \"old\""), &tree("A\n  B \"new\"\n  C"));
        assert!(changes.is_empty());
    }

    #[test]
    fn nodes_in_another_order_are_the_same_nodes() {
        let old = tree("A id=1\nB id=2\nC id=3\nD id=4\nE id=5");
        let new = tree("D id=4\nE id=5\nB id=2\nF id=6\nA id=1");
        let changes = between(&old, &new);
        let ids = |snapshot: &Snapshot, nodes: &[NodeIndex]| -> Vec<u32> {
            nodes.iter().map(|index| snapshot.node(*index).id.unwrap().number()).collect()
        };
        assert_eq!((ids(&new, &changes.added), ids(&old, &changes.removed)), (vec![6], vec![3]));
        assert!(changes.changed.is_empty());
    }

    #[test]
    fn an_id_given_twice_is_matched_once() {
        let changes = between(&tree("A id=1"), &tree("A id=1\nA id=1"));
        assert_eq!(changes.added.len(), 1);
    }

    type Alteration = (ChangedFields, fn(&mut Node));

    /// Ways to change each field of a node.
    fn alterations() -> [Alteration; 12] {
        [
            (ChangedFields::TEXT, |node| node.text = Some("another".into())),
            (ChangedFields::TEXT, |node| node.secret_length = Some(77)),
            (ChangedFields::DESCRIPTION, |node| node.description = Some("another".into())),
            (ChangedFields::DESCRIPTION, |node| node.hint = Some("another".into())),
            (ChangedFields::VALUE, |node| node.value = Some(Value::Checked(true))),
            (ChangedFields::STATE, |node| node.flags.toggle(Flags::SELECTED)),
            (ChangedFields::FOCUS, |node| node.flags.toggle(Flags::FOCUSED)),
            (ChangedFields::BOUNDS, |node| node.bounds = Rect::new(1, 2, 3, 4)),
            (ChangedFields::STACKING, |node| node.drawing_order += 1),
            (ChangedFields::IDENTITY, |node| node.class = Some("another".into())),
            (ChangedFields::IDENTITY, |node| node.resource_id = Some("another".into())),
            (ChangedFields::IDENTITY, |node| node.actions = ["another".into()].into()),
        ]
    }

    proptest! {
        #[test]
        fn every_difference_is_reported_and_nothing_else(
            altered in prop::collection::btree_map(0_usize..18, 0_usize..12, 0..10),
        ) {
            let old = phone();
            let open = |position: usize| old.nodes().get(position).is_some_and(|node| !node.is(Flags::PASSWORD));
            let altered: Vec<_> = altered.into_iter().filter(|(position, _)| open(*position)).collect();
            let new = edit::map_nodes(&old, |index, node| {
                for (position, alteration) in &altered {
                    if *position == index.position() {
                        alterations()[*alteration].1(node);
                    }
                }
            });
            let changes = between(&old, &new);
            let reported: Vec<_> =
                changes.changed.iter().map(|change| (change.new.position(), change.fields)).collect();
            let expected: Vec<_> =
                altered.iter().map(|(position, number)| (*position, alterations()[*number].0)).collect();
            prop_assert_eq!(reported, expected);
            prop_assert!(changes.added.is_empty() && changes.removed.is_empty());
        }

        #[test]
        fn added_and_removed_are_exactly_the_ids_of_one_side(
            old in prop::collection::btree_set(1_u32..40, 0..20),
            new in prop::collection::btree_set(1_u32..40, 0..20),
        ) {
            let snapshot = |ids: &std::collections::BTreeSet<u32>| {
                tree(&ids.iter().map(|id| format!("A id={id:x}\n")).collect::<String>())
            };
            let changes = between(&snapshot(&old), &snapshot(&new));
            let numbers = |snapshot: &Snapshot, nodes: &[NodeIndex]| -> Vec<u32> {
                nodes.iter().map(|index| snapshot.node(*index).id.unwrap().number()).collect()
            };
            let added: Vec<u32> = new.difference(&old).copied().collect();
            let removed: Vec<u32> = old.difference(&new).copied().collect();
            prop_assert_eq!(numbers(&snapshot(&new), &changes.added), added);
            prop_assert_eq!(numbers(&snapshot(&old), &changes.removed), removed);
            prop_assert!(changes.changed.is_empty());
        }
    }
}
