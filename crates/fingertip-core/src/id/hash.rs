//! Hashes that are the same in every run, wide enough to stand for what they were made of.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// The hash of `value`; never zero, which stands for "nothing".
pub(super) fn of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    finish(hasher.finish())
}

/// The hash of an optional text; zero when there is none.
pub(super) fn of_text(text: Option<&str>) -> u64 {
    text.filter(|text| !text.is_empty()).map_or(0, of)
}

/// One hash made of two, in this order; never zero.
pub(super) fn mix(left: u64, right: u64) -> u64 {
    finish(left.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ right)
}

/// Spreads every bit over all others (the finalizer of SplitMix64).
fn finish(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ (bits >> 31)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_presence_make_a_difference() {
        assert_ne!(mix(1, 2), mix(2, 1));
        assert_ne!(mix(0, 0), 0);
        assert_eq!(of_text(None), of_text(Some("")));
        assert_ne!(of_text(Some("a")), of_text(None));
    }
}
