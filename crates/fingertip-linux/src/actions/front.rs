//! Bringing the window of a node to the front, which keys and the pointer need.

use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Snapshot, Window};

use crate::x11::{X11, XWindow};

/// Brings the window of a node to the front.
pub(crate) async fn bring_to_front(
    x11: &X11,
    snapshot: &Snapshot,
    index: NodeIndex,
    deadline: Deadline,
) -> Result<()> {
    bring_window_to_front(x11, &snapshot.windows()[snapshot.window_of(index)], deadline).await
}

/// Brings a window to the front; one that is there already is left as it is, and so is a popup, which is above
/// everything and closes when another window is activated.
pub(crate) async fn bring_window_to_front(x11: &X11, window: &Window, deadline: Deadline) -> Result<()> {
    let windows = x11.windows(deadline).await?;
    let Some(found) = find(&windows, window) else {
        let title = window.title.as_deref().unwrap_or("without a title");
        return Err(Error::new(
            Reason::Stale,
            format!("The window '{title}' is not on the display any more."),
        )
        .with_guidance("Read the windows again."));
    };
    if found.active || found.unmanaged {
        return Ok(());
    }
    x11.activate(found.id, deadline).await
}

/// The X window of a window of a snapshot: of the same process, and the most alike in place and title.
fn find<'a>(windows: &'a [XWindow], wanted: &Window) -> Option<&'a XWindow> {
    let likeness = |window: &XWindow| {
        let placed = wanted.bounds == window.bounds || wanted.bounds == window.frame;
        let titled = wanted.title.as_deref() == Some(window.title.as_str());
        let touching = wanted.bounds.overlaps(window.frame);
        (placed, titled, touching, window.active)
    };
    let of_process = |window: &&XWindow| wanted.pid.is_none() || window.pid == wanted.pid;
    let alike = |window: &&XWindow| wanted.pid.is_some() || likeness(window).0 || likeness(window).1;
    windows.iter().filter(of_process).filter(alike).max_by_key(|window| likeness(window))
}

#[cfg(test)]
mod tests {
    use fingertip_core::{Rect, WindowKind};

    use super::*;
    use crate::x11::Edges;

    fn window(id: u32, pid: u32, title: &str, bounds: Rect) -> XWindow {
        XWindow {
            id,
            pid: Some(pid),
            title: title.to_owned(),
            bounds,
            frame: bounds,
            shadow: Edges::default(),
            active: false,
            minimized: false,
            layer: 0,
            kind: WindowKind::Application,
            unmanaged: false,
        }
    }

    #[test]
    fn a_window_is_found_by_process_and_then_by_place_and_title() {
        let (here, there) = (Rect::new(0, 0, 10, 10), Rect::new(50, 50, 90, 90));
        let windows = [window(1, 7, "one", here), window(2, 7, "two", there), window(3, 8, "two", there)];
        let wanted = |pid, title: &str, bounds| Window { pid, ..Window::new("app", bounds).title(title) };
        let found = |wanted: &Window| find(&windows, wanted).map(|window| window.id);
        assert_eq!(found(&wanted(Some(7), "two", here)), Some(1));
        assert_eq!(found(&wanted(Some(7), "two", Rect::new(60, 60, 61, 61))), Some(2));
        assert_eq!(found(&wanted(Some(9), "two", there)), None);
        assert_eq!(found(&wanted(None, "one", Rect::default())), Some(1));
        assert_eq!(found(&wanted(None, "none", Rect::default())), None);
    }
}
