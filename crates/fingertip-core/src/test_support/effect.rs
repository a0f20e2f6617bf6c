//! What a call does to a scripted screen when the test says nothing else: as little as a plain device would.

use std::time::Duration;

use super::edit::{change_node, map_nodes};
use super::event::name_of;
use super::scripted::State;
use crate::gesture::Stroke;
use crate::target::{Key, KeyPress, NodeAction};
use crate::{Error, Flags, Node, NodeIndex, Reason, Result, Snapshot, Value, hit};

/// A touch this long is no tap.
const LONG_PRESS: Duration = Duration::from_millis(500);

/// The node of the current screen that the caller means by a node of its own snapshot: the one with the same
/// handle, else the one at the same position, if it still is what the caller saw.
pub(super) fn resolve(state: &State, snapshot: &Snapshot, index: NodeIndex) -> Result<NodeIndex> {
    let wanted = snapshot.node(index);
    let current = &state.snapshot;
    let found = match &wanted.handle {
        Some(_) => current.indices().find(|candidate| current.node(*candidate).handle == wanted.handle),
        None => current.indices().nth(index.position()),
    };
    let same = |candidate: &NodeIndex| {
        let candidate = current.node(*candidate);
        candidate.class == wanted.class && candidate.resource_id == wanted.resource_id
    };
    found
        .filter(same)
        .ok_or_else(|| Error::new(Reason::Stale, format!("{} is not there any more.", name_of(wanted))))
}

/// Puts a text into a field.
pub(super) fn set_text(state: &mut State, index: NodeIndex, text: &str) -> Result<()> {
    let node = state.snapshot.node(index);
    if !node.is(Flags::EDITABLE) {
        return Err(Error::new(Reason::Unsupported, format!("{} cannot be edited.", name_of(node))));
    }
    state.snapshot = change_node(&state.snapshot, index, |node| fill(node, text));
    Ok(())
}

/// Sets a number or a checked state, if the node has such a value; a number is kept within its range.
pub(super) fn set_value(state: &mut State, index: NodeIndex, value: &Value) -> Result<()> {
    let node = state.snapshot.node(index);
    let new = match (value, &node.value) {
        (Value::Number { current, .. }, Some(Value::Number { minimum, maximum, .. })) => Value::Number {
            current: current.clamp(minimum.unwrap_or(f64::NEG_INFINITY), maximum.unwrap_or(f64::INFINITY)),
            minimum: *minimum,
            maximum: *maximum,
        },
        (Value::Checked(checked), _) if node.is(Flags::CHECKABLE) => Value::Checked(*checked),
        _ => return Err(Error::new(Reason::Unsupported, format!("{} has no such value.", name_of(node)))),
    };
    state.snapshot = change_node(&state.snapshot, index, |node| {
        if let Value::Checked(checked) = new {
            node.flags.set(Flags::CHECKED, checked);
        } else {
            node.value = Some(new);
        }
    });
    Ok(())
}

/// Types at the end of the focused field. On a desktop, where handles last, keys go to the window in front when nothing in
/// it has the focus.
pub(super) fn type_text(state: &mut State, text: &str) -> Result<()> {
    // On a desktop some window always has the keyboard, whether it is reported or not.
    if state.snapshot.lasting_handles && focused_field(state).is_err() {
        return Ok(());
    }
    let field = focused_field(state)?;
    state.snapshot = change_node(&state.snapshot, field, |node| match node.secret_length {
        Some(length) if node.is(Flags::PASSWORD) => {
            node.secret_length = Some(length + text.chars().count() as u32);
        }
        _ => {
            let whole = format!("{}{text}", node.text.as_deref().unwrap_or_default());
            fill(node, &whole);
        }
    });
    Ok(())
}

/// Delete, space and characters change the focused field; the meaning of other keys is the application's.
pub(super) fn press_key(state: &mut State, press: KeyPress) -> Result<()> {
    for _ in 0..press.count {
        match press.key {
            // What the key means to something that is no field is the application's.
            Key::Space | Key::Character(_) if focused_field(state).is_err() => {}
            Key::Space => type_text(state, " ")?,
            Key::Character(character) if press.writes() => type_text(state, &character.to_string())?,
            Key::Delete => {
                let field = focused_field(state)?;
                state.snapshot = change_node(&state.snapshot, field, |node| {
                    node.secret_length = node.secret_length.map(|length| length.saturating_sub(1));
                    if let Some(mut text) = node.text.take().map(String::from) {
                        text.pop();
                        fill(node, &text);
                    }
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// A click toggles what can be checked and focuses what can be edited; other actions are the application's.
pub(super) fn act(state: &mut State, index: NodeIndex, action: &NodeAction) {
    match action {
        NodeAction::Focus => focus(state, index),
        NodeAction::Click if state.snapshot.node(index).is(Flags::EDITABLE) => focus(state, index),
        NodeAction::Click if state.snapshot.node(index).is(Flags::CHECKABLE) => {
            state.snapshot = change_node(&state.snapshot, index, |node| node.flags.toggle(Flags::CHECKED));
        }
        _ => {}
    }
}

/// A tap clicks what receives it, if that is enabled; what other gestures do is the application's.
pub(super) fn touch<'a>(state: &mut State, strokes: impl Iterator<Item = &'a Stroke>) {
    for stroke in strokes {
        let is_tap = stroke.duration() < LONG_PRESS
            && stroke.points().iter().all(|point| point.at == stroke.start().at);
        let receiver = hit::receiver(&state.snapshot, stroke.start().at).and_then(|receiver| receiver.node);
        if let Some(node) = receiver.filter(|node| is_tap && state.snapshot.node(*node).is(Flags::ENABLED)) {
            act(state, node, &NodeAction::Click);
        }
    }
}

fn focus(state: &mut State, focused: NodeIndex) {
    state.snapshot =
        map_nodes(&state.snapshot, |index, node| node.flags.set(Flags::FOCUSED, index == focused));
}

fn focused_field(state: &State) -> Result<NodeIndex> {
    let snapshot = &state.snapshot;
    snapshot
        .focused_node()
        .filter(|index| snapshot.node(*index).is(Flags::EDITABLE))
        .ok_or_else(|| Error::new(Reason::ActionFailed, "No editable element has the input focus."))
}

/// Replaces a field's text; the length of a secret is counted again when the snapshot is built.
fn fill(node: &mut Node, text: &str) {
    let secret = node.is(Flags::PASSWORD);
    node.text = (secret || !text.is_empty()).then(|| text.into());
    node.secret_length = None;
}
