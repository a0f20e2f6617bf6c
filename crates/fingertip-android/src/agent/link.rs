//! One conversation with a running agent: several requests in flight, answers in any order, events between.
//!
//! Rules: a request without a waiting caller is cancelled on the phone, so that no finger stays down; an
//! agent that is silent for a while is pinged, and a conversation without an answer to that is over for all callers
//! at once. The agent takes only so many requests, one after another in each of its lanes: the rest waits here, fairly by client and acting before looking, so that a client
//! who asks for forty pictures holds up no other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use fingertip_core::Deadline;
use fingertip_core::fair::{Gate, Pass};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::error::{AgentError, Ending, Refusal};
use super::frame::{self, Frame, FrameError};
use crate::lock;

/// How long an agent that owes an answer may be silent before it is pinged, and then how long it has to answer
/// the ping.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);
/// The longest time limit the agent takes.
const MAX_TIMEOUT: Duration = Duration::from_secs(600);
/// How many requests that look are on the phone at once: it answers them one after another, and what waits there
/// cannot be overtaken any more.
const MAX_LOOKING: usize = 1;
/// How many pictures are on the phone at once: one is sent while the next is taken.
const MAX_PICTURES: usize = 2;
/// How many actions are on the phone at once.
const MAX_ACTING: usize = 1;
/// How many requests of all other kinds are on the phone at once.
const MAX_OTHERS: usize = 8;

/// A conversation. Clones share it; it ends with the last one.
#[derive(Debug, Clone)]
pub(crate) struct Link(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    outbox: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Mutex<Waiting>,
    lanes: Lanes,
    last: AtomicU32,
    started: Instant,
    /// When something last came, in milliseconds since the start.
    last_received: AtomicU64,
    ending: watch::Sender<Option<Ending>>,
    tasks: Vec<AbortHandle>,
}

#[derive(Debug, Default)]
struct Waiting(HashMap<u32, Pending>);

/// A request the agent has not answered yet.
#[derive(Debug)]
struct Pending {
    /// The caller that waits for the answer; `None` once it was cancelled.
    answer: Option<oneshot::Sender<Answer>>,
    /// Its place on the phone, until the answer is there: one that was cancelled may still be at work.
    pass: Option<Pass>,
}

/// The places on the phone, by the lanes of the agent.
#[derive(Debug)]
struct Lanes {
    looking: Gate,
    pictures: Gate,
    acting: Gate,
    others: Gate,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            looking: Gate::new(MAX_LOOKING),
            pictures: Gate::new(MAX_PICTURES),
            acting: Gate::new(MAX_ACTING),
            others: Gate::new(MAX_OTHERS),
        }
    }
}

impl Lanes {
    /// The lane of an operation; `None` for what is answered at once.
    fn of(&self, operation: &str) -> Option<&Gate> {
        Some(match operation {
            "hello" | "ping" | "cancel" | "quit" => return None,
            "snapshot" | "screen" | "foreground" | "secure_windows" | "clipboard_get" | "subscribe"
            | "release" => &self.looking,
            "screenshot" => &self.pictures,
            "act" | "gesture" | "key" | "text" | "global" | "clipboard_set" => &self.acting,
            _ => &self.others,
        })
    }
}

#[derive(Debug)]
enum Answer {
    Reply(Vec<u8>),
    Refused(Vec<u8>),
    Binary(Vec<u8>, Vec<u8>),
}

