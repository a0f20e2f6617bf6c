//! Nodes in Android's numbers: their names, flags, and the actions they take.

use crate::phone::{KeyCode, NodeAction, NodeFlags, NodeView, Phone};

/// `AccessibilityNodeInfo.ACTION_*` and `AccessibilityAction.*`, by number, with their names in the protocol.
pub(super) mod id {
    pub(in super::super) const FOCUS: i64 = 1;
    pub(in super::super) const CLICK: i64 = 16;
    pub(in super::super) const LONG_CLICK: i64 = 32;
    pub(in super::super) const SCROLL_FORWARD: i64 = 4096;
    pub(in super::super) const SCROLL_BACKWARD: i64 = 8192;
    pub(in super::super) const PASTE: i64 = 32_768;
    pub(in super::super) const SET_SELECTION: i64 = 131_072;
    pub(in super::super) const SET_TEXT: i64 = 2_097_152;
    pub(in super::super) const SHOW_ON_SCREEN: i64 = 16_908_342;
    pub(in super::super) const SCROLL_UP: i64 = 16_908_344;
    pub(in super::super) const SCROLL_LEFT: i64 = 16_908_345;
    pub(in super::super) const SCROLL_DOWN: i64 = 16_908_346;
    pub(in super::super) const SCROLL_RIGHT: i64 = 16_908_347;
    pub(in super::super) const SET_PROGRESS: i64 = 16_908_349;
    pub(in super::super) const IME_ENTER: i64 = 16_908_372;
}

/// The actions of the protocol by name. Those that no view of this phone takes are known all the same.
const NAMES: [(&str, i64); 22] = [
    ("click", id::CLICK),
    ("long_click", id::LONG_CLICK),
    ("focus", id::FOCUS),
    ("select", 4),
    ("scroll_forward", id::SCROLL_FORWARD),
    ("scroll_backward", id::SCROLL_BACKWARD),
    ("expand", 262_144),
    ("collapse", 524_288),
    ("dismiss", 1_048_576),
    ("copy", 16_384),
    ("cut", 65_536),
    ("paste", id::PASTE),
    ("set_text", id::SET_TEXT),
    ("set_selection", id::SET_SELECTION),
    ("show_on_screen", id::SHOW_ON_SCREEN),
    ("scroll_up", id::SCROLL_UP),
    ("scroll_down", id::SCROLL_DOWN),
    ("scroll_left", id::SCROLL_LEFT),
    ("scroll_right", id::SCROLL_RIGHT),
    ("context_click", 16_908_348),
    ("set_progress", id::SET_PROGRESS),
    ("ime_enter", id::IME_ENTER),
];

/// The number of an action of the protocol.
pub(super) fn action_of(name: &str) -> Option<i64> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, id)| *id)
}

/// What the protocol calls an action.
pub(super) fn name_of(action: i64) -> Option<&'static str> {
    NAMES.iter().find(|(_, id)| *id == action).map(|(name, _)| *name)
}

/// The two halves of Android's number for a node: the view, and the part of it.
pub(super) fn halves(key: u64) -> (i32, i32) {
    (key as u32 as i32, (key >> 32) as u32 as i32)
}

/// The actions a node takes, as it lists them.
pub(super) fn actions(node: &NodeView) -> Vec<i64> {
    let is = |flags: NodeFlags| node.flags.contains(flags);
    let enabled = is(NodeFlags::ENABLED);
    let field = is(NodeFlags::EDITABLE) && node.selection.is_some();
    let sideways = is(NodeFlags::SCROLLS_SIDEWAYS);
    let forward = enabled && is(NodeFlags::CAN_SCROLL_FORWARD);
    let backward = enabled && is(NodeFlags::CAN_SCROLL_BACKWARD);
    [
        (is(NodeFlags::FOCUSABLE) && !is(NodeFlags::FOCUSED), id::FOCUS),
        (enabled && is(NodeFlags::CLICKABLE), id::CLICK),
        (enabled && is(NodeFlags::LONG_CLICKABLE), id::LONG_CLICK),
        (forward, id::SCROLL_FORWARD),
        (backward, id::SCROLL_BACKWARD),
        (forward && !sideways, id::SCROLL_DOWN),
        (forward && sideways, id::SCROLL_RIGHT),
        (backward && !sideways, id::SCROLL_UP),
        (backward && sideways, id::SCROLL_LEFT),
        (field && enabled && is(NodeFlags::FOCUSED), id::PASTE),
        (field && enabled, id::SET_SELECTION),
        (field && enabled, id::SET_TEXT),
        (field && enabled, id::IME_ENTER),
        (node.range.is_some() && enabled, id::SET_PROGRESS),
        (true, id::SHOW_ON_SCREEN),
    ]
    .into_iter()
    .filter_map(|(takes, action)| takes.then_some(action))
    .collect()
}

