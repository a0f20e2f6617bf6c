//! Changing what an element holds: its text, its number, its being on or off. All of it blocks.
//!
//! Rules: the attribute is set first and read back; a field that ignores that, as many of web pages do, is typed into. The text
//! of a secure field is never read: its length is all that is compared. Numbers and checks are looked at again before `Ok`.

use std::time::Duration;

use fingertip_core::target::{Key, KeyPress, Modifiers};
use fingertip_core::{Flags, Reason, Result, Value as Held};

use crate::actions::{self, VerifiedElement, shows, shows_within};
use crate::attributes::VALUE;
use crate::element::Setting;
use crate::failure::Failure;
use crate::input;
use crate::tree::Facts;
use crate::value::{MOST_TEXT, Value};

/// How long a text may take to show that was set.
const TAKEN_WITHIN: Duration = Duration::from_millis(300);
/// How often a check is pressed: one with a third state in between needs two.
const PRESSES: usize = 2;

/// Gives an element a value, and sees that it has it.
pub(crate) fn set_value(element: &VerifiedElement<'_>, value: &Held) -> Result<()> {
    match value {
        Held::Text(text) => set_text(element, text),
        Held::Number { current, .. } => set_number(element, *current),
        Held::Checked(wanted) => set_checked(element, *wanted),
        _ => Err(element.error(Reason::Unsupported, "Values of this kind cannot be set on a Mac.")),
    }
}

fn set_text(element: &VerifiedElement<'_>, text: &str) -> Result<()> {
    if !element.node().is(Flags::EDITABLE) {
        let message = format!("{} holds no text that can be changed.", element.node().summary());
        return Err(element.error(Reason::Unsupported, message));
    }
    if &*element.facts.role == "AXTextField" && !element.meant.in_page && text.contains(['\n', '\r']) {
        let message =
            format!("{} holds one line; the text has several. Nothing was done.", element.node().summary());
        return Err(element.error(Reason::InvalidParams, message).with_guidance("Leave the line ends out."));
    }
    let is_settable = element.element.is_settable(VALUE);
    match is_settable {
        Ok(true) => {
            match element.element.set(VALUE, Setting::Text(text)) {
                Ok(()) => {}
                Err(failure) if failure.says_no() => return type_over(element, text),
                Err(failure) => return Err(element.error_of(failure, "setting its text")),
            }
            if shows_within(element, TAKEN_WITHIN, |facts| is_text(element, facts, text))? {
                return Ok(());
            }
            type_over(element, text)
        }
        Ok(false) if !element.meant.in_page => {
            let message =
                format!("{} can be read and not be changed; nothing was done.", element.node().summary());
            Err(element.error(Reason::Unsupported, message))
        }
        Ok(false) => type_over(element, text),
        Err(failure) if failure.says_no() => type_over(element, text),
        Err(failure) => Err(element.error_of(failure, "setting its text")),
    }
}

/// Whether it holds this text; of a secret whether it is as long.
fn is_text(element: &VerifiedElement<'_>, facts: &Facts, text: &str) -> bool {
    if facts.is_secure() {
        let wanted = u32::try_from(text.encode_utf16().count()).ok();
        // One of as many characters as before may be the old one.
        return facts.secret_length == wanted && element.facts.secret_length != wanted;
    }
    match &facts.value {
        Some(Value::Text(held)) if text.len() < MOST_TEXT => **held == *text,
        Some(Value::Text(held)) => text.starts_with(&**held),
        Some(_) => false,
        None => text.is_empty(),
    }
}

/// Selects everything in it and types over that, as a user would.
fn type_over(element: &VerifiedElement<'_>, text: &str) -> Result<()> {
    if let Err(error) = actions::focus(element) {
        if error.reason() != Reason::ActionFailed {
            return Err(error);
        }
        element.click()?;
        if !shows(element, |facts| facts.focused)? {
            return Err(error);
        }
    }
    let select_all = KeyPress::from(Key::Character('a')).with(Modifiers::SUPER);
    element.pointer(|aim| {
        input::press(aim, select_all)?;
        if text.is_empty() {
            return input::press(aim, KeyPress::from(Key::Delete)).map(drop);
        }
        input::type_text(aim, text)
    })
}

fn set_number(element: &VerifiedElement<'_>, wanted: f64) -> Result<()> {
    let (minimum, maximum) = (element.facts.minimum, element.facts.maximum);
    let is_outside =
        minimum.is_some_and(|minimum| wanted < minimum) || maximum.is_some_and(|maximum| wanted > maximum);
    if is_outside {
        let end = |end: Option<f64>| end.map_or_else(|| "any".to_owned(), |end| end.to_string());
        let message =
            format!("{wanted} is out of range: {} to {}; nothing was done.", end(minimum), end(maximum));
        return Err(element.error(Reason::InvalidParams, message));
    }
    match element.element.set(VALUE, Setting::Number(wanted)) {
        Ok(()) => {}
        Err(Failure::Unsupported | Failure::NoValue) => {
            let message = format!("{} takes no number.", element.node().summary());
            return Err(element
                .error(Reason::Unsupported, message)
                .with_guidance("Use perform_action increment or decrement, or drag it."));
        }
        Err(failure) => return Err(element.error_of(failure, "setting its number")),
    }
    let is_near = |facts: &Facts| match facts.value {
        Some(Value::Number(held)) => (held - wanted).abs() <= wanted.abs().max(1.0) * 1e-6,
        _ => false,
    };
    if shows(element, is_near)? {
        return Ok(());
    }
    let held = match element.now().map(|facts| facts.value) {
        Ok(Some(Value::Number(held))) => held.to_string(),
        _ => "something else".to_owned(),
    };
    let message = format!("{} holds {held}, not {wanted}.", element.node().summary());
    Err(element
        .error(Reason::ActionFailed, message)
        .with_guidance("It may allow other steps, or be read-only."))
}

fn set_checked(element: &VerifiedElement<'_>, wanted: bool) -> Result<()> {
    let Some(now) = element.facts.checked() else {
        let message = format!("{} has no on and off.", element.node().summary());
        return Err(element.error(Reason::Unsupported, message));
    };
    if now == wanted {
        return Ok(());
    }
    for _ in 0..PRESSES {
        actions::press(element)?;
        if shows(element, |facts| facts.checked() == Some(wanted))? {
            return Ok(());
        }
    }
    let (now, hint) =
        if wanted { ("off", "") } else { ("on", " A radio button goes off when another is chosen.") };
    let message = format!("{} was pressed and is still {now}.{hint}", element.node().summary());
    Err(element.error(Reason::ActionFailed, message))
}
