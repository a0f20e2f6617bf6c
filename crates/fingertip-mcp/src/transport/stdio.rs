//! MCP over standard input and output: one JSON message a line, and an answer to every line that wants one.
//!
//! The SDK's own line transport drops what it cannot parse. This one answers it, with the same checks as over HTTP.
//! Answers go through one writer task: the SDK gives up a `receive` whenever something else is ready, and a line half
//! written by it would spoil the stream.
//!
//! A client that sends faster than it is served, or that does not read its answers, is not read from either: only so
//! many requests are in flight, only so many more are held here (so that a cancellation behind them is still seen).
//! Notifications that mean nothing, such as the cancellation of what does not run, go no further than this.
//!
//! The end of input ends the session: running calls may finish within the SDK's bound of five seconds, then they are
//! cancelled. Input that ends before the client has said anything is a clean end too. When the output is no longer
//! read, running calls are cancelled at once.

use std::{collections::VecDeque, io, sync::Arc, time::Duration};

use rmcp::{
    RoleServer, ServerHandler,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, GetExtensions, GetMeta,
        JsonRpcNotification, ProtocolVersion, ServerJsonRpcMessage,
    },
    service::{QuitReason, ServerInitializeError, serve_server_with_ct},
    transport::{Transport, stdio_pipes},
};
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::{Semaphore, mpsc},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    envelope::{self, Kind, MAX_MESSAGE_BYTES},
    error::TransportError,
    in_flight::{self, InFlight},
    lines::{Line, LineReader},
    output,
    refusal::Refusal,
};

/// Answers waiting to be written; a client that does not read its answers is not read from either.
const QUEUED_ANSWERS: usize = 64;
/// Requests in flight: read, and their answers not yet in the queue.
const MAX_REQUESTS: usize = 64;
/// Requests read beyond that, and held back.
const MAX_HELD: usize = 64;
/// Bytes of those, beyond which nothing more is read.
const MAX_HELD_BYTES: usize = MAX_MESSAGE_BYTES;
/// Notifications handled at once.
const MAX_NOTICES: usize = 16;
/// Time for a cancelled call to end before the program does.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);
/// Time for what a driver sends when a call is dropped, such as lifting a finger, to leave this process.
const DRIVER_TIME: Duration = Duration::from_millis(100);
/// Time for the last answers to be written once the session is over.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves `handler` on standard input and output until the input ends or `shutdown` is cancelled.
pub async fn serve_stdio<H: ServerHandler>(
    handler: H,
    shutdown: CancellationToken,
) -> Result<(), TransportError> {
    let (input, output) = stdio_pipes();
    talk(handler, input, output, shutdown, output::closed()).await
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
    talk(handler, input, output, shutdown, std::future::pending()).await
}

/// Serves until the input ends, the output breaks or is `closed`, or `shutdown` is cancelled.
async fn talk<H, R, W>(
    handler: H,
    input: R,
    output: W,
    shutdown: CancellationToken,
    closed: impl Future<Output = ()>,
) -> Result<(), TransportError>
where
    H: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (answers, queue) = mpsc::channel(QUEUED_ANSWERS);
    let writer = tokio::spawn(write_answers(queue, output));
    let ending = shutdown.child_token();
    let in_flight = Arc::new(InFlight::default());
    let unread = {
        let (answers, ending) = (answers.downgrade(), ending.clone());
        async move {
            let writer_ended = async {
                match answers.upgrade() {
                    Some(answers) => answers.closed().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = closed => {}
                () = writer_ended => {}
            }
            tracing::info!("the output is no longer read");
            ending.cancel();
            std::future::pending::<()>().await;
        }
    };
    let conversation = converse(handler, LineTransport::new(input, answers, in_flight.clone()), ending);
    let outcome = tokio::select! {
        outcome = conversation => outcome,
        () = unread => Ok(()),
    };
    end_calls(&in_flight).await;
    // The transport is gone by now, so the writer ends as soon as the queue is empty.
    match timeout(FLUSH_TIMEOUT, writer).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => tracing::debug!(%error, "the client stopped reading"),
        Ok(Err(error)) => tracing::error!(%error, "the writer ended unexpectedly"),
        Err(_) => tracing::warn!("the client did not read its last answers"),
    }
    outcome
}

