//! The whole program over a scripted phone: what tests with real MCP clients run.
//!
//! Same command line, same transports, same tools; only the target is not real. Nothing of it is part of
//! the product.

use std::process::ExitCode;
use std::sync::Arc;

use fingertip::{Drive, TargetSpec};
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::targets::Targets;

fn attach(_wanted: &[TargetSpec], _drive: &Drive, targets: &Arc<Targets>) -> anyhow::Result<()> {
    targets.attach(Arc::new(ScriptedTarget::new("scripted", sample::phone())));
    targets.settle();
    Ok(())
}

fn main() -> ExitCode {
    fingertip::main(attach)
}
