//! The lean screen: one line for each thing that a person would read or press.
//!
//! ```text
//! app com.example.settings .Main, screen 1080x2400
//! node_00a1 button "Back"
//! node_00a7 text "Network"
//! node_00b2 switch "Wi-Fi, Connected" on
//! node_00c3 text_field "Ada" label "Name" focused
//! node_00c4 text_field hint "Search"
//! node_00d4 list scrolls down, 12 more
//! node_00e5 keyboard covers y>=1540
//! ```
//!
//! Rules: what reacts has one line, with the texts that lie in it and the state of the switch that belongs to it. A text that
//! lies in nothing that reacts has a line of its own. What only arranges others has none. Dialogs and popups come first, then
//! the window with the focus; a keyboard and a system bar are one line each, whose id shows the rest ([`Part::Within`]).
//! No text of the screen can start a line or end its quotes. Everything that can be acted on and every visible text of the table
//! ([`crate::compact`]) is in it. Non-goals: bounds unless asked for, classes, resource ids of what has a name.

mod changes;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

pub use changes::{Report, Verdict, between, whole};

use crate::compact::{self, MAX_TEXT, has_row, text};
use crate::{Flags, Node, NodeIndex, Rect, Role, Snapshot, Value, Window, WindowKind};

/// A page has this many lines at the most.
pub const MAX_LINES: usize = 300;

/// What an id at the start of a line costs, in tokens.
const ID_TOKENS: usize = 4;

/// What reacts to being pressed or typed into.
const PRESSED: Flags = Flags::CLICKABLE.union(Flags::LONG_CLICKABLE).union(Flags::EDITABLE);

/// What reacts and fills at least this part of its window, in tenths, is no row of a list.
const WIDE: i64 = 6;
/// The most texts that are shown with what reacts around them, where that is wide, and anywhere.
const MOST_IN_WIDE: usize = 4;
const MOST_IN_ROW: usize = 24;

/// What of a snapshot is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it, with keyboard and system bars in a line each.
    Screen,
    /// What is below this node, and it itself.
    Within(NodeIndex),
}

/// One thing on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The node it stands for; `None` for the heading of a window.
    pub node: Option<NodeIndex>,
    /// Whether something can be done to it.
    pub acts: bool,
    /// All of the line but its id.
    pub text: String,
}

/// The lines of a part of the screen, in reading order.
#[must_use]
pub fn lines(snapshot: &Snapshot, part: Part, bounds: bool) -> Vec<Line> {
    let mut writer = Writer { snapshot, bounds, lines: Vec::new() };
    match part {
        Part::Within(root) => {
            let window = &snapshot.windows()[snapshot.window_of(root)];
            writer.push_nodes(window, &snapshot.subtree(root).collect::<Vec<_>>());
        }
        Part::Screen => {
            for position in windows(snapshot) {
                writer.push_window(position);
            }
        }
    }
    writer.lines
}

/// The line of one node without its id, whether the screen has one for it or not.
#[must_use]
pub fn line(snapshot: &Snapshot, index: NodeIndex) -> String {
    Writer { snapshot, bounds: false, lines: Vec::new() }.describe(&thing(snapshot, index))
}

/// Whether the line of a node says that it is on or off, itself or what is shown with it; `None` where it is neither.
#[must_use]
pub fn checked(snapshot: &Snapshot, index: NodeIndex) -> Option<bool> {
    let part = thing(snapshot, index).checkable(snapshot)?;
    Some(snapshot.node(part).is(Flags::CHECKED))
}

/// What the line of a node says, each text once.
#[must_use]
pub fn words(snapshot: &Snapshot, index: NodeIndex) -> Vec<&str> {
    thing(snapshot, index).words(snapshot)
}

fn thing(snapshot: &Snapshot, index: NodeIndex) -> Thing {
    let position = snapshot.window_of(index);
    let nodes: Vec<NodeIndex> = snapshot.nodes_of(position).collect();
    let mut things = things(snapshot, &snapshot.windows()[position], &nodes).into_iter();
    let thing = things.find(|thing| thing.node == index);
    thing.unwrap_or(Thing { node: index, inside: Vec::new(), acts: false })
}

