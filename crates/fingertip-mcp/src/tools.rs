//! All tools: one folder a toolset, one file a tool.

pub(crate) mod desktop;
pub(crate) mod device;
pub(crate) mod server;
pub(crate) mod v1;

use crate::tool::{Entry, Toolset};

/// Every toolset, in the order of the reference.
pub(crate) const TOOLSETS: [&Toolset; 3] = [&device::TOOLSET, &desktop::TOOLSET, &server::TOOLSET];

/// Every tool of the current interface, in the order of the reference.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    TOOLSETS.iter().flat_map(|toolset| (toolset.tools)()).collect()
}
