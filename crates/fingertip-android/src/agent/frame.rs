//! Frames of the protocol with the agent: a length, a kind, the number of a request, and a payload.
//!
//! Pure, but for reading from a stream. Bytes that are no frame end the conversation: the start of the
//! next frame cannot be found after it.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest frame taken from the agent, as its length field says.
pub(crate) const MAX_FROM_AGENT: usize = 64 * 1024 * 1024;
/// The longest frame the agent takes.
pub(crate) const MAX_TO_AGENT: usize = 4 * 1024 * 1024;
/// Kind and number, which come before the payload.
const HEADER: usize = 5;

const REQUEST: u8 = 1;
const REPLY: u8 = 2;
const ERROR: u8 = 3;
const EVENT: u8 = 4;
const BINARY: u8 = 5;

/// What came from the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The answer to a request: a JSON object.
    Reply(u32, Vec<u8>),
    /// The refusal of a request: a JSON object.
    Error(u32, Vec<u8>),
    /// Something happened: a JSON object.
    Event(Vec<u8>),
    /// The answer to a request, with bytes: a JSON object, and what follows it.
    Binary(u32, Vec<u8>, Vec<u8>),
}

/// Why no further frame can be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    /// The stream broke or ended.
    #[error("the connection ended: {0}")]
    Ended(#[from] io::Error),
    /// What came is no frame.
    #[error("what came is no frame: {0}")]
    Nonsense(&'static str),
}

/// A request as bytes; `None` when it is longer than the agent takes.
pub(crate) fn request(number: u32, payload: &[u8]) -> Option<Vec<u8>> {
    let length = HEADER + payload.len();
    if length > MAX_TO_AGENT {
        return None;
    }
    let mut frame = Vec::with_capacity(4 + length);
    frame.extend_from_slice(&(length as u32).to_be_bytes());
    frame.push(REQUEST);
    frame.extend_from_slice(&number.to_be_bytes());
    frame.extend_from_slice(payload);
    Some(frame)
}

/// Reads the next frame.
///
/// # Errors
/// When the stream ends, or what comes is no frame.
pub(crate) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<Frame, FrameError> {
    let length = stream.read_u32().await? as usize;
    if !(HEADER..=MAX_FROM_AGENT).contains(&length) {
        return Err(FrameError::Nonsense("its length is out of range"));
    }
    let kind = stream.read_u8().await?;
    let number = stream.read_u32().await?;
    let mut payload = Vec::new();
    // Grows as bytes come: a length that is never filled costs no memory.
    let wanted = (length - HEADER) as u64;
    stream.take(wanted).read_to_end(&mut payload).await?;
    if (payload.len() as u64) < wanted {
        return Err(FrameError::Ended(io::ErrorKind::UnexpectedEof.into()));
    }
    parse(kind, number, payload)
}

fn parse(kind: u8, number: u32, mut payload: Vec<u8>) -> Result<Frame, FrameError> {
    match (kind, number) {
        (EVENT, _) => Ok(Frame::Event(payload)),
        (REPLY | ERROR | BINARY, 0) => Err(FrameError::Nonsense("it answers no request")),
        (REPLY, _) => Ok(Frame::Reply(number, payload)),
        (ERROR, _) => Ok(Frame::Error(number, payload)),
        (BINARY, _) => {
            let length = payload.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes) as usize);
            let end = length.and_then(|length| length.checked_add(4)).filter(|end| *end <= payload.len());
            let Some(end) = end else {
                return Err(FrameError::Nonsense("its object is longer than itself"));
            };
            let bytes = payload.split_off(end);
            payload.drain(..4);
            Ok(Frame::Binary(number, payload, bytes))
        }
        _ => Err(FrameError::Nonsense("its kind is unknown")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_all(bytes: &[u8]) -> (Vec<Frame>, FrameError) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let (mut stream, mut frames) = (bytes, Vec::new());
            loop {
                match read(&mut stream).await {
                    Ok(frame) => frames.push(frame),
                    Err(error) => return (frames, error),
                }
            }
        })
    }

    #[test]
    fn a_request_has_its_length_kind_and_number() {
        assert_eq!(request(7, b"{}").unwrap(), b"\0\0\0\x07\x01\0\0\0\x07{}");
        assert_eq!(request(7, &vec![b' '; MAX_TO_AGENT]), None);
    }

    #[test]
    fn every_kind_is_read() {
        let bytes =
            b"\0\0\0\x07\x02\0\0\0\x01{}\0\0\0\x06\x04\0\0\0\0x\0\0\0\x0e\x05\0\0\0\x02\0\0\0\x02{}abc";
        let (frames, error) = read_all(bytes);
        let expected = [
            Frame::Reply(1, b"{}".to_vec()),
            Frame::Event(b"x".to_vec()),
            Frame::Binary(2, b"{}".to_vec(), b"abc".to_vec()),
        ];
        assert_eq!(frames, expected);
        assert!(matches!(error, FrameError::Ended(_)));
    }

    #[test]
    fn what_is_no_frame_differs_from_the_end_of_the_stream() {
        for bytes in [
            &b"\0\0\0\x04\x02\0\0\0"[..],
            b"\xff\xff\xff\xff\x02\0\0\0\x01",
            b"\0\0\0\x07\x09\0\0\0\x01{}",
            b"\0\0\0\x07\x02\0\0\0\0{}",
            b"\0\0\0\x0a\x05\0\0\0\x02\0\0\0\x02{",
        ] {
            assert!(
                matches!(read_all(bytes), (frames, FrameError::Nonsense(_)) if frames.is_empty()),
                "{bytes:?}"
            );
        }
        assert!(matches!(read_all(b"\0\0\0\x09\x02\0\0\0\x01{}").1, FrameError::Ended(_)));
    }

    proptest! {
        #[test]
        fn rubbish_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let (frames, _) = read_all(&bytes);
            prop_assert!(frames.len() <= bytes.len() / (4 + HEADER));
        }
    }
}
