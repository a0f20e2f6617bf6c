//! What happens in applications, reported by their notifications.
//!
//! An application is observed while there is a listener and for a short time after; reporting costs it time. Delivery is uneven
//! between applications: some changes are reported late, twice or never. So a notification wakes the waiting calls and says what to
//! read again; it is never taken for the truth.

mod observer;
mod watching;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::target::UiEventKind;
use fingertip_core::{Deadline, Error, Reason, Result};
use fingertip_desktop::cache::Reach;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::sync::{broadcast, watch};

use crate::client::Client;
use crate::element::Element;
use crate::failure::Answer;

use observer::{Observer, ObserverThread};

pub(crate) use watching::MacWatch;

/// How long an application is observed after the last listener left.
const LINGER: Duration = Duration::from_secs(60);
/// The most applications that are observed at a time; the one whose last listener left first makes room.
const MOST_OBSERVED: usize = 16;
/// How long a wait lasts at the most before the caller looks again: many changes are not reported.
const LOOK_ANYWAY: Duration = Duration::from_secs(1);
/// How many notifications may wait for a slow reader; older ones are then lost to it.
const BACKLOG: usize = 1024;

/// A notification: its name, what it reports, and how much is different then.
pub(crate) struct Notification {
    pub(crate) name: &'static str,
    kind: Option<UiEventKind>,
    reach: Reach,
}

const fn notification(name: &'static str, kind: Option<UiEventKind>, reach: Reach) -> Notification {
    Notification { name, kind, reach }
}

/// The notifications that are asked for.
pub(crate) const NOTIFICATIONS: [Notification; 22] = [
    notification("AXValueChanged", Some(UiEventKind::ValueChanged), Reach::Object),
    notification("AXTitleChanged", Some(UiEventKind::TitleChanged), Reach::Object),
    notification("AXFocusedUIElementChanged", Some(UiEventKind::FocusChanged), Reach::Object),
    notification("AXSelectedChildrenChanged", Some(UiEventKind::ValueChanged), Reach::Below),
    notification("AXSelectedRowsChanged", Some(UiEventKind::ValueChanged), Reach::Below),
    notification("AXSelectedCellsChanged", Some(UiEventKind::ValueChanged), Reach::Below),
    notification("AXCreated", Some(UiEventKind::ChildrenChanged), Reach::Below),
    notification("AXLayoutChanged", Some(UiEventKind::ChildrenChanged), Reach::Below),
    notification("AXRowCountChanged", Some(UiEventKind::ChildrenChanged), Reach::Below),
    notification("AXRowExpanded", Some(UiEventKind::ChildrenChanged), Reach::Application),
    notification("AXRowCollapsed", Some(UiEventKind::ChildrenChanged), Reach::Application),
    notification("AXLoadComplete", Some(UiEventKind::ChildrenChanged), Reach::Application),
    notification("AXUIElementDestroyed", Some(UiEventKind::WindowDestroyed), Reach::Application),
    notification("AXWindowCreated", Some(UiEventKind::WindowCreated), Reach::Application),
    notification("AXSheetCreated", Some(UiEventKind::WindowCreated), Reach::Application),
    notification("AXFocusedWindowChanged", None, Reach::Application),
    notification("AXWindowMoved", None, Reach::Application),
    notification("AXWindowResized", None, Reach::Application),
    notification("AXWindowMiniaturized", None, Reach::Application),
    notification("AXWindowDeminiaturized", None, Reach::Application),
    notification("AXMenuOpened", Some(UiEventKind::ChildrenChanged), Reach::Application),
    notification("AXMenuClosed", Some(UiEventKind::ChildrenChanged), Reach::Application),
];

/// One notification that came.
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    pub(crate) pid: i32,
    pub(crate) element: Element,
    pub(crate) kind: Option<UiEventKind>,
    pub(crate) reach: Reach,
}

/// Where notifications go.
#[derive(Debug)]
pub(crate) struct Sink {
    count: watch::Sender<u64>,
    stream: broadcast::Sender<Arc<Notice>>,
}

impl Sink {
    /// Passes on a notification of this name.
    fn put(&self, pid: i32, element: Element, name: &str) {
        if let Some(known) = NOTIFICATIONS.iter().find(|known| known.name == name) {
            // There may be no listener just now.
            let _ = self.stream.send(Arc::new(Notice { pid, element, kind: known.kind, reach: known.reach }));
        }
        self.bump();
    }

    fn bump(&self) -> u64 {
        self.count.send_modify(|count| *count += 1);
        *self.count.borrow()
    }
}

/// The notifications of all applications that are observed.
pub(crate) struct Events {
    sink: Arc<Sink>,
    observed: Mutex<Vec<Observed>>,
    thread: ObserverThread,
}

