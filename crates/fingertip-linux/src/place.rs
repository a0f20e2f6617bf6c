//! Where things really are on the screen.
//!
//! What applications say cannot be taken as it is: GTK 4 tells places within its window, Qt may believe that
//! its window stands in the corner, GTK 3 gives what is off screen a place far outside. The window manager
//! knows where a window is; the difference is the correction for everything in the window.

use fingertip_core::Rect;

/// Further out than any screen: what toolkits say of what is nowhere.
const NOWHERE: i32 = -1_000_000;
/// After so many pixels places begin anew, where they are counted in 16 bits.
const TURN: i32 = 1 << 16;
/// The most that a title bar is high.
const MOST_TITLE: i32 = 64;
/// How far apart two places may be and still be the same, in pixels: frames are counted differently.
const SAME: i32 = 2;

/// How places that applications tell become places on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placing {
    /// Applications may know where their windows are, and the display server lists popups too.
    OnScreen,
    /// Applications know no more than their own surfaces, and nobody tells where popups are. What cannot be placed for
    /// certain has no place: nothing is aimed at it.
    InSurfaces,
    /// Applications know no more than their own surfaces; the display server tells these with their shadows, and popups too.
    /// What cannot be placed for certain has no place.
    InListedSurfaces,
}

impl Placing {
    /// Whether applications know no more than their own surfaces.
    pub(crate) const fn is_in_surfaces(self) -> bool {
        !matches!(self, Self::OnScreen)
    }
}

/// What must be added to the places an application tells, to get to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shift {
    right: i32,
    down: i32,
}

impl Shift {
    /// The shift of a window that says it is at `reported`, when its window is at `inner`, and at `outer` with
    /// its decorations.
    ///
    /// A place that is one of these is believed. Another one is of another origin: then the middle of the
    /// window is taken as its middle, since what decorates or shades a window does so evenly on both sides.
    pub(crate) fn of(reported: Rect, inner: Rect, outer: Rect) -> Self {
        if is_nowhere(reported) || reported.is_empty() || is_at(reported, inner) || is_at(reported, outer) {
            return Self::default();
        }
        Self {
            right: inner.left + (inner.width() - reported.width()) / 2 - reported.left,
            down: inner.top + (inner.height() - reported.height()) / 2 - reported.top,
        }
    }

    /// The shift of a window that tells places within its surface, when what is seen of it is at `content`; `None` where
    /// that is not certain.
    ///
    /// A surface as large as its content is its content. One that is larger has a shadow around it, as GTK 3 draws it, even
    /// on both sides but not above and below: then what fills the content, such as a title bar among the places `inside`,
    /// tells where that begins.
    pub(crate) fn in_surface(
        reported: Rect,
        content: Rect,
        inside: impl IntoIterator<Item = Rect>,
    ) -> Option<Self> {
        if is_nowhere(reported) || reported.is_empty() || content.is_empty() {
            return None;
        }
        let (across, down) = (reported.width() - content.width(), reported.height() - content.height());
        let corner = if (across, down) == (0, 0) {
            (reported.left, reported.top)
        } else if across > 0 && down > 0 && across % 2 == 0 {
            let left = reported.left + across / 2;
            let fills = |place: &Rect| {
                let is_wide = place.left == left && place.width() == content.width();
                is_wide && (reported.top..=reported.top + down).contains(&place.top)
            };
            (left, inside.into_iter().filter(fills).map(|place| place.top).min()?)
        } else {
            return None;
        };
        Some(Self { right: content.left - corner.0, down: content.top - corner.1 })
    }

