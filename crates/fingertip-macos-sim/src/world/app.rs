//! Applications: their nodes, their main thread, and what may be wrong with them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::node::Kind;
use super::{Attribute, LazyRows, Node, NodeId, ROOT};

/// How an application notifies those who observe it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notifications {
    /// At once.
    #[default]
    Prompt,
    /// After a while.
    Late(Duration),
    /// Never.
    Lost,
    /// Twice.
    Doubled,
}

impl Notifications {
    pub(crate) fn copies(self) -> usize {
        match self {
            Self::Prompt | Self::Late(_) => 1,
            Self::Lost => 0,
            Self::Doubled => 2,
        }
    }

    pub(crate) fn delay(self) -> Duration {
        if let Self::Late(delay) = self { delay } else { Duration::ZERO }
    }
}

/// A web engine that builds its tree only for those who ask for it.
#[derive(Debug, Clone)]
pub struct Chromium {
    /// The attribute of the application that asks for it.
    pub wake_attribute: &'static str,
    /// How long the tree takes then. Asking again restarts the wait.
    pub delay: Duration,
    /// Setting the attribute acts, but answers that there is no such attribute.
    pub denies: bool,
    /// The element whose children are missing until then.
    pub web_area: NodeId,
    /// When it was asked for last.
    pub woken: Option<Instant>,
    /// How often it was asked for.
    pub times_woken: u64,
}

impl Chromium {
    /// Whether the tree is there.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.woken.is_some_and(|since| since.elapsed() >= self.delay)
    }
}

/// One application.
#[derive(Default)]
pub struct App {
    /// The name shown to the user.
    pub name: String,
    /// Its bundle id.
    pub bundle_id: Option<String>,
    /// It has a place in the Dock.
    pub is_regular: bool,
    /// Its nodes; the application itself is [`ROOT`].
    pub nodes: BTreeMap<NodeId, Node>,
    /// Its windows, the topmost first.
    pub windows: Vec<NodeId>,
    /// Window numbers of the window server.
    pub(crate) window_numbers: BTreeMap<NodeId, u32>,
    /// The element with the keyboard focus.
    pub focused: Option<NodeId>,
    /// Its menu bar.
    pub menu_bar: Option<NodeId>,
    /// The open menu.
    pub open_menu: Option<NodeId>,
    /// Its windows are hidden.
    pub hidden: bool,
    /// It answers nothing.
    pub hung: bool,
    /// It quits when it has answered so many more messages.
    pub quits_after: Option<u64>,
    /// What a message costs.
    pub latency: Duration,
    /// How it announces changes.
    pub notifications: Notifications,
    /// Its web engine.
    pub chromium: Option<Chromium>,
    /// Messages it was sent.
    pub messages: u64,
    /// Messages by function.
    pub messages_by_function: BTreeMap<&'static str, u64>,
    /// Rows that were made because they were asked for while out of view.
    pub hidden_rows_made: u64,
    /// What else a test wants to know.
    pub notes: BTreeMap<String, serde_json::Value>,
    pub(crate) busy_until: Option<Instant>,
    next_node: u32,
}

impl App {
    /// An application without windows.
    #[must_use]
    pub fn new(name: &str, bundle_id: &str) -> Self {
        let mut app = Self {
            name: name.to_owned(),
            bundle_id: Some(bundle_id.to_owned()),
            is_regular: true,
            next_node: 1,
            ..Self::default()
        };
        app.nodes.insert(ROOT, Node::new("AXApplication").title(name));
        app
    }