/// Waits, for a bounded time, until the calls that were cancelled have ended.
async fn end_calls(in_flight: &InFlight) {
    if in_flight.running().is_empty() {
        return;
    }
    let ended = async {
        while !in_flight.running().is_empty() {
            in_flight.freed().await;
        }
    };
    if timeout(CANCEL_TIMEOUT, ended).await.is_err() {
        tracing::warn!("a call did not end when it was cancelled");
    }
    tokio::time::sleep(DRIVER_TIME).await;
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
    in_flight: Arc<InFlight>,
    /// Requests that wait until fewer are in flight, with their sizes.
    held: VecDeque<(ClientJsonRpcMessage, usize)>,
    /// A notification that waits until fewer are handled.
    notice: Option<JsonRpcNotification<ClientNotification>>,
    notices: Arc<Semaphore>,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    fn new(input: R, answers: mpsc::Sender<Vec<u8>>, in_flight: Arc<InFlight>) -> Self {
        Self {
            lines: LineReader::new(input, MAX_MESSAGE_BYTES),
            answers: Some(answers),
            unsent: None,
            is_open: false,
            in_flight,
            held: VecDeque::new(),
            notice: None,
            notices: Arc::new(Semaphore::new(MAX_NOTICES)),
        }
    }

    async fn send_unsent(&mut self) -> Option<()> {
        if self.unsent.is_some() {
            let room = self.answers.as_ref()?.reserve().await.ok()?;
            room.send(self.unsent.take()?);
        }
        Some(())
    }

    /// The notification that waits, once it may be handled.
    async fn next_notice(&mut self) -> Option<ClientJsonRpcMessage> {
        self.notice.as_ref()?;
        let permit = self.notices.clone().acquire_owned().await.ok()?;
        let mut notice = self.notice.take()?;
        // Given back when the handler drops the extensions.
        notice.notification.extensions_mut().insert(Arc::new(permit));
        Some(ClientJsonRpcMessage::Notification(notice))
    }

    /// The next request that was held back, if it need not be any longer.
    fn next_held(&mut self) -> Option<ClientJsonRpcMessage> {
        // Those held are in flight too, by their ids.
        let running = self.in_flight.len().saturating_sub(self.held.len());
        if running >= MAX_REQUESTS {
            return None;
        }
        self.held.pop_front().map(|(message, _)| message)
    }

    fn holds_enough(&self) -> bool {
        self.held.len() >= MAX_HELD
            || self.held.iter().map(|(_, bytes)| bytes).sum::<usize>() >= MAX_HELD_BYTES
    }

    /// Deals with one line: it is answered, ignored, held, or passed on.
    fn take(&mut self, line: &Line) -> Option<ClientJsonRpcMessage> {
        match line {
            Line::TooLong => self.refuse(&Refusal::too_large(MAX_MESSAGE_BYTES)),
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => {}
            Line::Whole(bytes) => match parse(bytes, self.is_open) {
                Ok((message, id)) if self.is_open || matches!(message, ClientJsonRpcMessage::Request(_)) => {
                    self.is_open |= chooses_version(&message);
                    return self.pass(message, id, bytes.len());
                }
                Ok(_) => tracing::debug!("ignoring a message that came before the session was opened"),
                Err(refusal) => self.refuse(&refusal),
            },
        }
        None
    }

    /// A message that can be passed on at once.
    fn pass(
        &mut self,
        message: ClientJsonRpcMessage,
        id: Option<&RawValue>,
        bytes: usize,
    ) -> Option<ClientJsonRpcMessage> {
        match message {
            ClientJsonRpcMessage::Request(mut request) => {
                let Some(lease) = self.in_flight.take(&request.id) else {
                    let (code, message) = in_flight::in_use(&request.id);
                    self.refuse(&Refusal::new(code, message, id));
                    return None;
                };
                request.request.extensions_mut().insert(lease);
                self.held.push_back((ClientJsonRpcMessage::Request(request), bytes));
                self.next_held()
            }
            ClientJsonRpcMessage::Notification(_) => match in_flight::cancels(&message) {
                Some(cancelled) if !self.in_flight.cancel(cancelled) => None,
                Some(cancelled) => {
                    let is_it = |held: &ClientJsonRpcMessage| matches!(held, ClientJsonRpcMessage::Request(request) if request.id == *cancelled);
                    let before = self.held.len();
                    self.held.retain(|(held, _)| !is_it(held));
                    (self.held.len() == before).then_some(message)
                }
                None => {
                    if let ClientJsonRpcMessage::Notification(notice) = message {
                        self.notice = Some(notice);
                    }
                    None
                }
            },
            answer => Some(answer),
        }
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
        let in_flight = self.in_flight.clone();
        let answered = in_flight::answers(&message).cloned();
        if let Some(id) = &answered {
            in_flight.answering(id);
        }
        async move {
            let mut line = serde_json::to_vec(&message)?;
            drop(message);
            line.push(b'\n');
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let sent = answers.ok_or_else(closed)?.send(line).await.map_err(|_| closed());
            if let Some(id) = &answered {
                in_flight.answered(id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.send_unsent().await?;
            if let Some(notice) = self.next_notice().await {
                return Some(notice);
            }
            if let Some(held) = self.next_held() {
                return Some(held);
            }
            if self.holds_enough() {
                self.in_flight.freed().await;
                continue;
            }
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.in_flight.freed(), if !self.held.is_empty() => continue,
            };
            let line = match line {
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

/// The message of a line, with its id as it was written.
type Parsed<'a> = (ClientJsonRpcMessage, Option<&'a RawValue>);

pub(super) fn parse(line: &[u8], is_open: bool) -> Result<Parsed<'_>, Refusal<'_>> {
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
    Ok((message, envelope.id))
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
