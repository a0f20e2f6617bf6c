//! Acting on a window through the window manager (EWMH), or on the server itself where there is none.
//!
//! The effect of every act is checked afterwards: a window manager may refuse. Nothing here kills: a window that does not understand
//! being asked to close is left alone, because a window manager would end its program.

use std::time::Duration;

use fingertip_core::target::WindowAction;
use fingertip_core::{Error, Reason, Rect};
use fingertip_desktop::ListedWindow;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, Window,
};

use super::properties::{numbers, property};
use super::{ASK_EVERY, SOURCE_PAGER, activate, list, window_manager};
use crate::display::worker::CancelToken;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};

/// How long a window may take to become what it was asked to.
const DONE_WITHIN: Duration = Duration::from_secs(2);
/// How long an exact size is waited for where another one was given.
const EXACT_WITHIN: Duration = Duration::from_millis(600);
/// How long a frame must stay the same to be settled.
const KEEPS_STILL: Duration = Duration::from_millis(100);
/// The state of a minimized window (ICCCM).
const ICONIC: u32 = 3;
/// What is done with a state of a window (EWMH).
const REMOVE: u32 = 0;
const ADD: u32 = 1;
/// A place is that of the outer top left corner.
const NORTH_WEST: u32 = 1;
/// Which of place and size are given (EWMH), and for whom it is asked.
const HAS_PLACE: u32 = 0b0011 << 8;
const HAS_SIZE: u32 = 0b1100 << 8;
const FROM_PAGER: u32 = SOURCE_PAGER << 12;

/// Does it, and gives the window afterwards; `None` when it is gone.
pub(crate) fn act(
    display: &Display,
    id: Window,
    action: WindowAction,
    cancel: &CancelToken,
) -> Outcome<Option<ListedWindow>> {
    let before = find(display, id)?.ok_or_else(gone)?;
    let managed = window_manager(display)?.is_some();
    let after = match action {
        WindowAction::Activate => {
            activate(display, id, cancel)?;
            find(display, id)?
        }
        WindowAction::Close => return close(display, id, managed, cancel),
        WindowAction::Minimize => {
            must_be_managed(managed)?;
            send(display, id, display.atoms.WM_CHANGE_STATE, [ICONIC, 0, 0, 0, 0])?;
            until(display, id, cancel, "minimize", |window| Ok(window.minimized))?
        }
        WindowAction::Maximize => {
            must_be_managed(managed)?;
            set_maximized(display, id, ADD)?;
            until(display, id, cancel, "maximize", |_| is_maximized(display, id))?;
            kept_still(display, id, cancel)?
        }
        WindowAction::Restore => restore(display, id, &before, managed, cancel)?,
        WindowAction::Move { x, y } => {
            let place = (x - before.shadow.left, y - before.shadow.top);
            configure(display, id, managed, Some(place), None)?;
            settled(display, &before, cancel, "move", |frame| (frame.left, frame.top) == (x, y))?
        }
        WindowAction::Resize { width, height } => {
            let wanted = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
            // What the frame has more than the window, or less where the window draws its own shadow.
            let (more_x, more_y) = (
                before.frame.width() - before.bounds.width(),
                before.frame.height() - before.bounds.height(),
            );
            let size = ((wanted(width) - more_x).max(1), (wanted(height) - more_y).max(1));
            configure(display, id, managed, None, Some(size))?;
            let is_so = |frame: Rect| (frame.width(), frame.height()) == (wanted(width), wanted(height));
            settled(display, &before, cancel, "resize", is_so)?
        }
        _ => {
            return Err(X11Error::Reported(Error::new(
                Reason::Unsupported,
                "This cannot be done to a window here.",
            )));
        }
    };
    after.map(Some).ok_or_else(gone)
}

