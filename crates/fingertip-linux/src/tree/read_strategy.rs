//! Whether an application's cache or a walk is the quicker way to what can be seen of it.
//!
//! A cache lists all objects in one answer: quick for most applications, slow for one with thousands of them. A walk asks
//! for what is visible only, but one by one. Which is better is not known beforehand, so both are timed as they are
//! used, and the other one is tried when the one in use turns out slow.

use std::sync::Mutex;
use std::time::Duration;

use fingertip_core::sync::lock;

/// A cache that answers within this time is not worth a comparison.
const QUICK: Duration = Duration::from_millis(20);

/// A way to the structure of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// One answer with all objects; gaps are walked.
    Cache,
    /// Question by question.
    Walk,
}

/// How long each way took last.
#[derive(Debug, Default)]
pub(crate) struct ReadStrategy(Mutex<Times>);

#[derive(Debug, Default, Clone, Copy)]
struct Times {
    cache: Option<Duration>,
    walk: Option<Duration>,
}

impl ReadStrategy {
    /// The way to take now.
    pub(crate) fn way(&self) -> Way {
        let Times { cache, walk } = *lock(&self.0);
        match (cache, walk) {
            (Some(cache), None) if cache > QUICK => Way::Walk,
            (Some(cache), Some(walk)) if cache > QUICK && walk < cache => Way::Walk,
            _ => Way::Cache,
        }
    }

    /// Remembers how long a way took.
    pub(crate) fn took(&self, way: Way, time: Duration) {
        let mut times = lock(&self.0);
        match way {
            Way::Cache => times.cache = Some(time),
            Way::Walk => times.walk = Some(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_quick_cache_is_kept_to() {
        let strategy = ReadStrategy::default();
        assert_eq!(strategy.way(), Way::Cache);
        strategy.took(Way::Cache, ms(5));
        assert_eq!(strategy.way(), Way::Cache);
    }

    #[test]
    fn a_slow_cache_is_compared_with_a_walk_and_the_quicker_one_taken() {
        let strategy = ReadStrategy::default();
        strategy.took(Way::Cache, ms(200));
        assert_eq!(strategy.way(), Way::Walk);
        strategy.took(Way::Walk, ms(30));
        assert_eq!(strategy.way(), Way::Walk);
        strategy.took(Way::Walk, ms(300));
        assert_eq!(strategy.way(), Way::Cache);
        strategy.took(Way::Cache, ms(400));
        assert_eq!(strategy.way(), Way::Walk);
    }
}
