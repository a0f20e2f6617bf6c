//! The numbers of ids: short, repeatable after a restart, and never given twice.
//!
//! A number is drawn from a hash of what the control is, so the same first screen gets the same ids in every
//! run. Numbers start at sixteen bits, four digits to read and to pay for in tokens, and get longer only as
//! the pool fills. All targets share one pool, so an id used on the wrong target is unknown there.

use std::sync::{Mutex, MutexGuard};

use super::hash::mix;
use crate::NodeId;
use crate::sync::lock;

/// Bits of the first numbers.
const FIRST_WIDTH: u32 = 16;

/// How many bits are added when the pool is half full: one hex digit.
const WIDTH_STEP: u32 = 4;

/// Bits of the longest numbers.
const LAST_WIDTH: u32 = 32;

/// Gives out ids; no number twice in its life.
#[derive(Debug, Default)]
pub struct IdPool {
    issued: Mutex<Issued>,
}

impl IdPool {
    /// Holds the pool for many draws.
    pub(super) fn open(&self) -> MutexGuard<'_, Issued> {
        // A number is marked before it is handed out, so the marks are right even if a holder panicked.
        lock(&self.issued)
    }
}

/// The numbers given so far, one bit each.
#[derive(Debug)]
pub(super) struct Issued {
    marks: Vec<u64>,
    width: u32,
    count: u64,
}

impl Default for Issued {
    fn default() -> Self {
        // Zero is no id, and counts as given.
        let mut marks = vec![0; words(FIRST_WIDTH)];
        marks[0] = 1;
        Self { marks, width: FIRST_WIDTH, count: 1 }
    }
}

impl Issued {
    /// A number never given before; `None` once all four thousand million are used up.
    pub(super) fn draw(&mut self, seed: u64) -> Option<NodeId> {
        if self.count >= 1 << (self.width - 1) && self.width < LAST_WIDTH {
            self.width += WIDTH_STEP;
            self.marks.resize(words(self.width), 0);
        }
        if self.count >> self.width != 0 {
            return None;
        }
        let mut attempt = mix(seed, u64::from(self.width));
        loop {
            let number = (attempt >> (u64::BITS - self.width)) as u32;
            let (word, bit) = ((number / u64::BITS) as usize, 1_u64 << (number % u64::BITS));
            if self.marks[word] & bit == 0 {
                self.marks[word] |= bit;
                self.count += 1;
                return NodeId::new(number);
            }
            // Mixing in the count keeps the many nodes that look the same from walking the same way again.
            attempt = mix(attempt, self.count);
        }
    }
}

const fn words(width: u32) -> usize {
    1 << (width - u64::BITS.ilog2())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn draw(pool: &IdPool, seeds: impl Iterator<Item = u64>) -> Vec<NodeId> {
        let mut issued = pool.open();
        seeds.map(|seed| issued.draw(seed).unwrap()).collect()
    }

    #[test]
    fn no_number_is_given_twice_even_for_the_same_seed() {
        let ids = draw(&IdPool::default(), (0..200_000).map(|seed| seed % 7));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    }

    #[test]
    fn numbers_are_short_until_the_pool_fills() {
        let ids = draw(&IdPool::default(), 0..100_000);
        assert!(ids[..30_000].iter().all(|id| id.number() <= 0xffff));
        assert!(ids.iter().all(|id| id.number() <= 0xf_ffff));
        assert!(ids.iter().any(|id| id.number() > 0xffff));
    }

    #[test]
    fn the_same_seeds_draw_the_same_numbers_after_a_restart() {
        assert_eq!(draw(&IdPool::default(), 5..500), draw(&IdPool::default(), 5..500));
    }

    #[test]
    fn a_full_pool_gives_nothing() {
        let mut full = Issued { count: 1 << LAST_WIDTH, width: LAST_WIDTH, marks: Vec::new() };
        assert_eq!(full.draw(1), None);
    }
}
