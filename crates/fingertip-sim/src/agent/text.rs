//! `text`: set, else pasted with the old clip put back, else typed; and read back.

use std::time::Duration;

use serde_json::{Value, json};

use super::failure::Failure;
use super::fields::Fields;
use super::history::{Seen, relocate};
use super::nodes::{self, Extra, id};
use super::receiver::Meant;
use super::session::Session;
use crate::phone::{KeyCode, NodeFlags, NodeView, Phone, reported};

/// After so many keys it is seen who has the keyboard.
const KEYS_AT_ONCE: usize = 32;
/// How long an app that a line end or a tab opens is given to come up.
const SETTLING: Duration = Duration::from_millis(150);
/// The longest text, in UTF-16 units.
const MAX_TEXT: usize = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Replace,
    Append,
    Insert,
}

pub(super) async fn run(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let text = fields.text("text")?;
    let mode = match fields.text("mode")?.as_str() {
        "replace" => Mode::Replace,
        "append" => Mode::Append,
        "insert" => Mode::Insert,
        _ => return Err(Failure::invalid("mode", "replace, append or insert")),
    };
    let handle = fields.optional_text("handle")?;
    let snapshot = fields.optional_number("snapshot", 1, i64::from(i32::MAX))?.map(|number| number as u64);
    let meant = Meant::read(&mut fields)?;
    fields.end()?;
    if text.encode_utf16().count() > MAX_TEXT {
        return Err(Failure::invalid("text", "no longer than 1000000 characters"));
    }
    session.events.take()?;
    let before = handle.map(|handle| session.history().find(&handle, snapshot)).transpose()?;
    let written = session.phone.with(|phone| {
        let field = match before {
            Some(before) => Some(named(phone, &before)?),
            None => {
                meant.must_have_keyboard(phone, &typed(0, &text))?;
                focused(phone)
            }
        };
        match field {
            Some(field) => write(phone, &field, mode, &text).map(Some),
            None if mode == Mode::Insert => Ok(None),
            None => Err(Failure::gone("no editable field has the focus")),
        }
    })?;
    match written {
        Some(written) => Ok(written),
        None => type_blindly(session, &text, &meant).await,
    }
}

fn typed(keys: usize, text: &str) -> String {
    format!("Typed {keys} of {} characters", text.chars().count())
}

fn named(phone: &Phone, before: &Seen) -> Result<NodeView, Failure> {
    let now = relocate(phone, before, true)?;
    if !now.is(NodeFlags::EDITABLE) {
        return Err(Failure::new("unsupported", format!("{} is not editable", now.summary())));
    }
    if !now.is(NodeFlags::ENABLED) {
        return Err(Failure::new("disabled", format!("{} does not react now", now.summary())));
    }
    nodes::find(phone, now.key).ok_or_else(|| Failure::gone("the field is no longer there"))
}

fn focused(phone: &Phone) -> Option<NodeView> {
    let wanted = NodeFlags::FOCUSED | NodeFlags::EDITABLE;
    let nodes = reported(phone.windows()).flat_map(|window| window.root.walk());
    nodes.into_iter().find(|node| node.flags.contains(wanted)).cloned()
}

fn write(phone: &mut Phone, field: &NodeView, mode: Mode, text: &str) -> Result<Value, Failure> {
    let secret = field.flags.contains(NodeFlags::PASSWORD);
    let old = held(field);
    let (wanted, cursor) = wanted(field, &old, mode, text);
    // What a secret field holds is not known, so what is added to it can only be pasted.
    let method = if !secret && old == wanted {
        "set_text"
    } else if secret && mode != Mode::Replace {
        paste(phone, field, mode, text)?;
        "paste"
    } else {
        let extra = Extra { text: Some(wanted.clone()), ..Extra::default() };
        if !nodes::perform(phone, field.key, id::SET_TEXT, extra) {
            return Err(Failure::new("unsupported", "the node takes no text: set_text was refused"));
        }
        select(phone, field, cursor);
        "set_text"
    };
    let after = nodes::find(phone, field.key);
    Ok(match after {
        Some(after) if secret => {
            let exact = held(&after).chars().count() == wanted.chars().count();
            json!({ "method": method, "text": null, "exact": exact, "secret": true })
        }
        Some(after) => {
            let now = held(&after);
            json!({ "method": method, "text": now, "exact": now == wanted, "secret": false })
        }
        None => json!({ "method": method, "text": null, "exact": null, "secret": secret }),
    })
}

