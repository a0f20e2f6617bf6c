//! Which lines of the lean screen a selector means.
//!
//! What is compared are the parts of a line: the whole of it, with all its words, and each node that is shown with it by
//! itself, whose place counts in relations. Whichever part matches, the match is the line.

use super::geometry::{distance, is_nearest};
use super::{Kind, Name, Relation, Selector, Simple, State};
use crate::compact::{MAX_TEXT, text};
use crate::lean::{self, Thing};
use crate::{Flags, Node, NodeIndex, Rect, Role, Snapshot, Window, WindowKind};

/// The most elements that a relation starts from; more have no meaning, and each costs a comparison with all others.
const MAX_ANCHORS: usize = 200;

/// The lines of a screen.
pub(super) struct Lines<'a> {
    pub(super) snapshot: &'a Snapshot,
    windows: Vec<usize>,
    lines: Vec<Line<'a>>,
}

/// One line, with the words it is known by.
struct Line<'a> {
    thing: Thing,
    /// What it is besides a role.
    kind: Option<Kind>,
    /// Whether it lies in a keyboard or a system bar, which is one line of the screen.
    in_bar: bool,
    words: Vec<&'a str>,
    shown: Vec<String>,
}

/// A part of a line that matches.
#[derive(Debug, Clone, Copy)]
struct Part {
    line: usize,
    node: NodeIndex,
    whole: bool,
}

impl<'a> Lines<'a> {
    /// Those of the windows that are to be looked at.
    pub(super) fn of(snapshot: &'a Snapshot, keep: impl Fn(&Window) -> bool) -> Self {
        let mut windows = lean::windows(snapshot);
        windows.retain(|&position| keep(&snapshot.windows()[position]));
        let mut lines = Vec::new();
        for &position in &windows {
            let window = &snapshot.windows()[position];
            let nodes: Vec<NodeIndex> = snapshot.nodes_of(position).collect();
            let Some(&first) = nodes.first() else { continue };
            let kind = in_bar(window);
            if kind.is_some() {
                let thing = Thing { node: first, inside: Vec::new(), acts: false };
                let words: Vec<&str> = window.title.as_deref().into_iter().collect();
                lines.push(Line { thing, kind, in_bar: false, shown: shown(&words), words });
            }
            for thing in lean::things(snapshot, window, &nodes) {
                let mut words = thing.words(snapshot);
                let mut shown = shown(&words);
                let node = snapshot.node(thing.node);
                if let Some(hint) = node.hint.as_deref().filter(|_| node.is(Flags::EDITABLE)) {
                    words.push(hint);
                    shown.push(cut(hint));
                }
                lines.push(Line { thing, kind: None, in_bar: kind.is_some(), words, shown });
            }
        }
        Self { snapshot, windows, lines }
    }

