//! The MCP server of Fingertip.

pub mod transport;
