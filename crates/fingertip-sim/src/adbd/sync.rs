//! The `sync:` service: push, pull, list and stat, in both versions of its protocol.
//!
//! Requests are an id of four letters, a little-endian length and a path; several follow each other on one
//! stream. A file that cannot be written is read to its end first, so that the refusal is not lost in the
//! middle of what the client still sends.

mod wire;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufStream};

use self::wire::{Id, stat_v1, stat_v2};
use super::service::ServiceStream;
use crate::SimPhone;
use crate::files::{FileError, MAX_FILE};

/// The longest path.
const MAX_PATH: u32 = 1024;

/// The most bytes in one packet of file data.
const MAX_DATA: usize = 64 * 1024;

type Stream<S> = BufStream<S>;

/// Answers requests until the client says QUIT or goes away.
pub(super) async fn serve(phone: &SimPhone, stream: impl ServiceStream) -> std::io::Result<()> {
    let mut stream = Stream::with_capacity(MAX_DATA, 2 * MAX_DATA, stream);
    while let Some((id, length)) = read_header(&mut stream).await? {
        if &id == b"QUIT" {
            break;
        }
        if length > MAX_PATH {
            fail(&mut stream, "path too long").await?;
            break;
        }
        let mut path = vec![0; length as usize];
        stream.read_exact(&mut path).await?;
        let path = String::from_utf8_lossy(&path).into_owned();
        if !answer(phone, &mut stream, id, &path).await? {
            break;
        }
        stream.flush().await?;
    }
    stream.flush().await?;
    stream.shutdown().await
}

/// Answers one request; `false` when nothing sensible can follow.
async fn answer<S: ServiceStream>(
    phone: &SimPhone,
    stream: &mut Stream<S>,
    id: Id,
    path: &str,
) -> std::io::Result<bool> {
    match &id {
        b"STAT" => {
            let found = stat_v1(phone.files().get(path));
            stream.write_all(&found).await?;
        }
        b"STA2" | b"LST2" => {
            let found = stat_v2(id, phone.files().get(path));
            stream.write_all(&found).await?;
        }
        b"LIST" => {
            let listing = wire::list_v1(phone.files().list(path).unwrap_or_default());
            stream.write_all(&listing).await?;
        }
        b"LIS2" => {
            let listing = wire::list_v2(phone.files().list(path).unwrap_or_default());
            stream.write_all(&listing).await?;
        }
        b"SEND" => {
            let (path, mode) = path.rsplit_once(',').unwrap_or((path, "0644"));
            receive_file(phone, stream, path, mode.parse().unwrap_or(0o644)).await?;
        }
        b"SND2" => {
            let mut options = [0; 12];
            stream.read_exact(&mut options).await?;
            let [_, _, _, _, mode @ .., _, _, _, _] = options;
            if options[8..] != [0; 4] {
                fail(stream, "compression is not supported").await?;
                return Ok(false);
            }
            receive_file(phone, stream, path, u32::from_le_bytes(mode)).await?;
        }
        b"RECV" => send_file(phone, stream, path).await?,
        b"RCV2" => {
            let mut options = [0; 8];
            stream.read_exact(&mut options).await?;
            if options[4..] != [0; 4] {
                fail(stream, "compression is not supported").await?;
                return Ok(false);
            }
            send_file(phone, stream, path).await?;
        }
        _ => {
            fail(stream, &format!("unknown command {:08x}", u32::from_le_bytes(id))).await?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads a pushed file to its end, then stores it or says why not.
async fn receive_file<S: ServiceStream>(
    phone: &SimPhone,
    stream: &mut Stream<S>,
    path: &str,
    mode: u32,
) -> std::io::Result<()> {
    let mut data = BytesMut::new();
    let mut shares = Vec::new();
    let mut full = false;
    let mut chunk = vec![0; MAX_DATA];
    let modified = loop {
        let Some((id, length)) = read_header(stream).await? else {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        };
        match &id {
            b"DONE" => break length,
            b"DATA" if length as usize <= MAX_DATA => {
                let chunk = &mut chunk[..length as usize];
                stream.read_exact(chunk).await?;
                // One byte too many is kept, so that storing it fails for the right reason.
                let room = (MAX_FILE + 1).saturating_sub(data.len());
                let kept = &chunk[..chunk.len().min(room)];
                match phone.bounds().unfinished(kept.len()) {
                    Some(share) if !full => {
                        shares.push(share);
                        data.extend_from_slice(kept);
                    }
                    _ => {
                        full = true;
                        data = BytesMut::new();
                        shares.clear();
                    }
                }
            }
            b"DATA" => {
                fail(stream, "oversize data message").await?;
                return Err(std::io::ErrorKind::InvalidData.into());
            }
            _ => {
                fail(stream, "invalid data message").await?;
                return Err(std::io::ErrorKind::InvalidData.into());
            }
        }
    };
    let stored = if full { Err(FileError::Full) } else { store(phone, path, data.freeze(), mode, modified) };
    match stored {
        Ok(()) => stream.write_all(&wire::header(*b"OKAY", 0)).await,
        Err(error) => fail(stream, &format!("couldn't create file: {error}")).await,
    }
}

fn store(phone: &SimPhone, path: &str, data: Bytes, mode: u32, modified: u32) -> Result<(), FileError> {
    if phone.faults().plan().storage_full {
        return Err(FileError::Full);
    }
    let now = phone.epoch_seconds();
    let mut files = phone.files();
    let parent = path.rsplit_once('/').map_or("/", |(parent, _)| parent);
    if files.get(parent).is_err() {
        files.make_folder(parent, true, now)?;
    }
    files.write(path, data, mode, modified)
}

async fn send_file<S: ServiceStream>(
    phone: &SimPhone,
    stream: &mut Stream<S>,
    path: &str,
) -> std::io::Result<()> {
    let data = phone.files().read(path);
    match data {
        Ok(data) => {
            for chunk in data.chunks(MAX_DATA) {
                stream.write_all(&wire::header(*b"DATA", chunk.len())).await?;
                stream.write_all(chunk).await?;
            }
            stream.write_all(&wire::header(*b"DONE", 0)).await
        }
        Err(error) => fail(stream, &format!("open failed: {error}")).await,
    }
}

async fn fail<S: ServiceStream>(stream: &mut Stream<S>, message: &str) -> std::io::Result<()> {
    stream.write_all(&wire::header(*b"FAIL", message.len())).await?;
    stream.write_all(message.as_bytes()).await?;
    stream.flush().await
}

/// The next id and length; `None` when the client closed the stream between requests.
async fn read_header<S: ServiceStream>(stream: &mut Stream<S>) -> std::io::Result<Option<(Id, u32)>> {
    let mut id = [0; 4];
    if stream.read(&mut id[..1]).await? == 0 {
        return Ok(None);
    }
    stream.read_exact(&mut id[1..]).await?;
    let length = stream.read_u32_le().await?;
    Ok(Some((id, length)))
}

#[cfg(test)]
mod tests;
