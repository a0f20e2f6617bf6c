//! Holding on to who receives keys and presses.
//!
//! What XTEST presses is delivered by the server before the next request is looked at. So while the server is held (grabbed),
//! nothing can come between the question who has the keyboard, or lies under the pointer, and what is pressed: it reaches
//! who was found, or is not pressed. Every other program waits meanwhile, so the server is held for a handful of requests
//! and never while anything is waited for.
//!
//! Not seen here: a program that has grabbed the keyboard or the pointer for itself gets what is pressed, whoever has the
//! focus.

use fingertip_core::target::{Expected, diverted};
use fingertip_core::{Error, Point, Window as Owner};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt, Window};

use crate::apps::program;
use crate::windows::{handle, window as owner_of};
use crate::x11::display::Display;
use crate::x11::fault::{Fault, Outcome};
use crate::x11::windows::{XWindow, list};

/// The most windows between the one with the focus and the one that says whose it is.
const DEPTH: usize = 16;
/// How often in a row the keyboard may go from window to window of one application until that is given up.
const MOVES: usize = 8;

/// The server, held for this connection alone; let go when this goes.
pub(super) struct Exclusive<'a>(&'a Display);

impl<'a> Exclusive<'a> {
    fn hold(display: &'a Display) -> Outcome<Self> {
        display.conn.grab_server()?;
        Ok(Self(display))
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        let conn = &self.0.conn;
        let sent = conn.ungrab_server().map(drop);
        // A connection that is lost holds nothing any more.
        if sent.and_then(|()| conn.flush()).is_err() {
            tracing::warn!("the X server is gone");
        }
    }
}

/// The window that has the keyboard, and whose it is.
pub(super) struct Keyboard<'a> {
    display: &'a Display,
    focus: Window,
    owner: Window,
    pid: Option<u32>,
}

/// Who has the keyboard instead, as far as that can be told.
pub(super) struct Elsewhere(Option<Box<str>>);

impl Elsewhere {
    /// The error of an act that came so far.
    pub(super) fn after(&self, done: &str) -> Fault {
        Fault::Told(diverted(done, self.0.as_deref()))
    }
}

impl<'a> Keyboard<'a> {
    /// Whoever has the keyboard, if that is one of those who are meant.
    pub(super) fn take(display: &'a Display, to: &Expected) -> Outcome<Result<Self, Elsewhere>> {
        let keyboard = Self::find(display)?;
        let mut owner = Owner::default();
        owner.pid = keyboard.pid;
        let accepted = [keyboard.owner, keyboard.focus].iter().any(|id| {
            owner.handle = Some(handle(*id).into());
            to.accepts(&owner)
        });
        Ok(if accepted { Ok(keyboard) } else { Err(keyboard.elsewhere()) })
    }

    /// Holds the server while the application that was found still has the keyboard.
    pub(super) fn hold(&mut self) -> Outcome<Result<Exclusive<'a>, Elsewhere>> {
        for _ in 0..MOVES {
            let exclusive = Exclusive::hold(self.display)?;
            let focus = self.display.conn.get_input_focus()?;
            // The number of a window that closed may be given to one of another program.
            let pid = pid_of(self.display, self.owner);
            if focus.reply()?.focus == self.focus && pid? == self.pid {
                return Ok(Ok(exclusive));
            }
            drop(exclusive);
            let now = Self::find(self.display)?;
            if !self.is_continued_by(&now) {
                return Ok(Err(now.elsewhere()));
            }
            *self = now;
        }
        Ok(Err(Elsewhere(None)))
    }

    /// The window with the focus, for who must follow it.
    pub(super) fn focus(&self) -> Window {
        self.focus
    }

    fn find(display: &'a Display) -> Outcome<Self> {
        let focus = display.conn.get_input_focus()?.reply()?.focus;
        let mut found = Self { display, focus, owner: focus, pid: None };
        let mut window = focus;
        for _ in 0..DEPTH {
            if window <= 1 || window == display.root {
                break;
            }
            found.owner = window;
            found.pid = pid_of(display, window)?;
            if found.pid.is_some() {
                break;
            }
            // A window that closed meanwhile has no parent, and no owner to be found.
            match display.conn.query_tree(window)?.reply().map_err(Fault::from) {
                Ok(tree) => window = tree.parent,
                Err(Fault::Refused(_)) => break,
                Err(fault) => return Err(fault),
            }
        }
        Ok(found)
    }

    /// Whether the keyboard is still with the same application: its process, or without one the same window.
    fn is_continued_by(&self, now: &Self) -> bool {
        match (self.pid, now.pid) {
            (Some(before), Some(now)) => before == now,
            (None, None) => self.owner == now.owner,
            _ => false,
        }
    }

    fn elsewhere(&self) -> Elsewhere {
        Elsewhere(self.pid.and_then(program))
    }
}

fn pid_of(display: &Display, window: Window) -> Outcome<Option<u32>> {
    let asked =
        display.conn.get_property(false, window, display.atoms._NET_WM_PID, AtomEnum::CARDINAL, 0, 1)?;
    match asked.reply().map_err(Fault::from) {
        Ok(reply) => Ok(reply.value32().and_then(|mut values| values.next())),
        Err(Fault::Refused(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// What lies at a place, for presses that are meant for somebody.
pub(super) struct Ground<'a> {
    display: &'a Display,
    to: &'a Expected,
}

impl<'a> Ground<'a> {
    pub(super) fn new(display: &'a Display, to: &'a Expected) -> Self {
        Self { display, to }
    }

    /// Holds the server if those who are meant lie there, menus and other popups included.
    pub(super) fn hold(&self, at: Point, done: impl FnOnce() -> String) -> Outcome<Option<Exclusive<'a>>> {
        self.held(at, |_| true, done)
    }

    /// The same for the end of a drag that began on `source`: the picture of what is dragged lies under the pointer, a
    /// popup of those who are dragged from, and is no receiver.
    pub(super) fn hold_drop(
        &self,
        at: Point,
        source: &Self,
        done: impl FnOnce() -> String,
    ) -> Outcome<Option<Exclusive<'a>>> {
        self.held(
            at,
            |window| {
                let is_picture = window.pid.is_none() || source.to.accepts(&owner_of(window, None));
                !(window.unmanaged && is_picture)
            },
            done,
        )
    }

    fn held(
        &self,
        at: Point,
        receives: impl Fn(&XWindow) -> bool,
        done: impl FnOnce() -> String,
    ) -> Outcome<Option<Exclusive<'a>>> {
        if self.to.is_anyone() {
            return Ok(None);
        }
        let exclusive = Exclusive::hold(self.display)?;
        let windows = list(self.display)?;
        let here = windows.iter().filter(|window| receives(window));
        let top = here.rev().find(|window| !window.minimized && window.frame.contains(at));
        if top.is_some_and(|window| self.to.accepts(&owner_of(window, None))) {
            return Ok(Some(exclusive));
        }
        drop(exclusive);
        let found = top.and_then(|window| window.pid).and_then(program);
        let error: Error = diverted(&done(), found.as_deref());
        Err(Fault::Told(error))
    }
}
