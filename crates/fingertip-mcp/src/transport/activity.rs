//! What one connection is doing, and how long it may go on.
//!
//! The HTTP library times only request headers, and the same way for everybody. Here every wait that a peer can cause
//! has a limit, and the limit depends on whether the connection has shown the token:
//!
//! - a *stranger*, a connection that has not, gets one answer over HTTP/1.1, and a short life whatever it does;
//! - a client may keep its connection for minutes between requests;
//! - no peer may leave an answer unread for long, whether the socket or an HTTP/2 window holds it back.
//!
//! Deadlines are computed from what was noted, not by arming a timer for each read and write: those stay cheap, and a
//! connection is looked at a few times a minute.

use std::{
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use fingertip_core::sync::lock;
use http_body::{Frame, SizeHint};
use tokio::{sync::Notify, time::Instant};

use super::{limits::HttpLimits, slots::Slots};

/// Answers an HTTP/2 connection gets without the token before it is closed.
const STRANGER_ANSWERS: u32 = 8;
/// How late a deadline may be noticed, as a part of the shortest one.
const TICKS_PER_TIMEOUT: u32 = 4;

/// Why a connection is closed from this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// The headers of a request, begun, did not come to their end.
    SlowHeaders,
    /// Nothing was asked for too long.
    Idle,
    /// An answer was not read.
    Unread,
    /// The token was not shown in time, or too much was asked without it.
    Stranger,
    /// A newer connection needed the place.
    Evicted,
}

#[derive(Debug)]
struct State {
    authenticated: bool,
    /// Whether its token waits to be checked.
    queued: bool,
    /// Answers given to a stranger.
    refused: u32,
    /// Requests being handled or answered.
    requests: usize,
    /// Those of them whose answer, of known length, is complete on this side and not yet handed to the socket.
    answers: usize,
    /// When bytes of a request came that is not whole yet.
    head_since: Option<Instant>,
    idle_since: Instant,
    /// Since when the socket takes nothing.
    blocked_since: Option<Instant>,
    last_written: Instant,
    /// HTTP/2 has traffic of its own between requests, which says nothing about headers.
    times_heads: bool,
}

/// What is known about one connection; shared by its task, its requests and the table of connections.
#[derive(Debug)]
pub(crate) struct Activity {
    pub(crate) number: u64,
    pub(crate) peer: SocketAddr,
    pub(crate) opened: Instant,
    slots: Arc<Slots>,
    state: Mutex<State>,
    /// Held by the one request whose token waits to be checked: streams of one connection wait for each other first.
    pub(crate) checking: tokio::sync::Mutex<()>,
    evicted: Notify,
    finished: Notify,
}

/// How much a connection is worth keeping when places are short; the smallest goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// A stranger that has had its answer.
    Answered,
    /// A stranger that has not asked yet.
    Unknown,
    /// A client between requests.
    Idle,
    /// Waits for its check, or is a client with a call under way: stays.
    Kept,
}