impl Link {
    /// Talks over this stream; `on_event` gets each event's object.
    pub(crate) fn new(
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        on_event: impl Fn(&[u8]) + Send + 'static,
    ) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        let (outbox, requests) = mpsc::unbounded_channel();
        let (hand_over, handed_over) = oneshot::channel::<std::sync::Weak<Shared>>();
        let writing = tokio::spawn(write(writer, requests));
        let reading = tokio::spawn(async move {
            if let Ok(shared) = handed_over.await {
                listen(reader, &shared, on_event).await;
            }
        });
        let shared = Arc::new(Shared {
            outbox,
            waiting: Mutex::default(),
            lanes: Lanes::default(),
            last: AtomicU32::new(0),
            started: Instant::now(),
            last_received: AtomicU64::new(0),
            ending: watch::Sender::new(None),
            tasks: vec![writing.abort_handle(), reading.abort_handle()],
        });
        let _ = hand_over.send(Arc::downgrade(&shared));
        Self(shared)
    }

    /// How it ended; `None` while it goes on.
    pub(crate) fn ending(&self) -> Option<Ending> {
        *self.0.ending.borrow()
    }

    /// Waits until it ends.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut ending = self.0.ending.subscribe();
        async move {
            let _ = ending.wait_for(Option::is_some).await;
        }
    }

    /// Asks for something that is answered with an object.
    ///
    /// # Errors
    /// What the agent refuses, the end of the conversation, or the deadline.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        request: Value,
        deadline: Deadline,
    ) -> Result<T, AgentError> {
        match self.exchange(request, deadline).await? {
            Answer::Reply(object) => serde_json::from_slice(&object)
                .map_err(|_| AgentError::Nonsense("the reply is not as promised")),
            _ => Err(AgentError::Nonsense("bytes were not asked for")),
        }
    }

    /// Asks for something that is answered with an object and bytes.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub(crate) async fn fetch<T: DeserializeOwned>(
        &self,
        request: Value,
        deadline: Deadline,
    ) -> Result<(T, Vec<u8>), AgentError> {
        match self.exchange(request, deadline).await? {
            Answer::Binary(object, bytes) => serde_json::from_slice(&object)
                .map(|object| (object, bytes))
                .map_err(|_| AgentError::Nonsense("the reply is not as promised")),
            _ => Err(AgentError::Nonsense("bytes are missing")),
        }
    }

    async fn exchange(&self, mut request: Value, deadline: Deadline) -> Result<Answer, AgentError> {
        let pass = self.place(request["op"].as_str().unwrap_or_default(), deadline).await?;
        let left = deadline.remaining().min(MAX_TIMEOUT);
        if left.is_zero() {
            return Err(AgentError::Late);
        }
        // The agent bounds the greeting itself, and takes nothing in it that is not needed to be let in.
        if request["op"] != "hello" {
            request["timeout_ms"] = json!(left.as_millis().max(1) as u64);
        }
        let mut asked = self.send(&request, pass)?;
        loop {
            let pause = deadline.slice(SILENCE);
            match tokio::time::timeout_at(pause.instant().into(), &mut asked.answer).await {
                Ok(Ok(Answer::Refused(object))) => {
                    let refusal: Refusal = serde_json::from_slice(&object)
                        .map_err(|_| AgentError::Nonsense("the error is not as promised"))?;
                    return Err(AgentError::Refused(refusal));
                }
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(_)) => return Err(AgentError::Ended(self.ending().unwrap_or(Ending::Closed))),
                Err(_) if deadline.passed() => {
                    self.check_later();
                    return Err(AgentError::Late);
                }
                Err(_) => self.check(deadline).await,
            }
        }
    }

    /// Waits for a place on the phone.
    async fn place(&self, operation: &str, deadline: Deadline) -> Result<Option<Pass>, AgentError> {
        let Some(gate) = self.0.lanes.of(operation) else { return Ok(None) };
        let mut entering = std::pin::pin!(gate.enter(deadline.claim()));
        let mut ended = std::pin::pin!(self.ended());
        loop {
            let pause = tokio::time::sleep_until(deadline.slice(SILENCE).instant().into());
            tokio::select! {
                biased;
                () = &mut ended => return Err(AgentError::Ended(self.ending().unwrap_or(Ending::Closed))),
                pass = &mut entering => return Ok(Some(pass)),
                () = pause => {}
            }
            if deadline.passed() {
                return Err(AgentError::Crowded(gate.waiting().saturating_sub(1)));
            }
            self.check(deadline).await;
        }
    }

    fn send(&self, request: &Value, pass: Option<Pass>) -> Result<Asked, AgentError> {
        let shared = &self.0;
        let number = shared.next_number();
        let bytes = frame::request(number, request.to_string().as_bytes()).ok_or(AgentError::TooLong)?;
        let (sender, answer) = oneshot::channel();
        {
            let mut waiting = shared.waiting();
            if let Some(ending) = *shared.ending.borrow() {
                return Err(AgentError::Ended(ending));
            }
            waiting.0.insert(number, Pending { answer: Some(sender), pass });
        }
        let asked = Asked { shared: Arc::clone(shared), number, answer };
        shared.outbox.send(bytes).map_err(|_| AgentError::Ended(Ending::Closed))?;
        Ok(asked)
    }

    /// Pings a silent agent; the conversation is over when it does not answer.
    async fn check(&self, deadline: Deadline) {
        if self.0.silent_for() < SILENCE {
            return;
        }
        let Ok(mut asked) = self.send(&json!({ "op": "ping" }), None) else { return };
        let until = deadline.slice(SILENCE);
        let answered = tokio::time::timeout_at(until.instant().into(), &mut asked.answer).await.is_ok();
        if !answered && self.0.silent_for() >= SILENCE {
            self.0.end(Ending::Silent);
        }
    }

    /// The caller's time is up, but the next caller should know.
    fn check_later(&self) {
        let link = self.clone();
        tokio::spawn(async move { link.check(Deadline::after(SILENCE)).await });
    }
}

