//! One absolute deadline per call, handed down through every layer.
//!
//! A relative timeout restarts in each layer and lets a call run for their sum; an absolute one cannot.

use std::time::{Duration, Instant};

use crate::clock;

/// The moment by which a call must have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline `span` from now.
    #[must_use]
    pub fn after(span: Duration) -> Self {
        Self(clock::now() + span)
    }

    /// The deadline at `instant`.
    #[must_use]
    pub const fn at(instant: Instant) -> Self {
        Self(instant)
    }

    /// The moment itself, for timers.
    #[must_use]
    pub const fn instant(self) -> Instant {
        self.0
    }

    /// What is left of it; zero once it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(clock::now())
    }

    /// Whether it has passed.
    #[must_use]
    pub fn passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// The deadline so much sooner, to leave time for what comes after.
    #[must_use]
    pub fn earlier(self, span: Duration) -> Self {
        Self(self.0.checked_sub(span).unwrap_or(self.0))
    }

    /// A deadline for an inner wait: its own slice, or what is left here if that is less.
    #[must_use]
    pub fn slice(self, span: Duration) -> Self {
        self.min(Self::after(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_never_outlives_the_whole() {
        let whole = Deadline::after(Duration::from_millis(50));
        assert_eq!(whole.slice(Duration::from_secs(9)), whole);
        assert!(whole.slice(Duration::from_millis(1)) < whole);
    }

    #[test]
    fn a_past_deadline_leaves_nothing() {
        let past = Deadline::at(Instant::now());
        assert!(past.passed());
        assert_eq!(past.remaining(), Duration::ZERO);
    }
}
