//! The phone inside the program. It is reached as a real one is: through an adb server, here one of our own that has
//! no port, so that no other program on this machine can use it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use fingertip_android::adb::Adb;
use fingertip_android::{AndroidTarget, Preference};
use fingertip_core::Deadline;
use fingertip_mcp::targets::Targets;
use fingertip_sim::phone::Profile;
use fingertip_sim::{PrivateAdbServer, SimPhone, adbd};
use tokio::net::TcpListener;

use crate::logs;

/// What the demo phone is called.
pub(crate) const NAME: &str = "demo";
/// Why this build has none: it has.
pub(super) const MISSING: Option<&str> = None;
/// The error of calls while no device is attached.
pub(crate) const NO_DEVICE: &str = "Connect an Android phone with USB debugging switched on, or start fingertip with \
    `--target demo`; `fingertip doctor` says what is missing.";
/// What `--self-test` says when it finds no phone.
pub(crate) const NO_PHONE: &str = "no phone to test; connect one, or try `--target demo`";
/// What `--target` says of itself.
pub(crate) const TARGET_HELP: &str = "What to serve: demo, android, android:SERIAL, here (the phone this runs on) or desktop; can be repeated \
    [default: attached phones, else the demo phone]";
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

/// Runs the demo phone alone, for other tools to try, until the future is dropped.
pub(crate) async fn serve(port: u16) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr()?;
    logs::say(&format!("demo phone listening on {address}; try: adb connect {address}"));
    adbd::serve(listener, SimPhone::start(Profile { serial: address.to_string(), ..Profile::default() }))
        .await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fingertip_core::prelude::*;
    use fingertip_core::target::Scope;

    use super::*;

    /// The inodes of the TCP sockets this process listens on.
    #[cfg(target_os = "linux")]
    fn listening() -> BTreeSet<String> {
        let own: BTreeSet<String> = std::fs::read_dir("/proc/self/fd")
            .expect("the files of this process")
            .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
            .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
            .collect();
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(std::fs::read_to_string);
        let rows: Vec<String> = tables
            .into_iter()
            .flatten()
            .flat_map(|table| table.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let listens = |row: &String| row.split_whitespace().nth(3) == Some("0A");
        let inode = |row: &String| row.split_whitespace().nth(9).map(str::to_owned);
        rows.iter().filter(|row| listens(row)).filter_map(inode).filter(|inode| own.contains(inode)).collect()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_demo_phone_is_driven_without_a_port_that_others_could_use() {
        for driver in [Preference::Shell, Preference::Automatic] {
            let target = start(driver).await.expect("a demo phone");
            let deadline = Deadline::after(Duration::from_secs(60));
            let snapshot = target.snapshot(&Scope::Screen, deadline).await.expect("its screen");
            assert!(!snapshot.nodes().is_empty());
            assert_eq!(listening(), BTreeSet::new(), "{driver}");
        }
    }
}
