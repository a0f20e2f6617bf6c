//! Searches that are not over: what each has still to look at, kept for a later call.
//!
//! A remainder is kept as it was, so that asking for it twice gives the same. Few are kept and not for long: each holds what is
//! known of an application of many thousand objects.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::{Error, Reason, Result};

/// How many are kept.
const MOST: usize = 4;
/// How long one is kept.
const KEPT: Duration = Duration::from_secs(120);

/// Searches that are not over.
#[derive(Debug)]
pub struct Searches<S>(Mutex<Kept<S>>);

#[derive(Debug)]
struct Kept<S> {
    last: u64,
    remainders: VecDeque<(u64, Instant, Arc<Remainder<S>>)>,
}

/// What a search has still to look at.
#[derive(Debug)]
pub struct Remainder<S> {
    /// What the platform calls the application it looks at.
    pub owner: Arc<str>,
    /// The search itself.
    pub search: S,
}

impl<S> Default for Searches<S> {
    fn default() -> Self {
        Self(Mutex::new(Kept { last: 0, remainders: VecDeque::new() }))
    }
}

impl<S> Searches<S> {
    /// Keeps a remainder; returns its number.
    pub fn keep(&self, remainder: Remainder<S>, now: Instant) -> u64 {
        let mut kept = lock(&self.0);
        kept.forget(now);
        kept.last += 1;
        let number = kept.last;
        if kept.remainders.len() == MOST {
            kept.remainders.pop_front();
        }
        kept.remainders.push_back((number, now, Arc::new(remainder)));
        number
    }

    /// The remainder of this number.
    ///
    /// # Errors
    /// When it is not kept any more.
    pub fn find(&self, number: u64, now: Instant) -> Result<Arc<Remainder<S>>> {
        let mut kept = lock(&self.0);
        kept.forget(now);
        let found = kept.remainders.iter().find(|(own, ..)| *own == number);
        found.map(|(_, _, remainder)| Arc::clone(remainder)).ok_or_else(gone)
    }
}

impl<S> Kept<S> {
    fn forget(&mut self, now: Instant) {
        self.remainders.retain(|(_, since, _)| now.saturating_duration_since(*since) < KEPT);
    }
}

/// The error of a search that cannot go on.
#[must_use]
pub fn gone() -> Error {
    Error::new(Reason::Stale, "That search is not kept any more.")
        .with_guidance("Search again from the start.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remainder() -> Remainder<()> {
        Remainder { owner: ":1.1".into(), search: () }
    }

    #[test]
    fn few_searches_are_kept_and_not_for_long() {
        let (searches, now) = (Searches::default(), Instant::now());
        let numbers: Vec<u64> = (0..=MOST).map(|_| searches.keep(remainder(), now)).collect();
        assert_eq!(searches.find(numbers[0], now).unwrap_err().reason(), Reason::Stale);
        assert!(numbers[1..].iter().all(|number| searches.find(*number, now).is_ok()));
        assert!(searches.find(numbers[MOST], now + KEPT).is_err());
        assert!(searches.find(0, now).is_err());
    }
}
