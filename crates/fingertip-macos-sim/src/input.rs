//! What posted input does to the desktop: who is hit, who has the keyboard, and what they make of it.

use crate::graphics::{Event, kinds};
use crate::world::{Edit, Kind, NodeId, Posted, World};

/// Modifier keys in the flags of an event.
mod flags {
    pub(super) const SHIFT: u64 = 1 << 17;
    pub(super) const CONTROL: u64 = 1 << 18;
    pub(super) const COMMAND: u64 = 1 << 20;
}

/// How far the wheel turns a list for one line.
const LINE: f64 = 10.0;

/// The pointer: where it is, and what its button went down on.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    pub(crate) place: (f64, f64),
    pressed: Option<(i32, NodeId)>,
}

impl World {
    /// Takes an input event, unless the user has not allowed this process to make any.
    pub(crate) fn post(&mut self, event: &Event, to: Option<i32>) {
        if !self.trusted {
            return;
        }
        match event.kind {
            kinds::KEY_DOWN => self.key(event, to.unwrap_or(self.frontmost)),
            kinds::KEY_UP => {}
            _ => self.point(event),
        }
    }

    fn point(&mut self, event: &Event) {
        let (x, y) = (event.x, event.y);
        self.record(Posted::Pointer { kind: event.kind, x, y, clicks: event.clicks });
        if event.kind != kinds::SCROLL {
            self.pointer.place = (x, y);
        }
        match event.kind {
            kinds::LEFT_DOWN => self.press_at(x, y),
            kinds::LEFT_UP => self.release_at(x, y, event.clicks),
            kinds::LEFT_DRAGGED => self.drag_to(x),
            kinds::RIGHT_DOWN => {
                if let Some((pid, node)) = self.element_at(None, x, y) {
                    self.bring_up(pid, node);
                    self.show_context_menu(pid, node);
                }
            }
            kinds::SCROLL => {
                let lines = if event.scrolls_by_line { LINE } else { 1.0 };
                self.scroll_at(x, y, -f64::from(event.scroll[0]) * lines);
            }
            _ => {}
        }
    }

    fn is_hung(&self, pid: i32) -> bool {
        self.apps.get(&pid).is_none_or(|app| app.hung)
    }

    /// A click brings up the window it hits.
    fn bring_up(&mut self, pid: i32, node: NodeId) {
        self.activate(pid);
        if let Some(window) = self.apps.get(&pid).and_then(|app| app.window_of(node)) {
            let is_front = self.apps[&pid].windows.first() == Some(&window)
                && self.stack.first() == Some(&(pid, window));
            if !is_front {
                self.raise(pid, window);
            }
        }
    }

    fn press_at(&mut self, x: f64, y: f64) {
        let hit = self.element_at(None, x, y);
        // A click beside an open menu closes it and does nothing else.
        if let Some(app) = self.apps.get(&self.frontmost)
            && let Some(menu) = app.open_menu
        {
            let inside = hit.is_some_and(|(pid, node)| {
                pid == self.frontmost && (node == menu || app.nodes[&node].parent == Some(menu))
            });
            if !inside {
                self.close_menu(self.frontmost);
                self.pointer.pressed = None;
                return;
            }
        }
        self.pointer.pressed = hit;
        let Some((pid, node)) = hit else { return };
        if self.is_hung(pid) {
            return;
        }
        self.bring_up(pid, node);
        let app = &self.apps[&pid];
        if app.is_blocked(node) {
            self.pointer.pressed = None;
            return;
        }
        let row = self.row_of(pid, node);
        match app.nodes[&node].kind {
            Kind::Text { .. } => self.focus(pid, node),
            Kind::Slider { .. } | Kind::ScrollBar { .. } => self.drag_to(x),
            _ => {}
        }
        if let Some(row) = row {
            self.select_row(pid, row, true);
            if let Some(list) = self.apps[&pid].nodes[&row].parent {
                self.focus(pid, list);
            }
        }
    }

    /// The row that a node is in, or is.
    fn row_of(&self, pid: i32, mut node: NodeId) -> Option<NodeId> {
        let app = self.apps.get(&pid)?;
        loop {
            let found = app.nodes.get(&node)?;
            if matches!(found.kind, Kind::Row { .. }) {
                return Some(node);
            }
            node = found.parent?;
        }
    }