/// What comes with an action.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Extra {
    pub(super) text: Option<String>,
    pub(super) selection: Option<(usize, usize)>,
    pub(super) progress: Option<f32>,
}

/// Does an action by its number; `false` when the node does not take it, as `performAction` returns.
pub(super) fn perform(phone: &mut Phone, key: u64, action: i64, extra: Extra) -> bool {
    let Some(node) = find(phone, key) else { return false };
    if !actions(&node).contains(&action) {
        return false;
    }
    let action = match (action, extra) {
        (id::PASTE, _) => {
            let there = phone.clipboard().is_some();
            phone.key(KeyCode::PASTE, 0);
            return there;
        }
        (id::FOCUS, _) => NodeAction::Focus,
        (id::CLICK, _) => NodeAction::Click,
        (id::LONG_CLICK, _) => NodeAction::LongClick,
        (id::SCROLL_FORWARD | id::SCROLL_DOWN | id::SCROLL_RIGHT, _) => NodeAction::ScrollForward,
        (id::SCROLL_BACKWARD | id::SCROLL_UP | id::SCROLL_LEFT, _) => NodeAction::ScrollBackward,
        (id::SHOW_ON_SCREEN, _) => NodeAction::ShowOnScreen,
        (id::IME_ENTER, _) => NodeAction::ImeEnter,
        // Android takes a missing text for an empty one.
        (id::SET_TEXT, extra) => NodeAction::SetText(extra.text.unwrap_or_default()),
        (id::SET_SELECTION, Extra { selection: Some((start, end)), .. }) => {
            NodeAction::SetSelection(start, end)
        }
        (id::SET_PROGRESS, Extra { progress: Some(value), .. }) => NodeAction::SetProgress(value),
        _ => return false,
    };
    phone.perform(key, action)
}

/// The node with this key, as it is now.
pub(super) fn find(phone: &Phone, key: u64) -> Option<NodeView> {
    let all = phone.windows().iter().flat_map(|window| window.root.walk());
    all.into_iter().find(|node| node.key == key).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[test]
    fn a_node_does_what_it_lists_and_nothing_else() {
        let mut phone = Phone::new(Profile::default());
        phone.start("com.android.contacts/.activities.ContactEditorActivity").unwrap();
        let root = &phone.windows().iter().find(|window| window.focused).unwrap().root;
        let field = root.walk().find(|node| node.resource_id.ends_with("first_name")).unwrap().clone();
        assert!(actions(&field).contains(&id::SET_TEXT));
        assert!(
            !actions(&field).contains(&id::LONG_CLICK) || field.flags.contains(NodeFlags::LONG_CLICKABLE)
        );
        let text = Extra { text: Some("Zoë".into()), ..Extra::default() };
        assert!(perform(&mut phone, field.key, id::SET_TEXT, text));
        assert_eq!(find(&phone, field.key).unwrap().text, "Zoë");
        assert!(!perform(&mut phone, field.key, id::SCROLL_FORWARD, Extra::default()));
        assert!(!perform(&mut phone, field.key, 262_144, Extra::default()));
        assert!(!perform(&mut phone, 1, id::CLICK, Extra::default()));
    }

    #[test]
    fn names_and_numbers_go_both_ways() {
        for (name, id) in NAMES {
            assert_eq!(name_of(id), Some(name));
            assert_eq!(action_of(name), Some(id));
        }
        assert_eq!(halves(0xffff_ffff_8000_0001), (i32::MIN + 1, -1));
    }
}
