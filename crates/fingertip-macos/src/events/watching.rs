//! A running observation: events of one application, or of all, each with its node as it is right after.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::{UiEvent, UiEventKind, Watch};
use fingertip_core::{Deadline, Error, Node, Reason, Result};
use fingertip_desktop::RunningApp;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Notice;
use crate::apps::{self, Running};
use crate::element::Element;
use crate::failure::Answer;
use crate::handle::Handle;
use crate::read;
use crate::roles;
use crate::session::Session;
use crate::tree::node::node;

/// How long more of the same is waited for: one change makes several notifications.
const TOGETHER: Duration = Duration::from_millis(40);
/// How long an application may take to describe a node.
const READ_WITHIN: Duration = Duration::from_millis(500);
/// How often it is seen whether the application still runs: nothing announces that it has quit.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Events, reported one by one.
pub(crate) struct MacWatch {
    session: Arc<Session>,
    /// The application that is watched; `None` for all that are observed.
    only: Option<Arc<Running>>,
    events: Receiver<Arc<Notice>>,
    /// What happened and is not reported yet, each thing once.
    pending: VecDeque<Happening>,
    /// The titles of windows, since one that is gone cannot be asked.
    titles: HashMap<Element, Box<str>>,
    ended: bool,
}

/// One thing to be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Happening {
    pid: i32,
    element: Element,
    kind: UiEventKind,
}

impl MacWatch {
    /// Watches these applications, or all.
    pub(crate) async fn begin(
        session: Arc<Session>,
        only: Option<Arc<Running>>,
        deadline: Deadline,
    ) -> Result<Self> {
        let events = session.events.subscribe();
        let mut titles = HashMap::new();
        let watched = only.clone().map_or_else(|| session.apps.known(), |app| vec![app]);
        for app in &watched {
            let asked = {
                let session = Arc::clone(&session);
                app.ask(deadline.slice(READ_WITHIN), move |client| {
                    session.events.observe(client)?;
                    read::windows(client)
                })
                .await
            };
            match asked {
                Ok(windows) => {
                    titles.extend(windows.into_iter().map(|(object, top)| (object.element, top.title)));
                }
                // Of one application it must be known; of many the others still report.
                Err(failure) if only.is_some() => return Err(app.error(failure, "it cannot be watched")),
                Err(failure) => tracing::debug!(%failure, app = %app.name(), "not watched"),
            }
        }
        Ok(Self { session, only, events, pending: VecDeque::new(), titles, ended: false })
    }

    /// Notes a notification; the same thing that happened to the same element before is reported once, as it is now.
    fn note(&mut self, notice: &Notice) {
        let concerns = self.only.as_ref().is_none_or(|app| app.pid == notice.pid);
        let Some(kind) = notice.kind.filter(|_| concerns) else { return };
        let happening = Happening { pid: notice.pid, element: notice.element.clone(), kind };
        if !self.pending.contains(&happening) {
            self.pending.push_back(happening);
        }
    }

    /// Takes in one notification; false when none came by then.
    async fn take(&mut self, until: Deadline) -> Result<bool> {
        match tokio::time::timeout_at(until.instant().into(), self.events.recv()).await {
            Ok(Ok(notice)) => self.note(&notice),
            // They came faster than they were reported; what they were about shows in those that follow.
            Ok(Err(RecvError::Lagged(missed))) => tracing::debug!(missed, "notifications were missed"),
            Ok(Err(RecvError::Closed)) => {
                return Err(Error::new(Reason::Disconnected, "The desktop is not observed any more."));
            }
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the application that is watched has quit.
    async fn has_quit(&self) -> bool {
        let Some(app) = &self.only else { return false };
        self.session.events.use_of(app.pid);
        let pid = app.pid;
        tokio::task::spawn_blocking(move || !apps::is_running(pid)).await.unwrap_or_default()
    }

    /// A happening with its node; `None` when it turns out to be nothing to report.
    async fn event_of(&mut self, happening: Happening, deadline: Deadline) -> Option<UiEvent> {
        let Happening { pid, element, kind } = happening;
        let running = self.session.apps.of_pid(pid)?;
        let app = running.app(false).reference();
        if kind == UiEventKind::WindowDestroyed {
            return match self.titles.remove(&element) {
                Some(title) => Some(UiEvent { kind, app, node: None, title: Some(title) }),
                // Something else went; that its parent holds less is what can be reported.
                None => Some(UiEvent { kind: UiEventKind::ChildrenChanged, app, node: None, title: None }),
            };
        }
        let asked = element.clone();
        let read = running.ask(deadline.slice(READ_WITHIN), move |client| node_of(client, &asked)).await;
        let node = read.inspect_err(|failure| tracing::debug!(%failure, "an element could not be read")).ok();
        let class = node.as_ref().and_then(|node| node.class.as_deref());
        let is_window = matches!(class, Some(roles::WINDOW | roles::SHEET));
        let kind = match kind {
            // Whatever is renamed says so by the same notification.
            UiEventKind::TitleChanged if !is_window => UiEventKind::ValueChanged,
            kind => kind,
        };
        let mut title = None;
        if matches!(kind, UiEventKind::WindowCreated | UiEventKind::TitleChanged) {
            title = node.as_ref().and_then(|node| node.text.clone());
            let known = title.as_ref().and_then(|title| self.titles.insert(element, title.clone()));
            if kind == UiEventKind::TitleChanged && known.is_some() && known == title {
                return None;
            }
        }
        Some(UiEvent { kind, app, node, title })
    }
}

/// An element as a node.
fn node_of(client: &crate::client::Client<'_>, element: &Element) -> Answer<Node> {
    let facts = client.facts(element)?;
    let mut node = node(&facts, facts.frame.unwrap_or_default(), true, None);
    let number = client.app.handles.number(element);
    node.handle = Some(Handle { pid: client.app.pid, number }.to_string().into());
    if facts.is_secure() {
        (node.text, node.value) = (None, None);
    }
    Ok(node)
}

#[async_trait]
impl Watch for MacWatch {
    async fn next(&mut self, deadline: Deadline) -> Result<UiEvent> {
        loop {
            if self.ended {
                return Err(Error::new(
                    Reason::Disconnected,
                    "The application has quit; nothing more happens.",
                ));
            }
            if self.pending.is_empty() {
                while !self.take(deadline.slice(LOOK_EVERY)).await? {
                    if self.has_quit().await {
                        self.ended = true;
                        let app = self.only.as_ref().map(|app| app.app(false).reference());
                        let app = app.ok_or_else(|| Error::new(Reason::Internal, "Nobody is watched."))?;
                        return Ok(UiEvent { kind: UiEventKind::AppQuit, app, node: None, title: None });
                    }
                    if deadline.passed() {
                        return Err(Error::new(Reason::Timeout, "Nothing happened in time."));
                    }
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
