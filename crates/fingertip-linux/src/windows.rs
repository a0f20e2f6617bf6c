//! Which window of the accessibility tree is which window of the X server.
//!
//! Nothing names both, so they are told apart by process, title and place. A window that fits none stays
//! alone: popups that are not on the screen, and everything under Wayland.

use fingertip_core::{Rect, Window, WindowKind};

use crate::roles;
use crate::x11::XWindow;

/// A window of the accessibility tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Top {
    /// Its title.
    pub(crate) title: Box<str>,
    /// Where it says it is.
    pub(crate) reported: Rect,
    /// The number of its role.
    pub(crate) role: u32,
    /// Whether it says that it has the keyboard.
    pub(crate) active: bool,
    /// Whether it says that it must be answered before its application goes on.
    pub(crate) modal: bool,
}

/// How much speaks for two windows being the same; nothing speaks for it at zero.
fn likeness(top: &Top, window: &XWindow) -> u32 {
    let titled = !top.title.is_empty() && *top.title == *window.title;
    let same_size =
        |area: Rect| area.width() == top.reported.width() && area.height() == top.reported.height();
    let sized = same_size(window.bounds) || same_size(window.frame);
    let same_corner = |area: Rect| area.left == top.reported.left && area.top == top.reported.top;
    let placed = same_corner(window.bounds) || same_corner(window.frame);
    // A title alone is enough; without one, a size or corner alone is chance.
    match (titled, sized, placed) {
        (true, _, _) => 4 + u32::from(sized) + u32::from(placed) + u32::from(top.active && window.active),
        (false, true, true) => 3,
        _ => 0,
    }
}

/// For each window of an application's tree the X window that shows it, the most alike first.
pub(crate) fn join(tops: &[Top], windows: &[&XWindow]) -> Vec<Option<usize>> {
    let mut pairs: Vec<(u32, usize, usize)> = (0..tops.len())
        .flat_map(|top| (0..windows.len()).map(move |window| (top, window)))
        .map(|(top, window)| (likeness(&tops[top], windows[window]), top, window))
        .filter(|(likeness, ..)| *likeness > 0)
        .collect();
    pairs.sort_by_key(|(likeness, top, window)| (std::cmp::Reverse(*likeness), *top, *window));
    let mut joined = vec![None; tops.len()];
    let mut taken = vec![false; windows.len()];
    for (_, top, window) in pairs {
        if joined[top].is_none() && !taken[window] {
            joined[top] = Some(window);
            taken[window] = true;
        }
    }
    join_last(tops, windows, &mut joined, &taken);
    joined
}

/// One ordinary window on each side that is left over can only be the same: toolkits shorten titles.
fn join_last(tops: &[Top], windows: &[&XWindow], joined: &mut [Option<usize>], taken: &[bool]) {
    let alone: Vec<usize> =
        (0..tops.len()).filter(|&top| joined[top].is_none() && !tops[top].title.is_empty()).collect();
    let left: Vec<usize> =
        (0..windows.len()).filter(|&window| !taken[window] && !windows[window].unmanaged).collect();
    if let ([top], [window]) = (&alone[..], &left[..]) {
        joined[*top] = Some(*window);
    }
}

/// A window of the X server as a window of all platforms.
pub(crate) fn window(window: &XWindow, app: Option<&str>) -> Window {
    let mut made = Window::new(app.unwrap_or_default(), window.frame).title(&window.title);
    made.app = app.map(Into::into);
    made.pid = window.pid;
    made.kind = window.kind;
    made.layer = window.layer;
    made.focused = window.active;
    made.minimized = window.minimized;
    made.handle = Some(handle(window.id).into());
    made
}

/// How an X window is named in a snapshot.
pub(crate) fn handle(id: u32) -> String {
    format!("{id:#x}")
}

/// The X window that a window of a snapshot is; `None` where there is none behind it.
pub(crate) fn id(window: &Window) -> Option<u32> {
    u32::from_str_radix(window.handle.as_deref()?.strip_prefix("0x")?, 16).ok()
}

/// A window of the tree that no X window shows, as a window of all platforms.
pub(crate) fn lone(top: &Top, app: &str, pid: Option<u32>, layer: i32) -> Window {
    let kind = match top.role {
        role if roles::is_dialog(role) => WindowKind::Dialog,
        role if roles::is_popup(role) => WindowKind::Popup,
        _ => WindowKind::Application,
    };
    let mut window = Window::new(app, top.reported).title(&top.title).kind(kind).layer(layer);
    window.pid = pid;
    window.focused = top.active;
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::x11::Edges;

    fn top(title: &str, reported: Rect) -> Top {
        Top { title: title.into(), reported, role: 23, active: false, modal: false }
    }

    fn shown(id: u32, title: &str, bounds: Rect) -> XWindow {
        XWindow {
            id,
            pid: Some(1),
            title: title.to_owned(),
            bounds,
            frame: bounds,
            shadow: Edges::default(),
            active: false,
            minimized: false,
            layer: 0,
            kind: WindowKind::Application,
            modal: false,
            transient_for: None,
            unmanaged: false,
            tooltip: false,
        }
    }

    const LEFT: Rect = Rect::new(0, 0, 100, 100);
    const RIGHT: Rect = Rect::new(200, 0, 300, 100);

    #[test]
    fn titles_join_whatever_the_place() {
        let windows = [shown(1, "One", LEFT), shown(2, "Two", RIGHT)];
        let joined = join(&[top("Two", LEFT), top("One", LEFT)], &windows.each_ref());
        assert_eq!(joined, [Some(1), Some(0)]);
    }

    #[test]
    fn equal_titles_are_told_apart_by_place() {
        let windows = [shown(1, "Note", LEFT), shown(2, "Note", RIGHT)];
        assert_eq!(join(&[top("Note", RIGHT), top("Note", LEFT)], &windows.each_ref()), [Some(1), Some(0)]);
    }

    #[test]
    fn a_nameless_popup_joins_by_place_or_not_at_all() {
        let mut menu = shown(1, "", LEFT);
        menu.unmanaged = true;
        assert_eq!(join(&[top("", LEFT)], &[&menu]), [Some(0)]);
        assert_eq!(join(&[top("", RIGHT)], &[&menu]), [None]);
    }

    #[test]
    fn the_last_of_both_sides_are_the_same() {
        let windows = [shown(1, "A long title", LEFT)];
        assert_eq!(join(&[top("A long…", RIGHT)], &windows.each_ref()), [Some(0)]);
        let two = [shown(1, "A", LEFT), shown(2, "B", LEFT)];
        assert_eq!(join(&[top("C", RIGHT)], &two.each_ref()), [None]);
    }

    #[test]
    fn a_handle_names_its_window() {
        let made = window(&shown(0x0120_0007, "", LEFT), Some("app"));
        assert_eq!(id(&made), Some(0x0120_0007));
        assert_eq!(id(&Window::default()), None);
    }
}
