//! How fast writes may follow each other on one target.
//!
//! Delayed rather than refused: an agent that is told "too fast" tries again at once, one that has to wait does not.
//! The wait comes before the tool looks at the screen, so that what it sees is still so when it acts.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result, clock};

/// The most that can be allowed: beyond it a limit would be none.
pub const MAX_WRITES_PER_SECOND: u32 = 1000;
/// What is allowed unless the owner says otherwise.
pub const DEFAULT_WRITES_PER_SECOND: u32 = 10;
/// The span in which writes are counted.
const SPAN: Duration = Duration::from_secs(1);

/// How many writes a second one target gets: 1 to [`MAX_WRITES_PER_SECOND`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritesPerSecond(NonZeroU32);

impl WritesPerSecond {
    /// So many; `None` when it is out of range.
    #[must_use]
    pub fn new(count: u32) -> Option<Self> {
        NonZeroU32::new(count).filter(|count| count.get() <= MAX_WRITES_PER_SECOND).map(Self)
    }

    /// How many.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

impl Default for WritesPerSecond {
    fn default() -> Self {
        Self(NonZeroU32::new(DEFAULT_WRITES_PER_SECOND).unwrap_or(NonZeroU32::MIN))
    }
}

/// When the last writes on a target began.
#[derive(Debug, Default)]
pub struct Pace(Mutex<VecDeque<Instant>>);

impl Pace {
    /// Waits until one more write keeps within the limit, and counts it. Returns how long that took.
    ///
    /// # Errors
    /// A timeout, when the call would be over by then; nothing is counted.
    pub async fn keep(&self, limit: WritesPerSecond, deadline: Deadline) -> Result<Duration> {
        let now = clock::now();
        let start = self.reserve(limit, now, deadline).ok_or_else(|| too_fast(limit))?;
        let wait = start.saturating_duration_since(now);
        if !wait.is_zero() {
            // Even a sleep that is over before it begins takes the runtime a millisecond.
            tokio::time::sleep_until(start.into()).await;
        }
        Ok(wait)
    }

    /// Books the next free moment, unless it comes after the deadline.
    fn reserve(&self, limit: WritesPerSecond, now: Instant, deadline: Deadline) -> Option<Instant> {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = limit.get() as usize;
        let free = begun.len().checked_sub(count).map(|position| begun[position] + SPAN);
        let start = free.map_or(now, |free| free.max(now));
        if start >= deadline.instant() {
            return None;
        }
        begun.push_back(start);
        while begun.len() > count {
            begun.pop_front();
        }
        Some(start)
    }
}

fn too_fast(limit: WritesPerSecond) -> Error {
    Error::new(
        Reason::Timeout,
        format!("Timed out waiting: this device gets at most {} writes a second.", limit.get()),
    )
    .with_guidance(
        "Nothing was done; act more slowly, or let the owner of this server raise --writes-per-second.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far() -> Deadline {
        Deadline::after(Duration::from_secs(3600))
    }

    #[test]
    fn no_second_ever_holds_more_than_the_limit() {
        let (pace, limit) = (Pace::default(), WritesPerSecond::new(3).unwrap());
        let start = Instant::now();
        let begun: Vec<Instant> = (0..10).map(|_| pace.reserve(limit, start, far()).unwrap()).collect();
        let waits: Vec<u64> = begun.iter().map(|at| (*at - start).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
        for window in begun.windows(4) {
            assert!(window[3] - window[0] >= SPAN);
        }
    }

    #[test]
    fn a_pause_makes_room_again() {
        let (pace, limit) = (Pace::default(), WritesPerSecond::new(2).unwrap());
        let start = Instant::now();
        for _ in 0..2 {
            pace.reserve(limit, start, far()).unwrap();
        }
        let later = start + SPAN;
        assert_eq!(pace.reserve(limit, later, far()), Some(later));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_would_be_over_by_then_is_told_and_not_counted() {
        let (pace, limit) = (Pace::default(), WritesPerSecond::new(1).unwrap());
        assert_eq!(pace.keep(limit, far()).await.unwrap(), Duration::ZERO);
        let error = pace.keep(limit, Deadline::after(Duration::from_millis(500))).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
        assert!(pace.keep(limit, far()).await.unwrap() <= SPAN);
    }

    #[test]
    fn a_limit_of_none_or_of_no_limit_cannot_be_set() {
        assert_eq!(WritesPerSecond::new(0), None);
        assert_eq!(WritesPerSecond::new(MAX_WRITES_PER_SECOND + 1), None);
        assert_eq!(WritesPerSecond::default().get(), 10);
    }
}
