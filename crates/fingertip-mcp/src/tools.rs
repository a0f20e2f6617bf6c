//! All tools: one folder a toolset, one file a tool.

pub(crate) mod desktop;
pub(crate) mod device;
pub(crate) mod server;
pub(crate) mod v1;

use crate::tool::{Entry, Toolset};

/// Every toolset with its tools, in the order of the reference.
pub(crate) const TOOLSETS: [(&Toolset, fn() -> Vec<Entry>); 3] =
    [(&device::TOOLSET, device::all), (&desktop::TOOLSET, desktop::all), (&server::TOOLSET, server::all)];

/// Every tool of the current interface, in the order of the reference.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    TOOLSETS.iter().flat_map(|(_, tools)| tools()).collect()
}
