//! Pointer and keyboard, by the events of Core Graphics. All of it blocks, and only one act goes on at a time.
//!
//! Rules: what goes down goes up, however the call ends; keys and presses reach the expected receiver, or are not pressed.
//! The receiver of a press is asked of the system by a hit test, because the list of windows does not know through which of
//! them clicks fall. The receiver of a key is the application that has the focus.

mod keys;
mod pointer;
mod typing;

use std::sync::{Arc, Mutex, MutexGuard};

use fingertip_core::sync::lock;
use fingertip_core::target::{Expected, diverted};
use fingertip_core::{Error, Point, Reason, Result, Window};
use fingertip_desktop::{RunningApp, windows};

use crate::bindings::services;
use crate::element::Element;
use crate::failure::{Answer, Failure};
use crate::session::{Session, Shown, focused_application};
use crate::worker::CancelToken;

pub(crate) use keys::press;
pub(crate) use pointer::{click, drag, hover, open_menu, play, scroll};
pub(crate) use typing::type_text;

/// The lock on pointer and keyboard, of which there is one.
#[derive(Debug, Default)]
pub(crate) struct Input(Mutex<()>);

impl Input {
    /// Takes pointer and keyboard.
    pub(crate) fn take(&self) -> MutexGuard<'_, ()> {
        lock(&self.0)
    }
}

/// Checks before each step that the expected receiver would get it.
pub(crate) struct Aim<'a> {
    pub(crate) session: &'a Arc<Session>,
    pub(crate) to: &'a Expected,
    pub(crate) cancel: &'a CancelToken,
}

impl Aim<'_> {
    /// Checks that the expected receiver would get a press at this place.
    pub(crate) fn at(&self, place: Point, done: impl FnOnce() -> String) -> Result<()> {
        self.go_on()?;
        if self.to.is_anyone() {
            return Ok(());
        }
        let shown = self.session.look();
        let receiver = receiver_at(&shown, place);
        self.accept(receiver.as_ref(), done)
    }

    /// Checks that the expected receiver would get keys, and that there is a receiver at all; returns the title of that
    /// window.
    pub(crate) fn keys(&self, done: impl FnOnce() -> String) -> Result<Option<String>> {
        self.go_on()?;
        let shown = self.session.look();
        let receiver = focused_window(&shown);
        self.accept(receiver.as_ref(), done)?;
        Ok(receiver.and_then(|window| window.title.map(Into::into)))
    }

    /// Waits, unless the call is over.
    pub(crate) fn pause(&self, span: std::time::Duration) -> Result<()> {
        self.cancel.pause(span).map_err(over)
    }

    fn go_on(&self) -> Result<()> {
        self.cancel.go_on().map_err(over)
    }

    fn accept(&self, receiver: Option<&Window>, done: impl FnOnce() -> String) -> Result<()> {
        match receiver {
            Some(window) if self.to.accepts(window) => Ok(()),
            _ if self.to.is_anyone() => Ok(()),
            receiver => Err(diverted(&done(), receiver.and_then(|window| window.app.as_deref()))),
        }
    }
}

/// The window that would receive a press: the topmost there of the application that the system says is hit.
fn receiver_at(shown: &Shown, place: Point) -> Option<Window> {
    let hit = Element::system_wide().at(place).and_then(|element| element.pid()).ok();
    let there = || shown.windows.iter().filter(|window| !window.minimized && window.frame.contains(place));
    let of_hit = hit.and_then(|pid| there().find(|window| window.pid == u32::try_from(pid).ok()));
    let found = of_hit.or_else(|| if hit.is_none() { there().next() } else { None });
    match (found, hit) {
        (Some(window), _) => Some(named(shown, windows::window(window, None))),
        // It has no window there that is listed.
        (None, Some(pid)) => {
            let pid = u32::try_from(pid).ok();
            Some(named(shown, of_process(pid)))
        }
        (None, None) => None,
    }
}

/// The window that would receive keys.
fn focused_window(shown: &Shown) -> Option<Window> {
    let pid = focused_application().or(shown.front)?;
    let own = u32::try_from(pid).ok();
    let active = shown.windows.iter().find(|window| window.pid == own && window.active);
    let window = active.map_or_else(|| of_process(own), |active| windows::window(active, None));
    Some(named(shown, window))
}

/// A window of which nothing is known but its process.
fn of_process(pid: Option<u32>) -> Window {
    let mut window = Window::default();
    window.pid = pid;
    window
}

fn named(shown: &Shown, mut window: Window) -> Window {
    window.app = shown.app_of(window.pid).map(|app| app.name());
    window
}

/// Refuses to press keys while another program keeps the keyboard to itself: they would be lost, or go nowhere.
pub(crate) fn must_be_free() -> Result<()> {
    if !services::secure_event_input_enabled() {
        return Ok(());
    }
    let focused = focused_element();
    if focused.is_ok_and(|secure| secure) {
        return Ok(());
    }
    Err(Error::new(
        Reason::ActionFailed,
        "Secure input is on: a program keeps the keyboard to itself, and keys may be dropped; nothing was pressed.",
    )
    .with_guidance(
        "Leave the password field or dialog that is open, or switch 'Secure Keyboard Entry' off in the terminal; or set the \
         value of the field directly.",
    ))
}

/// Whether the field with the keyboard is a secure one: then secure input is its own.
fn focused_element() -> Answer<bool> {
    use crate::attributes::{FOCUSED_ELEMENT, ROLE};
    use crate::value::Value;
    let Value::Element(field) = Element::system_wide().get(FOCUSED_ELEMENT)? else {
        return Err(Failure::NoValue);
    };
    let text = |value: Answer<Value>| match value {
        Ok(Value::Text(text)) => text,
        _ => Box::default(),
    };
    let (role, subrole) = (text(field.get(ROLE)), text(field.get("AXSubrole")));
    Ok(crate::roles::is_secure(&role, Some(&subrole)))
}

/// The error of a call that is over.
pub(crate) fn over(failure: Failure) -> Error {
    failure.into_error("The desktop", "not all was done")
}
