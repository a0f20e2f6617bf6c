//! Mutexes that outlive a panic. A panic ends one call and not the server, and nothing here panics while it leaves a value
//! half changed, so that what the mutex holds is good.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks it.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
