//! One phone as a target.
//!
//! A target outlives the connection: while the phone is away or does not let us in, every call says so and what
//! to do; once it is back, calls work again. Who the phone is, and how it is driven, is found out whenever it
//! comes online, since another one may answer to the same serial. A call that the agent could not carry out, and
//! surely did not, goes to the driver that serves then.

mod opening;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, Capabilities, Drag, Ending, Expected, KeyPress, LogPage, LogQuery, NodeAction, Scope, Screenshot,
    ScreenshotRequest, SystemAction, TargetInfo, TargetKind,
};
use fingertip_core::{Deadline, Error, NodeIndex, Result, Screen, Snapshot, Value, Window};

use crate::adb::error;
use crate::agent::{Activity, AgentDriver};
use crate::apps::{MAX_PROCESSES, PROCESSES, main_process};
use crate::channel::Device;
use crate::choose::{Choice, Patience, Picked, Preference};
use crate::parse::crash::{self, CRASH_LOG, MAX_CRASH_LOG};
use crate::parse::devices::State;
use crate::parse::getprop::{self, Facts, PROPERTIES};
use crate::shell::ShellDriver;
use crate::wait::pause;
use crate::{lock, notices, tree};

/// The most that is read about who a phone is, in bytes.
const MAX_FACTS: usize = 64 * 1024;
/// How much of the time for an introduction may go into starting the agent.
const CHOOSE_WITHIN: Duration = Duration::from_secs(4);
/// How often the screen may have changed as far as is known, while nothing reports changes.
const BLIND_LOOK: Duration = Duration::from_millis(500);

/// One phone, there or not.
pub struct AndroidTarget {
    name: String,
    device: Device,
    preference: Preference,
    patience: Patience,
    activity: Arc<Activity>,
    condition: Mutex<Condition>,
}

#[derive(Clone)]
struct Condition {
    state: State,
    facts: Option<Facts>,
    choice: Option<Arc<Choice>>,
}

/// Does something with the driver that serves, and once more with the next one when the first surely did
/// nothing, or when the work (`look`) may be repeated.
macro_rules! drive {
    ($target:ident, $deadline:ident, $kind:ident, $driver:ident => $work:expr) => {{
        let choice = $target.choice($deadline).await?;
        let $driver = choice.pick($deadline).await?;
        match $work.await {
            Err(error) if choice.reconsider(&$driver, stringify!($kind) == "look") && !$deadline.passed() => {
                tracing::info!(%error, "the call goes another way");
                let $driver = choice.pick($deadline).await?;
                $work.await
            }
            result => result,
        }
    }};
}

impl AndroidTarget {
    /// The phone behind this device, taken to be there until something else is known.
    #[must_use]
    pub fn new(device: Device) -> Self {
        let condition = Mutex::new(Condition { state: State::Online, facts: None, choice: None });
        Self {
            name: format!("android:{}", device.serial()),
            device,
            preference: Preference::default(),
            patience: Patience::default(),
            activity: Arc::default(),
            condition,
        }
    }

    /// Driven as the user wants it.
    #[must_use]
    pub fn driven_by(mut self, preference: Preference) -> Self {
        self.preference = preference;
        self
    }

    /// With this patience for its agent.
    #[must_use]
    pub fn patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Called by this name instead of `android:SERIAL`.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Its serial, as in `adb devices`.
    #[must_use]
    pub fn serial(&self) -> &str {
        self.device.serial()
    }

    /// The way to it, for what no driver offers.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// How it is.
    pub(crate) fn state(&self) -> State {
        self.condition().state
    }

    /// Who it is, once it was asked.
    pub(crate) fn facts(&self) -> Option<Facts> {
        self.condition().facts
    }

    /// Notes how it is. A phone that comes online is identified again.
    pub fn set_state(&self, state: State) {
        let mut condition = lock(&self.condition);
        if condition.state != state {
            condition.choice = None;
            condition.state = state;
        }
    }

    /// Asks it who it is and chooses how to drive it, unless that is done.
    ///
    /// # Errors
    /// When it is away, does not let us in, or does not answer in time.
    pub async fn prepare(&self, deadline: Deadline) -> Result<()> {
        self.choice(deadline).await?.pick(deadline.slice(CHOOSE_WITHIN)).await.map(drop)
    }

    /// The agent, while it serves.
    #[must_use]
    pub fn agent(&self) -> Option<Arc<AgentDriver>> {
        self.condition().choice?.agent()
    }

