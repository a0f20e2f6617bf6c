//! Runs one simulated phone on a port of this computer, with its faults and the bridge to a JVM:
//! `cargo run -p fingertip-sim --example phone -- 5585`, then `adb connect 127.0.0.1:5585`.

use std::io::Write;

use fingertip_sim::phone::Profile;
use fingertip_sim::{SimPhone, adbd};
use tokio::net::TcpListener;

/// The port when none is given; odd and high, as devices on a network have it. 0 takes any that is free.
const PORT: u16 = 5585;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(PORT);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let address = listener.local_addr()?.to_string();
    writeln!(std::io::stderr(), "demo phone listening on {address}")?;
    adbd::serve(listener, SimPhone::start(Profile { serial: address, ..Profile::default() })).await;
    Ok(())
}
