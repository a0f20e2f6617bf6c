//! Framing of the adb server protocol: four hexadecimal digits of length, then text.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The longest text a frame can carry.
pub(super) const MAX_FRAME: usize = 0xffff;

/// Reads a request; `None` at the end, or when what comes is no request.
pub(super) async fn read<R: AsyncRead + Unpin>(reader: &mut R) -> std::io::Result<Option<String>> {
    let mut digits = [0; 4];
    match reader.read_exact(&mut digits).await {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let digits = std::str::from_utf8(&digits)
        .ok()
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let Some(length) = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok()) else {
        return Ok(None);
    };
    let mut text = vec![0; length];
    reader.read_exact(&mut text).await?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

/// A text with its length before it; longer ones are cut.
pub(super) fn frame(text: &str) -> Vec<u8> {
    let bytes = &text.as_bytes()[..text.len().min(MAX_FRAME)];
    let mut frame = format!("{:04x}", bytes.len()).into_bytes();
    frame.extend_from_slice(bytes);
    frame
}

/// Says yes.
pub(super) async fn okay<W: AsyncWrite + Unpin>(writer: &mut W) -> std::io::Result<()> {
    writer.write_all(b"OKAY").await
}

/// Says yes, and an answer.
pub(super) async fn answer<W: AsyncWrite + Unpin>(writer: &mut W, text: &str) -> std::io::Result<()> {
    let mut reply = b"OKAY".to_vec();
    reply.extend(frame(text));
    writer.write_all(&reply).await
}

/// Says no, and why.
pub(super) async fn fail<W: AsyncWrite + Unpin>(writer: &mut W, reason: &str) -> std::io::Result<()> {
    let mut reply = b"FAIL".to_vec();
    reply.extend(frame(reason));
    writer.write_all(&reply).await
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_all(mut bytes: &[u8]) -> std::io::Result<Option<String>> {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(read(&mut bytes))
    }

    #[test]
    fn a_request_is_its_length_and_its_text() {
        assert_eq!(read_all(b"000chost:versionrest").unwrap().as_deref(), Some("host:version"));
        assert_eq!(frame("host:version"), b"000chost:version");
        assert_eq!(frame(&"x".repeat(70_000)).len(), 4 + MAX_FRAME);
    }

    #[test]
    fn what_is_no_request_ends_the_connection() {
        assert_eq!(read_all(b"").unwrap(), None);
        assert_eq!(read_all(b"GET / HTTP/1.1").unwrap(), None);
        assert_eq!(read_all(b"+00cx").unwrap(), None);
        assert!(read_all(b"000chost").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_request_or_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = read_all(&bytes);
        }
    }
}
