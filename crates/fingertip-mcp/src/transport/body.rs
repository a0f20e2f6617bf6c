//! Reading request bodies with a limit on size and time.
//!
//! A refused body is still read for a while and thrown away in the background: closing a socket with unread bytes in it
//! makes the system reset the connection, and a client that is still sending would never see why it was refused.

use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use http_body_util::BodyExt;

use super::limits::HttpLimits;

/// Why a body was not read to its end.
#[derive(Debug)]
pub(crate) enum Unread<B> {
    /// It is larger than allowed; the rest can be discarded.
    TooLarge(B),
    /// It did not arrive in time.
    TooSlow,
    /// The client broke off or sent rubbish framing.
    Broken,
}

/// Reads a whole body.
pub(crate) async fn read<B>(body: B, limit: usize, timeout: Duration) -> Result<Bytes, Unread<B>>
where
    B: HttpBody<Data = Bytes> + Unpin,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(Unread::TooLarge(body));
    }
    tokio::time::timeout(timeout, collect(body, limit)).await.unwrap_or(Err(Unread::TooSlow))
}

async fn collect<B>(mut body: B, limit: usize) -> Result<Bytes, Unread<B>>
where
    B: HttpBody<Data = Bytes> + Unpin,
{
    // Most bodies come in one piece, which is then used as it is.
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Unread::Broken)?.into_data() else { continue };
        if first.len().max(rest.len()) + data.len() > limit {
            return Err(Unread::TooLarge(body));
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&std::mem::take(&mut first));
            rest.extend_from_slice(&data);
        }
    }
    Ok(if rest.is_empty() { first } else { rest.into() })
}

/// Throws a refused body away in the background, within the limits.
pub(crate) fn discard<B>(mut body: B, limits: &HttpLimits)
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
{
    if body.is_end_stream() {
        return;
    }
    let (mut left, timeout) = (limits.discarded_bytes, limits.body_timeout);
    tokio::spawn(tokio::time::timeout(timeout, async move {
        while let Some(Ok(frame)) = body.frame().await {
            let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { break };
            left = rest;
        }
    }));
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use futures_util::stream;

    use super::*;

    fn pieces(pieces: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(pieces.iter().map(|piece| Ok::<_, std::io::Error>(*piece))))
    }

    #[tokio::test]
    async fn pieces_are_joined_up_to_the_limit() {
        assert_eq!(read(pieces(&["ab", "", "cd", "e"]), 5, Duration::from_secs(1)).await.unwrap(), "abcde");
        let over = read(pieces(&["ab", "cd", "e"]), 4, Duration::from_secs(1)).await;
        assert!(matches!(over, Err(Unread::TooLarge(_))));
    }

    #[tokio::test]
    async fn a_declared_size_over_the_limit_is_refused_unread() {
        let read = read(Body::from("12345"), 4, Duration::from_secs(1)).await;
        assert!(matches!(read, Err(Unread::TooLarge(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_ends_is_given_up() {
        let body = Body::from_stream(stream::pending::<std::io::Result<Bytes>>());
        assert!(matches!(read(body, 4, Duration::from_secs(1)).await, Err(Unread::TooSlow)));
    }
}
