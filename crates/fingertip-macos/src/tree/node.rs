//! How an element becomes a node of a snapshot.

use fingertip_core::{Flags, Node, Rect, Role, Value as Held};

use super::Facts;
use crate::roles;
use crate::value::Value;

/// The node of an element, at this place. `label` is what another element says is its name.
pub(crate) fn node(facts: &Facts, bounds: Rect, visible: bool, label: Option<&str>) -> Node {
    let role = facts.role();
    let mut node = Node::new(&facts.role).role(role);
    node.bounds = bounds;
    node.flags = flags(facts, role);
    node.flags.set(Flags::VISIBLE, visible);
    node.hint.clone_from(&facts.placeholder);
    node.resource_id.clone_from(&facts.identifier);
    node.secret_length = facts.secret_length;
    node.actions = roles::implied_actions(&facts.role).iter().map(|action| (*action).into()).collect();
    words(&mut node, facts, role, label);
    node.value = value(facts, role, node.text.as_deref());
    node
}

/// What it shows is its text, what it is called beside that its description.
fn words(node: &mut Node, facts: &Facts, role: Role, label: Option<&str>) {
    let shown = match &facts.value {
        Some(Value::Text(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    let name = facts.title.clone().or_else(|| label.map(Into::into));
    let said = facts.description.clone();
    if roles::is_field(role, &facts.role) {
        // The text of a field is what it holds, and nothing else.
        node.text = shown;
        node.description = name.or(said).or_else(|| facts.help.clone());
        return;
    }
    let is_text = matches!(role, Role::Label | Role::Heading | Role::Link | Role::Cell | Role::Unknown);
    node.text = if is_text { name.or(shown) } else { name };
    node.description = said.or_else(|| facts.help.clone()).filter(|said| Some(said) != node.text.as_ref());
}

fn flags(facts: &Facts, role: Role) -> Flags {
    let mut flags = roles::implied_flags(role, &facts.role);
    let is_window = matches!(&*facts.role, roles::WINDOW | roles::SHEET | "AXApplication");
    flags.set(Flags::ENABLED, facts.enabled);
    flags.set(Flags::FOCUSED, facts.focused && !is_window);
    flags.set(Flags::SELECTED, facts.selected || is_chosen_tab(facts));
    flags.set(Flags::SCROLLABLE, &*facts.role == roles::SCROLL_AREA);
    flags.set(Flags::PASSWORD, facts.is_secure());
    if let Some(checked) = facts.checked() {
        flags |= Flags::CHECKABLE;
        flags.set(Flags::CHECKED, checked);
    }
    flags
}

/// A tab is a radio button to AppKit, whose value says whether it is in front.
fn is_chosen_tab(facts: &Facts) -> bool {
    facts.subrole.as_deref() == Some("AXTabButton") && facts.value == Some(Value::Number(1.0))
}

/// What it holds beside its text.
fn value(facts: &Facts, role: Role, text: Option<&str>) -> Option<Held> {
    if let Some(checked) = facts.checked() {
        return Some(Held::Checked(checked));
    }
    match &facts.value {
        Some(Value::Number(current)) if roles::is_number(role) => {
            Some(Held::Number { current: *current, minimum: facts.minimum, maximum: facts.maximum })
        }
        Some(Value::Text(held)) if !held.is_empty() && Some(&**held) != text => {
            Some(Held::Text(held.clone()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(role: &str) -> Facts {
        Facts { role: role.into(), enabled: true, ..Facts::default() }
    }

    fn made(facts: &Facts) -> Node {
        node(facts, Rect::new(0, 0, 10, 10), true, None)
    }

    #[test]
    fn a_label_shows_its_value_and_a_button_its_title() {
        let label = Facts { value: Some(Value::Text("Hello".into())), ..facts("AXStaticText") };
        assert_eq!(made(&label).text.as_deref(), Some("Hello"));
        assert_eq!(made(&label).value, None, "its text is not reported twice");
        let button = Facts { title: Some("Save".into()), help: Some("Saves it".into()), ..facts("AXButton") };
        let button = made(&button);
        assert_eq!((button.text.as_deref(), button.description.as_deref()), (Some("Save"), Some("Saves it")));
        assert!(button.is(Flags::CLICKABLE | Flags::ENABLED));
        assert_eq!(button.actions.len(), 1);
    }

    #[test]
    fn a_field_holds_its_value_and_is_called_by_its_label() {
        let field = Facts { value: Some(Value::Text("Ada".into())), ..facts("AXTextField") };
        let field = node(&field, Rect::default(), true, Some("Name"));
        assert_eq!((field.text.as_deref(), field.description.as_deref()), (Some("Ada"), Some("Name")));
        assert!(field.is(Flags::EDITABLE) && !field.is(Flags::PASSWORD));
    }

    #[test]
    fn a_secret_is_marked() {
        let field = Facts {
            subrole: Some("AXSecureTextField".into()),
            secret_length: Some(5),
            ..facts("AXTextField")
        };
        assert!(made(&field).is(Flags::PASSWORD));
        assert_eq!(made(&field).secret_length, Some(5));
    }

    #[test]
    fn checks_and_numbers_are_values() {
        let check = Facts { value: Some(Value::Number(1.0)), ..facts("AXCheckBox") };
        assert_eq!(made(&check).value, Some(Held::Checked(true)));
        let mixed = Facts { value: Some(Value::Number(2.0)), ..facts("AXCheckBox") };
        assert!(!made(&mixed).is(Flags::CHECKED));
        let slider = Facts {
            value: Some(Value::Number(3.0)),
            minimum: Some(0.0),
            maximum: Some(9.0),
            ..facts("AXSlider")
        };
        let held = Held::Number { current: 3.0, minimum: Some(0.0), maximum: Some(9.0) };
        assert_eq!(made(&slider).value, Some(held));
    }
}
