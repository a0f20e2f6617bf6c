//! Actions whose effect the driver can see by itself: focus, steps, expansion, choice.

use std::time::Duration;

use fingertip_core::target::NodeAction;
use fingertip_core::{Reason, Result};

use super::verified::VerifiedObject;
use super::{by_name, unsupported, verb};
use crate::bus::{CallError, Command};
use crate::states::{States, state};

/// How long a toolkit may take until an effect shows; GTK 4 plays its animations first.
const SHOWN_WITHIN: Duration = Duration::from_millis(1500);
/// How often the object is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// What one step is, where a range has no step: a twentieth of it.
const STEPS: f64 = 20.0;

/// Waits until an object has the keyboard.
pub(super) async fn await_focus(object: &VerifiedObject<'_>) -> Result<()> {
    if shows(object, States::is_focused).await? {
        return Ok(());
    }
    let message =
        format!("{} did not take the focus, though {} said it would.", object.node().summary(), object.app());
    Err(object.error(Reason::ActionFailed, message).with_guidance("Click it with the pointer instead."))
}

/// Looks at the states of an object until this holds, or the time for effects is over.
pub(crate) async fn shows(object: &VerifiedObject<'_>, holds: impl Fn(States) -> bool) -> Result<bool> {
    let limit = object.client.deadline.slice(SHOWN_WITHIN);
    loop {
        if holds(object.states().await?) {
            return Ok(true);
        }
        if limit.passed() {
            return Ok(false);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// One step up or down: by its own action, else by its number.
pub(super) async fn step(object: &VerifiedObject<'_>, action: &NodeAction, sign: f64) -> Result<()> {
    let failed = |error: CallError| object.error_of(error, "reading its number");
    let before = match object.number("CurrentValue").await {
        Ok(before) => before,
        Err(error) if error.says_no() => return by_name(object, action).await,
        Err(error) => return Err(failed(error)),
    };
    if let Some(position) = verb::choose(object.actions(), action, object.node().role) {
        object.do_action(position).await?;
    } else {
        let (minimum, maximum, step) = tokio::try_join!(
            object.number("MinimumValue"),
            object.number("MaximumValue"),
            object.number("MinimumIncrement")
        )
        .map_err(failed)?;
        let wanted = (before + sign * step_of(minimum, maximum, step)).clamp(minimum.min(maximum), maximum);
        let set = object.client.set_number(&object.handle, wanted).await;
        set.map_err(|error| object.error_of(error, "setting its number"))?;
    }
    let limit = object.client.deadline.slice(SHOWN_WITHIN);
    while object.number("CurrentValue").await.map_err(failed)? == before {
        if limit.passed() {
            let message =
                format!("{} stays at {before}; it may be at the end of its range.", object.node().summary());
            return Err(object.error(Reason::ActionFailed, message));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// One step of a range.
fn step_of(minimum: f64, maximum: f64, reported: f64) -> f64 {
    let range = maximum - minimum;
    if reported > 0.0 {
        reported
    } else if range.is_finite() && range >= STEPS {
        (range / STEPS).round()
    } else if range.is_finite() && range > 0.0 && range < 1.0 {
        range / STEPS
    } else {
        1.0
    }
}

/// Opens or closes what can be opened, and sees that it is.
pub(super) async fn expand(object: &VerifiedObject<'_>, action: &NodeAction, open: bool) -> Result<()> {
    if object.has(state::EXPANDED) == open {
        return Ok(());
    }
    let position = verb::choose(object.actions(), action, object.node().role)
        .ok_or_else(|| unsupported(object, action))?;
    object.do_action(position).await?;
    if shows(object, |states| states.is_expanded() == open).await? {
        return Ok(());
    }
    let wanted = if open { "open" } else { "close" };
    let message = format!("{} did not {wanted}.", object.node().summary());
    let guidance = "Look at the screen; a menu that opened elsewhere is a window of its own.";
    Err(object.error(Reason::ActionFailed, message).with_guidance(guidance))
}

/// Chooses it among its siblings: by its own action, else through its parent.
pub(super) async fn pick(object: &VerifiedObject<'_>, action: &NodeAction) -> Result<()> {
    if let Some(position) = verb::choose(object.actions(), action, object.node().role) {
        return object.do_action(position).await;
    }
    let failed = |error: CallError| object.error_of(error, "choosing it in its list");
    let VerifiedObject { client, handle, .. } = object;
    let asked = tokio::try_join!(client.parent_anywhere(handle), client.index(handle));
    let (parent, position) = asked.map_err(failed)?;
    match client.command(&parent, Command::SelectChild(position)).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(object.refused("being chosen")),
        Err(CallError::Missing(_)) => Err(unsupported(object, action)),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_what_the_toolkit_says_or_a_part_of_the_range() {
        assert_eq!(step_of(0.0, 100.0, 5.0), 5.0);
        assert_eq!(step_of(0.0, 100.0, 0.0), 5.0);
        assert_eq!(step_of(0.0, 0.5, 0.0), 0.025);
        assert_eq!(step_of(0.0, 9.0, 0.0), 1.0);
        assert_eq!(step_of(f64::MIN, f64::MAX, 0.0), 1.0);
    }
}
