//! The phone inside the program. It is reached as a real one is: through an adb server, here one of our own.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use fingertip_android::adb::{Adb, ServerAddress};
use fingertip_android::{AndroidTarget, Preference};
use fingertip_core::Deadline;
use fingertip_mcp::targets::Targets;
use fingertip_sim::phone::Profile;
use fingertip_sim::{AdbServer, SimPhone};

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

/// Switches the demo phone on; it stays on for as long as the program runs.
pub(crate) async fn start(driver: Preference) -> anyhow::Result<AndroidTarget> {
    let profile = Profile::default();
    let serial = profile.serial.clone();
    let server = AdbServer::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    server.add(SimPhone::start(profile));
    let address = ServerAddress { host: server.address().ip().to_string(), port: server.address().port() };
    let target =
        AndroidTarget::new(Adb::at(address).device(&serial)).driven_by(driver).named(NAME).of_this_program();
    target.prepare(Deadline::after(INTRODUCTION)).await?;
    // The server ends when dropped.
    tokio::spawn(async move {
        let _server = server;
        std::future::pending::<()>().await;
    });
    Ok(target)
}