    /// The nodes that lines stand for, in reading order.
    pub(super) fn line_nodes(&self) -> impl Iterator<Item = NodeIndex> + use<'_> {
        self.lines.iter().map(|line| line.thing.node)
    }

    /// Whether a line stands for this node.
    pub(super) fn has_line(&self, node: NodeIndex) -> bool {
        self.line_nodes().any(|line| line == node)
    }

    /// What the line of this node is called.
    pub(super) fn kind_word(&self, node: NodeIndex) -> &'static str {
        let line = self.lines.iter().find(|line| line.thing.node == node);
        line.map_or("item", |line| line.kind.map_or_else(|| line.thing.role_word(self.snapshot), Kind::word))
    }

    fn node(&self, index: NodeIndex) -> &'a Node {
        self.snapshot.node(index)
    }

    /// The parts of lines that match, in reading order.
    fn parts(&self, simple: &Simple, in_bar: bool) -> Vec<Part> {
        let wants_hidden = simple.states.contains(&State::Hidden);
        let mut parts = Vec::new();
        for (line, entry) in self.lines.iter().enumerate() {
            let in_view = self.node(entry.thing.node).is(Flags::VISIBLE) || entry.kind.is_some();
            if (entry.in_bar && !in_bar)
                || in_view == wants_hidden
                || !simple.states.iter().all(|state| self.has(entry, *state))
            {
                continue;
            }
            if self.is_whole(simple, entry) {
                parts.push(Part { line, node: entry.thing.node, whole: true });
                let role = entry.thing.role_part(self.snapshot);
                if role != entry.thing.node {
                    parts.push(Part { line, node: role, whole: false });
                }
            }
            if simple.name.is_some() || simple.id.is_some() {
                let inner =
                    entry.thing.inside.iter().filter(|inner| self.is_inner(simple, self.node(**inner)));
                parts.extend(inner.map(|inner| Part { line, node: *inner, whole: false }));
            }
        }
        parts
    }

    fn is_whole(&self, simple: &Simple, line: &Line<'_>) -> bool {
        let has_id = |id: &str| line.thing.parts().any(|part| has_id(self.node(part), id));
        simple.kind.is_none_or(|kind| self.is_kind(line, kind))
            && simple.name.as_ref().is_none_or(|name| {
                line.words.iter().any(|word| name.fits(word))
                    || line.shown.iter().any(|shown| name.fits_shown(shown))
            })
            && simple.id.as_deref().is_none_or(has_id)
    }

    fn is_kind(&self, line: &Line<'_>, kind: Kind) -> bool {
        if line.kind.is_some() {
            return line.kind == Some(kind);
        }
        let word = line.thing.role_word(self.snapshot);
        let role = self.node(line.thing.role_part(self.snapshot)).role;
        match kind {
            Kind::Role(wanted) => wanted.finds(role),
            Kind::Text => word == "text" || Role::Label.finds(role),
            Kind::Item => word == "item" || matches!(role, Role::ListItem | Role::TreeItem | Role::MenuItem),
            Kind::Keyboard | Kind::Bar => false,
        }
    }

    /// Whether a node that is shown with another matches by itself.
    fn is_inner(&self, simple: &Simple, node: &Node) -> bool {
        let is_kind = |kind| match kind {
            Kind::Role(wanted) => wanted.finds(node.role),
            Kind::Text => lean::role_word(node, false) == "text" || Role::Label.finds(node.role),
            Kind::Item | Kind::Keyboard | Kind::Bar => false,
        };
        simple.kind.is_none_or(is_kind)
            && simple.name.as_ref().is_none_or(|name| {
                let words: Vec<&str> = lean::words_of(node).collect();
                words.iter().any(|word| name.fits(word))
                    || shown(&words).iter().any(|shown| name.fits_shown(shown))
            })
            && simple.id.as_deref().is_none_or(|id| has_id(node, id))
    }

    fn has(&self, line: &Line<'_>, state: State) -> bool {
        let node = self.node(line.thing.node);
        let checkable = || line.thing.checkable(self.snapshot).map(|part| self.node(part).is(Flags::CHECKED));
        match state {
            State::Checked => checkable() == Some(true),
            State::Unchecked => checkable() == Some(false),
            State::Enabled => node.is(Flags::ENABLED),
            State::Disabled => !node.is(Flags::ENABLED),
            State::Focused => node.is(Flags::FOCUSED),
            State::Selected => node.is(Flags::SELECTED),
            State::Unselected => !node.is(Flags::SELECTED),
            State::Editable => node.is(Flags::EDITABLE),
            State::Password => node.is(Flags::PASSWORD),
            State::Clickable => node.is(Flags::CLICKABLE),
            State::Scrollable => node.is(Flags::SCROLLABLE),
            State::Hidden => !node.is(Flags::VISIBLE),
        }
    }

    /// The nodes that match by themselves, whether they have a line or not: what only arranges others has none.
    fn bare_nodes(&self, simple: &Simple) -> Vec<NodeIndex> {
        let plain = Simple { states: Vec::new(), index: None, ..simple.clone() };
        let windows = self.windows.iter().copied();
        let open = windows.filter(|&at| in_bar(&self.snapshot.windows()[at]).is_none());
        let nodes = open.flat_map(|at| self.snapshot.nodes_of(at));
        let states = |index: NodeIndex| {
            let thing = Thing { node: index, inside: Vec::new(), acts: false };
            let line = Line { thing, kind: None, in_bar: false, words: Vec::new(), shown: Vec::new() };
            simple.states.iter().all(|state| self.has(&line, *state))
        };
        let matches = |index: &NodeIndex| {
            let node = self.node(*index);
            !node.folded
                && node.is(Flags::VISIBLE) != simple.states.contains(&State::Hidden)
                && self.is_inner(&plain, node)
                && states(*index)
        };
        nodes.filter(matches).collect()
    }

    /// The lines that match but lie in a keyboard or a system bar.
    pub(super) fn in_bar(&self, simple: &Simple) -> Vec<NodeIndex> {
        let mut lines: Vec<&Line<'_>> = self
            .parts(simple, true)
            .into_iter()
            .map(|part| &self.lines[part.line])
            .filter(|line| line.in_bar)
            .collect();
        lines.dedup_by_key(|line| line.thing.node);
        lines.into_iter().map(|line| line.thing.node).collect()
    }

    /// Every line in view that is of this kind, with its words.
    pub(super) fn of_kind(&self, kind: Option<Kind>) -> impl Iterator<Item = (NodeIndex, &[String])> {
        let fits = move |line: &&Line<'_>| {
            let is_seen = self.node(line.thing.node).is(Flags::VISIBLE) && !line.in_bar;
            is_seen && kind.is_none_or(|kind| self.is_kind(line, kind))
        };
        self.lines.iter().filter(fits).map(|line| (line.thing.node, line.shown.as_slice()))
    }

    /// The word for what the line of a node is.
    pub(super) fn role_word(&self, node: NodeIndex) -> &'static str {
        let line = self.lines.iter().find(|line| line.thing.node == node);
        line.map_or_else(|| self.node(node).role.name(), |line| line.thing.role_word(self.snapshot))
    }

    /// The nodes that hold what is inside of the anchor.
    fn regions(&self, anchor: &Simple) -> Vec<Region> {
        let mut nodes: Vec<NodeIndex> = self.parts(anchor, false).iter().map(|part| part.node).collect();
        nodes.extend(self.bare_nodes(anchor));
        nodes.sort_unstable();
        nodes.dedup();
        let kinds = |window: &Window| match window.kind {
            WindowKind::InputMethod => Kind::Keyboard,
            WindowKind::System => Kind::Bar,
            WindowKind::Dialog => Kind::Role(Role::Dialog),
            WindowKind::Popup => Kind::Role(Role::Popover),
            _ => Kind::Role(Role::Window),
        };
        let is_window = |position: &usize| {
            let window = &self.snapshot.windows()[*position];
            let (kind, title) = (kinds(window), window.title.as_deref());
            let is_kind = |wanted| match (wanted, kind) {
                (Kind::Role(wanted), Kind::Role(role)) => {
                    wanted.finds(role) || (wanted == Role::Application && role == Role::Window)
                }
                _ => wanted == kind,
            };
            anchor.kind.is_some_and(is_kind)
                && anchor.name.as_ref().is_none_or(|name| title.is_some_and(|title| name.fits(title)))
                && anchor.id.is_none()
                && anchor.states.is_empty()
        };
        let is_tucked = matches!(anchor.kind, Some(Kind::Keyboard | Kind::Bar));
        let regions: Vec<Region> = if nodes.is_empty() || is_tucked {
            self.windows.iter().copied().filter(is_window).map(Region::Window).collect()
        } else {
            nodes.into_iter().map(Region::Node).collect()
        };
        bounded(chosen(regions, anchor))
    }

    fn is_inside(&self, node: NodeIndex, region: Region) -> bool {
        match region {
            Region::Window(position) => self.snapshot.window_of(node) == position,
            Region::Node(outer) => node != outer && self.snapshot.is_within(node, outer),
        }
    }

    /// Where a relation starts from: what matches most closely, so that a word in a row is the place of the word.
    fn anchors(&self, anchor: &Simple) -> Vec<NodeIndex> {
        let parts = self.parts(anchor, false);
        let is_closest = |part: &&Part| {
            let inner = |other: &Part| other.line == part.line && !other.whole;
            !part.whole || anchor.name.is_none() || !parts.iter().any(inner)
        };
        let mut nodes: Vec<NodeIndex> = if parts.len() > MAX_ANCHORS {
            parts.iter().filter(|part| part.whole).map(|part| part.node).collect()
        } else {
            parts.iter().filter(is_closest).map(|part| part.node).collect()
        };
        if nodes.is_empty() && anchor.name.is_none() {
            nodes = self.bare_nodes(anchor);
        }
        bounded(chosen(nodes, anchor))
    }
}

