//! UiAutomation as the agent holds it: taken when needed, given back when idle, and what it reports meanwhile.
//!
//! The phone's model is never asked while the state here is locked: who has the model may be waiting for the state.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use super::automation::Lease;
use super::failure::Failure;
use super::observe::{self, Event, Observer};
use super::wire::Frame;
use crate::SimPhone;
use crate::lock::lock;

/// The least time between two messages of changes.
const GATHER: Duration = Duration::from_millis(16);

/// Events, and the right to get them.
#[derive(Debug)]
pub(super) struct Events {
    phone: Arc<SimPhone>,
    outbox: mpsc::UnboundedSender<Frame>,
    release_after: Duration,
    state: Mutex<State>,
    gathered: Notify,
}

#[derive(Debug, Default)]
struct State {
    lease: Option<Lease>,
    /// Grows with each taking, so that an observer of an earlier one ends.
    taking: u64,
    taken: Option<Instant>,
    used: Option<Instant>,
    hold_until: Option<Instant>,
    last_change: Option<Instant>,
    count: u64,
    wants_changes: bool,
    wants_toasts: bool,
    gathering: Gathering,
}

#[derive(Debug, Default)]
struct Gathering {
    windows: bool,
    content: bool,
    focus: bool,
    packages: BTreeSet<String>,
    count: u64,
}

impl Events {
    pub(super) fn new(
        phone: Arc<SimPhone>,
        outbox: mpsc::UnboundedSender<Frame>,
        release_after: Duration,
    ) -> Arc<Self> {
        let state = Mutex::default();
        let events = Arc::new(Self { phone, outbox, release_after, state, gathered: Notify::new() });
        tokio::spawn(send(Arc::downgrade(&events)));
        tokio::spawn(give_back(Arc::downgrade(&events)));
        events
    }

    /// Takes UiAutomation, unless it is held, and counts as use.
    pub(super) fn take(self: &Arc<Self>) -> Result<(), Failure> {
        {
            let mut state = self.state();
            state.used = Some(Instant::now());
            if state.lease.is_some() {
                return Ok(());
            }
        }
        let observer = self.phone.with(|phone| Observer::new(phone));
        let mut state = self.state();
        if state.lease.is_some() {
            return Ok(());
        }
        let taken_by_others = self.phone.faults().plan().automation_taken;
        let lease = self.phone.automation().take(taken_by_others).map_err(|words| {
            Failure::new("busy", format!("UiAutomation is held by another tool: {words}"))
        })?;
        state.lease = Some(lease);
        state.taking += 1;
        state.taken = Some(Instant::now());
        state.last_change = None;
        tokio::spawn(observe(Arc::downgrade(self), observer, state.taking));
        Ok(())
    }

    /// Gives UiAutomation back; whether it was held.
    pub(super) fn release(&self) -> bool {
        let mut state = self.state();
        let held = state.lease.take().is_some();
        if held && (state.wants_changes || state.wants_toasts) {
            let _ = self.outbox.send(Frame::Event(json!({ "event": "released" })));
        }
        held
    }

    pub(super) fn subscribe(&self, changes: bool, toasts: bool, hold: Duration) -> u64 {
        let mut state = self.state();
        state.wants_changes = changes;
        state.wants_toasts = toasts;
        state.gathering = Gathering::default();
        state.hold_until = Some(Instant::now() + hold);
        state.count
    }

    pub(super) fn count(&self) -> u64 {
        self.state().count
    }

    /// How long nothing has changed; `None` when nothing was seen to change since it was taken.
    pub(super) fn quiet(&self) -> Option<Duration> {
        self.state().last_change.map(|change| change.elapsed())
    }

    /// Since when nothing has changed.
    pub(super) fn quiet_since(&self) -> Option<Instant> {
        let state = self.state();
        state.last_change.max(state.taken)
    }

    fn happened(&self, event: &Event) {
        let now = self.phone.now();
        let mut state = self.state();
        if event.kind == observe::NOTIFICATION_STATE_CHANGED {
            if state.wants_toasts {
                let toast = json!({
                    "event": "toast", "package": event.package, "text": event.text,
                    "uptime_ms": now,
                });
                let _ = self.outbox.send(Frame::Event(toast));
            }
            return;
        }
        state.count += 1;
        state.last_change = Some(Instant::now());
        if !state.wants_changes {
            return;
        }
        let gathering = &mut state.gathering;
        match event.kind {
            observe::WINDOWS_CHANGED | observe::WINDOW_STATE_CHANGED => gathering.windows = true,
            observe::VIEW_FOCUSED => gathering.focus = true,
            _ => gathering.content = true,
        }
        gathering.count += 1;
        gathering.packages.insert(event.package.clone());
        self.gathered.notify_one();
    }

    fn change(&self) -> Option<Value> {
        let now = self.phone.now();
        let mut state = self.state();
        let Gathering { windows, content, focus, packages, count } = std::mem::take(&mut state.gathering);
        (count > 0).then(|| {
            json!({
                "event": "change", "windows": windows, "content": content, "focus": focus,
                "packages": packages, "count": count, "events": state.count, "uptime_ms": now,
            })
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// Notes what happens on the phone for as long as UiAutomation is held.
async fn observe(events: Weak<Events>, mut observer: Observer, taking: u64) {
    let Some(mut changes) = events.upgrade().map(|events| events.phone.changes()) else { return };
    loop {
        {
            let Some(events) = events.upgrade() else { return };
            let held = |state: &State| state.lease.is_some() && state.taking == taking;
            if !held(&events.state()) {
                return;
            }
            for event in events.phone.with(|phone| observer.look(phone)) {
                events.happened(&event);
            }
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Sends the first change at once, and those that follow gathered.
async fn send(events: Weak<Events>) {
    loop {
        let Some(strong) = events.upgrade() else { return };
        // A bounded wait, so that the last handle can go while nothing happens.
        let _ = tokio::time::timeout(Duration::from_secs(1), strong.gathered.notified()).await;
        let Some(change) = strong.change() else { continue };
        if strong.outbox.send(Frame::Event(change)).is_err() {
            return;
        }
        drop(strong);
        tokio::time::sleep(GATHER).await;
    }
}

/// Gives UiAutomation back once it was not used for a while.
async fn give_back(events: Weak<Events>) {
    loop {
        let Some(strong) = events.upgrade() else { return };
        let until = {
            let state = strong.state();
            let idle = state.used.map(|used| used + strong.release_after);
            idle.max(state.hold_until).filter(|_| state.lease.is_some())
        };
        if until.is_some_and(|until| until <= Instant::now()) {
            strong.release();
        }
        drop(strong);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
