//! Files: `sync`, in its first version, which every phone speaks.

use std::time::{SystemTime, UNIX_EPOCH};

use fingertip_core::{Deadline, Result};

use super::connection::Connection;
use super::device::AdbDevice;
use super::fault::{Answer, Failure};
use crate::within;

/// The longest file that is read from a phone, in bytes.
pub const MAX_PULL: usize = 64 * 1024 * 1024;
/// The most bytes of a file in one packet.
const MAX_DATA: usize = 64 * 1024;
/// The longest path.
const MAX_PATH: usize = 1024;
/// The longest reason that is read when a phone refuses.
const MAX_REASON: usize = 4096;
/// A plain file, in the mode bits of Unix.
const PLAIN_FILE: u32 = 0o100_000;

/// What is known of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Mode bits; zero when there is no such file.
    pub mode: u32,
    /// Its length, in bytes.
    pub size: u32,
    /// When it was last changed, in seconds since 1970.
    pub modified: u32,
}

impl AdbDevice {
    /// What is known of a file; `None` when there is none.
    ///
    /// # Errors
    /// When the phone is away or does not answer in time.
    pub async fn stat(&self, path: &str, deadline: Deadline) -> Result<Option<Stat>> {
        self.synchronize(deadline, async |connection| {
            send(connection, *b"STAT", path.as_bytes()).await?;
            expect(connection, *b"STAT").await?;
            let mode = number(connection).await?;
            let (size, modified) = (number(connection).await?, number(connection).await?);
            Ok((mode != 0).then_some(Stat { mode, size, modified }))
        })
        .await
    }

    /// Writes a file on the phone.
    ///
    /// # Errors
    /// When the phone is away, refuses, or does not take it in time.
    pub async fn push(&self, path: &str, mode: u32, content: &[u8], deadline: Deadline) -> Result<()> {
        self.synchronize(deadline, async |connection| {
            send(connection, *b"SEND", format!("{path},{}", PLAIN_FILE | mode).as_bytes()).await?;
            for chunk in content.chunks(MAX_DATA) {
                send(connection, *b"DATA", chunk).await?;
            }
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as u32;
            connection.write(&header(*b"DONE", now)).await?;
            expect(connection, *b"OKAY").await?;
            number(connection).await.map(drop)
        })
        .await
    }

    /// Reads a file of the phone, of [`MAX_PULL`] bytes at the most.
    ///
    /// # Errors
    /// When the phone is away, refuses, does not give it in time, or it is too long.
    pub async fn pull(&self, path: &str, deadline: Deadline) -> Result<Vec<u8>> {
        self.synchronize(deadline, async |connection| {
            send(connection, *b"RECV", path.as_bytes()).await?;
            let mut content = Vec::new();
            loop {
                let id = identifier(connection).await?;
                let length = number(connection).await? as usize;
                match &id {
                    b"DONE" => return Ok(content),
                    b"DATA" if length <= MAX_DATA && content.len() + length <= MAX_PULL => {
                        let start = content.len();
                        content.resize(start + length, 0);
                        connection.read_exact(&mut content[start..]).await?;
                    }
                    b"DATA" => return Err(Failure::Nonsense("a file longer than any that is read")),
                    _ => return Err(Failure::Nonsense("neither data nor their end")),
                }
            }
        })
        .await
    }

    async fn synchronize<T>(
        &self,
        deadline: Deadline,
        talk: impl AsyncFnOnce(&mut Connection) -> Answer<T>,
    ) -> Result<T> {
        let _place = self.place(deadline).await?;
        let mut connection = self.open("sync:", deadline).await?;
        within(deadline, "copying a file", async {
            talk(&mut connection).await.map_err(|failure| failure.of_device(self.serial()))
        })
        .await
    }
}

fn header(id: [u8; 4], number: u32) -> [u8; 8] {
    let mut header = [0; 8];
    header[..4].copy_from_slice(&id);
    header[4..].copy_from_slice(&number.to_le_bytes());
    header
}

async fn send(connection: &mut Connection, id: [u8; 4], data: &[u8]) -> Answer<()> {
    if &id != b"DATA" && data.len() > MAX_PATH {
        return Err(Failure::Refused("the path is too long".to_owned()));
    }
    connection.write(&[&header(id, data.len() as u32), data].concat()).await?;
    Ok(())
}

async fn number(connection: &mut Connection) -> Answer<u32> {
    let mut bytes = [0; 4];
    connection.read_exact(&mut bytes).await?;
    Ok(u32::from_le_bytes(bytes))
}

/// Reads what comes next; a refusal is read with its reason.
async fn identifier(connection: &mut Connection) -> Answer<[u8; 4]> {
    let mut id = [0; 4];
    connection.read_exact(&mut id).await?;
    if &id != b"FAIL" {
        return Ok(id);
    }
    let mut reason = vec![0; (number(connection).await? as usize).min(MAX_REASON)];
    connection.read_exact(&mut reason).await?;
    Err(Failure::Refused(format!("the file: {}", String::from_utf8_lossy(&reason))))
}

async fn expect(connection: &mut Connection, wanted: [u8; 4]) -> Answer<()> {
    if identifier(connection).await? == wanted {
        Ok(())
    } else {
        Err(Failure::Nonsense("another packet than asked for"))
    }
}