    /// The shift of a window that tells places within a surface which is at `surface` with its shadow, and at `frame` with
    /// the title bar that it has without it; `None` where that is not certain.
    ///
    /// What is as large as the one or the other is that. What is smaller than its frame draws its own title bar and does not
    /// count it (Qt): its border is as wide below as on both sides, and what is left is above.
    pub(crate) fn in_listed_surface(reported: Rect, surface: Rect, frame: Rect) -> Option<Self> {
        if is_nowhere(reported) || reported.is_empty() {
            return None;
        }
        let size = |area: Rect| (area.width(), area.height());
        let corner = if size(reported) == size(surface) {
            (surface.left, surface.top)
        } else if size(reported) == size(frame) {
            (frame.left, frame.top)
        } else {
            let (across, down) = (frame.width() - reported.width(), frame.height() - reported.height());
            let border = across / 2;
            let is_inside = surface == frame
                && across >= 0
                && across % 2 == 0
                && (border..=MOST_TITLE).contains(&(down - border));
            if !is_inside {
                return None;
            }
            (frame.left + border, frame.bottom - border - reported.height())
        };
        Some(Self { right: corner.0 - reported.left, down: corner.1 - reported.top })
    }

    /// The shift of what says it is at `reported` and is in the middle of `there`.
    pub(crate) fn centred(reported: Rect, there: Rect) -> Self {
        let right = there.left.saturating_add((there.width() - reported.width()) / 2);
        let down = there.top.saturating_add((there.height() - reported.height()) / 2);
        Self { right: right.saturating_sub(reported.left), down: down.saturating_sub(reported.top) }
    }

    /// The same, and so much further.
    pub(crate) fn moved(self, right: i32, down: i32) -> Self {
        Self { right: self.right.saturating_add(right), down: self.down.saturating_add(down) }
    }

    /// The place on the screen; empty for what is nowhere. Firefox and GTK 3 say of some that they are -1 wide.
    pub(crate) fn apply(self, reported: Rect) -> Rect {
        let has_no_size = reported.right < reported.left || reported.bottom < reported.top;
        if is_nowhere(reported) || has_no_size {
            return Rect::default();
        }
        Rect::new(
            reported.left.saturating_add(self.right),
            reported.top.saturating_add(self.down),
            reported.right.saturating_add(self.right),
            reported.bottom.saturating_add(self.down),
        )
    }
}

/// The place of something that can be seen in `area`, when its application counts places in 16 bits as GTK 3 does: what
/// is far down a scrolled list is reported too far away by multiples of 65,536 pixels. Of something larger than that
/// the result is one that can be seen, not surely the right one.
pub(crate) fn unwrapped(reported: Rect, area: Rect) -> Rect {
    if is_nowhere(reported) || reported.overlaps(area) {
        return reported;
    }
    let turns = [-1, 1, -2, 2, -3, 3, -4, 4].map(|turns| turns * TURN);
    let moved = |right: i32, down: i32| {
        let [left, right] = [reported.left, reported.right].map(|x| x.saturating_add(right));
        let [top, bottom] = [reported.top, reported.bottom].map(|y| y.saturating_add(down));
        Rect::new(left, top, right, bottom)
    };
    let down = turns.iter().map(|&turn| moved(0, turn));
    let across = turns.iter().map(|&turn| moved(turn, 0));
    down.chain(across).find(|place| place.overlaps(area)).unwrap_or(reported)
}

/// Whether an application says that something is nowhere.
pub(crate) fn is_nowhere(reported: Rect) -> bool {
    reported.left < NOWHERE || reported.top < NOWHERE
}

