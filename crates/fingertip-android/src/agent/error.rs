//! What can go wrong between here and the agent, in words a user can act on.

use fingertip_core::target::diverted;
use fingertip_core::{Error, Reason};
use serde::Deserialize;

use crate::quote::quoted;
use crate::wait::{crowded, late};

/// Why a request has no answer.
#[derive(Debug, Clone)]
pub(crate) enum AgentError {
    /// The agent said no.
    Refused(Refusal),
    /// The agent, or the way to it, is gone. Whether the request was carried out is not known.
    Ended(Ending),
    /// The deadline passed; the agent was told to stop.
    Late,
    /// The deadline passed before the request was sent: so many others still wait for the phone too.
    Crowded(usize),
    /// The request is longer than the agent takes; nothing was sent.
    TooLong,
    /// The answer is not what the protocol says.
    Nonsense(&'static str),
}

/// How the conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The agent ended, was killed, or the phone went away.
    Closed,
    /// The agent did not even answer a ping.
    Silent,
    /// What came was no frame.
    Nonsense,
}

/// The agent's own error.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Refusal {
    pub(crate) kind: Box<str>,
    pub(crate) message: Box<str>,
    pub(crate) detail: Detail,
}

/// What an error says in numbers and names; of each kind only what is used here.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Detail {
    /// Who would have received the rest.
    package: Option<Box<str>>,
    /// How far it came.
    done: Option<Box<str>>,
}

impl AgentError {
    /// Whether another tool has what Android gives to one tool at a time; then nothing was done.
    pub(crate) fn is_busy(&self) -> bool {
        self.is("busy")
    }

    /// Whether this phone lacks what the request needs; then nothing was done.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.is("unavailable")
    }

    /// Whether the agent refused for this reason.
    pub(crate) fn is(&self, kind: &str) -> bool {
        matches!(self, Self::Refused(refusal) if &*refusal.kind == kind)
    }

    /// As an error of a call that was `doing` something.
    pub(crate) fn into_error(self, doing: &str) -> Error {
        match self {
            Self::Refused(refusal) => refusal.into_error(doing),
            Self::Ended(Ending::Closed) => {
                Error::new(Reason::Disconnected, format!("The agent on the phone ended while {doing}."))
                    .with_guidance("It is started again with the next call; look at the screen first.")
            }
            Self::Ended(Ending::Silent) => Error::new(
                Reason::Timeout,
                format!("The agent on the phone stopped answering while {doing}."),
            )
            .with_guidance("The next call goes another way; look at the screen first."),
            Self::Ended(Ending::Nonsense) => nonsense("it sent no frame", doing),
            Self::Nonsense(what) => nonsense(what, doing),
            Self::Late => late(doing),
            Self::Crowded(others) => crowded(doing, others),
            Self::TooLong => Error::invalid("That is longer than the agent on the phone takes at once."),
        }
    }
}

fn nonsense(what: &str, doing: &str) -> Error {
    let message = format!("The agent on the phone made no sense while {doing}: {what}.");
    Error::new(Reason::ActionFailed, message).with_guidance("Try again; if it stays so, use --driver shell.")
}

impl Refusal {
    fn into_error(self, doing: &str) -> Error {
        let words = quoted(&self.message);
        let refused = |reason| Error::new(reason, format!("The phone refused while {doing}: {words}."));
        match &*self.kind {
            "busy" => Error::new(
                Reason::PermissionDenied,
                "Another tool on the phone holds UiAutomation, which Android gives to one tool at a time.",
            )
            .with_guidance("Stop the other tool (uiautomator2, Appium, a test run); until then shell commands serve."),
            "switched_off" => Error::new(
                Reason::PermissionDenied,
                "Fingertip's accessibility service is switched off on the phone; nothing was done.",
            )
            .with_guidance(
                "Its user switches it on: Settings, Accessibility, Fingertip. Where the switch is greyed out: App info of \
                 Fingertip, menu, \"Allow restricted settings\".",
            ),
            "secure" => Error::new(Reason::PermissionDenied, "An application on the screen forbids pictures of it.")
                .with_guidance("Use get_screen_state without include_screenshot; the elements can be read."),
            "gone" => refused(Reason::Stale).with_guidance("Look at the screen again and use the new ids."),
            "changed" => refused(Reason::Stale)
                .with_guidance("Nothing was done. Look at the screen again and use the new ids."),
            "ambiguous" => refused(Reason::Ambiguous).with_guidance("Look at the screen again and use the new ids."),
            "diverted" => diverted(
                &self.detail.done.as_deref().map_or_else(|| "Something was done".to_owned(), quoted),
                self.detail.package.as_deref().map(quoted).as_deref(),
            ),
            "disabled" => refused(Reason::Disabled),
            "unsupported" | "unavailable" => refused(Reason::Unsupported),
            "denied" => refused(Reason::PermissionDenied).with_guidance(
                "In the phone's developer options switch on \"USB debugging (Security settings)\", then restart it.",
            ),
            "timeout" => late(doing),
            "overloaded" => refused(Reason::ActionFailed).with_guidance("Nothing was done; try again."),
            "invalid" | "unknown_operation" | "internal" => {
                Error::new(Reason::Internal, format!("The agent on the phone failed while {doing}: {words}."))
            }
            "no_windows" => refused(Reason::ActionFailed)
                .with_guidance("Wake and unlock the phone, or wait a moment and try again."),
            _ => refused(Reason::ActionFailed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_refusal_asks_for_its_own_next_step() {
        for (kind, reason) in [
            ("busy", Reason::PermissionDenied),
            ("switched_off", Reason::PermissionDenied),
            ("secure", Reason::PermissionDenied),
            ("gone", Reason::Stale),
            ("changed", Reason::Stale),
            ("ambiguous", Reason::Ambiguous),
            ("disabled", Reason::Disabled),
            ("unsupported", Reason::Unsupported),
            ("refused", Reason::ActionFailed),
            ("diverted", Reason::ActionFailed),
            ("denied", Reason::PermissionDenied),
            ("timeout", Reason::Timeout),
            ("internal", Reason::Internal),
        ] {
            let refusal = Refusal {
                kind: kind.into(),
                message: "the node is now Button \"Pause\"".into(),
                ..Refusal::default()
            };
            let error = AgentError::Refused(refusal).into_error("clicking");
            assert_eq!(error.reason(), reason, "{kind}: {error}");
        }
        assert_eq!(AgentError::Late.into_error("x").reason(), Reason::Timeout);
        assert_eq!(AgentError::Ended(Ending::Closed).into_error("x").reason(), Reason::Disconnected);
    }
}
