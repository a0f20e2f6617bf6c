//! The driver that runs a small program on the phone: milliseconds instead of seconds, any text, the clipboard,
//! ten fingers, and word of every change. Nothing is installed and no setting is changed.
//!
//! One stream carries everything: to the program over adb, or to the app that started us ([`AgentDriver::of_app`]). What this phone's agent lacks (an interface that its maker has hidden) is
//! done by the shell driver, which also reads the log; an app has no shell. Rules: nodes are named by handles and found again on the
//! phone at the moment of acting; nothing that may have happened is done twice.

mod actions;
mod activity;
mod error;
mod frame;
mod front;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod jar;
mod link;
mod picture;
mod snapshot;
mod start;
mod system;
mod text;
mod touch;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, LogPage, LogQuery, NodeAction};
use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Screen, Snapshot, Value, Window};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

pub(crate) use activity::Activity;
use error::AgentError;
use front::KnownFront;
use link::Link;
use snapshot::Packed;
pub(crate) use start::Hello;
use start::{AgentProcess, Started};

use crate::channel::{Device, Stream};
use crate::driver::Driver;
use crate::shell::ShellDriver;
use crate::{lock, wait};

/// How long after a look the phone still reports changes without being asked to; the agent gives UiAutomation
/// back ten seconds after its last use.
const HELD_BY_USE: Duration = Duration::from_secs(8);
/// How long another tool that is about to leave is waited for when the agent starts, and how often it is asked.
const OTHERS_LEAVE_WITHIN: Duration = Duration::from_secs(1);
const ASK_AGAIN: Duration = Duration::from_millis(100);
/// The longest time the phone can be asked to report changes.
const MAX_HOLD: Duration = Duration::from_secs(600);

/// Drives one phone through the agent that runs on it.
#[derive(Debug)]
pub struct AgentDriver {
    link: Link,
    hello: Hello,
    /// For what the agent cannot do; none where the agent is an app.
    shell: Option<Arc<ShellDriver>>,
    front: Mutex<Option<KnownFront>>,
    /// The ids of the actions that applications named themselves, as of the last look.
    own_actions: Mutex<HashMap<Box<str>, i64>>,
    /// Until when the phone reports changes.
    held_until: Mutex<Option<Instant>>,
    /// Whether another tool was found to hold what Android gives to one tool at a time.
    busy: AtomicBool,
    _process: Option<AgentProcess>,
}

impl AgentDriver {
    /// Its word in lists.
    pub(crate) const NAME: &'static str = "agent";

    /// Starts the agent on this phone and sees that it can look at the screen.
    ///
    /// # Errors
    /// When the phone is away, or the agent does not start or answer in time. That another tool is in the way
    /// is no error: see [`Self::is_busy`].
    pub(crate) async fn start(
        device: &Device,
        shell: Arc<ShellDriver>,
        activity: Arc<Activity>,
        deadline: Deadline,
    ) -> Result<Self> {
        let counter = Arc::clone(&activity);
        let on_event = move |object: &[u8]| counter.take(object);
        let Started { link, hello, process } = start::start(device, on_event, deadline).await?;
        let driver = Self::new(link, hello, Some(shell), Some(process), activity);
        let patience = deadline.slice(OTHERS_LEAVE_WITHIN);
        loop {
            match driver.claim(deadline).await {
                // An agent of a server that has just ended may be about to leave.
                Err(_) if driver.is_busy() && !patience.passed() => wait::pause(ASK_AGAIN, patience).await,
                Err(error) if !driver.is_busy() => return Err(error),
                _ => return Ok(driver),
            }
        }
    }

    /// Speaks with the app at the other end of this stream, whether or not it may look at the screen yet.
    ///
    /// # Errors
    /// When it does not answer in time, or speaks another version.
    pub(crate) async fn of_app(
        stream: impl Stream + 'static,
        activity: Arc<Activity>,
        deadline: Deadline,
    ) -> Result<Self> {
        let counter = Arc::clone(&activity);
        let link = Link::new(stream, move |object: &[u8]| counter.take(object));
        let hello = start::greet(&link, "", deadline).await?;
        hello.must_be_ours()?;
        Ok(Self::new(link, hello, None, None, activity))
    }

