//! Menus: those of the menu bar, of pop-up buttons, and of a secondary click.
//!
//! The items of a closed menu are in the tree all the same, without a size; an open one is laid out below what opened it.

use std::sync::Arc;

use super::node::Kind;
use super::{App, Attribute, Node, NodeId, ROOT, Rect, World};

/// How high an item of a menu is, and how wide.
const ITEM: (f64, f64) = (22.0, 180.0);

/// An item of a menu: title, key equivalent with the command key, and what it does.
pub struct Item {
    pub(crate) title: String,
    pub(crate) key: Option<char>,
    pub(crate) effect: Option<super::Effect>,
}

impl Item {
    /// An item.
    pub fn new(
        title: &str,
        key: Option<char>,
        effect: impl Fn(&mut World, i32) + Send + Sync + 'static,
    ) -> Self {
        Self { title: title.to_owned(), key, effect: Some(Arc::new(effect)) }
    }
}

impl App {
    /// Adds a menu to the menu bar, which is made with the first one.
    pub fn menu(&mut self, title: &str, items: Vec<Item>) -> NodeId {
        let bar = self.menu_bar.unwrap_or_else(|| {
            let bar = self.add(
                ROOT,
                Node::new("AXMenuBar").frame(0.0, 0.0, super::DISPLAY.width, super::MENU_BAR_HEIGHT),
            );
            self.node_mut(ROOT).children.retain(|child| *child != bar);
            self.menu_bar = Some(bar);
            bar
        });
        #[allow(clippy::cast_precision_loss, reason = "a handful of menus")]
        let left = 60.0 + 80.0 * self.node(bar).children.len() as f64;
        let opener = self.add(
            bar,
            Node::new("AXMenuBarItem")
                .title(title)
                .frame(left, 0.0, 80.0, super::MENU_BAR_HEIGHT)
                .kind(Kind::MenuOpener),
        );
        self.menu_below(opener, items)
    }

    /// Adds a closed menu to whatever opens it.
    pub fn menu_below(&mut self, opener: NodeId, items: Vec<Item>) -> NodeId {
        let menu = self.add(opener, Node::new("AXMenu").frame(0.0, super::DISPLAY.height, 0.0, 0.0));
        for item in items {
            let mut node = Node::new("AXMenuItem")
                .title(&item.title)
                .frame(0.0, super::DISPLAY.height, 0.0, 0.0)
                .kind(Kind::MenuItem(item.effect));
            if let Some(key) = item.key {
                node = node
                    .with("AXMenuItemCmdChar", Attribute::text(key))
                    .with("AXMenuItemCmdModifiers", Attribute::Int(0));
            }
            self.add(menu, node);
        }
        menu
    }

    fn place_menu(&mut self, menu: NodeId, open_at: Option<(f64, f64)>) {
        let items = self.node(menu).children.clone();
        let closed = Rect::new(0.0, super::DISPLAY.height, 0.0, 0.0);
        #[allow(clippy::cast_precision_loss, reason = "a handful of items")]
        let count = items.len() as f64;
        self.node_mut(menu).frame =
            Some(open_at.map_or(closed, |(x, y)| Rect::new(x, y, ITEM.1, count * ITEM.0)));
        for (index, item) in (0_u32..).zip(items) {
            self.node_mut(item).frame = Some(
                open_at.map_or(closed, |(x, y)| Rect::new(x, y + f64::from(index) * ITEM.0, ITEM.1, ITEM.0)),
            );
        }
    }

    /// The item with that key equivalent.
    pub(crate) fn key_equivalent(&self, key: char) -> Option<NodeId> {
        let wanted = Attribute::text(key.to_uppercase().to_string());
        self.nodes
            .iter()
            .find(|(_, node)| node.attributes.get("AXMenuItemCmdChar") == Some(&wanted))
            .map(|(id, _)| *id)
    }
}

impl World {
    /// Opens the menu below an element.
    pub(crate) fn open_menu(&mut self, pid: i32, opener: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(node) = app.nodes.get(&opener) else { return };
        let frame = node.frame.unwrap_or_default();
        let Some(menu) = node.children.iter().copied().find(|child| app.node(*child).role == "AXMenu") else {
            return;
        };
        app.place_menu(menu, Some((frame.x, frame.y + frame.height)));
        app.open_menu = Some(menu);
        app.node_mut(opener).attributes.insert("AXSelected".into(), Attribute::Bool(true));
        self.notify(pid, menu, "AXMenuOpened");
    }

    /// Closes the open menu of an application.
    pub(crate) fn close_menu(&mut self, pid: i32) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(menu) = app.open_menu.take() else { return };
        if let Some(opener) = app.nodes.get(&menu).and_then(|node| node.parent) {
            app.node_mut(opener).attributes.insert("AXSelected".into(), Attribute::Bool(false));
            app.place_menu(menu, None);
        }
        self.notify(pid, menu, "AXMenuClosed");
    }
}
