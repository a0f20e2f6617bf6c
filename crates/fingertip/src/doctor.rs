//! `fingertip doctor`: what the server needs, checked one by one, each finding with what to do.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use fingertip_android::Preference;
use fingertip_android::adb::Adb;
use fingertip_core::visible;
use fingertip_mcp::targets::Targets;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::cli::TargetSpec;
use crate::home::Home;
use crate::platforms::desktop;
use crate::{logs, token};

/// How long a server on the address may take to say who it is.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The most that is read of its answer.
const ANSWER_BYTES: u64 = 4096;
/// What a server of this program says to whom it does not know.
const OURS: &str = "'fingertip token'";

/// One thing that was checked.
pub(crate) struct Finding {
    fine: bool,
    text: String,
}

impl Finding {
    /// What was found and, in the same line, what to do about it.
    pub(crate) fn new(fine: bool, what: String, advice: Option<String>) -> Self {
        let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
        Self { fine, text: what + &advice }
    }
}

/// Prints all findings; fails when one of them keeps the server from serving.
pub(crate) async fn run(
    listen: SocketAddr,
    asked_for: &[TargetSpec],
    driver: Preference,
    targets: &Targets,
) -> anyhow::Result<()> {
    let mut findings = vec![token_finding(), listen_finding(listen).await];
    let mut notes = Vec::new();
    targets.settled().await;
    if needs_phones(asked_for) {
        let phones = phone_findings(driver).await;
        // Nobody asked for a phone, and something else serves: that there is none is worth knowing and no failure.
        let is_optional = asked_for.is_empty() && !targets.all().is_empty();
        let (of_use, missing) = phones.into_iter().partition(|finding| finding.fine || !is_optional);
        findings.extend::<Vec<Finding>>(of_use);
        notes = missing;
    }
    if asked_for.contains(&TargetSpec::Desktop) {
        findings.extend(desktop::findings().await);
    }
    findings.push(target_finding(targets));
    logs::print(&format!("fingertip {}", env!("CARGO_PKG_VERSION")))?;
    for finding in &findings {
        logs::print(&format!(
            "{} {}",
            if finding.fine { "ok  " } else { "FAIL" },
            visible::escape(&finding.text)
        ))?;
    }
    for note in &notes {
        logs::print(&format!("note {}", note.text))?;
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
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_ours(listen).await => {
            Finding { fine: true, text: format!("a fingertip server listens on {listen} already") }
        }
        Err(error) => Finding {
            fine: false,
            text: format!("cannot listen on {listen}: {error}; choose another with --listen"),
        },
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
        Err(error) => return vec![Finding { fine: false, text: format!("adb: {error}") }],
    };
    let found = fingertip_android::doctor::examine(&adb, driver).await.into_iter();
    found.map(|found| Finding::new(found.ok, found.what, found.advice)).collect()
}

/// Whether phones matter: unless the desktop alone is to be served.
fn needs_phones(asked_for: &[TargetSpec]) -> bool {
    asked_for.is_empty() || asked_for.iter().any(|target| *target != TargetSpec::Desktop)
}

fn target_finding(targets: &Targets) -> Finding {
    let all = targets.all();
    let names: Vec<_> = all
        .iter()
        .map(|known| known.info())
        .map(|info| format!("{} ({}, driver {})", info.name, info.state, info.driver))
        .collect();
    if names.is_empty() {
        return Finding { fine: false, text: "no device is attached".to_owned() };
    }
    Finding { fine: true, text: format!("devices: {}", names.join(", ")) }
}
