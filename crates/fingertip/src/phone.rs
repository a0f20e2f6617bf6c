//! `fingertip phone`: a server on a phone itself, started once over adb and on its own from then on.
//!
//! Rules: all it has on the phone is in one folder ([`remote::FOLDER`]), readable by the shell user alone; token and
//! certificate are made there and stay there; `stop` ends what runs, removes the folder, and looks whether anything is
//! left. The server serves HTTPS only. Nothing is installed, so nothing survives the end of adbd's session: that is said.
//! Starting at boot takes an app, which [`app`] installs.

mod app;
mod program;
mod remote;

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fingertip_core::visible;
use sha2::{Digest, Sha256};

use crate::cli::phone::{Phone, Start};
use crate::progress::while_waiting;
use crate::status::Status;
use crate::{banner, logs, qr};
use program::Processor;
use remote::{FOLDER, Facts, PROGRAM, Remote, path, quoted};

/// The oldest level of Android's interfaces on which the server was checked to run: Android 8.
const OLDEST_SDK: u32 = 26;
/// The first port that is tried.
const FIRST_PORT: u16 = 8080;
/// How many ports are tried before the system chooses one.
const PORTS: u16 = 10;
/// What a server logs when another program has its port.
const PORT_TAKEN: &str = "is already in use; stop the other program";
/// Room that is left on the phone for token, certificate and logs, in bytes.
const SPARE_ROOM: u64 = 8 * 1024 * 1024;
/// How long a server may take until it serves.
const SERVES_WITHIN: Duration = Duration::from_secs(30);
/// How long one that does not run is waited for: the shell forks and becomes it.
const BEGINS_WITHIN: Duration = Duration::from_secs(3);
/// How long a server may take to end by itself: calls under way get a grace.
const ENDS_WITHIN: Duration = Duration::from_secs(15);
/// How often is looked meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Lines of the log that are shown when a server does not start.
const SHOWN_LINES: usize = 10;

/// Runs one of the commands.
pub(crate) async fn run(command: Phone) -> anyhow::Result<()> {
    match command {
        Phone::Start(options) => start(&options).await,
        Phone::Stop(which) => stop(&Remote::find(which.serial.as_deref()).await?).await,
        Phone::Status(which) => status(&Remote::find(which.serial.as_deref()).await?).await,
        Phone::Logs { which, lines } => {
            let remote = Remote::find(which.serial.as_deref()).await?;
            let log = remote.ask(&format!("tail -n {lines} {} 2>/dev/null", path("log"))).await?;
            if log.trim().is_empty() {
                logs::say(&format!("There is no log on {}.", remote.serial()));
                return Ok(());
            }
            Ok(logs::print(log.trim_end())?)
        }
        Phone::Install(options) => app::install(&options).await,
        Phone::Uninstall(which) => app::uninstall(&Remote::find(which.serial.as_deref()).await?).await,
        Phone::Token(which) => show(which.serial.as_deref(), "token").await,
        Phone::Certificate(which) => show(which.serial.as_deref(), "tls/certificate.pem").await,
    }
}

/// Prints one of the server's files.
async fn show(serial: Option<&str>, name: &str) -> anyhow::Result<()> {
    let remote = Remote::find(serial).await?;
    let content = remote.ask(&format!("cat {} 2>/dev/null", path(name))).await?;
    if content.trim().is_empty() {
        bail!("no server was started on {}; start one with `fingertip phone start`", remote.serial());
    }
    Ok(logs::print(content.trim_end())?)
}

