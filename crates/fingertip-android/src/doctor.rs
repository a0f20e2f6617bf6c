//! What is wrong, and what to do about it: adb, its server, and each phone, or the phone this program runs on.

use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{Scope, ScreenshotRequest};
use fingertip_core::{Deadline, Finding};

use crate::adb::{Adb, program};
use crate::channel::Device;
use crate::choose::Preference;
use crate::parse::devices::{Listed, State};
use crate::parse::getprop::Facts;
use crate::target::AndroidTarget;

/// The oldest protocol of the adb server that knows all that is asked of it.
const OLDEST_SERVER: u32 = 41;
/// The oldest interface level whose commands are as this program expects them: Android 7.
const OLDEST_SDK: u32 = 24;
/// How long one check may take.
const CHECK_WITHIN: Duration = Duration::from_secs(15);
/// The most that is read of a check's output, in bytes.
const MAX_OUTPUT: usize = 256 * 1024;
/// A key that means nothing: pressing it shows whether keys may be pressed.
const HARMLESS_KEY: &str = "input keyevent 0";

/// Checks adb, its server, and every phone.
pub async fn examine(adb: &Adb, driver: Preference) -> Vec<Finding> {
    let mut findings = vec![program_finding()];
    match adb.version(Deadline::after(CHECK_WITHIN)).await {
        Ok(version) if version >= OLDEST_SERVER => {
            findings.push(Finding::fine(format!("adb server at {}, protocol {version}", adb.place())));
        }
        Ok(version) => findings.push(Finding::wrong(
            format!("adb server at {}, protocol {version}", adb.place()),
            "Update the Android platform tools.",
        )),
        Err(error) => {
            findings.push(Finding::failed("adb server", &error));
            return findings;
        }
    }
    match adb.devices(Deadline::after(CHECK_WITHIN)).await {
        Ok(phones) if phones.is_empty() => findings.push(Finding::wrong(
            "no phone is connected",
            "Plug one in and switch on USB debugging in its developer options, or use `adb connect`.",
        )),
        Ok(phones) => {
            for phone in phones {
                findings.extend(examine_phone(adb, driver, &phone).await);
            }
        }
        Err(error) => findings.push(Finding::failed("phones", &error)),
    }
    findings
}

fn program_finding() -> Finding {
    match program::find() {
        Some(program) => Finding::fine(format!("adb program {}", program.display())),
        None => Finding::wrong(
            "no adb program",
            "Install the Android platform tools, or set ANDROID_HOME; a server that already runs is used without.",
        ),
    }
}

async fn examine_phone(adb: &Adb, driver: Preference, phone: &Listed) -> Vec<Finding> {
    let target = AndroidTarget::new(adb.device(&phone.serial)).driven_by(driver);
    target.set_state(phone.state.clone());
    examine_target(&target).await
}

/// Checks the phone this program runs on.
pub async fn examine_here(driver: Preference) -> Vec<Finding> {
    match Device::here() {
        Ok(device) => examine_target(&AndroidTarget::new(device).driven_by(driver)).await,
        Err(error) => vec![Finding::failed("here", &error)],
    }
}

async fn examine_target(target: &AndroidTarget) -> Vec<Finding> {
    let serial = target.serial();
    if let Err(error) = target.prepare(Deadline::after(CHECK_WITHIN)).await {
        return vec![Finding::failed(&format!("{serial} is {}", target.state().name()), &error)];
    }
    let info = target.info();
    let facts = target.facts().unwrap_or_default();
    let mut findings = vec![age_finding(serial, &info.label, &info.driver, &facts)];
    findings.extend(agent_findings(target));
    findings.extend(awake_finding(target.device()).await);
    findings.push(input_finding(target.device(), &facts).await);
    let reading = timed(target.snapshot(&Scope::Screen, Deadline::after(CHECK_WITHIN))).await;
    findings.push(match reading {
        (Ok(snapshot), took) => Finding::fine(format!(
            "{serial}: screen of {} elements read in {took} ms",
            snapshot.nodes().len()
        )),
        (Err(error), _) => Finding::failed(serial, &error),
    });
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let picture = timed(target.screenshot(request, Deadline::after(CHECK_WITHIN))).await;
    findings.push(match picture {
        (Ok(_), took) => Finding::fine(format!("{serial}: picture taken in {took} ms")),
        (Err(error), _) => Finding::failed(serial, &error),
    });
    findings
}

fn age_finding(serial: &str, label: &str, driver: &str, facts: &Facts) -> Finding {
    let what =
        format!("{serial} is {}: {label} (level {}), driver {driver}", State::Online.name(), facts.sdk);
    if facts.sdk >= OLDEST_SDK {
        Finding::fine(what)
    } else {
        Finding::wrong(what, "Android 7 or newer is needed.")
    }
}

/// Whether the agent serves; if not, why; and which hidden interfaces of Android it did not find.
fn agent_findings(target: &AndroidTarget) -> Vec<Finding> {
    let serial = target.serial();
    if let Some(agent) = target.agent() {
        let mut findings = vec![Finding::fine(format!(
            "{serial}: the agent runs (build {}, process {}); it was never tried on real hardware by its makers, \
             `fingertip doctor --self-test` does that",
            agent.hello().build,
            agent.hello().pid
        ))];
        findings.extend(agent.hello().failed.iter().map(|missing| {
            let what = format!("{serial}: {} is not on this phone: {}", missing.wrapper, missing.message);
            Finding::wrong(what, "Shell commands do that part; please report it with the phone's model.")
        }));
        return findings;
    }
    let why = target.why_no_agent();
    why.iter().map(|error| Finding::failed(&format!("{serial}: the agent does not serve"), error)).collect()
}

/// Whether the screen is on and unlocked, where the phone reports it.
async fn awake_finding(device: &Device) -> Option<Finding> {
    let command = "dumpsys power | grep mWakefulness=; dumpsys window | grep -E 'isKeyguardShowing=|mShowingLockscreen=|mDreamingLockscreen='";
    let output = device.run(command, MAX_OUTPUT, Deadline::after(CHECK_WITHIN)).await.ok()?;
    let text = output.text();
    let serial = device.serial();
    if text.contains("mWakefulness=Asleep") || text.contains("mWakefulness=Dozing") {
        return Some(Finding::wrong(format!("{serial}: the screen is off"), "Wake the phone."));
    }
    if text.contains("isKeyguardShowing=true") || text.contains("mShowingLockscreen=true") {
        return Some(Finding::wrong(format!("{serial}: the phone is locked"), "Unlock it."));
    }
    text.contains("mWakefulness=Awake").then(|| Finding::fine(format!("{serial}: the screen is on")))
}

/// Whether the shell may press keys: some makers forbid it until a further switch is set.
async fn input_finding(device: &Device, facts: &Facts) -> Finding {
    let pressed = crate::shell::command::run(device, HARMLESS_KEY, Deadline::after(CHECK_WITHIN)).await;
    match pressed {
        Ok(()) => Finding::fine(format!("{}: commands may touch the screen", device.serial())),
        Err(error) => Finding::failed(&format!("{} ({})", device.serial(), facts.maker), &error),
    }
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, u128) {
    let start = Instant::now();
    let result = work.await;
    (result, start.elapsed().as_millis())
}
