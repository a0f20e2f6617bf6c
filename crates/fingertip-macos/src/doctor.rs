//! What is wrong, and what to do about it: the permissions, and what the applications expose.

use std::time::{Duration, Instant};

use fingertip_core::target::{App, Look, Part, Scope, Survey};
use fingertip_core::{Deadline, Finding};

use crate::bindings::services;
use crate::permissions;
use crate::target::Desktop;

/// How long one check may take.
const CHECK_WITHIN: Duration = Duration::from_secs(5);

/// Checks this Mac: its permissions, and every application that runs.
pub async fn examine() -> Vec<Finding> {
    let mut findings = vec![version_finding(), accessibility_finding(), screen_finding()];
    if !permissions::is_trusted() {
        return findings;
    }
    let desktop = Desktop::new();
    match desktop.apps(soon()).await {
        Ok(apps) => {
            for app in apps {
                findings.push(app_finding(&desktop, &app).await);
            }
        }
        Err(error) => findings.push(Finding::failed("applications", &error)),
    }
    findings
}

fn version_finding() -> Finding {
    let (major, minor, patch) = services::os_version();
    let (program, is_parent) = permissions::program();
    let whose = if is_parent {
        "which started this program, holds its permissions"
    } else {
        "holds its own permissions"
    };
    Finding::fine(format!("macOS {major}.{minor}.{patch}; '{program}' {whose}"))
}

fn accessibility_finding() -> Finding {
    match permissions::must_be_trusted() {
        Ok(()) => Finding::fine("accessibility is allowed"),
        Err(error) => Finding::failed("accessibility", &error),
    }
}

fn screen_finding() -> Finding {
    if permissions::may_see_screen() {
        return Finding::fine("screen recording is allowed");
    }
    Finding::failed("screen recording", &permissions::not_seeing())
}

async fn app_finding(desktop: &Desktop, app: &App) -> Finding {
    let subject = match app.pid {
        Some(pid) => format!("{} (process {pid})", app.name),
        None => app.name.to_string(),
    };
    let scope = Scope::App { app: app.reference(), part: Part::Visible };
    let start = Instant::now();
    match desktop.snapshot(&scope, soon()).await {
        Ok(snapshot) => {
            let cut = snapshot.cut.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
            let (count, took) = (snapshot.nodes().len(), start.elapsed().as_millis());
            Finding::fine(format!("{subject}: {count} elements read in {took} ms{cut}"))
        }
        Err(error) => Finding::failed(&subject, &error),
    }
}

fn soon() -> Deadline {
    Deadline::after(CHECK_WITHIN)
}
