//! MCP over standard input and output: one JSON message a line, and an answer to every line that wants one.
//!
//! The SDK's own line transport drops what it cannot parse. This one answers it, with the same checks as over HTTP.
//! Answers go through one writer task: the SDK gives up a `receive` whenever something else is ready, and a line half
//! written by it would spoil the stream.
//!
//! The end of input ends the session: running calls may finish within the SDK's bound of five seconds, then they are
//! cancelled. Input that ends before the client has said anything is a clean end too.

use std::{io, time::Duration};

use rmcp::{
    RoleServer, ServerHandler,
    model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, GetMeta, ProtocolVersion, ServerJsonRpcMessage},
    service::{QuitReason, ServerInitializeError, serve_server_with_ct},
    transport::{Transport, stdio_pipes},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    envelope::{self, Kind, MAX_MESSAGE_BYTES},
    error::TransportError,
    lines::{Line, LineReader},
    refusal::Refusal,
};

/// Answers waiting to be written; a client that does not read its answers is not read from either.
const QUEUED_ANSWERS: usize = 64;
/// Time for the last answers to be written once the session is over.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves `handler` on standard input and output until the input ends or `shutdown` is cancelled.
pub async fn serve_stdio<H: ServerHandler>(
    handler: H,
    shutdown: CancellationToken,
) -> Result<(), TransportError> {
    let (input, output) = stdio_pipes();
    serve_lines(handler, input, output, shutdown).await
}

/// Serves `handler` on any pair of streams, as [`serve_stdio`] does on the standard ones.
pub async fn serve_lines<H, R, W>(
    handler: H,
    input: R,
    output: W,
    shutdown: CancellationToken,
) -> Result<(), TransportError>
where
    H: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (answers, queue) = mpsc::channel(QUEUED_ANSWERS);
    let writer = tokio::spawn(write_answers(queue, output));
    let outcome = converse(handler, LineTransport::new(input, answers), shutdown).await;
    // The transport is gone by now, so the writer ends as soon as the queue is empty.
    match timeout(FLUSH_TIMEOUT, writer).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => tracing::debug!(%error, "the client stopped reading"),
        Ok(Err(error)) => tracing::error!(%error, "the writer ended unexpectedly"),
        Err(_) => tracing::warn!("the client did not read its last answers"),
    }
    outcome
}

async fn converse<H: ServerHandler>(
    handler: H,
    transport: impl Transport<RoleServer> + 'static,
    shutdown: CancellationToken,
) -> Result<(), TransportError> {
    let running = match serve_server_with_ct(handler, transport, shutdown).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(TransportError::Session(error.to_string())),
    };
    match running.waiting().await {
        Ok(QuitReason::Closed | QuitReason::Cancelled) => Ok(()),
        Ok(reason) => Err(TransportError::Session(format!("{reason:?}"))),
        Err(error) => Err(TransportError::Session(error.to_string())),
    }
}

async fn write_answers(
    mut queue: mpsc::Receiver<Vec<u8>>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    while let Some(mut answer) = queue.recv().await {
        loop {
            output.write_all(&answer).await?;
            match queue.try_recv() {
                Ok(next) => answer = next,
                Err(_) => break,
            }
        }
        output.flush().await?;
    }
    output.shutdown().await
}

/// The SDK's view of the two streams.
struct LineTransport<R> {
    lines: LineReader<R>,
    answers: Option<mpsc::Sender<Vec<u8>>>,
    /// An answer made by `receive` that has not found room in the queue yet.
    unsent: Option<Vec<u8>>,
    /// Whether the client has chosen a protocol version. Until then the SDK takes a notification for a fatal error.
    is_open: bool,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    fn new(input: R, answers: mpsc::Sender<Vec<u8>>) -> Self {
        Self {
            lines: LineReader::new(input, MAX_MESSAGE_BYTES),
            answers: Some(answers),
            unsent: None,
            is_open: false,
        }
    }

    async fn send_unsent(&mut self) -> Option<()> {
        if self.unsent.is_some() {
            let room = self.answers.as_ref()?.reserve().await.ok()?;
            room.send(self.unsent.take()?);
        }
        Some(())
    }

    /// A message for the SDK, or nothing if the line was answered or ignored here.
    fn take(&mut self, line: &Line) -> Option<ClientJsonRpcMessage> {
        match line {
            Line::TooLong => self.refuse(&Refusal::too_large(MAX_MESSAGE_BYTES)),
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => {}
            Line::Whole(bytes) => match parse(bytes, self.is_open) {
                Ok(message) if self.is_open || matches!(message, ClientJsonRpcMessage::Request(_)) => {
                    self.is_open |= chooses_version(&message);
                    return Some(message);
                }
                Ok(_) => tracing::debug!("ignoring a message that came before the session was opened"),
                Err(refusal) => self.refuse(&refusal),
            },
        }
        None
    }

    fn refuse(&mut self, refusal: &Refusal<'_>) {
        let mut answer = refusal.to_json();
        answer.push(b'\n');
        self.unsent = Some(answer);
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answers = self.answers.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            answers.ok_or_else(closed)?.send(line).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.send_unsent().await?;
            let line = match self.lines.next().await {
                Ok(line) => line?,
                Err(error) => {
                    tracing::warn!(%error, "cannot read the input any more");
                    return None;
                }
            };
            if let Some(message) = self.take(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.answers = None;
        Ok(())
    }
}

pub(super) fn parse(line: &[u8], is_open: bool) -> Result<ClientJsonRpcMessage, Refusal<'_>> {
    let envelope = envelope::inspect(line)?;
    let message = serde_json::from_slice(line).map_err(|error| {
        let is_response = envelope.kind == Kind::Response;
        let code = if is_response { ErrorCode::INVALID_REQUEST } else { ErrorCode::PARSE_ERROR };
        Refusal::new(code, format!("the message cannot be read: {error}"), envelope.id)
    })?;
    // Before the opening the SDK would complain about missing metadata, whatever the method.
    if !is_open && is_custom_request(&message) && !chooses_version(&message) {
        let method = envelope.method;
        return Err(Refusal::new(
            ErrorCode::METHOD_NOT_FOUND,
            format!("unknown method {method}"),
            envelope.id,
        ));
    }
    Ok(message)
}

fn is_custom_request(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, ClientJsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::CustomRequest(_)))
}

/// Whether the SDK leaves its opening phase with this message.
fn chooses_version(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let version = meta.protocol_version();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && version.is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
        }
    }
}