/// Asks a window to close.
pub(crate) fn ask_to_close(display: &Display, id: Window, managed: bool) -> Outcome<()> {
    let protocols = property(display, id, display.atoms.WM_PROTOCOLS, AtomEnum::ATOM.into())?.reply();
    let understands = match super::answered(protocols)? {
        None => return Err(gone()),
        Some(reply) => {
            reply.value32().is_some_and(|mut all| all.any(|atom| atom == display.atoms.WM_DELETE_WINDOW))
        }
    };
    if !understands {
        return Err(X11Error::Reported(
            Error::new(
                Reason::Unsupported,
                "The window cannot be asked to close; closing it would kill its program.",
            )
            .with_guidance("Use the application's own way out, such as a menu or a key."),
        ));
    }
    if managed {
        return send(
            display,
            id,
            display.atoms._NET_CLOSE_WINDOW,
            [x11rb::CURRENT_TIME, SOURCE_PAGER, 0, 0, 0],
        );
    }
    let words = [display.atoms.WM_DELETE_WINDOW, x11rb::CURRENT_TIME, 0, 0, 0];
    let event = ClientMessageEvent::new(32, id, display.atoms.WM_PROTOCOLS, words);
    display.conn.send_event(false, id, EventMask::NO_EVENT, event)?.check()?;
    Ok(display.conn.flush()?)
}

/// Asks it to close and waits until it has, or another window of its process came instead.
fn close(
    display: &Display,
    id: Window,
    managed: bool,
    cancel: &CancelToken,
) -> Outcome<Option<ListedWindow>> {
    let before = list(display)?;
    let own = before.iter().find(|window| window.id == id).and_then(|window| window.pid);
    ask_to_close(display, id, managed)?;
    let limit = cancel.deadline().slice(DONE_WITHIN);
    loop {
        let now = list(display)?;
        if !now.iter().any(|window| window.id == id) {
            return Ok(None);
        }
        let is_new = |window: &&ListedWindow| !before.iter().any(|known| known.id == window.id);
        let asks = |window: &&ListedWindow| {
            !window.unmanaged && (window.transient_for == Some(id) || own.is_some() && window.pid == own)
        };
        if let Some(dialog) = now.iter().filter(is_new).find(asks) {
            return Err(X11Error::Reported(asked(&dialog.title)));
        }
        if limit.passed() {
            return Err(X11Error::Reported(not_done("close")));
        }
        cancel.rest(ASK_EVERY)?;
    }
}

/// Takes a window back from being minimized, and from filling the screen.
fn restore(
    display: &Display,
    id: Window,
    before: &ListedWindow,
    managed: bool,
    cancel: &CancelToken,
) -> Outcome<Option<ListedWindow>> {
    must_be_managed(managed)?;
    if before.minimized {
        activate(display, id, cancel)?;
        return until(display, id, cancel, "restore", |window| Ok(!window.minimized));
    }
    set_maximized(display, id, REMOVE)?;
    let full = display.atoms._NET_WM_STATE_FULLSCREEN;
    send(display, id, display.atoms._NET_WM_STATE, [REMOVE, full, 0, SOURCE_PAGER, 0])?;
    until(display, id, cancel, "restore", |_| Ok(!is_maximized(display, id)?))?;
    kept_still(display, id, cancel)
}

fn set_maximized(display: &Display, id: Window, how: u32) -> Outcome<()> {
    let atoms = &display.atoms;
    let words =
        [how, atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ, SOURCE_PAGER, 0];
    send(display, id, atoms._NET_WM_STATE, words)
}

/// Whether it fills the screen, as far as the window manager says.
fn is_maximized(display: &Display, id: Window) -> Outcome<bool> {
    let atoms = &display.atoms;
    let states =
        numbers(property(display, id, atoms._NET_WM_STATE, AtomEnum::ATOM.into())?)?.unwrap_or_default();
    let both = [atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ];
    Ok(both.iter().all(|state| states.contains(state)) || states.contains(&atoms._NET_WM_STATE_FULLSCREEN))
}

