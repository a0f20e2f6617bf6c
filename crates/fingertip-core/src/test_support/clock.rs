//! A clock that a test moves, for its own thread.

use std::cell::Cell;
use std::time::Instant;

type Source = fn() -> Instant;

thread_local! {
    static SOURCE: Cell<Source> = const { Cell::new(Instant::now) };
}

/// This moment, by the clock of this thread.
#[must_use]
pub fn now() -> Instant {
    SOURCE.get()()
}

/// The clock of this thread until the value is dropped.
#[derive(Debug)]
pub struct Simulated(());

/// Asks `source` for the time on this thread from now on.
#[must_use]
pub fn simulate(source: fn() -> Instant) -> Simulated {
    SOURCE.set(source);
    Simulated(())
}

impl Drop for Simulated {
    fn drop(&mut self) {
        SOURCE.set(Instant::now);
    }
}
