//! The receivers of an action, by the windows as they are: the topmost window at a point, the one with the focus.
//!
//! Pure: the windows come in, topmost first. In doubt there are several answers, and all of them count.

use fingertip_core::target::TargetKind;
use fingertip_core::{Node, Point, Rect, Window, WindowKind};

/// A navigation bar beside the screen is narrower than this part of it.
const BAR_SHARE: i32 = 4;
/// A gesture for Back begins in this part of the screen's width: as far in as Android can be set to take it.
const EDGE_SHARE: i32 = 10;

/// What an action is aimed at.
#[derive(Debug, Clone)]
pub(super) enum Aim<'a> {
    /// Whatever lies where fingers go down, and where they come up.
    Points { downs: Vec<Point>, ups: Vec<Point> },
    /// A node: the window it was seen in.
    Node { window: &'a Window, node: &'a Node },
    /// A window itself, or an application as a whole.
    Window(&'a Window),
    /// Whatever has the input focus.
    Focus,
    /// No application: the system itself, or the clipboard.
    Nobody,
}

/// The windows that would receive a touch at this point: the topmost one, and those that claim the same layer where
/// windows have one.
pub(super) fn at(windows: &[Window], kind: TargetKind, point: Point) -> Vec<&Window> {
    let mut here = windows.iter().filter(|window| !window.minimized && window.bounds.contains(point));
    let Some(top) = here.next() else { return Vec::new() };
    let tied = here.filter(|window| kind.layers_windows() && window.layer == top.layer);
    std::iter::once(top).chain(tied).collect()
}

/// The windows that would receive a key: those with the focus, or the only one there is.
pub(super) fn focused(windows: &[Window]) -> Vec<&Window> {
    let focused: Vec<&Window> = windows.iter().filter(|window| window.focused && !window.minimized).collect();
    match (focused.as_slice(), windows) {
        ([], [only]) => vec![only],
        _ => focused,
    }
}

/// Whether a touch of this window means something to the window with the focus: a key of the keyboard is a text there, and
/// the navigation bar has the Back button. A bar at the top, and what is pulled down from it, is the system's own.
pub(super) fn passes_on(window: &Window, windows: &[Window]) -> bool {
    let screen = screen(windows.iter().chain([window]));
    let at_a_side = window.bounds.width() < screen.width() / BAR_SHARE;
    match window.kind {
        WindowKind::InputMethod => true,
        WindowKind::System => at_a_side || window.bounds.top > screen.top,
        _ => false,
    }
}

/// Whether one of these fingers may mean Back to whoever has the focus: it begins at the left or right edge of the screen and
/// goes inwards, whatever window lies there. Not all phones are set so; those that are do not say it.
pub(super) fn goes_back(downs: &[Point], ups: &[Point], windows: &[Window]) -> bool {
    let screen = screen(windows);
    let (left, right) = (f64::from(screen.left), f64::from(screen.right));
    let edge = f64::from(screen.width() / EDGE_SHARE);
    downs.iter().zip(ups).any(|(down, up)| {
        (down.x < left + edge && up.x > down.x) || (down.x >= right - edge && up.x < down.x)
    })
}

/// All that windows cover.
fn screen<'a>(windows: impl IntoIterator<Item = &'a Window>) -> Rect {
    let bounds = windows.into_iter().map(|window| window.bounds);
    let around = |screen: Rect, other: Rect| Rect {
        left: screen.left.min(other.left),
        top: screen.top.min(other.top),
        right: screen.right.max(other.right),
        bottom: screen.bottom.max(other.bottom),
    };
    bounds.reduce(around).unwrap_or_default()
}

/// Whether both are windows of one application.
pub(super) fn same_owner(left: &Window, right: &Window) -> bool {
    left.app == right.app && left.pid == right.pid
}

/// Whether both are windows of one application, by process where both report it.
pub(super) fn same_app(left: &Window, right: &Window) -> bool {
    match (left.pid, right.pid) {
        (Some(left), Some(right)) => left == right,
        _ => left.app == right.app,
    }
}

#[cfg(test)]
mod tests {
    use TargetKind::{Desktop, Phone};
    use fingertip_core::Rect;

    use super::*;

    fn window(app: &str, layer: i32) -> Window {
        let mut window = Window::new(app, Rect::new(0, 0, 100, 100));
        window.layer = layer;
        window
    }

    fn apps(windows: &[&Window]) -> Vec<String> {
        windows.iter().filter_map(|window| window.app.as_deref()).map(str::to_owned).collect()
    }

    #[test]
    fn the_topmost_window_there_takes_a_touch() {
        let mut above = window("above", 2);
        above.bounds = Rect::new(0, 0, 50, 50);
        let mut gone = window("gone", 3);
        gone.minimized = true;
        let windows = [gone, above, window("below", 1)];
        assert_eq!(apps(&at(&windows, Phone, Point::new(10.0, 10.0))), ["above"]);
        assert_eq!(apps(&at(&windows, Phone, Point::new(60.0, 10.0))), ["below"]);
        assert!(at(&windows, Phone, Point::new(160.0, 10.0)).is_empty());
    }

    #[test]
    fn windows_of_one_layer_on_a_phone_both_count() {
        let windows = [window("one", 1), window("other", 1)];
        assert_eq!(apps(&at(&windows, Phone, Point::new(1.0, 1.0))), ["one", "other"]);
        assert_eq!(apps(&at(&windows, Desktop, Point::new(1.0, 1.0))), ["one"]);
    }

    #[test]
    fn the_keyboard_and_the_bar_with_the_back_button_pass_touches_on() {
        let of = |kind, bounds| {
            let mut window = window("system", 5);
            (window.kind, window.bounds) = (kind, bounds);
            window
        };
        let app = window("app", 1);
        let passes = |kind, bounds| passes_on(&of(kind, bounds), std::slice::from_ref(&app));
        assert!(passes(WindowKind::InputMethod, Rect::new(0, 60, 100, 100)));
        assert!(passes(WindowKind::System, Rect::new(0, 95, 100, 100)));
        assert!(passes(WindowKind::System, Rect::new(95, 0, 100, 100)), "turned on its side");
        assert!(!passes(WindowKind::System, Rect::new(0, 0, 100, 5)), "the status bar");
        assert!(!passes(WindowKind::System, Rect::new(0, 0, 100, 80)), "the notification shade");
        assert!(!passes(WindowKind::Dialog, Rect::new(0, 60, 100, 100)));
    }

    #[test]
    fn a_swipe_from_an_edge_inwards_may_mean_back() {
        let windows = [window("app", 1)];
        let back =
            |from: f64, to: f64| goes_back(&[Point::new(from, 50.0)], &[Point::new(to, 50.0)], &windows);
        assert!(back(0.0, 40.0) && back(9.0, 40.0) && back(99.0, 40.0) && back(90.0, 80.0));
        for (from, to) in [(50.0, 90.0), (50.0, 0.0), (5.0, 0.0), (95.0, 99.0), (5.0, 5.0), (95.0, 95.0)] {
            assert!(!back(from, to), "{from} {to}");
        }
    }

    #[test]
    fn keys_go_to_the_focus_or_to_the_only_window() {
        let mut has = window("has", 1);
        has.focused = true;
        assert_eq!(apps(&focused(&[window("not", 2), has])), ["has"]);
        assert_eq!(apps(&focused(&[window("only", 2)])), ["only"]);
        assert!(focused(&[window("one", 2), window("other", 1)]).is_empty());
    }
}
