//! Windows as the window manager keeps them (EWMH), and the popups it does not manage.

mod act;
mod properties;

use std::time::Duration;

use fingertip_core::{Error, Reason, Rect, WindowKind};
use fingertip_desktop::ListedWindow;
use x11rb::connection::Connection;
use x11rb::cookie::Cookie;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _, QueryClientIdsReply};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, GetInputFocusReply,
    GetWindowAttributesReply, InputFocus, MapState, StackMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use super::display::{Atoms, Display};
use super::error::{Outcome, X11Error};
use crate::display::worker::CancelToken;
pub(super) use act::{act, ask_to_close};
#[cfg(feature = "fuzzing")]
pub(crate) use properties::frame_of_numbers;
use properties::{Asked, Properties, numbers, property};

/// How long a window manager may take to bring a window to the front.
const ACTIVATED_WITHIN: Duration = Duration::from_secs(2);
/// How often it is asked meanwhile.
const ASK_EVERY: Duration = Duration::from_millis(5);
/// The source that window managers let steal the focus: a pager, which acts for the user (EWMH).
const SOURCE_PAGER: u32 = 2;

/// The screen, and all windows of applications.
pub(super) fn look(display: &Display) -> Outcome<(Rect, Vec<ListedWindow>)> {
    let screen = display.ask_screen()?;
    let windows = list(display)?;
    Ok((screen.read()?, windows))
}

/// All windows of applications, the lowest first. What can be asked without knowing an answer is asked at once, as
/// each wait for the server costs more than many questions.
pub(super) fn list(display: &Display) -> Outcome<Vec<ListedWindow>> {
    let (active, clients) = (Active::ask(display)?, Clients::ask(display)?);
    let children = display.conn.query_tree(display.root)?.reply()?.children;
    let attributes = ask_each(&children, |window| Ok(display.conn.get_window_attributes(window)?))?;
    let (active, clients) = (active.read()?, clients.read()?);
    let managed =
        ask_each(clients.as_deref().unwrap_or_default(), |window| properties::ask(display, window))?;
    let unmanaged = viewable(attributes)?;
    let others = unmanaged.into_iter().filter(|(window, popup)| match &clients {
        Some(clients) => *popup && !clients.contains(window),
        // Without a window manager all are there by themselves.
        None => true,
    });
    let (popups, bare): (Vec<_>, Vec<_>) = others.partition(|(_, popup)| *popup);
    let ask = |windows: Vec<(Window, bool)>| {
        let windows: Vec<Window> = windows.into_iter().map(|(window, _)| window).collect();
        ask_each(&windows, |window| properties::ask(display, window))
    };
    let (bare, popups) = (ask(bare)?, ask(popups)?);
    let all = managed.into_iter().chain(bare).map(|asked| (asked, false));
    let mut windows = Vec::new();
    for ((window, asked), popup) in all.chain(popups.into_iter().map(|asked| (asked, true))) {
        // A window may close between the list and the question; then it is simply not there.
        let Some(properties) = asked.read(display)? else { continue };
        if popup && !properties.is_of_an_application() {
            continue;
        }
        // The number of a window that closed may be in the list still and belong to a helper of another program already.
        if !popup && clients.is_some() && !properties.managed {
            continue;
        }
        let layer = i32::try_from(windows.len()).unwrap_or(i32::MAX);
        windows.push(describe(window, properties, popup, layer, active));
    }
    Ok(windows)
}

/// The process that made a window; what the window itself says where the server does not know.
pub(super) fn process(display: &Display, window: Window) -> Outcome<Option<u32>> {
    let said = property(display, window, display.atoms._NET_WM_PID, AtomEnum::CARDINAL.into())?;
    if let Some(pid) = AskedProcess::ask(display, window).ok().and_then(AskedProcess::read) {
        return Ok(Some(pid));
    }
    Ok(answered(said.reply())?.and_then(|reply| reply.value32()?.next()))
}

/// The processes of the popups that can be seen, the topmost first, whether or not they say anything of themselves. Frames
/// and menus of the window manager are left out.
pub(super) fn popup_processes(display: &Display) -> Outcome<Vec<Option<u32>>> {
    let check =
        property(display, display.root, display.atoms._NET_SUPPORTING_WM_CHECK, AtomEnum::WINDOW.into())?;
    let children = display.conn.query_tree(display.root)?.reply()?.children;
    let attributes = ask_each(&children, |window| Ok(display.conn.get_window_attributes(window)?))?;
    let manager = match numbers(check)?.unwrap_or_default().first() {
        Some(window) => process(display, *window)?,
        None => None,
    };
    let mut owners = Vec::new();
    for (window, popup) in viewable(attributes)?.into_iter().rev() {
        if popup {
            owners.push(process(display, window)?);
        }
    }
    owners.retain(|owner| owner.is_none() || *owner != manager);
    Ok(owners)
}

/// The question to the server for the process that made a window.
struct AskedProcess<'a>(Cookie<'a, RustConnection, QueryClientIdsReply>);

impl<'a> AskedProcess<'a> {
    fn ask(display: &'a Display, window: Window) -> Outcome<Self> {
        let asked = ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID };
        Ok(Self(display.conn.res_query_client_ids(&[asked])?))
    }

    /// `None` when the window is gone too.
    fn read(self) -> Option<u32> {
        let reply = self.0.reply().ok()?;
        reply.ids.first().and_then(|id| id.value.first().copied()).filter(|pid| *pid != 0)
    }
}

