//! The phone's shell: lines as `adb shell` sends them, run against the simulated phone.
//!
//! [`run`] takes a line and gives back all it printed; [`execute`] does the same over streams, for commands
//! that follow something or read as they go. The language is the small part of mksh that tools use over adb:
//! lists, pipes, redirects, quoting, variables, globs, background jobs. Not here: functions, loops, job control.

mod commands;
mod expand;
mod interactive;
mod interpreter;
mod lexer;
mod parser;
mod streams;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;

pub use interactive::interact;
pub use lexer::MAX_LINE;
pub use parser::SyntaxError;
pub use streams::{Channel, Chunk, Sink, Source, Streams};

use crate::SimPhone;

/// Chunks of output that may wait for a slow reader before the command has to.
pub const OUTPUT_BACKLOG: usize = 32;

/// What a line printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code; 0 is success.
    pub exit: u8,
}

impl Output {
    /// Success with this on standard output.
    #[must_use]
    pub fn success(stdout: impl Into<Vec<u8>>) -> Self {
        Self { stdout: stdout.into(), ..Self::default() }
    }

    /// Failure with this on standard error.
    #[must_use]
    pub fn failure(exit: u8, stderr: impl Into<Vec<u8>>) -> Self {
        Self { stderr: stderr.into(), exit, ..Self::default() }
    }
}

/// Runs a line to its end and keeps all it prints.
pub async fn run(phone: &Arc<SimPhone>, line: &str, stdin: impl Into<Bytes>) -> Output {
    let (sender, mut chunks) = mpsc::channel(OUTPUT_BACKLOG);
    let streams = Streams::new(Source::data(stdin), &sender);
    drop(sender);
    let running = tokio::spawn(execute(Arc::clone(phone), line.to_owned(), streams));
    let mut output = Output::default();
    while let Some(chunk) = chunks.recv().await {
        match chunk.channel {
            Channel::Stdout => output.stdout.extend(chunk.data),
            Channel::Stderr => output.stderr.extend(chunk.data),
        }
    }
    output.exit = running.await.unwrap_or(interpreter::CRASHED);
    output
}

/// Runs a line over streams and returns its exit code. Output is complete when its channel closes.
pub async fn execute(phone: Arc<SimPhone>, line: String, streams: Streams) -> u8 {
    interpreter::Shell::new(phone).run_line(&line, streams).await
}

#[cfg(test)]
mod tests;
