//! Doing something to an element itself: pressing, choosing, stepping, focusing, bringing into view. All of it blocks.
//!
//! Rules: an element is looked at again at the moment of acting, and nothing is done to one that is gone, disabled, or another
//! one by now. What the element itself calls its action is done first. That the application says "done" is not enough where
//! the effect can be seen (checks, steps, focus, expansion) nor in web pages, whose elements say yes to every press: what had
//! no effect is clicked with the pointer, at a point where a hit test finds that very element.

mod effect;
mod verified;

use fingertip_core::target::{Direction, Key, KeyPress, NodeAction};
use fingertip_core::{Error, Flags, NodeIndex, Reason, Result, Role, Snapshot, Value};

use crate::attributes::{DISCLOSING, EXPANDED, FOCUSED, SELECTED, SELECTED_CHILDREN, SELECTED_ROWS};
use crate::element::Setting;
use crate::failure::Failure;
use crate::input;
use crate::roles::{self, action as named};

pub(crate) use effect::{shows, shows_within};
pub(crate) use verified::{Meant, VerifiedElement, bring_to_front};

/// How far one notch of the wheel goes, in points: three lines.
const NOTCH_POINTS: i32 = 30;
/// The share of a view that one scroll moves it by, so that something seen before is still there: 3/4.
const SCROLL_SHARE: (i32, i32) = (3, 4);

/// Whether [`act`] can do this to that node, as far as the snapshot shows.
pub(crate) fn can_act(snapshot: &Snapshot, index: NodeIndex, action: &NodeAction) -> bool {
    let node = snapshot.node(index);
    if node.handle.is_none() {
        return false;
    }
    let implies = |name: &str| node.actions.iter().any(|action| **action == *name);
    match action {
        NodeAction::Click => implies(named::PRESS),
        NodeAction::Pick => implies(named::PICK) || roles::is_choice(node.role),
        NodeAction::LongClick => implies(named::SHOW_MENU) || node.is(Flags::VISIBLE),
        NodeAction::Focus => node.is(Flags::FOCUSABLE),
        NodeAction::Confirm | NodeAction::Cancel => {
            node.is(Flags::FOCUSABLE) || implies(named::CONFIRM) || implies(named::CANCEL)
        }
        NodeAction::Scroll(_) => node.is(Flags::SCROLLABLE) && node.is(Flags::VISIBLE),
        NodeAction::Increment | NodeAction::Decrement => matches!(node.value, Some(Value::Number { .. })),
        NodeAction::Expand | NodeAction::Collapse => {
            matches!(
                node.role,
                Role::TreeItem | Role::Row | Role::Disclosure | Role::ComboBox | Role::MenuButton
            )
        }
        NodeAction::ShowOnScreen | NodeAction::Raise => true,
        // What an element really has is known when it is asked.
        NodeAction::Native(name) => implies(name) || name.starts_with("AX"),
        _ => false,
    }
}

/// Does it.
pub(crate) fn act(element: &VerifiedElement<'_>, action: &NodeAction) -> Result<()> {
    match action {
        NodeAction::Click => press(element),
        NodeAction::Pick => pick(element),
        NodeAction::LongClick => show_menu(element),
        NodeAction::Focus => focus(element),
        NodeAction::Raise => element.bring_to_front(),
        NodeAction::Scroll(direction) => turn_wheel(element, *direction),
        NodeAction::ShowOnScreen => show(element),
        NodeAction::Increment => effect::step(element, named::INCREMENT),
        NodeAction::Decrement => effect::step(element, named::DECREMENT),
        NodeAction::Confirm => confirm(element, named::CONFIRM, Key::Enter),
        NodeAction::Cancel => confirm(element, named::CANCEL, Key::Escape),
        NodeAction::Expand => expand(element, true),
        NodeAction::Collapse => expand(element, false),
        NodeAction::Native(name) => native(element, name),
        _ => Err(element.unsupported("that")),
    }
}

/// Presses it by its own action, else with the pointer.
pub(crate) fn press(element: &VerifiedElement<'_>) -> Result<()> {
    let choice = [named::PRESS, named::PICK, named::OPEN].into_iter().find(|name| element.has_action(name));
    match choice {
        Some(name) => effect::press(element, name),
        None => element.click(),
    }
}

/// Chooses it: by selecting it, as a list does, else by a press.
fn pick(element: &VerifiedElement<'_>) -> Result<()> {
    if !roles::is_choice(element.node().role) {
        return press(element);
    }
    let own = element.element.set(SELECTED, Setting::Bool(true));
    if own.is_ok() && effect::shows(element, |facts| facts.selected)? {
        return Ok(());
    }
    // The selected rows are an attribute of the table.
    let list = element.parent();
    if let Some(list) = list {
        let only = [element.element.clone()];
        for name in [SELECTED_ROWS, SELECTED_CHILDREN] {
            if list.set(name, Setting::Elements(&only)).is_ok()
                && effect::shows(element, |facts| facts.selected)?
            {
                return Ok(());
            }
        }
    }
    element.click()
}