/// Asks of each window, before any answer is read.
fn ask_each<T>(windows: &[Window], ask: impl Fn(Window) -> Outcome<T>) -> Outcome<Vec<(Window, T)>> {
    windows.iter().map(|&window| Ok((window, ask(window)?))).collect()
}

fn describe(
    id: Window,
    properties: Properties,
    popup: bool,
    layer: i32,
    active: Option<Window>,
) -> ListedWindow {
    ListedWindow {
        id,
        // What a window says itself counts only where the server does not know (a client of another machine, a server without
        // that extension): a program in a container counts its processes from one, and others say nothing, as Tk.
        pid: properties.process.or(properties.pid),
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
        modal: properties.modal,
        transient_for: properties.transient_for,
        unmanaged: popup,
        tooltip: popup && properties.tooltip,
        title: properties.title,
    }
}

/// The question for the managed windows.
struct Clients<'a>([Asked<'a>; 2]);

impl<'a> Clients<'a> {
    fn ask(display: &'a Display) -> Outcome<Self> {
        let of_root = |name| property(display, display.root, name, AtomEnum::WINDOW.into());
        let Atoms { _NET_CLIENT_LIST_STACKING, _NET_CLIENT_LIST, .. } = display.atoms;
        Ok(Self([of_root(_NET_CLIENT_LIST_STACKING)?, of_root(_NET_CLIENT_LIST)?]))
    }

    /// The managed windows, the lowest first; `None` without a window manager.
    fn read(self) -> Outcome<Option<Vec<Window>>> {
        let [stacking, any] = self.0;
        Ok(match numbers(stacking)? {
            Some(clients) => Some(clients),
            None => numbers(any)?,
        })
    }
}

/// Those that can be seen, and whether each is one the window manager leaves alone.
fn viewable(
    asked: Vec<(Window, Cookie<'_, RustConnection, GetWindowAttributesReply>)>,
) -> Outcome<Vec<(Window, bool)>> {
    let mut seen = Vec::new();
    for (window, asked) in asked {
        let Some(attributes) = answered(asked.reply())? else { continue };
        if attributes.map_state == MapState::VIEWABLE && attributes.class == WindowClass::INPUT_OUTPUT {
            seen.push((window, attributes.override_redirect));
        }
    }
    Ok(seen)
}

/// The question for the window with the keyboard.
struct Active<'a> {
    reported: Asked<'a>,
    focus: Cookie<'a, RustConnection, GetInputFocusReply>,
}

impl<'a> Active<'a> {
    fn ask(display: &'a Display) -> Outcome<Self> {
        let name = display.atoms._NET_ACTIVE_WINDOW;
        let reported = property(display, display.root, name, AtomEnum::WINDOW.into())?;
        Ok(Self { reported, focus: display.conn.get_input_focus()? })
    }

    /// The window with the keyboard, as the window manager says, or else the server.
    fn read(self) -> Outcome<Option<Window>> {
        match numbers(self.reported)?.and_then(|windows| windows.first().copied()) {
            Some(window) => Ok((window != x11rb::NONE).then_some(window)),
            None => Ok(Some(self.focus.reply()?.focus)),
        }
    }
}

/// The name of the window manager that rules the screen.
pub(super) fn window_manager(display: &Display) -> Outcome<Option<String>> {
    let name = display.atoms._NET_SUPPORTING_WM_CHECK;
    let check = |window| numbers(property(display, window, name, AtomEnum::WINDOW.into())?);
    let Some(window) = check(display.root)?.and_then(|windows| windows.first().copied()) else {
        return Ok(None);
    };
    // A manager that died leaves its mark on the root; only a living one has the window the mark points to.
    match check(window) {
        Ok(Some(windows)) if windows.first() == Some(&window) => {}
        Ok(_) | Err(X11Error::Refused(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    Ok(Some(properties::text(display, window, display.atoms._NET_WM_NAME)?.unwrap_or_default()))
}

/// The title of a window; `None` where it has none or is gone.
pub(super) fn title_of(display: &Display, window: Window) -> Outcome<Option<String>> {
    for name in [display.atoms._NET_WM_NAME, AtomEnum::WM_NAME.into()] {
        match properties::text(display, window, name) {
            Ok(None) => {}
            Ok(title) => return Ok(title),
            Err(X11Error::Refused(_)) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Whether the window manager takes care of a window.
pub(super) fn is_managed(display: &Display, window: Window) -> Outcome<bool> {
    let state = display.atoms.WM_STATE;
    match display
        .conn
        .get_property(false, window, state, AtomEnum::ANY, 0, 1)?
        .reply()
        .map_err(X11Error::from)
    {
        Ok(state) => Ok(state.value_len > 0),
        Err(X11Error::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Brings a window to the front, and waits until it is there.
pub(super) fn activate(display: &Display, window: Window, cancel: &CancelToken) -> Outcome<()> {
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
    let limit = cancel.deadline().slice(ACTIVATED_WITHIN);
    while Active::ask(display)?.read()? != Some(window) {
        if limit.passed() {
            return Err(X11Error::Reported(not_activated()));
        }
        cancel.rest(ASK_EVERY)?;
    }
    Ok(())
}

fn not_activated() -> Error {
    Error::new(Reason::ActionFailed, "The window manager did not bring the window to the front.")
        .with_guidance("Another window may hold the focus, such as a modal dialog; look at the windows.")
}

/// The answer of a request about something that may have gone meanwhile.
pub(super) fn answered<T>(reply: Result<T, x11rb::errors::ReplyError>) -> Outcome<Option<T>> {
    match reply.map_err(X11Error::from) {
        Ok(reply) => Ok(Some(reply)),
        Err(X11Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
