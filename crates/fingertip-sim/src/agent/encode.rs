//! Windows and nodes packed into flat lists of numbers, with every text once.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::history::Seen;
use super::nodes;
use crate::phone::{NodeFlags, NodeView, WindowView};

/// The longest text that is kept whole, in UTF-16 units.
const MAX_TEXT: usize = 65_536;
/// Which flag of the model is which bit of the protocol.
const FLAGS: [(NodeFlags, u32); 13] = [
    (NodeFlags::VISIBLE, 0),
    (NodeFlags::CLICKABLE, 1),
    (NodeFlags::LONG_CLICKABLE, 2),
    (NodeFlags::FOCUSABLE, 3),
    (NodeFlags::SCROLLABLE, 4),
    (NodeFlags::EDITABLE, 5),
    (NodeFlags::ENABLED, 6),
    (NodeFlags::CHECKABLE, 7),
    (NodeFlags::CHECKED, 8),
    (NodeFlags::SELECTED, 9),
    (NodeFlags::FOCUSED, 10),
    (NodeFlags::PASSWORD, 11),
    (NodeFlags::SHOWING_HINT, 12),
];
/// Every view of this phone counts for accessibility.
const IMPORTANT: i64 = 1 << 19;

/// What is sent of a window's nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nodes {
    /// Those that can be seen.
    Visible,
    /// Those that cannot, too.
    All,
    /// None: only the windows are wanted.
    None,
    /// None, and not whose window it is either: its root is null.
    Rootless,
}

/// The lists as they grow.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    strings: Vec<String>,
    string_places: HashMap<String, i64>,
    ranges: Vec<Value>,
    actions: Vec<i64>,
    sets: Vec<Vec<i64>>,
    windows: Vec<Value>,
    nodes: Vec<i64>,
    seen: Vec<Seen>,
    text_cut: bool,
}

impl Encoder {
    /// Adds a window with these of its nodes.
    pub(super) fn window(&mut self, window: &WindowView, nodes: Nodes) {
        let first = self.seen.len();
        if matches!(nodes, Nodes::Visible | Nodes::All) {
            self.walk(&window.root, window, 0, nodes == Nodes::All);
        }
        let flags = i64::from(window.focused) * 3;
        let title = self.string(&window.title);
        let package = if nodes == Nodes::Rootless { -1 } else { self.string(&window.root.package) };
        let bounds = window.bounds;
        self.windows.push(json!([
            window.id,
            window.kind.number(),
            window.layer,
            bounds.left,
            bounds.top,
            bounds.right,
            bounds.bottom,
            flags,
            title,
            package,
            first,
            self.seen.len() - first,
        ]));
    }

    /// Adds the lists to a reply, and hands over what was seen.
    pub(super) fn finish(self, reply: &mut Map<String, Value>) -> Vec<Seen> {
        let cut = self.text_cut.then(|| format!("texts after {MAX_TEXT} characters"));
        let actions: Vec<Value> = self
            .actions
            .iter()
            .map(|id| json!([id, nodes::name_of(*id).map_or_else(|| format!("#{id}"), str::to_owned)]))
            .collect();
        reply.insert("cut".to_owned(), json!(cut));
        reply.insert("strings".to_owned(), json!(self.strings));
        reply.insert("ranges".to_owned(), json!(self.ranges));
        reply.insert("actions".to_owned(), json!(actions));
        reply.insert("action_sets".to_owned(), json!(self.sets));
        reply.insert("windows".to_owned(), json!(self.windows));
        reply.insert("nodes".to_owned(), json!(self.nodes));
        self.seen
    }

    fn walk(&mut self, node: &NodeView, window: &WindowView, depth: i64, invisible: bool) {
        self.node(node, window, depth);
        for child in node.children.iter().filter(|child| invisible || child.is_visible()) {
            self.walk(child, window, depth + 1, invisible);
        }
    }

    fn node(&mut self, node: &NodeView, window: &WindowView, depth: i64) {
        let seen = Seen::of(node, window.id);
        let frame = window.bounds;
        let across = |edge: i32| i64::from(edge.min(frame.right).max(frame.left));
        let down = |edge: i32| i64::from(edge.min(frame.bottom).max(frame.top));
        let start = self.nodes.len();
        let bounds = node.bounds;
        let edges = [across(bounds.left), down(bounds.top), across(bounds.right), down(bounds.bottom)];
        self.nodes.extend([0, depth, flags(node)].into_iter().chain(edges));
        let is = |flag: NodeFlags| node.flags.contains(flag);
        let package = if node.package == window.root.package { "" } else { &node.package };
        let texts = [
            &seen.class,
            seen.text.as_deref().unwrap_or_default(),
            &node.content_desc,
            &node.hint,
            &node.resource_id,
            package,
        ]
        .map(|text| self.string(text));
        let set = self.action_set(nodes::actions(node));
        let range = node.range.map_or(-1, |range| {
            self.ranges.push(json!([1, range.min, range.max, range.current]));
            self.ranges.len() as i64 - 1
        });
        let mut values: Vec<(u32, Vec<i64>)> = (0..).zip(texts.map(|text| vec![text])).collect();
        values.push((9, vec![i64::from(node.drawing_order)]));
        values.push((10, vec![range]));
        values.push((11, vec![set]));
        if let Some((from, to)) =
            node.selection.filter(|_| is(NodeFlags::EDITABLE) && !is(NodeFlags::SHOWING_HINT))
        {
            values.push((12, vec![from as i64, to as i64]));
        }
        if is(NodeFlags::PASSWORD) {
            let length = if is(NodeFlags::SHOWING_HINT) { 0 } else { node.text.chars().count() };
            values.push((13, vec![length as i64]));
        }
        let (view, part) = nodes::halves(node.key);
        values.push((14, vec![view.into()]));
        values.push((15, vec![part.into()]));
        let mut present = 0;
        for (bit, numbers) in values {
            let absent = match bit {
                9 => numbers == [0],
                12..=14 => false,
                _ => numbers == [-1],
            };
            if !absent {
                present |= 1 << bit;
                self.nodes.extend(numbers);
            }
        }
        self.nodes[start] = present;
        self.seen.push(seen);
    }

    fn string(&mut self, text: &str) -> i64 {
        if text.is_empty() {
            return -1;
        }
        let text = self.cut(text);
        if let Some(place) = self.string_places.get(&text) {
            return *place;
        }
        let place = self.strings.len() as i64;
        self.strings.push(text.clone());
        self.string_places.insert(text, place);
        place
    }

    fn cut(&mut self, text: &str) -> String {
        if text.len() <= MAX_TEXT || text.encode_utf16().count() <= MAX_TEXT {
            return text.to_owned();
        }
        self.text_cut = true;
        let mut units = 0;
        let fits = |character: &char| {
            units += character.len_utf16();
            units <= MAX_TEXT
        };
        text.chars().take_while(fits).collect()
    }

    fn action_set(&mut self, ids: Vec<i64>) -> i64 {
        let mut set = Vec::with_capacity(ids.len());
        for id in ids {
            let place = self.actions.iter().position(|known| *known == id).unwrap_or_else(|| {
                self.actions.push(id);
                self.actions.len() - 1
            });
            set.push(place as i64);
        }
        let known = self.sets.iter().position(|known| *known == set);
        known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        }) as i64
    }
}

fn flags(node: &NodeView) -> i64 {
    FLAGS
        .iter()
        .filter(|(flag, _)| node.flags.contains(*flag))
        .fold(IMPORTANT, |bits, (_, bit)| bits | 1 << bit)
}