/// The screen from the line at `start` on, as clients read it. `cursor` names the rest by the line it starts at.
#[must_use]
pub fn page(
    snapshot: &Snapshot,
    lines: &[Line],
    start: usize,
    cursor: impl FnOnce(usize) -> String,
) -> String {
    let head = if start == 0 { head(snapshot) } else { String::new() };
    page_after(head, snapshot, lines, start, cursor)
}

/// The lines from the one at `start` on, below this heading.
fn page_after(
    mut out: String,
    snapshot: &Snapshot,
    lines: &[Line],
    start: usize,
    cursor: impl FnOnce(usize) -> String,
) -> String {
    let end = start.saturating_add(MAX_LINES).min(lines.len());
    push_lines(&mut out, snapshot, lines.get(start..end).unwrap_or_default());
    if end < lines.len() {
        let _ = write!(out, "\nmore:{} cursor:{}", lines.len() - end, cursor(end));
    }
    compact::push_notes(&mut out, snapshot);
    out
}

/// As much of the screen as `max_tokens` have room for: dialogs and popups, then what can be acted on, then the rest, each
/// in reading order, as they stand on the page. `start` counts the lines that earlier pages had. A page has one line at least.
#[must_use]
pub fn page_within(
    snapshot: &Snapshot,
    lines: &[Line],
    start: usize,
    max_tokens: usize,
    cursor: impl FnOnce(usize) -> String,
) -> String {
    let mut ranked: Vec<usize> = (0..lines.len()).collect();
    ranked.sort_by_key(|&at| rank(snapshot, &lines[at]));
    let left = ranked.split_off(start.min(ranked.len()));
    let mut out = if start == 0 { head(snapshot) } else { String::new() };
    let mut room = max_tokens.saturating_sub(tokens(&out));
    let costs = left.iter().map(|&at| tokens(&lines[at].text) + ID_TOKENS);
    let fit = costs.take_while(|cost| room.checked_sub(*cost).inspect(|rest| room = *rest).is_some()).count();
    let fit = fit.clamp(1, MAX_LINES).min(left.len());
    let mut shown = left[..fit].to_vec();
    shown.sort_unstable();
    push_lines(&mut out, snapshot, shown.iter().map(|&at| &lines[at]));
    let rest = &left[fit..];
    if !rest.is_empty() {
        let acting = rest.iter().filter(|&&at| lines[at].acts).count();
        let (all, next) = (rest.len(), cursor(start + fit));
        let _ = write!(out, "\nmore:{all} cursor:{next} ({acting} to act on, {} to read)", all - acting);
    }
    compact::push_notes(&mut out, snapshot);
    out
}

/// How soon a line is shown where not all have room.
fn rank(snapshot: &Snapshot, line: &Line) -> u8 {
    let asks = |node| {
        let window = &snapshot.windows()[snapshot.window_of(node)];
        matches!(window.kind, WindowKind::Dialog | WindowKind::Popup)
    };
    match line.node {
        None => 0,
        Some(node) if asks(node) => 0,
        Some(_) if line.acts => 1,
        Some(_) => 2,
    }
}

/// About how many tokens a model counts in a text: one for three ASCII characters, and for each other one.
#[must_use]
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(3) + text.chars().filter(|letter| !letter.is_ascii()).count()
}

fn push_lines<'a>(out: &mut String, snapshot: &Snapshot, lines: impl IntoIterator<Item = &'a Line>) {
    for line in lines {
        if !out.is_empty() {
            out.push('\n');
        }
        match line.node.map(|node| snapshot.node(node).id) {
            Some(Some(id)) => _ = write!(out, "{id} {}", line.text),
            Some(None) => _ = write!(out, "- {}", line.text),
            None => out.push_str(&line.text),
        }
    }
}

