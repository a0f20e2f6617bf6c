//! Runs one simulated phone on a port of this computer: `cargo run -p fingertip-sim --example phone -- 5585`,
//! then `adb connect 127.0.0.1:5585`.

use fingertip_sim::phone::Profile;

/// The port when none is given; odd and high, as devices on a network have it.
const PORT: u16 = 5585;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(PORT);
    let phone = fingertip_sim::today(Profile::default());
    fingertip_sim::serve_phone(([127, 0, 0, 1], port).into(), phone).await
}
