//! Controls that are off screen: what they were, and under what name they can come back.
//!
//! A control is remembered under its parent's id and what it said, so that a row scrolled back in, or a screen
//! shown again, regains its ids. It comes back only where exactly one remembered control fits. The memory is
//! bounded; what it drops is not recognised again, and its id is never given to another.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::sketch::Sketch;
use crate::NodeId;

/// How many controls off screen are remembered; those unseen for longest are dropped first.
pub(super) const MOST_REMEMBERED: usize = 20_000;

/// What a control is compared by when something like it is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Likeness {
    pub(super) class: u64,
    pub(super) base: u64,
    pub(super) own: u64,
}

impl From<&Sketch> for Likeness {
    fn from(sketch: &Sketch) -> Self {
        Self { class: sketch.class, base: sketch.base, own: sketch.own }
    }
}

/// Under what a child of some parent can be found again; zero where it cannot.
///
/// A row has a key for each neighbour it was seen with, so that of two rows that say the same each is found
/// beside its own. Other children have one key of each sort.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Keys {
    /// Parent and everything it said.
    pub(super) content: [u64; 2],
    /// Parent and its first text.
    pub(super) label: [u64; 2],
    /// The names of the rows before and after it, if it is a row.
    pub(super) neighbours: [u64; 2],
}

impl Keys {
    fn each(&self) -> impl Iterator<Item = u64> + use<> {
        self.content.into_iter().chain(self.label).filter(|&key| key != 0)
    }
}

/// A control off screen.
#[derive(Debug)]
pub(super) struct Remembered {
    pub(super) keys: Keys,
    pub(super) likeness: Likeness,
    /// Those that looked the same when it was lost.
    pub(super) rivals: Option<Arc<[NodeId]>>,
    since: u64,
}

/// Who is remembered under a key.
#[derive(Debug, Clone, Copy)]
enum Holder {
    One(NodeId),
    /// So many that it is not known which is meant.
    Several(u32),
}

/// The controls of one target that are off screen.
#[derive(Debug, Default)]
pub(super) struct Memory {
    controls: FxHashMap<NodeId, Remembered>,
    holders: FxHashMap<u64, Holder>,
    oldest_first: VecDeque<(u64, NodeId)>,
    clock: u64,
}

impl Memory {
    /// What is remembered of this control.
    pub(super) fn get(&self, id: NodeId) -> Option<&Remembered> {
        self.controls.get(&id)
    }

    /// Remembers a control that left the screen.
    pub(super) fn remember(
        &mut self,
        id: NodeId,
        keys: Keys,
        likeness: Likeness,
        rivals: Option<Arc<[NodeId]>>,
    ) {
        self.clock += 1;
        let since = self.clock;
        for key in keys.each() {
            self.holders
                .entry(key)
                .and_modify(|holder| {
                    *holder = match holder {
                        Holder::One(_) => Holder::Several(2),
                        Holder::Several(count) => Holder::Several(*count + 1),
                    }
                })
                .or_insert(Holder::One(id));
        }
        self.controls.insert(id, Remembered { keys, likeness, rivals, since });
        self.oldest_first.push_back((since, id));
        while self.controls.len() > MOST_REMEMBERED {
            let Some((since, oldest)) = self.oldest_first.pop_front() else { break };
            // One that came back and went again has a later entry too.
            if self.controls.get(&oldest).is_some_and(|control| control.since == since) {
                self.forget(oldest);
            }
        }
    }

    /// The one control that fits, and whether it still says everything it said.
    pub(super) fn recall(&self, keys: &Keys) -> Option<(NodeId, bool)> {
        let unchanged = self.only_holder(keys.content).map(|id| (id, true));
        unchanged.or_else(|| self.only_holder(keys.label).map(|id| (id, false)))
    }

    /// The only control remembered under these keys; `None` if they disagree.
    fn only_holder(&self, keys: [u64; 2]) -> Option<NodeId> {
        let holder = |key: u64| match self.holders.get(&key) {
            Some(&Holder::One(id)) => Some(id),
            _ => None,
        };
        match keys.map(holder) {
            [Some(one), Some(other)] => (one == other).then_some(one),
            [one, other] => one.or(other),
        }
    }

    /// Drops a control, because it is back or has been off screen for too long.
    pub(super) fn forget(&mut self, id: NodeId) -> Option<Keys> {
        let control = self.controls.remove(&id)?;
        for key in control.keys.each() {
            match self.holders.get_mut(&key) {
                Some(Holder::Several(count)) if *count > 1 => *count -= 1,
                Some(_) => {
                    self.holders.remove(&key);
                }
                None => {}
            }
        }
        if self.oldest_first.len() > 2 * MOST_REMEMBERED {
            let controls = &self.controls;
            self.oldest_first
                .retain(|(since, id)| controls.get(id).is_some_and(|control| control.since == *since));
        }
        Some(control.keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIKENESS: Likeness = Likeness { class: 1, base: 1, own: 1 };

    fn id(number: u32) -> NodeId {
        NodeId::new(number).unwrap()
    }

    fn keys(content: u64) -> Keys {
        Keys { content: [content, 0], ..Keys::default() }
    }

    fn row(before: u64, after: u64) -> Keys {
        Keys { content: [before, after], ..Keys::default() }
    }

    #[test]
    fn only_the_one_that_fits_comes_back() {
        let mut memory = Memory::default();
        memory.remember(id(1), keys(10), LIKENESS, None);
        assert_eq!(memory.recall(&keys(10)), Some((id(1), true)));
        memory.remember(id(2), keys(10), LIKENESS, None);
        assert_eq!(memory.recall(&keys(10)), None);
    }

    #[test]
    fn a_row_comes_back_beside_a_neighbour_it_was_seen_with() {
        let mut memory = Memory::default();
        memory.remember(id(1), row(15, 16), LIKENESS, None);
        assert_eq!(memory.recall(&row(17, 18)), None);
        assert_eq!(memory.recall(&row(17, 16)), Some((id(1), true)));
    }

    #[test]
    fn a_row_between_the_neighbours_of_two_is_neither() {
        let mut memory = Memory::default();
        memory.remember(id(1), row(0, 16), LIKENESS, None);
        memory.remember(id(2), row(15, 0), LIKENESS, None);
        assert_eq!(memory.recall(&row(15, 16)), None);
    }

    #[test]
    fn the_longest_unseen_is_dropped_first() {
        let mut memory = Memory::default();
        let count = MOST_REMEMBERED as u32 + 10;
        for number in 1..=count {
            memory.remember(id(number), keys(u64::from(number)), LIKENESS, None);
        }
        assert!(memory.get(id(10)).is_none());
        assert!(memory.get(id(11)).is_some());
        assert_eq!(memory.holders.len(), MOST_REMEMBERED);
    }

    #[test]
    fn coming_and_going_does_not_grow_the_memory() {
        let mut memory = Memory::default();
        for _ in 0..5 * MOST_REMEMBERED {
            memory.remember(id(1), keys(10), LIKENESS, None);
            assert!(memory.forget(id(1)).is_some());
        }
        assert!(memory.oldest_first.len() <= 2 * MOST_REMEMBERED + 1);
        assert!(memory.holders.is_empty());
    }
}
