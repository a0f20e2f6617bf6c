//! One object with its details as a node of a snapshot.

use fingertip_core::{Flags, Node, Rect, Role, Value};

use super::Object;
use super::detail::Detail;
use crate::actions::verb;
use crate::roles;
use crate::states::state;
use crate::toolkit::Toolkit;

/// The node of an object. Its bounds are on the screen already; whether it is visible was decided.
pub(crate) fn node(object: &Object, detail: Detail, bounds: Rect, visible: bool, toolkit: Toolkit) -> Node {
    let role = match roles::role(object.role) {
        // GTK draws check boxes in cells, and has no other word for them.
        Role::Cell
            if matches!(toolkit, Toolkit::Gtk2 | Toolkit::Gtk3) && verb::names_toggle(&detail.actions) =>
        {
            Role::CheckBox
        }
        Role::Button if toolkit.presses_toggles_only() && object.states.has(state::PRESSED) => {
            Role::ToggleButton
        }
        role => role,
    };
    let mut flags = object.states.flags(role, object.role);
    flags.set(Flags::VISIBLE, visible);
    let name = some(toolkit.name_in(role, &object.name)).or(detail.label);
    let value = value(role, object, detail.number, detail.choice);
    let description = some(&detail.description).or_else(|| shown_value(role, value.as_ref()));
    let holds_text = roles::holds_text(role) || flags.contains(Flags::EDITABLE);
    let (text, description) = if holds_text {
        // The name of a field is its label; what it shows is its content.
        (detail.text, name.or(description))
    } else {
        let words = detail.text.and_then(|text| some(text.trim()));
        match name {
            // What a box says beside its name, as the words between its links.
            Some(name) => (Some(name.clone()), description.or(words.filter(|words| **words != *name))),
            None => (words, description),
        }
    };
    let is_box = matches!(role, Role::Window | Role::Document) || (text.is_none() && description.is_none());
    let is_named = verb::names_click(&detail.actions) && !(toolkit.names_listeners() && is_box);
    // A click places the cursor of a field, whether or not its toolkit has an action for that.
    let is_field = matches!(role, Role::TextField | Role::Label) && flags.contains(Flags::EDITABLE);
    // Many programs draw buttons of their own, of which a toolkit knows no more than an area with a tooltip.
    let is_drawn = matches!(role, Role::Group | Role::Canvas)
        && object.child_count == 0
        && object.children.is_empty()
        && object.states.has_tooltip();
    flags.set(Flags::CLICKABLE, roles::reacts(role) || is_named || is_field || is_drawn);
    // Most toolkits have no action for it, but the right button opens the menu of whatever can be seen.
    let has_menu = visible || verb::names_menu(&detail.actions);
    flags.set(Flags::LONG_CLICKABLE, (roles::reacts(role) || is_drawn) && has_menu);
    let secret = flags.contains(Flags::PASSWORD);
    let mut node = Node::default();
    node.role = role;
    node.class = roles::name(object.role).map(Into::into);
    node.text = text.filter(|_| !secret);
    node.description = description;
    node.hint = detail.hint;
    node.resource_id = detail.identifier;
    node.value = value;
    node.secret_length = detail.length.filter(|_| secret).and_then(|length| u32::try_from(length).ok());
    node.child_count = Some(object.child_count)
        .filter(|_| object.children.is_empty())
        .and_then(|count| u32::try_from(count).ok())
        .filter(|count| *count > 0);
    node.bounds = bounds;
    node.flags = flags;
    node.actions = detail.actions.into();
    node.handle = Some(object.handle.to_string().into());
    node.lasting_name = object.handle.lasting_name();
    node.passing_handle = toolkit.replaces(role, object.states);
    node
}

