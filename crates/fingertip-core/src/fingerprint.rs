//! One number for all that a snapshot shows: equal numbers, nothing has changed.
//!
//! Used to notice changes and idleness, so it counts whatever a user could see or use, and leaves out what names
//! a node rather than shows it (ids, handles), and how well the reading went. Good within one process only:
//! never store it or send it away.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::{Node, Snapshot, Value, Window};

/// The fingerprint of a snapshot.
#[must_use]
pub fn of(snapshot: &Snapshot) -> u64 {
    taken(snapshot, true)
}

/// The fingerprint without positions: equal while things only move about, as they do for ever in some desktop
/// applications.
#[must_use]
pub fn wherever(snapshot: &Snapshot) -> u64 {
    taken(snapshot, false)
}

fn taken(snapshot: &Snapshot, places: bool) -> u64 {
    let mut hasher = FxHasher::default();
    let screen = snapshot.screen;
    (screen.width, screen.height, screen.density).hash(&mut hasher);
    text(&snapshot.app, &mut hasher);
    text(&snapshot.activity, &mut hasher);
    for window in snapshot.windows() {
        self::window(window, places, &mut hasher);
    }
    for node in snapshot.nodes() {
        self::node(node, places, &mut hasher);
    }
    hasher.finish()
}

// Both functions name every field, so that a new one cannot be forgotten here.

fn window(window: &Window, places: bool, hasher: &mut FxHasher) {
    let Window {
        title,
        app,
        pid,
        kind,
        bounds,
        layer,
        focused,
        minimized,
        blocked_by,
        secure,
        handle: _,
        nodes,
    } = window;
    text(title, hasher);
    text(app, hasher);
    text(blocked_by, hasher);
    (pid, kind, places.then_some(bounds), layer, focused, minimized, secure, nodes.len()).hash(hasher);
}

fn node(node: &Node, places: bool, hasher: &mut FxHasher) {
    let Node {
        id: _,
        role,
        class,
        text: own_text,
        description,
        hint,
        resource_id,
        value,
        secret_length,
        child_count: _,
        bounds,
        flags,
        drawing_order,
        actions,
        handle: _,
        lasting_name: _,
        passing_handle: _,
        folded: _,
        links,
    } = node;
    for field in [class, own_text, description, hint, resource_id] {
        text(field, hasher);
    }
    // In pre-order the depths alone give the tree.
    (links.depth, role, secret_length, places.then_some(bounds), flags, drawing_order, actions).hash(hasher);
    self::value(value.as_ref(), hasher);
}

/// An empty text counts as none, as it does everywhere.
fn text(field: &Option<Box<str>>, hasher: &mut FxHasher) {
    field.as_deref().filter(|text| !text.is_empty()).hash(hasher);
}

fn value(value: Option<&Value>, hasher: &mut FxHasher) {
    match value {
        None => 0_u8.hash(hasher),
        Some(Value::Text(text)) => (1_u8, text).hash(hasher),
        Some(Value::Number { current, minimum, maximum }) => {
            (2_u8, current.to_bits(), minimum.map(f64::to_bits), maximum.map(f64::to_bits)).hash(hasher);
        }
        Some(Value::Checked(checked)) => (3_u8, checked).hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flags, NodeId, Screen};

    fn snapshot(change: impl Fn(&mut Node)) -> Snapshot {
        let mut node = Node::new("Button").text("OK").description("Confirm").bounds(0, 0, 10, 10);
        change(&mut node);
        let mut builder = Snapshot::builder(Screen::default());
        builder.open(Node::new("Root")).leaf(node).leaf(Node::new("Other")).close();
        builder.finish()
    }

    #[test]
    fn what_a_user_could_notice_changes_it() {
        let before = of(&snapshot(|_| ()));
        let changes: [fn(&mut Node); 9] = [
            |node| node.class = Some("Switch".into()),
            |node| node.text = Some("OK ".into()),
            |node| node.text = None,
            |node| node.description = None,
            |node| node.bounds.right += 1,
            |node| node.flags.toggle(Flags::CHECKED),
            |node| node.secret_length = Some(0),
            |node| node.value = Some(Value::Checked(false)),
            |node| node.value = Some(Value::Number { current: 0.0, minimum: None, maximum: None }),
        ];
        for (position, change) in changes.into_iter().enumerate() {
            assert_ne!(of(&snapshot(change)), before, "change {position}");
        }
    }

    #[test]
    fn moving_about_changes_only_what_counts_places() {
        let (before, moved) = (snapshot(|_| ()), snapshot(|node| node.bounds.right += 1));
        assert_eq!(wherever(&moved), wherever(&before));
        assert_ne!(wherever(&snapshot(|node| node.text = None)), wherever(&before));
    }

    #[test]
    fn names_do_not_change_it() {
        let before = of(&snapshot(|_| ()));
        assert_eq!(of(&snapshot(|node| node.id = NodeId::new(7))), before);
        assert_eq!(of(&snapshot(|node| node.handle = Some("7".into()))), before);
        assert_eq!(of(&snapshot(|node| node.hint = Some("".into()))), before);
    }

    #[test]
    fn a_text_that_moves_to_the_next_field_changes_it() {
        let moved = snapshot(|node| {
            node.text = Some("OKConfirm".into());
            node.description = None;
        });
        assert_ne!(of(&moved), of(&snapshot(|_| ())));
    }

    #[test]
    fn structure_changes_it() {
        let build = |nested: bool| {
            let mut builder = Snapshot::builder(Screen::default());
            builder.open(Node::new("Root")).open(Node::new("A"));
            if nested {
                builder.leaf(Node::new("B")).close();
            } else {
                builder.close().leaf(Node::new("B"));
            }
            builder.finish()
        };
        assert_ne!(of(&build(true)), of(&build(false)));
    }
}
