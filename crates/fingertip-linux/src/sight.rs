//! Decides where objects are and whether they can be seen.

use fingertip_core::Rect;

use crate::place::{Shift, unwrapped};
use crate::roles;
use crate::toolkit::Toolkit;
use crate::tree::Forest;
use crate::windows::Top;
use crate::x11::XWindow;

/// The objects of an application, and what was decided of them.
pub(crate) struct Sight<'a> {
    pub(crate) forest: &'a Forest,
    pub(crate) told: &'a [Option<Rect>],
    pub(crate) toolkit: Toolkit,
    /// Bounds on the screen and whether it can be seen, by position.
    pub(crate) spots: Vec<Option<(Rect, bool)>>,
}

impl Sight<'_> {
    /// Looks at a window and everything in it.
    pub(crate) fn look(&mut self, window: usize, top: &Top, shown: Option<&XWindow>, has_screen: bool) {
        let shift = shown.map_or_else(Shift::default, |shown| Shift::of(top.told, shown.bounds, shown.frame));
        let is_shown = match shown {
            Some(shown) => !shown.minimized,
            // Chromium keeps windows without a name ready for popups that are not there.
            None => self.forest.objects[window].states.is_showing() && !(has_screen && top.title.is_empty()),
        };
        let area = shift.apply(top.told);
        let mut open = vec![(window, area, true)];
        while let Some((place, clip, parent_open)) = open.pop() {
            if self.spots[place].is_some() {
                continue;
            }
            let object = &self.forest.objects[place];
            let mut bounds = shift.apply(self.told[place].unwrap_or_default());
            if self.toolkit.wraps_places() && object.states.is_showing() {
                bounds = unwrapped(bounds, clip);
            }
            let showing = if self.toolkit.tells_showing() {
                object.states.is_showing()
            } else {
                bounds.overlaps(clip) || place == window
            };
            let visible = is_shown && showing && parent_open && !bounds.is_empty();
            self.spots[place] = Some((bounds, visible));
            // A list that is not dropped down still says that its chosen item is showing.
            let is_open = visible || object.role != roles::number::MENU;
            let clips = roles::clips(object.role) && !bounds.is_empty();
            let clip = if clips { clip.intersection(bounds) } else { clip };
            open.extend(object.children.iter().map(|&child| (child, clip, is_open)));
        }
    }
}
