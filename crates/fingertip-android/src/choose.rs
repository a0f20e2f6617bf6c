//! Which driver serves a phone: the agent where it runs, else the shell.
//!
//! Decided once and remembered. An agent that does not start, hangs, or finds another tool in its place is tried again
//! after a back-off that grows from one failure to the next; meanwhile the shell serves, and no call waits. One that was
//! lost after it had served is started again with the next call, a few times in a row. A start that hangs costs
//! one bounded wait for all callers together.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::watch;

use crate::agent::{Activity, AgentDriver};
use crate::channel::Device;
use crate::driver::Driver;
use crate::lock;
use crate::shell::ShellDriver;

/// An agent that has served for so long and then ends was no failure.
const PROVEN_AFTER: Duration = Duration::from_secs(60);
/// How often in a row an agent that served for a shorter time is started again at once.
const QUICK_RESTARTS: u32 = 3;
/// How soon a phone that was away is tried again.
const AWAY_BACKOFF: Duration = Duration::from_millis(500);

/// Which driver the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preference {
    /// The agent where it runs, else the shell.
    #[default]
    Automatic,
    /// The agent and nothing else: a phone without it says why.
    Agent,
    /// Nothing but shell commands.
    Shell,
}

impl FromStr for Preference {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match text {
            "agent" => Ok(Self::Agent),
            "shell" => Ok(Self::Shell),
            _ => Err("must be agent or shell"),
        }
    }
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Automatic => "automatic",
            Self::Agent => "agent",
            Self::Shell => "shell",
        })
    }
}

/// How long is waited for an agent, and how long until it is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How long a start may take.
    pub start: Duration,
    /// The back-off after the first failure; it doubles from one to the next.
    pub first_backoff: Duration,
    /// The longest back-off.
    pub longest_backoff: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let (start, first_backoff) = (Duration::from_secs(6), Duration::from_secs(15));
        Self { start, first_backoff, longest_backoff: Duration::from_secs(15 * 60) }
    }
}

/// The choice for one phone.
pub(crate) struct Choice {
    preference: Preference,
    patience: Patience,
    device: Device,
    shell: Arc<ShellDriver>,
    activity: Arc<Activity>,
    state: Mutex<State>,
}

#[derive(Clone)]
enum State {
    Untried,
    Starting {
        /// No call waits beyond it.
        until: Instant,
        done: watch::Receiver<()>,
    },
    Serving {
        agent: Arc<AgentDriver>,
        since: Instant,
        /// Failures and short lives in a row before this one.
        failures: u32,
    },
    BackingOff {
        why: Error,
        until: Instant,
        failures: u32,
        /// One that runs and only waits for another tool to leave.
        agent: Option<Arc<AgentDriver>>,
    },
}

/// The driver that serves a call.
#[derive(Clone)]
pub(crate) enum Picked {
    Agent(Arc<AgentDriver>),
    Shell(Arc<ShellDriver>),
}

impl Picked {
    /// The agent, for what only it can do.
    pub(crate) fn agent(&self, part: Capabilities) -> Result<&AgentDriver> {
        match self {
            Self::Agent(agent) => Ok(agent),
            Self::Shell(_) => Err(part.missing().with_guidance(
                "Only the agent can; `fingertip doctor` says why it does not run on this phone.",
            )),
        }
    }
}

impl Deref for Picked {
    type Target = dyn Driver;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Agent(agent) => &**agent,
            Self::Shell(shell) => &**shell,
        }
    }
}

impl Choice {
    pub(crate) fn new(
        preference: Preference,
        patience: Patience,
        device: Device,
        shell: Arc<ShellDriver>,
        activity: Arc<Activity>,
    ) -> Arc<Self> {
        let state = Mutex::new(State::Untried);
        Arc::new(Self { preference, patience, device, shell, activity, state })
    }

    /// The driver for a call that ends by this deadline.
    ///
    /// # Errors
    /// When only the agent is wanted and it does not serve.
    pub(crate) async fn pick(self: &Arc<Self>, deadline: Deadline) -> Result<Picked> {
        if self.preference == Preference::Shell {
            return Ok(Picked::Shell(Arc::clone(&self.shell)));
        }
        loop {
            let (until, mut done) = match self.step() {
                Step::Serve(agent) => return Ok(Picked::Agent(agent)),
                Step::BackOff(why) => return self.meanwhile(why),
                Step::Wait(until, done) => (until, done),
            };
            // Half of the caller's time is kept for the call itself.
            let until = Deadline::at(until).slice(deadline.remaining() / 2);
            if tokio::time::timeout_at(until.instant().into(), done.changed()).await.is_err() {
                return self.meanwhile(slow());
            }
        }
    }

    fn meanwhile(&self, why: Error) -> Result<Picked> {
        match self.preference {
            Preference::Agent => Err(why),
            _ => Ok(Picked::Shell(Arc::clone(&self.shell))),
        }
    }

    /// After a call failed: whether it may be tried again, now with another driver. Only one that can be
    /// `repeated` is, unless the agent said that it did nothing.
    pub(crate) fn reconsider(&self, picked: &Picked, repeated: bool) -> bool {
        let Picked::Agent(agent) = picked else { return false };
        if agent.has_ended() {
            return repeated;
        }
        if !agent.is_busy() {
            return false;
        }
        let mut state = self.state();
        if let State::Serving { agent: serving, failures, .. } = &*state
            && Arc::ptr_eq(serving, agent)
        {
            *state = self.back_off(busy(), failures + 1, Some(Arc::clone(agent)));
        }
        true
    }