/// What a user sees of a control beside its name: how far a slider is, which option is chosen.
fn shown_value(role: Role, value: Option<&Value>) -> Option<Box<str>> {
    match value? {
        Value::Number { current, .. } if matches!(role, Role::Slider | Role::ProgressBar) => {
            Some(current.to_string().into())
        }
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn value(
    role: Role,
    object: &Object,
    number: Option<(f64, Option<f64>, Option<f64>)>,
    choice: Option<Box<str>>,
) -> Option<Value> {
    if object.states.is_checkable(role, object.role) {
        return Some(Value::Checked(object.states.is_checked(role)));
    }
    let number = number.map(|(current, minimum, maximum)| Value::Number { current, minimum, maximum });
    number.or_else(|| choice.map(Value::Text))
}

fn some(text: &str) -> Option<Box<str>> {
    (!text.is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::super::object::tests::object;
    use super::*;
    use crate::states::States;

    fn made(role: u32, states: &[u32], detail: Detail) -> Node {
        let mut object = object("/x", 0);
        object.role = role;
        object.states = States::from_halves(&[states.iter().fold(0, |all, bit| all | 1 << bit)]);
        node(&object, detail, Rect::new(0, 0, 9, 9), true, Toolkit::Gtk3)
    }

    #[test]
    fn a_field_shows_its_content_and_its_name_describes_it() {
        let detail = Detail { text: Some("Ada".into()), hint: Some("Your name".into()), ..Detail::default() };
        let field = made(61, &[7, 24], detail);
        assert_eq!(field.text.as_deref(), Some("Ada"));
        assert_eq!(field.description.as_deref(), Some("x"));
        assert_eq!(field.hint.as_deref(), Some("Your name"));
        assert!(field.is(Flags::EDITABLE | Flags::ENABLED));
        assert!(field.is(Flags::CLICKABLE), "a click places its cursor, though it names no action");
        assert!(!made(61, &[24], Detail::default()).is(Flags::CLICKABLE), "a text that only shows");
    }

    #[test]
    fn a_cell_that_toggles_is_a_check_box_and_a_pressed_button_is_on() {
        let cell = |states: &[u32], actions: &[&str]| {
            let actions = actions.iter().map(|name| (*name).into()).collect();
            made(56, states, Detail { actions, ..Detail::default() })
        };
        let on = cell(&[4], &["Toggle", "Activate"]);
        assert_eq!((on.role, on.value.clone()), (Role::CheckBox, Some(Value::Checked(true))));
        assert!(on.is(Flags::CLICKABLE | Flags::CHECKED));
        assert_eq!(cell(&[], &["toggle"]).value, Some(Value::Checked(false)));
        assert_eq!(cell(&[], &["activate"]).role, Role::Cell);
        assert!(made(35, &[4], Detail::default()).is(Flags::CHECKABLE | Flags::CHECKED), "a menu item of Qt");
        let pressed = |toolkit| {
            let mut object = object("/x", 0);
            (object.role, object.states) = (43, States::from_halves(&[1 << 20]));
            node(&object, Detail::default(), Rect::new(0, 0, 9, 9), true, toolkit).value
        };
        assert_eq!(pressed(Toolkit::Gtk4), Some(Value::Checked(true)));
        assert_eq!(pressed(Toolkit::Qt), None, "it is held down");
    }

    #[test]
    fn an_area_with_a_tooltip_is_a_button_that_a_program_draws() {
        let tip = || Detail { description: "Play".into(), ..Detail::default() };
        assert!(made(39, &[8, 13], tip()).is(Flags::CLICKABLE));
        assert!(!made(39, &[8], tip()).is(Flags::CLICKABLE), "a panel that only describes itself");
        assert!(!made(29, &[8, 13], tip()).is(Flags::CLICKABLE), "a label with a tooltip");
    }

    #[test]
    fn a_secret_keeps_only_its_length() {
        let detail = Detail { text: Some("hunter2".into()), length: Some(7), ..Detail::default() };
        let field = made(roles::number::PASSWORD_TEXT, &[7], detail);
        assert_eq!(field.text, None);
        assert_eq!(field.secret_length, Some(7));
    }

    #[test]
    fn numbers_and_checks_are_values() {
        let number = Some((42.0, Some(0.0), Some(100.0)));
        let slider = made(51, &[24], Detail { number, ..Detail::default() });
        let expected = Value::Number { current: 42.0, minimum: Some(0.0), maximum: Some(100.0) };
        assert_eq!(slider.value, Some(expected));
        assert_eq!(made(7, &[4], Detail::default()).value, Some(Value::Checked(true)));
        assert_eq!(made(43, &[], Detail::default()).value, None);
    }

    #[test]
    fn a_nameless_control_has_the_name_of_its_label_and_shows_its_value() {
        let nameless = |role: u32, detail: Detail| {
            let mut object = object("/x", 0);
            (object.role, object.name) = (role, "".into());
            node(&object, detail, Rect::new(0, 0, 9, 9), true, Toolkit::Gtk3)
        };
        let label = || Some("Count".into());
        let field = nameless(52, Detail { text: Some("50".into()), label: label(), ..Detail::default() });
        assert_eq!((field.text.as_deref(), field.description.as_deref()), (Some("50"), Some("Count")));
        let number = Some((7.5, None, None));
        let slider = nameless(51, Detail { number, label: label(), ..Detail::default() });
        assert_eq!((slider.text.as_deref(), slider.description.as_deref()), (Some("Count"), Some("7.5")));
        let choice = Some("green".into());
        let combo = nameless(11, Detail { choice, label: label(), ..Detail::default() });
        assert_eq!((combo.text.as_deref(), combo.description.as_deref()), (Some("Count"), Some("green")));
    }

    #[test]
    fn a_default_action_alone_makes_nothing_clickable() {
        let actions = |names: &[&str]| Detail {
            actions: names.iter().map(|name| (*name).into()).collect(),
            ..Detail::default()
        };
        assert!(!made(116, &[], actions(&["doDefault", "showContextMenu"])).is(Flags::CLICKABLE));
        assert!(made(39, &[], actions(&["Click"])).is(Flags::CLICKABLE));
        assert!(made(7, &[], Detail::default()).is(Flags::CLICKABLE));
    }
}
