//! A screen as the page shows it: the tree, what is known of one element, and the texts that a model would get.
//!
//! Texts are those of the screen, cleaned like every reply and without the values of secrets. Trees are bounded; what is left out
//! is counted.

use std::borrow::Cow;

use fingertip_core::selector::suggest;
use fingertip_core::target::TargetKind;
use fingertip_core::visible::clean_lines;
use fingertip_core::{Flags, Node, NodeIndex, Snapshot, Value as Held, compact, hit, lean, path};
use serde_json::{Map, Value, json};

use crate::interact::{Press, reacting};
use crate::policy::Policy;
use crate::secrets::{Said, Secrets};

/// The most nodes of a tree.
const MOST_NODES: usize = 4000;
/// The longest text in a tree, in characters; an element by itself has all of it up to a bound.
const MAX_TEXT: usize = 200;
const MAX_WHOLE_TEXT: usize = 20_000;

const FLAGS: [(Flags, &str); 12] = [
    (Flags::VISIBLE, "visible"),
    (Flags::ENABLED, "enabled"),
    (Flags::CLICKABLE, "clickable"),
    (Flags::LONG_CLICKABLE, "long-clickable"),
    (Flags::EDITABLE, "editable"),
    (Flags::SCROLLABLE, "scrollable"),
    (Flags::FOCUSABLE, "focusable"),
    (Flags::FOCUSED, "focused"),
    (Flags::CHECKABLE, "checkable"),
    (Flags::CHECKED, "checked"),
    (Flags::SELECTED, "selected"),
    (Flags::PASSWORD, "password"),
];

/// How the page words things of the screen.
pub(super) struct Words<'a>(pub(super) &'a Secrets);

impl Words<'_> {
    fn clean(&self, text: &str, most: usize) -> String {
        let seen = match clean_lines(text) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        };
        let seen = if self.0.is_empty() { seen } else { self.0.redact(seen, &Said::default()) };
        match seen.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &seen[..end]),
            None => seen,
        }
    }

    /// The whole screen.
    pub(super) fn screen(&self, snapshot: &Snapshot) -> Value {
        let nodes = snapshot.indices().take(MOST_NODES).map(|index| self.row(snapshot, index));
        let table = compact::page(snapshot, 0).render(None);
        let lines = lean::lines(snapshot, lean::Part::Screen, false);
        let outline = lean::page(snapshot, &lines, 0, |start| format!("line {start}"));
        let as_text = |text: String| {
            let text = self.clean(&text, usize::MAX);
            json!({ "tokens": lean::tokens(&text), "text": text })
        };
        json!({
            "app": snapshot.app,
            "width": snapshot.screen.width,
            "height": snapshot.screen.height,
            "settled": snapshot.settled,
            "left_out": snapshot.nodes().len().saturating_sub(MOST_NODES),
            "nodes": nodes.collect::<Vec<_>>(),
            "table": as_text(table),
            "lean": as_text(outline),
        })
    }

    fn row(&self, snapshot: &Snapshot, index: NodeIndex) -> Value {
        let node = snapshot.node(index);
        let part = hit::visible_part(snapshot, index);
        json!({
            "id": node.id.map(|id| id.to_string()),
            "depth": snapshot.depth(index),
            "window": snapshot.window_of(index),
            "role": node.role.name(),
            "label": node.label().map(|label| self.clean(label, MAX_TEXT)),
            "bounds": [part.left, part.top, part.right, part.bottom],
            "shown": node.is(Flags::VISIBLE) && !part.is_empty(),
            "acts": node.flags.intersects(Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::EDITABLE),
            "layer": snapshot.windows()[snapshot.window_of(index)].layer,
        })
    }

    /// All that is known of one element.
    pub(super) fn element(
        &self,
        snapshot: &Snapshot,
        index: NodeIndex,
        kind: TargetKind,
        policy: &Policy,
    ) -> Value {
        let node = snapshot.node(index);
        let text = |text: &Option<Box<str>>| text.as_deref().map(|text| self.clean(text, MAX_WHOLE_TEXT));
        let window = &snapshot.windows()[snapshot.window_of(index)];
        let mut attributes = Map::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                attributes.insert(name.to_owned(), json!(value));
            }
        };
        add("role", Some(node.role.name().to_owned()));
        add("text", text(&node.text));
        add("description", text(&node.description));
        add("hint", text(&node.hint));
        add("value", node.value.as_ref().map(|value| self.clean(&held(value), MAX_WHOLE_TEXT)));
        add("hidden text", node.secret_length.map(|length| format!("{length} characters")));
        add("class", text(&node.class));
        add("resource id", text(&node.resource_id));
        add("bounds", Some(bounds(node)));
        add("state", Some(flags(node)));
        let actions: Vec<&str> = node.actions.iter().map(AsRef::as_ref).collect();
        add("actions", (!actions.is_empty()).then(|| self.clean(&actions.join(", "), MAX_TEXT)));
        add("application", text(&window.app));
        add("window", text(&window.title));
        let words = |text: String| self.clean(&text, MAX_WHOLE_TEXT);
        json!({
            "id": node.id.map(|id| id.to_string()),
            "line": words(lean::line(snapshot, index)),
            "attributes": attributes,
            "path": words(path::of(snapshot, index).to_string()),
            "selectors": suggest(snapshot, index).into_iter().map(words).collect::<Vec<_>>(),
            "obstacle": pressable(snapshot, index, kind, policy).err().map(|why| self.clean(&why, MAX_TEXT)),
        })
    }
}

fn held(value: &Held) -> String {
    match value {
        Held::Text(text) => text.to_string(),
        Held::Number { current, minimum, maximum } => match (minimum, maximum) {
            (Some(minimum), Some(maximum)) => format!("{current}, from {minimum} to {maximum}"),
            _ => current.to_string(),
        },
        Held::Checked(true) => "on".to_owned(),
        Held::Checked(false) => "off".to_owned(),
        _ => String::new(),
    }
}

fn bounds(node: &Node) -> String {
    let bounds = node.bounds;
    format!("{},{},{},{}", bounds.left, bounds.top, bounds.right, bounds.bottom)
}

fn flags(node: &Node) -> String {
    let set = FLAGS.iter().filter(|(flag, _)| node.is(*flag)).map(|(_, name)| *name);
    set.collect::<Vec<_>>().join(", ")
}

/// Whether an element could be pressed now; why not.
fn pressable(
    snapshot: &Snapshot,
    index: NodeIndex,
    kind: TargetKind,
    policy: &Policy,
) -> std::result::Result<(), String> {
    let window = &snapshot.windows()[snapshot.window_of(index)];
    let names: Vec<&str> = window.app.as_deref().into_iter().collect();
    if policy.read_only {
        return Err("the server only looks (--read-only)".to_owned());
    }
    if let Some(rule) = policy.blocklist.find(kind, &names) {
        return Err(format!("its application is blocked by the rule {rule}"));
    }
    if !snapshot.node(index).is(Flags::ENABLED) {
        return Err("it is disabled".to_owned());
    }
    hit::aim(snapshot, index).map_err(|obstacle| format!("it {}", obstacle.describe(snapshot)))?;
    let reacts = reacting(snapshot, index, Press::Short).or_else(|| reacting(snapshot, index, Press::Long));
    reacts.map(|_| ()).ok_or_else(|| "neither it nor anything around it reacts to being pressed".to_owned())
}
