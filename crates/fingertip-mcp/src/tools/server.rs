//! Tools about the server itself.

pub mod list_devices;

use crate::tool::Entry;

/// The tools of this set.
#[must_use]
pub fn all() -> Vec<Entry> {
    vec![Entry::of::<list_devices::ListDevices>()]
}
