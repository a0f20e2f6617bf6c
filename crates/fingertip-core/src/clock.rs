//! What time it is, for deadlines and rates: the monotonic clock, which no change of the wall clock moves.
//!
//! With the feature `test-support` a test can put a simulated clock in its place, see [`crate::test_support::clock`].

#[cfg(feature = "test-support")]
pub use crate::test_support::clock::now;

/// This moment.
#[cfg(not(feature = "test-support"))]
#[must_use]
pub fn now() -> std::time::Instant {
    std::time::Instant::now()
}
