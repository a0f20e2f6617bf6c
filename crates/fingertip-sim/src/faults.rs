//! What can go wrong with a phone, switched on and off while it runs.
//!
//! Everything is off by default. Tests hold the phone and call `Faults::change`; a person at a terminal uses the shell
//! command `fingertip-sim fault`. Both need the feature `test-support`: the phone of the product only comes and goes.
//! Faults of a stream (cut, garbage) are settled when it is opened; the others hold for what is already running too.
//! Not here: what each fault does to a command, which is said where the command is.

#[cfg(not(feature = "test-support"))]
#[path = "faults/no_switch.rs"]
mod switch;
#[cfg(feature = "test-support")]
mod switch;

use std::time::Duration;

pub use switch::Faults;

use crate::agent::AgentFault;

/// How the phone appears to an adb server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presence {
    /// Connected and willing.
    #[default]
    Online,
    /// Connected, and answers nothing.
    Offline,
    /// Connected, and its owner has not allowed this computer.
    Unauthorized,
    /// Unplugged, or starting again.
    Away,
}

impl Presence {
    /// The word `adb devices` shows; `None` when the phone is not listed at all.
    #[must_use]
    pub const fn state(self) -> Option<&'static str> {
        match self {
            Self::Online => Some("device"),
            Self::Offline => Some("offline"),
            Self::Unauthorized => Some("unauthorized"),
            Self::Away => None,
        }
    }
}

/// What a phone does with accessibility services that the shell switches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServiceFault {
    /// They are on.
    #[default]
    None,
    /// The shell may not change their list, as a user may not where the switch is greyed out.
    Locked,
    /// They are on the list and do not run.
    Idle,
}

/// A delay of the commands that start with certain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latency {
    /// The start of the command, such as `input tap`; empty for every command.
    pub prefix: String,
    /// How long the command waits before it starts.
    pub delay: Duration,
}

/// Which faults are on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultPlan {
    /// Delays; the first that matches counts.
    pub latency: Vec<Latency>,
    /// Each new stream breaks off after so many bytes from the phone.
    pub cut_after: Option<u64>,
    /// Each new stream carries noise instead of what the phone says.
    pub garbage: bool,
    /// How the phone appears to the adb server.
    pub presence: Presence,
    /// Commands that look at the screen or touch it never answer.
    pub frozen_screen: bool,
    /// `uiautomator dump` waits for so long a silence, as a real one does for a second; `None` never waits.
    pub idle_wait: Option<Duration>,
    /// `uiautomator dump` finds no quiet moment, whatever is on the screen.
    pub never_idle: bool,
    /// `uiautomator dump` finds no active window, as for a moment after a change of apps.
    pub null_root: bool,
    /// `uiautomator dump` gives this file of the phone, the dump of another one, instead of what is on the screen.
    pub recorded: Option<String>,
    /// `screencap` fails.
    pub screencap_fails: bool,
    /// What is wrong with the agent.
    pub agent: AgentFault,
    /// Another tool has UiAutomation.
    pub automation_taken: bool,
    /// There is no room for a file.
    pub storage_full: bool,
    /// What is wrong with accessibility services.
    pub services: ServiceFault,
    /// The shell user may not use the network.
    pub no_inet: bool,
}

impl FaultPlan {
    /// How long this command has to wait before it starts.
    #[must_use]
    pub fn delay_of(&self, command: &str) -> Option<Duration> {
        self.latency.iter().find(|latency| command.starts_with(&latency.prefix)).map(|latency| latency.delay)
    }
}
