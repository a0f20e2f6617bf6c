//! The SDK's in-memory sessions, with a limit on their number.
//!
//! Clients often go away without ending their session. Each one is closed after a long silence; before that, when the
//! table is full, the session used longest ago makes room. Its client, should it come back, is told that the session
//! is unknown and opens a new one, as the protocol foresees.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::{
        SessionId, SessionManager,
        session::{
            ServerSseMessage,
            local::{LocalSessionManager, LocalSessionManagerError, SessionConfig},
        },
    },
};

/// Sessions in memory, never more than a fixed number.
#[derive(Debug)]
pub(crate) struct BoundedSessions {
    inner: LocalSessionManager,
    limit: usize,
    last_used: Mutex<HashMap<SessionId, Instant>>,
}

type Result<T> = std::result::Result<T, LocalSessionManagerError>;

impl BoundedSessions {
    pub(crate) fn new(limit: usize, idle: Duration) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config = SessionConfig::default();
        inner.session_config.keep_alive = Some(idle);
        Self { inner, limit, last_used: Mutex::default() }
    }

    /// Ends every session, so that nothing of them outlives the server.
    pub(crate) async fn close_all(&self) {
        let ids: Vec<SessionId> = self.last_used().keys().cloned().collect();
        for id in ids {
            self.close(&id).await;
        }
    }

    fn last_used(&self) -> MutexGuard<'_, HashMap<SessionId, Instant>> {
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn touch(&self, id: &SessionId) {
        if let Some(last) = self.last_used().get_mut(id) {
            *last = Instant::now();
        }
    }

    /// Takes the sessions beyond the limit out of the table, the one used longest ago first.
    fn overdue(&self) -> Vec<SessionId> {
        let mut last_used = self.last_used();
        let mut overdue = Vec::new();
        while last_used.len() > self.limit {
            let Some(oldest) = last_used.iter().min_by_key(|(_, last)| **last).map(|(id, _)| id.clone())
            else {
                break;
            };
            last_used.remove(&oldest);
            overdue.push(oldest);
        }
        overdue
    }

    async fn close(&self, id: &SessionId) {
        if let Err(error) = self.close_session(id).await {
            tracing::debug!(%error, "a session did not close cleanly");
        }
    }
}

impl SessionManager for BoundedSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport)> {
        let (id, transport) = self.inner.create_session().await?;
        self.last_used().insert(id.clone(), Instant::now());
        for overdue in self.overdue() {
            self.close(&overdue).await;
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        self.touch(id);
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        self.last_used().remove(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.inner.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(sessions.last_used().is_empty());
    }
}
