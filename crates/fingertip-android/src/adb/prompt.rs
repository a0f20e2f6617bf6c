//! A TCP stream that acknowledges what it has read at once.
//!
//! The adb server leaves Nagle's algorithm on: the end of a large answer waits until what came before is acknowledged.
//! Linux puts an acknowledgement off for 40 ms when nothing is sent the other way, which every screenshot would cost.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The stream.
#[derive(Debug)]
pub struct Prompt(TcpStream);

impl Prompt {
    /// Makes it of a stream, which also sends at once what is written to it.
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self(stream))
    }

    /// The system forgets it after a while, so it is told after each read.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn acknowledge(&self) {
        if let Err(error) = self.0.set_quickack(true) {
            tracing::trace!(%error, "answers may come late");
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn acknowledge(&self) {}
}

impl AsyncRead for Prompt {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.0).poll_read(context, buffer);
        if polled.is_ready() {
            self.acknowledge();
        }
        polled
    }
}

impl AsyncWrite for Prompt {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
