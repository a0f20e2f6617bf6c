//! A target that follows a script: it serves a snapshot, records every call, and reacts as the test says.
//!
//! Without a script it behaves as a plain device: text goes into fields, a tap toggles a check box. Reads
//! answer with the state after [`ScriptedTarget::on_event`] has run; writes take effect before it runs, so
//! that it can undo or add to them. Faults strike after a call was recorded and before it has any effect.

mod feed;
mod opening;
mod target;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::task::Waker;
use std::time::{Duration, Instant};

use feed::Feed;

use super::edit::{change_node, keep_windows, remove_nodes};
use super::event::Event;
use super::tree::find;
use super::wait::Timer;
use crate::sync::lock;
use crate::target::{
    App, Capabilities, Ending, Expected, LaunchPlan, LogPage, NodeAction, Part, Scope, Screenshot,
    SearchPage, SearchRequest, TargetInfo, TargetKind, UiEvent, diverted,
};
use crate::{Deadline, Error, Flags, Node, NodeIndex, Point, Reason, Result, Snapshot};

/// What a scripted target shows and holds.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The screen.
    pub snapshot: Snapshot,
    /// What an incremental look shows, as if read earlier; a full look where there is none.
    pub earlier: Option<Snapshot>,
    /// How many nodes one call of a search looks at; all where it is not said.
    pub search_step: Option<usize>,
    /// The clipboard.
    pub clipboard: Option<String>,
    /// The picture of the screen; [`super::sample::pixels`] of its size when there is none.
    pub screenshot: Option<Screenshot>,
    /// The log lines that match any query, cut only to its limit.
    pub logs: LogPage,
    /// How any application that is asked about ended.
    pub ending: Option<Ending>,
    /// What can be opened.
    pub installed: Vec<LaunchPlan>,
    /// The nodes that are another application's than the one that shows them, by their labels.
    pub embedded: Vec<(String, App)>,
}

impl State {
    /// Changes the first node with this label.
    ///
    /// # Panics
    /// When there is none.
    pub fn edit(&mut self, label: &str, change: impl FnOnce(&mut Node)) {
        self.snapshot = change_node(&self.snapshot, find(&self.snapshot, label), change);
    }
}

type Hook = Box<dyn FnMut(&Event, &mut State) + Send>;

enum Fault {
    Fail(Error),
    Panic,
}

struct Inner {
    state: State,
    /// The screen as it was after the last change.
    shown: Snapshot,
    events: Vec<Event>,
    hook: Option<Hook>,
    faults: VecDeque<Fault>,
    delay: Duration,
    hanging: bool,
    activity: u64,
    waiting: Vec<Waker>,
}

/// A target that follows a script.
pub struct ScriptedTarget {
    info: TargetInfo,
    capabilities: Capabilities,
    actions: Vec<NodeAction>,
    feed: Feed,
    inner: Mutex<Inner>,
}

impl fmt::Debug for ScriptedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedTarget").field("info", &self.info).finish_non_exhaustive()
    }
}

impl ScriptedTarget {
    /// A phone that can do everything and shows this screen. Natively it can click, long-click, focus, and do
    /// the actions a node names.
    #[must_use]
    pub fn new(name: &str, snapshot: Snapshot) -> Self {
        let logs = LogPage::default();
        let shown = snapshot.clone();
        let state = State {
            snapshot,
            earlier: None,
            search_step: None,
            clipboard: None,
            screenshot: None,
            logs,
            ending: None,
            installed: Vec::new(),
            embedded: Vec::new(),
        };
        Self {
            info: TargetInfo {
                name: name.to_owned(),
                kind: TargetKind::Phone,
                label: "Scripted".to_owned(),
                driver: "scripted".to_owned(),
                state: "ready".to_owned(),
            },
            capabilities: Capabilities::all(),
            actions: vec![NodeAction::Click, NodeAction::LongClick, NodeAction::Focus],
            feed: Feed::default(),
            inner: Mutex::new(Inner {
                state,
                shown,
                events: Vec::new(),
                hook: None,
                faults: VecDeque::new(),
                delay: Duration::ZERO,
                hanging: false,
                activity: 0,
                waiting: Vec::new(),
            }),
        }
    }