    fn release_at(&mut self, x: f64, y: f64, clicks: i64) {
        let Some(pressed) = self.pointer.pressed.take() else { return };
        if self.element_at(None, x, y) != Some(pressed) || self.is_hung(pressed.0) {
            return;
        }
        let (pid, node) = pressed;
        match self.row_of(pid, node) {
            Some(row) if clicks == 2 => self.press(pid, row),
            Some(_) => {}
            None => {
                // What is drawn inside of a control belongs to it.
                let mut at = Some(node);
                while let Some(id) = at {
                    let found = &self.apps[&pid].nodes[&id];
                    match found.kind {
                        Kind::Passive => at = found.parent,
                        Kind::Text { .. } | Kind::Window | Kind::Rows(_) => return,
                        _ => {
                            self.press(pid, id);
                            return;
                        }
                    }
                }
            }
        }
    }

    fn drag_to(&mut self, x: f64) {
        let Some((pid, node)) = self.pointer.pressed else { return };
        let Some(found) = self.apps.get(&pid).and_then(|app| app.nodes.get(&node)) else { return };
        let (Kind::Slider { minimum, maximum, .. }, Some(frame)) = (&found.kind, found.frame) else { return };
        let part = ((x - frame.x) / frame.width).clamp(0.0, 1.0);
        let number = minimum + part * (maximum - minimum);
        self.set_number(pid, node, number);
    }

    fn scroll_at(&mut self, x: f64, y: f64, distance: f64) {
        let Some((pid, mut node)) = self.element_at(None, x, y) else { return };
        let Some(app) = self.apps.get_mut(&pid).filter(|app| !app.hung) else { return };
        while let Some(found) = app.nodes.get(&node) {
            if let Kind::Rows(rows) = &found.kind {
                let offset = rows.offset + distance;
                app.scroll_list(node, offset);
                self.notify(pid, node, "AXValueChanged");
                return;
            }
            let Some(parent) = found.parent else { return };
            node = parent;
        }
    }

    fn show_context_menu(&mut self, pid: i32, mut node: NodeId) {
        let Some(app) = self.apps.get(&pid) else { return };
        while let Some(found) = app.nodes.get(&node) {
            if found
                .children
                .iter()
                .any(|child| app.nodes.get(child).is_some_and(|child| child.role == "AXMenu"))
            {
                self.open_menu(pid, node);
                return;
            }
            let Some(parent) = found.parent else { return };
            node = parent;
        }
    }

    fn key(&mut self, event: &Event, pid: i32) {
        let typed = event.text.as_ref().map(|units| String::from_utf16_lossy(units));
        let plain =
            typed.clone().or_else(|| character(event.key, event.flags & flags::SHIFT != 0).map(String::from));
        self.record(Posted::Key { code: event.key, flags: event.flags, text: typed.unwrap_or_default() });
        // Another program keeps the keyboard to itself: the event is lost.
        if self.secure_input || self.is_hung(pid) {
            return;
        }
        if event.key == keys::ESCAPE && self.apps[&pid].open_menu.is_some() {
            self.close_menu(pid);
            return;
        }
        let focus = self.apps[&pid].focused;
        if event.flags & flags::COMMAND != 0 {
            if let Some(letter) = plain.as_deref().and_then(|text| text.chars().next()) {
                self.command(pid, focus, letter);
            }
            return;
        }
        if event.flags & flags::CONTROL != 0 {
            return;
        }
        let Some(focus) = focus.filter(|focus| self.apps[&pid].nodes.contains_key(focus)) else { return };
        if event.text.is_none()
            && let Some(edit) = keys::edit(event.key)
        {
            self.edit_text(pid, focus, edit);
            return;
        }
        match self.apps[&pid].nodes[&focus].kind.clone() {
            Kind::Text { multiline: false, .. } if event.key == keys::RETURN => self.press(pid, focus),
            Kind::Text { .. } if event.key == keys::TAB && event.text.is_none() => {
                self.next_field(pid, focus);
            }
            Kind::Text { .. } => {
                if let Some(text) = plain {
                    self.insert_text(pid, focus, &text);
                }
            }
            Kind::Rows(_) if event.key == keys::RETURN => self.press_selected(pid, focus),
            Kind::Button(_) | Kind::Switch | Kind::Radio if event.key == keys::SPACE => {
                self.press(pid, focus);
            }
            _ => {}
        }
    }

