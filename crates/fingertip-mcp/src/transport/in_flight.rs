//! The requests of one session that have no answer yet.
//!
//! The SDK keeps running requests by their id alone: a second one with the same id takes the first one's place, both
//! run, and one of them is never answered. So an id in flight is refused before the SDK sees it. 1 and "1" are two ids.
//!
//! An id is in flight from when its request is read until its answer is handed to the client. A request that was
//! cancelled gets no answer; its id is free a moment after its handler has ended, which its [`Lease`] shows: it travels
//! in the request's extensions and is dropped with them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use fingertip_core::sync::lock;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, ErrorCode,
    RequestId, ServerJsonRpcMessage,
};
use tokio::{sync::Notify, time::Instant};

/// How long after its handler has ended an id waits for an answer that the SDK may have dropped.
const UNANSWERED: Duration = Duration::from_secs(2);

#[derive(Debug, PartialEq, Eq)]
enum State {
    Running { cancelled: bool },
    Ended(Instant),
    Answering,
}

/// The ids in flight.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    requests: Mutex<HashMap<RequestId, State>>,
    freed: Notify,
}

/// Held by a request until its handler ends.
#[derive(Debug)]
pub(crate) struct Lease {
    of: Arc<InFlight>,
    id: RequestId,
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(state @ State::Running { .. }) = self.of.requests().get_mut(&self.id) {
            *state = State::Ended(Instant::now());
        }
        self.of.freed.notify_one();
    }
}

impl InFlight {
    fn requests(&self) -> MutexGuard<'_, HashMap<RequestId, State>> {
        let mut requests = lock(&self.requests);
        requests.retain(|_, state| !matches!(state, State::Ended(at) if at.elapsed() >= UNANSWERED));
        requests
    }

    /// Takes an id for a new request; `None` if it is in flight.
    pub(crate) fn take(self: &Arc<Self>, id: &RequestId) -> Option<Arc<Lease>> {
        let mut requests = self.requests();
        if requests.contains_key(id) {
            return None;
        }
        requests.insert(id.clone(), State::Running { cancelled: false });
        Some(Arc::new(Lease { of: self.clone(), id: id.clone() }))
    }

    /// Notes that the client takes a request back; whether that is news to anybody.
    pub(crate) fn cancel(&self, id: &RequestId) -> bool {
        match self.requests().get_mut(id) {
            Some(State::Running { cancelled }) => !std::mem::replace(cancelled, true),
            _ => false,
        }
    }

    /// Its answer is on its way to the client.
    pub(crate) fn answering(&self, id: &RequestId) {
        if let Some(state) = self.requests().get_mut(id) {
            *state = State::Answering;
        }
    }

    /// Its answer is handed over.
    pub(crate) fn answered(&self, id: &RequestId) {
        self.requests().remove(id);
        self.freed.notify_one();
    }

    pub(crate) fn len(&self) -> usize {
        self.requests().len()
    }

    /// Those whose handler has not ended.
    pub(crate) fn running(&self) -> Vec<RequestId> {
        let is_running = |state: &State| matches!(state, State::Running { .. });
        self.requests().iter().filter(|(_, state)| is_running(state)).map(|(id, _)| id.clone()).collect()
    }

    /// Waits until there may be fewer.
    pub(crate) async fn freed(&self) {
        tokio::select! {
            () = self.freed.notified() => {}
            // What ends without an answer is free by time alone.
            () = tokio::time::sleep(UNANSWERED / 4) => {}
        }
    }
}

/// What is said of a request whose id is in flight.
pub(crate) fn in_use(id: &RequestId) -> (ErrorCode, String) {
    let id = match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => format!("{text:?}"),
    };
    let message = format!("the id {id} belongs to a request that is not answered yet; nothing was done");
    (ErrorCode::INVALID_REQUEST, message)
}

/// The request a message takes back, if it does that.
pub(crate) fn cancels(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    let ClientJsonRpcMessage::Notification(message) = message else { return None };
    match &message.notification {
        ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
        _ => None,
    }
}

/// The message that takes a request back.
pub(crate) fn cancellation(id: RequestId, reason: &str) -> ClientJsonRpcMessage {
    let params = CancelledNotificationParam::new(Some(id), Some(reason.to_owned()));
    ClientJsonRpcMessage::notification(CancelledNotification::new(params).into())
}

/// The request a message answers, if it does that.
pub(crate) fn answers(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        ServerJsonRpcMessage::Response(response) => Some(&response.id),
        ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(id: i64) -> RequestId {
        RequestId::Number(id)
    }

    #[tokio::test(start_paused = true)]
    async fn an_id_is_taken_until_it_is_answered() {
        let in_flight = Arc::new(InFlight::default());
        let lease = in_flight.take(&number(1)).unwrap();
        assert!(in_flight.take(&number(1)).is_none());
        assert!(in_flight.take(&RequestId::String("1".into())).is_some());
        drop(lease);
        in_flight.answering(&number(1));
        tokio::time::advance(UNANSWERED * 2).await;
        assert!(in_flight.take(&number(1)).is_none(), "a slow reader has not got it yet");
        in_flight.answered(&number(1));
        assert!(in_flight.take(&number(1)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn an_id_without_an_answer_is_free_some_time_after_its_end() {
        let in_flight = Arc::new(InFlight::default());
        let lease = in_flight.take(&number(1)).unwrap();
        assert!(
            in_flight.cancel(&number(1)) && !in_flight.cancel(&number(1)) && !in_flight.cancel(&number(2))
        );
        tokio::time::advance(UNANSWERED).await;
        assert!(in_flight.take(&number(1)).is_none());
        drop(lease);
        assert!(in_flight.take(&number(1)).is_none());
        tokio::time::advance(UNANSWERED).await;
        assert!(in_flight.take(&number(1)).is_some());
    }
}
