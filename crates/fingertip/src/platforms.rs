//! The platforms this build has drivers for. A platform is chosen here and nowhere else.
//!
//! Attaching goes on in the background: a client gets its first answers at once, and its first tool call
//! waits, for a bounded time, until what is there has been found.

pub(crate) mod app;
#[cfg(feature = "demo")]
pub(crate) mod demo;
#[cfg(not(feature = "demo"))]
#[path = "platforms/no_demo.rs"]
pub(crate) mod demo;
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub(crate) mod desktop;
#[cfg(all(feature = "desktop", target_os = "macos"))]
#[path = "platforms/mac_desktop.rs"]
pub(crate) mod desktop;
#[cfg(not(all(feature = "desktop", any(target_os = "linux", target_os = "macos"))))]
#[path = "platforms/no_desktop.rs"]
pub(crate) mod desktop;
pub(crate) mod here;
mod phones;

use std::sync::Arc;

use anyhow::{Context, bail};
use fingertip_android::Preference;
use fingertip_android::adb::Adb;
use fingertip_mcp::targets::Targets;

use crate::TargetSpec;
use crate::drive::Drive;

/// Starts to attach what the command line asks for. Nothing asked for means: the phones that are connected,
/// else the demo phone where this build has one.
///
/// # Errors
/// When a target is asked for that this build has no driver for, or when adb is set up wrongly.
pub fn attach(wanted: &[TargetSpec], drive: &Drive, targets: &Arc<Targets>) -> anyhow::Result<()> {
    let driver = drive.phones;
    if let Some(why) = desktop::MISSING
        && wanted.contains(&TargetSpec::Desktop)
    {
        bail!(why);
    }
    if let Some(why) = demo::MISSING
        && wanted.contains(&TargetSpec::Demo)
    {
        bail!(why);
    }
    let here = wanted.contains(&TargetSpec::Here).then(|| here::find(driver)).transpose()?;
    let adb = Adb::from_environment().context("adb is set up wrongly")?;
    let (wanted, drive, targets) = (wanted.to_owned(), drive.clone(), Arc::clone(targets));
    tokio::spawn(async move {
        if wanted.is_empty() {
            whatever_is_there(adb, driver, &targets).await;
        } else {
            if wanted.contains(&TargetSpec::App) {
                app::attach(&targets).await;
            }
            if let Some(here) = here {
                here::attach(here, &targets).await;
            }
            all_of(&wanted, adb, &drive, &targets).await;
        }
        targets.settle();
    });
    Ok(())
}

async fn whatever_is_there(adb: Adb, driver: Preference, targets: &Arc<Targets>) {
    let connected = phones::connected(&adb).await;
    if connected == 0 {
        demo::attach(driver, targets).await;
    }
    phones::follow(adb, driver, targets, phones::Choice::AllInsteadOfDemo);
    phones::arrived(targets, connected).await;
}

async fn all_of(wanted: &[TargetSpec], adb: Adb, drive: &Drive, targets: &Arc<Targets>) {
    let driver = drive.phones;
    if wanted.contains(&TargetSpec::Demo) {
        demo::attach(driver, targets).await;
    }
    if wanted.contains(&TargetSpec::Desktop) {
        desktop::attach(drive, targets);
    }
    let serials: Vec<_> = wanted
        .iter()
        .filter_map(|spec| if let TargetSpec::Android(serial) = spec { Some(serial.clone()) } else { None })
        .collect();
    if serials.is_empty() {
        return;
    }
    let connected = phones::connected(&adb).await;
    let (expected, choice) = match serials.into_iter().collect::<Option<Vec<String>>>() {
        Some(serials) => (connected.min(serials.len()), phones::Choice::Only(serials)),
        None => (connected, phones::Choice::All),
    };
    let there = targets.all().len();
    phones::follow(adb, driver, targets, choice);
    phones::arrived(targets, there + expected).await;
}
