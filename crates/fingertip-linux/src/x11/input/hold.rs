//! Holding on to who receives keys and presses.
//!
//! What XTEST presses is delivered by the server before the next request is looked at. So while the server is held (grabbed),
//! nothing can come between the question who has the keyboard, or lies under the pointer, and what is pressed: it reaches
//! who was found, or is not pressed. Every other program waits meanwhile, so the server is held for a handful of requests
//! and never while anything is waited for.
//!
//! Not seen here: a program that has grabbed the pointer for itself, or the keyboard without showing a window of its own
//! kind, gets what is pressed, whatever window has the focus.

use fingertip_core::target::{Expected, diverted};
use fingertip_core::{Error, Point, Window as Owner};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::windows::{handle, window as owner_of};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, GrabMode, GrabStatus, Window};

use super::pointer::pixel;
use crate::apps::program;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};
use crate::x11::windows::{answered, is_managed, list, popup_processes, process, title_of};

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
    /// Whether it matters who gets what is pressed.
    is_meant: bool,
}

/// Who has the keyboard instead, as far as that is known.
pub(super) struct Elsewhere(Option<Box<str>>);

impl Elsewhere {
    /// The error of an act that came so far.
    pub(super) fn after(&self, done: &str) -> X11Error {
        X11Error::Reported(diverted(done, self.0.as_deref()))
    }
}

