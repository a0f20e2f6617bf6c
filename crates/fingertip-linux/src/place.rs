//! Where things really are on the screen.
//!
//! What applications say cannot be taken as it is: GTK 4 reports places within its window, Qt may believe that
//! its window stands in the corner, GTK 3 gives what is off screen a place far outside. The window manager
//! knows where a window is; the difference is the correction for everything in the window.

use fingertip_core::Rect;
use fingertip_desktop::windows::Edges;

use crate::toolkit::Toolkit;

/// Further out than any screen: what toolkits say of what is nowhere.
const NOWHERE: i32 = -1_000_000;
/// After so many pixels places begin again, where they are counted in 16 bits.
const TURN: i32 = 1 << 16;
/// The most that a title bar is high.
const MOST_TITLE: i32 = 64;
/// How far apart two places may be and still be the same, in pixels: frames are counted differently.
const SAME: i32 = 2;
/// The most that anybody enlarges what is drawn.
const MOST_SCALE: i32 = 8;

/// How places that applications report become places on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placing {
    /// Applications may know where their windows are, and the display server lists popups too.
    OnScreen,
    /// Applications know no more than their own surfaces, and the places of popups are not known. What cannot be placed
    /// for certain has no place: nothing is aimed at it.
    InSurfaces,
    /// Applications know no more than their own surfaces; the display server reports these with their shadows, and popups too.
    /// What cannot be placed for certain has no place.
    InListedSurfaces,
    /// Applications know no more than their own surfaces, and the places of popups are not known; of a window the whole
    /// surface is known, with the shadow and the title bar that its toolkit draws.
    InBuffers,
}

impl Placing {
    /// Whether applications know no more than their own surfaces.
    pub(crate) const fn is_in_surfaces(self) -> bool {
        !matches!(self, Self::OnScreen)
    }

    /// Whether the display server lists popups among the windows.
    pub(crate) const fn lists_popups(self) -> bool {
        matches!(self, Self::OnScreen | Self::InListedSurfaces)
    }
}

/// By how much the surface of a window may be larger than its application reports, as it was measured: what a
/// toolkit draws around a window by itself. Of other sizes it is not known how much of that lies above and how much below.
const MARGINS: [(Toolkit, Edges); 3] = [
    // Adwaita as GTK 4 brings it along.
    (Toolkit::Gtk4, Edges { left: 14, right: 14, top: 12, bottom: 17 }),
    // Adwaita as libadwaita has it.
    (Toolkit::Gtk4, Edges { left: 61, right: 61, top: 55, bottom: 67 }),
    // The title bar that Qt draws where the compositor draws none.
    (Toolkit::Qt, Edges { left: 3, right: 3, top: 30, bottom: 3 }),
];
/// The shadow that GTK 3 draws, which it counts as part of the window.
const GTK3_SHADOW: Edges = Edges { left: 26, right: 26, top: 23, bottom: 29 };

/// What a toolkit draws around what it reports of a window, whose surface is as large as `buffer`; `None` where that is not
/// certain.
pub(crate) fn margin(toolkit: Toolkit, reported: Rect, buffer: Rect) -> Option<Edges> {
    if is_nowhere(reported) || reported.is_empty() || buffer.is_empty() {
        return None;
    }
    let more = (buffer.width() - reported.width(), buffer.height() - reported.height());
    if more == (0, 0) {
        return Some(Edges::default());
    }
    let fits = |edges: &Edges| (edges.left + edges.right, edges.top + edges.bottom) == more;
    let mut known = MARGINS.iter().filter(|(drawn_by, _)| *drawn_by == toolkit).map(|(_, edges)| *edges);
    known.find(fits)
}

/// The shadow in the surface of a window, which is no part of what a person would call the window. A side at an edge of the
/// screen has none.
pub(crate) fn shadow(toolkit: Toolkit, reported: Rect, buffer: Rect, screen: Rect) -> Option<Edges> {
    let margin = margin(toolkit, reported, buffer)?;
    Some(match toolkit {
        Toolkit::Gtk4 => margin,
        Toolkit::Gtk3 | Toolkit::Vcl | Toolkit::Gecko => Edges {
            left: if buffer.left <= screen.left { 0 } else { GTK3_SHADOW.left },
            right: if buffer.right >= screen.right { 0 } else { GTK3_SHADOW.right },
            top: if buffer.right >= screen.right && buffer.left <= screen.left { 0 } else { GTK3_SHADOW.top },
            bottom: if buffer.bottom >= screen.bottom { 0 } else { GTK3_SHADOW.bottom },
        },
        _ => Edges::default(),
    })
}

