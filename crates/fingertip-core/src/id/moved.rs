//! Pairs what was left over because a box was put around it, or taken away.
//!
//! Only nodes that nothing else in the window could be mistaken for, outside scrolling containers, and only
//! where the part they are in still says mostly the same: a button found both in the screen before and in
//! the one that replaced it is not the same button.

use super::matching::{Context, Matching, Siblings};
use super::sketch::{NONE, Sketch, Tree};

/// Pairs unmistakable leftovers of the whole window, and what is below them.
pub(super) fn pair(matching: &mut Matching<'_>) {
    let mut siblings = Siblings::default();
    for key in [(|node| node.content) as fn(&Sketch) -> u64, |node| node.label] {
        if !matching.to_new.contains(&NONE) || !matching.to_old.contains(&NONE) {
            return;
        }
        let keys = |tree: &Tree| -> Vec<(u64, u32)> {
            let keyed = tree.nodes.iter().zip(0..).map(|(node, position)| {
                let distinctive = node.label != 0 && !node.scrolled;
                (if distinctive { key(node) } else { 0 }, position)
            });
            keyed.collect()
        };
        let (old, new) = (matching.old, matching.new);
        for (before, now) in siblings.groups.unique(keys(old), keys(new)) {
            // An earlier pair may have brought this one along.
            if matching.is_old_free(before)
                && matching.is_new_free(now)
                && is_same_part(matching, before, now)
            {
                let steady = matching.evidence.is_steady(before, now, true);
                matching.accept(before, now, Context { steady, scrolls: false });
                matching.descend(&mut siblings);
            }
        }
    }
}

/// Whether both lie in the same matched node, in branches that say mostly the same.
fn is_same_part(matching: &Matching<'_>, before: u32, now: u32) -> bool {
    let (old_branch, old_stem) = branch(matching.old, &matching.to_new, before);
    let (new_branch, new_stem) = branch(matching.new, &matching.to_old, now);
    let stem = if old_stem == NONE { NONE } else { matching.to_new[old_stem as usize] };
    // One that hangs on the stem itself is a branch of its own, and has only the stem to vouch for it.
    let bare = old_branch == before || new_branch == now;
    stem == new_stem
        && (matching.evidence.is_steady(old_branch, new_branch, false)
            || (bare && matching.evidence.is_steady(old_stem, new_stem, false)))
}

/// The highest unmatched node above `position`, and the matched one over that.
fn branch(tree: &Tree, matches: &[u32], position: u32) -> (u32, u32) {
    let mut highest = position;
    loop {
        let above = tree.at(highest).parent;
        if above == NONE || matches[above as usize] != NONE {
            return (highest, above);
        }
        highest = above;
    }
}
