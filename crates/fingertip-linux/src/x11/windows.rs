//! Windows as the window manager keeps them (EWMH), and the popups it does not manage.

mod properties;

use std::time::Duration;

use fingertip_core::{Error, Reason, Rect, WindowKind};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, InputFocus, MapState,
    StackMode, Window, WindowClass,
};

use super::display::Display;
use super::fault::{Fault, Outcome};
use super::worker::Leash;
use properties::{Properties, numbers};

/// How long a window manager may take to bring a window to the front.
const ACTIVATED_WITHIN: Duration = Duration::from_secs(2);
/// How often it is asked meanwhile.
const ASK_EVERY: Duration = Duration::from_millis(5);
/// The source that window managers let steal the focus: a pager, which acts for the user (EWMH).
const SOURCE_PAGER: u32 = 2;

/// Distances from the edges of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Edges {
    /// From the left edge.
    pub(crate) left: i32,
    /// From the right edge.
    pub(crate) right: i32,
    /// From the top edge.
    pub(crate) top: i32,
    /// From the bottom edge.
    pub(crate) bottom: i32,
}

/// A window of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct XWindow {
    /// The server's number for it.
    pub(crate) id: u32,
    /// The process that says it made it.
    pub(crate) pid: Option<u32>,
    /// Its title; empty where it has none.
    pub(crate) title: String,
    /// Where the X window of the application is on the screen, [`Self::shadow`] included.
    pub(crate) bounds: Rect,
    /// What a person would call the window: with the window manager's decorations, without the shadow.
    pub(crate) frame: Rect,
    /// The invisible margin that applications with their own decorations keep around themselves.
    pub(crate) shadow: Edges,
    /// Whether it is the one in front, with the keyboard.
    pub(crate) active: bool,
    /// Whether it is minimized.
    pub(crate) minimized: bool,
    /// Its place in the stack; higher lies above.
    pub(crate) layer: i32,
    /// What it is for.
    pub(crate) kind: WindowKind,
    /// Whether the window manager leaves it alone, as it does menus and tooltips.
    pub(crate) unmanaged: bool,
}

/// All windows of applications, the lowest first.
pub(super) fn list(display: &Display) -> Outcome<Vec<XWindow>> {
    let active = active(display)?;
    let children = display.conn.query_tree(display.root)?.reply()?.children;
    let unmanaged = viewable(display, &children)?;
    let clients = clients(display)?;
    let has_manager = clients.is_some();
    let managed = match clients {
        Some(clients) => clients,
        None => unmanaged.iter().filter(|(_, popup)| !popup).map(|(window, _)| *window).collect(),
    };
    let popups = unmanaged.iter().filter(|(window, popup)| *popup && !managed.contains(window));
    let all: Vec<(Window, bool)> =
        managed.iter().map(|window| (*window, false)).chain(popups.copied()).collect();
    let asked: Vec<_> =
        all.iter().map(|(window, _)| properties::ask(display, *window)).collect::<Outcome<_>>()?;
    let mut windows = Vec::with_capacity(all.len());
    for ((window, popup), asked) in all.into_iter().zip(asked) {
        // A window may close between the list and the question; then it is simply not there.
        let Some(properties) = asked.read(display)? else { continue };
        if popup && !properties.is_of_an_application() {
            continue;
        }
        // The number of a window that closed may be in the list still and belong to a helper of another program already.
        if !popup && has_manager && !properties.managed {
            continue;
        }
        let layer = i32::try_from(windows.len()).unwrap_or(i32::MAX);
        windows.push(describe(window, properties, popup, layer, active));
    }
    Ok(windows)
}

fn describe(id: Window, properties: Properties, popup: bool, layer: i32, active: Option<Window>) -> XWindow {
    XWindow {
        id,
        pid: properties.pid,
        bounds: properties.bounds,
        frame: properties.frame(),
        shadow: properties.shadow,
        active: active == Some(id),
        minimized: properties.minimized,
        layer,
        kind: if popup {
            properties.kind.unwrap_or(WindowKind::Popup)
        } else {
            properties.kind.unwrap_or_default()
        },
        unmanaged: popup,
        title: properties.title,
    }
}

