//! Decides where objects are and whether they can be seen.

use fingertip_core::Rect;
use fingertip_desktop::{ListedWindow, TopWindow};

use crate::place::{Placing, Shift, is_nowhere, unwrapped};
use crate::roles;
use crate::toolkit::Toolkit;
use crate::tree::AccessibleTree;
use crate::tree::astray::Astray;

/// By how many pixels, as its application counts them, the window of a popover may be larger than the popover.
const MOST_MARGIN: i32 = 16;

/// The objects of an application, and what was decided of them.
pub(crate) struct Visibility<'a> {
    pub(crate) tree: &'a AccessibleTree,
    pub(crate) reported: &'a [Option<Rect>],
    pub(crate) toolkit: Toolkit,
    /// What the reported places mean.
    pub(crate) placing: Placing,
    /// Where its popups are that the window manager leaves alone; `None` where that is not known.
    pub(crate) popups: Option<Vec<Rect>>,
    /// The pages of stacks that are not shown; see [`crate::tree::pages`].
    pub(crate) put_away: Vec<usize>,
    /// The lists that tell their items from elsewhere; see [`crate::tree::astray`].
    pub(crate) astray: Vec<Astray>,
    /// Bounds on the screen and whether it can be seen, by position. What can be seen and has no bounds is somewhere, but
    /// not known for certain.
    pub(crate) spots: Vec<Option<(Rect, bool)>>,
}

