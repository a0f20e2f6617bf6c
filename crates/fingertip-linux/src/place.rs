//! Where things really are on the screen.
//!
//! What applications say cannot be taken as it is: GTK 4 tells places within its window, Qt may believe that
//! its window stands in the corner, GTK 3 gives what is out of sight a place far outside. The window manager
//! knows where a window is; the difference is the correction for everything in the window.

use fingertip_core::Rect;

/// Further out than any screen: what toolkits say of what is nowhere.
const NOWHERE: i32 = -1_000_000;
/// How far apart two places may be and still be the same, in pixels: frames are counted differently.
const SAME: i32 = 2;

/// What must be added to the places an application tells, to get to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shift {
    right: i32,
    down: i32,
}

impl Shift {
    /// The shift of a window that says it is at `told`, when its X window is at `inner`, and at `outer` with
    /// its decorations.
    ///
    /// A place that is one of these is believed. Another one is of another origin: then the middle of the
    /// window is taken as its middle, since what decorates or shades a window does so evenly on both sides.
    pub(crate) fn of(told: Rect, inner: Rect, outer: Rect) -> Self {
        if is_nowhere(told) || told.is_empty() || is_at(told, inner) || is_at(told, outer) {
            return Self::default();
        }
        Self {
            right: inner.left + (inner.width() - told.width()) / 2 - told.left,
            down: inner.top + (inner.height() - told.height()) / 2 - told.top,
        }
    }

    /// The place on the screen; empty for what is nowhere.
    pub(crate) fn apply(self, told: Rect) -> Rect {
        if is_nowhere(told) {
            return Rect::default();
        }
        Rect::new(
            told.left.saturating_add(self.right),
            told.top.saturating_add(self.down),
            told.right.saturating_add(self.right),
            told.bottom.saturating_add(self.down),
        )
    }
}

/// Whether an application says that something is nowhere.
pub(crate) fn is_nowhere(told: Rect) -> bool {
    told.left < NOWHERE || told.top < NOWHERE
}

fn is_at(told: Rect, there: Rect) -> bool {
    (told.left - there.left).abs() <= SAME && (told.top - there.top).abs() <= SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    const INNER: Rect = Rect::new(750, 287, 1170, 807);
    const OUTER: Rect = Rect::new(749, 267, 1171, 812);

    #[test]
    fn what_is_where_it_should_be_is_believed() {
        for told in [INNER, OUTER, Rect::new(750, 287, 1000, 600)] {
            assert_eq!(Shift::of(told, INNER, OUTER), Shift::default());
        }
    }

    #[test]
    fn places_within_a_window_are_moved_to_the_screen() {
        let shift = Shift::of(Rect::new(0, 0, 420, 520), INNER, OUTER);
        assert_eq!(shift.apply(Rect::new(17, 147, 403, 171)), Rect::new(767, 434, 1153, 458));
    }

    #[test]
    fn an_even_shadow_is_half_on_each_side() {
        let window = Rect::new(100, 100, 540, 640);
        let shift = Shift::of(Rect::new(0, 0, 420, 520), window, window);
        assert_eq!(shift.apply(Rect::new(0, 0, 1, 1)), Rect::new(110, 110, 111, 111));
    }

    #[test]
    fn what_is_nowhere_has_no_place() {
        let told = Rect::new(i32::MIN, i32::MIN, i32::MIN + 57, i32::MIN + 21);
        assert_eq!(Shift::default().apply(told), Rect::default());
        assert_eq!(Shift::of(told, INNER, OUTER), Shift::default());
    }
}