    fn press_selected(&mut self, pid: i32, list: NodeId) {
        let selected = self.apps[&pid]
            .nodes
            .iter()
            .find(|(_, node)| node.parent == Some(list) && node.is_true("AXSelected"))
            .map(|(id, _)| *id);
        if let Some(row) = selected {
            self.press(pid, row);
        }
    }

    fn next_field(&mut self, pid: i32, from: NodeId) {
        let fields: Vec<_> = self.apps[&pid]
            .nodes
            .iter()
            .filter(|(_, node)| matches!(node.kind, Kind::Text { .. }))
            .map(|(id, _)| *id)
            .collect();
        let after = fields.iter().position(|field| *field == from).map_or(0, |at| (at + 1) % fields.len());
        self.focus(pid, fields[after]);
    }

    /// The command key with a letter: the menus first, then what every text knows.
    fn command(&mut self, pid: i32, focus: Option<NodeId>, letter: char) {
        if let Some(item) = self.apps[&pid].key_equivalent(letter) {
            self.press(pid, item);
            return;
        }
        let Some(focus) = focus else { return };
        let Some(node) = self.apps[&pid].nodes.get(&focus) else { return };
        if !matches!(node.kind, Kind::Text { .. }) {
            return;
        }
        let (location, length) = node.selection;
        let selected = node.edited.get(location..location + length).map(String::from_utf16_lossy);
        match letter.to_ascii_lowercase() {
            'a' => self.edit_text(pid, focus, Edit::SelectAll),
            'c' | 'x' if node.is_secure() || length == 0 => {}
            'c' => self.clipboard = selected,
            'x' => {
                self.clipboard = selected;
                self.edit_text(pid, focus, Edit::DeleteBefore);
            }
            'v' => {
                if let Some(text) = self.clipboard.clone() {
                    self.insert_text(pid, focus, &text);
                }
            }
            _ => {}
        }
    }
}

/// Virtual key codes.
mod keys {
    use super::Edit;

    pub(super) const RETURN: u16 = 36;
    pub(super) const TAB: u16 = 48;
    pub(super) const SPACE: u16 = 49;
    pub(super) const ESCAPE: u16 = 53;

    pub(super) fn edit(key: u16) -> Option<Edit> {
        Some(match key {
            51 => Edit::DeleteBefore,
            117 => Edit::DeleteAfter,
            123 => Edit::Left,
            124 => Edit::Right,
            115 => Edit::Start,
            119 => Edit::End,
            _ => return None,
        })
    }
}

/// What a key types on a US keyboard.
fn character(key: u16, shift: bool) -> Option<char> {
    const LETTERS: [(u16, char); 26] = [
        (0, 'a'),
        (11, 'b'),
        (8, 'c'),
        (2, 'd'),
        (14, 'e'),
        (3, 'f'),
        (5, 'g'),
        (4, 'h'),
        (34, 'i'),
        (38, 'j'),
        (40, 'k'),
        (37, 'l'),
        (46, 'm'),
        (45, 'n'),
        (31, 'o'),
        (35, 'p'),
        (12, 'q'),
        (15, 'r'),
        (1, 's'),
        (17, 't'),
        (32, 'u'),
        (9, 'v'),
        (13, 'w'),
        (7, 'x'),
        (16, 'y'),
        (6, 'z'),
    ];
    const OTHERS: [(u16, char, char); 21] = [
        (29, '0', ')'),
        (18, '1', '!'),
        (19, '2', '@'),
        (20, '3', '#'),
        (21, '4', '$'),
        (23, '5', '%'),
        (22, '6', '^'),
        (26, '7', '&'),
        (28, '8', '*'),
        (25, '9', '('),
        (27, '-', '_'),
        (24, '=', '+'),
        (33, '[', '{'),
        (30, ']', '}'),
        (41, ';', ':'),
        (39, '\'', '"'),
        (43, ',', '<'),
        (47, '.', '>'),
        (44, '/', '?'),
        (49, ' ', ' '),
        (36, '\n', '\n'),
    ];
    if let Some((_, letter)) = LETTERS.iter().find(|(code, _)| *code == key) {
        return Some(if shift { letter.to_ascii_uppercase() } else { *letter });
    }
    OTHERS
        .iter()
        .find(|(code, _, _)| *code == key)
        .map(|(_, plain, shifted)| if shift { *shifted } else { *plain })
}
