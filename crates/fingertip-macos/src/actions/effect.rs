//! Actions whose effect is looked for.

use std::time::Duration;

use fingertip_core::{Error, Reason, Result};

use super::verified::VerifiedElement;
use crate::events::Following;
use crate::failure::Failure;
use crate::tree::Facts;
use crate::value::Value;
use crate::window_list;

/// How long an application may take until an effect shows.
const SHOWN_WITHIN: Duration = Duration::from_secs(1);
/// How long a web page may take until a press had some effect, before it is clicked.
const PRESSED_WITHIN: Duration = Duration::from_millis(600);
/// How often the element is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Looks at an element until this holds, or the time for effects is over. One that is gone holds nothing.
pub(crate) fn shows(element: &VerifiedElement<'_>, holds: impl Fn(&Facts) -> bool) -> Result<bool> {
    shows_within(element, SHOWN_WITHIN, holds)
}

/// The same with a time of its own.
pub(crate) fn shows_within(
    element: &VerifiedElement<'_>,
    limit: Duration,
    holds: impl Fn(&Facts) -> bool,
) -> Result<bool> {
    let cancel = element.client.cancel.slice(limit);
    loop {
        match element.now() {
            Ok(facts) if holds(&facts) => return Ok(true),
            Err(Failure::Gone) => return Ok(false),
            Err(failure @ Failure::NotTrusted) => {
                return Err(element.error_of(failure, "looking at it again"));
            }
            _ => {}
        }
        if cancel.pause(LOOK_EVERY).is_err() {
            return Ok(false);
        }
    }
}

/// Does an action by its name.
///
/// An application that does not answer while it acts may well have acted: a dialog or menu that it opened waits for the
/// user before it answers. So it is looked whether something happened.
pub(super) fn perform(element: &VerifiedElement<'_>, name: &str) -> Result<()> {
    let mut before = Before::of(element);
    match element.element.perform(name) {
        Ok(()) => Ok(()),
        Err(Failure::NoAnswer) if before.has_changed(element)? => Ok(()),
        Err(Failure::NoAnswer) => Err(unanswered(element, name)),
        Err(failure) => Err(element.error_of(failure, &format!("doing '{name}'"))),
    }
}

/// Presses it, and clicks it with the pointer where that can be seen to have had no effect.
pub(super) fn press(element: &VerifiedElement<'_>, name: &str) -> Result<()> {
    let is_check = element.facts.checked().is_some();
    if !is_check && !element.meant.in_page {
        return perform(element, name);
    }
    let mut before = Before::of(element);
    match element.element.perform(name) {
        Ok(()) | Err(Failure::NoAnswer) => {}
        Err(failure) => return Err(element.error_of(failure, &format!("doing '{name}'"))),
    }
    let cancel = element.client.cancel.slice(PRESSED_WITHIN);
    loop {
        let has_effect = if is_check { before.is_another(element)? } else { before.has_changed(element)? };
        if has_effect {
            return Ok(());
        }
        if cancel.pause(LOOK_EVERY).is_err() {
            break;
        }
    }
    tracing::debug!(element = %element.node().summary(), "a press had no effect; it is clicked");
    element.click()
}

/// One step up or down, seen by its number.
pub(super) fn step(element: &VerifiedElement<'_>, name: &str) -> Result<()> {
    if !element.has_action(name) {
        return Err(element.unsupported(name));
    }
    let number = |facts: &Facts| match facts.value {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    };
    let before = number(&element.facts);
    perform(element, name)?;
    let Some(stays_at) = before else { return Ok(()) };
    if shows(element, |facts| number(facts) != before)? {
        return Ok(());
    }
    let message =
        format!("{} stays at {stays_at}; it may be at the end of its range.", element.node().summary());
    Err(element.error(Reason::ActionFailed, message))
}

/// What there was before an act, to see whether it had an effect.
struct Before {
    facts: Facts,
    /// What its own application reports: what happens in others at that moment is not its effect.
    events: Following,
    windows: Vec<u32>,
}

impl Before {
    fn of(element: &VerifiedElement<'_>) -> Self {
        // Without notifications there is less to see, and no reason not to act.
        if let Err(failure) = element.session.events.observe(element.client) {
            tracing::debug!(%failure, "an application is not observed");
        }
        let events = element.session.events.follow(element.client.app.pid);
        Self { facts: element.facts.clone(), events, windows: windows() }
    }

    /// Whether the element is another than before, or gone.
    fn is_another(&self, element: &VerifiedElement<'_>) -> Result<bool> {
        match element.now() {
            Ok(facts) => Ok(facts != self.facts),
            Err(failure @ Failure::NotTrusted) => Err(element.error_of(failure, "looking at it again")),
            Err(failure) => Ok(failure == Failure::Gone),
        }
    }

    /// Whether anything is another than before: the element, the windows, or what the application reports.
    fn has_changed(&mut self, element: &VerifiedElement<'_>) -> Result<bool> {
        if self.events.has_reported() || windows() != self.windows {
            return Ok(true);
        }
        self.is_another(element)
    }
}

/// The windows on the screen.
fn windows() -> Vec<u32> {
    let mut ids: Vec<u32> = window_list::windows()
        .into_iter()
        .filter(|window| window.on_screen)
        .map(|window| window.id)
        .collect();
    ids.sort_unstable();
    ids
}

fn unanswered(element: &VerifiedElement<'_>, name: &str) -> Error {
    let message = format!(
        "'{}' did not answer while doing '{name}', and nothing was seen to change.",
        element.meant.app()
    );
    element
        .error(Reason::Timeout, message)
        .with_guidance("Look at it before trying again: it may still be done.")
}
