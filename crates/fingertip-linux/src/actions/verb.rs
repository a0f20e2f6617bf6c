//! What toolkits call their actions.
//!
//! GTK says `click`, Qt `Press`, Chromium `doDefault` or what the click does (`check`, `jump`); case, spaces
//! and dashes differ. Here is which of these words means which action, best first. The position of an action
//! in its object's list is its number and never changed.

use fingertip_core::target::{Direction, NodeAction};
use fingertip_core::{Flags, Node, Role, Value};

/// Presses something that is made to be pressed.
const PRESS: [&str; 13] = [
    "click",
    "press",
    "push",
    "toggle",
    "check",
    "uncheck",
    "select",
    "jump",
    "open",
    "invoke",
    "dodefault",
    "activate",
    "expandorcontract",
];
/// Those of them that toolkits also use for objects that are not made to be pressed.
const VAGUE: [&str; 3] = ["invoke", "dodefault", "expandorcontract"];
/// Presses one of many. To activate a row is more than a click, and to toggle it less.
const PRESS_CHOICE: [&str; 7] = ["click", "press", "select", "jump", "open", "check", "dodefault"];
/// What Qt calls the change of a mark that no click goes with.
pub(super) const MARKS_ONLY: &str = "Toggle";
/// What Qt calls the press of an item in a menu, which does what the item says and leaves the menu open.
pub(super) const LEAVES_MENU_OPEN: &str = "Press";
const MENU: [&str; 3] = ["showcontextmenu", "showmenu", "menu"];
const FOCUS: [&str; 2] = ["setfocus", "focus"];
const MORE: [&str; 2] = ["increment", "increase"];
const LESS: [&str; 2] = ["decrement", "decrease"];
const CONFIRM: [&str; 2] = ["confirm", "activate"];
const CANCEL: [&str; 2] = ["cancel", "dismiss"];
const PICK: [&str; 6] = ["pick", "select", "click", "press", "toggle", "dodefault"];
const EXPAND: [&str; 6] = ["expand", "expandorcontract", "open", "showmenu", "activate", "press"];
const COLLAPSE: [&str; 7] =
    ["collapse", "contract", "expandorcontract", "close", "activate", "press", "dodefault"];

/// The number of the action that means this, of those an object names.
pub(super) fn choose<S: AsRef<str>>(names: &[S], action: &NodeAction, role: Role) -> Option<usize> {
    let words: &[&str] = match action {
        NodeAction::Native(wanted) => {
            let exact = names.iter().position(|name| name.as_ref() == wanted);
            return exact.or_else(|| find(names, &plain(wanted).collect::<String>()));
        }
        // To activate a field is to press Enter in it.
        NodeAction::Click if role == Role::TextField => &[],
        NodeAction::Click if is_choice(role) && role != Role::MenuItem => &PRESS_CHOICE,
        NodeAction::Click => &PRESS,
        NodeAction::LongClick => &MENU,
        NodeAction::Focus => &FOCUS,
        NodeAction::Increment => &MORE,
        NodeAction::Decrement => &LESS,
        // Chromium, which has a context menu for everything, means a click by it.
        NodeAction::Confirm if find(names, "showcontextmenu").is_some() => &[],
        NodeAction::Confirm if matches!(role, Role::TextField | Role::SpinButton) => &CONFIRM,
        NodeAction::Confirm => &CONFIRM[..1],
        NodeAction::Cancel => &CANCEL,
        NodeAction::Pick => &PICK,
        NodeAction::Expand => &EXPAND,
        NodeAction::Collapse => &COLLAPSE,
        _ => &[],
    };
    words.iter().find_map(|word| find(names, word))
}

/// Whether one of these is a click, so that what has it can be clicked whatever it is.
pub(crate) fn names_click<S: AsRef<str>>(names: &[S]) -> bool {
    let clear = PRESS.iter().filter(|word| !VAGUE.contains(word)).chain(&EXPAND[..1]);
    clear.into_iter().any(|word| find(names, word).is_some())
}

/// Whether one of these turns something on and off.
pub(crate) fn names_toggle<S: AsRef<str>>(names: &[S]) -> bool {
    find(names, "toggle").is_some()
}

/// Whether one of these opens a context menu.
pub(crate) fn names_menu<S: AsRef<str>>(names: &[S]) -> bool {
    MENU.iter().any(|word| find(names, word).is_some())
}

/// Whether it is one of several to choose from.
pub(super) fn is_choice(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::TreeItem | Role::Cell | Role::Row | Role::Tab | Role::MenuItem)
}

