//! What is kept of a window to recognise its controls later: hashes and bounds, no texts.
//!
//! Three names of rising strength are made of each node: its `base` (class, role, resource id), its `label`
//! (base and the first text at or below it) and its `content` (base and everything said at or below it).
//! What lies inside a scrolling container says nothing of the nodes around it, since it comes and goes.
//! What the user types says nothing either: the text of an editable field is its state.

use super::hash::{self, mix};
use crate::{Flags, Node, NodeId, NodeIndex, Rect, Snapshot, Window, WindowKind};

/// Stands for "no node" where a position is kept.
pub(super) const NONE: u32 = u32::MAX;

/// What one node is recognised by. Zero means "nothing" in every hash but `content`.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    /// Position of the parent in the same window; [`NONE`] for a root.
    pub(super) parent: u32,
    /// One past the last descendant.
    pub(super) end: u32,
    /// Class and role.
    pub(super) class: u64,
    /// Class, role and resource id.
    pub(super) base: u64,
    /// Its own text, description or hint.
    pub(super) own: u64,
    /// Base and the first text at or below it.
    pub(super) label: u64,
    /// Base and everything said at or below it, in order.
    pub(super) content: u64,
    /// Everything at or below it, scrolled places included: equal only for subtrees that look unchanged.
    pub(super) whole: u64,
    /// Bases and places at or below it, whatever is said there.
    pub(super) skeleton: u64,
    /// The driver's name for it.
    pub(super) handle: u64,
    pub(super) bounds: Rect,
    /// The names of the rows before and after it, if it is a row: as now visible, else as last seen.
    pub(super) neighbours: [u64; 2],
    /// Whether the programmer named it.
    pub(super) identified: bool,
    /// Whether it is a thing to act on or read, and not only a box around others.
    pub(super) control: bool,
    pub(super) scrollable: bool,
    /// Whether an ancestor scrolls.
    pub(super) scrolled: bool,
    /// Whether its children come and go by scrolling; see [`super::rows`].
    pub(super) holds_rows: bool,
    pub(super) id: Option<NodeId>,
}

/// What one window is recognised by, and its nodes in pre-order.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// Application, activity and kind.
    pub(super) owner: u64,
    /// Owner and title.
    pub(super) key: u64,
    pub(super) handle: u64,
    /// Whether it is a dialog or a menu: shown for one question, and then another one in its place.
    pub(super) transient: bool,
    pub(super) bounds: Rect,
    /// Under what its roots are remembered.
    pub(super) scope: u64,
    pub(super) nodes: Vec<Sketch>,
}

impl Tree {
    /// Sketches the window at this position of the snapshot.
    pub(super) fn of(snapshot: &Snapshot, position: usize) -> Self {
        let window = &snapshot.windows()[position];
        let owner = hash::of(&(&window.app, window.kind, activity(snapshot, window)));
        let key = mix(owner, hash::of_text(window.title.as_deref()));
        let mut tree = Self {
            owner,
            key,
            handle: hash::of_text(window.handle.as_deref()),
            transient: matches!(window.kind, WindowKind::Dialog | WindowKind::Popup),
            bounds: window.bounds,
            scope: key,
            nodes: Vec::with_capacity(window.nodes.len()),
        };
        for index in snapshot.nodes_of(position) {
            let sketch = tree.sketch(snapshot, index, window.nodes.start);
            tree.nodes.push(sketch);
        }
        tree.gather();
        tree.note_rows();
        tree
    }

    /// The node at this position.
    pub(super) fn at(&self, position: u32) -> &Sketch {
        &self.nodes[position as usize]
    }

    /// Puts the positions of the children of `parent` into `list`; the roots for [`NONE`].
    pub(super) fn children_into(&self, parent: u32, list: &mut Vec<u32>) {
        list.clear();
        let (mut next, end) = match parent {
            NONE => (0, self.nodes.len() as u32),
            parent => (parent + 1, self.at(parent).end),
        };
        while next < end {
            list.push(next);
            next = self.at(next).end;
        }
    }

