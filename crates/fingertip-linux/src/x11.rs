//! The X server: windows as the window manager keeps them, pointer and keyboard, pixels, clipboard.
//!
//! Rules: nothing here knows AT-SPI. Every call ends by its deadline, also when the server is frozen: blocking
//! requests run on threads of their own ([`worker`]), and a call that is dropped lets go of every button and
//! key it holds. A server that went away is connected to again by the next call.
//!
//! Under Wayland there is often an X server too, but it sees only some windows and none of the screen; all of
//! this then answers that it is not available, and why.

mod clipboard;
mod display;
mod error;
mod input;
mod screen;
mod windows;
mod worker;

use std::time::Duration;

use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Point, Rect, Result};
use fingertip_desktop::ListedWindow;

pub(crate) use display::not_under_wayland;
#[cfg(feature = "fuzzing")]
pub(crate) use windows::frame_of_numbers;

use clipboard::Clipboard;
use worker::Worker;

/// How long a server may take to say whether it shows the screen.
const ASKED_WITHIN: Duration = Duration::from_secs(1);

/// Whether there is a server that shows a screen of its own, not one that serves the X clients of a Wayland session. One
/// that does not answer in time is taken for real: calls then tell what is wrong with it.
pub(crate) fn is_real(display: Option<&str>) -> bool {
    let Some(name) = display.map(str::to_owned) else { return false };
    let (told, answer) = std::sync::mpsc::channel();
    let asked = std::thread::Builder::new().name("x11-probe".to_owned()).spawn(move || {
        // Nobody listens any more once the time is up.
        let _ = told.send(display::Display::is_of_wayland(&name));
    });
    asked.is_err() || !answer.recv_timeout(ASKED_WITHIN).unwrap_or(false)
}

/// The X server of this session; connected to by the first call that needs it.
#[derive(Debug)]
pub(crate) struct X11 {
    /// For everything that is answered at once.
    reader: Worker,
    /// For what takes time: gestures and typing, one after another.
    input: Worker,
    clipboard: Clipboard,
}

impl X11 {
    /// The server of this display, or the one that `DISPLAY` names.
    pub(crate) fn new(display: Option<&str>) -> Self {
        Self {
            reader: Worker::new("x11-reader", display),
            input: Worker::new("x11-input", display),
            clipboard: Clipboard::new(display),
        }
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
        self.reader.ask(deadline, display::Display::screen).await
    }

    /// All windows of applications, menus and other popups included, the lowest first.
    pub(crate) async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>> {
        self.reader.ask(deadline, windows::list).await
    }

    /// The screen and all windows as they are now.
    pub(crate) async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)> {
        self.reader.ask(deadline, windows::look).await
    }

    /// Brings a window to the front and gives it the focus; `Ok` once the window manager says so.
    pub(crate) async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        self.reader.run(deadline, move |display, leash| windows::activate(display, window, leash)).await
    }

    /// Does something to a window and looks again; `None` when it is gone.
    pub(crate) async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>> {
        self.reader.run(deadline, move |display, leash| windows::act(display, window, action, leash)).await
    }

    /// Asks a window to close and does not wait for it.
    pub(crate) async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()> {
        let ask = move |display: &display::Display, _: &worker::Leash| {
            let managed = windows::window_manager(display)?.is_some();
            windows::ask_to_close(display, window, managed)
        };
        self.reader.run(deadline, ask).await
    }

    /// Plays a gesture of one finger with the pointer.
    pub(crate) async fn play(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        self.drag(gesture, to, to, deadline).await
    }

    /// The same, with what is dragged meant for others than it is dragged from.
    pub(crate) async fn drag(
        &self,
        gesture: &Gesture,
        to: &Expected,
        onto: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let (gesture, to, onto) = (gesture.clone(), to.clone(), onto.clone());
        self.input
            .run(deadline, move |display, leash| input::play(display, &gesture, &to, &onto, leash))
            .await
    }

    /// Rests the pointer on a place.
    pub(crate) async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |display, leash| input::hover(display, at, &to, leash)).await
    }

    /// Opens the menu of what is at a place, with the right button.
    pub(crate) async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |display, leash| input::open_menu(display, at, &to, leash)).await
    }

    /// Turns the wheel over a place.
    pub(crate) async fn scroll(
        &self,
        at: Point,
        direction: Direction,
        notches: u32,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let to = to.clone();
        self.input
            .run(deadline, move |display, leash| input::scroll(display, at, direction, notches, &to, leash))
            .await
    }

    /// Presses and releases a key; `Ok`, with the title of the window that got it, once the application in front has
    /// taken it.
    pub(crate) async fn press(
        &self,
        press: impl Into<KeyPress>,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<Option<String>> {
        let (press, to) = (press.into(), to.clone());
        self.input.run(deadline, move |display, leash| input::press(display, press, &to, leash)).await
    }

    /// Types a text, in full Unicode; `Ok` once the application in front has taken it.
    pub(crate) async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let (text, to) = (text.to_owned(), to.clone());
        self.input.run(deadline, move |display, leash| input::type_text(display, &text, &to, leash)).await
    }

    /// A picture of a part of the screen, or of all of it.
    pub(crate) async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
        self.reader.run(deadline, move |display, _| screen::shoot(display, area)).await
    }

    /// The text on the clipboard; `None` when it holds none.
    pub(crate) async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.clipboard.read(deadline).await
    }

    /// Puts a text on the clipboard; other programs can paste it while this lives.
    pub(crate) async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.clipboard.write(text, deadline).await
    }
}
