//! What a window says of itself: all questions of a window are sent before the first answer is read.

use fingertip_core::{Rect, WindowKind};
use fingertip_desktop::windows::Edges;
use x11rb::cookie::Cookie;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt, GetGeometryReply, GetPropertyReply, TranslateCoordinatesReply, Window,
};
use x11rb::rust_connection::RustConnection;

use super::{AskedProcess, answered};
use crate::x11::display::{Atoms, Display};
use crate::x11::error::{Outcome, X11Error};

/// The most 32-bit units read of a property: far more than any title or list of windows needs.
const PROPERTY_UNITS: u32 = 1 << 14;
/// The widest decoration or shadow believed, in pixels: no window of X11 is larger.
const MAX_EDGE: i32 = 1 << 15;
/// The state of a minimized window (ICCCM).
const ICONIC: u32 = 3;

/// What is read of a window.
pub(super) struct Properties {
    pub(super) title: String,
    /// Its process, as it says itself.
    pub(super) pid: Option<u32>,
    /// The process as the server knows it, from the connection that made the window.
    pub(super) process: Option<u32>,
    pub(super) bounds: Rect,
    pub(super) shadow: Edges,
    decoration: Edges,
    pub(super) minimized: bool,
    /// Whether a window manager has marked it as one of its own (ICCCM).
    pub(super) managed: bool,
    pub(super) kind: Option<WindowKind>,
    pub(super) modal: bool,
    pub(super) tooltip: bool,
    /// The window it belongs to.
    pub(super) transient_for: Option<u32>,
}

impl Properties {
    /// The window with the window manager's decorations, without its own shadow.
    pub(super) fn frame(&self) -> Rect {
        let Rect { left, top, right, bottom } = self.bounds;
        let (out, inside) = (self.decoration, self.shadow);
        Rect::new(
            left - out.left + inside.left,
            top - out.top + inside.top,
            right + out.right - inside.right,
            bottom + out.bottom - inside.bottom,
        )
    }

    /// Toolkits mark their popups; the frames and helpers of window managers bear no such marks.
    pub(super) fn is_of_an_application(&self) -> bool {
        (self.pid.is_some() || self.kind.is_some()) && self.bounds.area() > 1
    }
}

/// A property on its way.
pub(super) type Asked<'a> = Cookie<'a, RustConnection, GetPropertyReply>;

/// Questions on their way.
pub(super) struct Questions<'a> {
    geometry: Cookie<'a, RustConnection, GetGeometryReply>,
    origin: Cookie<'a, RustConnection, TranslateCoordinatesReply>,
    title: Asked<'a>,
    old_title: Asked<'a>,
    pid: Asked<'a>,
    /// `None` where the server has no such question.
    process: Option<AskedProcess<'a>>,
    states: Asked<'a>,
    old_state: Asked<'a>,
    types: Asked<'a>,
    transient_for: Asked<'a>,
    decoration: Asked<'a>,
    shadow: Asked<'a>,
}

/// Asks a window for everything.
pub(super) fn ask(display: &Display, window: Window) -> Outcome<Questions<'_>> {
    let (conn, atoms) = (&display.conn, &display.atoms);
    let cardinal = Atom::from(AtomEnum::CARDINAL);
    let get = |name, kind| property(display, window, name, kind);
    Ok(Questions {
        geometry: conn.get_geometry(window)?,
        origin: conn.translate_coordinates(window, display.root, 0, 0)?,
        title: get(atoms._NET_WM_NAME, atoms.UTF8_STRING)?,
        old_title: get(AtomEnum::WM_NAME.into(), AtomEnum::ANY.into())?,
        pid: get(atoms._NET_WM_PID, cardinal)?,
        process: AskedProcess::ask(display, window).ok(),
        states: get(atoms._NET_WM_STATE, AtomEnum::ATOM.into())?,
        old_state: get(atoms.WM_STATE, AtomEnum::ANY.into())?,
        types: get(atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM.into())?,
        transient_for: get(AtomEnum::WM_TRANSIENT_FOR.into(), AtomEnum::WINDOW.into())?,
        decoration: get(atoms._NET_FRAME_EXTENTS, cardinal)?,
        shadow: get(atoms._GTK_FRAME_EXTENTS, cardinal)?,
    })
}

impl Questions<'_> {
    /// The answers; `None` when the window is gone.
    pub(super) fn read(self, display: &Display) -> Outcome<Option<Properties>> {
        let atoms = &display.atoms;
        let Some(geometry) = answered(self.geometry.reply())? else { return Ok(None) };
        let Some(origin) = answered(self.origin.reply())? else { return Ok(None) };
        let list = |asked: Asked<'_>| {
            let reply = answered(asked.reply())?;
            Ok::<_, X11Error>(
                reply.and_then(|reply| Some(reply.value32()?.collect::<Vec<u32>>())).unwrap_or_default(),
            )
        };
        let title = match answered(self.title.reply())?.filter(|reply| !reply.value.is_empty()) {
            Some(reply) => Some(reply),
            None => answered(self.old_title.reply())?,
        };
        let (states, types) = (list(self.states)?, list(self.types)?);
        let old_state = list(self.old_state)?;
        let transient_for = list(self.transient_for)?.first().copied().filter(|owner| *owner != x11rb::NONE);
        let modal = states.contains(&atoms._NET_WM_STATE_MODAL);
        let left = i32::from(origin.dst_x);
        let top = i32::from(origin.dst_y);
        Ok(Some(Properties {
            title: title.map(|reply| decoded(&reply, atoms)).unwrap_or_default(),
            pid: list(self.pid)?.first().copied(),
            process: self.process.and_then(AskedProcess::read),
            bounds: Rect::new(left, top, left + i32::from(geometry.width), top + i32::from(geometry.height)),
            shadow: edges(&list(self.shadow)?),
            decoration: edges(&list(self.decoration)?),
            minimized: states.contains(&atoms._NET_WM_STATE_HIDDEN) || old_state.first() == Some(&ICONIC),
            managed: !old_state.is_empty(),
            kind: kind(atoms, &types, transient_for.is_some() || modal),
            modal,
            tooltip: types.contains(&atoms._NET_WM_WINDOW_TYPE_TOOLTIP),
            transient_for,
        }))
    }
}

