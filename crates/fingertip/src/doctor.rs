//! `fingertip doctor`: what the server needs, checked one by one, each finding with what to do.

use std::net::SocketAddr;

use fingertip_android::Preference;
use fingertip_android::adb::Adb;
use fingertip_core::visible;
use fingertip_mcp::targets::Targets;

use crate::cli::TargetSpec;
use crate::home::Home;
use crate::platforms::desktop;
use crate::{logs, token};

/// One finding.
struct Finding {
    fine: bool,
    text: String,
}

/// Prints all findings; fails when one of them keeps the server from serving.
pub(crate) async fn run(
    listen: SocketAddr,
    asked_for: &[TargetSpec],
    driver: Preference,
    targets: &Targets,
) -> anyhow::Result<()> {
    let mut findings = vec![token_finding(), listen_finding(listen).await];
    if needs_phones(asked_for) {
        findings.extend(phone_findings(driver).await);
    }
    if asked_for.contains(&TargetSpec::Desktop) {
        findings.extend(desktop_findings().await);
    }
    findings.push(target_finding(targets).await);
    logs::print(&format!("fingertip {}", env!("CARGO_PKG_VERSION")))?;
    for finding in &findings {
        logs::print(&format!(
            "{} {}",
            if finding.fine { "ok  " } else { "FAIL" },
            visible::escape(&finding.text)
        ))?;
    }
    let failed = findings.iter().filter(|finding| !finding.fine).count();
    if failed > 0 {
        anyhow::bail!("{failed} of {} checks failed", findings.len());
    }
    Ok(())
}

fn token_finding() -> Finding {
    match Home::find().and_then(|home| token::find(&home).map(|_| home)) {
        Ok(home) if std::env::var_os(token::VARIABLE).is_some() => Finding {
            fine: true,
            text: format!("token from {}; folder {}", token::VARIABLE, home.path().display()),
        },
        Ok(home) => Finding { fine: true, text: format!("token kept in {}", home.token().display()) },
        Err(error) => Finding { fine: false, text: format!("token: {error:#}") },
    }
}

async fn listen_finding(listen: SocketAddr) -> Finding {
    match tokio::net::TcpListener::bind(listen).await {
        Ok(_) => Finding { fine: true, text: format!("{listen} is free to listen on") },
        Err(error) => Finding {
            fine: false,
            text: format!("cannot listen on {listen}: {error}; choose another with --listen"),
        },
    }
}

/// What adb and its phones need. Without a phone the demo phone serves, so that alone is no failure.
async fn phone_findings(driver: Preference) -> Vec<Finding> {
    let adb = match Adb::from_environment() {
        Ok(adb) => adb,
        Err(error) => return vec![Finding { fine: false, text: format!("adb: {error}") }],
    };
    let told = |finding: fingertip_android::doctor::Finding| {
        let advice = finding.advice.map(|advice| format!("; {advice}")).unwrap_or_default();
        Finding { fine: finding.ok, text: format!("{}{advice}", finding.what) }
    };
    fingertip_android::doctor::examine(&adb, driver).await.into_iter().map(told).collect()
}

/// Whether phones matter: unless the desktop alone is to be served.
fn needs_phones(asked_for: &[TargetSpec]) -> bool {
    asked_for.is_empty() || asked_for.iter().any(|target| *target != TargetSpec::Desktop)
}

/// What the desktop needs; looked at only when it is to be served.
async fn desktop_findings() -> Vec<Finding> {
    let told = |finding: desktop::Finding| Finding { fine: finding.fine, text: finding.text };
    desktop::findings().await.into_iter().map(told).collect()
}

async fn target_finding(targets: &Targets) -> Finding {
    targets.settled().await;
    let all = targets.all();
    let names: Vec<_> = all
        .iter()
        .map(|known| known.target().info())
        .map(|info| format!("{} ({}, driver {})", info.name, info.state, info.driver))
        .collect();
    if names.is_empty() {
        return Finding { fine: false, text: "no device is attached".to_owned() };
    }
    Finding { fine: true, text: format!("devices: {}", names.join(", ")) }
}