/// An application that is observed.
struct Observed {
    pid: i32,
    /// Which observation it is, of all that there were.
    number: u64,
    observer: Observer,
    used: Instant,
}

/// Everything that an application reports from some moment on.
#[derive(Debug)]
pub(crate) struct Following {
    pid: i32,
    /// Which observation of it was under way when it began; zero when there was none.
    number: u64,
    events: broadcast::Receiver<Arc<Notice>>,
    began: Instant,
}

impl Following {
    /// Whether something has happened, in any application.
    pub(crate) fn has_news(&self) -> bool {
        !self.events.is_empty()
    }

    /// Whether the application has reported anything since the last question.
    pub(crate) fn has_reported(&mut self) -> bool {
        loop {
            match self.events.try_recv() {
                Ok(notice) if notice.pid == self.pid => return true,
                // Of what was missed the newest is still there.
                Ok(_) | Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return false,
            }
        }
    }

    /// When it began.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }
}

impl Events {
    /// No application is observed yet.
    pub(crate) fn new() -> Self {
        let sink = Arc::new(Sink { count: watch::Sender::new(0), stream: broadcast::Sender::new(BACKLOG) });
        Self { sink, observed: Mutex::default(), thread: ObserverThread::default() }
    }

    /// How much has happened so far.
    pub(crate) fn count(&self) -> u64 {
        *self.sink.count.borrow()
    }

    /// Returns the new count once it exceeds `seen`, and at the latest when it is time to look again anyway.
    pub(crate) async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        let mut count = self.sink.count.subscribe();
        let limit = deadline.slice(LOOK_ANYWAY);
        let waited =
            tokio::time::timeout_at(limit.instant().into(), count.wait_for(|count| *count > seen)).await;
        match waited {
            Ok(Ok(count)) => Ok(*count),
            _ if deadline.passed() => Err(Error::new(Reason::Timeout, "Nothing changed in time.")),
            _ => Ok(self.sink.bump()),
        }
    }

    /// Everything that happens from now on, in the applications that are observed.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Notice>> {
        self.sink.stream.subscribe()
    }

    /// Observes an application, in its turn. The first listener is notified at once that something may have changed.
    ///
    /// # Errors
    /// When it does not answer, or reports nothing.
    pub(crate) fn observe(&self, client: &Client<'_>) -> Answer<()> {
        let pid = client.app.pid;
        if self.use_of(pid).is_some() {
            return Ok(());
        }
        let observer = Observer::new(client, &self.sink)?;
        self.thread.start(&observer);
        let mut observed = lock(&self.observed);
        let number = observer.number();
        observed.push(Observed { pid, number, observer, used: Instant::now() });
        self.retire(&mut observed);
        drop(observed);
        self.sink.bump();
        Ok(())
    }

    /// Notes that an application is still of interest; its observation, where there is one.
    pub(crate) fn use_of(&self, pid: i32) -> Option<u64> {
        let mut observed = lock(&self.observed);
        let found = observed.iter_mut().find(|observed| observed.pid == pid)?;
        found.used = Instant::now();
        Some(found.number)
    }

    /// Ends the observation of those that were of no interest for long.
    fn retire(&self, observed: &mut Vec<Observed>) {
        observed.sort_by_key(|observed| std::cmp::Reverse(observed.used));
        let old = observed.iter().position(|observed| observed.used.elapsed() > LINGER);
        let kept = old.unwrap_or(observed.len()).min(MOST_OBSERVED);
        for Observed { observer, .. } in observed.drain(kept..) {
            self.thread.end(observer);
        }
    }

    /// Follows what an application reports from now on. It is whole only while the application is observed.
    pub(crate) fn follow(&self, pid: i32) -> Following {
        let events = self.sink.stream.subscribe();
        Following { pid, number: self.use_of(pid).unwrap_or_default(), events, began: Instant::now() }
    }

    /// What it reported since; `None` when some of it may have been missed.
    pub(crate) fn since(&self, following: &mut Following) -> Option<Vec<(Element, Reach)>> {
        let is_unbroken = self.use_of(following.pid) == Some(following.number);
        let mut reported = Vec::new();
        loop {
            match following.events.try_recv() {
                Ok(notice) if notice.pid == following.pid => {
                    reported.push((notice.element.clone(), notice.reach));
                }
                Ok(_) => {}
                Err(TryRecvError::Empty) => return is_unbroken.then_some(reported),
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => return None,
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        for Observed { observer, .. } in lock(&self.observed).drain(..) {
            self.thread.end(observer);
        }
        self.thread.stop();
    }
}
