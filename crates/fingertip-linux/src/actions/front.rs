//! Bringing the window of a node to the front, which keys and the pointer need.

use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Snapshot, Window};
use fingertip_desktop::windows;

use crate::x11::X11;

/// Brings the window of a node to the front. One that is there already is left as it is, and so is a popup,
/// which lies above everything and closes when another window is activated.
pub(crate) async fn bring_to_front(
    x11: &X11,
    snapshot: &Snapshot,
    index: NodeIndex,
    deadline: Deadline,
) -> Result<()> {
    let window = &snapshot.windows()[snapshot.window_of(index)];
    let shown = x11.windows(deadline).await?;
    let id = windows::id(window).ok_or_else(|| not_there(window))?;
    let found = shown.iter().find(|shown| shown.id == id).ok_or_else(|| not_there(window))?;
    if found.active || found.unmanaged {
        return Ok(());
    }
    x11.activate(id, deadline).await
}

fn not_there(window: &Window) -> Error {
    let title = window.title.as_deref().unwrap_or("without a title");
    Error::new(Reason::Stale, format!("The window '{title}' is not on the display any more."))
        .with_guidance("Read the windows again.")
}
