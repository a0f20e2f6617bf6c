//! All tools: one folder a toolset, one file a tool.

pub mod device;
pub mod server;

use crate::tool::Entry;

/// Every tool, in the order of the reference.
#[must_use]
pub fn all() -> Vec<Entry> {
    [device::all(), server::all()].concat()
}
