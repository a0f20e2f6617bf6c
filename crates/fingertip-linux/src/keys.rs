//! What is checked before keys go to the application in front.
//!
//! An application that hangs takes no keys, but they wait for it and come out later, perhaps as others by then.
//! So it is asked first whether it lives.

use fingertip_core::{Deadline, Result};
use fingertip_desktop::RunningApp;

use crate::bus::CallError;
use crate::display::DisplayServer;
use crate::target::Session;
use crate::tree::Source;

/// Sees that the application in front answers. One that is not on the accessibility bus cannot be asked.
pub(crate) async fn must_answer(
    session: &Session,
    display: &dyn DisplayServer,
    deadline: Deadline,
) -> Result<()> {
    let windows = display.windows(deadline).await?;
    let Some(pid) = windows.iter().find(|window| window.active).and_then(|window| window.pid) else {
        return Ok(());
    };
    let running = session.apps.list(&session.bus, deadline).await?;
    let Some(app) = running.iter().find(|app| app.pid == Some(pid)) else { return Ok(()) };
    match session.client(app, deadline).await?.role(&app.root).await {
        Err(error @ CallError::Timeout) => Err(error.into_error(&app.name(), "nothing was typed")),
        _ => Ok(()),
    }
}
