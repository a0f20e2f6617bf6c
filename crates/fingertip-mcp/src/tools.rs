//! All tools: one folder a toolset, one file a tool.

pub mod desktop;
pub mod device;
pub mod server;
pub mod v1;

use crate::tool::{Entry, Toolset};

/// Every toolset with its tools, in the order of the reference.
pub const TOOLSETS: [(&Toolset, fn() -> Vec<Entry>); 3] =
    [(&device::TOOLSET, device::all), (&desktop::TOOLSET, desktop::all), (&server::TOOLSET, server::all)];

/// Every tool of the current interface, in the order of the reference.
#[must_use]
pub fn all() -> Vec<Entry> {
    TOOLSETS.iter().flat_map(|(_, tools)| tools()).collect()
}
