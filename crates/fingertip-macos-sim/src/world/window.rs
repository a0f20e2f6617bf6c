//! Windows: their order, closing, minimizing, sheets, and what lies at a point.

use super::node::Kind;
use super::{App, Attribute, Node, NodeId, Rect, World};

impl World {
    /// Puts a new window of an application in front of all.
    pub fn show_window(&mut self, pid: i32, window: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        app.number_windows(&mut self.next_window_number);
        self.stack.retain(|entry| *entry != (pid, window));
        self.stack.insert(0, (pid, window));
        self.notify(pid, window, "AXWindowCreated");
        self.raise(pid, window);
    }

    /// Brings a window in front of the others of its application, and of all if the application is in front.
    pub(crate) fn raise(&mut self, pid: i32, window: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        app.windows.retain(|other| *other != window);
        app.windows.insert(0, window);
        if let Some(at) = self.stack.iter().position(|entry| *entry == (pid, window)) {
            let entry = self.stack.remove(at);
            let front = if self.frontmost == pid {
                0
            } else {
                self.stack.iter().position(|(owner, _)| *owner == pid).unwrap_or(at)
            };
            self.stack.insert(front, entry);
        }
        self.notify(pid, window, "AXMainWindowChanged");
        self.notify(pid, window, "AXFocusedWindowChanged");
    }

    pub(crate) fn close_window(&mut self, pid: i32, window: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        if app.sheet_of(window).is_some() {
            return;
        }
        app.remove(window);
        self.stack.retain(|entry| *entry != (pid, window));
        self.notify(pid, window, "AXUIElementDestroyed");
        if let Some(next) = self.apps.get(&pid).and_then(App::front_window) {
            self.notify(pid, next, "AXFocusedWindowChanged");
        }
    }

    pub(crate) fn minimize_window(&mut self, pid: i32, window: NodeId) {
        self.set_minimized(pid, window, true);
    }

    pub(crate) fn set_minimized(&mut self, pid: i32, window: NodeId, minimized: bool) {
        let Some(node) = self.apps.get_mut(&pid).and_then(|app| app.nodes.get_mut(&window)) else { return };
        node.attributes.insert("AXMinimized".into(), Attribute::Bool(minimized));
        self.notify(pid, window, if minimized { "AXWindowMiniaturized" } else { "AXWindowDeminiaturized" });
    }

    /// Moves a window with everything in it.
    pub(crate) fn move_window(&mut self, pid: i32, window: NodeId, x: f64, y: f64) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(frame) = app.nodes.get(&window).and_then(|node| node.frame) else { return };
        app.shift(window, x - frame.x, y - frame.y);
        self.notify(pid, window, "AXMoved");
    }

    pub(crate) fn resize_window(&mut self, pid: i32, window: NodeId, width: f64, height: f64) {
        let Some(node) = self.apps.get_mut(&pid).and_then(|app| app.nodes.get_mut(&window)) else { return };
        if let Some(frame) = &mut node.frame {
            (frame.width, frame.height) = (width, height);
        }
        self.notify(pid, window, "AXResized");
    }

    /// Hangs a sheet on a window: until it is gone, the rest of the window does not react.
    pub fn show_sheet(&mut self, pid: i32, window: NodeId, fill: impl FnOnce(&mut App, NodeId)) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(frame) = app.nodes.get(&window).and_then(|node| node.frame) else { return };
        let sheet = app.add(
            window,
            Node::new("AXSheet").with("AXModal", Attribute::Bool(true)).frame(
                frame.x + 40.0,
                frame.y + 28.0,
                frame.width - 80.0,
                140.0,
            ),
        );
        fill(app, sheet);
        self.notify(pid, sheet, "AXSheetCreated");
    }

    /// Takes the sheet of a window away.
    pub fn end_sheet(&mut self, pid: i32, window: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(sheet) = app.sheet_of(window) else { return };
        app.remove(sheet);
        self.notify(pid, sheet, "AXUIElementDestroyed");
    }

    /// Windows on the screen with their frames, the topmost first. Menus lie above all.
    pub(crate) fn on_screen(&self) -> Vec<(i32, NodeId, Rect)> {
        let menu = self.apps.get(&self.frontmost).and_then(|app| {
            let menu = app.open_menu?;
            Some((self.frontmost, menu, app.nodes.get(&menu)?.frame?))
        });
        // A sheet is a window of its own to the window server, above the one it hangs on.
        let windows = self.stack.iter().flat_map(|(pid, window)| {
            let shown = || {
                let app = self.apps.get(pid)?;
                let node = app.nodes.get(window)?;
                let frame = node.frame.filter(|_| !app.hidden && !node.is_true("AXMinimized"))?;
                let sheet = app
                    .sheet_of(*window)
                    .and_then(|sheet| Some((*pid, sheet, app.nodes.get(&sheet)?.frame?)));
                Some(sheet.into_iter().chain([(*pid, *window, frame)]))
            };
            shown().into_iter().flatten()
        });
        menu.into_iter().chain(windows).collect()
    }

    /// The element at a point, by the order of windows: of one application, or of whichever lies on top.
    pub(crate) fn element_at(&mut self, only: Option<i32>, x: f64, y: f64) -> Option<(i32, NodeId)> {
        if y < super::MENU_BAR_HEIGHT
            && let Some(app) = self.apps.get_mut(&self.frontmost)
            && only.is_none_or(|pid| pid == self.frontmost)
            && let Some(bar) = app.menu_bar
        {
            return Some((self.frontmost, app.deepest(bar, x, y)));
        }
        let (pid, window, _) = self
            .on_screen()
            .into_iter()
            .filter(|(pid, _, _)| only.is_none_or(|only| only == *pid))
            .find(|(_, _, frame)| frame.contains(x, y))?;
        let app = self.apps.get_mut(&pid)?;
        Some((pid, app.deepest(window, x, y)))
    }
}