    /// The word of the driver that serves now.
    pub(crate) fn name(&self) -> &'static str {
        match (self.preference, &*self.state()) {
            (Preference::Shell, _) => ShellDriver::NAME,
            (_, State::Serving { agent, .. }) if !agent.has_ended() => AgentDriver::NAME,
            (Preference::Agent, _) => AgentDriver::NAME,
            _ => ShellDriver::NAME,
        }
    }

    /// What the driver that serves now can do.
    pub(crate) fn capabilities(&self) -> Capabilities {
        match (self.preference, &*self.state()) {
            (Preference::Shell, _) => self.shell.capabilities(),
            (_, State::Serving { agent, .. }) => agent.capabilities(),
            (Preference::Agent, _) | (_, State::Untried) => AgentDriver::all_capabilities(),
            (_, State::Starting { .. } | State::BackingOff { .. }) => self.shell.capabilities(),
        }
    }

    /// The agent, while it serves.
    pub(crate) fn agent(&self) -> Option<Arc<AgentDriver>> {
        match &*self.state() {
            State::Serving { agent, .. } if !agent.has_ended() => Some(Arc::clone(agent)),
            _ => None,
        }
    }

    /// Why the agent does not serve, where it was tried.
    pub(crate) fn why_not(&self) -> Option<Error> {
        match &*self.state() {
            State::BackingOff { why, .. } => Some(why.clone()),
            State::Starting { .. } => Some(slow()),
            _ => None,
        }
    }

    /// What to do now; begins a start where one is due.
    fn step(self: &Arc<Self>) -> Step {
        let mut state = self.state();
        let failures = match &*state {
            State::Serving { agent, .. } if !agent.has_ended() => return Step::Serve(Arc::clone(agent)),
            State::Serving { since, failures, .. } => {
                let failures = if since.elapsed() >= PROVEN_AFTER { 0 } else { failures + 1 };
                if failures > QUICK_RESTARTS {
                    let back_off = self.back_off(unsteady(), failures, None);
                    *state = back_off;
                    return Step::BackOff(unsteady());
                }
                failures
            }
            State::Starting { until, done } => return Step::Wait(*until, done.clone()),
            State::BackingOff { why, until, .. } if Instant::now() < *until => {
                return Step::BackOff(why.clone());
            }
            State::BackingOff { failures, .. } => *failures,
            State::Untried => 0,
        };
        let waiting = match &*state {
            State::BackingOff { agent, .. } => agent.clone(),
            _ => None,
        };
        let (finished, done) = watch::channel(());
        let until = Instant::now() + self.patience.start;
        *state = State::Starting { until, done: done.clone() };
        drop(state);
        let choice = Arc::clone(self);
        tokio::spawn(async move {
            let next = choice.start(waiting, failures).await;
            *choice.state() = next;
            let _ = finished.send(());
        });
        Step::Wait(until, done)
    }

    /// Starts an agent, or asks one that runs whether the other tool has left.
    async fn start(&self, waiting: Option<Arc<AgentDriver>>, failures: u32) -> State {
        let deadline = Deadline::after(self.patience.start);
        let started = match waiting.filter(|agent| !agent.has_ended()) {
            Some(agent) => match agent.claim(deadline).await {
                Err(error) if !agent.is_busy() => Err(error),
                _ => Ok(agent),
            },
            None => {
                let (shell, activity) = (Arc::clone(&self.shell), Arc::clone(&self.activity));
                AgentDriver::start(&self.device, shell, activity, deadline).await.map(Arc::new)
            }
        };
        match started {
            Ok(agent) if agent.is_busy() => self.back_off(busy(), failures + 1, Some(agent)),
            Ok(agent) => State::Serving { agent, since: Instant::now(), failures },
            // That the phone is away is no failure of the agent.
            Err(why) if matches!(why.reason(), Reason::Disconnected | Reason::PermissionDenied) => {
                State::BackingOff { why, until: Instant::now() + AWAY_BACKOFF, failures, agent: None }
            }
            Err(why) => {
                tracing::warn!(serial = self.device.serial(), error = %why, "the agent does not serve; shell commands do");
                self.back_off(why, failures + 1, None)
            }
        }
    }

    fn back_off(&self, why: Error, failures: u32, agent: Option<Arc<AgentDriver>>) -> State {
        let Patience { first_backoff, longest_backoff, .. } = self.patience;
        let growth = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        let backoff = first_backoff.saturating_mul(growth).min(longest_backoff);
        State::BackingOff { why, until: Instant::now() + backoff, failures, agent }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice").field("preference", &self.preference).finish_non_exhaustive()
    }
}

enum Step {
    Serve(Arc<AgentDriver>),
    BackOff(Error),
    Wait(Instant, watch::Receiver<()>),
}

fn busy() -> Error {
    Error::new(
        Reason::PermissionDenied,
        "Another tool on the phone holds UiAutomation, which Android gives to one tool at a time.",
    )
    .with_guidance("Stop the other tool (uiautomator2, Appium, a test run); the agent is tried again later.")
}

fn slow() -> Error {
    Error::new(Reason::Timeout, "The agent has not started on the phone in time.")
        .with_guidance("Shell commands serve meanwhile.")
}

fn unsteady() -> Error {
    Error::new(Reason::ActionFailed, "The agent on the phone ended again and again.")
        .with_guidance("Shell commands serve meanwhile; `fingertip doctor` says more.")
}