/// Opens its menu: by its own action, else with the second button.
fn show_menu(element: &VerifiedElement<'_>) -> Result<()> {
    if element.has_action(named::SHOW_MENU) {
        return effect::perform(element, named::SHOW_MENU);
    }
    element.bring_to_front()?;
    let at = element.point()?;
    element.pointer(|aim| input::open_menu(aim, at))
}

/// Gives it the keyboard; `Ok` once it says that it has it.
pub(crate) fn focus(element: &VerifiedElement<'_>) -> Result<()> {
    element.bring_to_front()?;
    match element.element.set(FOCUSED, Setting::Bool(true)) {
        Ok(()) | Err(Failure::Unsupported | Failure::NoValue | Failure::Refused(_) | Failure::NoAnswer) => {}
        Err(failure) => return Err(element.error_of(failure, "giving it the focus")),
    }
    if effect::shows(element, |facts| facts.focused)? {
        return Ok(());
    }
    let message = format!("{} did not take the focus.", element.node().summary());
    Err(element.error(Reason::ActionFailed, message).with_guidance("Click it with the pointer instead."))
}

/// Enter or Escape to it: by its own action, else by the key.
fn confirm(element: &VerifiedElement<'_>, name: &str, key: Key) -> Result<()> {
    if element.has_action(name) {
        return effect::perform(element, name);
    }
    if !element.facts.focused {
        focus(element)?;
    }
    element.pointer(|aim| input::press(aim, KeyPress::from(key)).map(drop))
}

/// Opens or closes it, and sees that it is.
fn expand(element: &VerifiedElement<'_>, open: bool) -> Result<()> {
    if element.facts.expanded == Some(open) {
        return Ok(());
    }
    for name in [DISCLOSING, EXPANDED] {
        if element.element.is_settable(name).unwrap_or_default()
            && element.element.set(name, Setting::Bool(open)).is_ok()
            && effect::shows(element, |facts| facts.expanded == Some(open))?
        {
            return Ok(());
        }
    }
    let opens_menu = matches!(element.node().role, Role::ComboBox | Role::MenuButton);
    if opens_menu || element.has_action(named::PRESS) {
        press(element)?;
        if opens_menu
            || effect::shows(element, |facts| facts.expanded == Some(open) || facts.checked() == Some(open))?
        {
            return Ok(());
        }
    }
    let wanted = if open { "open" } else { "close" };
    Err(element.error(Reason::ActionFailed, format!("{} did not {wanted}.", element.node().summary())))
}

/// Brings it into view by its own action.
fn show(element: &VerifiedElement<'_>) -> Result<()> {
    if !element.has_action(named::SCROLL_TO_VISIBLE) {
        return Err(element.unsupported("show on screen"));
    }
    effect::perform(element, named::SCROLL_TO_VISIBLE)
}

/// An action of its own by name.
fn native(element: &VerifiedElement<'_>, name: &str) -> Result<()> {
    if !element.has_action(name) {
        return Err(element.unsupported(name));
    }
    if name == named::PRESS { effect::press(element, name) } else { effect::perform(element, name) }
}

fn turn_wheel(element: &VerifiedElement<'_>, direction: Direction) -> Result<()> {
    let area = element.node().bounds;
    if area.is_empty() {
        return Err(element
            .error(Reason::ActionFailed, "The element to scroll is not on the screen.")
            .with_guidance("Bring it into view first."));
    }
    element.bring_to_front()?;
    let length = match direction {
        Direction::Up | Direction::Down => area.height(),
        Direction::Left | Direction::Right => area.width(),
    };
    let points = length / SCROLL_SHARE.1 * SCROLL_SHARE.0;
    let notches = (points / NOTCH_POINTS).max(1).unsigned_abs();
    element.pointer(|aim| input::scroll(aim, area.center(), direction, notches))
}

/// The error that says what can be done instead.
fn unsupported(element: &VerifiedElement<'_>, name: &str) -> Error {
    let own = element.actions().join(", ");
    let can = if own.is_empty() { "nothing by itself".to_owned() } else { own };
    let message = format!("{} cannot do '{name}'; it can do: {can}.", element.node().summary());
    element
        .error(Reason::Unsupported, message)
        .with_guidance("Choose one of these, or use the pointer at its bounds.")
}
