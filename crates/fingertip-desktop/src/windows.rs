//! Windows of the window system's list, and which of them is which window of the accessibility tree.
//!
//! Nothing names both, so they are told apart by process, title and place. A window that fits none stays
//! alone: popups that are not on the screen, and everything where the list cannot be had, as under Wayland.

use fingertip_core::{Rect, Window, WindowKind};

/// Distances from the edges of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edges {
    /// From the left edge.
    pub left: i32,
    /// From the right edge.
    pub right: i32,
    /// From the top edge.
    pub top: i32,
    /// From the bottom edge.
    pub bottom: i32,
}

/// A window of the window system's list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedWindow {
    /// The window system's number for it.
    pub id: u32,
    /// The process that made it.
    pub pid: Option<u32>,
    /// Its title; empty where it has none.
    pub title: String,
    /// Where the application draws it on the screen, [`Self::shadow`] included.
    pub bounds: Rect,
    /// What a person would call the window: with the window manager's decorations, without the shadow.
    pub frame: Rect,
    /// The invisible margin that applications with their own decorations keep around themselves.
    pub shadow: Edges,
    /// Whether it is the one in front, with the keyboard.
    pub active: bool,
    /// Whether it is minimized.
    pub minimized: bool,
    /// Its place in the stack; higher lies above.
    pub layer: i32,
    /// What it is for.
    pub kind: WindowKind,
    /// Whether it must be answered before its application goes on.
    pub modal: bool,
    /// The window it belongs to.
    pub transient_for: Option<u32>,
    /// Whether the window manager leaves it alone, as it does menus and tooltips.
    pub unmanaged: bool,
    /// Whether it is a tooltip, which comes and goes with the pointer and only repeats what a control says.
    pub tooltip: bool,
}

/// A window of the accessibility tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopWindow {
    /// Its title.
    pub title: Box<str>,
    /// Where it says it is.
    pub reported: Rect,
    /// What it is for.
    pub kind: WindowKind,
    /// Whether it is a tooltip.
    pub tooltip: bool,
    /// Whether it says that it has the keyboard.
    pub active: bool,
    /// Whether it says that it must be answered before its application goes on.
    pub modal: bool,
}

/// How much speaks for two windows being the same; nothing speaks for it at zero.
fn likeness(top: &TopWindow, window: &ListedWindow) -> u32 {
    let titled = !top.title.is_empty() && *top.title == *window.title;
    // Qt adds the name of the application for the window manager: "Configure" is "Configure — Okular".
    let rest = window.title.strip_prefix(&*top.title).filter(|_| !top.title.trim().is_empty());
    let shortened = rest.is_some_and(|rest| rest.trim_start().starts_with(['—', '–', '-']));
    let same_size =
        |area: Rect| area.width() == top.reported.width() && area.height() == top.reported.height();
    let sized = same_size(window.bounds) || same_size(window.frame);
    let same_corner = |area: Rect| area.left == top.reported.left && area.top == top.reported.top;
    let placed = same_corner(window.bounds) || same_corner(window.frame);
    // A title alone is enough; without one, a size or corner alone is chance.
    match (titled, sized, placed) {
        (true, _, _) => 4 + u32::from(sized) + u32::from(placed) + u32::from(top.active && window.active),
        (false, true, true) => 3,
        _ if shortened => 1 + u32::from(top.active && window.active),
        _ => 0,
    }
}

/// For each window of an application's tree the listed window that shows it, the most alike first.
#[must_use]
pub fn join(tops: &[TopWindow], windows: &[&ListedWindow]) -> Vec<Option<usize>> {
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
fn join_last(tops: &[TopWindow], windows: &[&ListedWindow], joined: &mut [Option<usize>], taken: &[bool]) {
    let alone: Vec<usize> =
        (0..tops.len()).filter(|&top| joined[top].is_none() && !tops[top].title.is_empty()).collect();
    let left: Vec<usize> =
        (0..windows.len()).filter(|&window| !taken[window] && !windows[window].unmanaged).collect();
    if let ([top], [window]) = (&alone[..], &left[..]) {
        joined[*top] = Some(*window);
    }
}

/// A listed window as a window of all platforms.
#[must_use]
pub fn window(window: &ListedWindow, app: Option<&str>) -> Window {
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

/// How an listed window is named in a snapshot.
#[must_use]
pub fn handle(id: u32) -> String {
    format!("{id:#x}")
}

/// The listed window that a window of a snapshot is; `None` where there is none behind it.
#[must_use]
pub fn id(window: &Window) -> Option<u32> {
    u32::from_str_radix(window.handle.as_deref()?.strip_prefix("0x")?, 16).ok()
}

/// A window of the tree that no listed window shows, as a window of all platforms.
#[must_use]
pub fn lone(top: &TopWindow, app: &str, pid: Option<u32>, layer: i32) -> Window {
    let mut window = Window::new(app, top.reported).title(&top.title).kind(top.kind).layer(layer);
    window.pid = pid;
    window.focused = top.active;
    window
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top(title: &str, reported: Rect) -> TopWindow {
        TopWindow { title: title.into(), reported, ..TopWindow::default() }
    }

    fn shown(id: u32, title: &str, bounds: Rect) -> ListedWindow {
        ListedWindow {
            id,
            pid: Some(1),
            title: title.to_owned(),
            bounds,
            frame: bounds,
            ..ListedWindow::default()
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
    fn a_title_goes_on_with_the_name_of_the_application() {
        let windows = [shown(1, "Configure — Okular", LEFT), shown(2, "book — Okular", LEFT)];
        let elsewhere = Rect::new(1, 1, 9, 9);
        let joined = join(&[top("book", elsewhere), top("Configure", elsewhere)], &windows.each_ref());
        assert_eq!(joined, [Some(1), Some(0)]);
        let others = [shown(1, "bookmarks", LEFT), shown(2, "book", LEFT)];
        assert_eq!(join(&[top("book", LEFT)], &others.each_ref()), [Some(1)]);
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
