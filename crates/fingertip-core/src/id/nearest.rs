//! What a caller may have meant when its element is not visible. Suggestions only: nothing acts on them.

use super::memory::Likeness;
use super::sketch::{base_of, class_of, own_of};
use crate::{NodeId, NodeIndex, Snapshot};

/// How many suggestions are made.
pub const MOST_NEAREST: usize = 5;

/// The nodes most like this control, best first.
pub(super) fn by_likeness(snapshot: &Snapshot, wanted: Likeness) -> Vec<NodeIndex> {
    best(snapshot, |index| {
        let node = snapshot.node(index);
        let same_words = wanted.own != 0 && own_of(node) == wanted.own;
        let same_class = class_of(node) == wanted.class;
        // A resource id says more than a class, and words more than both together.
        let same_name = node.resource_id.is_some() && base_of(node) == wanted.base;
        u32::from(same_words) * 4 + u32::from(same_name) * 2 + u32::from(same_class)
    })
}

/// The nodes whose ids differ from this one in a single digit.
pub(super) fn by_spelling(snapshot: &Snapshot, wanted: NodeId) -> Vec<NodeIndex> {
    best(snapshot, |index| {
        let differing = snapshot.node(index).id.map_or(0, |id| id.number() ^ wanted.number());
        let digits = (0..u32::BITS).step_by(4).filter(|shift| (differing >> shift) & 0xf != 0).count();
        u32::from(digits == 1)
    })
}

/// The nodes with the highest scores above zero; of equals the first.
fn best(snapshot: &Snapshot, score: impl Fn(NodeIndex) -> u32) -> Vec<NodeIndex> {
    let mut best: Vec<(u32, NodeIndex)> = Vec::with_capacity(MOST_NEAREST + 1);
    for index in snapshot.indices() {
        let score = score(index);
        let place = best.partition_point(|entry| entry.0 >= score);
        if score > 0 && place < MOST_NEAREST {
            best.insert(place, (score, index));
            best.truncate(MOST_NEAREST);
        }
    }
    best.into_iter().map(|entry| entry.1).collect()
}
