//! Frames, the phone's side.

use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest frame taken, as its length field says.
pub(super) const MAX_FRAME: usize = 4 * 1024 * 1024;
const HEADER: usize = 5;
const REQUEST: u8 = 1;

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    Reply(u32, Value),
    Error(u32, Value),
    Event(Value),
    Binary(u32, Value, Vec<u8>),
}

impl Frame {
    /// As bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let (kind, number, object) = match self {
            Self::Reply(number, object) => (2, *number, object),
            Self::Error(number, object) => (3, *number, object),
            Self::Event(object) => (4, 0, object),
            Self::Binary(number, object, _) => (5, *number, object),
        };
        let mut frame = vec![0; 4];
        frame.push(kind);
        frame.extend(u32::to_be_bytes(number));
        if let Self::Binary(_, object, bytes) = self {
            let object = object.to_string();
            frame.extend((object.len() as u32).to_be_bytes());
            frame.extend(object.as_bytes());
            frame.extend(bytes);
        } else {
            frame.extend(object.to_string().as_bytes());
        }
        let length = (frame.len() - 4) as u32;
        frame[..4].copy_from_slice(&length.to_be_bytes());
        frame
    }
}

/// Reads a request; `None` when the connection ends or sends something else: then it has to be closed.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<(u32, Map<String, Value>)> {
    let length = stream.read_u32().await.ok()? as usize;
    let kind = stream.read_u8().await.ok()?;
    let number = stream.read_u32().await.ok()?;
    if !(HEADER..=MAX_FRAME).contains(&length) || kind != REQUEST || number == 0 {
        return None;
    }
    let mut payload = vec![0; length - HEADER];
    stream.read_exact(&mut payload).await.ok()?;
    match serde_json::from_slice(&payload).ok()? {
        Value::Object(object) => Some((number, object)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_request_is_read_and_anything_else_ends_the_connection() {
        let good = b"\0\0\0\x0c\x01\0\0\0\x07{\"a\":1}";
        assert_eq!(read(&mut &good[..]).await.unwrap().1["a"], 1);
        for bad in [
            &b"\0\0\0\x04\x01\0\0\0\x07"[..],
            b"\xff\0\0\0\x01\0\0\0\x07",
            b"\0\0\0\x07\x02\0\0\0\x07{}",
            b"\0\0\0\x07\x01\0\0\0\0{}",
            b"\0\0\0\x07\x01\0\0\0\x07[]",
        ] {
            assert!(read(&mut &bad[..]).await.is_none(), "{bad:?}");
        }
    }

    #[test]
    fn bytes_follow_their_object() {
        let frame = Frame::Binary(3, json!({}), b"xy".to_vec()).encode();
        assert_eq!(frame, b"\0\0\0\x0d\x05\0\0\0\x03\0\0\0\x02{}xy");
    }
}
