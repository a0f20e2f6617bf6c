//! The phone inside the program. It is reached as a real one is: through an adb server, here one of our own that has
//! no port, so that no other program on this machine can use it.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::adb::Adb;
use fingertip_android::{AndroidTarget, Preference};
use fingertip_core::Deadline;
use fingertip_mcp::targets::Targets;
use fingertip_sim::phone::Profile;
use fingertip_sim::{PrivateAdbServer, SimPhone};

/// What the demo phone is called.
pub(crate) const NAME: &str = "demo";
/// How long it may take to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

/// Switches the demo phone on and attaches it.
pub(super) async fn attach(driver: Preference, targets: &Targets) {
    match start(driver).await {
        Ok(target) => targets.attach(Arc::new(target)),
        Err(error) => tracing::error!(%error, "the demo phone did not start"),
    }
}

/// Switches the demo phone on; it stays on for as long as its target lives.
pub(crate) async fn start(driver: Preference) -> anyhow::Result<AndroidTarget> {
    let profile = Profile::default();
    let serial = profile.serial.clone();
    let server = PrivateAdbServer::default();
    server.add(SimPhone::start(profile));
    let adb = Adb::in_process(move || server.connect());
    let target = AndroidTarget::new(adb.device(&serial)).driven_by(driver).named(NAME);
    target.prepare(Deadline::after(INTRODUCTION)).await?;
    Ok(target)
}
