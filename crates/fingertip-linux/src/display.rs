//! What the display server of a session gives: windows with their places, pointer, keys, pictures, clipboard.
//!
//! One interface, and one implementation for each display server; which one serves is decided once, when the session is
//! opened, by what the session offers: `DISPLAY` alone says nothing, as every Wayland session has an X server too, for
//! programs that know nothing else, and what is pressed there reaches nobody. What a server does not give is not in its
//! [`Offers`], and the tools that need it are not there.
//!
//! Rule for every implementation: what is pressed reaches those who are meant, or is not pressed; in doubt it is refused.

pub(crate) mod canvas;
pub(crate) mod error;
pub(crate) mod worker;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bitflags::bitflags;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Finding, Point, Rect, Result};
use fingertip_desktop::ListedWindow;

use crate::environment::Environment;
use crate::gnome::{self, Gnome};
use crate::place::Placing;
use crate::wayland;
use crate::x11::{self, X11};

bitflags! {
    /// What a display server gives.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Offers: u8 {
        /// Which windows there are and where, and acting on them.
        const WINDOWS = 1;
        /// The pointer, with its buttons and its wheel.
        const POINTER = 1 << 1;
        /// Keys and text.
        const KEYBOARD = 1 << 2;
        /// Pictures of the screen.
        const PICTURES = 1 << 3;
        /// Text on the clipboard.
        const CLIPBOARD = 1 << 4;
    }
}

/// The display server that serves a session.
pub(crate) fn open(environment: &Environment) -> Arc<dyn DisplayServer> {
    let display = environment.display.as_deref();
    match &environment.wayland {
        // An X server that shows a screen of its own, such as a nested one, was named on purpose.
        Some(_) if x11::shows_a_screen(display) => Arc::new(X11::new(display)),
        Some(socket) => match gnome::at(socket).map(|shell| Gnome::open(environment, shell)) {
            Some(Ok(gnome)) => Arc::new(gnome),
            Some(Err(error)) => {
                tracing::warn!(%error, "GNOME is not served");
                wayland::open(socket, environment)
            }
            None => wayland::open(socket, environment),
        },
        None => Arc::new(X11::new(display)),
    }
}

/// A display server.
#[async_trait]
pub(crate) trait DisplayServer: fmt::Debug + Send + Sync {
    /// What it gives; decided when it was opened.
    fn offers(&self) -> Offers;

    /// Why it does not give all; `None` when it does.
    fn shortcoming(&self) -> Option<Error>;

    /// How places that applications tell become places on the screen.
    fn placing(&self) -> Placing;

    /// Whether it serves, with what, what is missing, and how that is granted.
    async fn examine(&self, deadline: Deadline) -> Vec<Finding>;

    /// The screen as it is now.
    async fn screen(&self, deadline: Deadline) -> Result<Rect>;

    /// All windows of applications, the popups that are known included, the lowest first.
    async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>>;

    /// The screen and all windows as they are now.
    async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)>;

    /// Brings a window to the front and gives it the focus; `Ok` once it is so.
    async fn activate(&self, window: u32, deadline: Deadline) -> Result<()>;

    /// Does something to a window and looks again; `None` when it is gone.
    async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>>;

    /// Asks a window to close and does not wait for it.
    async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()>;

    /// Plays a gesture of one finger with the pointer.
    async fn play(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        self.drag(gesture, to, to, deadline).await
    }

    /// The same, with what is dragged meant for others than it is dragged from.
    async fn drag(&self, gesture: &Gesture, to: &Expected, onto: &Expected, deadline: Deadline)
    -> Result<()>;

    /// Rests the pointer on a place.
    async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Opens the menu of what is at a place, with the right button.
    async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Turns the wheel over a place.
    async fn scroll(
        &self,
        at: Point,
        direction: Direction,
        notches: u32,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()>;

    /// Presses and releases a key; `Ok`, with the title of the window that got it, once the application in front has
    /// been given it.
    async fn press(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>>;

    /// Types a text, in full Unicode; `Ok` once the application in front has been given it.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()>;

    /// A picture of a part of the screen, or of all of it.
    async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels>;

    /// The text on the clipboard; `None` when it holds none.
    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>>;

    /// Puts a text on the clipboard; other programs can paste it while this lives.
    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()>;
}
