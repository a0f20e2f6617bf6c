//! One connection to the X server, and whether it is one that can be worked with.

use std::collections::HashMap;
use std::env;
use std::sync::Mutex;

use fingertip_core::sync::lock;
use fingertip_core::{Error, Reason, Rect};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::cookie::Cookie;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, GetGeometryReply, Window};
use x11rb::rust_connection::RustConnection;

use super::error::{Outcome, SERVER, X11Error};
use super::screen::Memory;
use crate::display::worker::Connect;

x11rb::atom_manager! {
    /// The names this crate uses, as numbers of one server.
    pub(crate) Atoms: AtomsCookie {
        CLIPBOARD,
        FINGERTIP_SELECTION,
        INCR,
        TARGETS,
        TEXT_PLAIN_UTF8: b"text/plain;charset=utf-8",
        UTF8_STRING,
        WM_CHANGE_STATE,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_STATE,
        _GTK_FRAME_EXTENTS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_CLOSE_WINDOW,
        _NET_FRAME_EXTENTS,
        _NET_MOVERESIZE_WINDOW,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
        _NET_WM_STATE_MODAL,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_COMBO,
        _NET_WM_WINDOW_TYPE_DESKTOP,
        _NET_WM_WINDOW_TYPE_DIALOG,
        _NET_WM_WINDOW_TYPE_DND,
        _NET_WM_WINDOW_TYPE_DOCK,
        _NET_WM_WINDOW_TYPE_DROPDOWN_MENU,
        _NET_WM_WINDOW_TYPE_MENU,
        _NET_WM_WINDOW_TYPE_NOTIFICATION,
        _NET_WM_WINDOW_TYPE_POPUP_MENU,
        _NET_WM_WINDOW_TYPE_SPLASH,
        _NET_WM_WINDOW_TYPE_TOOLTIP,
    }
}

/// A connection, and what is asked of a server once.
pub(super) struct Display {
    pub(super) conn: RustConnection,
    pub(super) atoms: Atoms,
    pub(super) root: Window,
    /// Memory that both sides have, for pictures.
    pub(super) memory: Mutex<Option<Memory>>,
    /// Learned by asking; a window that is made again has another number.
    pings: Mutex<HashMap<Window, bool>>,
}

impl Display {
    /// Connects to the server of this display, or to the one that `DISPLAY` names.
    pub(super) fn open(name: Option<&str>) -> Outcome<Self> {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        if name.is_none() && !set("DISPLAY") {
            return Err(X11Error::Reported(if set("WAYLAND_DISPLAY") {
                not_under_wayland()
            } else {
                no_display()
            }));
        }
        let (conn, screen) = x11rb::connect(name).map_err(|error| unreachable_server(&error.to_string()))?;
        let root = conn.setup().roots[screen].root;
        let atoms = Atoms::new(&conn)?.reply()?;
        let display = Self { conn, atoms, root, memory: Mutex::default(), pings: Mutex::default() };
        if display.is_wayland()? { Err(X11Error::Reported(not_under_wayland())) } else { Ok(display) }
    }

    /// Whether this window answers when it is asked if it has read its input; `None` before it was asked.
    pub(super) fn answers_pings(&self, window: Window) -> Option<bool> {
        lock(&self.pings).get(&window).copied()
    }

    /// Remembers whether it does.
    pub(super) fn remember_pings(&self, window: Window, answers: bool) {
        lock(&self.pings).insert(window, answers);
    }

    /// The screen as it is now; it may be turned or resized while we are connected.
    pub(super) fn screen(&self) -> Outcome<Rect> {
        self.ask_screen()?.read()
    }

    /// Asks for the screen without waiting for the answer.
    pub(super) fn ask_screen(&self) -> Outcome<AskedScreen<'_>> {
        Ok(AskedScreen(self.conn.get_geometry(self.root)?))
    }

    /// Whether this server only serves the X clients of a Wayland session. Newer ones say so by an extension,
    /// older ones by the names of their outputs; a nested server in a Wayland session is neither.
    fn is_wayland(&self) -> Outcome<bool> {
        if self.conn.query_extension(b"XWAYLAND")?.reply()?.present {
            return Ok(true);
        }
        if self.conn.extension_information(x11rb::protocol::randr::X11_EXTENSION_NAME)?.is_none() {
            return Ok(false);
        }
        let resources = self.conn.randr_get_screen_resources_current(self.root)?.reply()?;
        let Some(output) = resources.outputs.first() else { return Ok(false) };
        let info = self.conn.randr_get_output_info(*output, resources.config_timestamp)?.reply()?;
        Ok(info.name.starts_with(b"XWAYLAND"))
    }
}

impl Connect for Display {
    type Address = Option<String>;
    const SERVER: &'static str = SERVER;

    fn connect(name: &Option<String>) -> Outcome<Self> {
        Self::open(name.as_deref())
    }

    fn is_alive(&mut self) -> bool {
        self.conn.get_input_focus().is_ok_and(|cookie| cookie.reply().is_ok())
    }
}

/// The screen, on its way.
pub(super) struct AskedScreen<'a>(Cookie<'a, RustConnection, GetGeometryReply>);

impl AskedScreen<'_> {
    pub(super) fn read(self) -> Outcome<Rect> {
        let geometry = self.0.reply()?;
        Ok(Rect::new(0, 0, i32::from(geometry.width), i32::from(geometry.height)))
    }
}

/// Why nothing of the display is to be had from the X server of a Wayland session.
fn not_under_wayland() -> Error {
    Error::new(
        Reason::Unsupported,
        "Pointer, keyboard, screenshots, clipboard and window positions are not available: DISPLAY names the X server of \
         a Wayland session, which sees only some windows and none of the screen.",
    )
    .with_guidance("Set WAYLAND_DISPLAY too, as in the session itself; what its compositor gives serves then.")
}

fn no_display() -> Error {
    Error::new(Reason::PermissionDenied, "There is no X display: DISPLAY is not set.")
        .with_guidance("Start the server inside the desktop session, or set DISPLAY (and XAUTHORITY) to it.")
}

fn unreachable_server(cause: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("The X display cannot be reached ({cause})."))
        .with_guidance("Check that DISPLAY names a running X server and that XAUTHORITY lets this user in.")
}