fn is_at(reported: Rect, there: Rect) -> bool {
    (reported.left - there.left).abs() <= SAME && (reported.top - there.top).abs() <= SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    const INNER: Rect = Rect::new(750, 287, 1170, 807);
    const OUTER: Rect = Rect::new(749, 267, 1171, 812);

    #[test]
    fn what_has_no_size_has_no_place() {
        let shift = Shift::of(Rect::new(0, 0, 420, 520), INNER, OUTER);
        assert_eq!(shift.apply(Rect::new(-1, -1, -2, -2)), Rect::default());
        assert_eq!(shift.apply(Rect::new(5, 5, 5, 5)), Rect::new(755, 292, 755, 292));
    }

    #[test]
    fn what_is_where_it_should_be_is_believed() {
        for reported in [INNER, OUTER, Rect::new(750, 287, 1000, 600)] {
            assert_eq!(Shift::of(reported, INNER, OUTER), Shift::default());
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
    fn a_surface_without_a_shadow_is_where_its_content_is() {
        let told = Rect::new(0, 0, 420, 520);
        let shift = Shift::in_surface(told, INNER, []).unwrap();
        assert_eq!(shift.apply(Rect::new(17, 147, 403, 171)), Rect::new(767, 434, 1153, 458));
    }

    #[test]
    fn a_shadow_ends_where_the_title_bar_begins() {
        // GTK 3 under Wayland: 26 pixels of shadow on both sides, 23 above and 29 below.
        let (told, content) = (Rect::new(0, 0, 472, 572), INNER);
        let bar = Rect::new(26, 23, 446, 70);
        let shift = Shift::in_surface(told, content, [Rect::new(30, 23, 440, 60), bar]).unwrap();
        assert_eq!(shift.apply(bar).left, content.left);
        assert_eq!(shift.apply(bar).top, content.top);
    }

    #[test]
    fn a_listed_surface_is_known_by_its_size() {
        let (surface, frame) = (Rect::new(399, 114, 881, 726), Rect::new(460, 169, 820, 659));
        let corner = |told: Rect, surface, frame| {
            Shift::in_listed_surface(told, surface, frame)
                .map(|shift| shift.apply(Rect::new(0, 0, 1, 1)))
                .map(|at| (at.left, at.top))
        };
        // GTK 3 counts its shadow, GTK 4 does not, and a title bar of KWin's is outside of the surface.
        assert_eq!(corner(Rect::new(0, 0, 482, 612), surface, frame), Some((399, 114)));
        assert_eq!(corner(Rect::new(0, 0, 360, 490), surface, frame), Some((460, 169)));
        let (content, titled) = (Rect::new(430, 251, 850, 585), Rect::new(430, 214, 850, 585));
        assert_eq!(corner(Rect::new(0, 0, 420, 334), content, titled), Some((430, 251)));
        // Qt draws a title bar of 24 pixels and a border of 2 around what it counts.
        let own = Rect::new(100, 100, 504, 430);
        assert_eq!(corner(Rect::new(0, 0, 400, 304), own, own), Some((102, 124)));
        for told in
            [Rect::new(0, 0, 400, 310), Rect::new(0, 0, 482, 500), Rect::new(0, 0, 361, 490), Rect::default()]
        {
            assert_eq!(corner(told, surface, frame), None, "{told:?}");
        }
        for told in [Rect::new(0, 0, 403, 304), Rect::new(0, 0, 400, 200), Rect::new(0, 0, 400, 331)] {
            assert_eq!(corner(told, own, own), None, "{told:?}");
        }
    }

    #[test]
    fn what_fits_no_rule_is_not_placed() {
        for told in [
            Rect::new(0, 0, 472, 572),
            Rect::new(0, 0, 421, 521),
            Rect::new(0, 0, 400, 500),
            Rect::new(0, 0, 420, 540),
            Rect::default(),
            Rect::new(i32::MIN, i32::MIN, i32::MIN + 420, i32::MIN + 520),
        ] {
            assert_eq!(Shift::in_surface(told, INNER, [Rect::new(0, 0, 420, 20)]), None, "{told:?}");
        }
    }

    #[test]
    fn what_is_far_down_a_list_is_where_it_can_be_seen() {
        let view = Rect::new(720, 227, 1200, 867);
        assert_eq!(unwrapped(Rect::new(720, 131_915, 1200, 131_939), view), Rect::new(720, 843, 1200, 867));
        assert_eq!(unwrapped(Rect::new(66_300, 300, 66_400, 320), view), Rect::new(764, 300, 864, 320));
        let list = unwrapped(Rect::new(720, 28_235, 1200, 136_235), view);
        assert!(list.contains(view.center()), "{list:?}");
        for known in
            [Rect::new(720, 300, 1200, 324), Rect::new(0, 5000, 10, 5010), Rect::new(i32::MIN, 0, 0, 9)]
        {
            assert_eq!(unwrapped(known, view), known);
        }
    }

    #[test]
    fn what_is_nowhere_has_no_place() {
        let reported = Rect::new(i32::MIN, i32::MIN, i32::MIN + 57, i32::MIN + 21);
        assert_eq!(Shift::default().apply(reported), Rect::default());
        assert_eq!(Shift::of(reported, INNER, OUTER), Shift::default());
    }
}
