//! How clients reach the server: Streamable HTTP on `/mcp` and lines on standard input and output.
//!
//! Both transports are generic over any SDK `ServerHandler`, so that the product and the conformance fixtures run on
//! the very same stack. The SDK speaks the protocol; this module adds what it leaves open:
//!
//! - `envelope`, `unique`, `refusal`: malformed messages get their JSON-RPC error, over both transports alike;
//! - `auth`, `throttle`, `host`: who may talk to the server at all (HTTP);
//! - `accept`, `body`, `incoming`, `reply`: tolerant in what it reads, JSON in all it answers (HTTP);
//! - `sessions`: clients with and without a session on one address, none of them for ever (HTTP);
//! - `slots`, `activity`, `watched`: how many connections there may be, and how long each may take for what (HTTP);
//! - `http`, `serve`, `connection`, `tls`, `certificate`: the endpoint, its listener and its identity;
//! - `v1`: the first interface, for clients written for it (HTTP);
//! - `stdio`, `lines`, `output`: one message a line;
//! - `client`: one request to a server of ours, for the command line;
//! - `in_flight`: each call under way has an id of its own, in sessions and on lines.
//!
//! Non-goals: tools, policy, logging set-up. Nothing here prints; standard output belongs to the protocol.

pub(crate) mod accept;
mod activity;
mod auth;
pub(crate) mod body;
mod certificate;
pub mod client;
mod connection;
mod envelope;
mod error;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod health;
mod host;
mod http;
mod in_flight;
mod incoming;
mod limits;
mod lines;
mod output;
pub mod private_file;
mod refusal;
pub(crate) mod reply;
mod serve;
mod sessions;
mod slots;
mod stdio;
mod throttle;
mod tls;
mod unique;
pub mod v1;
mod watched;

pub use auth::{MAX_TOKEN_CHARS, MIN_TOKEN_CHARS, Token, TokenError};
pub use certificate::{CERTIFICATE_DAYS, RENEW_WITHIN_DAYS};
pub use envelope::MAX_MESSAGE_BYTES;
pub use error::TransportError;
pub use limits::{HttpLimits, MAX_CONNECTIONS};
pub use serve::{HttpConfig, Running, serve};
pub use stdio::{serve_lines, serve_stdio};
pub use throttle::ThrottleLimits;
pub use tls::TlsIdentity;
