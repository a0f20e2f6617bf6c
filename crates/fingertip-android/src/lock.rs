//! Mutexes that outlive a panic: nothing here panics while it leaves a value half changed.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
