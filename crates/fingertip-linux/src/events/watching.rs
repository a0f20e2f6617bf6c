//! A running observation: events of one application, or of all, each with its node as it is right after.

use std::collections::{HashMap, VecDeque};
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
/// How long an application may take to describe a node.
const READ_WITHIN: Duration = Duration::from_millis(500);

/// Reads what a watch reports beside the event itself.
#[async_trait]
pub(crate) trait Reader: Send + Sync {
    /// The node of an object as it is now; `None` when it is gone or does not answer.
    async fn node(&self, handle: &Handle, deadline: Deadline) -> Option<Node>;

    /// The application with this name on the bus; `None` for other programs.
    async fn app(&self, bus_name: &str, deadline: Deadline) -> Option<AppRef>;

    /// The windows of an application and their titles.
    async fn windows(&self, bus_name: &str, deadline: Deadline) -> Vec<(Handle, Box<str>)>;
}

/// Events, reported one by one.
pub(crate) struct LinuxWatch<R> {
    reader: R,
    /// The application that is watched, and its names on the bus; `None` for all.
    only: Option<(AppRef, Vec<Arc<str>>)>,
    events: Receiver<Arc<Raw>>,
    /// What happened and is not reported yet, each thing once.
    pending: VecDeque<Happening>,
    /// The titles of windows, since one that is gone cannot be asked.
    titles: HashMap<Handle, Box<str>>,
    ended: bool,
    _lease: Lease,
}

/// One thing to report.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Happening {
    handle: Handle,
    kind: UiEventKind,
    renamed: bool,
}

impl<R: Reader> LinuxWatch<R> {
    /// Watches the application with these names on the bus, or all.
    pub(crate) async fn begin(
        reader: R,
        only: Option<(AppRef, Vec<Arc<str>>)>,
        (lease, events): (Lease, Receiver<Arc<Raw>>),
        deadline: Deadline,
    ) -> Self {
        let mut titles = HashMap::new();
        for name in only.iter().flat_map(|(_, names)| names) {
            titles.extend(reader.windows(name, deadline.slice(READ_WITHIN)).await);
        }
        Self { reader, only, events, pending: VecDeque::new(), titles, ended: false, _lease: lease }
    }

    fn concerns(&self, bus_name: &str) -> bool {
        self.only.as_ref().is_none_or(|(_, names)| names.iter().any(|name| &**name == bus_name))
    }

    /// Notes an event; the same thing that happened to the same node before is reported once, as it is now.
    fn note(&mut self, raw: &Raw) {
        let kind = match raw.what {
            What::Event(kind) => kind,
            What::Left => UiEventKind::AppQuit,
            What::Other => return,
        };
        let happening = Happening { handle: raw.handle.clone(), kind, renamed: raw.renamed };
        if self.concerns(&raw.handle.bus_name) && !self.pending.contains(&happening) {
            self.pending.push_back(happening);
        }
    }

    /// Takes in one event; false when none came by then.
    async fn take(&mut self, until: Deadline) -> Result<bool> {
        match tokio::time::timeout_at(until.instant().into(), self.events.recv()).await {
            Ok(Ok(raw)) => self.note(&raw),
            // They came faster than they were reported; what they were about shows in those that follow.
            Ok(Err(RecvError::Lagged(missed))) => tracing::debug!(missed, "events were missed"),
            Ok(Err(RecvError::Closed)) => {
                return Err(CallError::Closed.into_error("The accessibility bus", "watching"));
            }
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// A happening with its node; `None` when there turns out to be nothing to report.
    async fn event_of(&mut self, happening: Happening, deadline: Deadline) -> Option<UiEvent> {
        let Happening { handle, kind, renamed } = happening;
        let app = match &self.only {
            Some((app, _)) => app.clone(),
            None => self.reader.app(&handle.bus_name, deadline).await?,
        };
        match kind {
            UiEventKind::AppQuit => {
                self.ended = self.only.is_some();
                return Some(UiEvent { kind, app, node: None, title: None });
            }
            UiEventKind::WindowDestroyed => {
                let title = self.titles.remove(&handle);
                return Some(UiEvent { kind, app, node: None, title });
            }
            _ => {}
        }
        let node = self.reader.node(&handle, deadline.slice(READ_WITHIN)).await;
        let is_window = node.as_ref().is_some_and(|node| matches!(node.role, Role::Window | Role::Dialog));
        let kind = if renamed && is_window { UiEventKind::TitleChanged } else { kind };
        let mut title = None;
        if matches!(kind, UiEventKind::WindowCreated | UiEventKind::TitleChanged) {
            title = node.as_ref().and_then(|node| node.text.clone());
            let known = title.as_ref().and_then(|title| self.titles.insert(handle, title.clone()));
            // Toolkits report a new title in two ways; the second report adds nothing.
            if kind == UiEventKind::TitleChanged && known.is_some() && known == title {
                return None;
            }
        }
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
                if !self.take(deadline).await? {
                    return Err(Error::new(Reason::Timeout, "Nothing happened in time."));
                }
                let together = deadline.slice(TOGETHER);
                while !self.pending.is_empty() && self.take(together).await? {}
            }
            if let Some(happening) = self.pending.pop_front()
                && let Some(event) = self.event_of(happening, deadline).await
            {
                return Ok(event);
            }
        }
    }
}
