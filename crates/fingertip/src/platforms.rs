//! The platforms this build has drivers for. A platform is chosen here and nowhere else.

use anyhow::bail;
use fingertip_mcp::targets::Targets;

use crate::TargetSpec;

/// Attaches what the command line asks for; nothing asked for means whatever there is.
///
/// # Errors
/// When a target is asked for that this build has no driver for.
pub fn attach(wanted: &[TargetSpec], _targets: &Targets) -> anyhow::Result<()> {
    match wanted.first() {
        Some(spec) => bail!("this version has no driver for the target '{spec}' yet"),
        None => Ok(()),
    }
}
