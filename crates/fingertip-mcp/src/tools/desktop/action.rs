//! What can be done to an element, by the names clients use.
//!
//! A name is one of ours in any spelling (`show_menu`, `AXShowMenu`, `showMenu`), or a native action of the
//! element. What the target cannot do natively is done with the pointer where that means the same.

use fingertip_core::target::NodeAction;
use fingertip_core::{Error, Flags, NodeIndex, Reason, Result, Snapshot};

use crate::call::Call;
use crate::interact::{self, Found, Named, Press, Via, press_found, reacting};

/// Our names, and what they mean.
const NAMED: [(&str, NodeAction); 11] = [
    ("press", NodeAction::Click),
    ("show_menu", NodeAction::LongClick),
    ("increment", NodeAction::Increment),
    ("decrement", NodeAction::Decrement),
    ("confirm", NodeAction::Confirm),
    ("cancel", NodeAction::Cancel),
    ("raise", NodeAction::Raise),
    ("pick", NodeAction::Pick),
    ("focus", NodeAction::Focus),
    ("expand", NodeAction::Expand),
    ("collapse", NodeAction::Collapse),
];

/// A way to do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Plan {
    /// By the target's own means.
    Native(NodeAction),
    /// Like a click or a long click on the element: natively or with the pointer, and never through something else.
    Press(Press),
}

/// How to do the action of this name to the element.
pub(super) fn plan(call: &Call, found: &Found, name: &str) -> Result<Plan> {
    possible(call, found, name).ok_or_else(|| unsupported(call, found, name))
}

/// Whether the action of this name can be done for sure to an element found by an incremental look: by its own means,
/// without the pointer.
pub(super) fn is_sure(call: &Call, found: &Found, name: &str) -> bool {
    match possible(call, found, name) {
        Some(Plan::Press(press)) => interact::is_sure(call, found, press),
        Some(Plan::Native(NodeAction::Native(_) | NodeAction::Expand | NodeAction::Collapse)) => {
            found.node().is(Flags::ENABLED)
        }
        _ => false,
    }
}

/// Does it.
pub(super) async fn carry_out(call: &Call, found: &Found, plan: &Plan, name: Named<'_>) -> Result<Via> {
    match plan {
        Plan::Press(press) => press_found(call, found, name, *press).await,
        Plan::Native(action) => {
            call.elements()?.act(&found.snapshot, found.index, action, call.deadline()).await?;
            Ok(Via::Native)
        }
    }
}

fn possible(call: &Call, found: &Found, name: &str) -> Option<Plan> {
    let (snapshot, index) = (&found.snapshot, found.index);
    let wanted = spelled(name);
    if let Some((_, action)) = NAMED.iter().find(|(known, _)| *known == wanted) {
        return ours(call, snapshot, index, action).or_else(|| native(call, snapshot, index, name));
    }
    native(call, snapshot, index, name)
}

fn ours(call: &Call, snapshot: &Snapshot, index: NodeIndex, action: &NodeAction) -> Option<Plan> {
    let press = match action {
        NodeAction::Click => Some(Press::Short),
        NodeAction::LongClick => Some(Press::Long),
        _ => None,
    };
    if let Some(press) = press.filter(|press| reacting(snapshot, index, *press).is_some()) {
        return can_press(call, snapshot, index, press).then_some(Plan::Press(press));
    }
    if call.can_act(snapshot, index, action) {
        return Some(Plan::Native(action.clone()));
    }
    // Choosing an item and focusing a field are what a click on them does.
    let node = snapshot.node(index);
    let clicks = match action {
        NodeAction::Pick => node.is(Flags::CLICKABLE),
        NodeAction::Focus => node.is(Flags::CLICKABLE | Flags::EDITABLE),
        _ => false,
    };
    (clicks && can_press(call, snapshot, index, Press::Short)).then_some(Plan::Press(Press::Short))
}

fn can_press(call: &Call, snapshot: &Snapshot, index: NodeIndex, press: Press) -> bool {
    let Some(receiver) = reacting(snapshot, index, press) else { return false };
    call.can_act(snapshot, receiver, &press.action()) || call.target().touch().is_some()
}

/// A native action by its own name, to the letter or else the only one in another case. A target that asks an element for its
/// actions only when it acts may know one that the snapshot does not name.
fn native(call: &Call, snapshot: &Snapshot, index: NodeIndex, name: &str) -> Option<Plan> {
    let own = &snapshot.node(index).actions;
    let exact = own.iter().find(|action| ***action == *name);
    let mut alike = own.iter().filter(|action| action.eq_ignore_ascii_case(name));
    let chosen = exact.or_else(|| alike.next().filter(|_| alike.next().is_none()));
    let action = NodeAction::Native(chosen.map_or(name, |chosen| chosen).to_owned());
    call.can_act(snapshot, index, &action).then_some(Plan::Native(action))
}

fn unsupported(call: &Call, found: &Found, name: &str) -> Error {
    let (snapshot, index) = (&found.snapshot, found.index);
    let ours = NAMED.iter().filter(|(_, action)| self::ours(call, snapshot, index, action).is_some());
    let mut supported: Vec<&str> = ours.map(|(name, _)| *name).collect();
    supported.extend(snapshot.node(index).actions.iter().map(|action| &**action));
    supported.dedup();
    let summary = snapshot.node(index).summary();
    let shown: String = name.chars().take(60).collect();
    let guidance = if supported.is_empty() {
        "It supports no action.".to_owned()
    } else {
        format!("It supports: {}.", supported.join(", "))
    };
    // With a pointer most of what has no action of its own could still be pressed.
    let why = call.target().shortcoming().map(|why| format!(" {}", why.message())).unwrap_or_default();
    Error::new(
        Reason::Unsupported,
        format!("{summary} does not support the action '{shown}'; nothing was done.{why}"),
    )
    .with_guidance(guidance)
}

/// Our spelling of a name: `AXShowMenu`, `showMenu` and `Show Menu` are `show_menu`.
fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    for letter in name.strip_prefix("AX").unwrap_or(name).chars() {
        if letter.is_ascii_uppercase() && !spelled.is_empty() && !spelled.ends_with('_') {
            spelled.push('_');
        }
        match letter {
            ' ' | '-' | '_' if spelled.ends_with('_') => {}
            ' ' | '-' | '_' => spelled.push('_'),
            letter => spelled.push(letter.to_ascii_lowercase()),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_names_are_read_in_any_spelling() {
        for (name, ours) in [
            ("press", "press"),
            ("AXPress", "press"),
            ("showMenu", "show_menu"),
            ("AXShowMenu", "show_menu"),
            ("Show Menu", "show_menu"),
            ("show-menu", "show_menu"),
            ("RAISE", "r_a_i_s_e"),
        ] {
            assert_eq!(spelled(name), ours, "{name}");
        }
    }
}