/// What a window is for, by the first type of its list that is known here.
fn kind(atoms: &Atoms, types: &[Atom], belongs_to_another: bool) -> Option<WindowKind> {
    let named = types.iter().find_map(|atom| {
        let kind = match *atom {
            kind if kind == atoms._NET_WM_WINDOW_TYPE_DIALOG => WindowKind::Dialog,
            kind if kind == atoms._NET_WM_WINDOW_TYPE_DESKTOP
                || kind == atoms._NET_WM_WINDOW_TYPE_DOCK
                || kind == atoms._NET_WM_WINDOW_TYPE_NOTIFICATION =>
            {
                WindowKind::System
            }
            kind if kind == atoms._NET_WM_WINDOW_TYPE_COMBO
                || kind == atoms._NET_WM_WINDOW_TYPE_DND
                || kind == atoms._NET_WM_WINDOW_TYPE_DROPDOWN_MENU
                || kind == atoms._NET_WM_WINDOW_TYPE_MENU
                || kind == atoms._NET_WM_WINDOW_TYPE_POPUP_MENU
                || kind == atoms._NET_WM_WINDOW_TYPE_SPLASH
                || kind == atoms._NET_WM_WINDOW_TYPE_TOOLTIP =>
            {
                WindowKind::Popup
            }
            _ => return None,
        };
        Some(kind)
    });
    named.or(belongs_to_another.then_some(WindowKind::Dialog))
}

fn edges(values: &[u32]) -> Edges {
    let believed = |value: &u32| i32::try_from(*value).ok().filter(|value| *value <= MAX_EDGE);
    let at = |index: usize| values.get(index).and_then(believed).unwrap_or_default();
    Edges { left: at(0), right: at(1), top: at(2), bottom: at(3) }
}

/// A title as text: UTF-8 where it says so or is, else Latin-1, which is what the oldest clients mean.
fn decoded(reply: &GetPropertyReply, atoms: &Atoms) -> String {
    match std::str::from_utf8(&reply.value) {
        Ok(text) => text.to_owned(),
        Err(_) if reply.type_ == atoms.UTF8_STRING => String::from_utf8_lossy(&reply.value).into_owned(),
        Err(_) => reply.value.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Where a window is that claims these edges, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn frame_of_numbers(numbers: &[u32]) -> String {
    let (decoration, shadow) = numbers.split_at(numbers.len().min(4));
    let properties = Properties {
        title: String::new(),
        pid: None,
        process: None,
        bounds: Rect::new(i16::MIN.into(), i16::MIN.into(), i16::MAX.into(), i16::MAX.into()),
        shadow: edges(shadow),
        decoration: edges(decoration),
        minimized: false,
        managed: true,
        kind: None,
        modal: false,
        tooltip: false,
        transient_for: None,
    };
    format!("{:?} {}", properties.frame(), properties.is_of_an_application())
}

/// Asks for a property.
pub(super) fn property(display: &Display, window: Window, name: Atom, kind: Atom) -> Outcome<Asked<'_>> {
    Ok(display.conn.get_property(false, window, name, kind, 0, PROPERTY_UNITS)?)
}

/// A property that is a list of numbers; `None` where it is not set.
pub(super) fn numbers(asked: Asked<'_>) -> Outcome<Option<Vec<u32>>> {
    Ok(asked.reply()?.value32().map(Iterator::collect))
}

/// A property that is a text; `None` where it is not set.
pub(super) fn text(display: &Display, window: Window, name: Atom) -> Outcome<Option<String>> {
    let reply = property(display, window, name, AtomEnum::ANY.into())?.reply()?;
    Ok((!reply.value.is_empty()).then(|| decoded(&reply, &display.atoms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_has_decorations_and_no_shadow() {
        let mut properties = Properties {
            title: String::new(),
            pid: None,
            process: None,
            bounds: Rect::new(100, 100, 300, 200),
            shadow: Edges::default(),
            decoration: Edges { left: 1, right: 2, top: 20, bottom: 3 },
            minimized: false,
            managed: true,
            kind: None,
            modal: false,
            tooltip: false,
            transient_for: None,
        };
        assert_eq!(properties.frame(), Rect::new(99, 80, 302, 203));
        properties.decoration = Edges::default();
        properties.shadow = Edges { left: 10, right: 10, top: 8, bottom: 12 };
        assert_eq!(properties.frame(), Rect::new(110, 108, 290, 188));
    }

    #[test]
    fn edges_that_are_missing_or_absurd_are_nothing() {
        assert_eq!(edges(&[1, 2, 3, 4]), Edges { left: 1, right: 2, top: 3, bottom: 4 });
        assert_eq!(edges(&[1, u32::MAX]), Edges { left: 1, ..Edges::default() });
        // Taken for true, the sum of this and the window's place would not fit into a number.
        assert_eq!(edges(&[i32::MAX as u32; 4]), Edges::default());
    }
}
