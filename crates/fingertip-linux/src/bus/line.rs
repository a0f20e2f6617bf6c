//! One D-Bus connection with many calls under way at once.
//!
//! Answers are matched by serial number in one place, so a call costs no subscription; messages are written
//! by a task of their own, so that a call given up half-way never leaves half a message on the wire. Every
//! call has a deadline, and a late answer is dropped.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use fingertip_core::Deadline;
use fingertip_core::sync::lock;
use futures_util::StreamExt;
use rustc_hash::FxHashMap;
use tokio::sync::{mpsc, oneshot};
use zbus::message::{Message, Type};
use zbus::zvariant::DynamicType;
use zbus::{Connection, MessageStream};

use super::CallError;

/// The callers that wait, by the serial number of their calls; `None` once the connection is lost.
type Waiting = Arc<Mutex<Option<FxHashMap<u32, oneshot::Sender<Message>>>>>;

/// The arguments of a call.
pub(crate) trait Body: serde::Serialize + DynamicType + Sync {}

impl<T: serde::Serialize + DynamicType + Sync> Body for T {}

/// A connection on which calls are made.
#[derive(Debug)]
pub(crate) struct Line {
    /// Open for as long as this is kept, even when its tasks end with the program.
    _connection: Connection,
    outgoing: mpsc::UnboundedSender<Message>,
    waiting: Waiting,
    round_trips: Arc<AtomicU64>,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

impl Line {
    /// Makes calls on this connection, and counts them here.
    pub(crate) fn new(connection: Connection, round_trips: Arc<AtomicU64>) -> Self {
        let waiting: Waiting = Arc::new(Mutex::new(Some(FxHashMap::default())));
        let (outgoing, messages) = mpsc::unbounded_channel();
        let tasks = [
            tokio::spawn(deliver(MessageStream::from(&connection), Arc::clone(&waiting))),
            tokio::spawn(send(connection.clone(), messages)),
        ];
        Self { _connection: connection, outgoing, waiting, round_trips, tasks }
    }

    /// Whether the other end is gone.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.waiting).is_none()
    }

    /// Calls a method and waits for its answer.
    ///
    /// # Errors
    /// When there is no answer by the deadline, or the answer is an error.
    pub(crate) async fn call<B: Body>(
        &self,
        destination: Option<&str>,
        path: &str,
        interface: &str,
        member: &str,
        body: &B,
        deadline: Deadline,
    ) -> Result<Message, CallError> {
        let message = compose(destination, path, interface, member, body).map_err(CallError::malformed)?;
        self.begin(message)?.answer(deadline).await
    }

    /// Sends a call; its answer can be waited for without holding this line.
    pub(crate) fn begin(&self, message: Message) -> Result<Pending, CallError> {
        let serial = message.primary_header().serial_num().get();
        let (answer, arrived) = oneshot::channel();
        let entry = Entry::add(&self.waiting, serial, answer)?;
        self.outgoing.send(message).map_err(|_| CallError::Closed)?;
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        Ok(Pending { arrived, _entry: entry })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

/// A call that was sent.
pub(crate) struct Pending {
    arrived: oneshot::Receiver<Message>,
    _entry: Entry,
}

impl Pending {
    /// Waits for its answer.
    pub(crate) async fn answer(self, deadline: Deadline) -> Result<Message, CallError> {
        let reply = tokio::time::timeout_at(deadline.instant().into(), self.arrived)
            .await
            .map_err(|_| CallError::Timeout)?
            .map_err(|_| CallError::Closed)?;
        match reply.message_type() {
            Type::Error => Err(error_of(&reply)),
            _ => Ok(reply),
        }
    }
}

/// A place among those who wait; leaving early gives it up.
struct Entry {
    waiting: Waiting,
    serial: u32,
}

impl Entry {
    fn add(waiting: &Waiting, serial: u32, answer: oneshot::Sender<Message>) -> Result<Self, CallError> {
        let mut table = lock(waiting);
        table.as_mut().ok_or(CallError::Closed)?.insert(serial, answer);
        Ok(Self { waiting: Arc::clone(waiting), serial })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(table) = lock(&self.waiting).as_mut() {
            table.remove(&self.serial);
        }
    }
}

/// Passes every answer to its caller; when the connection ends, all callers get an error.
async fn deliver(mut messages: MessageStream, waiting: Waiting) {
    while let Some(Ok(message)) = messages.next().await {
        let Some(serial) = message.header().reply_serial() else { continue };
        let mut table = lock(&waiting);
        if let Some(answer) = table.as_mut().and_then(|table| table.remove(&serial.get())) {
            let _ = answer.send(message.clone());
        }
    }
    lock(&waiting).take();
}

async fn send(connection: Connection, mut messages: mpsc::UnboundedReceiver<Message>) {
    while let Some(message) = messages.recv().await {
        if let Err(error) = connection.send(&message).await {
            tracing::debug!(%error, "a message could not be sent");
            return;
        }
    }
}

pub(super) fn compose<B: Body>(
    destination: Option<&str>,
    path: &str,
    interface: &str,
    member: &str,
    body: &B,
) -> zbus::Result<Message> {
    let mut builder = Message::method_call(path, member)?.interface(interface)?;
    if let Some(destination) = destination {
        builder = builder.destination(destination)?;
    }
    builder.build(body)
}

fn error_of(reply: &Message) -> CallError {
    let header = reply.header();
    let name = header.error_name().map_or("", |name| name.as_str());
    let message = reply.body().deserialize::<String>().unwrap_or_default();
    CallError::named(name, &message)
}
