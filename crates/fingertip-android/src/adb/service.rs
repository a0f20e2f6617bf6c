//! Running commands on the phone.
//!
//! Phones that know `shell_v2` keep output, errors and the exit code apart. Older ones are asked with `exec`,
//! which mixes errors into the output and loses the exit code, but leaves bytes alone (`shell` would turn
//! line ends into CRLF there).

use std::ops::ControlFlow;
use std::time::Duration;

use fingertip_core::{Deadline, Error, Reason, Result};

use super::connection::Connection;
use super::device::AdbDevice;
use super::fault::{Answer, Failure};
use crate::within;

/// The longest packet believed: phones send far shorter ones, so a longer one is rubbish.
const MAX_PACKET: usize = 16 * 1024 * 1024;
/// The most error text that is kept of a command, in bytes.
const MAX_ERROR_TEXT: usize = 64 * 1024;
/// How much is handed on at a time, in bytes.
const CHUNK: usize = 64 * 1024;

/// How long a command is followed that never ends: as long as any phone is attached.
const LIFETIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The kinds of packet of `shell_v2`.
mod kind {
    pub(super) const INPUT: u8 = 0;
    pub(super) const OUTPUT: u8 = 1;
    pub(super) const ERROR: u8 = 2;
    pub(super) const EXIT: u8 = 3;
    pub(super) const END_OF_INPUT: u8 = 4;
}

/// What a command said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// Its output; on phones without `shell_v2` its errors too.
    pub stdout: Vec<u8>,
    /// Its errors.
    pub stderr: Vec<u8>,
    /// Its exit code, where the phone tells.
    pub exit: Option<u8>,
    /// Whether there was more output than was asked for; the rest was not read.
    pub cut: bool,
}

impl Output {
    /// The output as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// The errors as text.
    #[must_use]
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

impl AdbDevice {
    /// Runs a shell command and collects at most `limit` bytes of its output.
    ///
    /// # Errors
    /// When the phone is away, goes away, or does not answer in time; not when the command fails.
    pub async fn run(&self, command: &str, limit: usize, deadline: Deadline) -> Result<Output> {
        self.feed(command, &[], limit, deadline).await
    }

    /// Runs a shell command that reads `input`.
    ///
    /// # Errors
    /// As [`Self::run`]; and when there is input for a phone without `shell_v2`, which cannot be given any.
    pub async fn feed(
        &self,
        command: &str,
        input: &[u8],
        limit: usize,
        deadline: Deadline,
    ) -> Result<Output> {
        let mut stdout = Vec::new();
        let mut cut = false;
        let collect = |bytes: &[u8]| {
            let room = limit - stdout.len();
            stdout.extend_from_slice(&bytes[..bytes.len().min(room)]);
            cut = bytes.len() > room;
            if cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _place = self.place(deadline).await?;
        let output = self.converse(command, input, collect, deadline).await?;
        Ok(Output { stdout, cut, ..output })
    }

    /// Starts a shell command that is given its input bit by bit.
    ///
    /// # Errors
    /// As [`Self::feed`].
    pub(crate) async fn open_feed(&self, command: &str, deadline: Deadline) -> Result<Feed> {
        within(deadline, "waiting for the phone", async {
            let choose = |_| format!("shell,v2,raw:{command}");
            let (connection, features) = self.open_by_features(choose, deadline).await?;
            if !features.shell_v2 {
                return Err(inputless());
            }
            Ok(Feed { connection, serial: self.serial().to_owned() })
        })
        .await
    }

    /// Runs a shell command and hands its output on as it comes, until `sink` breaks off.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn stream(
        &self,
        command: &str,
        sink: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
        deadline: Deadline,
    ) -> Result<Output> {
        let _place = self.place(deadline).await?;
        self.converse(command, &[], sink, deadline).await
    }

    /// As [`Self::stream`], for a command that runs for as long as the phone is there: it takes no place from
    /// others.
    pub(crate) async fn follow(
        &self,
        command: &str,
        sink: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
    ) -> Result<Output> {
        self.converse(command, &[], sink, Deadline::after(LIFETIME)).await
    }

