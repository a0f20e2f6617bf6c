//! The whole server over a simulated Mac: `cargo run -p fingertip-macos-sim --example simulated_mac -- stdio --target desktop`.
//!
//! Everything but the operating system is the product: command line, protocol, policy, tools, and the macOS backend. A test looks at
//! the desktop behind it, and switches faults, through the socket named in `SIMULATED_MAC_CONTROL`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use fingertip::{Drive, TargetSpec};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{Mac, apps, control};
use fingertip_mcp::targets::Targets;

/// Where the control socket is to be made.
const CONTROL: &str = "SIMULATED_MAC_CONTROL";

#[allow(clippy::unnecessary_wraps, reason = "the signature is the product's")]
fn attach(_wanted: &[TargetSpec], _drive: &Drive, targets: &Arc<Targets>) -> anyhow::Result<()> {
    targets.attach(Arc::new(Desktop::new()));
    targets.settle();
    Ok(())
}

fn main() -> ExitCode {
    // It lives as long as the process: what the server still holds at the end is no leak, and tests ask the control for the rest.
    std::mem::forget(Mac::start(apps::desktop()));
    if let Some(path) = std::env::var_os(CONTROL)
        && let Err(error) = control::serve(Path::new(&path))
    {
        tracing::error!("no control socket at {}: {error}", Path::new(&path).display());
        return ExitCode::FAILURE;
    }
    fingertip::main(attach)
}