    /// Why the agent does not serve, where it was tried.
    #[must_use]
    pub fn why_no_agent(&self) -> Option<Error> {
        self.condition().choice?.why_not()
    }

    async fn choice(&self, deadline: Deadline) -> Result<Arc<Choice>> {
        let Condition { state, choice, .. } = self.condition();
        if let Some(error) = refusal(self.serial(), &state) {
            return Err(error);
        }
        if let Some(choice) = choice {
            return Ok(choice);
        }
        let questions: Vec<String> =
            PROPERTIES.iter().map(|property| format!("getprop {property}")).collect();
        let answers = self.device.run(&questions.join("; "), MAX_FACTS, deadline).await?;
        let facts = getprop::parse(&answers.text());
        let shell = Arc::new(ShellDriver::new(self.device.clone(), facts.clone()));
        let activity = Arc::clone(&self.activity);
        let choice = Choice::new(self.preference, self.patience, self.device.clone(), shell, activity);
        let mut condition = lock(&self.condition);
        condition.facts = Some(facts);
        Ok(Arc::clone(condition.choice.get_or_insert(choice)))
    }

    /// Whether the driver that serves, or would serve, ever does this.
    fn offers(&self, part: Capabilities) -> bool {
        let condition = lock(&self.condition);
        let sdk = condition.facts.as_ref().map_or(0, |facts| facts.sdk);
        let all = match &condition.choice {
            Some(choice) => choice.capabilities(),
            None if self.preference == Preference::Shell => ShellDriver::capabilities_at(sdk),
            None => AgentDriver::all_capabilities(),
        };
        all.contains(part)
    }

    fn condition(&self) -> Condition {
        lock(&self.condition).clone()
    }
}

/// Why a phone in this state cannot be used; `None` when it can.
fn refusal(serial: &str, state: &State) -> Option<Error> {
    Some(match state {
        State::Online => return None,
        State::Offline => error::offline(serial),
        State::Unauthorized => error::unauthorized(serial),
        State::NoPermissions => error::no_permissions(serial),
        State::Absent => error::absent(serial),
        State::Other(word) => error::not_running(serial, word),
    })
}

impl std::fmt::Debug for AndroidTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AndroidTarget").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Target for AndroidTarget {
    fn kind(&self) -> TargetKind {
        TargetKind::Phone
    }

    fn machine_name(&self) -> Option<String> {
        self.device.machine_name()
    }

    fn info(&self) -> TargetInfo {
        let Condition { state, facts, choice } = self.condition();
        let label = match facts {
            Some(Facts { model, release, .. }) if !model.is_empty() => format!("{model}, Android {release}"),
            _ => self.serial().to_owned(),
        };
        TargetInfo {
            name: self.name.clone(),
            kind: TargetKind::Phone,
            label,
            driver: choice.map_or_else(|| undecided(self.preference), |choice| choice.name()).to_owned(),
            state: state.name().to_owned(),
        }
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        self.offers(Capabilities::EVENTS).then_some(self)
    }

    fn watching(&self) -> Option<&dyn Watching> {
        None
    }

    fn elements(&self) -> Option<&dyn Elements> {
        self.offers(Capabilities::NODE_ACTIONS).then_some(self)
    }

    fn values(&self) -> Option<&dyn Values> {
        self.offers(Capabilities::VALUES).then_some(self)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        self.offers(Capabilities::TEXT).then_some(self)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        self.offers(Capabilities::KEYS).then_some(self)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        self.offers(Capabilities::SYSTEM_KEYS).then_some(self)
    }

    fn touch(&self) -> Option<&dyn Touch> {
        self.offers(Capabilities::TOUCH).then_some(self)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        None
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        self.offers(Capabilities::SCREENSHOT).then_some(self)
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        self.offers(Capabilities::CLIPBOARD).then_some(self)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        self.offers(Capabilities::LOGS).then_some(self)
    }

    fn endings(&self) -> Option<&dyn Endings> {
        Some(self)
    }

    fn applications(&self) -> Option<&dyn Applications> {
        Some(self)
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        Some(self)
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        None
    }
}

#[async_trait]
impl Look for AndroidTarget {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let snapshot = drive!(self, deadline, look, driver => driver.snapshot(deadline))?;
        let notice = notices::notice(&snapshot);
        let mut snapshot = tree::narrowed(snapshot, scope)?;
        (snapshot.notice, snapshot.toasts) = (notice, self.activity.toasts());
        Ok(snapshot)
    }

    /// A phone is read as a whole, and fast.
    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.snapshot(scope, deadline).await
    }
}

