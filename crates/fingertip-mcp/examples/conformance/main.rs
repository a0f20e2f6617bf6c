//! A server with the fixtures of the official MCP conformance suite, behind the product's own HTTP transport.
//!
//! The suite calls tools, resources and prompts by fixed names. They are kept here and not in the product; what is
//! under test is everything below them: framing, sessions, streams, protocol versions, headers, origins, tokens.
//! `tests/conformance/run.sh` starts it and runs the suite.
//!
//! It takes the address to listen on and reads its token from `FINGERTIP_TOKEN`:
//! `FINGERTIP_TOKEN=… cargo run -p fingertip-mcp --example conformance -- 127.0.0.1:0`

#![expect(deprecated, reason = "the suite still asks for logging and sampling, which older clients use")]

mod elicitation;
mod input_required;
mod prompts;
mod resources;
mod server;
mod subscriptions;
mod tools;

use std::net::SocketAddr;

use fingertip_mcp::transport::{HttpConfig, Token, serve};

#[tokio::main]
#[expect(clippy::print_stderr, reason = "the suite reads the address there")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address: SocketAddr =
        std::env::args().nth(1).ok_or("the address to listen on is missing")?.parse()?;
    let token = Token::new(&std::env::var("FINGERTIP_TOKEN")?)?;
    let fixtures = server::Fixtures::new()?;
    let running = serve(HttpConfig::new(address, token), move || fixtures.clone()).await?;
    eprintln!("listening on http://{}/mcp", running.local_addr());
    running.finished().await;
    Ok(())
}