/// The managed windows, the lowest first; `None` without a window manager.
fn clients(display: &Display) -> Outcome<Option<Vec<Window>>> {
    let atoms = &display.atoms;
    for list in [atoms._NET_CLIENT_LIST_STACKING, atoms._NET_CLIENT_LIST] {
        if let Some(clients) = numbers(display, display.root, list, AtomEnum::WINDOW.into())? {
            return Ok(Some(clients));
        }
    }
    Ok(None)
}

/// The children of the root that can be seen, and whether each is one the window manager leaves alone.
fn viewable(display: &Display, children: &[Window]) -> Outcome<Vec<(Window, bool)>> {
    let asked: Vec<_> = children
        .iter()
        .map(|window| display.conn.get_window_attributes(*window))
        .collect::<Result<_, _>>()?;
    let mut seen = Vec::new();
    for (window, asked) in children.iter().zip(asked) {
        let Some(attributes) = answered(asked.reply())? else { continue };
        if attributes.map_state == MapState::VIEWABLE && attributes.class == WindowClass::INPUT_OUTPUT {
            seen.push((*window, attributes.override_redirect));
        }
    }
    Ok(seen)
}

/// The window with the keyboard, as the window manager says.
fn active(display: &Display) -> Outcome<Option<Window>> {
    let told = numbers(display, display.root, display.atoms._NET_ACTIVE_WINDOW, AtomEnum::WINDOW.into())?;
    match told.and_then(|windows| windows.first().copied()) {
        Some(window) => Ok((window != x11rb::NONE).then_some(window)),
        None => Ok(Some(display.conn.get_input_focus()?.reply()?.focus)),
    }
}

/// The name of the window manager that rules the screen.
pub(super) fn window_manager(display: &Display) -> Outcome<Option<String>> {
    let check =
        |window| numbers(display, window, display.atoms._NET_SUPPORTING_WM_CHECK, AtomEnum::WINDOW.into());
    let Some(window) = check(display.root)?.and_then(|windows| windows.first().copied()) else {
        return Ok(None);
    };
    // A manager that died leaves its mark on the root; only a living one has the window the mark points to.
    match check(window) {
        Ok(Some(windows)) if windows.first() == Some(&window) => {}
        Ok(_) | Err(Fault::Refused(_)) => return Ok(None),
        Err(fault) => return Err(fault),
    }
    Ok(Some(properties::text(display, window, display.atoms._NET_WM_NAME)?.unwrap_or_default()))
}

/// Brings a window to the front, and waits until it is there.
pub(super) fn activate(display: &Display, window: Window, leash: &Leash) -> Outcome<()> {
    if window_manager(display)?.is_some() {
        let event =
            ClientMessageEvent::new(32, window, display.atoms._NET_ACTIVE_WINDOW, [SOURCE_PAGER, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        display.conn.send_event(false, display.root, mask, event)?.check()?;
    } else {
        display
            .conn
            .configure_window(window, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?
            .check()?;
        display.conn.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?.check()?;
    }
    display.conn.flush()?;
    let limit = leash.deadline().slice(ACTIVATED_WITHIN);
    while active(display)? != Some(window) {
        if limit.passed() {
            return Err(Fault::Told(not_activated()));
        }
        leash.rest(ASK_EVERY)?;
    }
    Ok(())
}

fn not_activated() -> Error {
    Error::new(Reason::ActionFailed, "The window manager did not bring the window to the front.")
        .with_guidance("Another window may hold the focus, such as a modal dialog; look at the windows.")
}

/// The answer of a request about something that may have gone meanwhile.
fn answered<T>(reply: Result<T, x11rb::errors::ReplyError>) -> Outcome<Option<T>> {
    match reply.map_err(Fault::from) {
        Ok(reply) => Ok(Some(reply)),
        Err(Fault::Refused(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}
