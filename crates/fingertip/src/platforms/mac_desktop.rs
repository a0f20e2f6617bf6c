//! The Mac this program runs on; the same functions as `desktop` of Linux.

use std::sync::Arc;

use fingertip_core::Finding;
use fingertip_macos::{Desktop, doctor, self_test};
use fingertip_mcp::targets::Targets;

use crate::drive::Drive;

/// Why this build has no driver for it: it has.
pub(super) const MISSING: Option<&str> = None;

/// There is nothing that KDE Plasma could grant.
pub(crate) const KDE_GRANT: &[(&str, &str)] = &[];

/// Attaches this Mac. Nothing is asked of it before the first call, and permissions that come later hold at once.
pub(super) fn attach(_drive: &Drive, targets: &Targets) {
    targets.attach(Arc::new(Desktop::new()));
}

/// What is wrong with this Mac, and what to do about it.
pub(crate) async fn findings(_drive: &Drive) -> Vec<Finding> {
    let found = doctor::examine().await.into_iter();
    found.map(|found| Finding { what: format!("desktop: {}", found.what), ..found }).collect()
}

/// Tries every operation on this Mac; `report` gets each step. Returns how many failed.
#[allow(clippy::unnecessary_wraps, reason = "other systems have no such test")]
pub(crate) async fn self_test(mut report: impl FnMut(&str)) -> anyhow::Result<usize> {
    Ok(self_test::run(&Desktop::new(), |step| report(&step.to_string())).await)
}
