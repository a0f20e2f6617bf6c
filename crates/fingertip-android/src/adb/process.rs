//! Commands on the phone.
//!
//! Phones that know `shell_v2` keep output, errors and the exit code apart. Older ones are asked with `exec`,
//! which mixes errors into the output and loses the exit code, but leaves bytes alone (`shell` would turn
//! line ends into CRLF there).

use async_trait::async_trait;
use fingertip_core::{Error, Reason, Result};

use super::connection::Connection;
use super::error::{AdbError, Answer};
use crate::channel::{CHUNK, MAX_ERROR_TEXT, Output, Process, Sink};

/// The longest packet believed: phones send far shorter ones, so a longer one is rubbish.
const MAX_PACKET: usize = 16 * 1024 * 1024;

/// The kinds of packet of `shell_v2`.
mod kind {
    pub(super) const INPUT: u8 = 0;
    pub(super) const OUTPUT: u8 = 1;
    pub(super) const ERROR: u8 = 2;
    pub(super) const EXIT: u8 = 3;
    pub(super) const END_OF_INPUT: u8 = 4;
}

/// A command that runs on a phone; adbd ends it with its stream.
pub(super) struct AdbProcess {
    pub(super) connection: Connection,
    pub(super) serial: String,
    pub(super) shell_v2: bool,
}

#[async_trait]
impl Process for AdbProcess {
    async fn write(&mut self, input: &[u8]) -> Result<()> {
        for chunk in input.chunks(CHUNK) {
            self.send(kind::INPUT, chunk).await?;
        }
        Ok(())
    }

    async fn close_input(&mut self) -> Result<()> {
        self.send(kind::END_OF_INPUT, &[]).await
    }

    async fn read(&mut self, sink: Sink<'_>) -> Result<Output> {
        let connection = &mut self.connection;
        let output =
            if self.shell_v2 { packets(connection, sink).await } else { plain(connection, sink).await };
        output.map_err(|error| error.into_error(&self.serial))
    }
}

impl AdbProcess {
    async fn send(&mut self, kind: u8, data: &[u8]) -> Result<()> {
        if !self.shell_v2 {
            return Err(Error::new(Reason::Unsupported, "This phone's commands cannot be given input."));
        }
        let length = (data.len() as u32).to_le_bytes();
        let sent = self.connection.write(&[&[kind][..], &length, data].concat()).await;
        sent.map_err(|error| AdbError::from(error).into_error(&self.serial))
    }
}

async fn packets(connection: &mut Connection, sink: Sink<'_>) -> Answer<Output> {
    let mut output = Output::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let mut header = [0; 5];
        connection.read_exact(&mut header).await?;
        let [kind, length @ ..] = header;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_PACKET || !(kind::OUTPUT..=kind::EXIT).contains(&kind) {
            return Err(AdbError::Nonsense("a packet that no shell sends"));
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

async fn plain(connection: &mut Connection, sink: Sink<'_>) -> Answer<Output> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = connection.read(&mut chunk).await?;
        if read == 0 || sink(&chunk[..read]).is_break() {
            return Ok(Output::default());
        }
    }
}
