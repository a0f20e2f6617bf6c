//! The desktop session this program runs in.

use std::sync::Arc;

use fingertip_linux::{Environment, LinuxTarget, doctor};
use fingertip_mcp::targets::Targets;

use crate::doctor::Finding;

/// Whether this build can drive a desktop.
pub(super) const AVAILABLE: bool = true;

/// Attaches this desktop. It is connected to by the first call, and again whenever its buses went away.
pub(super) fn attach(targets: &Targets) {
    targets.attach(Arc::new(LinuxTarget::new(Environment::current())));
}

/// What is wrong with this desktop, and what to do about it.
pub(crate) async fn findings() -> Vec<Finding> {
    let found = doctor::examine(&Environment::current()).await.into_iter();
    found.map(|found| Finding::new(found.ok, format!("desktop: {}", found.what), found.advice)).collect()
}