impl<'a> Keyboard<'a> {
    /// Whoever has the keyboard, if that is one of those who are meant.
    pub(super) fn take(display: &'a Display, to: &Expected) -> Outcome<Result<Self, Elsewhere>> {
        let mut keyboard = Self::find(display)?;
        keyboard.is_meant = !to.is_anyone();
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
            let pid = process(self.display, self.owner);
            if focus.reply()?.focus == self.focus && pid? == self.pid {
                return Ok(match self.taken_by()? {
                    Some(other) => Err(other),
                    None => Ok(exclusive),
                });
            }
            drop(exclusive);
            let now = Self { is_meant: self.is_meant, ..Self::find(self.display)? };
            if !self.is_continued_by(&now) {
                return Ok(Err(now.elsewhere()));
            }
            *self = now;
        }
        Ok(Err(Elsewhere(None)))
    }

    /// Another program that gets what is pressed whatever window has the focus, as launchers (dmenu) and locks of the screen do:
    /// it shows a window that no window manager knows, and the keyboard is grabbed. The server reports no more than that it
    /// is, and asking disturbs the window with the focus, so that it is asked only while there is such a window.
    fn taken_by(&self) -> Outcome<Option<Elsewhere>> {
        if !self.is_meant {
            return Ok(None);
        }
        let popups = popup_processes(self.display)?;
        let Some(other) = popups.into_iter().find(|owner| *owner != self.pid) else { return Ok(None) };
        let conn = &self.display.conn;
        let now = x11rb::CURRENT_TIME;
        let grab =
            conn.grab_keyboard(false, self.display.root, now, GrabMode::ASYNC, GrabMode::ASYNC)?.reply()?;
        if grab.status == GrabStatus::SUCCESS {
            conn.ungrab_keyboard(now)?;
        }
        let is_taken = grab.status == GrabStatus::ALREADY_GRABBED;
        Ok(is_taken.then(|| Elsewhere(other.and_then(program))))
    }

    /// The window with the focus, for callers that must follow it.
    pub(super) fn focus(&self) -> Window {
        self.focus
    }

    /// The window that says whose the keyboard is.
    pub(super) fn owner(&self) -> Window {
        self.owner
    }

    /// The title of the window that a person sees the focus in. Swing has a window of another name in it for the keyboard.
    pub(super) fn title(&self) -> Outcome<Option<String>> {
        let mut named = title_of(self.display, self.owner)?;
        let mut window = self.focus;
        for _ in 0..DEPTH {
            if window <= 1 || window == self.display.root {
                break;
            }
            let title = title_of(self.display, window)?;
            if title.is_some() && is_managed(self.display, window)? {
                return Ok(title);
            }
            named = named.or(title);
            match self.display.conn.query_tree(window)?.reply().map_err(X11Error::from) {
                Ok(tree) => window = tree.parent,
                Err(X11Error::Refused(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(named)
    }

    fn find(display: &'a Display) -> Outcome<Self> {
        let focus = display.conn.get_input_focus()?.reply()?.focus;
        let mut found = Self { display, focus, owner: focus, pid: None, is_meant: false };
        let mut window = focus;
        for _ in 0..DEPTH {
            if window <= 1 || window == display.root {
                break;
            }
            found.owner = window;
            found.pid = process(display, window)?;
            if found.pid.is_some() {
                break;
            }
            // A window that closed meanwhile has no parent, and no owner to be found.
            match display.conn.query_tree(window)?.reply().map_err(X11Error::from) {
                Ok(tree) => window = tree.parent,
                Err(X11Error::Refused(_)) => break,
                Err(error) => return Err(error),
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

/// What lies at a place, for presses with an expected receiver.
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
        self.held(at, |_| false, done)
    }

    /// The same for the end of a drag that began on `source`: the picture of what is dragged lies under the pointer, a
    /// popup of those who are dragged from, and is no receiver.
    pub(super) fn hold_drop(
        &self,
        at: Point,
        source: &Self,
        done: impl FnOnce() -> String,
    ) -> Outcome<Option<Exclusive<'a>>> {
        let is_picture = |popup: &Owner| popup.pid.is_none() || source.to.accepts(popup);
        self.held(at, is_picture, done)
    }

    fn held(
        &self,
        at: Point,
        is_picture: impl Fn(&Owner) -> bool,
        done: impl FnOnce() -> String,
    ) -> Outcome<Option<Exclusive<'a>>> {
        if self.to.is_anyone() {
            return Ok(None);
        }
        let exclusive = Exclusive::hold(self.display)?;
        let windows = list(self.display)?;
        let found = found_at(self.display, &windows, at, is_picture)?;
        if found.as_ref().is_some_and(|owner| self.to.accepts(owner)) {
            return Ok(Some(exclusive));
        }
        drop(exclusive);
        let found = found.and_then(|owner| owner.pid).and_then(program);
        let error: Error = diverted(&done(), found.as_deref());
        Err(X11Error::Reported(error))
    }
}

/// Whose window a press at this place reaches. The server is asked, which knows shapes, unmapped windows and popups that
/// expose no tree; what the places of windows suggest is not always so. A popup that is a picture of what is
/// dragged is looked through.
fn found_at(
    display: &Display,
    windows: &[ListedWindow],
    at: Point,
    is_picture: impl Fn(&Owner) -> bool,
) -> Outcome<Option<Owner>> {
    let path = path_to(display, at)?;
    let Some(outermost) = path.first().copied() else { return Ok(None) };
    let mut listed = path.iter().find_map(|id| windows.iter().find(|window| window.id == *id));
    if listed.is_none() {
        // Its frame, which the window manager made, or that of no application.
        for window in windows.iter().rev().filter(|window| !window.unmanaged && window.frame.contains(at)) {
            if outermost_of(display, window.id)? == outermost {
                listed = Some(window);
                break;
            }
        }
    }
    let owner = match listed {
        Some(window) => owner_of(window, None),
        None => {
            let mut owner = Owner::default();
            (owner.pid, owner.handle) = (process(display, outermost)?, Some(handle(outermost).into()));
            owner
        }
    };
    if listed.is_some_and(|window| !window.unmanaged) || !is_picture(&owner) {
        return Ok(Some(owner));
    }
    let below = windows.iter().rev().filter(|window| !window.minimized && window.frame.contains(at));
    let mut below = below.map(|window| (window.unmanaged, owner_of(window, None)));
    Ok(below.find(|(popup, owner)| !(*popup && is_picture(owner))).map(|(_, owner)| owner))
}

/// The windows at a place, from the child of the root to the innermost.
fn path_to(display: &Display, at: Point) -> Outcome<Vec<Window>> {
    let (x, y) = pixel(at);
    let mut path = Vec::new();
    let mut window = display.root;
    while path.len() < DEPTH {
        let asked = display.conn.translate_coordinates(display.root, window, x, y)?;
        match answered(asked.reply())?.map(|reply| reply.child) {
            Some(child) if child != x11rb::NONE => path.push(child),
            _ => break,
        }
        window = path[path.len() - 1];
    }
    Ok(path)
}

/// The child of the root that a window is in.
fn outermost_of(display: &Display, window: Window) -> Outcome<Window> {
    let mut outermost = window;
    for _ in 0..DEPTH {
        match answered(display.conn.query_tree(outermost)?.reply())?.map(|tree| tree.parent) {
            Some(parent) if parent != display.root && parent != x11rb::NONE => outermost = parent,
            _ => break,
        }
    }
    Ok(outermost)
}
