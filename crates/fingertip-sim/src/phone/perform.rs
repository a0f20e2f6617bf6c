//! Actions of accessibility services on single nodes.

use super::Phone;
use super::apps::Event;
use super::toolkit::placed::Placed;
use super::toolkit::view::{Axis, Content};
use super::tree::{NodeAction, NodeFlags};

impl Phone {
    pub(crate) fn act(&mut self, key: u64, action: NodeAction) -> bool {
        let Some(placed) = self.find_key(key) else { return false };
        let (flags, tag) = (placed.view.flags, placed.view.tag);
        if !flags.contains(NodeFlags::ENABLED) {
            return false;
        }
        let field = matches!(placed.view.content, Content::Field { .. });
        let Some(tag) = tag else { return matches!(action, NodeAction::ShowOnScreen) && self.show(key) };
        match action {
            NodeAction::Click if flags.contains(NodeFlags::CLICKABLE) => self.click(key, None),
            NodeAction::LongClick if flags.contains(NodeFlags::LONG_CLICKABLE) => self.long_click(key, None),
            NodeAction::SetText(text) if field => self.edit_field(tag, |editor| editor.set_text(&text)),
            NodeAction::SetSelection(start, end) if field => {
                let mut done = false;
                self.edit_field(tag, |editor| done = editor.select_utf16(start, end));
                return done;
            }
            NodeAction::ImeEnter if field => self.dispatch(tag, Event::ImeAction),
            NodeAction::Focus
                if flags.contains(NodeFlags::FOCUSABLE) && tag.package() == Some(self.ui.front) =>
            {
                self.ui.focus.insert(self.ui.front, tag);
            }
            NodeAction::ScrollForward => return self.turn_page(key, true),
            NodeAction::ScrollBackward => return self.turn_page(key, false),
            NodeAction::ShowOnScreen => return self.show(key),
            NodeAction::SetProgress(value) => {
                let Content::Slider(range) = placed.view.content else { return false };
                if !value.is_finite() {
                    return false;
                }
                self.dispatch(tag, Event::Slide(value.clamp(range.min, range.max)));
            }
            _ => return false,
        }
        true
    }

    /// Scrolls by one viewport; `false` at the end.
    fn turn_page(&mut self, key: u64, forward: bool) -> bool {
        let Some(Placed { view, scrolled: Some(scrolled), .. }) = self.find_key(key) else { return false };
        let Some(tag) = view.tag else { return false };
        let step = if forward { scrolled.page } else { -scrolled.page };
        let to = (scrolled.offset + step).clamp(0.0, scrolled.most);
        let moved = (to - scrolled.offset).abs() >= 1.0;
        self.ui.motions.remove(&tag);
        self.ui.offsets.insert(tag, to);
        moved
    }

    /// Scrolls the nearest scroll area around a view until all of it can be seen.
    fn show(&mut self, key: u64) -> bool {
        let roots = self.frame.iter().map(|surface| &surface.root);
        let path = roots.map(|root| root.path_to(&|placed| placed.key == key)).find(|path| !path.is_empty());
        let Some((last, parents)) = path.as_deref().and_then(<[&Placed]>::split_last) else { return false };
        let Some(area) = parents.iter().rev().find(|placed| placed.scrolled.is_some()) else { return true };
        let (Some(tag), Some(scrolled)) = (area.view.tag, area.scrolled) else { return false };
        let (start, end, from, to) = match scrolled.axis {
            Axis::Vertical => (last.bounds.top, last.bounds.bottom, area.bounds.top, area.bounds.bottom),
            Axis::Horizontal => (last.bounds.left, last.bounds.right, area.bounds.left, area.bounds.right),
        };
        let by = if start < from { start - from } else { (end - to).max(0) };
        self.ui.offsets.insert(tag, (scrolled.offset + by as f32).clamp(0.0, scrolled.most));
        true
    }
}
