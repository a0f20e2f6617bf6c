//! A clock that a test moves, for its own thread.

use std::cell::Cell;
use std::time::Instant;

type Source = fn() -> Instant;
type Stop = fn() -> Held;

/// Keeps the clock from moving until it is dropped.
pub type Held = Option<Box<dyn Send>>;

thread_local! {
    static SOURCE: Cell<Source> = const { Cell::new(Instant::now) };
    static STOP: Cell<Stop> = const { Cell::new(|| None) };
}

/// This moment, by the clock of this thread.
#[must_use]
pub fn now() -> Instant {
    SOURCE.get()()
}

/// Keeps the clock of this thread from moving; the real one goes on.
#[must_use]
pub fn hold() -> Held {
    STOP.get()()
}

/// The clock of this thread until the value is dropped.
#[derive(Debug)]
pub struct Simulated(());

/// Asks `source` for the time on this thread from now on, and `stop` to keep it from moving.
#[must_use]
pub fn simulate(source: fn() -> Instant, stop: fn() -> Held) -> Simulated {
    SOURCE.set(source);
    STOP.set(stop);
    Simulated(())
}

impl Drop for Simulated {
    fn drop(&mut self) {
        SOURCE.set(Instant::now);
        STOP.set(|| None);
    }
}