/// The factor by which a toolkit may enlarge what it draws while it reports places as if it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scaling {
    /// By nothing: it reports pixels.
    Never,
    /// By whole numbers, as GTK does.
    Whole,
    /// By any number, as Qt does: 1.04 on a screen of 100 dots an inch.
    Any,
}

/// What must be done to the places an application reports, to get to the screen: they are scaled, then moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shift {
    right: i32,
    down: i32,
    scale: Scale,
}

/// So many pixels of the screen for so many of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scale {
    shown: i32,
    reported: i32,
}

impl Default for Scale {
    fn default() -> Self {
        Self { shown: 1, reported: 1 }
    }
}

impl Scale {
    /// The scale of a window that says it is as large as `reported` and is as large as `shown`; none where the sides differ
    /// by it, as with a window that has a shadow.
    fn of(reported: Rect, shown: Rect, scaling: Scaling) -> Option<Self> {
        let (across, down) = ((reported.width(), shown.width()), (reported.height(), shown.height()));
        let (reported, shown) = if across.0 >= down.0 { across } else { down };
        if reported <= 0 || shown <= reported.saturating_add(SAME) || shown / reported > MOST_SCALE {
            return None;
        }
        let scale = match scaling {
            Scaling::Never => return None,
            Scaling::Whole => Self { shown: (shown + reported / 2) / reported, reported: 1 },
            Scaling::Any => Self { shown, reported },
        };
        let fits = |(length, shown): (i32, i32)| {
            (scale.apply(length) - shown).abs() <= 1 + scale.shown / scale.reported
        };
        (scale != Self::default() && fits(across) && fits(down)).then_some(scale)
    }

    fn apply(self, length: i32) -> i32 {
        if self == Self::default() {
            return length;
        }
        let scaled = (f64::from(length) * f64::from(self.shown) / f64::from(self.reported)).round();
        scaled as i32
    }
}

impl Shift {
    /// The shift of a window that says it is at `reported`, when its window is at `inner`, and at `outer` with
    /// its decorations.
    ///
    /// A place that is one of these is believed. Another one is of another origin: then the middle of the
    /// window is taken as its middle, since what decorates or shades a window does so evenly on both sides. A window that is
    /// larger than it says by a scale that its toolkit may have is drawn by that scale.
    pub(crate) fn of(reported: Rect, inner: Rect, outer: Rect, scaling: Scaling) -> Self {
        if is_nowhere(reported) || reported.is_empty() {
            return Self::default();
        }
        for area in [inner, outer] {
            if let Some(scale) = Scale::of(reported, area, scaling) {
                let right = area.left.saturating_sub(scale.apply(reported.left));
                let down = area.top.saturating_sub(scale.apply(reported.top));
                return Self { right, down, scale };
            }
        }
        if is_at(reported, inner) || is_at(reported, outer) {
            return Self::default();
        }
        Self {
            right: inner.left + (inner.width() - reported.width()) / 2 - reported.left,
            down: inner.top + (inner.height() - reported.height()) / 2 - reported.top,
            scale: Scale::default(),
        }
    }

