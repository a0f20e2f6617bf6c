//! Who is in front, and who has the keyboard.

use super::node::Kind;
use super::{App, NodeId, ROOT, World};

impl World {
    /// Brings an application to the front with all its windows.
    pub fn activate(&mut self, pid: i32) {
        if !self.apps.contains_key(&pid) {
            return;
        }
        if let Some(app) = self.apps.get_mut(&pid) {
            app.hidden = false;
        }
        if self.frontmost == pid {
            return;
        }
        let before = std::mem::replace(&mut self.frontmost, pid);
        let (mut own, others): (Vec<_>, Vec<_>) = self.stack.drain(..).partition(|(owner, _)| *owner == pid);
        own.extend(others);
        self.stack = own;
        if self.apps.contains_key(&before) {
            self.close_menu(before);
            self.notify(before, ROOT, "AXApplicationDeactivated");
        }
        self.notify(pid, ROOT, "AXApplicationActivated");
        if let Some(window) = self.apps.get(&pid).and_then(App::front_window) {
            self.notify(pid, window, "AXFocusedWindowChanged");
        }
    }

    /// Gives an element the keyboard of its application.
    pub fn focus(&mut self, pid: i32, id: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        if app.focused != Some(id) {
            app.focused = Some(id);
            self.notify(pid, id, "AXFocusedUIElementChanged");
        }
    }

    /// The text with the keyboard now.
    pub(crate) fn focused_text(&self) -> Option<(i32, NodeId)> {
        let app = self.apps.get(&self.frontmost)?;
        let id = app.focused?;
        matches!(app.nodes.get(&id)?.kind, Kind::Text { .. }).then_some((self.frontmost, id))
    }

    /// Whether the keyboard is kept to a password field.
    #[must_use]
    pub fn keyboard_is_secure(&self) -> bool {
        self.secure_input || self.focused_text().is_some_and(|(pid, id)| self.apps[&pid].node(id).is_secure())
    }
}