/// The actions that are offered by name.
const SAID: [NodeAction; 9] = [
    NodeAction::Click,
    NodeAction::LongClick,
    NodeAction::Increment,
    NodeAction::Decrement,
    NodeAction::Confirm,
    NodeAction::Cancel,
    NodeAction::Pick,
    NodeAction::Expand,
    NodeAction::Collapse,
];

/// What can be done to a node, in our words and then in its own.
pub(super) fn supported<S: AsRef<str>>(names: &[S], node: &Node) -> Vec<String> {
    let has = |action: &NodeAction| choose(names, action, node.role).is_some();
    let mut all: Vec<String> = SAID
        .iter()
        .filter(|action| has(action) || (is_step(action) && matches!(node.value, Some(Value::Number { .. }))))
        .map(|action| word(action).to_owned())
        .collect();
    if node.is(Flags::FOCUSABLE) {
        all.push(word(&NodeAction::Focus).to_owned());
    }
    all.push(word(&NodeAction::Raise).to_owned());
    // What one of these words does is not said again in the application's own word.
    let said: Vec<usize> = SAID.iter().filter_map(|action| choose(names, action, node.role)).collect();
    let own = names.iter().enumerate().filter(|(number, _)| !said.contains(number));
    let own = own.map(|(_, name)| name.as_ref()).filter(|name| !name.is_empty());
    all.extend(own.map(|name| format!("'{name}'")));
    all
}

fn is_step(action: &NodeAction) -> bool {
    matches!(action, NodeAction::Increment | NodeAction::Decrement)
}

/// What an action is called in messages.
pub(super) fn word(action: &NodeAction) -> &str {
    match action {
        NodeAction::Click => "press",
        NodeAction::LongClick => "show menu",
        NodeAction::Focus => "focus",
        NodeAction::Scroll(Direction::Up) => "scroll up",
        NodeAction::Scroll(Direction::Down) => "scroll down",
        NodeAction::Scroll(Direction::Left) => "scroll left",
        NodeAction::Scroll(Direction::Right) => "scroll right",
        NodeAction::ShowOnScreen => "show on screen",
        NodeAction::Increment => "increment",
        NodeAction::Decrement => "decrement",
        NodeAction::Confirm => "confirm",
        NodeAction::Cancel => "cancel",
        NodeAction::Raise => "raise",
        NodeAction::Pick => "pick",
        NodeAction::Expand => "expand",
        NodeAction::Collapse => "collapse",
        NodeAction::Native(name) => name,
        _ => "that",
    }
}

fn find<S: AsRef<str>>(names: &[S], word: &str) -> Option<usize> {
    names.iter().position(|name| plain(name.as_ref()).eq(word.chars()))
}

/// A name without case and without what is between its words.
fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_toolkit_has_a_word_for_a_press() {
        for name in ["click", "Press", "doDefault", "check", "jump", "Toggle", "activate"] {
            assert_eq!(choose(&["other", name], &NodeAction::Click, Role::Button), Some(1), "{name}");
        }
        assert_eq!(choose(&["showContextMenu"], &NodeAction::Click, Role::Button), None);
        assert_eq!(choose(&["doDefault", "showContextMenu"], &NodeAction::LongClick, Role::Button), Some(1));
    }

    #[test]
    fn a_row_is_clicked_and_not_activated() {
        let names = ["expand or contract", "edit", "activate"];
        assert_eq!(choose(&names, &NodeAction::Click, Role::Cell), None);
        assert_eq!(choose(&names, &NodeAction::Expand, Role::Cell), Some(0));
    }

    #[test]
    fn a_native_action_is_found_as_it_is_written_and_then_in_spirit() {
        let names = ["Press", "press", "Show Menu"];
        let native = |name: &str| choose(&names, &NodeAction::Native(name.to_owned()), Role::Button);
        assert_eq!(native("press"), Some(1));
        assert_eq!(native("PRESS"), Some(0));
        assert_eq!(native("showMenu"), Some(2));
        assert_eq!(native("fly"), None);
    }

    #[test]
    fn confirming_in_a_browser_is_left_to_the_keyboard() {
        let confirm = |names: &[&str]| choose(names, &NodeAction::Confirm, Role::TextField);
        assert_eq!(confirm(&["activate"]), Some(0));
        assert_eq!(confirm(&["activate", "showContextMenu"]), None);
    }

    #[test]
    fn what_is_supported_is_listed_in_both_words() {
        let listed = supported(&["Press", "SetFocus"], &Node::new("push button").role(Role::Button));
        assert!(listed.iter().any(|word| word == "press"));
        assert!(listed.iter().any(|word| word == "'SetFocus'"));
    }
}