impl Visibility<'_> {
    /// Looks at a window and everything in it. Whether it is `certain` that it is the one that is shown counts only where
    /// places do not distinguish windows.
    pub(crate) fn look(
        &mut self,
        window: usize,
        top: &TopWindow,
        shown: Option<&ListedWindow>,
        has_screen: bool,
        is_certain: bool,
    ) {
        let placed = self.placed(window, top.reported, shown, has_screen, is_certain);
        let (shift, is_placed) = (placed.unwrap_or_default(), placed.is_some());
        let is_shown = match shown {
            Some(shown) => !shown.minimized,
            // Chromium keeps windows without a name ready for popups that are not there.
            None => self.tree.objects[window].states.is_showing() && !(has_screen && top.title.is_empty()),
        };
        // A frame of Swing does not know its place, though all that is in it does.
        let own = if is_nowhere(top.reported) || top.reported.is_empty() || !is_placed {
            shown.map(|shown| shown.bounds)
        } else {
            None
        };
        let area = own.unwrap_or_else(|| shift.apply(top.reported));
        let first =
            Step { place: window, clip: area, is_open: true, is_placed, shift, outside: shift, outer: None };
        let mut open = vec![first];
        while let Some(Step { place, clip, is_open: parent_open, is_placed, shift, outside, outer }) =
            open.pop()
        {
            if self.spots[place].is_some() {
                continue;
            }
            let object = &self.tree.objects[place];
            let reported = self.reported[place].unwrap_or_default();
            let mut shift =
                outer.map_or(shift, |outer| self.inner_shift(place, reported, outer, shift, outside));
            let mut clip = clip;
            if let Some(popups) = self.popups.as_ref().filter(|_| self.toolkit.is_popover(&object.name)) {
                // A closed one keeps the size it had, and has no window.
                let most = shift.scaled(Rect::new(0, 0, MOST_MARGIN, 0)).width();
                clip = window_of(shift.scaled(reported), most, popups).unwrap_or_default();
                shift = shift.centred(reported, clip);
            }
            let own = own.filter(|_| place == window);
            let mut bounds = own.unwrap_or_else(|| shift.apply(reported));
            let has_size = !bounds.is_empty();
            if !is_placed && own.is_none() {
                bounds = Rect::default();
            }
            if self.toolkit.wraps_places() && object.states.is_showing() && is_placed {
                bounds = unwrapped(bounds, clip);
            }
            let showing = if self.toolkit.tells_showing() {
                object.states.is_showing()
            } else {
                bounds.overlaps(clip) || place == window || !is_placed
            };
            // A row may be scrolled out of its list, a tab of its bar, and either with all around it.
            let is_scrolled_out = self.toolkit.shows_scrolled_out()
                && is_placed
                && outer.is_some_and(|(role, around)| {
                    let clip = if roles::holds_back(role) { around.intersection(clip) } else { clip };
                    !bounds.overlaps(clip)
                });
            let is_in_closed_menu = self.toolkit.hides_open_menus()
                && outer.is_some_and(|(role, _)| role == roles::number::MENU)
                && !self.has_popup_at(bounds);
            let visible =
                is_shown && showing && parent_open && has_size && !is_scrolled_out && !is_in_closed_menu;
            self.spots[place] = Some((bounds, visible));
            // A list that is not dropped down still says that its chosen item is showing.
            let has_no_size = self.reported[place].is_some_and(Rect::is_empty);
            let is_closed = self.toolkit.closes_to_nothing() && has_no_size && place != window;
            let is_open = parent_open && !is_closed && (visible || object.role != roles::number::MENU);
            let is_folded = self.toolkit.keeps_options_showing()
                && object.role == roles::number::COMBO_BOX
                && !object.states.is_expanded();
            let is_box = self.toolkit.scrolls_in_boxes() && has_bars(self.tree, place);
            let clips = (roles::clips(object.role) || is_box) && !bounds.is_empty();
            let clip = if clips { clip.intersection(bounds) } else { clip };
            let outer = Some((object.role, bounds));
            if let Some((_, (right, down))) = self.astray.iter().find(|(list, _)| *list == place) {
                let by = shift.scaled(Rect::new(0, 0, *right, *down));
                shift = shift.moved(by.right, by.bottom);
            }
            open.extend(object.children.iter().map(|&child| {
                let is_open = is_open
                    && !(is_folded && self.is_put_away(child, shift))
                    && !self.put_away.contains(&child);
                // What drops down or pops up is in a window of its own.
                let is_apart = self.toolkit.opens_apart(object, &self.tree.objects[child]);
                let whole = shift.apply(self.reported[child].unwrap_or_default());
                let clip = if is_apart && self.toolkit.shows_scrolled_out() { whole } else { clip };
                let is_placed = is_placed && (self.placing == Placing::OnScreen || !is_apart);
                Step { place: child, clip, is_open, is_placed, shift, outside, outer }
            }));
        }
    }

    /// The shift of a window; `None` where it cannot be placed for certain.
    fn placed(
        &self,
        window: usize,
        reported: Rect,
        shown: Option<&ListedWindow>,
        has_screen: bool,
        is_certain: bool,
    ) -> Option<Shift> {
        match (self.placing, shown) {
            (Placing::OnScreen, Some(shown)) => {
                Some(Shift::of(reported, shown.bounds, shown.frame, self.toolkit.scaling()))
            }
            (placing, Some(_)) if placing.is_in_surfaces() && !is_certain => None,
            (Placing::InSurfaces, Some(shown)) => {
                Shift::in_surface(reported, shown.bounds, self.outer_places(window))
            }
            (Placing::InListedSurfaces, Some(shown)) => {
                Shift::in_listed_surface(reported, shown.bounds, shown.frame)
            }
            (Placing::InBuffers, Some(shown)) => Shift::in_buffer(self.toolkit, reported, shown.bounds),
            (placing, None) if placing.is_in_surfaces() && has_screen => None,
            (_, None) => Some(Shift::default()),
        }
    }

    /// The places of the first levels of what is in a window.
    fn outer_places(&self, window: usize) -> impl Iterator<Item = Rect> {
        let below = |places: &[usize]| -> Vec<usize> {
            places.iter().flat_map(|&place| self.tree.objects[place].children.iter().copied()).collect()
        };
        let first = below(&[window]);
        let (second, third) = (below(&first), below(&below(&first)));
        let all = [first, second, third].concat();
        all.into_iter().filter_map(|place| self.reported[place])
    }

    /// Whether what drops down from a combo box is not there: Qt 5 does not say when it is, but it has a window then.
    fn is_put_away(&self, place: usize, shift: Shift) -> bool {
        let bounds = shift.apply(self.reported[place].unwrap_or_default());
        roles::drops_down(self.tree.objects[place].role) && !self.has_popup_at(bounds)
    }

    /// Whether something there is shown in a window that pops up.
    fn has_popup_at(&self, bounds: Rect) -> bool {
        let popups = self.popups.as_deref().unwrap_or_default();
        popups.iter().any(|popup| popup.contains(bounds.center()))
    }

    /// The shift of a pane that reports another place than what it fills: LibreOffice draws its own controls in a box of
    /// GTK, and counts from the window instead of from the box. A control of GTK that fills one of these again is reported
    /// correctly, as all that is `outside` of the pane.
    fn inner_shift(
        &self,
        place: usize,
        reported: Rect,
        outer: (u32, Rect),
        shift: Shift,
        outside: Shift,
    ) -> Shift {
        let (_, around) = outer;
        if reported.is_empty() {
            return shift;
        }
        if self.tree.objects[place].role == roles::number::ROOT_PANE {
            let bounds = shift.apply(reported);
            let fills = bounds.width() == around.width() && bounds.height() == around.height();
            return if fills {
                shift.moved(around.left - bounds.left, around.top - bounds.top)
            } else {
                shift
            };
        }
        let is_right = shift != outside && fills(outside.apply(reported), around);
        if is_right { outside } else { shift }
    }
}

