//! What happens in applications, as the accessibility bus reports it.
//!
//! Rules: the connection for events is always read, since an unread one stops its sender; what cannot
//! be understood still counts as something that happened. Applications are asked to report only while there is a
//! listener, and for a short time after, because reporting slows them down; moves of what is on the screen are never
//! asked for, as some applications move something all the time.

mod raw;
mod reader;
mod watching;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result};
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::sync::{Mutex, broadcast, watch};
use tokio::task::JoinHandle;
use zbus::MessageStream;
use zbus::message::{Message, Sequence, Type};

use crate::bus::{Answer, Bus, CallError, interface};
use crate::connection::PATIENCE;
use crate::handle::Handle;

use raw::{Raw, What};

#[cfg(feature = "fuzzing")]
pub(crate) use raw::event_of_bytes;
pub(crate) use reader::SessionReader;
pub(crate) use watching::LinuxWatch;

/// How long applications go on reporting after the last listener left.
const LINGER: Duration = Duration::from_secs(30);
/// How long a wait lasts at the most before the caller looks again: toolkits leave some changes unreported.
const LOOK_ANYWAY: Duration = Duration::from_secs(1);
/// How many events may wait for a slow reader; older ones are then lost to it.
const BACKLOG: usize = 1024;
/// What applications are asked to report.
const WANTED: [&str; 13] = [
    "object:active-descendant-changed",
    "object:children-changed",
    "object:property-change:accessible-description",
    "object:property-change:accessible-name",
    "object:property-change:accessible-value",
    "object:selection-changed",
    "object:state-changed",
    "object:text-changed",
    "object:value-changed",
    "window:activate",
    "window:create",
    "window:destroy",
    "window:property-change",
];
/// What the bus is asked to deliver.
const RULES: [&str; 3] = [
    "type='signal',interface='org.a11y.atspi.Event.Object'",
    "type='signal',interface='org.a11y.atspi.Event.Window'",
    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'",
];
/// The service that passes registrations on to the applications.
const REGISTRY: (&str, &str, &str) =
    ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry");
const DAEMON: (&str, &str, &str) = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus");

/// The events of one connection to the bus.
#[derive(Debug)]
pub(crate) struct Events {
    shared: Arc<Shared>,
    reader: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    bus: Arc<Bus>,
    count: watch::Sender<u64>,
    stream: broadcast::Sender<Arc<Raw>>,
    /// How far the messages of the connection were read.
    read: watch::Sender<Sequence>,
    /// Held while applications are asked to report, or to stop.
    asking: Mutex<()>,
    /// Counts the periods in which applications report, from one on; zero while they do not.
    period: AtomicU64,
    users: AtomicUsize,
    /// How many listeners there have been, so that the end of an old lease does not end a new one.
    uses: AtomicU64,
    runtime: tokio::runtime::Handle,
}

/// While one of these lives, applications report.
#[derive(Debug)]
pub(crate) struct Lease(Arc<Shared>);

/// Everything that happens from some moment on.
#[derive(Debug)]
pub(crate) struct Following {
    events: broadcast::Receiver<Arc<Raw>>,
    /// The reporting period when it began.
    period: u64,
    began: Instant,
}

impl Following {
    /// Whether something has happened, in any application.
    pub(crate) fn has_news(&self) -> bool {
        !self.events.is_empty()
    }

    /// When it began.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }
}

impl Events {
    /// Reads the events of this bus from now on.
    pub(crate) fn new(bus: Arc<Bus>) -> Self {
        let messages = MessageStream::from(bus.events());
        let shared = Arc::new(Shared {
            bus,
            count: watch::Sender::new(0),
            stream: broadcast::Sender::new(BACKLOG),
            read: watch::Sender::default(),
            asking: Mutex::default(),
            period: AtomicU64::new(0),
            users: AtomicUsize::new(0),
            uses: AtomicU64::new(0),
            runtime: tokio::runtime::Handle::current(),
        });
        let (count, stream, progress) = (shared.count.clone(), shared.stream.clone(), shared.read.clone());
        let reader = tokio::spawn(read(messages, count, stream, progress));
        Self { shared, reader }
    }

    /// How much has happened so far.
    pub(crate) fn count(&self) -> u64 {
        *self.shared.count.borrow()
    }

