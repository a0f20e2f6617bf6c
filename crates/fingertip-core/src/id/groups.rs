//! Old and new nodes brought together by a key, and the longest run of pairs that keeps its order.
//!
//! Sorting instead of hashing: most groups are a handful of siblings, and one buffer serves them all.

/// Nodes of both sides that share a key, each side in its order.
#[derive(Default)]
pub(super) struct Groups {
    items: Vec<(u64, bool, u32)>,
}

impl Groups {
    /// Calls `visit` with the old and the new nodes of each key found on both sides. A key of zero is none.
    pub(super) fn shared(
        &mut self,
        old: impl IntoIterator<Item = (u64, u32)>,
        new: impl IntoIterator<Item = (u64, u32)>,
        mut visit: impl FnMut(&mut dyn ExactSizeIterator<Item = u32>, &mut dyn ExactSizeIterator<Item = u32>),
    ) {
        self.items.clear();
        self.items.extend(old.into_iter().filter(|item| item.0 != 0).map(|(key, node)| (key, false, node)));
        self.items.extend(new.into_iter().filter(|item| item.0 != 0).map(|(key, node)| (key, true, node)));
        self.items.sort_unstable();
        for group in self.items.chunk_by(|left, right| left.0 == right.0) {
            let (old, new) = group.split_at(group.partition_point(|item| !item.1));
            if !old.is_empty() && !new.is_empty() {
                visit(&mut old.iter().map(|item| item.2), &mut new.iter().map(|item| item.2));
            }
        }
    }

    /// The pairs whose key is found exactly once on each side, in the order of the new nodes.
    pub(super) fn unique(
        &mut self,
        old: impl IntoIterator<Item = (u64, u32)>,
        new: impl IntoIterator<Item = (u64, u32)>,
    ) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        self.shared(old, new, |old, new| {
            if let (1, Some(old), 1, Some(new)) = (old.len(), old.next(), new.len(), new.next()) {
                pairs.push((old, new));
            }
        });
        pairs.sort_unstable_by_key(|pair| pair.1);
        pairs
    }
}

/// The longest selection of pairs (given in the order of the new nodes) in which the old nodes ascend too.
pub(super) fn in_order(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    if pairs.is_sorted_by_key(|pair| pair.0) {
        return pairs.to_vec();
    }
    // Patience sorting: `tops[length]` is the pair that ends the best run of that length.
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = tops.partition_point(|&top| pairs[top].0 < pair.0);
        before.push(length.checked_sub(1).map(|shorter| tops[shorter]));
        if length == tops.len() {
            tops.push(index);
        } else {
            tops[length] = index;
        }
    }
    let mut run: Vec<_> = std::iter::successors(tops.last().copied(), |&index| before[index])
        .map(|index| pairs[index])
        .collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_found_once_on_each_side_are_unique() {
        let old = [(1, 10), (2, 11), (2, 12), (3, 13), (0, 14)];
        let new = [(3, 20), (2, 21), (1, 22), (0, 23), (4, 24)];
        assert_eq!(Groups::default().unique(old, new), [(13, 20), (10, 22)]);
    }

    #[test]
    fn the_longest_ordered_run_leaves_the_strays_out() {
        let pairs = [(5, 0), (1, 1), (2, 2), (9, 3), (3, 4)];
        assert_eq!(in_order(&pairs), [(1, 1), (2, 2), (3, 4)]);
        assert_eq!(in_order(&[]), []);
    }
}
