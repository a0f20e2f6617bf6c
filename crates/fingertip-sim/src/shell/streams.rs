//! Where a command reads from and writes to.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::SimPhone;
use crate::files::FileError;

/// The most a command keeps of its standard input at once.
pub(super) const MAX_INPUT: usize = 2 * 1024 * 1024;

/// The two channels a command writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Some bytes a command wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// On which channel.
    pub channel: Channel,
    /// What.
    pub data: Bytes,
}

/// The reader went away, so the command has no reason to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

/// Where output goes.
#[derive(Debug, Clone)]
pub enum Sink {
    /// To a reader, as this channel.
    Reader(mpsc::Sender<Chunk>, Channel),
    /// To the end of a file.
    File(Arc<SimPhone>, String),
    /// Nowhere.
    Null,
}

impl Sink {
    /// Writes everything.
    ///
    /// # Errors
    /// When the reader is gone.
    pub async fn write(&self, data: impl Into<Bytes> + Send) -> Result<(), Closed> {
        let data = data.into();
        if data.is_empty() {
            return Ok(());
        }
        match self {
            Self::Reader(sender, channel) => {
                sender.send(Chunk { channel: *channel, data }).await.map_err(|_| Closed)
            }
            Self::File(phone, path) => append(phone, path, &data).map_err(|_| Closed),
            Self::Null => Ok(()),
        }
    }

    /// Waits until the reader is gone; forever when there is none.
    pub async fn closed(&self) {
        match self {
            Self::Reader(sender, _) => sender.closed().await,
            Self::File(..) | Self::Null => std::future::pending().await,
        }
    }
}

fn append(phone: &SimPhone, path: &str, data: &[u8]) -> Result<(), FileError> {
    let now = phone.epoch_seconds();
    let mut files = phone.files();
    let mut whole = files.read(path).map(Vec::from).unwrap_or_default();
    whole.extend_from_slice(data);
    files.write(path, whole.into(), 0o660, now)
}

/// Where input comes from.
#[derive(Debug)]
pub enum Source {
    /// What is left of some bytes; none is the end.
    Data(Bytes),
    /// Another command, or the client.
    Channel(mpsc::Receiver<Bytes>),
    /// Another command's output.
    Pipe(mpsc::Receiver<Chunk>),
}

impl Source {
    /// Input that ends at once.
    #[must_use]
    pub const fn empty() -> Self {
        Self::Data(Bytes::new())
    }

    /// Input of exactly these bytes.
    #[must_use]
    pub fn data(data: impl Into<Bytes>) -> Self {
        Self::Data(data.into())
    }

    /// The next bytes; `None` at the end.
    pub async fn read(&mut self) -> Option<Bytes> {
        match self {
            Self::Data(data) => Some(std::mem::take(data)).filter(|data| !data.is_empty()),
            Self::Channel(receiver) => receiver.recv().await,
            Self::Pipe(receiver) => receiver.recv().await.map(|chunk| chunk.data),
        }
    }

    /// Everything up to the end, or to the most a command keeps.
    pub async fn read_to_end(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while all.len() < MAX_INPUT {
            let Some(data) = self.read().await else { break };
            all.extend_from_slice(&data);
        }
        all
    }
}

/// The three streams of a command.
#[derive(Debug)]
pub struct Streams {
    /// Where it reads.
    pub stdin: Source,
    /// Where it writes.
    pub stdout: Sink,
    /// Where it complains.
    pub stderr: Sink,
}

impl Streams {
    /// Both outputs go to one reader, which sees them in order.
    #[must_use]
    pub fn new(stdin: Source, output: &mpsc::Sender<Chunk>) -> Self {
        Self {
            stdin,
            stdout: Sink::Reader(output.clone(), Channel::Stdout),
            stderr: Sink::Reader(output.clone(), Channel::Stderr),
        }
    }
}
