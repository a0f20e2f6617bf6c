//! The windows and nodes of a target at one moment.
//!
//! All nodes lie in one vector in pre-order, window after window, so a subtree is a contiguous range and a
//! walk is a scan. A snapshot is built once through [`Builder`] and read-only afterwards, but for ids.
//!
//! The builder is also where secrets end: the text of a password field is dropped there, so no later code
//! can leak it, whatever the platform reported.

use crate::node::{Links, NodeIndex};
use crate::{Flags, Node, Rect, Window};

/// Which way the screen is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// Taller than wide.
    #[default]
    Portrait,
    /// Wider than tall.
    Landscape,
}

/// The screen's size and density.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Screen {
    /// Width in pixels, as now rotated.
    pub width: u32,
    /// Height in pixels, as now rotated.
    pub height: u32,
    /// Dots per inch.
    pub density: u32,
}

impl Screen {
    /// Portrait or landscape, from its size: a rotation says nothing of a tablet.
    #[must_use]
    pub const fn orientation(self) -> Orientation {
        if self.width > self.height { Orientation::Landscape } else { Orientation::Portrait }
    }

    /// The screen as a rectangle.
    #[must_use]
    pub fn bounds(self) -> Rect {
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        Rect::new(0, 0, side(self.width), side(self.height))
    }
}

/// A short message that was shown for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// Counts up by one for each that was shown, so that two snapshots show which are new.
    pub number: u64,
    /// The application that showed it, where the platform reports it.
    pub app: Option<Box<str>>,
    /// What it says.
    pub text: Box<str>,
}

/// What the system itself says or asks about an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What sort of thing it is.
    pub kind: NoticeKind,
    /// Its words on the screen.
    pub text: Box<str>,
}

/// What a notice of the system is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// An application crashed.
    Crashed,
    /// An application does not respond.
    NotResponding,
    /// An application asks the user for a permission.
    Permission,
}

/// The windows and nodes of a target at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The application in front: package, bundle or program name.
    pub app: Option<Box<str>>,
    /// The screen of that application, where the platform has such a thing.
    pub activity: Option<Box<str>>,
    /// The screen.
    pub screen: Screen,
    /// False when the user interface was still changing while it was read.
    pub settled: bool,
    /// Why nodes are missing, when the target could not give all of them.
    pub cut: Option<Box<str>>,
    /// Whether a handle names the same control for as long as it lives, so that ids can follow handles.
    pub lasting_handles: bool,
    /// Whether some of it was read earlier, and no change of that was reported since; see
    /// [`crate::target::Look::incremental_look`].
    pub recalled: bool,
    /// Whether nodes were left out among the children of others because the search is not for them: places among siblings are not
    /// known then. See [`crate::target::Survey::search`].
    pub sparse: bool,
    /// The names of controls that do not react now and have no row; see [`crate::fold`].
    pub disabled: Vec<Box<str>>,
    /// Large areas of which nothing is known but their place; see [`crate::fold`].
    pub blank: Vec<Rect>,
    /// The texts of the visible tooltips, empty where one has none. They are no part of the tree: they come and go by
    /// themselves, and only repeat what a control says.
    pub tooltips: Vec<Box<str>>,
    /// The short messages (toasts) that were shown last, oldest first. They are no part of the tree either.
    pub toasts: Vec<Toast>,
    /// What the system itself says or asks about an application, in a window over everything else.
    pub notice: Option<Notice>,
    /// The driver's own number for it, where the driver counts them.
    pub number: Option<u64>,
    windows: Vec<Window>,
    nodes: Vec<Node>,
}

impl Snapshot {
    /// Starts a snapshot of this screen.
    #[must_use]
    pub fn builder(screen: Screen) -> Builder {
        Builder { snapshot: Self { screen, settled: true, ..Self::default() }, open: Vec::new() }
    }