/// The first line of a screen: whose it is and how large.
fn head(snapshot: &Snapshot) -> String {
    let mut out = app_line(snapshot);
    let _ = write!(out, ", screen {}x{}", snapshot.screen.width, snapshot.screen.height);
    out
}

/// Whose screen it is.
fn app_line(snapshot: &Snapshot) -> String {
    let mut out = String::from("app ");
    let known = |out: &mut String, name: Option<&str>| name.is_some_and(|name| text::push(out, name));
    if !known(&mut out, snapshot.app.as_deref()) {
        out.push_str("unknown");
    }
    if let Some(activity) = snapshot.activity.as_deref().filter(|name| !name.is_empty()) {
        out.push(' ');
        known(&mut out, Some(activity));
    }
    out
}

/// The windows that have lines: dialogs and popups first, then the focused one, the others from the topmost down.
pub(crate) fn windows(snapshot: &Snapshot) -> Vec<usize> {
    let focused = snapshot.focused_window();
    let all = snapshot.windows();
    let mut order: Vec<usize> = (0..all.len()).filter(|&at| all[at].blocked_by.is_none()).collect();
    let asks = |window: &Window| matches!(window.kind, WindowKind::Dialog | WindowKind::Popup);
    let is_last = |at: usize| all[at].kind == WindowKind::InputMethod || is_bar(snapshot, at);
    order.sort_by_key(|&at| (!asks(&all[at]), is_last(at), Some(at) != focused, Reverse(all[at].layer)));
    order
}

/// Whether a window of the system is only a bar: one that has the focus, such as an open shade or a dialog of the system, is
/// what the user is to read.
fn is_bar(snapshot: &Snapshot, position: usize) -> bool {
    snapshot.windows()[position].kind == WindowKind::System && snapshot.focused_window() != Some(position)
}

/// Whether a window is one of a phone that touches no edge of the screen. Android calls its dialogs windows of applications,
/// and does not show those that they cover.
fn floats(snapshot: &Snapshot, position: usize) -> bool {
    let window = &snapshot.windows()[position];
    let (inner, screen) = (window.bounds, snapshot.screen.bounds());
    let inside = inner.left > screen.left
        && inner.top > screen.top
        && inner.right < screen.right
        && inner.bottom < screen.bottom;
    window.kind == WindowKind::Application && inside && !snapshot.lasting_handles
}

/// What a dialog or popup says, a line for each thing; nothing where the window is neither.
#[must_use]
pub fn dialog_words(snapshot: &Snapshot, position: usize) -> Vec<String> {
    let window = &snapshot.windows()[position];
    if !matches!(window.kind, WindowKind::Dialog | WindowKind::Popup) && !floats(snapshot, position) {
        return Vec::new();
    }
    let nodes: Vec<NodeIndex> = snapshot.nodes_of(position).collect();
    let things = things(snapshot, window, &nodes).into_iter().take(MAX_LINES);
    things.map(|thing| thing.words(snapshot).join(", ")).collect()
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    bounds: bool,
    lines: Vec<Line>,
}

