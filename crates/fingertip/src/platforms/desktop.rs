//! The desktop session this program runs in.

use std::sync::Arc;

use fingertip_linux::{Environment, LinuxTarget, doctor};
use fingertip_mcp::targets::Targets;

/// One thing that was checked, as `fingertip doctor` prints it.
pub(crate) struct Finding {
    pub(crate) fine: bool,
    pub(crate) text: String,
}

/// Whether this build can drive a desktop.
pub(super) const AVAILABLE: bool = true;

/// Attaches this desktop. It is connected to by the first call, and again whenever its buses went away.
pub(super) fn attach(targets: &Targets) {
    targets.attach(Arc::new(LinuxTarget::new(Environment::current())));
}

/// What is wrong with this desktop, and what to do about it.
pub(crate) async fn findings() -> Vec<Finding> {
    let told = |finding: doctor::Finding| {
        let advice = finding.advice.map(|advice| format!("; {advice}")).unwrap_or_default();
        Finding { fine: finding.ok, text: format!("desktop: {}{advice}", finding.what) }
    };
    doctor::examine(&Environment::current()).await.into_iter().map(told).collect()
}