/// What a field holds: its hint is not part of it.
fn held(field: &NodeView) -> String {
    if field.flags.contains(NodeFlags::SHOWING_HINT) { String::new() } else { field.text.clone() }
}

/// What the field is to hold, and where the cursor is to be.
fn wanted(field: &NodeView, old: &str, mode: Mode, text: &str) -> (String, usize) {
    let new: Vec<u16> = text.encode_utf16().collect();
    let old: Vec<u16> = old.encode_utf16().collect();
    let (from, to) = match mode {
        Mode::Replace => (0, old.len()),
        Mode::Append => (old.len(), old.len()),
        Mode::Insert => {
            let (one, other) = field.selection.unwrap_or((old.len(), old.len()));
            (one.min(other).min(old.len()), one.max(other).min(old.len()))
        }
    };
    let whole = [&old[..from], &new, &old[to..]].concat();
    (String::from_utf16_lossy(&whole), from + new.len())
}

/// Puts the cursor of a field somewhere, which needs the focus.
fn select(phone: &mut Phone, field: &NodeView, cursor: usize) {
    if !field.flags.contains(NodeFlags::FOCUSED) {
        nodes::perform(phone, field.key, id::FOCUS, Extra::default());
    }
    let selection = Extra { selection: Some((cursor, cursor)), ..Extra::default() };
    nodes::perform(phone, field.key, id::SET_SELECTION, selection);
}

fn paste(phone: &mut Phone, field: &NodeView, mode: Mode, text: &str) -> Result<(), Failure> {
    if mode == Mode::Append {
        select(phone, field, held(field).encode_utf16().count());
    } else if !field.flags.contains(NodeFlags::FOCUSED) {
        nodes::perform(phone, field.key, id::FOCUS, Extra::default());
    }
    let clip = phone.clipboard().map(str::to_owned);
    phone.set_clipboard(Some(text.to_owned()));
    let pasted = nodes::perform(phone, field.key, id::PASTE, Extra::default());
    phone.set_clipboard(clip);
    if pasted { Ok(()) } else { Err(Failure::new("unsupported", "paste was refused")) }
}

/// There is no field to be seen: keys, or the paste key where a character has none. Nothing is read back.
async fn type_blindly(session: &Session, text: &str, meant: &Meant) -> Result<Value, Failure> {
    let has_key = |character: char| character == '\n' || (' '..='~').contains(&character);
    let phone = &session.phone;
    let method = if text.chars().all(has_key) {
        for (number, character) in text.chars().enumerate() {
            phone.with(|phone| {
                if number % KEYS_AT_ONCE == 0 {
                    meant.must_have_keyboard(phone, &typed(number, text))?;
                }
                phone.type_char(character);
                Ok(())
            })?;
            if character == '\n' && !meant.is_anyone() {
                tokio::time::sleep(SETTLING).await;
                phone.with(|phone| meant.must_have_keyboard(phone, &typed(number + 1, text)))?;
            }
        }
        "keys"
    } else {
        phone.with(|phone| {
            let clip = phone.clipboard().map(str::to_owned);
            phone.set_clipboard(Some(text.to_owned()));
            phone.key(KeyCode::PASTE, 0);
            phone.set_clipboard(clip);
        });
        "paste"
    };
    Ok(json!({ "method": method, "text": null, "exact": null, "secret": false }))
}