    /// Adds a node; its number.
    pub fn add(&mut self, parent: NodeId, mut node: Node) -> NodeId {
        let id = NodeId(self.next_node);
        self.next_node += 1;
        node.parent = Some(parent);
        if let Kind::Rows(rows) = &mut node.kind {
            rows.first = NodeId(self.next_node);
            self.next_node += rows.nodes();
        }
        let is_window = matches!(node.kind, Kind::Window);
        self.nodes.insert(id, node);
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.children.push(id);
        }
        if is_window {
            self.windows.insert(0, id);
        }
        id
    }

    /// Adds nodes to the same parent.
    pub fn add_all(&mut self, parent: NodeId, nodes: impl IntoIterator<Item = Node>) -> Vec<NodeId> {
        nodes.into_iter().map(|node| self.add(parent, node)).collect()
    }

    /// Adds a window with the three buttons of its title bar.
    pub fn window(&mut self, title: &str, x: f64, y: f64, width: f64, height: f64) -> NodeId {
        let window = self.add(
            ROOT,
            Node::new("AXWindow")
                .title(title)
                .frame(x, y, width, height)
                .with("AXSubrole", Attribute::text("AXStandardWindow"))
                .with("AXMinimized", Attribute::Bool(false))
                .with("AXModal", Attribute::Bool(false))
                .settable("AXMinimized")
                .settable("AXPosition")
                .settable("AXSize")
                .settable("AXMain")
                .settable("AXFullScreen")
                .with("AXFullScreen", Attribute::Bool(false))
                .kind(Kind::Window),
        );
        let button = |subrole: &str, at: f64, press: fn(&mut super::World, i32, NodeId)| {
            Node::button("", move |world, pid| press(world, pid, window))
                .frame(x + at, y + 6.0, 14.0, 14.0)
                .with("AXSubrole", Attribute::text(subrole))
        };
        let close = self.add(window, button("AXCloseButton", 8.0, super::World::close_window));
        let minimize = self.add(window, button("AXMinimizeButton", 28.0, super::World::minimize_window));
        let zoom = self.add(window, button("AXFullScreenButton", 48.0, |_, _, _| {}));
        for node in [close, minimize, zoom] {
            self.node_mut(node).attributes.remove("AXTitle");
        }
        let node = self.node_mut(window);
        node.attributes.insert("AXCloseButton".into(), Attribute::Node(close));
        node.attributes.insert("AXMinimizeButton".into(), Attribute::Node(minimize));
        node.attributes.insert("AXFullScreenButton".into(), Attribute::Node(zoom));
        node.attributes.insert("AXZoomButton".into(), Attribute::Node(zoom));
        window
    }

    /// A node.
    ///
    /// # Panics
    /// When there is none of that number.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[&id]
    }

    /// A node, to be changed.
    ///
    /// # Panics
    /// When there is none of that number.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes.get_mut(&id).expect("a node of that number")
    }

    /// The first node with that identifier, title, description or value.
    #[must_use]
    pub fn find(&self, what: &str) -> Option<NodeId> {
        ["AXIdentifier", "AXTitle", "AXDescription", "AXValue"].iter().find_map(|name| {
            let wanted = Attribute::text(what);
            self.nodes.iter().find(|(_, node)| node.attributes.get(*name) == Some(&wanted)).map(|(id, _)| *id)
        })
    }

    /// Takes a node and all below it away.
    pub fn remove(&mut self, id: NodeId) {
        let Some(node) = self.nodes.remove(&id) else { return };
        if let Some(parent) = node.parent.and_then(|parent| self.nodes.get_mut(&parent)) {
            parent.children.retain(|child| *child != id);
        }
        self.windows.retain(|window| *window != id);
        self.window_numbers.remove(&id);
        if self.focused == Some(id) {
            self.focused = None;
        }
        if self.open_menu == Some(id) {
            self.open_menu = None;
        }
        if let Kind::Rows(rows) = &node.kind {
            let LazyRows { first, .. } = rows;
            let made: Vec<_> =
                self.nodes.range(*first..NodeId(first.0 + rows.nodes())).map(|(id, _)| *id).collect();
            made.into_iter().for_each(|id| drop(self.nodes.remove(&id)));
        }
        for child in node.children {
            if self.nodes.get(&child).is_some_and(|child| child.parent == Some(id)) {
                self.remove(child);
            }
        }
    }

    /// The window that a node is in.
    #[must_use]
    pub fn window_of(&self, mut id: NodeId) -> Option<NodeId> {
        loop {
            let node = self.nodes.get(&id)?;
            if matches!(node.kind, Kind::Window) {
                return Some(id);
            }
            id = node.parent?;
        }
    }

    pub(crate) fn number_windows(&mut self, next: &mut u32) {
        for window in &self.windows {
            self.window_numbers.entry(*window).or_insert_with(|| {
                *next += 1;
                *next
            });
        }
    }
}