impl Shared {
    fn next_number(&self) -> u32 {
        let next = self.last.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if next == 0 { self.next_number() } else { next }
    }

    fn silent_for(&self) -> Duration {
        let last_received = Duration::from_millis(self.last_received.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(last_received)
    }

    fn end(&self, ending: Ending) {
        self.ending.send_if_modified(|known| {
            let first = known.is_none();
            known.get_or_insert(ending);
            first
        });
        // Dropping the senders ends every wait.
        let waiting = std::mem::take(&mut self.waiting().0);
        drop(waiting);
        for task in &self.tasks {
            task.abort();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// A request on its way. Dropped before its answer came, it is cancelled.
struct Asked {
    shared: Arc<Shared>,
    number: u32,
    answer: oneshot::Receiver<Answer>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        {
            let mut waiting = self.shared.waiting();
            let Some(pending) = waiting.0.get_mut(&self.number) else { return };
            pending.answer = None;
            if pending.pass.is_none() {
                waiting.0.remove(&self.number);
            }
        }
        let cancel = json!({ "op": "cancel", "request": self.number }).to_string();
        if let Some(bytes) = frame::request(self.shared.next_number(), cancel.as_bytes()) {
            let _ = self.shared.outbox.send(bytes);
        }
    }
}

async fn write(mut stream: impl AsyncWrite + Unpin, mut requests: mpsc::UnboundedReceiver<Vec<u8>>) {
    // A stream that breaks is noticed by its reader.
    while let Some(request) = requests.recv().await {
        if stream.write_all(&request).await.is_err() || stream.flush().await.is_err() {
            return;
        }
    }
}

async fn listen(
    mut stream: impl AsyncRead + Unpin,
    shared: &std::sync::Weak<Shared>,
    on_event: impl Fn(&[u8]),
) {
    loop {
        let came = frame::read(&mut stream).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.last_received.store(shared.started.elapsed().as_millis() as u64, Ordering::Relaxed);
        let (number, answer) = match came {
            Ok(Frame::Event(object)) => {
                on_event(&object);
                continue;
            }
            Ok(Frame::Reply(number, object)) => (number, Answer::Reply(object)),
            Ok(Frame::Error(number, object)) => (number, Answer::Refused(object)),
            Ok(Frame::Binary(number, object, bytes)) => (number, Answer::Binary(object, bytes)),
            Err(FrameError::Ended(_)) => return shared.end(Ending::Closed),
            Err(FrameError::Nonsense(what)) => {
                tracing::warn!(what, "the agent sent no frame");
                return shared.end(Ending::Nonsense);
            }
        };
        // There may be no waiter any more: the answer crossed its cancellation.
        let waiting = shared.waiting().0.remove(&number);
        if let Some(Pending { answer: Some(waiting), .. }) = waiting {
            let _ = waiting.send(answer);
        }
    }
}

#[cfg(test)]
mod tests;