impl Activity {
    pub(crate) fn new(number: u64, peer: SocketAddr, slots: Arc<Slots>) -> Self {
        let now = Instant::now();
        let state = State {
            authenticated: false,
            queued: false,
            refused: 0,
            requests: 0,
            answers: 0,
            head_since: None,
            idle_since: now,
            blocked_since: None,
            last_written: now,
            times_heads: true,
        };
        Self {
            number,
            peer,
            opened: now,
            slots,
            state: Mutex::new(state),
            checking: tokio::sync::Mutex::default(),
            evicted: Notify::new(),
            finished: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The TLS handshake is over: what came so far was no request.
    pub(crate) fn speaks(&self, http2: bool) {
        let mut state = self.state();
        state.head_since = None;
        state.idle_since = Instant::now();
        state.times_heads = !http2;
    }

    pub(crate) fn received(&self) {
        let mut state = self.state();
        if state.times_heads && state.requests == 0 && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
    }

    pub(crate) fn wrote(&self) {
        let mut state = self.state();
        state.blocked_since = None;
        state.last_written = Instant::now();
    }

    pub(crate) fn cannot_write(&self) {
        self.state().blocked_since.get_or_insert_with(Instant::now);
    }

    pub(crate) fn is_authenticated(&self) -> bool {
        self.state().authenticated
    }

    /// The connection has shown the token: it is a client's.
    pub(crate) fn authenticate(&self) {
        let was = std::mem::replace(&mut self.state().authenticated, true);
        if !was {
            self.slots.authenticated(self.number);
        }
    }

    /// Waits its turn to be checked; while the guard lives, the connection is not evicted.
    pub(crate) fn queue(self: &Arc<Self>) -> Queued {
        self.state().queued = true;
        Queued(self.clone())
    }

    /// Counts an answer given without the token; a connection that asks on and on is closed.
    pub(crate) fn refused(&self) {
        let mut state = self.state();
        state.refused += 1;
        if state.refused > STRANGER_ANSWERS {
            drop(state);
            self.evict();
        }
    }

    /// A request begins; it ends with the guard.
    pub(crate) fn begin(self: &Arc<Self>) -> Busy {
        let mut state = self.state();
        state.requests += 1;
        state.head_since = None;
        drop(state);
        Busy { activity: self.clone(), answering: false }
    }

    pub(crate) fn worth(&self) -> (Worth, Instant) {
        let state = self.state();
        match () {
            () if state.authenticated && state.requests == 0 => (Worth::Idle, state.idle_since),
            () if state.authenticated || state.queued => (Worth::Kept, self.opened),
            () if state.refused > 0 => (Worth::Answered, self.opened),
            () => (Worth::Unknown, self.opened),
        }
    }

    pub(crate) fn evict(&self) {
        self.evicted.notify_one();
    }

    /// Waits until the connection has to end.
    pub(crate) async fn overdue(&self, limits: &HttpLimits) -> Closing {
        let shortest = limits.header_timeout.min(limits.write_timeout).min(limits.stranger_lifetime);
        let tick = shortest / TICKS_PER_TIMEOUT;
        loop {
            let (closing, due) = self.due(limits);
            let now = Instant::now();
            if due <= now {
                return closing;
            }
            tokio::select! {
                () = tokio::time::sleep_until(due.min(now + tick)) => {}
                () = self.evicted.notified() => return Closing::Evicted,
            }
        }
    }

    /// What ends the connection next if nothing changes, and when.
    fn due(&self, limits: &HttpLimits) -> (Closing, Instant) {
        let state = self.state();
        let mut due = Vec::with_capacity(3);
        if !state.authenticated {
            due.push((Closing::Stranger, self.opened + limits.stranger_lifetime));
        }
        if let Some(since) = state.blocked_since {
            due.push((Closing::Unread, since + limits.write_timeout));
        }
        if state.answers > 0 {
            due.push((Closing::Unread, state.last_written + limits.write_timeout));
        }
        if state.requests == 0 {
            let silence = if state.authenticated { limits.idle_timeout } else { limits.header_timeout };
            due.push(match state.head_since {
                Some(since) => (Closing::SlowHeaders, since + limits.header_timeout),
                None => (Closing::Idle, state.idle_since + silence),
            });
        }
        let first = due.into_iter().min_by_key(|(_, at)| *at);
        first.unwrap_or((Closing::Idle, Instant::now() + limits.idle_timeout))
    }

    /// Waits until no client's request is under way on this connection; strangers are not waited for.
    pub(crate) async fn finished(&self) {
        while self.has_calls() {
            self.finished.notified().await;
        }
    }

    fn has_calls(&self) -> bool {
        let state = self.state();
        state.authenticated && state.requests > 0
    }
}

/// A token that waits to be checked.
#[derive(Debug)]
pub(crate) struct Queued(Arc<Activity>);

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.state().queued = false;
        self.0.slots.changed();
    }
}

/// A request under way.
#[derive(Debug)]
pub(crate) struct Busy {
    activity: Arc<Activity>,
    answering: bool,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.requests -= 1;
        state.answers -= usize::from(self.answering);
        if state.requests == 0 {
            state.idle_since = Instant::now();
            drop(state);
            self.activity.finished.notify_one();
        }
    }
}

/// An answer on its way to the client; its request is over when the last of it is handed over.
pub(crate) struct Answer {
    body: Body,
    _busy: Busy,
}

impl Answer {
    pub(crate) fn new(body: Body, mut busy: Busy) -> Self {
        // A stream may be idle as long as it has nothing to say.
        if body.size_hint().exact().is_some() {
            busy.answering = true;
            let mut state = busy.activity.state();
            state.answers += 1;
            state.last_written = Instant::now();
            drop(state);
        }
        Self { body, _busy: busy }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Time for bytes already handed over to leave, once a server that shuts down has nothing else to wait for.
pub(crate) const FLUSH_TIME: Duration = Duration::from_millis(50);