/// What a window is that is one line of the screen. A system window with the focus is what a person looks at, as the
/// notification shade.
fn in_bar(window: &Window) -> Option<Kind> {
    match window.kind {
        WindowKind::InputMethod => Some(Kind::Keyboard),
        WindowKind::System if !window.focused => Some(Kind::Bar),
        _ => None,
    }
}

/// What something can be inside of.
#[derive(Debug, Clone, Copy)]
enum Region {
    Node(NodeIndex),
    Window(usize),
}

/// The elements that the selector means, in reading order.
pub(super) fn find(selector: &Selector, screen: &Lines<'_>) -> Vec<NodeIndex> {
    let subject = &selector.subject;
    let in_bar = selector.relations.iter().any(|(relation, anchor)| {
        *relation == Relation::Inside && matches!(anchor.kind, Some(Kind::Keyboard | Kind::Bar))
    });
    let parts = screen.parts(subject, in_bar);
    // A text that is out of view has no line either.
    if parts.is_empty() && (subject.name.is_none() || subject.states.contains(&State::Hidden)) {
        let nodes = screen.bare_nodes(subject).into_iter().map(|node| (node, node)).collect();
        return chosen(related(selector, screen, nodes), subject);
    }
    let line_of = |part: Part| (part.node, screen.lines[part.line].thing.node);
    chosen(related(selector, screen, parts.into_iter().map(line_of).collect()), subject)
}

