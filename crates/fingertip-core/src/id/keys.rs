//! The names under which the children of a node are remembered, and looked for when they come back.
//!
//! Rows of a scrolling container are known by what they say and by their neighbours, never by their number.
//! Elsewhere children that say the same are counted, so that a screen shown again gets all its ids back.

use super::hash::mix;
use super::memory::Keys;
use super::sketch::{NONE, Tree};

/// Makes the keys of the children of one parent after another, with one set of buffers.
#[derive(Default)]
pub(super) struct KeyMaker {
    children: Vec<u32>,
    sorted: Vec<(u64, usize)>,
    keys: Vec<Keys>,
}

impl KeyMaker {
    /// The children of `parent` with their keys.
    pub(super) fn children(&mut self, tree: &Tree, parent: u32) -> impl Iterator<Item = (u32, Keys)> + '_ {
        tree.children_into(parent, &mut self.children);
        let rows = parent != NONE && tree.at(parent).holds_rows;
        self.keys.clear();
        self.keys.resize(self.children.len(), Keys::default());
        if let Some(scope) = scope(tree, parent) {
            self.number(scope, rows, |child| tree.at(child).content, |keys| &mut keys.content[0]);
            // A leaf's label is its content too, and must not be taken for a second control of that name.
            self.number(mix(scope, 0), true, |child| tree.at(child).label, |keys| &mut keys.label[0]);
        }
        for (keys, &child) in self.keys.iter_mut().zip(&self.children).filter(|_| rows) {
            let row = tree.at(child);
            keys.neighbours = row.neighbours;
            // What says nothing is known by its neighbours only.
            let is_known = row.label != 0 || (row.is_distinctive() && row.neighbours != [0; 2]);
            keys.content = beside(if is_known { keys.content[0] } else { 0 }, row.neighbours);
            keys.label = beside(keys.label[0], row.neighbours);
        }
        self.children.iter().copied().zip(self.keys.iter().copied())
    }

    /// Keys for one sort of name; of several that have the same name none gets one, unless they are counted.
    fn number(
        &mut self,
        scope: u64,
        only_unique: bool,
        name: impl Fn(u32) -> u64,
        key: impl Fn(&mut Keys) -> &mut u64,
    ) {
        self.sorted.clear();
        self.sorted.extend(self.children.iter().enumerate().map(|(index, &child)| (name(child), index)));
        self.sorted.sort_unstable();
        for twins in self.sorted.chunk_by(|left, right| left.0 == right.0) {
            if twins[0].0 == 0 || (only_unique && twins.len() > 1) {
                continue;
            }
            for (ordinal, &(name, index)) in twins.iter().enumerate() {
                let count = (twins.len() as u64) << u32::BITS | ordinal as u64;
                *key(&mut self.keys[index]) = mix(mix(scope, name), count);
            }
        }
    }
}

/// Under what the children of `parent` are remembered.
pub(super) fn scope(tree: &Tree, parent: u32) -> Option<u64> {
    if parent == NONE {
        return Some(tree.scope);
    }
    // Numbers are unique over all windows, so the window need not be part of it.
    tree.at(parent).id.map(|id| mix(u64::from(id.number()), 0))
}

/// The keys of a row, one for each side; the plain one for a row that was always alone.
fn beside(key: u64, neighbours: [u64; 2]) -> [u64; 2] {
    match (key, neighbours) {
        (0, _) => [0; 2],
        (key, [0, 0]) => [key, 0],
        (key, [before, after]) => {
            let side = |name: u64, salt: u64| if name == 0 { 0 } else { mix(key, mix(name, salt)) };
            [side(before, 0), side(after, 1)]
        }
    }
}
