//! Random numbers that follow from a seed alone.

use std::time::Duration;

/// A generator of the SplitMix64 family.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The same numbers for the same seed and stream.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ stream.rotate_left(32));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Less than `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True so many times of a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("small")]
    }

    /// Up to `most` milliseconds, often on a coarse grid: things that happen at the same moment are the interesting ones.
    pub(crate) fn span(&mut self, most: u64) -> Duration {
        let exact = self.below(most + 1);
        let grid = if self.percent(60) { 250.min(most.max(1)) } else { 1 };
        Duration::from_millis(exact / grid * grid)
    }
}
