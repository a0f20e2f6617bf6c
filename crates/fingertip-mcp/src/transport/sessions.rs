//! The SDK's in-memory sessions, with a limit on their number and on what is in flight in each.
//!
//! Clients often go away without ending their session. Each one is closed after a long silence; before that, when the
//! table is full, the session used longest ago makes room. Its client, should it come back, learns that the session
//! is unknown and opens a new one, as the protocol foresees.
//!
//! A request whose client closes the connection before the answer is cancelled. The protocol would let a client come
//! back for the answer on another connection; here a call moves fingers, and one without a waiting client must not.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use fingertip_core::sync::lock;
use futures_util::{Stream, future::Either, stream};
use rmcp::{
    ErrorData,
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorCode, GetExtensions, Implementation, RequestId,
        ServerJsonRpcMessage,
    },
    transport::streamable_http_server::{
        SessionId, SessionManager,
        session::{
            ServerSseMessage,
            local::{LocalSessionHandle, LocalSessionManager, LocalSessionManagerError, SessionConfig},
        },
    },
};
use tokio::runtime::Handle;

use super::in_flight::{self, InFlight};

/// Requests of one session that may be in flight; what a client with that many waits for is not us.
const MAX_REQUESTS: usize = 64;

/// The most characters that are kept of the name and the version of a client.
const MAX_CLIENT_TEXT: usize = 200;

/// Sessions in memory, never more than a fixed number.
#[derive(Debug)]
pub(crate) struct BoundedSessions {
    inner: LocalSessionManager,
    limit: usize,
    known: Mutex<HashMap<SessionId, Session>>,
}

#[derive(Debug)]
struct Session {
    last_used: Instant,
    in_flight: Arc<InFlight>,
}

type Result<T> = std::result::Result<T, LocalSessionManagerError>;

impl BoundedSessions {
    pub(crate) fn new(limit: usize, idle: Duration) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config = SessionConfig::default();
        inner.session_config.keep_alive = Some(idle);
        Self { inner, limit, known: Mutex::default() }
    }

    /// Ends every session, so that nothing of them outlives the server.
    pub(crate) async fn close_all(&self) {
        let ids: Vec<SessionId> = self.known().keys().cloned().collect();
        for id in ids {
            self.close(&id).await;
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<SessionId, Session>> {
        lock(&self.known)
    }

    fn touch(&self, id: &SessionId) {
        if let Some(session) = self.known().get_mut(id) {
            session.last_used = Instant::now();
        }
    }

    fn in_flight(&self, id: &SessionId) -> Result<Arc<InFlight>> {
        let in_flight = self.known().get(id).map(|session| session.in_flight.clone());
        in_flight.ok_or_else(|| LocalSessionManagerError::SessionNotFound(id.clone()))
    }

    /// The sessions beyond the limit: first those without a request in flight, then those used longest ago.
    fn overdue(&self) -> Vec<SessionId> {
        let known = self.known();
        let excess = known.len().saturating_sub(self.limit);
        let order = |session: &Session| (session.in_flight.len() > 0, session.last_used);
        let mut by_use: Vec<_> = known.iter().map(|(id, session)| (order(session), id)).collect();
        by_use.sort_by_key(|(order, _)| *order);
        by_use.into_iter().take(excess).map(|(_, id)| id.clone()).collect()
    }

    async fn close(&self, id: &SessionId) {
        if let Err(error) = self.close_session(id).await {
            tracing::debug!(%error, "a session did not close cleanly");
        }
    }
}

/// Leaves of a client what is used of it. The SDK keeps all of a greeting for as long as the session lives, and that may be
/// megabytes.
fn cut_client_info(message: &mut ClientJsonRpcMessage) {
    let ClientJsonRpcMessage::Request(request) = message else { return };
    let ClientRequest::InitializeRequest(initialize) = &mut request.request else { return };
    let client = &mut initialize.params.client_info;
    let cut = |text: &str| text.chars().take(MAX_CLIENT_TEXT).collect::<String>();
    *client = Implementation::new(cut(&client.name), cut(&client.version));
}

impl SessionManager for BoundedSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport)> {
        let (id, transport) = self.inner.create_session().await?;
        let session = Session { last_used: Instant::now(), in_flight: Arc::default() };
        self.known().insert(id.clone(), session);
        for overdue in self.overdue() {
            self.close(&overdue).await;
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        cut_client_info(&mut message);
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        self.touch(id);
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        let session = self.known().remove(id);
        // The SDK would let running calls go on for a while, though no client can get their answers any more.
        for request in session.map(|session| session.in_flight.running()).unwrap_or_default() {
            let _ =
                self.inner.accept_message(id, in_flight::cancellation(request, "the session ended")).await;
        }
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        let in_flight = self.in_flight(id)?;
        let ClientJsonRpcMessage::Request(request) = &mut message else {
            return Ok(Either::Left(self.inner.create_stream(id, message).await?));
        };
        let request_id = request.id.clone();
        let lease = match in_flight.take(&request_id) {
            Some(_) if in_flight.len() > MAX_REQUESTS => {
                in_flight.answered(&request_id);
                let message =
                    format!("{MAX_REQUESTS} requests of this session are in flight; try again later");
                return Ok(Either::Right(Either::Left(refused(BUSY, message, request_id))));
            }
            Some(lease) => lease,
            None => {
                let (code, message) = in_flight::in_use(&request_id);
                return Ok(Either::Right(Either::Left(refused(code, message, request_id))));
            }
        };
        request.request.extensions_mut().insert(lease);
        let handle = self.inner.sessions.read().await.get(id).cloned();
        // Made before the SDK has the request: from then on it is cancelled if no client waits for it.
        let waiting = Waiting { handle, in_flight, request_id, is_over: false };
        let stream = self.inner.create_stream(id, message).await?;
        Ok(Either::Right(Either::Right(Awaited { stream, waiting })))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
        let in_flight = self.in_flight(id)?;
        if in_flight::cancels(&message).is_some_and(|request| !in_flight.cancel(request)) {
            return Ok(());
        }
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.inner.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.inner.resume(id, last_event_id).await
    }
}