    /// Its windows, in the driver's order.
    #[must_use]
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// All nodes in pre-order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All indices in pre-order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = NodeIndex> + ExactSizeIterator + Clone + use<> {
        indices(0..self.nodes.len() as u32)
    }

    /// The node at `index`.
    ///
    /// # Panics
    /// When the index comes from another snapshot and lies outside this one.
    #[must_use]
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.position()]
    }

    /// The node's parent; `None` for a root.
    #[must_use]
    pub fn parent(&self, index: NodeIndex) -> Option<NodeIndex> {
        self.node(index).links.parent.checked_sub(1).map(NodeIndex)
    }

    /// Its ancestors, nearest first.
    pub fn ancestors(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'_> {
        std::iter::successors(self.parent(index), |&ancestor| self.parent(ancestor))
    }

    /// Its children, in order.
    pub fn children(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'_> {
        self.siblings_from(index.0 + 1, self.node(index).links.end)
    }

    /// The node and everything below it, in pre-order.
    pub fn subtree(
        &self,
        index: NodeIndex,
    ) -> impl DoubleEndedIterator<Item = NodeIndex> + ExactSizeIterator + use<> {
        indices(index.0..self.node(index).links.end)
    }

    /// Whether `inner` is `outer` or lies below it.
    #[must_use]
    pub fn is_within(&self, inner: NodeIndex, outer: NodeIndex) -> bool {
        inner >= outer && inner.0 < self.node(outer).links.end
    }

    /// How far it is from its root.
    #[must_use]
    pub fn depth(&self, index: NodeIndex) -> u32 {
        self.node(index).links.depth
    }

    /// The position of its window in [`Self::windows`].
    #[must_use]
    pub fn window_of(&self, index: NodeIndex) -> usize {
        self.node(index).links.window as usize
    }

    /// The nodes of a window, in pre-order.
    pub fn nodes_of(
        &self,
        window: usize,
    ) -> impl DoubleEndedIterator<Item = NodeIndex> + ExactSizeIterator + Clone + use<> {
        indices(self.windows[window].nodes.clone())
    }

    /// The root nodes of a window.
    pub fn roots_of(&self, window: usize) -> impl Iterator<Item = NodeIndex> + use<'_> {
        let range = self.windows[window].nodes.clone();
        self.siblings_from(range.start, range.end)
    }

    /// The window that has the input focus; else the topmost application window; else the first.
    #[must_use]
    pub fn focused_window(&self) -> Option<usize> {
        let windows = || self.windows.iter().enumerate();
        windows()
            .find(|(_, window)| window.focused)
            .or_else(|| {
                windows()
                    .filter(|(_, window)| matches!(window.kind, crate::WindowKind::Application))
                    .max_by_key(|(position, window)| (window.layer, std::cmp::Reverse(*position)))
            })
            .or_else(|| windows().next())
            .map(|(position, _)| position)
    }

    /// The node that has the input focus, the focused window's first.
    ///
    /// Several say so at times: the panel around a field, a button of a tool bar beside the document that keeps the keyboard
    /// while the button is pressed (LibreOffice), items of menus that closed (Qt). Of these keys go to one that can be seen,
    /// and to a field first.
    #[must_use]
    pub fn focused_node(&self) -> Option<NodeIndex> {
        let window = self.focused_window();
        let in_front = window.and_then(|window| self.focused_of(self.nodes_of(window)));
        in_front.or_else(|| self.focused_of(self.indices()))
    }

    /// The last field of these with the focus that can be seen, else the last node that can, else one that cannot.
    fn focused_of(&self, nodes: impl DoubleEndedIterator<Item = NodeIndex> + Clone) -> Option<NodeIndex> {
        let focused = nodes.rev().filter(|index| self.node(*index).is(Flags::FOCUSED));
        let ways = [Flags::VISIBLE | Flags::EDITABLE, Flags::VISIBLE, Flags::EDITABLE, Flags::empty()];
        ways.into_iter().find_map(|flags| focused.clone().find(|index| self.node(*index).is(flags)))
    }

    /// The node at `index`, to be changed.
    pub(crate) fn node_mut(&mut self, index: NodeIndex) -> &mut Node {
        &mut self.nodes[index.position()]
    }

    /// Names a node; ids are given by [`crate::id`] alone.
    pub(crate) fn set_id(&mut self, index: NodeIndex, id: crate::NodeId) {
        self.nodes[index.position()].id = Some(id);
    }

    /// The node with this id in this snapshot.
    #[must_use]
    pub fn find_id(&self, id: crate::NodeId) -> Option<NodeIndex> {
        self.indices().find(|index| self.node(*index).id == Some(id))
    }

    fn siblings_from(&self, start: u32, end: u32) -> impl Iterator<Item = NodeIndex> + use<'_> {
        let mut next = start;
        std::iter::from_fn(move || {
            let current = NodeIndex(next);
            (next < end).then(|| {
                next = self.node(current).links.end;
                current
            })
        })
    }
}

