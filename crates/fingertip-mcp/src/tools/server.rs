//! Tools about the server itself.

pub(crate) mod list_devices;

use crate::tool::{Definition, Entry, Offered, Toolset};

/// This set.
pub(crate) static TOOLSET: Toolset = Toolset { name: "server", offered: Offered::BesideOthers, tools: all };
/// What the definitions of its tools begin with.
pub(super) const BASE: Definition = Definition::of(&TOOLSET);

/// The tools of this set.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::in_server::<list_devices::ListDevices>()]
}
