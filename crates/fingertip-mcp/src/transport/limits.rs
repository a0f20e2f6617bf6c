//! Every limit of the HTTP transport in one place. The defaults are the product's; tests shorten the waits.

use std::time::Duration;

use super::{envelope::MAX_MESSAGE_BYTES, throttle::ThrottleLimits};

/// The most connections open at once; where fewer files can be open, fewer (see `HttpLimits::connections`).
pub const MAX_CONNECTIONS: usize = 1024;

/// Bounds on time, memory and numbers of the HTTP transport.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpLimits {
    /// Largest request body, in bytes.
    pub body_bytes: usize,
    /// Bytes of a refused body that are read and thrown away, so that a client still sending sees the answer.
    pub discarded_bytes: usize,
    /// Time for the headers of a request, and for the silence before the first one.
    pub header_timeout: Duration,
    /// Silence between requests after which a connection that has shown the token is closed.
    pub idle_timeout: Duration,
    /// Time in which a connection must show the token; then it is closed, whatever it does.
    pub stranger_lifetime: Duration,
    /// Least time a connection has for its first request before it may have to make room for a newer one.
    pub stranger_grace: Duration,
    /// Time a client may leave an answer unread before its connection is closed.
    pub write_timeout: Duration,
    /// Time for the whole body of a request.
    pub body_timeout: Duration,
    /// Time for the TLS handshake.
    pub handshake_timeout: Duration,
    /// Connections open at once. A quarter of them is the most that connections without the token can have.
    pub connections: usize,
    /// Requests in flight on one HTTP/2 connection.
    pub streams: u32,
    /// Sessions kept at once; the one used longest ago makes room for a new one.
    pub sessions: usize,
    /// A session without any message for this long is closed.
    pub session_idle: Duration,
    /// Time running calls have to finish when the server shuts down.
    pub shutdown_grace: Duration,
    /// How wrong tokens are slowed down.
    pub throttle: ThrottleLimits,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes: MAX_MESSAGE_BYTES,
            discarded_bytes: 64 * 1024 * 1024,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(5 * 60),
            stranger_lifetime: Duration::from_secs(20),
            stranger_grace: Duration::from_millis(100),
            write_timeout: Duration::from_secs(20),
            body_timeout: Duration::from_secs(15),
            handshake_timeout: Duration::from_secs(10),
            connections: MAX_CONNECTIONS,
            streams: 64,
            sessions: 128,
            session_idle: Duration::from_secs(4 * 60 * 60),
            shutdown_grace: Duration::from_secs(5),
            throttle: ThrottleLimits::default(),
        }
    }
}
