//! Whether a part of a window is still the same part: how many of its texts it still has.
//!
//! An application often swaps a whole screen inside one window, in boxes of the same classes. A control whose
//! text changed is distinguished from another control in its place by what stayed around it. What lies in a scrolling
//! container is not counted for the nodes outside, since every scroll replaces it. That still holds while a search
//! has emptied the container and nothing is left to scroll.

use rustc_hash::FxHashSet;

use super::hash::mix;
use super::sketch::{NONE, Sketch, Tree};

/// A part with this many texts or fewer is judged with what is around it.
const TOO_FEW_TO_JUDGE: u32 = 1;

/// How many texts must be left when a part lost or gained most of its content.
const FEWEST_SURVIVORS: u32 = 2;

/// What two sketches of a window have in common.
pub(super) struct Evidence<'a> {
    old: (&'a Tree, Tally),
    new: (&'a Tree, Tally),
}

impl<'a> Evidence<'a> {
    /// Compares the texts of both.
    pub(super) fn of(old: &'a Tree, new: &'a Tree) -> Self {
        let has_texts = |tree: &Tree| tree.nodes.iter().any(|node| node.own != 0 && !node.scrolled);
        // Without any text the names given by the programmer have to do.
        let text = if has_texts(old) || has_texts(new) { own_text } else { given_name };
        let texts = |tree: &Tree| tree.nodes.iter().map(text).collect::<FxHashSet<u64>>();
        let (said_before, said_now) = (texts(old), texts(new));
        let scrolling = scrolling_names(old, new);
        Self {
            old: (old, Tally::of(old, text, &said_now, &scrolling)),
            new: (new, Tally::of(new, text, &said_before, &scrolling)),
        }
    }

    /// Whether these two parts are the same part, given whether what is around them is.
    pub(super) fn is_steady(&self, old: u32, new: u32, around: bool) -> bool {
        let before = self.old.1.below(self.old.0, old);
        let now = self.new.1.below(self.new.0, new);
        if before.said.max(now.said) <= TOO_FEW_TO_JUDGE {
            return around || (old == NONE && new == NONE && self.is_same_window(before, now));
        }
        let survivors = before.survived.min(now.survived);
        survivors * 2 >= before.said.max(now.said)
            || (survivors >= FEWEST_SURVIVORS && survivors * 2 > before.said.min(now.said))
    }

    /// Whether more than half of what the window says is the same, before and after.
    pub(super) fn keeps_most(&self) -> bool {
        let (before, now) = (self.old.1.below(self.old.0, NONE), self.new.1.below(self.new.0, NONE));
        let said = before.said.max(now.said);
        if said <= TOO_FEW_TO_JUDGE {
            return self.is_same_window(before, now);
        }
        before.survived.min(now.survived) * 2 > said
    }

    /// Whether the part has enough texts to be recognised by them alone.
    pub(super) fn is_distinctive(&self, old: u32) -> bool {
        self.old.1.below(self.old.0, old).said > TOO_FEW_TO_JUDGE
    }

    /// Whether two windows that say next to nothing are the same: they still say it; or they say nothing and
    /// have the same boxes; or these are in the same places too, and the one thing said has changed.
    fn is_same_window(&self, before: Count, now: Count) -> bool {
        let said = before.said.max(now.said);
        if said > 0 && before.survived == said && now.survived == said {
            return true;
        }
        let shape = |tree: &'a Tree| {
            let roots = tree.nodes.iter().filter(|node| node.parent == NONE);
            roots.map(move |root| if said == 0 { root.content } else { root.skeleton })
        };
        shape(self.old.0).eq(shape(self.new.0))
    }
}

fn own_text(node: &Sketch) -> u64 {
    if node.own == 0 { 0 } else { mix(node.base, node.own) }
}

fn given_name(node: &Sketch) -> u64 {
    if node.identified { node.base } else { 0 }
}

/// The names of the containers that scroll in either sketch.
fn scrolling_names(old: &Tree, new: &Tree) -> FxHashSet<u64> {
    let nodes = old.nodes.iter().chain(&new.nodes);
    nodes.filter(|node| node.scrollable && node.identified).map(|node| node.base).collect()
}

/// How much is said, and how much of it the other side says too.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    said: u32,
    survived: u32,
}

/// Running totals in pre-order, so that a subtree is one subtraction.
struct Tally {
    /// Outside scrolling containers.
    fixed: Vec<Count>,
    /// Everywhere.
    all: Vec<Count>,
    /// For each node whether an ancestor scrolls, in this sketch or in the other.
    scrolled: Vec<bool>,
}

impl Tally {
    fn of(tree: &Tree, text: fn(&Sketch) -> u64, other: &FxHashSet<u64>, scrolling: &FxHashSet<u64>) -> Self {
        let (mut fixed, mut all) = (vec![Count::default()], vec![Count::default()]);
        let (mut in_fixed, mut in_all) = (Count::default(), Count::default());
        let mut scrolled = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            let in_scrolled = node.parent != NONE
                && (scrolled[node.parent as usize] || scrolling.contains(&tree.at(node.parent).base));
            scrolled.push(node.scrolled || in_scrolled);
            let text = text(node);
            let said = u32::from(text != 0);
            let survived = u32::from(text != 0 && other.contains(&text));
            in_all = Count { said: in_all.said + said, survived: in_all.survived + survived };
            if !(node.scrolled || in_scrolled) {
                in_fixed = Count { said: in_fixed.said + said, survived: in_fixed.survived + survived };
            }
            fixed.push(in_fixed);
            all.push(in_all);
        }
        Self { fixed, all, scrolled }
    }

    fn below(&self, tree: &Tree, position: u32) -> Count {
        let (totals, start, end) = match position {
            NONE => (&self.fixed, 0, tree.nodes.len()),
            position => {
                let node = tree.at(position);
                let totals = if self.scrolled[position as usize] { &self.all } else { &self.fixed };
                (totals, position as usize, node.end as usize)
            }
        };
        Count {
            said: totals[end].said - totals[start].said,
            survived: totals[end].survived - totals[start].survived,
        }
    }
}
