//! One phone as a target.
//!
//! A target outlives the connection: while the phone is away or does not let us in, every call says so and what
//! to do; once it is back, calls work again. Who the phone is, and how it is driven, is found out whenever it
//! comes online, since another one may answer to the same serial.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{
    Capabilities, Key, LogPage, LogQuery, Scope, Screenshot, ScreenshotRequest, SystemAction, TargetInfo,
    TargetKind,
};
use fingertip_core::{Deadline, Error, NodeIndex, Result, Screen, Snapshot, Target, Window};

use crate::adb::{AdbDevice, fault};
use crate::apps::main_process;
use crate::driver::Driver;
use crate::parse::devices::State;
use crate::parse::getprop::{self, Facts, PROPERTIES};
use crate::shell::ShellDriver;
use crate::tree;

/// The most that is read about who a phone is, in bytes.
const MAX_FACTS: usize = 64 * 1024;

/// Lists all processes by number and name.
const PROCESSES: &str = "ps -A -o PID,NAME";
/// The most that is read of that list, in bytes.
const MAX_PROCESSES: usize = 1024 * 1024;

/// One phone, there or not.
pub struct AndroidTarget {
    name: String,
    device: AdbDevice,
    condition: RwLock<Condition>,
}

#[derive(Clone)]
struct Condition {
    state: State,
    facts: Option<Facts>,
    driver: Option<Arc<dyn Driver>>,
}

impl AndroidTarget {
    /// The phone behind this device, taken to be there until something else is known.
    #[must_use]
    pub fn new(device: AdbDevice) -> Self {
        let condition = RwLock::new(Condition { state: State::Online, facts: None, driver: None });
        Self { name: format!("android:{}", device.serial()), device, condition }
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

    /// How it is.
    #[must_use]
    pub fn state(&self) -> State {
        self.condition().state
    }

    /// Who it is, once it was asked.
    #[must_use]
    pub fn facts(&self) -> Option<Facts> {
        self.condition().facts
    }

    /// Notes how it is. A phone that comes online is asked anew who it is.
    pub fn set_state(&self, state: State) {
        let mut condition = self.condition.write().unwrap_or_else(PoisonError::into_inner);
        if condition.state != state {
            condition.driver = None;
            condition.state = state;
        }
    }

    /// Asks it who it is and chooses how to drive it, unless that is done.
    ///
    /// # Errors
    /// When it is away, does not let us in, or does not answer in time.
    pub async fn prepare(&self, deadline: Deadline) -> Result<()> {
        self.driver(deadline).await.map(drop)
    }

    async fn driver(&self, deadline: Deadline) -> Result<Arc<dyn Driver>> {
        let Condition { state, driver, .. } = self.condition();
        if let Some(error) = refusal(self.serial(), &state) {
            return Err(error);
        }
        if let Some(driver) = driver {
            return Ok(driver);
        }
        let questions: Vec<String> =
            PROPERTIES.iter().map(|property| format!("getprop {property}")).collect();
        let answers = self.device.run(&questions.join("; "), MAX_FACTS, deadline).await?;
        let facts = getprop::parse(&answers.text());
        let driver: Arc<dyn Driver> = Arc::new(ShellDriver::new(self.device.clone(), facts.clone()));
        let mut condition = self.condition.write().unwrap_or_else(PoisonError::into_inner);
        condition.facts = Some(facts);
        Ok(Arc::clone(condition.driver.get_or_insert(driver)))
    }

    fn condition(&self) -> Condition {
        self.condition.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Why a phone in this state cannot be used; `None` when it can.
fn refusal(serial: &str, state: &State) -> Option<Error> {
    Some(match state {
        State::Online => return None,
        State::Offline => fault::offline(serial),
        State::Unauthorized => fault::unauthorized(serial),
        State::NoPermissions => fault::no_permissions(serial),
        State::Absent => fault::absent(serial),
        State::Other(word) => fault::not_running(serial, word),
    })
}

impl std::fmt::Debug for AndroidTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AndroidTarget").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl Target for AndroidTarget {
    fn info(&self) -> TargetInfo {
        let Condition { state, facts, driver } = self.condition();
        let label = match facts {
            Some(Facts { model, release, .. }) if !model.is_empty() => format!("{model}, Android {release}"),
            _ => self.serial().to_owned(),
        };
        TargetInfo {
            name: self.name.clone(),
            kind: TargetKind::Phone,
            label,
            driver: driver.map_or(ShellDriver::NAME, |driver| driver.name()).to_owned(),
            state: state.name().to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        let Condition { facts, driver, .. } = self.condition();
        let sdk = facts.map_or(0, |facts| facts.sdk);
        driver.map_or_else(|| ShellDriver::capabilities_at(sdk), |driver| driver.capabilities())
    }

    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        tree::narrowed(self.driver(deadline).await?.snapshot(deadline).await?, scope)
    }

    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        self.driver(deadline).await?.screen(deadline).await
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.driver(deadline).await?.receivers(deadline).await
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

    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        self.driver(deadline).await?.set_text(snapshot, node, text, deadline).await
    }

    async fn type_text(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.driver(deadline).await?.type_text(text, deadline).await
    }

    async fn press_key(&self, key: Key, deadline: Deadline) -> Result<()> {
        self.driver(deadline).await?.press_key(key, deadline).await
    }

    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        self.driver(deadline).await?.system(action, deadline).await
    }

    async fn gesture(&self, gesture: &Gesture, deadline: Deadline) -> Result<()> {
        self.driver(deadline).await?.gesture(gesture, deadline).await
    }

    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        self.driver(deadline).await?.screenshot(request, deadline).await
    }

    async fn logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        self.driver(deadline).await?.logs(query, deadline).await
    }
}