    /// The shift of a window that reports places within its surface, when what is seen of it is at `content`; `None` where
    /// that is not certain.
    ///
    /// A surface as large as its content is its content. One that is larger has a shadow around it, as GTK 3 draws it, even
    /// on both sides but not above and below: then what fills the content, such as a title bar among the places `inside`,
    /// shows where that begins.
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
        let (right, down) = (content.left - corner.0, content.top - corner.1);
        Some(Self { right, down, scale: Scale::default() })
    }

    /// The shift of a window that reports places within a surface which is at `surface` with its shadow, and at `frame` with
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
        let (right, down) = (corner.0 - reported.left, corner.1 - reported.top);
        Some(Self { right, down, scale: Scale::default() })
    }

    /// The shift of a window that reports places within its surface, when all of that is at `buffer`; `None` where it is not
    /// certain what its toolkit draws around.
    pub(crate) fn in_buffer(toolkit: Toolkit, reported: Rect, buffer: Rect) -> Option<Self> {
        let margin = margin(toolkit, reported, buffer)?;
        let right = buffer.left + margin.left - reported.left;
        let down = buffer.top + margin.top - reported.top;
        Some(Self { right, down, scale: Scale::default() })
    }

    /// The shift of what says it is at `reported`, is drawn by the same scale and is in the middle of `there`.
    pub(crate) fn centred(self, reported: Rect, there: Rect) -> Self {
        let shown = self.scaled(reported);
        let right = there.left.saturating_add((there.width() - shown.width()) / 2);
        let down = there.top.saturating_add((there.height() - shown.height()) / 2);
        let (right, down) = (right.saturating_sub(shown.left), down.saturating_sub(shown.top));
        Self { right, down, scale: self.scale }
    }

    /// The same as large as it is drawn, where it is not moved.
    pub(crate) fn scaled(self, reported: Rect) -> Rect {
        let Rect { left, top, right, bottom } = reported;
        let [left, top, right, bottom] = [left, top, right, bottom].map(|length| self.scale.apply(length));
        Rect::new(left, top, right, bottom)
    }

    /// The same, and so much further.
    pub(crate) fn moved(self, right: i32, down: i32) -> Self {
        let (right, down) = (self.right.saturating_add(right), self.down.saturating_add(down));
        Self { right, down, scale: self.scale }
    }

    /// The place on the screen; empty for what is nowhere. Firefox and GTK 3 say of some that they are -1 wide.
    pub(crate) fn apply(self, reported: Rect) -> Rect {
        let has_no_size = reported.right < reported.left || reported.bottom < reported.top;
        if is_nowhere(reported) || has_no_size {
            return Rect::default();
        }
        let across = |x| self.scale.apply(x).saturating_add(self.right);
        let down = |y| self.scale.apply(y).saturating_add(self.down);
        Rect::new(across(reported.left), down(reported.top), across(reported.right), down(reported.bottom))
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
        let shift = Shift::of(Rect::new(0, 0, 420, 520), INNER, OUTER, Scaling::Any);
        assert_eq!(shift.apply(Rect::new(-1, -1, -2, -2)), Rect::default());
        assert_eq!(shift.apply(Rect::new(5, 5, 5, 5)), Rect::new(755, 292, 755, 292));
    }

    #[test]
    fn what_is_where_it_should_be_is_believed() {
        for reported in [INNER, OUTER, Rect::new(750, 287, 1000, 600)] {
            assert_eq!(Shift::of(reported, INNER, OUTER, Scaling::Any), Shift::default());
        }
    }

    #[test]
    fn places_within_a_window_are_moved_to_the_screen() {
        let shift = Shift::of(Rect::new(0, 0, 420, 520), INNER, OUTER, Scaling::Any);
        assert_eq!(shift.apply(Rect::new(17, 147, 403, 171)), Rect::new(767, 434, 1153, 458));
    }

    #[test]
    fn what_is_drawn_larger_than_reported_is_scaled_as_its_toolkit_may_scale() {
        // Okular on a screen of 100 dots an inch.
        let reported = Rect::new(369, 337, 1475, 1028);
        let window = Rect::new(384, 351, 1535, 1070);
        let shift = Shift::of(reported, window, window, Scaling::Any);
        assert_eq!(shift.apply(reported), window);
        assert_eq!(shift.apply(Rect::new(1469, 1000, 1475, 1028)), Rect::new(1529, 1041, 1535, 1070));
        assert_eq!(Shift::of(reported, window, window, Scaling::Whole).scale, Scale::default());
        // A window of GTK in the corner, twice as large.
        let (reported, window) = (Rect::new(0, 0, 401, 300), Rect::new(0, 0, 802, 600));
        let shift = Shift::of(reported, window, window, Scaling::Whole);
        assert_eq!(shift.apply(Rect::new(10, 10, 20, 30)), Rect::new(20, 20, 40, 60));
        assert_eq!(Shift::of(reported, window, window, Scaling::Never), Shift::default());
        // GTK 3 reports the place of a window with its decorations.
        let (reported, inner, outer) =
            (Rect::new(279, 113, 681, 426), Rect::new(560, 247, 1360, 847), Rect::new(559, 227, 1361, 852));
        let shift = Shift::of(reported, inner, outer, Scaling::Whole);
        assert_eq!(shift.apply(Rect::new(280, 123, 680, 423)), Rect::new(561, 247, 1361, 847));
        assert_eq!(Shift::of(INNER, INNER, OUTER, Scaling::Any), Shift::default(), "a frame is no scale");
    }

    #[test]
    fn an_even_shadow_is_half_on_each_side() {
        let window = Rect::new(100, 100, 540, 640);
        let shift = Shift::of(Rect::new(0, 0, 420, 520), window, window, Scaling::Any);
        assert_eq!(shift.apply(Rect::new(0, 0, 1, 1)), Rect::new(110, 110, 111, 111));
    }

    #[test]
    fn a_surface_without_a_shadow_is_where_its_content_is() {
        let reported = Rect::new(0, 0, 420, 520);
        let shift = Shift::in_surface(reported, INNER, []).unwrap();
        assert_eq!(shift.apply(Rect::new(17, 147, 403, 171)), Rect::new(767, 434, 1153, 458));
    }

    #[test]
    fn a_shadow_ends_where_the_title_bar_begins() {
        // GTK 3 under Wayland: 26 pixels of shadow on both sides, 23 above and 29 below.
        let (reported, content) = (Rect::new(0, 0, 472, 572), INNER);
        let bar = Rect::new(26, 23, 446, 70);
        let shift = Shift::in_surface(reported, content, [Rect::new(30, 23, 440, 60), bar]).unwrap();
        assert_eq!(shift.apply(bar).left, content.left);
        assert_eq!(shift.apply(bar).top, content.top);
    }

    #[test]
    fn a_listed_surface_is_known_by_its_size() {
        let (surface, frame) = (Rect::new(399, 114, 881, 726), Rect::new(460, 169, 820, 659));
        let corner = |reported: Rect, surface, frame| {
            Shift::in_listed_surface(reported, surface, frame)
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
        for reported in
            [Rect::new(0, 0, 400, 310), Rect::new(0, 0, 482, 500), Rect::new(0, 0, 361, 490), Rect::default()]
        {
            assert_eq!(corner(reported, surface, frame), None, "{reported:?}");
        }
        for reported in [Rect::new(0, 0, 403, 304), Rect::new(0, 0, 400, 200), Rect::new(0, 0, 400, 331)] {
            assert_eq!(corner(reported, own, own), None, "{reported:?}");
        }
    }

    #[test]
    fn what_fits_no_rule_is_not_placed() {
        for reported in [
            Rect::new(0, 0, 472, 572),
            Rect::new(0, 0, 421, 521),
            Rect::new(0, 0, 400, 500),
            Rect::new(0, 0, 420, 540),
            Rect::default(),
            Rect::new(i32::MIN, i32::MIN, i32::MIN + 420, i32::MIN + 520),
        ] {
            assert_eq!(Shift::in_surface(reported, INNER, [Rect::new(0, 0, 420, 20)]), None, "{reported:?}");
        }
    }

    #[test]
    fn what_a_toolkit_draws_around_a_window_is_known_by_its_size() {
        // As GNOME 43 had them: GTK 3, GTK 4, libadwaita, Qt 6.
        for (toolkit, reported, buffer, corner) in [
            (Toolkit::Gtk3, (472, 383), Rect::new(92, 26, 564, 409), (92, 26)),
            (Toolkit::Gtk4, (420, 371), Rect::new(104, 368, 552, 768), (118, 380)),
            (Toolkit::Gtk4, (700, 520), Rect::new(-61, -23, 761, 619), (0, 32)),
            (Toolkit::Qt, (420, 480), Rect::new(538, 49, 964, 562), (541, 79)),
        ] {
            let reported = Rect::new(0, 0, reported.0, reported.1);
            let shift = Shift::in_buffer(toolkit, reported, buffer).unwrap();
            let placed = shift.apply(reported);
            assert_eq!((placed.left, placed.top), corner, "{toolkit:?}");
        }
        for (toolkit, reported, buffer) in [
            (Toolkit::Gtk3, (420, 331), Rect::new(92, 26, 564, 409)),
            (Toolkit::Gtk4, (419, 371), Rect::new(104, 368, 552, 768)),
            (Toolkit::Qt, (420, 480), Rect::new(0, 0, 448, 509)),
            (Toolkit::Other, (700, 520), Rect::new(-61, -23, 761, 619)),
            (Toolkit::Gtk3, (472, 383), Rect::default()),
        ] {
            let reported = Rect::new(0, 0, reported.0, reported.1);
            assert_eq!(Shift::in_buffer(toolkit, reported, buffer), None, "{toolkit:?}");
        }
    }

    #[test]
    fn a_side_at_an_edge_of_the_screen_has_no_shadow() {
        let screen = Rect::new(0, 0, 1920, 1080);
        let shadow = |buffer: Rect| shadow(Toolkit::Gtk3, buffer, buffer, screen).unwrap();
        assert_eq!(shadow(Rect::new(92, 26, 564, 409)), GTK3_SHADOW);
        assert_eq!(shadow(Rect::new(0, 32, 1920, 1080)), Edges::default());
        let half = shadow(Rect::new(0, 32, 986, 1080));
        assert_eq!((half.left, half.right, half.bottom), (0, 26, 0));
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
        assert_eq!(Shift::of(reported, INNER, OUTER, Scaling::Any), Shift::default());
    }
}