/// Asks for another place or size.
fn configure(
    display: &Display,
    id: Window,
    managed: bool,
    place: Option<(i32, i32)>,
    size: Option<(i32, i32)>,
) -> Outcome<()> {
    if managed {
        let ((x, y), (width, height)) = (place.unwrap_or_default(), size.unwrap_or_default());
        let given = place.map_or(0, |_| HAS_PLACE) | size.map_or(0, |_| HAS_SIZE);
        let words = [NORTH_WEST | given | FROM_PAGER, x as u32, y as u32, width as u32, height as u32];
        return send(display, id, display.atoms._NET_MOVERESIZE_WINDOW, words);
    }
    let mut wanted = ConfigureWindowAux::new();
    if let Some((x, y)) = place {
        wanted = wanted.x(x).y(y);
    }
    if let Some((width, height)) = size {
        wanted = wanted.width(width as u32).height(height as u32);
    }
    display.conn.configure_window(id, &wanted)?.check()?;
    Ok(display.conn.flush()?)
}

/// Asks the window manager for a state of a window.
fn send(display: &Display, id: Window, what: Atom, words: [u32; 5]) -> Outcome<()> {
    let event = ClientMessageEvent::new(32, id, what, words);
    let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    display.conn.send_event(false, display.root, mask, event)?.check()?;
    Ok(display.conn.flush()?)
}

/// Waits until this is true of a window.
fn until(
    display: &Display,
    id: Window,
    cancel: &CancelToken,
    what: &str,
    is_so: impl Fn(&ListedWindow) -> Outcome<bool>,
) -> Outcome<Option<ListedWindow>> {
    let limit = cancel.deadline().slice(DONE_WITHIN);
    loop {
        let Some(window) = find(display, id)? else { return Ok(None) };
        if is_so(&window)? {
            return Ok(Some(window));
        }
        if limit.passed() {
            return Err(X11Error::Reported(not_done(what)));
        }
        cancel.rest(ASK_EVERY)?;
    }
}

/// Waits until a window has the frame that was asked for, or for a while any other than before: sizes come in steps, and
/// windows have a smallest one.
fn settled(
    display: &Display,
    before: &ListedWindow,
    cancel: &CancelToken,
    what: &str,
    is_so: impl Fn(Rect) -> bool,
) -> Outcome<Option<ListedWindow>> {
    let (limit, exact) = (cancel.deadline().slice(DONE_WITHIN), cancel.deadline().slice(EXACT_WITHIN));
    loop {
        let Some(window) = find(display, before.id)? else { return Ok(None) };
        if is_so(window.frame) || window.frame != before.frame && exact.passed() {
            return Ok(Some(window));
        }
        if limit.passed() {
            return Err(X11Error::Reported(not_done(what)));
        }
        cancel.rest(ASK_EVERY)?;
    }
}

/// The window once its frame keeps still: a window manager says what a window is before it has made it so.
fn kept_still(display: &Display, id: Window, cancel: &CancelToken) -> Outcome<Option<ListedWindow>> {
    let limit = cancel.deadline().slice(DONE_WITHIN);
    let mut last = find(display, id)?;
    loop {
        cancel.rest(KEEPS_STILL)?;
        let now = find(display, id)?;
        let frames = (now.as_ref().map(|window| window.frame), last.as_ref().map(|window| window.frame));
        if frames.0 == frames.1 || limit.passed() {
            return Ok(now);
        }
        last = now;
    }
}

fn find(display: &Display, id: Window) -> Outcome<Option<ListedWindow>> {
    Ok(list(display)?.into_iter().find(|window| window.id == id))
}

fn must_be_managed(managed: bool) -> Outcome<()> {
    if managed {
        return Ok(());
    }
    Err(X11Error::Reported(
        Error::new(
            Reason::Unsupported,
            "There is no window manager, which alone can do this; nothing was done.",
        )
        .with_guidance("Windows can be brought to the front, moved, resized and closed without one."),
    ))
}

fn gone() -> X11Error {
    X11Error::Reported(
        Error::new(Reason::Stale, "The window is gone; nothing was done.")
            .with_guidance("list_windows lists the windows."),
    )
}

fn not_done(what: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("The window was asked to {what} and did not.")).with_guidance(
        "The window manager or the application may refuse that; a dialog may be in the way. Look at it.",
    )
}

fn asked(title: &str) -> Error {
    Error::new(
        Reason::ActionFailed,
        format!("The window did not close: its application opened '{title}' instead. Nothing was killed."),
    )
    .with_guidance("Answer that dialog; it may ask whether to save.")
}