/// How many elements an anchor of the selector matches by itself.
pub(super) fn anchors(screen: &Lines<'_>, relation: Relation, anchor: &Simple) -> usize {
    match relation {
        Relation::Inside => screen.regions(anchor).len(),
        _ => screen.anchors(anchor).len(),
    }
}

/// Those of the places that stand in all relations, as the lines they belong to.
fn related(selector: &Selector, screen: &Lines<'_>, places: Vec<(NodeIndex, NodeIndex)>) -> Vec<NodeIndex> {
    let mut places = places;
    let nearest = selector.subject.index.is_none();
    // Inside first: the nearest is one of those that are there at all.
    for (_, anchor) in selector.relations.iter().filter(|(relation, _)| *relation == Relation::Inside) {
        let regions = screen.regions(anchor);
        places.retain(|(place, _)| regions.iter().any(|region| screen.is_inside(*place, *region)));
    }
    for (relation, anchor) in selector.relations.iter().filter(|(relation, _)| *relation != Relation::Inside)
    {
        places = beside(screen, *relation, &screen.anchors(anchor), &places, nearest);
    }
    let mut lines = Vec::new();
    for (_, line) in places {
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Those of the places that lie that way from one of the anchors; only the nearest of each, if asked for.
fn beside(
    screen: &Lines<'_>,
    relation: Relation,
    anchors: &[NodeIndex],
    places: &[(NodeIndex, NodeIndex)],
    nearest: bool,
) -> Vec<(NodeIndex, NodeIndex)> {
    let area = screen.snapshot.screen.bounds();
    let bounds = |node: NodeIndex| -> Rect { screen.node(node).bounds };
    let mut kept = vec![false; places.len()];
    for &anchor in anchors {
        let far = |&(place, _): &(NodeIndex, NodeIndex)| {
            let apart =
                !screen.snapshot.is_within(place, anchor) && !screen.snapshot.is_within(anchor, place);
            let same_window = screen.snapshot.window_of(place) == screen.snapshot.window_of(anchor);
            distance(relation, bounds(place), bounds(anchor), area).filter(|_| apart && same_window)
        };
        let distances: Vec<Option<i64>> = places.iter().map(far).collect();
        let Some(least) = distances.iter().flatten().min().copied() else { continue };
        for (kept, distance) in kept.iter_mut().zip(&distances) {
            *kept |= distance.is_some_and(|distance| !nearest || is_nearest(distance, least));
        }
    }
    places.iter().zip(kept).filter(|(_, kept)| *kept).map(|(place, _)| *place).collect()
}

fn bounded<T>(mut anchors: Vec<T>) -> Vec<T> {
    anchors.truncate(MAX_ANCHORS);
    anchors
}

/// The one at the index, or all of them.
fn chosen<T>(mut all: Vec<T>, simple: &Simple) -> Vec<T> {
    let Some(index) = simple.index else { return all };
    let steps = index.get().unsigned_abs() as usize;
    let place = if index.get() > 0 { Some(steps - 1) } else { all.len().checked_sub(steps) };
    let one = place.filter(|place| *place < all.len()).map(|place| all.swap_remove(place));
    one.into_iter().collect()
}

impl Name {
    /// Whether a text of the screen is the one that is meant.
    pub(super) fn fits(&self, word: &str) -> bool {
        match self {
            Self::Exact(words) => words.needle.equals(word),
            Self::Contains(words) => words.needle.is_within(word),
            Self::Pattern(_) => false,
        }
    }

    /// Whether a text as a line shows it is the one that is meant.
    fn fits_shown(&self, shown: &str) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.regex.is_match(shown),
            other => other.fits(shown),
        }
    }
}

/// The words as a line shows them: one by one, and all together.
fn shown(words: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = words.iter().map(|word| cut(word)).collect();
    if all.len() > 1 {
        all.push(all.join(", "));
    }
    all
}

/// A text as a line shows it.
fn cut(word: &str) -> String {
    let mut out = String::new();
    lean::push_inner(&mut out, word, MAX_TEXT);
    out
}

/// Whether the node has this resource id: all of it, what follows its package, or as a line shows it.
fn has_id(node: &Node, id: &str) -> bool {
    node.resource_id.as_deref().is_some_and(|own| {
        let short = own.rsplit('/').next().unwrap_or(own);
        let letters =
            || short.chars().take(MAX_TEXT).map(|letter| if letter.is_alphanumeric() { letter } else { '_' });
        own == id || short == id || text::trim(own) == id || letters().eq(id.chars())
    })
}