impl Writer<'_> {
    fn push_window(&mut self, position: usize) {
        let window = &self.snapshot.windows()[position];
        let nodes: Vec<NodeIndex> = self.snapshot.nodes_of(position).collect();
        let Some(&first) = nodes.first() else { return };
        match window.kind {
            WindowKind::InputMethod => {
                self.push(first, true, format!("keyboard covers y>={}", window.bounds.top));
            }
            _ if is_bar(self.snapshot, position) => {
                let mut said = "bar".to_owned();
                push_quoted(&mut said, window.title.as_deref().unwrap_or_default());
                self.push(first, false, said);
            }
            _ => {
                if Some(position) != self.snapshot.focused_window() {
                    let mut said = window.kind.name().to_owned();
                    push_quoted(&mut said, window.title.as_deref().unwrap_or_default());
                    if let Some(app) =
                        window.app.as_deref().filter(|app| Some(*app) != self.snapshot.app.as_deref())
                    {
                        said.push_str(" of ");
                        text::push(&mut said, app);
                    }
                    self.lines.push(Line { node: None, acts: false, text: said });
                }
                self.push_nodes(window, &nodes);
            }
        }
    }

    fn push_nodes(&mut self, window: &Window, nodes: &[NodeIndex]) {
        for thing in things(self.snapshot, window, nodes) {
            let said = self.describe(&thing);
            self.push(thing.node, thing.acts, said);
        }
    }

    fn push(&mut self, node: NodeIndex, acts: bool, mut said: String) {
        if self.bounds {
            let Rect { left, top, right, bottom } = self.snapshot.node(node).bounds;
            let _ = write!(said, " {left},{top},{right},{bottom}");
        }
        self.lines.push(Line { node: Some(node), acts, text: said });
    }

    /// A node in words: role, name, states.
    fn describe(&self, thing: &Thing) -> String {
        let (index, acts) = (thing.node, thing.acts);
        let node = self.snapshot.node(index);
        let checkable = thing.checkable(self.snapshot).map(|part| self.snapshot.node(part));
        let mut said = thing.role_word(self.snapshot).to_owned();
        let words = thing.words(self.snapshot);
        let hint = node.hint.as_deref().filter(|hint| node.is(Flags::EDITABLE) && !words.contains(hint));
        if node.is(Flags::EDITABLE) && !words.is_empty() {
            push_field(&mut said, node, &words);
        } else if !words.is_empty() {
            push_words(&mut said, &words);
        } else if let Some(name) = node.resource_id.as_deref().filter(|_| acts && hint.is_none()) {
            said.push_str(" #");
            // Whoever wrote the application chose it: it must not read as a state.
            let letters = name.rsplit('/').next().unwrap_or(name).chars().take(MAX_TEXT);
            said.extend(letters.map(|letter| if letter.is_alphanumeric() { letter } else { '_' }));
        }
        if let Some(hint) = hint {
            said.push_str(" hint");
            push_quoted(&mut said, hint);
        }
        push_value(&mut said, node);
        if let Some(checkable) = checkable {
            said.push_str(if checkable.is(Flags::CHECKED) { " on" } else { " off" });
        }
        self.push_states(&mut said, index, acts);
        said
    }

    fn push_states(&self, said: &mut String, index: NodeIndex, acts: bool) {
        let node = self.snapshot.node(index);
        for (flag, word) in [(Flags::SELECTED, " selected"), (Flags::FOCUSED, " focused")] {
            if node.is(flag) {
                said.push_str(word);
            }
        }
        if node.is(Flags::PASSWORD) {
            said.push_str(" password");
            if let Some(length) = node.secret_length {
                let _ = write!(said, " of {length} characters");
            }
        }
        if acts && !node.is(Flags::ENABLED) {
            said.push_str(" disabled");
        }
        if !is_shown(node) {
            said.push_str(" out of view");
        }
        if node.is(Flags::LONG_CLICKABLE) && !node.is(Flags::CLICKABLE) {
            said.push_str(" long press");
        }
        if node.is(Flags::SCROLLABLE) {
            self.push_scrolling(said, index);
        }
    }

    /// Which way it scrolls, where the platform says so, and how much more there is.
    fn push_scrolling(&self, said: &mut String, index: NodeIndex) {
        let node = self.snapshot.node(index);
        said.push_str(" scrolls");
        let ways = ["up", "down", "left", "right"];
        let named =
            |way: &&&str| node.actions.iter().any(|action| action.strip_prefix("scroll_") == Some(**way));
        for (position, way) in ways.iter().filter(named).enumerate() {
            said.push_str(if position > 0 { ", " } else { " " });
            said.push_str(way);
        }
        let shown =
            self.snapshot.children(index).filter(|child| is_shown(self.snapshot.node(*child))).count();
        let more = node.child_count.map_or(0, |all| (all as usize).saturating_sub(shown));
        if more > 0 {
            let _ = write!(said, ", {more} more");
        }
    }
}

