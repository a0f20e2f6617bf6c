//! Every limit of the HTTP transport in one place. The defaults are the product's; tests shorten the waits.

use std::time::Duration;

use super::{envelope::MAX_MESSAGE_BYTES, throttle::ThrottleLimits};

/// Bounds on time, memory and numbers of the HTTP transport.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpLimits {
    /// Largest request body, in bytes.
    pub body_bytes: usize,
    /// Bytes of a refused body that are read and thrown away, so that a client still sending sees the answer.
    pub discarded_bytes: usize,
    /// Time for the headers of a request, and for the silence before them on a kept connection.
    pub header_timeout: Duration,
    /// Time for the whole body of a request.
    pub body_timeout: Duration,
    /// Time for the TLS handshake.
    pub handshake_timeout: Duration,
    /// Connections open at once; further ones wait in the listener's queue.
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
            body_timeout: Duration::from_secs(15),
            handshake_timeout: Duration::from_secs(10),
            connections: 1024,
            streams: 128,
            sessions: 128,
            session_idle: Duration::from_secs(4 * 60 * 60),
            shutdown_grace: Duration::from_secs(5),
            throttle: ThrottleLimits::default(),
        }
    }
}