    /// Returns the new count once it exceeds `seen`, and at the latest when it is time to look again anyway.
    pub(crate) async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        let _lease = self.listen(deadline).await?;
        let mut count = self.shared.count.subscribe();
        let limit = deadline.slice(LOOK_ANYWAY);
        let waited =
            tokio::time::timeout_at(limit.instant().into(), count.wait_for(|count| *count > seen)).await;
        match waited {
            Ok(Ok(count)) => Ok(*count),
            Ok(Err(_)) => Err(CallError::Closed.into_error("The accessibility bus", "waiting for changes")),
            Err(_) if deadline.passed() => Err(Error::new(Reason::Timeout, "Nothing changed in time.")),
            Err(_) => Ok(bump(&self.shared.count)),
        }
    }

    /// Everything that happens from now on, while the lease is held.
    pub(crate) async fn subscribe(
        &self,
        deadline: Deadline,
    ) -> Result<(Lease, broadcast::Receiver<Arc<Raw>>)> {
        let receiver = self.shared.stream.subscribe();
        Ok((self.listen(deadline).await?, receiver))
    }

    /// Makes applications report. The first listener is notified at once that something may have changed, because
    /// there was no listener before.
    pub(crate) async fn listen(&self, deadline: Deadline) -> Result<Lease> {
        self.shared.users.fetch_add(1, Ordering::AcqRel);
        let uses = self.shared.uses.fetch_add(1, Ordering::AcqRel);
        let lease = Lease(Arc::clone(&self.shared));
        let asking = self.shared.asking.lock().await;
        if self.period() == 0 {
            let asked = self.shared.ask(true, deadline).await;
            asked.map_err(|error| error.into_error("The accessibility bus", "listening"))?;
            self.shared.period.store(uses + 1, Ordering::Release);
            bump(&self.shared.count);
        }
        drop(asking);
        Ok(lease)
    }

    /// Follows what happens from now on. It is whole only while there is a listener; see [`Self::listen`].
    pub(crate) fn follow(&self) -> Following {
        Following { events: self.shared.stream.subscribe(), period: self.period(), began: Instant::now() }
    }

    /// What an application reported since; `None` when some of it may have been missed.
    pub(crate) fn since(&self, following: &mut Following, bus_name: &str) -> Option<Vec<Arc<Raw>>> {
        let is_unbroken = following.period != 0 && following.period == self.period();
        let mut reported = Vec::new();
        loop {
            match following.events.try_recv() {
                Ok(raw) if &*raw.handle.bus_name == bus_name => reported.push(raw),
                Ok(_) => {}
                Err(TryRecvError::Empty) => return is_unbroken.then_some(reported),
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => return None,
            }
        }
    }

    /// Returns once everything was read that an application had reported when it was asked.
    ///
    /// An answer comes behind the events on the same connection. It is asked for by the bus, as events come that way
    /// even from applications that have a socket of their own.
    pub(crate) async fn catch_up(&self, bus_name: &str, deadline: Deadline) -> Answer<()> {
        let root = Handle::root(bus_name);
        let (path, connection) = (&*root.path, self.shared.bus.events());
        let asked = connection.call_method(Some(bus_name), path, Some(interface::ACCESSIBLE), "GetRole", &());
        let caught_up = async {
            let position: Sequence = match asked.await {
                Ok(answer) => answer.recv_position(),
                // A refusal is as good an answer.
                Err(zbus::Error::MethodError(_, _, answer)) => answer.recv_position(),
                Err(_) => return Err(CallError::Closed),
            };
            let mut read = self.shared.read.subscribe();
            read.wait_for(|read| *read >= position).await.map(drop).map_err(|_| CallError::Closed)
        };
        let limit = deadline.slice(PATIENCE).instant();
        tokio::time::timeout_at(limit.into(), caught_up).await.map_err(|_| CallError::Timeout)?
    }

    fn period(&self) -> u64 {
        self.shared.period.load(Ordering::Acquire)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.0.users.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let shared = Arc::clone(&self.0);
        let uses = shared.uses.load(Ordering::Acquire);
        self.0.runtime.spawn(async move {
            tokio::time::sleep(LINGER).await;
            let _asking = shared.asking.lock().await;
            let unused =
                shared.users.load(Ordering::Acquire) == 0 && shared.uses.load(Ordering::Acquire) == uses;
            if unused
                && shared.period.swap(0, Ordering::AcqRel) != 0
                && let Err(error) = shared.ask(false, Deadline::after(LINGER)).await
            {
                tracing::debug!(%error, "applications could not be asked to stop reporting");
            }
        });
    }
}

impl Shared {
    /// Asks applications to report, or to stop.
    async fn ask(&self, report: bool, deadline: Deadline) -> Answer<()> {
        let (rule, event) =
            if report { ("AddMatch", "RegisterEvent") } else { ("RemoveMatch", "DeregisterEvent") };
        // Both belong to the connection on which the events are to come.
        let call = async |(name, path, interface): (&str, &str, &str), member: &str, body: &str| {
            let called = self.bus.events().call_method(Some(name), path, Some(interface), member, &body);
            match tokio::time::timeout_at(deadline.instant().into(), called).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(CallError::Refused(error.to_string())),
                Err(_) => Err(CallError::Timeout),
            }
        };
        try_join_all(RULES.iter().map(|body| call(DAEMON, rule, body))).await?;
        try_join_all(WANTED.iter().map(|body| call(REGISTRY, event, body))).await?;
        Ok(())
    }
}

fn bump(count: &watch::Sender<u64>) -> u64 {
    count.send_modify(|count| *count += 1);
    *count.borrow()
}

/// Reads every message, counts what happened, and passes it to the listeners.
async fn read(
    mut messages: MessageStream,
    count: watch::Sender<u64>,
    stream: broadcast::Sender<Arc<Raw>>,
    read: watch::Sender<Sequence>,
) {
    while let Some(message) = messages.next().await {
        let Ok(message) = message else {
            // The connection ended; waiting calls look again and get an error.
            bump(&count);
            continue;
        };
        if let Some(raw) = event(&message) {
            // There may be no listener just now.
            let _ = stream.send(Arc::new(raw));
            bump(&count);
        }
        read.send_replace(message.recv_position());
    }
}

/// The event in a message; `None` for answers and for noise.
fn event(message: &Message) -> Option<Raw> {
    if message.message_type() != Type::Signal {
        return None;
    }
    Raw::read(message)
}

/// The object of an event, by the application that sent it.
fn source(message: &Message) -> Option<Handle> {
    let header = message.header();
    Some(Handle::new(header.sender()?.as_str(), header.path()?.as_str()))
}
