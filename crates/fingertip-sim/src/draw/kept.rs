//! A small store of things that are costly to make and are drawn again and again.
//!
//! What is kept must follow from its key alone, so that a picture never depends on what was drawn before it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// Values by key, up to a limit.
pub(super) struct Kept<Key, Value> {
    limit: usize,
    values: Mutex<HashMap<Key, Arc<Value>>>,
}

impl<Key: Eq + Hash, Value> Kept<Key, Value> {
    /// An empty store. When `limit` values are kept, the next one starts it afresh: simpler than choosing what to drop, and
    /// limits are set well above what one screen needs.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, values: Mutex::default() }
    }

    /// The value for `key`, made now if it is not there.
    pub(super) fn get(&self, key: Key, make: impl FnOnce() -> Value) -> Arc<Value> {
        let mut values = lock(&self.values);
        if let Some(value) = values.get(&key) {
            return Arc::clone(value);
        }
        if values.len() >= self.limit {
            values.clear();
        }
        let value = Arc::new(make());
        values.insert(key, Arc::clone(&value));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let kept = Kept::new(10);
        assert_eq!(*kept.get("a", || 1), 1);
        assert_eq!(*kept.get("a", || 2), 1);
        assert_eq!(*kept.get("b", || 3), 3);
    }

    #[test]
    fn no_more_than_the_limit_is_kept() {
        let kept = Kept::new(2);
        for number in 0..100 {
            kept.get(number, || number);
            assert!(kept.values.lock().unwrap().len() <= 2);
        }
    }
}
