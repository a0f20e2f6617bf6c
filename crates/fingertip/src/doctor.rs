//! `fingertip doctor`: what the server needs, checked one by one, each finding with what to do.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use fingertip_android::Preference;
use fingertip_android::adb::Adb;
use fingertip_core::{Finding, visible};
use fingertip_mcp::targets::Targets;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::cli::TargetSpec;
use crate::drive::Drive;
use crate::home::Home;
use crate::platforms::desktop;
use crate::progress::while_waiting;
use crate::{logs, token};

/// How long a server on the address may take to say who it is.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The most that is read of its answer.
const ANSWER_BYTES: u64 = 4096;
/// What a server of this program says to clients without the token.
const OURS: &str = "'fingertip token'";

/// Prints all findings; fails when one of them keeps the server from serving.
pub(crate) async fn run(
    listen: SocketAddr,
    asked_for: &[TargetSpec],
    drive: &Drive,
    targets: &Targets,
) -> anyhow::Result<()> {
    let mut findings = vec![token_finding(), listen_finding(listen).await];
    let mut notes = Vec::new();
    while_waiting("looking for devices", targets.settled()).await;
    if needs_adb(asked_for) {
        let phones = while_waiting("examining the phones", phone_findings(drive.phones)).await;
        // No phone was asked for, and something else serves: that there is none is worth knowing and no failure.
        let is_optional = asked_for.is_empty() && !targets.all().is_empty();
        let (of_use, missing) = phones.into_iter().partition(|finding| finding.ok || !is_optional);
        findings.extend::<Vec<Finding>>(of_use);
        notes = missing;
    }
    if asked_for.contains(&TargetSpec::Here) {
        findings.extend(fingertip_android::doctor::examine_here(drive.phones).await);
    }
    if asked_for.contains(&TargetSpec::Desktop) {
        findings.extend(desktop::findings(drive).await);
    }
    findings.push(target_finding(targets));
    logs::print(&format!("fingertip {}", env!("CARGO_PKG_VERSION")))?;
    for finding in &findings {
        logs::print(&format!(
            "{} {}",
            if finding.ok { "ok  " } else { "FAIL" },
            visible::escape(&finding.to_string())
        ))?;
    }
    for note in &notes {
        logs::print(&format!("note {note}"))?;
    }
    let failed = findings.iter().filter(|finding| !finding.ok).count();
    if failed > 0 {
        anyhow::bail!("{failed} of {} checks failed", findings.len());
    }
    Ok(())
}

fn token_finding() -> Finding {
    match Home::find().and_then(|home| token::find(&home).map(|_| home)) {
        Ok(home) if std::env::var_os(token::VARIABLE).is_some() => {
            Finding::fine(format!("token from {}; folder {}", token::VARIABLE, home.path().display()))
        }
        Ok(home) => Finding::fine(format!("token kept in {}", home.token().display())),
        Err(error) => Finding { ok: false, what: format!("token: {error:#}"), advice: None },
    }
}

async fn listen_finding(listen: SocketAddr) -> Finding {
    match tokio::net::TcpListener::bind(listen).await {
        Ok(_) => Finding::fine(format!("{listen} is free to listen on")),
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_ours(listen).await => {
            Finding::fine(format!("a fingertip server listens on {listen} already"))
        }
        Err(error) => {
            Finding::wrong(format!("cannot listen on {listen}: {error}"), "choose another with --listen")
        }
    }
}

/// Whether a server of this program, without TLS, listens there.
async fn is_ours(listen: SocketAddr) -> bool {
    let asked = async {
        let mut stream = tokio::net::TcpStream::connect(listen).await.ok()?;
        let request = format!("GET /mcp HTTP/1.1\r\nHost: {listen}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.take(ANSWER_BYTES).read_to_end(&mut answer).await.ok()?;
        Some(String::from_utf8_lossy(&answer).contains(OURS))
    };
    tokio::time::timeout(ANSWERS_WITHIN, asked).await.ok().flatten().unwrap_or_default()
}

/// What adb and its phones need. Without a phone the demo phone serves, so that alone is no failure.
async fn phone_findings(driver: Preference) -> Vec<Finding> {
    let adb = match Adb::from_environment() {
        Ok(adb) => adb,
        Err(error) => return vec![Finding::failed("adb", &error)],
    };
    fingertip_android::doctor::examine(&adb, driver).await
}

/// Whether adb matters: unless only what is reached without it is to be served.
fn needs_adb(asked_for: &[TargetSpec]) -> bool {
    let without = |target: &TargetSpec| matches!(target, TargetSpec::Desktop | TargetSpec::Here);
    asked_for.is_empty() || !asked_for.iter().all(without)
}

fn target_finding(targets: &Targets) -> Finding {
    let all = targets.all();
    let names: Vec<_> = all
        .iter()
        .map(|known| known.info())
        .map(|info| format!("{} ({}, driver {})", info.name, info.state, info.driver))
        .collect();
    if names.is_empty() {
        return Finding { ok: false, what: "no device is attached".to_owned(), advice: None };
    }
    Finding::fine(format!("devices: {}", names.join(", ")))
}
