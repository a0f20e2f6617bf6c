//! What time it is, for deadlines and rates: the monotonic clock, which no change of the wall clock moves.
//!
//! With the feature `test-support` a test can put a simulated clock in its place, see [`crate::test_support::clock`].

#[cfg(feature = "test-support")]
pub use crate::test_support::clock::{hold, now};

/// This moment.
#[cfg(not(feature = "test-support"))]
#[must_use]
pub fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Held while waiting for something that takes real time, such as a disk: a simulated clock stands still meanwhile.
#[cfg(not(feature = "test-support"))]
#[must_use]
pub const fn hold() -> Held {
    Held
}

/// A clock that is held; the real one cannot be.
#[cfg(not(feature = "test-support"))]
#[derive(Debug)]
pub struct Held;
