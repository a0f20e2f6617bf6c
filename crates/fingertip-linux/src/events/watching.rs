//! A running observation: events of one application, or of all, each with its node as it is right after.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::{AppRef, UiEvent, UiEventKind, Watch};
use fingertip_core::{Deadline, Error, Node, Reason, Result, Role};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{Lease, Raw, What};
use crate::bus::CallError;
use crate::handle::Handle;

/// How long more of the same is waited for: a keystroke alone makes several events.
const TOGETHER: Duration = Duration::from_millis(40);
/// How long an application may take to tell of a node.
const READ_WITHIN: Duration = Duration::from_millis(500);

/// Reads single nodes, and knows which application has which name on the bus.
#[async_trait]
pub(crate) trait Reader: Send + Sync {
    /// The node of an object as it is now; `None` when it is gone or does not answer.
    async fn node(&self, handle: &Handle, deadline: Deadline) -> Option<Node>;

    /// The application with this name on the bus; `None` for what is no application.
    async fn app(&self, bus_name: &str, deadline: Deadline) -> Option<AppRef>;
}

/// Events, told one by one.
pub(crate) struct LinuxWatch<R> {
    reader: R,
    /// Names on the bus of the application that is watched; `None` for all.
    only: Option<Vec<Arc<str>>>,
    app: Option<AppRef>,
    events: Receiver<Arc<Raw>>,
    /// What happened and is not told yet, each thing once.
    pending: VecDeque<(Handle, UiEventKind, bool)>,
    ended: bool,
    _lease: Lease,
}

impl<R: Reader> LinuxWatch<R> {
    /// Watches the application with these names on the bus, or all.
    pub(crate) fn new(
        reader: R,
        watched: Option<(AppRef, Vec<Arc<str>>)>,
        (lease, events): (Lease, Receiver<Arc<Raw>>),
    ) -> Self {
        let (app, only) = watched.unzip();
        Self { reader, only, app, events, pending: VecDeque::new(), ended: false, _lease: lease }
    }

    fn concerns(&self, bus_name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|name| &**name == bus_name))
    }

    /// Notes an event; the same thing that happened to the same node before is noted once, as it is now.
    fn note(&mut self, raw: &Raw) {
        if !self.concerns(&raw.handle.bus_name) {
            return;
        }
        let kind = match raw.what {
            What::Told(kind) => kind,
            What::Left => UiEventKind::AppQuit,
            What::Other => return,
        };
        let entry = (raw.handle.clone(), kind, raw.renamed);
        if !self.pending.contains(&entry) {
            self.pending.push_back(entry);
        }
    }

    /// Takes in what comes until that moment.
    async fn gather(&mut self, until: Deadline) -> Result<()> {
        loop {
            match tokio::time::timeout_at(until.instant().into(), self.events.recv()).await {
                Ok(Ok(raw)) => self.note(&raw),
                // Events that came faster than they were told are lost; what they were about is told with the next.
                Ok(Err(RecvError::Lagged(missed))) => tracing::debug!(missed, "events were missed"),
                Ok(Err(RecvError::Closed)) => {
                    return Err(CallError::Closed.told("The accessibility bus", "watching"));
                }
                Err(_) => return Ok(()),
            }
            if until.instant() > Deadline::after(TOGETHER).instant() && !self.pending.is_empty() {
                return Ok(());
            }
        }
    }

    /// The next pending event with its node; `None` when it turns out to be nothing to tell.
    async fn tell(&mut self, deadline: Deadline) -> Option<UiEvent> {
        let (handle, kind, renamed) = self.pending.pop_front()?;
        let app = match &self.app {
            Some(app) => app.clone(),
            None => self.reader.app(&handle.bus_name, deadline).await?,
        };
        if kind == UiEventKind::AppQuit {
            self.ended = self.app.is_some();
            return Some(UiEvent { kind, app, node: None, title: None });
        }
        let node = match kind {
            UiEventKind::WindowDestroyed => None,
            _ => self.reader.node(&handle, deadline.slice(READ_WITHIN)).await,
        };
        let is_window = node.as_ref().is_some_and(|node| matches!(node.role, Role::Window | Role::Dialog));
        let kind = if renamed && is_window { UiEventKind::TitleChanged } else { kind };
        let titled = matches!(kind, UiEventKind::WindowCreated | UiEventKind::TitleChanged);
        let title = node.as_ref().filter(|_| titled).and_then(|node| node.text.clone());
        Some(UiEvent { kind, app, node, title })
    }
}

#[async_trait]
impl<R: Reader> Watch for LinuxWatch<R> {
    async fn next(&mut self, deadline: Deadline) -> Result<UiEvent> {
        loop {
            if self.ended {
                return Err(Error::new(
                    Reason::Disconnected,
                    "The application has quit; nothing more happens.",
                ));
            }
            if self.pending.is_empty() {
                self.gather(deadline).await?;
                if self.pending.is_empty() {
                    return Err(Error::new(Reason::Timeout, "Nothing happened in time."));
                }
                self.gather(deadline.slice(TOGETHER)).await?;
            }
            if let Some(event) = self.tell(deadline).await {
                return Ok(event);
            }
        }
    }
}