/// The window that shows a popover drawn at this size. It is as large or larger by a margin of so much at the most: what
/// drops down from a GTK 4 drop-down stands off from its button.
fn window_of(shown: Rect, most: i32, popups: &[Rect]) -> Option<Rect> {
    let margin = |popup: &Rect| {
        let (across, down) = (popup.width() - shown.width(), popup.height() - shown.height());
        (across >= 0 && down >= 0).then_some(across.max(down)).filter(|margin| *margin <= most)
    };
    popups
        .iter()
        .filter_map(|popup| Some((margin(popup)?, *popup)))
        .min_by_key(|(margin, _)| *margin)
        .map(|found| found.1)
}

/// Whether an object has visible scroll bars, by itself or each in a box, as Qt has them.
pub(crate) fn has_bars(tree: &AccessibleTree, place: usize) -> bool {
    let is_bar = |place: usize| {
        let object = &tree.objects[place];
        object.role == roles::number::SCROLL_BAR && object.states.is_showing()
    };
    let children = &tree.objects[place].children;
    children
        .iter()
        .any(|&child| is_bar(child) || matches!(*tree.objects[child].children, [only] if is_bar(only)))
}

/// Whether this fills that; a pixel of a border may be counted to one of them only.
fn fills(inner: Rect, outer: Rect) -> bool {
    let corner = inner.left == outer.left && inner.top == outer.top;
    corner && inner.width().abs_diff(outer.width()) <= 1 && inner.height().abs_diff(outer.height()) <= 1
}

/// An object to look at.
struct Step {
    place: usize,
    clip: Rect,
    /// Whether what it is in is open.
    is_open: bool,
    /// Whether its place is known for certain.
    is_placed: bool,
    shift: Shift,
    /// The shift of what is around the pane that counts differently, where this is in one.
    outside: Shift,
    /// The role and the place of what it is in.
    outer: Option<(u32, Rect)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_popover_is_in_the_window_of_its_size_or_of_little_more() {
        let popups = [Rect::new(759, 487, 1161, 613), Rect::new(0, 0, 402, 120), Rect::new(0, 0, 390, 120)];
        assert_eq!(window_of(Rect::new(12, 60, 414, 180), MOST_MARGIN, &popups), Some(popups[1]));
        assert_eq!(window_of(Rect::new(12, 60, 414, 180), MOST_MARGIN, &popups[..1]), Some(popups[0]));
        assert_eq!(window_of(Rect::new(12, 60, 414, 180), MOST_MARGIN, &popups[2..]), None);
        assert_eq!(window_of(Rect::new(12, 60, 414, 160), MOST_MARGIN, &popups[..1]), None);
    }
}
