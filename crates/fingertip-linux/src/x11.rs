//! The X server as a [`DisplayServer`]: windows as the window manager keeps them, pointer and keyboard, pixels, clipboard.
//!
//! Rules: nothing here knows AT-SPI. Every call ends by its deadline, also when the server is frozen: blocking
//! requests run on threads of their own ([`Worker`]), and a call that is dropped lets go of every button and
//! key it holds. A server that went away is connected to again by the next call.
//!
//! Under Wayland there is often an X server too, but it sees only some windows and none of the screen: it is not used.

mod clipboard;
mod display;
mod error;
mod input;
mod screen;
mod windows;

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Finding, Point, Rect, Result};
use fingertip_desktop::ListedWindow;

#[cfg(feature = "fuzzing")]
pub(crate) use windows::frame_of_numbers;

use clipboard::Clipboard;
use display::Display;

use crate::display::worker::{CancelToken, Worker};
use crate::display::{DisplayServer, Offers};
use crate::place::Placing;

/// How long a server may take to say whether it shows the screen.
const ASKED_WITHIN: Duration = Duration::from_secs(1);

/// Whether there is a server that shows a screen of its own, not one that serves the X clients of a Wayland session. One
/// that does not answer shows nothing.
pub(crate) fn shows_a_screen(display: Option<&str>) -> bool {
    let Some(name) = display.map(str::to_owned) else { return false };
    let (sender, answer) = std::sync::mpsc::channel();
    let asked = std::thread::Builder::new().name("x11-probe".to_owned()).spawn(move || {
        // There is no listener any more once the time is up.
        let _ = sender.send(Display::open(Some(&name)).is_ok());
    });
    asked.is_ok() && answer.recv_timeout(ASKED_WITHIN).unwrap_or(false)
}

/// The X server of this session; connected to by the first call that needs it.
#[derive(Debug)]
pub(crate) struct X11 {
    /// For everything that is answered at once.
    reader: Worker<Display>,
    /// For what takes time: gestures and typing, one after another.
    input: Worker<Display>,
    clipboard: Clipboard,
}

impl X11 {
    /// The server of this display, or the one that `DISPLAY` names.
    pub(crate) fn new(display: Option<&str>) -> Self {
        Self {
            reader: Worker::new("x11-reader", display.map(str::to_owned)),
            input: Worker::new("x11-input", display.map(str::to_owned)),
            clipboard: Clipboard::new(display),
        }
    }
}

#[async_trait]
impl DisplayServer for X11 {
    fn offers(&self) -> Offers {
        Offers::all()
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn placing(&self) -> Placing {
        Placing::OnScreen
    }

    async fn examine(&self, deadline: Deadline) -> Vec<Finding> {
        let manager = self.reader.run(deadline, |display, _| Ok(windows::window_manager(display))).await;
        vec![match manager {
            Err(error) => Finding::failed("X display", &error),
            Ok(Ok(Some(manager))) => Finding::fine(format!("X display with the window manager {manager}")),
            Ok(Ok(None)) => Finding::wrong(
                "X display without a window manager",
                "Start one (openbox will do): without it nobody knows which windows there are.",
            ),
            Ok(Err(failure)) => Finding::failed("window manager", &failure.into_error(error::SERVER)),
        }]
    }

    async fn screen(&self, deadline: Deadline) -> Result<Rect> {
        self.reader.ask(deadline, |display| display.screen()).await
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>> {
        self.reader.ask(deadline, |display| windows::list(display)).await
    }

    async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)> {
        self.reader.ask(deadline, |display| windows::look(display)).await
    }

    async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        self.reader.run(deadline, move |display, cancel| windows::activate(display, window, cancel)).await
    }

    async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>> {
        self.reader.run(deadline, move |display, cancel| windows::act(display, window, action, cancel)).await
    }

    async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()> {
        let ask = move |display: &mut Display, _: &CancelToken| {
            let managed = windows::window_manager(display)?.is_some();
            windows::ask_to_close(display, window, managed)
        };
        self.reader.run(deadline, ask).await
    }

    async fn drag(
        &self,
        gesture: &Gesture,
        to: &Expected,
        onto: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let (gesture, to, onto) = (gesture.clone(), to.clone(), onto.clone());
        self.input
            .run(deadline, move |display, cancel| input::play(display, &gesture, &to, &onto, cancel))
            .await
    }

    async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |display, cancel| input::hover(display, at, &to, cancel)).await
    }

    async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |display, cancel| input::open_menu(display, at, &to, cancel)).await
    }

    async fn scroll(
        &self,
        at: Point,
        direction: Direction,
        notches: u32,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let to = to.clone();
        self.input
            .run(deadline, move |display, cancel| input::scroll(display, at, direction, notches, &to, cancel))
            .await
    }

    async fn press(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        let to = to.clone();
        self.input.run(deadline, move |display, cancel| input::press(display, press, &to, cancel)).await
    }

    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let (text, to) = (text.to_owned(), to.clone());
        self.input.run(deadline, move |display, cancel| input::type_text(display, &text, &to, cancel)).await
    }

    async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
        self.reader.run(deadline, move |display, _| screen::shoot(display, area)).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.clipboard.read(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.clipboard.write(text, deadline).await
    }
}
