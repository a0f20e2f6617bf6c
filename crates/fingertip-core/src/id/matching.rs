//! Finds for each node of a window the node of its earlier sketch that is the same control.
//!
//! Top-down: windows are paired by the caller, then the children of each pair are paired among themselves, by
//! [`super::fixed`] or, where they scroll, by [`super::scrolled`]. What is left over and unmistakable is
//! looked for under other parents ([`super::moved`]). In doubt two nodes are not the same: a control that
//! needlessly gets a new id costs one more look, a wrong one costs a wrong tap.

use super::evidence::Evidence;
use super::groups::Groups;
use super::sketch::{NONE, Tree};
use super::{fixed, moved, scrolled};

/// What is known of a matched pair, for the matching of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    /// It is the same part of the screen as before, so that a child in the same place is the same child.
    pub(super) steady: bool,
    /// Its children scroll, so that their place says nothing.
    pub(super) scrolls: bool,
}

/// Which nodes of two sketches are the same control.
pub(super) struct Matching<'a> {
    pub(super) old: &'a Tree,
    pub(super) new: &'a Tree,
    pub(super) evidence: Evidence<'a>,
    /// For each old node the new one, or [`NONE`].
    pub(super) to_new: Vec<u32>,
    /// For each new node the old one, or [`NONE`].
    pub(super) to_old: Vec<u32>,
    /// For each matched new node whether it is the same part of the screen.
    pub(super) steady: Vec<bool>,
    waiting: Vec<(u32, u32, Context)>,
}

/// The children of a matched pair, and the buffer to group them in.
#[derive(Default)]
pub(super) struct Siblings {
    pub(super) old: Vec<u32>,
    pub(super) new: Vec<u32>,
    pub(super) groups: Groups,
}

impl<'a> Matching<'a> {
    /// Matches two sketches of the same window.
    pub(super) fn of(old: &'a Tree, new: &'a Tree) -> Self {
        let mut matching = Self {
            old,
            new,
            evidence: Evidence::of(old, new),
            to_new: vec![NONE; old.nodes.len()],
            to_old: vec![NONE; new.nodes.len()],
            steady: vec![false; new.nodes.len()],
            waiting: Vec::new(),
        };
        if old.transient && old.handle == 0 && !matching.evidence.keeps_most() {
            // Without a handle only the words show whether this is the next question already, whose "OK" must
            // not answer to the id of the last one's.
            return matching;
        }
        let steady = matching.evidence.is_steady(NONE, NONE, false);
        matching.waiting.push((NONE, NONE, Context { steady, scrolls: false }));
        matching.descend(&mut Siblings::default());
        moved::pair(&mut matching);
        matching
    }

    /// Whether the old node has no match yet.
    pub(super) fn is_old_free(&self, old: u32) -> bool {
        self.to_new[old as usize] == NONE
    }

    /// Whether the new node has no match yet.
    pub(super) fn is_new_free(&self, new: u32) -> bool {
        self.to_old[new as usize] == NONE
    }

    /// Takes the two for the same control.
    pub(super) fn accept(&mut self, old: u32, new: u32, context: Context) {
        let (before, now) = (self.old.at(old), self.new.at(new));
        let unchanged = before.whole == now.whole && before.end - old == now.end - new;
        let length = if unchanged { now.end - new } else { 1 };
        for offset in 0..length {
            self.to_new[(old + offset) as usize] = new + offset;
            self.to_old[(new + offset) as usize] = old + offset;
            self.steady[(new + offset) as usize] = context.steady || unchanged;
        }
        if !unchanged {
            self.waiting.push((old, new, context));
        }
    }

    /// Matches the children of all accepted pairs, and theirs.
    pub(super) fn descend(&mut self, siblings: &mut Siblings) {
        while let Some((old, new, context)) = self.waiting.pop() {
            self.old.children_into(old, &mut siblings.old);
            self.new.children_into(new, &mut siblings.new);
            if siblings.old.is_empty() || siblings.new.is_empty() {
                continue;
            }
            if context.scrolls || (old != NONE && self.scrolls(old, new)) {
                scrolled::pair(self, siblings);
            } else {
                fixed::pair(self, siblings, context.steady, old == NONE);
            }
        }
    }

    /// Whether the children of this pair scroll.
    fn scrolls(&self, old: u32, new: u32) -> bool {
        self.old.at(old).scrollable || self.new.at(new).scrollable
    }

    /// The free ones among `old`, each with its key.
    pub(super) fn free_old<'s>(
        &'s self,
        old: &'s [u32],
        key: impl Fn(u32) -> u64 + 's,
    ) -> impl Iterator<Item = (u64, u32)> + 's {
        old.iter().filter(|&&old| self.is_old_free(old)).map(move |&old| (key(old), old))
    }

    /// The free ones among `new`, each with its key.
    pub(super) fn free_new<'s>(
        &'s self,
        new: &'s [u32],
        key: impl Fn(u32) -> u64 + 's,
    ) -> impl Iterator<Item = (u64, u32)> + 's {
        new.iter().filter(|&&new| self.is_new_free(new)).map(move |&new| (key(new), new))
    }
}
