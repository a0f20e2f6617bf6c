//! One connection to the adb server: requests of four hexadecimal digits and a name, answers `OKAY` or `FAIL`.
//!
//! The server takes one request a connection, so none is kept; opening one costs a fraction of a millisecond.
//! Nothing here waits by its own clock: callers bound every conversation with [`crate::within`].

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::TcpStream;

use super::address::ServerAddress;
use super::error::{AdbError, Answer};
use super::prompt::Prompt;

/// The longest request: its length is written in four hexadecimal digits.
const MAX_REQUEST: usize = 0xffff;
/// How much is read at a time.
const READ_BUFFER: usize = 64 * 1024;

/// Reads a length of four hexadecimal digits.
pub(crate) fn length(digits: [u8; 4]) -> Answer<usize> {
    let digits = std::str::from_utf8(&digits)
        .ok()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    digits
        .and_then(|digits| usize::from_str_radix(digits, 16).ok())
        .ok_or(AdbError::Nonsense("a length is no hexadecimal number"))
}

/// One connection to the adb server; after a service was opened, the stream of that service.
#[derive(Debug)]
pub(crate) struct Connection(BufReader<Prompt>);

impl Connection {
    /// Connects to the server.
    pub(crate) async fn open(address: &ServerAddress) -> std::io::Result<Self> {
        let stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
        Ok(Self(BufReader::with_capacity(READ_BUFFER, Prompt::new(stream)?)))
    }

    /// A connection inside this process.
    pub(crate) fn over(stream: DuplexStream) -> Self {
        Self(BufReader::with_capacity(READ_BUFFER, Prompt::in_process(stream)))
    }

    /// Asks for a service, and reads whether it is granted.
    pub(crate) async fn request(&mut self, service: &str) -> Answer<()> {
        if service.len() > MAX_REQUEST {
            return Err(AdbError::Nonsense("the request is too long"));
        }
        self.write(format!("{:04x}{service}", service.len()).as_bytes()).await?;
        self.status().await
    }

    /// Reads `OKAY`, or `FAIL` and why.
    pub(crate) async fn status(&mut self) -> Answer<()> {
        let mut status = [0; 4];
        self.read_exact(&mut status).await?;
        match &status {
            b"OKAY" => Ok(()),
            b"FAIL" => Err(AdbError::Refused(self.text().await?)),
            _ => Err(AdbError::Nonsense("neither OKAY nor FAIL")),
        }
    }

    /// Reads a text with its length before it.
    pub(crate) async fn text(&mut self) -> Answer<String> {
        let mut digits = [0; 4];
        self.read_exact(&mut digits).await?;
        let length = length(digits)?;
        let mut text = vec![0; length];
        self.read_exact(&mut text).await?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Reads exactly as many bytes as fit.
    pub(crate) async fn read_exact(&mut self, bytes: &mut [u8]) -> Answer<()> {
        self.0.read_exact(bytes).await?;
        Ok(())
    }

    /// Reads what has come, at most as many bytes as fit; zero at the end.
    pub(crate) async fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(bytes).await
    }

    /// Writes all of the bytes.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.write_all(bytes).await?;
        self.0.flush().await
    }

    /// The stream itself, for a protocol of its own.
    pub(crate) fn into_stream(self) -> BufReader<Prompt> {
        self.0
    }
}