    async fn converse(
        &self,
        command: &str,
        input: &[u8],
        sink: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
        deadline: Deadline,
    ) -> Result<Output> {
        within(deadline, "waiting for the phone", async {
            let choose = |features: super::device::Features| {
                if features.shell_v2 { format!("shell,v2,raw:{command}") } else { format!("exec:{command}") }
            };
            let (connection, features) = self.open_by_features(choose, deadline).await?;
            if !features.shell_v2 && !input.is_empty() {
                return Err(inputless());
            }
            let output = if features.shell_v2 {
                packets(connection, input, sink).await
            } else {
                plain(connection, sink).await
            };
            output.map_err(|failure| failure.of_device(self.serial()))
        })
        .await
    }
}

fn inputless() -> Error {
    Error::new(Reason::Unsupported, "This phone's commands cannot be given input.")
}

/// A command that runs and waits for input; ends with its stream when dropped.
#[derive(Debug)]
pub(crate) struct Feed {
    connection: Connection,
    serial: String,
}

impl Feed {
    /// Gives it this.
    pub(crate) async fn write(&mut self, input: &[u8], deadline: Deadline) -> Result<()> {
        within(deadline, "waiting for the phone", async {
            for chunk in input.chunks(CHUNK) {
                let sent = self.connection.write(&packet(kind::INPUT, chunk)).await;
                sent.map_err(|error| Failure::from(error).of_device(&self.serial))?;
            }
            Ok(())
        })
        .await
    }

    /// Ends its input and collects at most `limit` bytes of what it says.
    pub(crate) async fn finish(mut self, limit: usize, deadline: Deadline) -> Result<Output> {
        let serial = self.serial;
        within(deadline, "waiting for the phone", async {
            let mut stdout = Vec::new();
            let collect = |bytes: &[u8]| {
                stdout.extend_from_slice(&bytes[..bytes.len().min(limit - stdout.len())]);
                ControlFlow::Continue(())
            };
            let ended = async {
                self.connection.write(&packet(kind::END_OF_INPUT, &[])).await?;
                packets(self.connection, &[], collect).await
            };
            let output = ended.await.map_err(|failure| failure.of_device(&serial))?;
            Ok(Output { stdout, ..output })
        })
        .await
    }
}

async fn packets(
    mut connection: Connection,
    input: &[u8],
    mut sink: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Answer<Output> {
    if !input.is_empty() {
        for chunk in input.chunks(CHUNK) {
            connection.write(&packet(kind::INPUT, chunk)).await?;
        }
        connection.write(&packet(kind::END_OF_INPUT, &[])).await?;
    }
    let mut output = Output::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let mut header = [0; 5];
        connection.read_exact(&mut header).await?;
        let [kind, length @ ..] = header;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_PACKET || !(kind::OUTPUT..=kind::EXIT).contains(&kind) {
            return Err(Failure::Nonsense("a packet that no shell sends"));
        }
        let mut left = length;
        while left > 0 {
            let part = &mut chunk[..left.min(CHUNK)];
            connection.read_exact(part).await?;
            left -= part.len();
            match kind {
                kind::OUTPUT if sink(part).is_break() => return Ok(output),
                kind::ERROR => {
                    let room = MAX_ERROR_TEXT - output.stderr.len();
                    output.stderr.extend_from_slice(&part[..part.len().min(room)]);
                }
                kind::EXIT => output.exit = part.first().copied(),
                _ => {}
            }
        }
        if kind == kind::EXIT {
            return Ok(output);
        }
    }
}

async fn plain(mut connection: Connection, mut sink: impl FnMut(&[u8]) -> ControlFlow<()>) -> Answer<Output> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = connection.read(&mut chunk).await?;
        if read == 0 || sink(&chunk[..read]).is_break() {
            return Ok(Output::default());
        }
    }
}

fn packet(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut packet = Vec::with_capacity(5 + data.len());
    packet.push(kind);
    packet.extend_from_slice(&(data.len() as u32).to_le_bytes());
    packet.extend_from_slice(data);
    packet
}

/// An argument that a shell passes on as it is.
pub(crate) fn shell_quoted(argument: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,@%+=".contains(&byte);
    if !argument.is_empty() && argument.bytes().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::shell_quoted;

    #[test]
    fn a_shell_sees_the_argument_as_it_is() {
        assert_eq!(shell_quoted("com.example.app"), "com.example.app");
        assert_eq!(shell_quoted(""), "''");
        assert_eq!(shell_quoted("a b"), "'a b'");
        assert_eq!(
            shell_quoted("it's $(reboot) `x` \"q\" & | ; \\"),
            r#"'it'\''s $(reboot) `x` "q" & | ; \'"#
        );
    }
}
