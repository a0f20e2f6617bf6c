//! What is wrong, and what to do about it: the buses, the display, and what the applications expose.

use std::time::{Duration, Instant};

use fingertip_core::target::{App, Look, Part, Scope, Survey};
use fingertip_core::{Deadline, Finding};

use crate::bus::{self, SWITCH_ON, SWITCH_ON_FOR_GOOD};
use crate::environment::Environment;
use crate::target::LinuxTarget;

/// How long one check may take.
const CHECK_WITHIN: Duration = Duration::from_secs(5);
/// An application with fewer elements than this hides what is in its windows.
const FEW_ELEMENTS: usize = 5;

/// Checks the session: its buses, its display, its window manager, and every application in it.
pub async fn examine(environment: &Environment) -> Vec<Finding> {
    let mut findings = Vec::new();
    match bus::session(environment, soon()).await {
        Ok(session) => {
            findings.push(Finding::fine("session bus"));
            findings.push(match bus::status(&session, soon()).await {
                Ok(status) => enabled_finding(status.enabled || status.screen_reader),
                Err(error) => Finding::failed("accessibility", &error),
            });
        }
        Err(error) => {
            findings.push(Finding::failed("session bus", &error));
            return findings;
        }
    }
    let target = match LinuxTarget::connect(environment.clone(), soon()).await {
        Ok(target) => target,
        Err(error) => {
            findings.push(Finding::failed("accessibility bus", &error));
            return findings;
        }
    };
    findings.push(Finding::fine("accessibility bus"));
    findings.extend(target.display().examine(soon()).await);
    match target.apps(soon()).await {
        Ok(apps) if apps.is_empty() => findings.push(Finding::wrong(
            "no application exposes its user interface",
            "Start applications after accessibility is switched on; restart those that run.",
        )),
        Ok(apps) => {
            for app in apps {
                findings.push(app_finding(&target, &app).await);
            }
        }
        Err(error) => findings.push(Finding::failed("applications", &error)),
    }
    findings
}

fn enabled_finding(enabled: bool) -> Finding {
    if enabled {
        return Finding::fine("accessibility is switched on");
    }
    let advice =
        format!("Switch it on: {SWITCH_ON} (for good: {SWITCH_ON_FOR_GOOD}), then restart applications.");
    Finding::wrong("accessibility is switched off: applications expose no elements", advice)
}

async fn app_finding(target: &LinuxTarget, app: &App) -> Finding {
    let subject = match app.pid {
        Some(pid) => format!("{} (process {pid})", app.name),
        None => app.name.to_string(),
    };
    let scope = Scope::App { app: app.reference(), part: Part::Whole };
    let start = Instant::now();
    match target.snapshot(&scope, soon()).await {
        Ok(snapshot) if snapshot.nodes().len() < FEW_ELEMENTS => Finding::wrong(
            format!("{subject}: only {} elements", snapshot.nodes().len()),
            "Browsers and Electron applications need --force-renderer-accessibility.",
        ),
        Ok(snapshot) => Finding::fine(format!(
            "{subject}: {} elements read in {} ms",
            snapshot.nodes().len(),
            start.elapsed().as_millis()
        )),
        Err(error) => Finding::failed(&subject, &error),
    }
}

fn soon() -> Deadline {
    Deadline::after(CHECK_WITHIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_comes_with_the_command_that_switches_it_on() {
        let finding = enabled_finding(false);
        assert!(!finding.ok);
        let advice = finding.advice.unwrap();
        assert!(advice.contains("dbus-send") && advice.contains("gsettings"), "{advice}");
        assert!(enabled_finding(true).ok);
    }

    #[tokio::test]
    async fn without_a_session_bus_nothing_else_is_checked() {
        let findings = examine(&Environment::default()).await;
        assert_eq!(findings.len(), 1);
        assert!(!findings[0].ok && findings[0].advice.is_some());
    }
}