async fn start(options: &Start) -> anyhow::Result<()> {
    let remote = Remote::find(options.which.serial.as_deref()).await?;
    let facts = remote.facts().await?;
    let processor = fitting(&facts)?;
    let program = program::read(&program::find(options.binary.as_deref(), processor)?)?;
    let sum: String = Sha256::digest(&program).iter().map(|byte| format!("{byte:02x}")).collect();
    let is_there = facts.program.as_deref() == Some(&sum);
    let server = remote.server().await?;
    if !server.pids.is_empty() {
        return match &server.status {
            Some(status) if is_there => Ok(logs::print(&report(&remote, &facts, status))?),
            Some(status) => bail!(
                "another build of fingertip ({}) runs on {} already; end it with `fingertip phone stop`, then start this one",
                visible::escape(&status.version),
                remote.serial()
            ),
            None => bail!(
                "a server on {} is starting or ending; try again, or end it with `fingertip phone stop`",
                remote.serial()
            ),
        };
    }
    let is_new = facts.program.is_none();
    let started = launch(&remote, &facts, options, if is_there { None } else { Some(&program) }).await;
    match started {
        Ok(status) => Ok(logs::print(&report(&remote, &facts, &status))?),
        // What did not start must not stay either. The token of an earlier start is kept.
        Err(error) if is_new => match remote.ask(&format!("rm -rf {FOLDER}")).await {
            Ok(_) => Err(error),
            Err(stays) => Err(error.context(format!("{FOLDER} stays on the phone: {stays}"))),
        },
        Err(error) => Err(error),
    }
}

/// Whether the server can run on such a phone; its processor.
fn fitting(facts: &Facts) -> anyhow::Result<Processor> {
    let Facts { sdk, android, abi, .. } = facts;
    if *sdk < OLDEST_SDK {
        bail!(
            "the phone has Android {android} (level {sdk}); the server runs on Android 8 and newer, use `--target android`"
        );
    }
    if facts.has_network == Some(false) {
        bail!(
            "programs started over adb may not use the network on this phone (no group inet); use `--target android` from \
             this computer instead"
        );
    }
    Processor::of_abi(abi).with_context(|| {
        format!("the phone's processor is '{abi}'; the server is built for arm64-v8a and x86_64, use `--target android`")
    })
}

/// Pushes the program where it must be, starts it on the first port that is free, and waits until it serves.
async fn launch(
    remote: &Remote,
    facts: &Facts,
    options: &Start,
    push: Option<&[u8]>,
) -> anyhow::Result<Status> {
    remote.ask(&format!("umask 077; mkdir -p {}; chmod 700 {FOLDER}", path("run"))).await?;
    if let Some(program) = push {
        let needed = program.len() as u64 + SPARE_ROOM;
        if let Some(free) = facts.free.filter(|free| *free < needed) {
            bail!(full(needed, Some(free)));
        }
        logs::say(&format!("pushing {} bytes to {}", program.len(), remote.serial()));
        while_waiting("copying the program to the phone", remote.push(program)).await.map_err(|error| {
            if error.to_string().contains("No space left") {
                anyhow::anyhow!(full(needed, facts.free))
            } else {
                error
            }
        })?;
    }
    let ports: Vec<u16> = match options.port {
        Some(port) => vec![port],
        None => (FIRST_PORT..FIRST_PORT + PORTS).chain([0]).collect(),
    };
    for port in ports {
        remote.ask(&command(facts, port, &options.options)).await?;
        match while_waiting("waiting for the server on the phone", serving(remote)).await? {
            Ok(status) => return Ok(status),
            Err(log) if log.contains(PORT_TAKEN) => {}
            Err(log) => bail!(explained(&log)),
        }
    }
    bail!("port {} of the phone is taken; choose another with --port", options.port.unwrap_or(FIRST_PORT))
}

fn full(needed: u64, free: Option<u64>) -> String {
    let megabytes = |bytes: u64| bytes.div_ceil(1024 * 1024);
    let free = free.map(|free| format!("; {} MB are free", megabytes(free))).unwrap_or_default();
    format!("the phone's storage is full: the server needs {} MB in /data/local/tmp{free}", megabytes(needed))
}

