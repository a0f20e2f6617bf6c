//! What the state must give up or follow once the windows are built: pages that changed their width, offsets
//! beyond the end, a focus on what is gone, a cursor off screen.

use super::Phone;
use super::toolkit::text::to_shown;
use super::toolkit::view::{Axis, Content};
use super::tree::WindowKind;

impl Phone {
    /// After a turn of the screen pages are as wide as the new screen.
    pub(crate) fn rescale_pages(&mut self) {
        let width = self.size().0;
        if self.ui.width == width {
            return;
        }
        let factor = width as f32 / self.ui.width.max(1) as f32;
        self.ui.width = width;
        self.ui.motions.clear();
        let pagers = self.frame.iter().flat_map(|surface| surface.root.walk());
        let pagers =
            pagers.filter(|placed| placed.scrolled.is_some_and(|scrolled| scrolled.axis == Axis::Horizontal));
        for tag in pagers.filter_map(|placed| placed.view.tag) {
            self.ui.offsets.entry(tag).and_modify(|offset| *offset *= factor);
        }
    }

    /// Offsets beyond the end are forgotten, so that scrolling back starts at the end.
    pub(crate) fn remember_offsets(&mut self) {
        for placed in self.frame.iter().flat_map(|surface| surface.root.walk()) {
            if let (Some(scrolled), Some(tag)) = (placed.scrolled, placed.view.tag) {
                self.ui.offsets.insert(tag, scrolled.offset);
            }
        }
    }

    /// A view that is gone cannot keep the focus.
    pub(crate) fn forget_lost_focus(&mut self) -> bool {
        let Some(focus) = self.ui.focus.get(self.ui.front) else { return false };
        if self.frame[0].root.find(*focus).is_some() {
            return false;
        }
        self.ui.focus.remove(self.ui.front);
        self.ui.keyboard = false;
        true
    }

    /// Brings the cursor of the focused field into view, once after each edit: scrolls the area around it,
    /// or moves a window that the keyboard covers.
    pub(crate) fn reveal_caret(&mut self) -> bool {
        if !std::mem::take(&mut self.ui.reveal) {
            return false;
        }
        let Some(focus) = self.ui.focus.get(self.ui.front) else { return false };
        let path = self.frame[0].root.path_to(&|placed| placed.view.tag == Some(*focus));
        let Some(field) = path.last() else { return false };
        let (Content::Field { editor, .. }, Some(laid)) = (&field.view.content, &field.text) else {
            return false;
        };
        let margin = laid.line_height() / 2.0;
        let top = laid.position(to_shown(editor, editor.cursor())).y - margin;
        let bottom = top + laid.line_height() + 2.0 * margin;
        let Some(area) = path.iter().rev().find(|placed| placed.scrolled.is_some()) else { return false };
        let (Some(tag), Some(scrolled)) = (area.view.tag, area.scrolled) else { return false };
        let above = area.bounds.top as f32 - top;
        let by = if above > 0.0 { -above } else { (bottom - area.bounds.bottom as f32).max(0.0) };
        let keyboard = self.frame.iter().find(|surface| surface.kind == WindowKind::InputMethod);
        let covered = keyboard
            .filter(|_| !self.front().resizes())
            .map_or(0.0, |keyboard| (bottom - by - keyboard.bounds.top as f32).max(0.0));
        self.ui.offsets.insert(tag, scrolled.offset + by);
        self.ui.pan += covered;
        by != 0.0 || covered != 0.0
    }
}
