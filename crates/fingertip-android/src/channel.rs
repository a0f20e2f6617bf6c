//! The channel to a device: commands, files and local sockets, wherever this program runs.
//!
//! A [`DeviceChannel`] only opens things: through adb, or on the phone this program runs on. A [`Device`] is what everything else holds: it bounds
//! every operation by an absolute deadline, output by a limit, and the commands and files under way by a fair queue.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::fair::{Gate, Pass};
use fingertip_core::{Deadline, Result};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::wait::crowded;
use crate::within;

/// How many commands and files may be under way on one device at once. Each is a process there; the memory and the
/// connection of a phone are small.
const MAX_STREAMS: usize = 8;
/// How many of those are kept for calls that act, so that no number of looks holds them up.
const RESERVED_FOR_ACTING: usize = 2;

/// The most error text that is kept of a command, in bytes.
pub(crate) const MAX_ERROR_TEXT: usize = 64 * 1024;
/// How much of a command's output is handed on at a time, in bytes.
pub(crate) const CHUNK: usize = 64 * 1024;
/// The longest file that is read from a phone, in bytes.
pub(crate) const MAX_PULL: usize = 64 * 1024 * 1024;

/// A way to one device. Errors say what is wrong with the device and what to do; the caller keeps the time.
#[async_trait]
pub(crate) trait DeviceChannel: fmt::Debug + Send + Sync {
    /// The serial of the device.
    fn serial(&self) -> &str;

    /// As [`fingertip_core::Target::machine_name`].
    fn machine_name(&self) -> Option<String>;

    /// Starts a shell command.
    async fn spawn(&self, command: &str, deadline: Deadline) -> Result<Box<dyn Process>>;

    /// Writes a file with these mode bits.
    async fn push(&self, path: &str, mode: u32, content: &[u8], deadline: Deadline) -> Result<()>;

    /// Reads a file of bounded length.
    async fn pull(&self, path: &str, deadline: Deadline) -> Result<Vec<u8>>;

    /// Connects to an abstract socket.
    async fn connect(&self, socket: &str, deadline: Deadline) -> Result<Box<dyn Stream>>;
}

/// A shell command that runs on a device; dropped, it is ended.
#[async_trait]
pub(crate) trait Process: Send {
    /// Writes to its input.
    async fn write(&mut self, input: &[u8]) -> Result<()>;

    /// Closes its input.
    async fn close_input(&mut self) -> Result<()>;

    /// Passes its output to `sink` as it comes, until it exits or `sink` breaks off; returns errors and exit code.
    async fn read(&mut self, sink: Sink<'_>) -> Result<Output>;
}

/// Takes output piece by piece.
pub(crate) type Sink<'a> = &'a mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send);

/// A stream of bytes in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// What a command said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// Its output; on phones without `shell_v2` its errors too.
    pub stdout: Vec<u8>,
    /// Its errors.
    pub stderr: Vec<u8>,
    /// Its exit code, where the phone reports it.
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

/// One device, there or not. Clones share its channel and its queue.
#[derive(Debug, Clone)]
pub struct Device {
    channel: Arc<dyn DeviceChannel>,
    streams: Gate,
}

impl Device {
    pub(crate) fn new(channel: impl DeviceChannel + 'static) -> Self {
        let streams = Gate::with_reserve(MAX_STREAMS, RESERVED_FOR_ACTING);
        Self { channel: Arc::new(channel), streams }
    }

    /// Its serial, as in `adb devices`.
    #[must_use]
    pub fn serial(&self) -> &str {
        self.channel.serial()
    }

    pub(crate) fn machine_name(&self) -> Option<String> {
        self.channel.machine_name()
    }

    /// Runs a shell command and collects at most `limit` bytes of its output.
    ///
    /// # Errors
    /// When the device is away, goes away, or does not answer in time; not when the command fails.
    pub async fn run(&self, command: &str, limit: usize, deadline: Deadline) -> Result<Output> {
        let _place = self.place(deadline).await?;
        within(deadline, "waiting for the phone", async {
            collect(&mut *self.channel.spawn(command, deadline).await?, limit).await
        })
        .await
    }

    /// Runs a shell command and passes its output to `sink` as it comes, until that breaks off.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn stream(
        &self,
        command: &str,
        mut sink: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
        deadline: Deadline,
    ) -> Result<Output> {
        let _place = self.place(deadline).await?;
        within(deadline, "waiting for the phone", async {
            self.channel.spawn(command, deadline).await?.read(&mut sink).await
        })
        .await
    }

    /// Starts a shell command that takes no place from others; how long it is waited for is up to the caller.
    pub(crate) async fn spawn(&self, command: &str, deadline: Deadline) -> Result<Box<dyn Process>> {
        self.channel.spawn(command, deadline).await
    }

    /// Writes a file on the device.
    ///
    /// # Errors
    /// When the device is away, refuses, or does not take it in time.
    pub async fn push(&self, path: &str, mode: u32, content: &[u8], deadline: Deadline) -> Result<()> {
        let _place = self.place(deadline).await?;
        within(deadline, "copying a file", self.channel.push(path, mode, content, deadline)).await
    }

    /// Reads a file of the device.
    ///
    /// # Errors
    /// When the device is away, refuses, does not give it in time, or it is too long.
    pub async fn pull(&self, path: &str, deadline: Deadline) -> Result<Vec<u8>> {
        let _place = self.place(deadline).await?;
        within(deadline, "copying a file", self.channel.pull(path, deadline)).await
    }

    /// Connects to an abstract socket of the device.
    ///
    /// # Errors
    /// When the device is away, or nothing listens there.
    pub async fn connect(&self, socket: &str, deadline: Deadline) -> Result<Box<dyn Stream>> {
        within(deadline, "opening a stream to the phone", self.channel.connect(socket, deadline)).await
    }

    /// Waits until one more command or file may be under way.
    async fn place(&self, deadline: Deadline) -> Result<Pass> {
        let entering = self.streams.enter(deadline.claim());
        tokio::time::timeout_at(deadline.instant().into(), entering)
            .await
            .map_err(|_| crowded("waiting for the phone", self.streams.waiting()))
    }
}

/// Reads at most `limit` bytes of what a command says; a command that says more is not waited for.
pub(crate) async fn collect(process: &mut dyn Process, limit: usize) -> Result<Output> {
    let mut stdout = Vec::new();
    let mut cut = false;
    let take = &mut |bytes: &[u8]| {
        let room = limit - stdout.len();
        stdout.extend_from_slice(&bytes[..bytes.len().min(room)]);
        cut = bytes.len() > room;
        if cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let output = process.read(take).await?;
    Ok(Output { stdout, cut, ..output })
}