fn indices(
    range: std::ops::Range<u32>,
) -> impl DoubleEndedIterator<Item = NodeIndex> + ExactSizeIterator + Clone {
    range.map(NodeIndex)
}

/// Builds a [`Snapshot`] in pre-order: `window`, then `open` … `close` for each node.
#[derive(Debug)]
pub struct Builder {
    snapshot: Snapshot,
    open: Vec<u32>,
}

impl Builder {
    /// Names the application in front and its screen; the screen as it is named within the application.
    pub fn app(&mut self, app: &str, activity: &str) -> &mut Self {
        let own = activity.strip_prefix(app).filter(|rest| rest.starts_with('.'));
        self.titled(app, own.unwrap_or(activity))
    }

    /// Names the application in front and the title of its window, to the letter: "gedit.txt" of gedit is the name of a file.
    pub fn titled(&mut self, app: &str, title: &str) -> &mut Self {
        self.snapshot.app = Some(app.into());
        self.snapshot.activity = Some(title.into());
        self
    }

    /// Says that the user interface was still changing.
    pub fn unsettled(&mut self) -> &mut Self {
        self.snapshot.settled = false;
        self
    }

    /// Says why nodes are missing.
    pub fn cut(&mut self, why: &str) -> &mut Self {
        self.snapshot.cut = Some(why.into());
        self
    }

    /// Says that handles last, see [`Snapshot::lasting_handles`].
    pub fn lasting_handles(&mut self) -> &mut Self {
        self.snapshot.lasting_handles = true;
        self
    }

    /// Says that some of it was read earlier, see [`Snapshot::recalled`].
    pub fn recalled(&mut self) -> &mut Self {
        self.snapshot.recalled = true;
        self
    }

    /// Says that nodes were left out, see [`Snapshot::sparse`].
    pub fn sparse(&mut self) -> &mut Self {
        self.snapshot.sparse = true;
        self
    }

    /// Says which number the driver gave it, see [`Snapshot::number`].
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.snapshot.number = Some(number);
        self
    }

    /// Starts the next window; the nodes that follow are its own.
    pub fn window(&mut self, mut window: Window) -> &mut Self {
        self.close_all();
        let start = self.snapshot.nodes.len() as u32;
        window.nodes = start..start;
        self.snapshot.windows.push(window);
        self
    }

    /// Opens a node; those that follow until [`Self::close`] are its children.
    ///
    /// A node before any window gets an application window of its own, so that none is lost.
    pub fn open(&mut self, mut node: Node) -> &mut Self {
        if self.snapshot.windows.is_empty() {
            self.window(Window { bounds: self.snapshot.screen.bounds(), focused: true, ..Window::default() });
        }
        keep_secret(&mut node);
        let index = self.snapshot.nodes.len() as u32;
        node.links = Links {
            parent: self.open.last().map_or(0, |parent| parent + 1),
            end: index + 1,
            window: self.snapshot.windows.len() as u32 - 1,
            depth: self.open.len() as u32,
        };
        self.snapshot.nodes.push(node);
        self.open.push(index);
        self
    }

    /// Closes the node opened last. Closing with none open does nothing.
    pub fn close(&mut self) -> &mut Self {
        if let Some(index) = self.open.pop() {
            self.snapshot.nodes[index as usize].links.end = self.snapshot.nodes.len() as u32;
        }
        self
    }

    /// Adds a node without children.
    pub fn leaf(&mut self, node: Node) -> &mut Self {
        self.open(node).close()
    }

    /// Ends the snapshot; nodes still open are closed.
    #[must_use]
    pub fn finish(mut self) -> Snapshot {
        self.close_all();
        self.snapshot
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
        let end = self.snapshot.nodes.len() as u32;
        if let Some(window) = self.snapshot.windows.last_mut() {
            window.nodes.end = end;
        }
    }
}

/// Keeps only the length of what a password field holds.
fn keep_secret(node: &mut Node) {
    if !node.is(Flags::PASSWORD) {
        return;
    }
    let text = node.text.take();
    if node.secret_length.is_none() {
        node.secret_length = text.map(|text| text.chars().count() as u32);
    }
    node.value = None;
}

#[cfg(test)]
mod tests;
