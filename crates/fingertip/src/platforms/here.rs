//! The phone this program runs on.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::{AndroidTarget, Device, Preference};
use fingertip_core::Deadline;
use fingertip_mcp::targets::Targets;

/// What it is called.
const NAME: &str = "here";
/// How long it may take to say who it is and to start its agent.
const INTRODUCTION: Duration = Duration::from_secs(8);

/// The phone this program runs on, not asked anything yet.
///
/// # Errors
/// When this machine is none, or this program may not drive it.
pub(crate) fn find(driver: Preference) -> anyhow::Result<AndroidTarget> {
    Ok(AndroidTarget::new(Device::here()?).driven_by(driver).named(NAME))
}

/// Attaches it. One that does not answer yet is a target all the same, which says why.
pub(super) async fn attach(phone: AndroidTarget, targets: &Targets) {
    if let Err(error) = phone.prepare(Deadline::after(INTRODUCTION)).await {
        tracing::error!(%error, "this phone does not answer");
    }
    targets.attach(Arc::new(phone));
}