#[async_trait]
impl Survey for AndroidTarget {
    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        drive!(self, deadline, look, driver => driver.screen(deadline))
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        drive!(self, deadline, look, driver => driver.receivers(deadline))
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        // Beside the look, which takes longer, the processes cost nothing.
        let processes = async { Ok(self.device.run(PROCESSES, MAX_PROCESSES, deadline).await?.text()) };
        let (snapshot, processes) = tokio::try_join!(self.snapshot(&Scope::Screen, deadline), processes)?;
        let mut windows = snapshot.windows().to_vec();
        for window in &mut windows {
            window.pid = window.app.as_deref().and_then(|package| main_process(package, &processes));
        }
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        Ok(windows)
    }
}

#[async_trait]
impl Changes for AndroidTarget {
    fn activity(&self) -> u64 {
        self.activity.count()
    }

    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        if self.activity.count() > seen {
            return Ok(self.activity.count());
        }
        match self.choice(deadline).await?.pick(deadline).await? {
            Picked::Agent(agent) => {
                agent.expect_changes(deadline).await?;
                self.activity.beyond(seen, deadline).await
            }
            Picked::Shell(_) => {
                // The agent that reported changes is gone: now and then there may have been one.
                pause(BLIND_LOOK, deadline).await;
                if !deadline.passed() {
                    self.activity.bump();
                }
                self.activity.beyond(seen, deadline).await
            }
        }
    }
}

#[async_trait]
impl Elements for AndroidTarget {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        self.agent().is_some_and(|agent| agent.can_act(snapshot, node, action))
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        drive!(self, deadline, act, driver => driver.agent(Capabilities::NODE_ACTIONS)?.act(snapshot, node, action, deadline))
    }
}

#[async_trait]
impl Values for AndroidTarget {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        drive!(self, deadline, act, driver => driver.agent(Capabilities::VALUES)?.set_value(snapshot, node, value, deadline))
    }
}

#[async_trait]
impl TextFields for AndroidTarget {
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        drive!(self, deadline, act, driver => driver.set_text(snapshot, node, text, deadline))
    }
}

#[async_trait]
impl Keyboard for AndroidTarget {
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        drive!(self, deadline, act, driver => driver.type_text(text, to, deadline))
    }

    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        drive!(self, deadline, act, driver => driver.press_key(press, to, deadline))
    }
}

#[async_trait]
impl SystemKeys for AndroidTarget {
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        drive!(self, deadline, act, driver => driver.system(action, deadline))
    }
}

#[async_trait]
impl Touch for AndroidTarget {
    fn multi_touch(&self) -> bool {
        self.offers(Capabilities::MULTI_TOUCH)
    }

    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        drive!(self, deadline, act, driver => driver.gesture(gesture, to, deadline))
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        drive!(self, deadline, act, driver => driver.drag(drag, to, deadline))
    }
}

#[async_trait]
impl Pictures for AndroidTarget {
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        drive!(self, deadline, look, driver => driver.screenshot(request, deadline))
    }
}

#[async_trait]
impl Clipboard for AndroidTarget {
    fn is_readable(&self) -> bool {
        true
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        drive!(self, deadline, look, driver => driver.agent(Capabilities::CLIPBOARD)?.get_clipboard(deadline))
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        drive!(self, deadline, look, driver => driver.agent(Capabilities::CLIPBOARD)?.set_clipboard(text, deadline))
    }
}

#[async_trait]
impl Logs for AndroidTarget {
    async fn read_logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        drive!(self, deadline, look, driver => driver.read_logs(query, deadline))
    }
}

#[async_trait]
impl Endings for AndroidTarget {
    /// What the crash log says of the last moments, by the phone's own clock.
    async fn ending(&self, app: &AppRef, within: Duration, deadline: Deadline) -> Result<Option<Ending>> {
        let log = self.device.run(CRASH_LOG, MAX_CRASH_LOG, deadline).await?.text();
        Ok(crash::of(&app.name, &log, within))
    }
}

/// The word for a driver before it is decided.
fn undecided(preference: Preference) -> &'static str {
    if preference == Preference::Shell { ShellDriver::NAME } else { AgentDriver::NAME }
}
