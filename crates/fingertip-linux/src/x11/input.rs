//! Pointer and keyboard through XTEST.
//!
//! Rules: what is pressed is held by a guard and let go when the guard goes, however the call ends; `Ok` means
//! that the server has done it, and of keys that the application in front has taken them. Keys and presses reach those
//! who are meant, or are not pressed ([`hold`]).

mod held;
mod hold;
mod keymap;
mod ping;
mod pointer;
mod pressing;
mod typing;

use fingertip_core::{Error, Reason};
use x11rb::connection::RequestConnection;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest;

use super::display::Display;
use super::error::{Outcome, X11Error};
use held::Held;
use hold::{Elsewhere, Ground, Keyboard};
use keymap::Keymap;
use ping::Pinger;

pub(super) use pointer::{hover, open_menu, play, scroll};
pub(super) use pressing::press;
pub(super) use typing::type_text;

/// The keysyms used by name.
pub(super) mod keysym {
    pub(in crate::x11) const BACKSPACE: u32 = 0xff08;
    pub(in crate::x11) const TAB: u32 = 0xff09;
    pub(in crate::x11) const RETURN: u32 = 0xff0d;
    pub(in crate::x11) const ESCAPE: u32 = 0xff1b;
    pub(in crate::x11) const HOME: u32 = 0xff50;
    pub(in crate::x11) const LEFT: u32 = 0xff51;
    pub(in crate::x11) const UP: u32 = 0xff52;
    pub(in crate::x11) const RIGHT: u32 = 0xff53;
    pub(in crate::x11) const DOWN: u32 = 0xff54;
    pub(in crate::x11) const PAGE_UP: u32 = 0xff55;
    pub(in crate::x11) const PAGE_DOWN: u32 = 0xff56;
    pub(in crate::x11) const END: u32 = 0xff57;
    pub(in crate::x11) const INSERT: u32 = 0xff63;
    pub(in crate::x11) const F1: u32 = 0xffbe;
    pub(in crate::x11) const SHIFT: u32 = 0xffe1;
    pub(in crate::x11) const CONTROL: u32 = 0xffe3;
    pub(in crate::x11) const CAPS_LOCK: u32 = 0xffe5;
    pub(in crate::x11) const ALT: u32 = 0xffe9;
    pub(in crate::x11) const SUPER: u32 = 0xffeb;
    pub(in crate::x11) const DELETE: u32 = 0xffff;
    pub(in crate::x11) const SPACE: u32 = 0x20;
}

/// Lets the server finish everything that was sent before.
fn sync(display: &Display) -> Outcome<()> {
    display.conn.get_input_focus()?.reply()?;
    Ok(())
}

fn must_have_xtest(display: &Display) -> Outcome<()> {
    match display.conn.extension_information(xtest::X11_EXTENSION_NAME)? {
        Some(_) => Ok(()),
        None => Err(X11Error::Reported(
            Error::new(
                Reason::Unsupported,
                "This X server lets no program move the pointer or press keys (no XTEST).",
            )
            .with_guidance("Use the elements' own actions instead."),
        )),
    }
}

fn no_such_key() -> Error {
    Error::new(Reason::Unsupported, "The keyboard layout of this display has no such key.")
        .with_guidance("Use the element's own actions, or set its text.")
}
