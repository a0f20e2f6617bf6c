//! The parsers of what comes from a phone or an adb server, each as a function of any bytes.
//!
//! For `fuzz/` only. Each returns what it made of the bytes as text, so that the fuzzer sees when something new
//! happens.

use std::sync::Mutex;
use std::time::Duration;

use fingertip_core::target::{LogLevel, LogQuery};
use fingertip_core::{Deadline, Snapshot, compact, path};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use crate::adb::Adb;
use crate::apps::{self, Front};
use crate::parse::{devices, display, focus, getprop, hierarchy, logcat, packages, screencap, windows};
use crate::{screen, tree};

/// What parts the answers to different connections in one input.
const NEXT_CONNECTION: &[u8] = b"@@@@";
/// How long one operation may take; nothing here waits.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest output that is read of a command.
const MAX_OUTPUT: usize = 1 << 20;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `uiautomator dump`, up to a snapshot that is shown, and whose elements are found again by their paths.
#[must_use]
pub fn dump(bytes: &[u8]) -> String {
    match hierarchy::parse(bytes) {
        Err(error) => format!("{error:?}"),
        Ok(hierarchy) => shown(&tree::snapshot(hierarchy, None, None)),
    }
}

fn shown(snapshot: &Snapshot) -> String {
    for index in snapshot.indices().take(50) {
        let place = path::of(snapshot, index);
        if let Ok(read) = place.to_string().parse() {
            let _ = path::resolve(snapshot, &read);
        }
    }
    compact::whole(snapshot)
}

/// `dumpsys window windows`.
#[must_use]
pub fn window_list(bytes: &[u8]) -> String {
    format!("{:?}", windows::parse(&text(bytes)))
}

/// `dumpsys window displays`, `wm size`, `wm density`, in any mixture.
#[must_use]
pub fn surroundings(bytes: &[u8]) -> String {
    let text = text(bytes);
    let focus = focus::parse(&text);
    let screen = screen::of(display::parse(&text), None);
    format!("{:?} {screen:?} {}", focus.component(), Front::of(&focus).is_some())
}

/// `adb devices -l`, `getprop`, `ps`, `pm list packages`, `cmd package query-activities`.
#[must_use]
pub fn lists(bytes: &[u8]) -> String {
    let text = text(bytes);
    let processes = apps::processes("com.app", &text, &text);
    format!(
        "{:?} {:?} {processes:?} {:?} {:?} {:?}",
        packages::activities(&text),
        packages::packages(&text),
        devices::parse(&text),
        getprop::parse(&text),
        apps::main_process("com.app", &text)
    )
}

/// `logcat`, in pieces.
#[must_use]
pub fn log(bytes: &[u8]) -> String {
    let Some((first, rest)) = bytes.split_first() else { return String::new() };
    let offset = logcat::offset(&text(rest))
        .unwrap_or_else(|| logcat::offset("+0000").unwrap_or(jiff::tz::Offset::UTC));
    let query =
        LogQuery { limit: 20, since: None, until: None, tag: None, level: LogLevel::Verbose, package: None };
    let mut collector = logcat::Collector::new(&query, offset, None);
    for piece in rest.chunks(usize::from(*first).max(1)) {
        collector.push(piece);
    }
    format!("{:?}", collector.finish())
}

/// `screencap`.
#[must_use]
pub fn picture(bytes: &[u8]) -> String {
    match screencap::parse(bytes.to_vec()) {
        Ok(pixels) => format!("{} x {}", pixels.width, pixels.height),
        Err(error) => format!("{error:?}"),
    }
}

/// What an adb server answers: to requests of its own, to a command, to a file asked for and one sent.
#[must_use]
pub fn adb(bytes: &[u8]) -> String {
    let Some((choice, bytes)) = bytes.split_first() else { return String::new() };
    let mut answers: Vec<Vec<u8>> = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(NEXT_CONNECTION.len()).position(|window| window == NEXT_CONNECTION) {
        answers.push(rest[..at].to_vec());
        rest = &rest[at + NEXT_CONNECTION.len()..];
    }
    answers.push(rest.to_vec());
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else {
        return String::new();
    };
    runtime.block_on(async {
        let answers = Mutex::new(answers);
        let adb = Adb::in_process(move || {
            let mut answers = crate::lock(&answers);
            answering(if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() })
        });
        let (device, soon) = (adb.device("X"), Deadline::after(PATIENCE));
        match choice % 7 {
            0 => format!("{:?}", adb.version(soon).await),
            1 => format!("{:?}", adb.devices(soon).await),
            2 => match adb.track(soon).await {
                Ok(mut tracker) => format!("{:?} {:?}", tracker.next().await, tracker.next().await),
                Err(error) => format!("{error:?}"),
            },
            3 => format!("{:?}", device.run("x", MAX_OUTPUT, soon).await),
            4 => format!("{:?}", device.pull("/x", soon).await.map(|content| content.len())),
            5 => format!("{:?}", device.connect("x", soon).await.map(drop)),
            _ => format!("{:?}", device.push("/x", 0o644, b"content", soon).await),
        }
    })
}

/// A server that says this, whatever it is asked.
fn answering(bytes: Vec<u8>) -> DuplexStream {
    let (near, far) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let (mut asked, mut answer) = tokio::io::split(far);
        let answering = async {
            let _ = answer.write_all(&bytes).await;
            let _ = answer.shutdown().await;
        };
        let mut nowhere = [0; 4096];
        let listening = async { while asked.read(&mut nowhere).await.is_ok_and(|read| read > 0) {} };
        tokio::join!(answering, listening);
    });
    near
}

/// What the agent sends: frames, and what is in them.
#[must_use]
pub fn agent(bytes: &[u8]) -> String {
    crate::agent::fuzzing::frames(bytes)
}

/// A reply of the agent to a look at the screen.
#[must_use]
pub fn agent_screen(bytes: &[u8]) -> String {
    match crate::agent::fuzzing::screen(bytes) {
        Ok(snapshot) => shown(&snapshot),
        Err(why) => why,
    }
}