impl App {
    /// The sheet that hangs on a window.
    #[must_use]
    pub fn sheet_of(&self, window: NodeId) -> Option<NodeId> {
        let children = &self.nodes.get(&window)?.children;
        children
            .iter()
            .copied()
            .find(|child| self.nodes.get(child).is_some_and(|node| node.role == "AXSheet"))
    }

    /// Whether a sheet keeps an element from reacting.
    pub(crate) fn is_blocked(&self, id: NodeId) -> bool {
        let Some(sheet) = self.window_of(id).and_then(|window| self.sheet_of(window)) else { return false };
        let mut at = Some(id);
        while let Some(node) = at {
            if node == sheet {
                return false;
            }
            at = self.nodes.get(&node).and_then(|node| node.parent);
        }
        true
    }

    /// Moves a node and all below it.
    pub(crate) fn shift(&mut self, id: NodeId, x: f64, y: f64) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.frame = node.frame.map(|frame| frame.moved(x, y));
        let mut below = node.children.clone();
        if let Kind::Rows(rows) = &node.kind {
            let range = rows.first..NodeId(rows.first.0 + rows.nodes());
            for (_, made) in self.nodes.range_mut(range) {
                made.frame = made.frame.map(|frame| frame.moved(x, y));
            }
            below.clear();
        }
        below.into_iter().for_each(|child| self.shift(child, x, y));
    }

    /// The innermost element at a point, what was added last first.
    fn deepest(&mut self, id: NodeId, x: f64, y: f64) -> NodeId {
        let Some(node) = self.nodes.get(&id) else { return id };
        let frame = node.frame.unwrap_or_default();
        if let Kind::Rows(rows) = &node.kind {
            let row = rows.visible(frame).find(|index| rows.row_frame(frame, *index).contains(x, y));
            let row = row.map(|index| rows.row(index));
            return row.map_or(id, |row| {
                self.realize(row);
                self.deepest(row, x, y)
            });
        }
        let mut candidates = node.children.clone();
        // A node without a frame of its own is only a grouping of others.
        if node.role == "AXSheet" && !frame.contains(x, y) {
            candidates.clear();
        }
        for child in candidates.into_iter().rev() {
            let Some(node) = self.nodes.get(&child) else { continue };
            if node.role == "AXMenu" {
                continue;
            }
            match node.frame {
                Some(frame) if frame.contains(x, y) => return self.deepest(child, x, y),
                None => {
                    let inner = self.deepest(child, x, y);
                    if inner != child {
                        return inner;
                    }
                }
                Some(_) => {}
            }
        }
        id
    }
}
