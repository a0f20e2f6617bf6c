//! Who would receive an action, by the windows as they are: whose window lies topmost at a point, whose has the focus.
//!
//! Pure: the windows come in, topmost first. In doubt there are several answers, and all of them count.

use fingertip_core::target::TargetKind;
use fingertip_core::{Point, Window};

/// What an action is aimed at.
#[derive(Debug, Clone)]
pub(super) enum Aim<'a> {
    /// Whatever lies at these points.
    Points(Vec<Point>),
    /// A node: the window it was seen in, and its middle.
    Node { window: &'a Window, middle: Point },
    /// Whatever has the input focus.
    Focus,
    /// No application: the system itself, or the clipboard.
    Nobody,
}

/// The windows that would receive a touch at this point: the topmost one, and on phones those that claim the same
/// layer, since their order is then not known.
pub(super) fn at(windows: &[Window], kind: TargetKind, point: Point) -> Vec<&Window> {
    let mut here = windows.iter().filter(|window| !window.minimized && window.bounds.contains(point));
    let Some(top) = here.next() else { return Vec::new() };
    let tied = here.filter(|window| kind == TargetKind::Phone && window.layer == top.layer);
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

/// Whether both are windows of one application.
pub(super) fn same_owner(left: &Window, right: &Window) -> bool {
    left.app == right.app && left.pid == right.pid
}

/// Whether both are windows of one application, by process where both tell it.
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
    fn keys_go_to_the_focus_or_to_the_only_window() {
        let mut has = window("has", 1);
        has.focused = true;
        assert_eq!(apps(&focused(&[window("not", 2), has])), ["has"]);
        assert_eq!(apps(&focused(&[window("only", 2)])), ["only"]);
        assert!(focused(&[window("one", 2), window("other", 1)]).is_empty());
    }
}
