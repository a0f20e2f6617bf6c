//! The program Fingertip runs on a phone by `app_process`, on the simulated one.
//!
//! With `FINGERTIP_AGENT_JVM` set, the real one runs, in a build for tests (feature `test-support`): its Java code on
//! this computer's JVM, on fakes of the Android framework that reach the phone model through `bridge`. Without it
//! the phone serves the same protocol itself (`session`). Both stand on the same ground: `nodes` says what a node is and takes in
//! Android's numbers, `observe` which accessibility events a change makes, `automation` that one tool at a
//! time may have UiAutomation. Which protocol, and what each operation means, stands in `agent/PROTOCOL.md`.

mod act;
mod automation;
#[cfg(feature = "test-support")]
mod bridge;
mod encode;
mod events;
mod failure;
mod fields;
mod gesture;
mod history;
#[cfg(feature = "test-support")]
mod jvm;
#[cfg(not(feature = "test-support"))]
#[path = "agent/no_jvm.rs"]
mod jvm;
mod nodes;
mod observe;
mod operations;
mod picture;
mod receiver;
mod session;
mod text;
mod wire;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

pub use automation::Automation;
pub(crate) use jvm::Jvm;

use crate::SimPhone;
use crate::shell::Sink;

/// The class that `app_process` is to run.
pub(crate) const MAIN: &str = "dev.fingertip.agent.Main";
/// The version of the protocol.
const VERSION: u32 = 1;
/// Exit code of an agent that did not understand its arguments.
const WRONG_ARGUMENTS: u8 = 2;
/// Exit code of a program that was killed.
const KILLED: u8 = 137;

/// What can be wrong with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AgentFault {
    /// Nothing.
    #[default]
    None,
    /// `app_process` fails, as on a phone whose maker has crippled it.
    NoStart,
    /// It starts and never says where it listens.
    SilentStart,
    /// It takes requests and answers none.
    Hung,
    /// It is of another version.
    OtherVersion,
}

/// How it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arguments {
    build: String,
    idle: Duration,
    release: Duration,
    connect: Duration,
    /// All of them, as given.
    words: Vec<String>,
}

impl Arguments {
    /// Reads what follows the name of the class; `None` when it makes no sense.
    fn parse(words: &[String]) -> Option<Self> {
        let seconds = Duration::from_secs;
        let (mut idle, mut release, mut connect) = (seconds(1800), seconds(10), seconds(30));
        let mut build = None;
        for pair in words.chunks(2) {
            let [name, value] = pair else { return None };
            let within =
                |most: u64| value.parse().ok().filter(|number| (1..=most).contains(number)).map(seconds);
            match name.as_str() {
                "--build" => {
                    let proper = value.len() <= 64 && value.bytes().all(|digit| digit.is_ascii_hexdigit());
                    build = Some(value.clone()).filter(|_| proper);
                }
                "--idle-seconds" => idle = within(86_400)?,
                "--release-seconds" => release = within(3600)?,
                "--connect-seconds" => connect = within(600)?,
                _ => return None,
            }
        }
        Some(Self { build: build?, idle, release, connect, words: words.to_vec() })
    }
}

/// Runs the agent whose file is `jar` until it ends; returns its exit code.
pub(crate) async fn run(
    phone: &Arc<SimPhone>,
    jar: &str,
    words: &[String],
    stdout: &Sink,
    stderr: &Sink,
) -> u8 {
    let Some(arguments) = Arguments::parse(words) else {
        let _ = stderr.write("fingertip: wrong arguments\n").await;
        return WRONG_ARGUMENTS;
    };
    let mut killed = phone.automation().kills();
    tokio::select! {
        exit = phone.jvm.run(phone, jar, &arguments, stdout, stderr) => exit,
        // The one who started it has gone, which hangs it up.
        () = stdout.closed() => KILLED,
        _ = killed.changed() => KILLED,
    }
}

/// A number that cannot be guessed, in hex.
fn secret(words: usize) -> String {
    (0..words).map(|_| format!("{:016x}", RandomState::new().hash_one(0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<Arguments> {
        Arguments::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_have_defaults_and_limits() {
        let plain = parse("--build ab12").unwrap();
        assert_eq!((plain.idle.as_secs(), plain.release.as_secs(), plain.connect.as_secs()), (1800, 10, 30));
        assert_eq!(parse("--build ab12 --release-seconds 1").unwrap().release.as_secs(), 1);
        for wrong in ["", "--build", "--build xyz", "--build a --idle-seconds 0", "--build a --other 1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn no_two_secrets_are_alike() {
        assert_eq!(secret(2).len(), 32);
        assert_ne!(secret(2), secret(2));
    }
}
