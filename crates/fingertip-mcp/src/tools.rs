//! All tools: one folder a toolset, one file a tool.

pub mod desktop;
pub mod device;
pub mod server;
pub mod v1;

use crate::tool::Entry;

/// Every tool of the current interface, in the order of the reference.
#[must_use]
pub fn all() -> Vec<Entry> {
    [device::all(), desktop::all(), server::all()].concat()
}
