//! What the transport tests share: a tiny MCP server and a client that can misbehave on purpose.

#![allow(dead_code, reason = "each test file uses its own part of this")]

pub(crate) mod client;
pub(crate) mod contract;
pub(crate) mod handler;
pub(crate) mod v1;

use std::time::Duration;

use fingertip_mcp::transport::{HttpConfig, HttpLimits, Running, Token, serve};
use tokio_util::sync::CancellationToken;

pub(crate) use client::{Call, Reply};
pub(crate) use handler::Tiny;

pub(crate) const TOKEN: &str = "a-token-for-tests-0123456789";

/// A running server and the handler behind it.
pub(crate) struct Server {
    pub(crate) address: std::net::SocketAddr,
    pub(crate) handler: Tiny,
    pub(crate) shutdown: CancellationToken,
    pub(crate) limits: HttpLimits,
    pub(crate) running: Running,
}

/// Starts a server with limits short enough for tests.
pub(crate) async fn start() -> Server {
    start_with(|_| {}).await
}

/// As [`start`], after `adjust` has changed the configuration.
pub(crate) async fn start_with(adjust: impl FnOnce(&mut HttpConfig)) -> Server {
    let listen = "127.0.0.1:0".parse().expect("an address");
    let mut config = HttpConfig::new(listen, Token::new(TOKEN).expect("a token"));
    config.limits = short_limits();
    adjust(&mut config);
    let (shutdown, limits) = (config.shutdown.clone(), config.limits.clone());
    let handler = Tiny::default();
    let shared = handler.clone();
    let running = serve(config, move || shared.clone()).await.expect("the server starts");
    Server { address: running.local_addr(), handler, shutdown, limits, running }
}

pub(crate) fn short_limits() -> HttpLimits {
    let mut limits = HttpLimits::default();
    limits.header_timeout = Duration::from_millis(300);
    limits.body_timeout = Duration::from_millis(300);
    limits.shutdown_grace = Duration::from_millis(500);
    limits
}

impl Server {
    pub(crate) async fn send(&self, call: Call) -> Reply {
        call.send(self.address).await
    }

    /// Proves that the server still serves others.
    pub(crate) async fn still_serves(&self) {
        let reply = self.send(Call::tool("echo", r#"{"text":"still here"}"#)).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["result"]["content"][0]["text"], "still here");
    }
}
