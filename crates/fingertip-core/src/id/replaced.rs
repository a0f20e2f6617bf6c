//! Controls whose handle was replaced: item views of some toolkits make a new object for a cell each time they are asked.
//!
//! Such a cell is known by its parent, which keeps its handle, by its words and by the words beside it. Words alone
//! are not enough: when a list scrolls, another row may bring the same ones. What fits several is a new control.

use rustc_hash::FxHashMap;

use super::hash::{mix, of_text};
use super::sketch::base_of;
use crate::{Node, NodeId};

/// A child as it was last seen under its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// What it is and what it says.
    key: u64,
    pub(super) id: NodeId,
}

impl Member {
    pub(super) fn new(node: &Node, id: NodeId) -> Self {
        Self { key: key_of(node), id }
    }
}

/// What a child is and what it says, in one number.
pub(super) fn key_of(node: &Node) -> u64 {
    mix(base_of(node), of_text(node.label()))
}

/// For each of these children the one it was before; `None` where that is not sure.
pub(super) fn successors(before: &[Member], now: &[u64]) -> Vec<Option<NodeId>> {
    let then: Vec<u64> = before.iter().map(|member| member.key).collect();
    if then == now {
        return before.iter().map(|member| Some(member.id)).collect();
    }
    let mut found = vec![None; now.len()];
    let mut is_taken = vec![false; before.len()];
    // The words to the left first: they name the row.
    for context in [left_of, right_of] {
        let old = unique(&then, context);
        for (words, slot) in unique(now, context) {
            let Some(&from) = old.get(&words) else { continue };
            if found[slot].is_none() && !is_taken[from] {
                found[slot] = Some(before[from].id);
                is_taken[from] = true;
            }
        }
    }
    found
}

fn left_of(keys: &[u64], slot: usize) -> Option<u64> {
    keys.get(slot.checked_sub(1)?).copied()
}

fn right_of(keys: &[u64], slot: usize) -> Option<u64> {
    keys.get(slot + 1).copied()
}

/// The children that no other is like, in what they say and in what is said beside them.
fn unique(keys: &[u64], context: fn(&[u64], usize) -> Option<u64>) -> FxHashMap<(u64, u64), usize> {
    let mut slots: FxHashMap<(u64, u64), Option<usize>> = FxHashMap::default();
    for (slot, &key) in keys.iter().enumerate() {
        let Some(beside) = context(keys, slot) else { continue };
        slots.entry((key, beside)).and_modify(|slot| *slot = None).or_insert(Some(slot));
    }
    slots.into_iter().filter_map(|(words, slot)| Some((words, slot?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(keys: &[u64]) -> Vec<Member> {
        let id = |slot: usize| NodeId::new(slot as u32 + 1).unwrap();
        keys.iter().enumerate().map(|(slot, &key)| Member { key, id: id(slot) }).collect()
    }

    fn found(before: &[u64], now: &[u64]) -> Vec<u32> {
        let found = successors(&members(before), now);
        found.into_iter().map(|id| id.map_or(0, NodeId::number)).collect()
    }

    #[test]
    fn what_looks_the_same_is_the_same_doubles_included() {
        assert_eq!(found(&[7, 1, 7, 1], &[7, 1, 7, 1]), [1, 2, 3, 4]);
    }

    #[test]
    fn rows_are_found_when_they_scroll_or_are_sorted() {
        assert_eq!(found(&[10, 1, 20, 2, 30, 3], &[20, 2, 30, 3, 40, 4]), [3, 4, 5, 6, 0, 0]);
        assert_eq!(found(&[10, 1, 20, 2], &[20, 2, 10, 1]), [3, 4, 1, 2]);
    }

    #[test]
    fn a_number_in_another_row_is_another_cell() {
        assert_eq!(found(&[10, 1, 20, 2], &[50, 1, 60, 3]), [0, 0, 0, 0]);
    }

    #[test]
    fn what_fits_several_is_new() {
        assert_eq!(found(&[10, 1, 10, 1, 10, 1], &[10, 1, 10, 1]), [0, 0, 0, 0]);
    }
}
