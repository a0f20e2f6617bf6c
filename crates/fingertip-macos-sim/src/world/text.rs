//! Editing text, in UTF-16 units as AppKit counts, by whole characters as its user does.

use super::node::Kind;
use super::{NodeId, World};

/// What a key does to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    DeleteBefore,
    DeleteAfter,
    Left,
    Right,
    Start,
    End,
    SelectAll,
}

/// The boundary of a character before or after a place. A pair and what combines with a character go with it.
fn boundary(units: &[u16], from: usize, forwards: bool) -> usize {
    let combines =
        |unit: u16| (0x300..0x370).contains(&unit) || (0xfe00..=0xfe0f).contains(&unit) || unit == 0x200d;
    let inside_pair = |at: usize| at > 0 && at < units.len() && (0xdc00..0xe000).contains(&units[at]);
    let mut at = from;
    loop {
        if forwards {
            at += 1;
        } else if at == 0 {
            return 0;
        } else {
            at -= 1;
        }
        if at >= units.len() {
            return units.len();
        }
        if !inside_pair(at) && !combines(units[at]) {
            return at;
        }
    }
}

impl World {
    /// Puts text in the place of the selection.
    pub(crate) fn insert_text(&mut self, pid: i32, id: NodeId, text: &str) {
        let Some(node) = self.apps.get_mut(&pid).and_then(|app| app.nodes.get_mut(&id)) else { return };
        let Kind::Text { multiline, .. } = node.kind else { return };
        if node.is_disabled() || node.is_true("AXReadOnly") {
            return;
        }
        let units: Vec<u16> =
            text.encode_utf16().filter(|unit| multiline || !matches!(*unit, 0x0a | 0x0d)).collect();
        let (location, length) = node.selection;
        let end = (location + length).min(node.edited.len());
        node.edited.splice(location.min(end)..end, units.iter().copied());
        node.selection = (location + units.len(), 0);
        self.notify(pid, id, "AXValueChanged");
    }

    pub(crate) fn edit_text(&mut self, pid: i32, id: NodeId, edit: Edit) {
        let Some(node) = self.apps.get_mut(&pid).and_then(|app| app.nodes.get_mut(&id)) else { return };
        if !matches!(node.kind, Kind::Text { .. }) {
            return;
        }
        let (location, length) = node.selection;
        let total = node.edited.len();
        let removed = match edit {
            Edit::DeleteBefore | Edit::DeleteAfter if length > 0 => {
                Some(location..(location + length).min(total))
            }
            Edit::DeleteBefore => Some(boundary(&node.edited, location, false)..location),
            Edit::DeleteAfter => Some(location..boundary(&node.edited, location, true)),
            Edit::Left => {
                node.selection = (boundary(&node.edited, location, false), 0);
                None
            }
            Edit::Right => {
                node.selection = (boundary(&node.edited, location, true), 0);
                None
            }
            Edit::Start => {
                node.selection = (0, 0);
                None
            }
            Edit::End => {
                node.selection = (total, 0);
                None
            }
            Edit::SelectAll => {
                node.selection = (0, total);
                None
            }
        };
        match removed {
            Some(range) if range.is_empty() => {}
            Some(range) => {
                node.selection = (range.start, 0);
                node.edited.drain(range);
                self.notify(pid, id, "AXValueChanged");
            }
            None => self.notify(pid, id, "AXSelectedTextChanged"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{App, Node};

    fn edited(text: &str, edits: &[Edit]) -> String {
        let mut app = App::new("Editor", "org.example.editor");
        let window = app.window("Page", 0.0, 30.0, 100.0, 100.0);
        let page = app.add(window, Node::text_area(text));
        let mut world = World::default();
        let pid = world.start(app);
        edits.iter().for_each(|edit| world.edit_text(pid, page, *edit));
        world.insert_text(pid, page, "|");
        world.apps[&pid].node(page).text()
    }

    #[test]
    fn a_character_is_deleted_whole() {
        assert_eq!(edited("a\u{1f600}", &[Edit::DeleteBefore]), "a|");
        assert_eq!(edited("ae\u{301}", &[Edit::DeleteBefore]), "a|");
        assert_eq!(edited("", &[Edit::DeleteBefore, Edit::DeleteAfter]), "|");
    }

    #[test]
    fn the_cursor_moves_by_characters_and_replaces_what_is_selected() {
        assert_eq!(edited("a\u{1f600}b", &[Edit::Left, Edit::Left]), "a|\u{1f600}b");
        assert_eq!(edited("abc", &[Edit::Start, Edit::Right]), "a|bc");
        assert_eq!(edited("abc", &[Edit::SelectAll]), "|");
        assert_eq!(edited("abc", &[Edit::Start, Edit::DeleteAfter, Edit::End]), "bc|");
    }
}
