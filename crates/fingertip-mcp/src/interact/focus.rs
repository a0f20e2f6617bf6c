//! Giving an element the keyboard, and seeing that it has it.

use std::time::Duration;

use fingertip_core::target::{Expected, NodeAction};
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Reason, Result, Snapshot, Window, WindowKind};

use super::element::{Found, Named, find, must_be_enabled};
use super::press::{Press, press_at};
use crate::call::Call;

/// How long an element may take to show that it has the focus.
const SHOWN_WITHIN: Duration = Duration::from_secs(3);
/// How often it is looked at meanwhile, where the target does not report changes.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Finds an element and gives it the keyboard, so that the next key goes to it.
pub(crate) async fn focus(call: &Call, id: NodeId) -> Result<Found> {
    let found = find(call, id).await?;
    must_be_enabled(&found.snapshot, found.index, &id)?;
    focus_found(call, found, &id).await
}

/// Gives an element that was found for this call the keyboard: by its own means; a field also by a click, which only
/// places the cursor. Anything else is left alone, because a click on it would do something.
pub(crate) async fn focus_found(call: &Call, found: Found, id: Named<'_>) -> Result<Found> {
    if has_keyboard(call, &found.snapshot, found.index) {
        return Ok(found);
    }
    let Found { snapshot, index, .. } = &found;
    if call.can_act(snapshot, *index, &NodeAction::Focus) {
        call.elements()?.act(snapshot, *index, &NodeAction::Focus, call.deadline()).await?;
    } else if snapshot.node(*index).is(Flags::EDITABLE) {
        press_at(call, snapshot, *index, *index, id, Press::Short).await?;
    } else {
        return Err(Error::new(
            Reason::Unsupported,
            format!("Element '{id}' cannot be given the focus; nothing was pressed."),
        )
        .with_guidance("Click it first if that is what is wanted, or move the focus to it with TAB."));
    }
    await_focus(call, found, id).await
}

/// Waits until an element has the keyboard.
pub(crate) async fn await_focus(call: &Call, found: Found, id: Named<'_>) -> Result<Found> {
    let number = found.node().id;
    let Found { scope, .. } = found;
    let limit = call.deadline().slice(SHOWN_WITHIN);
    let focused = call
        .until_sure(&scope, limit, LOOK_EVERY, |snapshot| {
            let index = number.and_then(|id| snapshot.find_id(id))?;
            has_keyboard(call, &snapshot, index).then_some((snapshot, index))
        })
        .await?;
    let focused = focused.map(|(snapshot, index)| Found { scope, snapshot, index });
    focused.ok_or_else(|| unfocused(id))
}

/// Whether the keys go to this element: it has the focus of its window, and on a desktop that has the focus too.
pub(crate) fn has_keyboard(call: &Call, snapshot: &Snapshot, index: NodeIndex) -> bool {
    let in_front = || gets_keys(snapshot.windows(), snapshot.window_of(index));
    snapshot.node(index).is(Flags::FOCUSED) && (!call.kind().keys_follow_window() || in_front())
}

/// Whether a window has the focus. No window system gives it to a popup: its keys come by the window it hangs off.
fn gets_keys(windows: &[Window], window: usize) -> bool {
    let own = &windows[window];
    let has_owner = |other: &Window| other.focused && other.pid == own.pid;
    own.focused || (own.kind == WindowKind::Popup && own.pid.is_some() && windows.iter().any(has_owner))
}

/// The application of an element: keys meant for the element go to no other.
pub(crate) fn owner_of(found: &Found) -> Expected {
    Expected::owners([&found.snapshot.windows()[found.snapshot.window_of(found.index)]])
}

/// Whether the keys still go to an element that was found before.
pub(crate) fn still_focused(call: &Call, now: &Snapshot, found: &Found) -> bool {
    let index = found.node().id.and_then(|id| now.find_id(id));
    index.is_some_and(|index| has_keyboard(call, now, index))
}

fn unfocused(id: Named<'_>) -> Error {
    Error::new(
        Reason::ActionFailed,
        format!("Element '{id}' did not take the focus; nothing was typed or pressed."),
    )
    .with_guidance("Look at the screen: something else may have come up.")
}

#[cfg(test)]
mod tests {
    use fingertip_core::Rect;

    use super::*;

    #[test]
    fn keys_for_a_popup_come_by_the_window_of_its_application() {
        let window = |pid, kind, focused| {
            let mut window = Window::new("app", Rect::new(0, 0, 9, 9)).kind(kind);
            (window.pid, window.focused) = (Some(pid), focused);
            window
        };
        let owner = window(1, WindowKind::Application, true);
        let popup = |pid| window(pid, WindowKind::Popup, false);
        let dialog = window(1, WindowKind::Dialog, false);
        assert!(gets_keys(&[owner.clone(), popup(1)], 1));
        assert!(!gets_keys(&[owner.clone(), popup(2)], 1));
        assert!(!gets_keys(&[owner, dialog], 1));
    }
}
