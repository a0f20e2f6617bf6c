//! Finds for each window of a snapshot the earlier sketch of the same window.
//!
//! Windows in the last snapshot come first, then those that were there before: a dialog over an application,
//! a keyboard that comes and goes, another application in front. Several windows of one title are told
//! apart by handle, content or place; where nothing helps and their number changed, they are new.

use super::groups::Groups;
use super::hash::{self, mix};
use super::sketch::{NONE, Tree};

/// For each new window the position of the same one in `old`, or [`NONE`].
pub(super) fn pair_open(old: &[&Tree], new: &[Tree]) -> Vec<u32> {
    let mut matches = vec![NONE; new.len()];
    let mut taken = vec![false; old.len()];
    let keys: [fn(&Tree) -> u64; 4] = [
        |tree| if tree.handle == 0 { 0 } else { mix(tree.handle, tree.owner) },
        |tree| mix(tree.key, tree.whole()),
        |tree| mix(instance(tree), hash::of(&tree.bounds)),
        instance,
    ];
    let mut groups = Groups::default();
    let mut pair = |key: fn(&Tree) -> u64, in_turn: bool| {
        let mut pairs = Vec::new();
        groups.shared(
            old.iter().zip(0..).filter(|item| !taken[item.1 as usize]).map(|(tree, at)| (key(tree), at)),
            new.iter()
                .zip(0..)
                .filter(|item| matches[item.1 as usize] == NONE)
                .map(|(tree, at)| (key(tree), at)),
            |before, now| {
                if before.len() == now.len() && (in_turn || before.len() == 1) {
                    pairs.extend(before.zip(now));
                }
            },
        );
        for (before, now) in pairs {
            taken[before as usize] = true;
            matches[now as usize] = before;
        }
    };
    for key in keys {
        pair(key, false);
    }
    pair(instance, true);
    // A title often names the document, and changes with it.
    pair(|tree| if tree.transient { 0 } else { tree.owner }, false);
    matches
}

/// The key of a window; for a dialog also its handle, which the next dialog does not have.
fn instance(tree: &Tree) -> u64 {
    if tree.transient { mix(tree.key, tree.handle) } else { tree.key }
}

/// The window in `hidden` (latest last) that is shown again as `new`.
pub(super) fn find_hidden(hidden: &[Tree], new: &Tree) -> Option<usize> {
    let content = |tree: &Tree| tree.nodes.first().map(|root| root.content);
    let label = |tree: &Tree| tree.nodes.first().map(|root| root.label);
    let known = || hidden.iter().enumerate().filter(|(_, tree)| tree.key == new.key).map(|(at, _)| at).rev();
    let unchanged = known().find(|&at| content(&hidden[at]) == content(new));
    if new.transient {
        return unchanged;
    }
    unchanged.or_else(|| known().find(|&at| label(&hidden[at]) == label(new))).or_else(|| known().next())
}
