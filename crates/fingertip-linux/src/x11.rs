//! The X server: windows as the window manager keeps them, pointer and keyboard, pixels, clipboard.
//!
//! Rules: nothing here knows AT-SPI. Every call ends by its deadline, also when the server is frozen: blocking
//! requests run on threads of their own ([`worker`]), and a call that is dropped lets go of every button and
//! key it holds. A server that went away is connected to again by the next call.
//!
//! Under Wayland there is often an X server too, but it sees only some windows and none of the screen; all of
//! this then answers that it is not available, and why.

mod display;
mod fault;
mod windows;
mod worker;

use fingertip_core::{Deadline, Error, Rect, Result};

pub(crate) use windows::{Edges, XWindow};

use worker::Worker;

/// The X server of this session; connected to by the first call that needs it.
#[derive(Debug)]
pub(crate) struct X11 {
    /// For everything that is answered at once.
    reader: Worker,
}

impl X11 {
    /// The server of this display, or the one that `DISPLAY` names.
    pub(crate) fn new(display: Option<&str>) -> Self {
        Self { reader: Worker::new("x11-reader", display) }
    }

    /// Why there is no X server to work with; `None` when there is one.
    pub(crate) async fn unavailable(&self, deadline: Deadline) -> Option<Error> {
        self.reader.run(deadline, |_, _| Ok(())).await.err()
    }

    /// The name of the window manager; `None` without one.
    pub(crate) async fn window_manager(&self, deadline: Deadline) -> Result<Option<String>> {
        self.reader.run(deadline, |display, _| windows::window_manager(display)).await
    }

    /// The screen as it is now.
    pub(crate) async fn screen(&self, deadline: Deadline) -> Result<Rect> {
        self.reader.run(deadline, |display, _| display.screen()).await
    }

    /// All windows of applications, menus and other popups included, the lowest first.
    pub(crate) async fn windows(&self, deadline: Deadline) -> Result<Vec<XWindow>> {
        self.reader.run(deadline, |display, _| windows::list(display)).await
    }

    /// Brings a window to the front and gives it the focus; `Ok` once the window manager says so.
    pub(crate) async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        self.reader.run(deadline, move |display, leash| windows::activate(display, window, leash)).await
    }
}
