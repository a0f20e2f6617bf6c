//! A stream to the server: one of TCP acknowledges what it has read at once, one inside this process need not.
//!
//! The adb server leaves Nagle's algorithm on: the end of a large answer waits until what came before is acknowledged.
//! Linux puts an acknowledgement off for 40 ms when nothing is sent the other way, which every screenshot would cost.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};
use tokio::net::TcpStream;

/// The stream.
#[derive(Debug)]
pub(crate) struct Prompt(Socket);

#[derive(Debug)]
enum Socket {
    Tcp(TcpStream),
    InProcess(DuplexStream),
}

impl Prompt {
    /// Makes it of a stream, which also sends at once what is written to it.
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self(Socket::Tcp(stream)))
    }

    /// Makes it of a stream inside this process.
    pub(super) fn in_process(stream: DuplexStream) -> Self {
        Self(Socket::InProcess(stream))
    }

    /// The system forgets the option after a while, so it is set again after each read.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn acknowledge(&self) {
        if let Socket::Tcp(stream) = &self.0
            && let Err(error) = stream.set_quickack(true)
        {
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
        let polled = match &mut self.0 {
            Socket::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            Socket::InProcess(stream) => Pin::new(stream).poll_read(context, buffer),
        };
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
        match &mut self.0 {
            Socket::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            Socket::InProcess(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Socket::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Socket::InProcess(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Socket::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Socket::InProcess(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
