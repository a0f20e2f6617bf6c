//! The MCP server of Fingertip: tools, policy and transports over any [`fingertip_core::Target`].
//!
//! The way of a call: a transport reads it, [`dispatch`] finds the tool, checks its input, chooses the
//! target, takes the target's turn for writes, and runs it under one deadline; `reply` puts the answer
//! back on the wire. Platforms are not known here.

mod apps;
mod asked;
mod attached;
mod call;
pub mod catalog;
mod conditions;
pub mod dispatch;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod handler;
mod interact;
mod mcp_app;
mod memory;
pub mod nearest;
pub mod page;
mod params;
mod picture;
pub mod policy;
pub mod reference;
mod registry;
mod reply;
pub mod secrets;
mod see;
mod surroundings;
pub mod targets;
pub mod timeouts;
mod tool;
mod tools;
pub mod transport;
pub mod view;
mod windows;