    /// Everything its nodes say and where they are; equal only for windows that look the same.
    pub(super) fn whole(&self) -> u64 {
        let roots = self.nodes.iter().filter(|node| node.parent == NONE);
        roots.fold(self.key, |whole, root| mix(whole, root.whole))
    }

    fn sketch(&self, snapshot: &Snapshot, index: NodeIndex, start: u32) -> Sketch {
        let node = snapshot.node(index);
        let parent = snapshot.parent(index).map_or(NONE, |parent| parent.0 - start);
        let base = base_of(node);
        let own = own_of(node);
        let handle = hash::of_text(node.handle.as_deref());
        let touchable = Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::EDITABLE | Flags::CHECKABLE;
        Sketch {
            parent,
            end: snapshot.subtree(index).len() as u32 + index.0 - start,
            class: class_of(node),
            base,
            own,
            label: own,
            content: mix(base, own),
            whole: mix(mix(base, own), handle),
            skeleton: mix(base, hash::of(&self.relative(node.bounds))),
            handle,
            bounds: node.bounds,
            neighbours: [0; 2],
            identified: node.resource_id.is_some(),
            control: own != 0 || node.flags.intersects(touchable),
            scrollable: node.is(Flags::SCROLLABLE),
            scrolled: parent != NONE && (self.at(parent).scrollable || self.at(parent).scrolled),
            holds_rows: false,
            id: None,
        }
    }

    /// Bounds as seen from the window's first root, so that a moved window keeps its skeleton.
    fn relative(&self, bounds: Rect) -> Rect {
        let origin = self.nodes.first().map_or(bounds, |root| root.bounds);
        shifted(bounds, -i64::from(origin.left), -i64::from(origin.top))
    }

    /// Hands what the descendants say up to their ancestors; children come after their parent in the vector.
    fn gather(&mut self) {
        for position in (0..self.nodes.len()).rev() {
            let child = self.nodes[position].clone();
            if child.label != 0 {
                self.nodes[position].label = mix(child.base, child.label);
            }
            if child.parent == NONE {
                continue;
            }
            let parent = &mut self.nodes[child.parent as usize];
            parent.whole = mix(parent.whole, child.whole);
            if child.scrolled {
                let place = (
                    child.bounds.left.wrapping_sub(parent.bounds.left),
                    child.bounds.top.wrapping_sub(parent.bounds.top),
                );
                parent.whole = mix(parent.whole, hash::of(&place));
            }
            if parent.scrollable {
                continue;
            }
            parent.skeleton = mix(parent.skeleton, child.skeleton);
            parent.content = mix(parent.content, child.content);
            if parent.own == 0 && child.label != 0 {
                // The first child comes last here, so its label is the one that stays.
                parent.label = child.label;
            }
        }
    }
}

/// Class and role.
pub(super) fn class_of(node: &Node) -> u64 {
    hash::of(&(node.role, &node.class))
}

/// Class, role and resource id.
pub(super) fn base_of(node: &Node) -> u64 {
    mix(class_of(node), hash::of_text(node.resource_id.as_deref()))
}

/// What the node itself says; zero when nothing.
pub(super) fn own_of(node: &Node) -> u64 {
    let text = if node.is(Flags::EDITABLE) { None } else { node.text.as_deref() };
    match (hash::of_text(text), hash::of_text(node.description.as_deref())) {
        (0, 0) => hash::of_text(node.hint.as_deref()),
        (text, description) => mix(text, description),
    }
}

/// The rectangle moved by this much; edges stay within what a rectangle can hold.
pub(super) fn shifted(bounds: Rect, right: i64, down: i64) -> Rect {
    let shift =
        |edge: i32, by: i64| (i64::from(edge) + by).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    Rect::new(
        shift(bounds.left, right),
        shift(bounds.top, down),
        shift(bounds.right, right),
        shift(bounds.bottom, down),
    )
}

/// The activity, for the windows it is said of: those of the application in front.
fn activity<'a>(snapshot: &'a Snapshot, window: &Window) -> Option<&'a str> {
    let in_front = window.app.is_none() || window.app == snapshot.app;
    (in_front && window.kind == WindowKind::Application).then_some(snapshot.activity.as_deref()).flatten()
}