    fn new(
        link: Link,
        hello: Hello,
        shell: Option<Arc<ShellDriver>>,
        process: Option<AgentProcess>,
        activity: Arc<Activity>,
    ) -> Self {
        tokio::spawn({
            let ended = link.ended();
            async move {
                ended.await;
                // Who waits for a change must look for another way to notice one.
                activity.bump();
            }
        });
        Self {
            link,
            hello,
            shell,
            front: Mutex::default(),
            own_actions: Mutex::default(),
            held_until: Mutex::default(),
            busy: AtomicBool::new(false),
            _process: process,
        }
    }

    /// What the agent said of itself.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Whether the conversation has ended: the agent was killed, hangs, or the phone went away.
    pub(crate) fn has_ended(&self) -> bool {
        self.link.ending().is_some()
    }

    /// Waits until the conversation has ended.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        self.link.ended()
    }

    /// The shell, for what only it can do.
    fn shell(&self) -> Result<&ShellDriver> {
        self.shell.as_deref().ok_or_else(|| {
            Error::new(Reason::Unsupported, "An app cannot do this; only a program of the shell can.")
                .with_guidance("Start the server over adb instead: `fingertip phone start`.")
        })
    }

    /// Whether the shell does what the agent had to refuse so.
    fn shell_takes_over(&self, error: &AgentError) -> bool {
        error.is_unavailable() && self.shell.is_some()
    }

    fn lacks(&self, wrapper: &str) -> bool {
        self.hello.failed.iter().any(|failed| failed.wrapper == wrapper)
    }

    /// Whether another tool was in the way when the screen was last asked for.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Takes what Android gives to one tool at a time, and asks for reports of changes.
    ///
    /// # Errors
    /// When another tool has it, or the agent does not answer.
    pub(crate) async fn claim(&self, deadline: Deadline) -> Result<()> {
        self.hold(Duration::ZERO, deadline).await
    }

    /// Gives UiAutomation back now; the next look takes it again.
    ///
    /// # Errors
    /// When the agent does not answer.
    pub async fn release(&self, deadline: Deadline) -> Result<()> {
        *lock(&self.held_until) = None;
        self.ask(json!({ "op": "release" }), "giving UiAutomation back", deadline).await.map(|Done {}| ())
    }

    /// What this driver can ever do.
    pub(crate) fn all_capabilities() -> Capabilities {
        ShellDriver::capabilities_at(0)
            | Capabilities::CLIPBOARD
            | Capabilities::NODE_ACTIONS
            | Capabilities::EVENTS
            | Capabilities::VALUES
    }

    /// Sees to it that changes are reported, where that was not asked for yet.
    pub(crate) async fn expect_changes_from_now(&self, deadline: Deadline) -> Result<()> {
        let asked = lock(&self.held_until).is_some();
        if asked { Ok(()) } else { self.claim(deadline).await }
    }

    /// Sees to it that changes are reported until the deadline.
    pub(crate) async fn expect_changes(&self, deadline: Deadline) -> Result<()> {
        let held = *lock(&self.held_until);
        if held.is_some_and(|until| until >= deadline.instant()) {
            return Ok(());
        }
        self.hold(deadline.remaining().min(MAX_HOLD), deadline).await
    }

    async fn hold(&self, span: Duration, deadline: Deadline) -> Result<()> {
        let request = json!({
            "op": "subscribe", "events": ["change", "toast"], "hold_ms": span.as_millis() as u64,
        });
        let _: Subscribed = self.ask(request, "asking for changes", deadline).await?;
        self.busy.store(false, Ordering::Relaxed);
        self.held(span.max(HELD_BY_USE));
        Ok(())
    }

    fn held(&self, span: Duration) {
        let until = Instant::now() + span;
        let mut held = lock(&self.held_until);
        *held = Some(held.map_or(until, |known| known.max(until)));
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        request: serde_json::Value,
        doing: &str,
        deadline: Deadline,
    ) -> Result<T> {
        let answer = self.link.ask(request, deadline).await;
        answer.map_err(|error| self.noted(error).into_error(doing))
    }

    /// Remembers what an error says about the agent as a whole.
    fn noted(&self, error: AgentError) -> AgentError {
        if error.is_busy() {
            self.busy.store(true, Ordering::Relaxed);
        }
        error
    }
}

