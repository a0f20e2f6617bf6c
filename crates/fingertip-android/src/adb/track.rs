//! The live list of phones.

use fingertip_core::Result;

use super::connection::{Connection, length};
use super::error::{AdbError, Answer};
use crate::parse::devices::{self, Listed};

/// How much is read at a time, in bytes.
const CHUNK: usize = 4096;
/// The digits of a length.
const DIGITS: usize = 4;

/// Follows the list of phones the server knows.
#[derive(Debug)]
pub(crate) struct Tracker {
    connection: Connection,
    /// What has come of the next list; at most one list and one chunk.
    pending: Vec<u8>,
}

impl Tracker {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection, pending: Vec::new() }
    }

    /// Waits for the next list: at once the first time, then whenever it changes. There is no deadline: a
    /// list may stay the same for days. Dropping the wait loses nothing.
    ///
    /// # Errors
    /// When the server ends.
    pub(crate) async fn next(&mut self) -> Result<Vec<Listed>> {
        self.next_text().await.map(|list| devices::parse(&list)).map_err(AdbError::of_server)
    }

    async fn next_text(&mut self) -> Answer<String> {
        loop {
            if let Some(text) = take(&mut self.pending)? {
                return Ok(text);
            }
            let mut chunk = [0; CHUNK];
            let read = self.connection.read(&mut chunk).await?;
            if read == 0 {
                return Err(AdbError::Broken(std::io::ErrorKind::UnexpectedEof.into()));
            }
            self.pending.extend_from_slice(&chunk[..read]);
        }
    }
}

/// The first list, once it is there as a whole.
fn take(pending: &mut Vec<u8>) -> Answer<Option<String>> {
    let Some(digits) = pending.first_chunk::<DIGITS>() else { return Ok(None) };
    let end = DIGITS + length(*digits)?;
    let Some(list) = pending.get(DIGITS..end) else { return Ok(None) };
    let text = String::from_utf8_lossy(list).into_owned();
    pending.drain(..end);
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_one_by_one_however_they_arrive() {
        let mut pending = Vec::new();
        let mut lists = Vec::new();
        for byte in b"0008X\tdevice0000000aX\toffline\n" {
            pending.push(*byte);
            lists.extend(take(&mut pending).unwrap());
        }
        assert_eq!(lists, ["X\tdevice", "", "X\toffline\n"]);
        assert!(take(&mut b"zzzz".to_vec()).is_err());
    }
}