/// What has a line of its own.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    /// The node that it stands for.
    pub(crate) node: NodeIndex,
    /// The nodes that are shown with it.
    pub(crate) inside: Vec<NodeIndex>,
    /// Whether something can be done to it.
    pub(crate) acts: bool,
}

impl Thing {
    /// Its node and those shown with it.
    pub(crate) fn parts(&self) -> impl Iterator<Item = NodeIndex> + use<'_> {
        std::iter::once(self.node).chain(self.inside.iter().copied())
    }

    /// What its parts say, each text once.
    pub(crate) fn words<'a>(&self, snapshot: &'a Snapshot) -> Vec<&'a str> {
        let mut words: Vec<&str> = Vec::new();
        for word in self.parts().flat_map(|part| words_of(snapshot.node(part))) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// Which of its parts is on or off.
    pub(crate) fn checkable(&self, snapshot: &Snapshot) -> Option<NodeIndex> {
        self.parts().find(|part| snapshot.node(*part).is(Flags::CHECKABLE))
    }

    /// Which of its parts it has its role from.
    pub(crate) fn role_part(&self, snapshot: &Snapshot) -> NodeIndex {
        let is_field = snapshot.node(self.node).is(Flags::EDITABLE);
        self.checkable(snapshot).filter(|_| !is_field).unwrap_or(self.node)
    }

    /// The word for what it is.
    pub(crate) fn role_word(&self, snapshot: &Snapshot) -> &'static str {
        role_word(snapshot.node(self.role_part(snapshot)), self.acts)
    }
}

/// What has a line of its own among these nodes of a window, in reading order.
pub(crate) fn things(snapshot: &Snapshot, window: &Window, nodes: &[NodeIndex]) -> Vec<Thing> {
    let mut rows = Rows::of(snapshot, window, nodes);
    let mut things = Vec::new();
    for &index in nodes {
        let node = snapshot.node(index);
        if node.folded || rows.folded_into(index).is_some() {
            continue;
        }
        let acts = rows.reacts(index) || node.is(Flags::SCROLLABLE);
        let readable = is_shown(node) && words_of(node).next().is_some();
        if acts || readable {
            things.push(Thing { node: index, inside: Vec::new(), acts });
        }
    }
    for thing in &mut things {
        thing.inside = rows.inside.remove(&thing.node).unwrap_or_default();
    }
    things
}

/// Which nodes react, and which are shown with one that does.
struct Rows {
    /// What reacts around a node, or itself.
    owner: HashMap<NodeIndex, NodeIndex>,
    /// What is shown with a node that reacts.
    inside: HashMap<NodeIndex, Vec<NodeIndex>>,
}

impl Rows {
    fn of(snapshot: &Snapshot, window: &Window, nodes: &[NodeIndex]) -> Self {
        let mut rows = Self { owner: HashMap::new(), inside: HashMap::new() };
        for &index in nodes {
            let node = snapshot.node(index);
            let above = snapshot.parent(index).and_then(|parent| rows.owner.get(&parent).copied());
            let reacts = node.flags.intersects(PRESSED) || (node.is(Flags::CHECKABLE) && above.is_none());
            let owner = if reacts && !node.folded { Some(index) } else { above };
            if let Some(owner) = owner {
                rows.owner.insert(index, owner);
                // A box with an entry of its own, and what scrolls, is more than a word of its row.
                let is_seen = is_shown(node) || !is_shown(snapshot.node(owner));
                let is_kept = has_row(node) || (node.is(Flags::CHECKABLE) && !node.folded);
                let is_there = is_beside(node, snapshot.node(owner));
                let is_word = is_kept && !node.is(Flags::SCROLLABLE) && is_seen && is_there;
                if owner != index && is_word && (words_of(node).next().is_some() || node.is(Flags::CHECKABLE))
                {
                    rows.inside.entry(owner).or_default().push(index);
                }
            }
        }
        rows.open(snapshot, window);
        rows
    }