    /// Of this kind.
    #[must_use]
    pub fn with_kind(mut self, kind: TargetKind) -> Self {
        self.info.kind = kind;
        self
    }

    /// With only these capabilities.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// With only these native actions, beside those a node names.
    #[must_use]
    pub fn with_actions(mut self, actions: Vec<NodeAction>) -> Self {
        self.actions = actions;
        self
    }

    /// Calls this at each event, to change the state in reaction. It must not call the target.
    pub fn on_event(&self, hook: impl FnMut(&Event, &mut State) + Send + 'static) {
        self.lock().hook = Some(Box::new(hook));
    }

    /// Changes the state from outside, as a user or an application would; counts as one change.
    pub fn update(&self, change: impl FnOnce(&mut State)) {
        let mut inner = self.lock();
        change(&mut inner.state);
        let woken = inner.note_change();
        drop(inner);
        wake(woken);
    }

    /// Reports a change to all observers.
    pub fn report(&self, event: UiEvent) {
        self.feed.report(event);
    }

    /// The state now.
    #[must_use]
    pub fn state(&self) -> State {
        self.lock().state.clone()
    }

    /// All calls that reached the target, oldest first.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.lock().events.clone()
    }

    /// The calls that were meant to change something, oldest first.
    #[must_use]
    pub fn writes(&self) -> Vec<Event> {
        self.events().into_iter().filter(Event::is_write).collect()
    }

    /// Forgets the calls so far.
    pub fn clear_events(&self) {
        self.lock().events.clear();
    }

    /// The next call without a fault of its own fails with this error. Several faults strike one after another.
    pub fn fail_next(&self, error: Error) {
        self.lock().faults.push_back(Fault::Fail(error));
    }

    /// The next call without a fault of its own panics.
    pub fn panic_next(&self) {
        self.lock().faults.push_back(Fault::Panic);
    }

    /// Each call from now on takes this long, or times out at its deadline.
    pub fn delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// No call from now on is ever answered, against the rules of [`crate::Target`]: not even at its deadline.
    pub fn hang(&self) {
        self.lock().hanging = true;
    }

    /// Ends all faults for the calls that follow.
    pub fn recover(&self) {
        let mut inner = self.lock();
        inner.faults.clear();
        inner.delay = Duration::ZERO;
        inner.hanging = false;
    }

    /// What one call of a search finds: what is looked for among the next so many nodes, with what that is in.
    fn found(&self, whole: &Snapshot, request: SearchRequest<'_>, step: usize) -> Result<SearchPage> {
        let start = request.from.map_or(0, |from| usize::try_from(from).unwrap_or(usize::MAX));
        let all = self.part(whole, request.scope)?;
        let end = start.saturating_add(step).min(all.nodes().len());
        if start >= all.nodes().len() {
            return Err(Error::new(Reason::Stale, "That search is not kept any more."));
        }
        let is_found = |index: NodeIndex| {
            (start..end).contains(&index.position()) && request.sought.matches(all.node(index))
        };
        let mut snapshot = remove_nodes(&all, |index| !all.subtree(index).any(is_found));
        snapshot.sparse = true;
        let rest = (end < all.nodes().len()).then_some(end as u64);
        if rest.is_some() {
            snapshot.cut = Some(format!("the time was up when {end} objects had been looked at").into());
        }
        Ok(SearchPage { snapshot, next: rest })
    }

    /// What a read of this scope gives: a phone shows all its windows, a desktop those of the application with
    /// the focus; only a desktop reports what cannot be seen.
    fn part(&self, whole: &Snapshot, scope: &Scope) -> Result<Snapshot> {
        let desktop = self.info.kind == TargetKind::Desktop;
        let visible =
            |snapshot: &Snapshot| remove_nodes(snapshot, |index| !snapshot.node(index).is(Flags::VISIBLE));
        match scope {
            Scope::Screen if !desktop => Ok(whole.clone()),
            Scope::Screen => {
                let front = whole.focused_window().map(|window| whole.windows()[window].clone());
                Ok(visible(&keep_windows(whole, |window| {
                    front.as_ref().is_some_and(|front| front.app == window.app && front.pid == window.pid)
                })))
            }
            Scope::App { app, part } => {
                let own = keep_windows(whole, |window| app.owns(window));
                if own.windows().is_empty() {
                    return Err(Error::new(Reason::NotRunning, format!("'{}' is not running.", app.name)));
                }
                Ok(if desktop && *part == Part::Visible { visible(&own) } else { own })
            }
        }
    }

    /// A poisoned lock is taken all the same: a test that panics on purpose wants the target to live on.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Records a call, meets the faults, and answers.
    async fn call<T>(
        &self,
        event: Event,
        needed: Capabilities,
        deadline: Deadline,
        answer: impl FnOnce(&mut State) -> Result<T>,
    ) -> Result<T> {
        self.meet_faults(&event, deadline).await?;
        self.require(needed)?;
        let mut inner = self.lock();
        if !event.is_write() {
            inner.react(&event);
        }
        let result = answer(&mut inner.state);
        if event.is_write() && result.is_ok() {
            inner.react(&event);
        }
        // A copy of the screen for each call would cost more than all else that the server does for a call.
        let woken = if inner.state.snapshot == inner.shown { Vec::new() } else { inner.note_change() };
        drop(inner);
        wake(woken);
        result
    }

    async fn meet_faults(&self, event: &Event, deadline: Deadline) -> Result<()> {
        let (fault, delay, hanging) = {
            let mut inner = self.lock();
            inner.events.push(event.clone());
            (inner.faults.pop_front(), inner.delay, inner.hanging)
        };
        if hanging {
            std::future::pending::<()>().await;
        }
        let ready = Instant::now() + delay;
        Timer::new(ready.min(deadline.instant())).await;
        if deadline.passed() {
            return Err(Error::new(Reason::Timeout, "The target did not answer in time."));
        }
        match fault {
            None => Ok(()),
            Some(Fault::Fail(error)) => Err(error),
            Some(Fault::Panic) => panic!("the script says to panic"),
        }
    }

    /// Fails where another receiver than the meant one lies at this point now.
    fn must_lie(&self, at: Point, meant: &Expected, done: &str) -> Result<()> {
        let state = self.state();
        let found = crate::hit::receiver(&state.snapshot, at).map(|found| found.window);
        match found.map(|window| &state.snapshot.windows()[window]) {
            Some(window) if !meant.accepts(window) => Err(diverted(done, window.app.as_deref())),
            _ => Ok(()),
        }
    }

    /// No phone has a pointer.
    fn has(&self, part: Capabilities) -> bool {
        let lacking = match self.info.kind {
            TargetKind::Phone => Capabilities::POINTER,
            TargetKind::Desktop => Capabilities::empty(),
        };
        (self.capabilities - lacking).contains(part)
    }

    fn require(&self, needed: Capabilities) -> Result<()> {
        if self.has(needed) {
            return Ok(());
        }
        Err(Error::new(Reason::Unsupported, format!("This target lacks {needed:?}.")))
    }
}

impl Inner {
    fn react(&mut self, event: &Event) {
        if let Some(hook) = &mut self.hook {
            hook(event, &mut self.state);
        }
    }

    /// Counts a change; those returned are to be woken once the lock is free.
    fn note_change(&mut self) -> Vec<Waker> {
        self.activity += 1;
        self.shown.clone_from(&self.state.snapshot);
        std::mem::take(&mut self.waiting)
    }
}

fn wake(waiting: Vec<Waker>) {
    waiting.into_iter().for_each(Waker::wake);
}
