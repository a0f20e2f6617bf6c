//! One absolute deadline per call, handed down through every layer.
//!
//! A relative timeout restarts in each layer and lets a call run for their sum; an absolute one cannot. It also
//! carries the caller, so that a queue in any layer below can be fair to all callers.

use std::time::{Duration, Instant};

use crate::clock;
use crate::fair::Claim;

/// The moment by which a call must have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline {
    instant: Instant,
    claim: Claim,
}

impl Deadline {
    /// The deadline `span` from now.
    #[must_use]
    pub fn after(span: Duration) -> Self {
        Self::at(clock::now() + span)
    }

    /// The deadline at `instant`.
    #[must_use]
    pub const fn at(instant: Instant) -> Self {
        Self { instant, claim: Claim { client: 0, acts: false } }
    }

    /// The same, of a call of this client.
    #[must_use]
    pub const fn on_behalf(self, claim: Claim) -> Self {
        Self { claim, ..self }
    }

    /// Whose call it is the deadline of.
    #[must_use]
    pub const fn claim(self) -> Claim {
        self.claim
    }

    /// The moment itself, for timers.
    #[must_use]
    pub const fn instant(self) -> Instant {
        self.instant
    }

    /// What is left of it; zero once it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.instant.saturating_duration_since(clock::now())
    }

    /// Whether it has passed.
    #[must_use]
    pub fn passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// The deadline so much sooner, to leave time for what comes after.
    #[must_use]
    pub fn earlier(self, span: Duration) -> Self {
        Self { instant: self.instant.checked_sub(span).unwrap_or(self.instant), ..self }
    }

    /// A deadline for an inner wait: its own slice, or what is left here if that is less.
    #[must_use]
    pub fn slice(self, span: Duration) -> Self {
        Self { instant: self.instant.min(clock::now() + span), ..self }
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
    fn a_slice_is_of_the_same_caller() {
        let claim = Claim { client: 7, acts: true };
        let whole = Deadline::after(Duration::from_secs(9)).on_behalf(claim);
        assert_eq!(whole.slice(Duration::from_millis(1)).claim(), claim);
        assert_eq!(whole.earlier(Duration::from_millis(1)).claim(), claim);
    }

    #[test]
    fn a_past_deadline_leaves_nothing() {
        let past = Deadline::at(Instant::now());
        assert!(past.passed());
        assert_eq!(past.remaining(), Duration::ZERO);
    }
}