    /// Lets go of what is in something so wide or so full that it is no row to a person, and of several switches in one.
    fn open(&mut self, snapshot: &Snapshot, window: &Window) {
        let is_wide = |owner: &NodeIndex| {
            let node = snapshot.node(*owner);
            let area = node.bounds.area().saturating_mul(10);
            node.is(Flags::SCROLLABLE) || area >= window.bounds.area().saturating_mul(WIDE)
        };
        self.inside.retain(|owner, inside| {
            let switches = inside.iter().filter(|inner| snapshot.node(**inner).is(Flags::CHECKABLE)).count();
            let most = if is_wide(owner) { MOST_IN_WIDE } else { MOST_IN_ROW };
            inside.len() <= most && switches < 2
        });
    }

    /// Whether something can be done to the node itself.
    fn reacts(&self, index: NodeIndex) -> bool {
        self.owner.get(&index) == Some(&index)
    }

    /// What a node is shown with.
    fn folded_into(&self, index: NodeIndex) -> Option<NodeIndex> {
        let owner = *self.owner.get(&index).filter(|owner| **owner != index)?;
        self.inside.get(&owner).filter(|inside| inside.binary_search(&index).is_ok()).map(|_| owner)
    }
}

/// Whether a node lies where the thing does that holds it, as far as both have a place: GTK 3 has all of a page in its tab.
fn is_beside(node: &Node, thing: &Node) -> bool {
    node.bounds.is_empty() || thing.bounds.is_empty() || node.bounds.overlaps(thing.bounds)
}

fn is_shown(node: &Node) -> bool {
    node.is(Flags::VISIBLE)
}

/// What a node says: its text, and its description where that says something else.
pub(crate) fn words_of(node: &Node) -> impl Iterator<Item = &str> {
    let description = node.description.as_deref().filter(|said| node.text.as_deref() != Some(said));
    [node.text.as_deref(), description].into_iter().flatten().filter(|word| text::is_seen(word))
}

fn push_words(out: &mut String, words: &[&str]) {
    out.push_str(" \"");
    for (position, word) in words.iter().enumerate() {
        if position > 0 {
            out.push_str(", ");
        }
        push_inner(out, word, MAX_TEXT);
    }
    out.push('"');
}

/// What a field holds, and what it is called: an empty field with a label must not read as a filled one.
fn push_field(out: &mut String, node: &Node, words: &[&str]) {
    let content = node.text.as_deref();
    let (held, label): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| content == Some(**word));
    if !held.is_empty() {
        push_words(out, &held);
    }
    if !label.is_empty() {
        out.push_str(" label");
        push_words(out, &label);
    }
}

fn push_quoted(out: &mut String, word: &str) {
    if text::is_seen(word) {
        push_words(out, &[word]);
    }
}

/// A text of the screen within quotes that it cannot end, up to so many characters.
pub(crate) fn push_inner(out: &mut String, word: &str, most: usize) {
    let start = out.len();
    text::push_cut(out, word, most);
    if out[start..].contains('"') {
        let inner = out[start..].replace('"', "'");
        out.truncate(start);
        out.push_str(&inner);
    }
}

fn push_value(out: &mut String, node: &Node) {
    match &node.value {
        Some(Value::Number { current, .. }) => _ = write!(out, " value {current}"),
        Some(Value::Text(value)) if node.text.as_deref() != Some(value) => {
            out.push_str(" value");
            push_quoted(out, value);
        }
        _ => {}
    }
}

/// The word for what a node is; what only has a class is a text to read or an item to press.
pub(crate) fn role_word(node: &Node, acts: bool) -> &'static str {
    match node.role {
        Role::Label | Role::Unknown | Role::Group if acts => "item",
        Role::Label | Role::Unknown | Role::Group => "text",
        role => role.name(),
    }
}