/// The line that starts the server: in a session of its own, deaf to the end of the terminal, and without our streams.
fn command(facts: &Facts, port: u16, options: &[String]) -> String {
    let options: String = options.iter().map(|option| format!(" {}", quoted(option))).collect();
    format!(
        "umask 077; rm -f {status}; FINGERTIP_HOME={FOLDER} HOME={FOLDER} XDG_RUNTIME_DIR={run} TMPDIR={run} TZ={zone} \
         nohup setsid {program} serve --target here --listen 0.0.0.0:{port} --tls --status-file {status}{options} \
         </dev/null >{log} 2>&1 &",
        status = path("status"),
        run = path("run"),
        zone = quoted(&facts.time_zone),
        program = path(PROGRAM),
        log = path("log"),
    )
}

/// Waits until the server serves; what it logged instead when it ended.
async fn serving(remote: &Remote) -> anyhow::Result<Result<Status, String>> {
    let begun = Instant::now();
    loop {
        let server = remote.server().await?;
        let runs = !server.pids.is_empty();
        if let Some(status) = server.status.filter(|_| runs) {
            return Ok(Ok(status));
        }
        let log = remote.ask(&format!("tail -n {SHOWN_LINES} {} 2>/dev/null", path("log"))).await?;
        if !runs && (!log.trim().is_empty() || begun.elapsed() > BEGINS_WITHIN) {
            return Ok(Err(log));
        }
        if begun.elapsed() > SERVES_WITHIN {
            end(remote).await?;
            bail!(
                "the server did not serve within {} seconds; it logged: {}",
                SERVES_WITHIN.as_secs(),
                log.trim()
            );
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Why a server ended at once, by what is in its log.
fn explained(log: &str) -> String {
    let said = visible::escape_lines(log.trim());
    if log.contains("Exec format error") || log.contains("not executable") || log.contains("No such file") {
        return format!(
            "the phone does not run the program: {said}\nIt must be a static one, as `scripts/package-static` builds it."
        );
    }
    if log.contains("cannot listen") && (log.contains("denied") || log.contains("not permitted")) {
        return format!(
            "the phone does not let the server use the network (group inet), or that port: {said}"
        );
    }
    if log.contains("No space left") {
        return format!("the phone's storage is full: {said}");
    }
    if said.is_empty() {
        "the server ended at once and said nothing".to_owned()
    } else {
        format!("the server ended: {said}")
    }
}

/// The report on a server that runs.
fn report(remote: &Remote, facts: &Facts, status: &Status) -> String {
    let serial = remote.serial();
    let mut text =
        format!("fingertip {} runs on {} ({serial}), process {}\n", status.version, facts.model, status.pid);
    for url in &status.urls {
        let _ = writeln!(text, "address:     {url}");
    }
    let of = format!("--serial {}", quoted(serial));
    let _ = writeln!(text, "token:       shown by `fingertip phone token {of}`");
    let _ = writeln!(text, "certificate: shown by `fingertip phone certificate {of}`, for clients to trust");
    if let Some(fingerprint) = &status.certificate_sha256 {
        let _ = writeln!(text, "certificate SHA-256: {fingerprint}");
    }
    if let Some(url) = status.urls.first() {
        text.push_str(&qr::drawn(url).unwrap_or_default());
        text.push_str(&banner::clients(url, &format!("fingertip phone token {of}")));
    }
    text.push_str(
        "\nWhoever is on the same network and has the token controls the phone.\n\
         It goes on without the cable. It ends when the phone restarts or USB debugging is switched off, on some makers' \
         phones also when the USB mode changes (set the default USB configuration to charging only): then start it again. \
         `fingertip phone stop` ends it and removes it.\n\
         Without a computer: in Termux on the phone, `pkg install android-tools`, pair with the phone's own wireless debugging \
         (`adb pair localhost:PORT`, `adb connect localhost:PORT`), and run the phone's build of fingertip there: \
         `fingertip-phone-aarch64 phone start`.",
    );
    text
}

async fn status(remote: &Remote) -> anyhow::Result<()> {
    let (facts, server) = (remote.facts().await?, remote.server().await?);
    let runs = !server.pids.is_empty();
    match &server.status {
        Some(status) if runs => Ok(logs::print(&report(remote, &facts, status))?),
        _ if runs => Ok(logs::print("a server is starting or ending")?),
        _ if facts.program.is_some() => bail!(
            "no server runs on {}; one was started and has ended (see `fingertip phone logs`): the phone was restarted, \
             debugging was switched off, or something ended it. Start it again with `fingertip phone start`",
            remote.serial()
        ),
        _ => bail!("no server runs on {}; start one with `fingertip phone start`", remote.serial()),
    }
}

async fn stop(remote: &Remote) -> anyhow::Result<()> {
    let ended = end(remote).await?;
    remote.ask(&format!("rm -rf {FOLDER}")).await?;
    let left = remote.ask(&format!("ls -d {FOLDER} 2>/dev/null")).await?;
    if !left.trim().is_empty() {
        bail!("the server has ended, but {FOLDER} is still on the phone");
    }
    let what = if ended == 0 { "no server ran" } else { "the server has ended" };
    Ok(logs::print(&format!("{what} on {}; nothing of it is left there", remote.serial()))?)
}

/// Ends what runs, by force where it must be; how many processes those were.
async fn end(remote: &Remote) -> anyhow::Result<usize> {
    let running = remote.server().await?.pids;
    for signal in ["TERM", "KILL"] {
        let begun = Instant::now();
        let mut left = remote.server().await?.pids;
        if left.is_empty() {
            return Ok(running.len());
        }
        let pids: Vec<String> = left.iter().map(ToString::to_string).collect();
        remote.ask(&format!("kill -{signal} {}", pids.join(" "))).await?;
        while !left.is_empty() && begun.elapsed() < ENDS_WITHIN {
            tokio::time::sleep(LOOK_EVERY).await;
            left = remote.server().await?.pids;
        }
    }
    let left = remote.server().await?.pids;
    if !left.is_empty() {
        bail!("process {} on the phone does not end; restart the phone", left[0]);
    }
    Ok(running.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            abi: "arm64-v8a".to_owned(),
            sdk: 34,
            time_zone: "Europe/Berlin".to_owned(),
            ..Facts::default()
        }
    }

    #[test]
    fn phones_that_cannot_run_it_are_refused_with_the_reason() {
        assert_eq!(fitting(&facts()).unwrap(), Processor::Arm64);
        for (facts, word) in [
            (Facts { sdk: 24, ..facts() }, "Android 8"),
            (Facts { abi: "armeabi-v7a".to_owned(), ..facts() }, "armeabi-v7a"),
            (Facts { has_network: Some(false), ..facts() }, "inet"),
        ] {
            let why = fitting(&facts).unwrap_err().to_string();
            assert!(why.contains(word) && why.contains("--target android"), "{why}");
        }
    }

    #[test]
    fn the_server_is_started_apart_from_the_shell_and_its_words_stay_words() {
        let line = command(&facts(), 8080, &["--block-app".to_owned(), "a b; reboot".to_owned()]);
        assert!(
            line.contains("nohup setsid /data/local/tmp/.fingertip/fingertip serve --target here"),
            "{line}"
        );
        assert!(
            line.contains("--listen 0.0.0.0:8080 --tls") && line.contains("TZ='Europe/Berlin'"),
            "{line}"
        );
        assert!(line.contains(" '--block-app' 'a b; reboot' </dev/null >"), "{line}");
        assert!(line.ends_with("2>&1 &"), "{line}");
    }

    #[test]
    fn why_a_server_ended_is_said_in_a_sentence() {
        for (log, word) in [
            ("/system/bin/sh: /x: not executable: 64-bit ELF file", "static"),
            ("fingertip: cannot listen on 0.0.0.0:80: Permission denied (os error 13)", "inet"),
            ("fingertip: cannot write x: No space left on device", "storage is full"),
            ("fingertip: something new", "something new"),
            ("", "said nothing"),
        ] {
            assert!(explained(log).contains(word), "{log}: {}", explained(log));
        }
        assert!(full(20 << 20, Some(3 << 20)).ends_with("needs 20 MB in /data/local/tmp; 3 MB are free"));
    }
}
