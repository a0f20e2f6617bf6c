//! `fingertip doctor --self-test`: every operation on a phone's own Settings app, or on the applications every Mac has, and a
//! report to attach to an issue.
//!
//! Started by the app on a phone (`--target app`), standard output belongs to the app, and the report is on standard error.

use anyhow::Context;
use fingertip_android::adb::Adb;
use fingertip_android::{AndroidTarget, Preference, self_test};
use fingertip_core::Deadline;

use crate::platforms::{app, demo, desktop, here};
use crate::{TargetSpec, logs};

/// How long adb may take to list its phones.
const LISTED_WITHIN: std::time::Duration = std::time::Duration::from_secs(10);

/// Tests the desktop and the phones asked for, else all phones that are connected; fails when a step of one failed.
pub(crate) async fn run(wanted: &[TargetSpec], driver: Preference) -> anyhow::Result<()> {
    if wanted.contains(&TargetSpec::App) {
        return in_app().await;
    }
    let mut failed = 0;
    if wanted.contains(&TargetSpec::Desktop) {
        logs::print(&format!("fingertip {} self-test", env!("CARGO_PKG_VERSION")))?;
        let mut printed = Ok(());
        failed += desktop::self_test(|step| {
            if printed.is_ok() {
                printed = logs::print(step);
            }
        })
        .await?;
        printed?;
    }
    let is_desktop_alone = !wanted.is_empty() && wanted.iter().all(|spec| *spec == TargetSpec::Desktop);
    let targets = if is_desktop_alone { Vec::new() } else { targets(wanted, driver).await? };
    if targets.is_empty() && !is_desktop_alone {
        anyhow::bail!(demo::NO_PHONE);
    }
    for target in targets {
        logs::print(&format!("fingertip {} self-test", env!("CARGO_PKG_VERSION")))?;
        match self_test::describe(&target).await {
            Ok(who) => logs::print(&who)?,
            Err(error) => {
                logs::print(&format!("FAIL {}: {error:?}", target.serial()))?;
                failed += 1;
                continue;
            }
        }
        let mut printed = Ok(());
        failed += self_test::run(&target, |step| {
            if printed.is_ok() {
                printed = logs::print(&step.to_string());
            }
        })
        .await;
        printed?;
    }
    done(failed)
}

/// Tests the phone of the app that started this program.
async fn in_app() -> anyhow::Result<()> {
    logs::say(&format!("fingertip {} self-test", env!("CARGO_PKG_VERSION")));
    let app = app::connect()
        .await
        .context("no app answers; `--target app` is for a program that Fingertip's app starts")?;
    logs::say(&self_test::describe_app(&app));
    done(self_test::run_in_app(&app, |step| logs::say(&step.to_string())).await)
}

fn done(failed: usize) -> anyhow::Result<()> {
    if failed > 0 {
        anyhow::bail!("{failed} steps failed; please attach the report to an issue");
    }
    Ok(())
}

async fn targets(asked_for: &[TargetSpec], driver: Preference) -> anyhow::Result<Vec<AndroidTarget>> {
    let mut targets = Vec::new();
    if asked_for.contains(&TargetSpec::Demo) {
        targets.push(demo::start(driver).await?);
    }
    if asked_for.contains(&TargetSpec::Here) {
        targets.push(here::find(driver)?);
    }
    let on_adb = |spec: &TargetSpec| matches!(spec, TargetSpec::Android(_));
    if !targets.is_empty() && !asked_for.iter().any(on_adb) {
        return Ok(targets);
    }
    let adb = Adb::from_environment()?;
    let wanted = |serial: &str| {
        asked_for.is_empty()
            || asked_for.iter().any(|spec| match spec {
                TargetSpec::Android(None) => true,
                TargetSpec::Android(Some(named)) => named == serial,
                _ => false,
            })
    };
    for phone in
        adb.devices(Deadline::after(LISTED_WITHIN)).await?.iter().filter(|phone| wanted(&phone.serial))
    {
        let target = AndroidTarget::new(adb.device(&phone.serial)).driven_by(driver);
        target.set_state(phone.state.clone());
        targets.push(target);
    }
    Ok(targets)
}