/// A reply that only says that it was done.
#[derive(Debug, Deserialize)]
struct Done {}

/// The reply to `subscribe`.
#[derive(Debug, Deserialize)]
struct Subscribed {}

/// The reply to `screen`.
#[derive(Debug, Deserialize)]
struct ScreenReply {
    width: u32,
    height: u32,
    density: u32,
}

/// The reply to `clipboard_get`.
#[derive(Debug, Deserialize)]
struct ClipboardReply {
    text: Option<String>,
}

#[async_trait]
impl Driver for AgentDriver {
    fn capabilities(&self) -> Capabilities {
        let mut all = Self::all_capabilities();
        if self.lacks("Clipboard") {
            all -= Capabilities::CLIPBOARD;
        }
        if self.lacks("Input") {
            all -= Capabilities::MULTI_TOUCH;
            let shell = self.shell.as_ref().map_or_else(Capabilities::empty, |shell| shell.capabilities());
            all |= shell & Capabilities::MULTI_TOUCH;
        }
        all
    }

    async fn snapshot(&self, deadline: Deadline) -> Result<Snapshot> {
        let packed: Packed = self.ask(json!({ "op": "snapshot" }), "reading the screen", deadline).await?;
        self.held(HELD_BY_USE);
        let activity = match packed.front() {
            Some(front) => self.activity_of(front, deadline).await?,
            None => None,
        };
        *lock(&self.own_actions) = packed.own_actions().map(|(name, id)| (name.into(), id)).collect();
        packed.unpack(activity.as_deref()).map_err(|error| {
            Error::new(Reason::ActionFailed, format!("The agent's answer makes no sense: {error}."))
        })
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let request = json!({ "op": "snapshot", "windows_only": true });
        let packed: Packed = self.ask(request, "reading the windows", deadline).await?;
        self.held(HELD_BY_USE);
        Ok(packed.receivers())
    }

    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        match self.link.ask(json!({ "op": "screen" }), deadline).await {
            Ok(ScreenReply { width, height, density }) => Ok(Screen { width, height, density }),
            Err(error) if self.shell_takes_over(&error) => self.shell()?.screen(deadline).await,
            Err(error) => Err(self.noted(error).into_error("reading the screen size")),
        }
    }
}

#[async_trait]
impl Elements for AgentDriver {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        actions::wire(snapshot.node(node), action, &lock(&self.own_actions)).is_some()
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        let wire = actions::wire(snapshot.node(node), action, &lock(&self.own_actions));
        let wire =
            wire.ok_or_else(|| Error::new(Reason::Unsupported, "This element offers no such action."))?;
        self.act_on(snapshot, node, wire, "acting on an element", deadline).await
    }
}

#[async_trait]
impl Values for AgentDriver {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        let wire = actions::wire_value(snapshot.node(node), value)?;
        match wire {
            Some(wire) => self.act_on(snapshot, node, wire, "setting a value", deadline).await,
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Clipboard for AgentDriver {
    fn is_readable(&self) -> bool {
        !self.lacks("ClipboardReading")
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        let reply: ClipboardReply =
            self.ask(json!({ "op": "clipboard_get" }), "reading the clipboard", deadline).await?;
        Ok(reply.text)
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        let request = json!({ "op": "clipboard_set", "text": text });
        self.ask(request, "writing the clipboard", deadline).await.map(|Done {}| ())
    }
}

#[async_trait]
impl Logs for AgentDriver {
    async fn read_logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        self.shell()?.read_logs(query, deadline).await
    }
}
