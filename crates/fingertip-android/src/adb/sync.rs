//! Files: `sync`, in its first version, which every phone speaks.

use std::time::{SystemTime, UNIX_EPOCH};

use super::connection::Connection;
use super::error::{AdbError, Answer};
use crate::channel::MAX_PULL;

/// The most bytes of a file in one packet.
const MAX_DATA: usize = 64 * 1024;
/// The longest path.
const MAX_PATH: usize = 1024;
/// The longest reason that is read when a phone refuses.
const MAX_REASON: usize = 4096;
/// A plain file, in the mode bits of Unix.
const PLAIN_FILE: u32 = 0o100_000;

/// Writes a file on the phone.
pub(super) async fn push(connection: &mut Connection, path: &str, mode: u32, content: &[u8]) -> Answer<()> {
    send(connection, *b"SEND", format!("{path},{}", PLAIN_FILE | mode).as_bytes()).await?;
    for chunk in content.chunks(MAX_DATA) {
        send(connection, *b"DATA", chunk).await?;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as u32;
    connection.write(&header(*b"DONE", now)).await?;
    match &identifier(connection).await? {
        b"OKAY" => number(connection).await.map(drop),
        _ => Err(AdbError::Nonsense("another packet than asked for")),
    }
}

/// Reads a file of the phone, of [`MAX_PULL`] bytes at the most.
pub(super) async fn pull(connection: &mut Connection, path: &str) -> Answer<Vec<u8>> {
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
            b"DATA" => return Err(AdbError::Nonsense("a file longer than any that is read")),
            _ => return Err(AdbError::Nonsense("neither data nor their end")),
        }
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
        return Err(AdbError::Refused("the path is too long".to_owned()));
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
    Err(AdbError::Refused(format!("the file: {}", String::from_utf8_lossy(&reason))))
}
