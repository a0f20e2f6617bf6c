//! Starting the agent: its file is pushed, `app_process` runs it as the shell user, it says where it listens,
//! and the one connection it takes is opened.
//!
//! Nothing stays on the phone: the agent removes its file, and ends with its connection. One that speaks
//! another version is told to quit and replaced once.

use std::ops::ControlFlow;
use std::time::Duration;

use fingertip_core::{Deadline, Error, Reason, Result};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::AgentError;
use super::jar;
use super::link::Link;
use crate::channel::{Device, Output};
use crate::quote::quoted;
use crate::within;

/// The version of the protocol; another one is replaced, not spoken to.
pub(super) const VERSION: u32 = 1;
/// How often the agent is started when another version answers, or its file went away under it.
const ATTEMPTS: u32 = 2;
/// The longest first line that is read.
const MAX_LINE: usize = 4096;
/// The permissions of the pushed file.
const MODE: u32 = 0o644;
const MAIN: &str = "dev.fingertip.agent.Main";
/// What is waited for meanwhile.
const STARTING: &str = "waiting for the agent to start";

/// The agent's first line.
#[derive(Debug, Deserialize)]
struct Introduction {
    fingertip: u32,
    socket: String,
    secret: String,
}

/// What the agent says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Hello {
    version: u32,
    /// The build it was made from.
    pub build: String,
    /// The level of the phone's interfaces.
    pub sdk: u32,
    /// Its process.
    pub pid: u32,
    /// What its maker calls the phone.
    pub model: String,
    /// The release of Android, as people say it.
    pub release: String,
    /// The hidden interfaces that this phone does not have.
    pub failed: Vec<MissingWrapper>,
}

impl Hello {
    /// Fails for one of another version.
    pub(super) fn must_be_ours(&self) -> Result<()> {
        if self.version == VERSION { Ok(()) } else { Err(other_version(self.version)) }
    }
}

/// A hidden interface that is not on this phone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MissingWrapper {
    /// What the agent calls it.
    pub wrapper: String,
    /// What was not found.
    pub message: String,
}

/// A running agent.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) link: Link,
    pub(super) hello: Hello,
    /// The shell that runs it; ends it when dropped.
    pub(super) process: AgentProcess,
}

/// The shell stream that the agent's life hangs on.
#[derive(Debug)]
pub(super) struct AgentProcess(JoinHandle<Result<Output>>);

impl Drop for AgentProcess {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Pushes and starts the agent, and connects to it.
///
/// # Errors
/// When the phone is away, or the agent does not start, does not answer in time, or speaks another version.
pub(super) async fn start(
    device: &Device,
    on_event: impl Fn(&[u8]) + Clone + Send + 'static,
    deadline: Deadline,
) -> Result<Started> {
    let mut attempt = 1;
    loop {
        match start_once(device, on_event.clone(), deadline).await {
            Err(StartError::Transient(error)) if attempt < ATTEMPTS => {
                tracing::info!(%error, "the agent is started once more");
                attempt += 1;
            }
            Err(StartError::Transient(error) | StartError::Permanent(error)) => return Err(error),
            Ok(started) => return Ok(started),
        }
    }
}

/// Whether another attempt may end differently.
enum StartError {
    Transient(Error),
    Permanent(Error),
}

impl From<Error> for StartError {
    fn from(error: Error) -> Self {
        Self::Permanent(error)
    }
}

async fn start_once(
    device: &Device,
    on_event: impl Fn(&[u8]) + Send + 'static,
    deadline: Deadline,
) -> std::result::Result<Started, StartError> {
    device.push(&jar::path(), MODE, jar::BYTES, deadline).await?;
    let (process, introduction) = run(device, deadline).await?;
    if introduction.fingertip != VERSION {
        // Its shell stream ends here, and it with that.
        return Err(StartError::Transient(other_version(introduction.fingertip)));
    }
    let link = Link::new(device.connect(&introduction.socket, deadline).await?, on_event);
    let hello = greet(&link, &introduction.secret, deadline).await?;
    if hello.version != VERSION || hello.build != *jar::BUILD {
        let _: std::result::Result<serde_json::Value, AgentError> =
            link.ask(json!({ "op": "quit" }), deadline).await;
        return Err(StartError::Transient(other_version(hello.version)));
    }
    Ok(Started { link, hello, process })
}

/// Says hello and reads who answers.
///
/// # Errors
/// When no answer comes in time.
pub(super) async fn greet(link: &Link, secret: &str, deadline: Deadline) -> Result<Hello> {
    let hello = json!({ "op": "hello", "version": VERSION, "secret": secret });
    link.ask(hello, deadline).await.map_err(|error| error.into_error("saying hello"))
}

/// Runs the agent and reads its first line.
async fn run(
    device: &Device,
    deadline: Deadline,
) -> std::result::Result<(AgentProcess, Introduction), StartError> {
    let command = format!("CLASSPATH={} exec app_process / {MAIN} --build {}", jar::path(), *jar::BUILD);
    let (sender, mut output) = mpsc::unbounded_channel();
    let starting = within(deadline, STARTING, device.spawn(&command, deadline));
    let mut running = starting.await?;
    let mut process = AgentProcess(tokio::spawn(async move {
        let hand_on = &mut |bytes: &[u8]| {
            // Nothing after the first line is read; the agent goes on all the same.
            let _ = sender.send(bytes.to_vec());
            ControlFlow::Continue(())
        };
        running.read(hand_on).await
    }));
    let line = within(deadline, STARTING, async {
        let mut line = Vec::new();
        while let Some(bytes) = output.recv().await {
            line.extend_from_slice(&bytes);
            if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
                line.truncate(end);
                return Ok(Some(line));
            }
            if line.len() > MAX_LINE {
                break;
            }
        }
        Ok(None)
    })
    .await?;
    let introduction = line.as_deref().and_then(|line| serde_json::from_slice(line).ok());
    match introduction {
        Some(introduction) => Ok((process, introduction)),
        None => Err(explained(&mut process, line.as_deref().unwrap_or_default(), deadline).await),
    }
}

/// Why there is no first line: what the phone printed instead.
async fn explained(process: &mut AgentProcess, line: &[u8], deadline: Deadline) -> StartError {
    let end = deadline.slice(Duration::from_secs(1));
    let output = match tokio::time::timeout_at(end.instant().into(), &mut process.0).await {
        Ok(Ok(Err(error))) => return StartError::Permanent(error),
        Ok(Ok(Ok(output))) => output,
        _ => Output::default(),
    };
    let said = format!("{}\n{}", String::from_utf8_lossy(line), output.errors());
    // Another start of the same agent has removed the file that this one was to run.
    let lost = said.contains("ClassNotFoundException") || said.contains("could not find class");
    let words = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it did not say why");
    let error =
        Error::new(Reason::ActionFailed, format!("The agent did not start on the phone: {}.", quoted(words)));
    if lost { StartError::Transient(error) } else { StartError::Permanent(error) }
}

fn other_version(version: u32) -> Error {
    let message = format!("The agent on the phone is of version {version}, this program of {VERSION}.");
    Error::new(Reason::ActionFailed, message)
}