/// Sent for a request that is refused because of the others.
const BUSY: ErrorCode = ErrorCode(-32000);

/// A stream of one error.
fn refused(
    code: ErrorCode,
    message: String,
    id: RequestId,
) -> impl Stream<Item = ServerSseMessage> + Send + Sync + 'static {
    let error = ServerJsonRpcMessage::error(ErrorData::new(code, message, None), Some(id));
    stream::iter([ServerSseMessage::from_message(error)])
}

/// A client waits for the answer to a request, until this is dropped.
struct Waiting {
    handle: Option<LocalSessionHandle>,
    in_flight: Arc<InFlight>,
    request_id: RequestId,
    is_over: bool,
}

impl Drop for Waiting {
    /// A client that closes the connection gets no answer any more, so that nothing more is done for it: a long
    /// gesture would only hold up the next one.
    fn drop(&mut self) {
        if self.is_over || !self.in_flight.cancel(&self.request_id) {
            return;
        }
        let (Some(handle), Ok(runtime)) = (self.handle.take(), Handle::try_current()) else { return };
        let cancelled = in_flight::cancellation(self.request_id.clone(), "the client went away");
        runtime.spawn(async move {
            if let Err(error) = handle.push_message(cancelled, None).await {
                tracing::debug!(%error, "the session of a client that went away is gone too");
            }
        });
    }
}

/// The stream of a request's answer.
struct Awaited<S> {
    stream: S,
    waiting: Waiting,
}

impl<S: Stream<Item = ServerSseMessage> + Unpin> Stream for Awaited<S> {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let next = ready!(Pin::new(&mut self.stream).poll_next(cx));
        let message = next.as_ref().and_then(|event| event.message.as_deref());
        if message.and_then(in_flight::answers) == Some(&self.waiting.request_id) {
            self.waiting.in_flight.answered(&self.waiting.request_id);
            self.waiting.is_over = true;
        }
        // A stream that the server ends without an answer can be taken up again by the client.
        self.waiting.is_over |= next.is_none();
        Poll::Ready(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_client_only_the_beginning_of_its_name_is_kept() {
        let client = serde_json::json!({"name": "n".repeat(5000), "version": "v".repeat(5000), "title": "t".repeat(5000)});
        let params =
            serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let request =
            serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let mut message: ClientJsonRpcMessage = serde_json::from_value(request).unwrap();
        cut_client_info(&mut message);
        let kept = serde_json::to_string(&message).unwrap();
        assert!(kept.len() < 1000 && kept.contains(&"n".repeat(MAX_CLIENT_TEXT)), "{kept}");
    }

    #[tokio::test]
    async fn the_session_used_longest_ago_makes_room() {
        let sessions = BoundedSessions::new(2, Duration::from_secs(60));
        let mut transports = Vec::new();
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (id, transport) = sessions.create_session().await.unwrap();
            ids.push(id);
            transports.push(transport);
        }
        assert!(sessions.has_session(&ids[0]).await.unwrap());
        let (newest, _transport) = sessions.create_session().await.unwrap();
        assert!(sessions.has_session(&ids[0]).await.unwrap());
        assert!(!sessions.has_session(&ids[1]).await.unwrap());
        assert!(sessions.has_session(&newest).await.unwrap());
        assert_eq!(sessions.inner.sessions.read().await.len(), 2);
    }

    #[tokio::test]
    async fn closing_all_leaves_none() {
        let sessions = BoundedSessions::new(8, Duration::from_secs(60));
        let (id, _transport) = sessions.create_session().await.unwrap();
        sessions.close_all().await;
        assert!(!sessions.has_session(&id).await.unwrap());
        assert!(sessions.known().is_empty());
    }
}
