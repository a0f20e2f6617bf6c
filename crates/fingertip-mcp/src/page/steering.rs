//! A person's hand on what agents do: pause, take over, stop, go on.
//!
//! Paused, what acts waits for a while and then is refused; nothing of it has happened. Taken over, it is refused at once, because
//! the screen it was meant for is in a person's hands; what the person does on the page goes on. Stopped, what is under way ends,
//! fingers are lifted, and nothing acts any more, the page neither. Reads always go on. It lasts until a person lets go or the
//! server ends; the owner sees it in the audit log as the rule that refused.

use std::time::Duration;

use fingertip_core::{Error, Reason, Result};
use tokio::sync::watch;

use crate::policy::{Caller, caller};

/// How long a paused call waits to be let go on: less than clients wait for an answer.
const HOLD: Duration = Duration::from_secs(20);

/// What agents may do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// What the policy allows.
    #[default]
    Running,
    /// Look, and wait.
    Paused,
    /// Look; a person acts.
    TakenOver,
    /// Look; nobody acts.
    Stopped,
}

impl Mode {
    pub(crate) const ALL: [Self; 4] = [Self::Running, Self::Paused, Self::TakenOver, Self::Stopped];

    /// Its word on the wire, and in the audit log where it refused a call.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::TakenOver => "taken over",
            Self::Stopped => "stopped",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Whether a change from one to the other only holds agents back further, which everybody may do who sees the page.
    pub(crate) fn is_tighter_than(self, other: Self) -> bool {
        let rank = |mode| match mode {
            Self::Running => 0,
            Self::Paused => 1,
            Self::TakenOver => 2,
            Self::Stopped => 3,
        };
        self != Self::TakenOver && rank(self) > rank(other)
    }

    fn binds(self, caller: &Caller) -> bool {
        match self {
            Self::Running => false,
            Self::Paused | Self::TakenOver => caller.transport != caller::PAGE,
            Self::Stopped => true,
        }
    }

    fn refusal(self) -> Error {
        let (what, advice) = match self {
            Self::Stopped => (
                "the person who watches this device has stopped all actions",
                "Do not try again until the user says so; looking is still possible.",
            ),
            Self::TakenOver => (
                "a person has taken over this device",
                "Wait until the user gives it back, then look at the screen before you go on: it may have changed.",
            ),
            Self::Paused | Self::Running => (
                "a person has paused agents on this device",
                "Looking is still possible; try again in a while.",
            ),
        };
        Error::new(Reason::Refused, format!("Nothing was done: {what}.")).with_guidance(advice)
    }
}

/// What agents may do, shared by all calls.
#[derive(Debug, Default)]
pub(crate) struct Steering {
    mode: watch::Sender<Mode>,
}

impl Steering {
    pub(crate) fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    pub(crate) fn set(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }

    /// Waits, for a bounded time, until this caller may act.
    ///
    /// # Errors
    /// When it may not: with the mode that says so.
    pub(crate) async fn hold(&self, caller: &Caller) -> std::result::Result<(), (Mode, Error)> {
        if !self.mode().binds(caller) {
            return Ok(());
        }
        let mut changes = self.mode.subscribe();
        let decided = changes.wait_for(|mode| !mode.binds(caller) || *mode != Mode::Paused);
        let mode = match tokio::time::timeout(HOLD, decided).await {
            Ok(Ok(mode)) => *mode,
            _ => Mode::Paused,
        };
        if mode.binds(caller) { Err((mode, mode.refusal())) } else { Ok(()) }
    }

    /// Whether this caller may act at this moment.
    ///
    /// # Errors
    /// When it may not.
    pub(crate) fn check(&self, caller: &Caller) -> Result<()> {
        let mode = self.mode();
        if mode.binds(caller) { Err(mode.refusal()) } else { Ok(()) }
    }

    /// Returns once everything is stopped that was not when it was asked, with what is said of a call that ended by it. A call
    /// that begins while everything is stopped is refused by [`Self::hold`] instead.
    pub(crate) async fn stopped(&self) -> Error {
        let mut changes = self.mode.subscribe();
        // The sender lives as long as self, so the wait cannot fail.
        while changes.changed().await.is_ok() && *changes.borrow_and_update() != Mode::Stopped {}
        Error::new(
            Reason::Refused,
            "The person who watches this device stopped this action; part of it may be done.",
        )
        .with_guidance("Do not try again until the user says so; looking is still possible.")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn agent() -> Caller {
        Caller::over(caller::HTTP)
    }

    #[tokio::test(start_paused = true)]
    async fn a_paused_call_goes_on_when_it_is_let_go_and_is_refused_when_nobody_does() {
        let steering = Arc::new(Steering::default());
        steering.set(Mode::Paused);
        let held = tokio::spawn({
            let steering = Arc::clone(&steering);
            async move { steering.hold(&agent()).await.is_ok() }
        });
        tokio::time::sleep(HOLD / 2).await;
        assert!(!held.is_finished());
        steering.set(Mode::Running);
        assert!(held.await.unwrap());
        steering.set(Mode::Paused);
        let (mode, error) = steering.hold(&agent()).await.unwrap_err();
        assert_eq!((mode, error.reason()), (Mode::Paused, Reason::Refused));
    }

    #[tokio::test(start_paused = true)]
    async fn a_person_who_took_over_acts_alone_and_after_a_stop_nobody_does() {
        let (steering, page) = (Steering::default(), Caller::over(caller::PAGE));
        steering.set(Mode::TakenOver);
        assert!(steering.hold(&page).await.is_ok() && steering.check(&page).is_ok());
        assert_eq!(steering.hold(&agent()).await.unwrap_err().0, Mode::TakenOver);
        let under_way = steering.stopped();
        tokio::pin!(under_way);
        assert!(futures_util::poll!(&mut under_way).is_pending());
        steering.set(Mode::Stopped);
        assert!(under_way.await.message().contains("part of it may be done"));
        assert!(steering.check(&page).is_err() && steering.check(&agent()).is_err());
        assert!(futures_util::poll!(std::pin::pin!(steering.stopped())).is_pending(), "begun after the stop");
        assert!(steering.hold(&page).await.unwrap_err().1.message().contains("Nothing was done"));
    }

    #[test]
    fn who_only_watches_can_hold_back_and_never_let_go() {
        use Mode::{Paused, Running, Stopped, TakenOver};
        assert!(Paused.is_tighter_than(Running) && Stopped.is_tighter_than(TakenOver));
        for (to, from) in [(Running, Paused), (Paused, Stopped), (TakenOver, Running), (Running, Running)] {
            assert!(!to.is_tighter_than(from), "{to:?} from {from:?}");
        }
        assert!(Mode::ALL.iter().all(|mode| Mode::named(mode.name()) == Some(*mode)));
    }
}
