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
mod typing;

use fingertip_core::target::Expected;
use fingertip_core::{Error, Reason};
use x11rb::connection::RequestConnection;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest;

use super::display::Display;
use super::fault::{Fault, Outcome};
use super::worker::Leash;
use held::Held;
use hold::{Elsewhere, Ground, Keyboard};
use keymap::Keymap;
use ping::Pinger;

pub(super) use pointer::{hover, open_menu, play, scroll};
pub(super) use typing::type_text;

/// The keysyms used by name.
pub(super) mod keysym {
    pub(in crate::x11) const BACKSPACE: u32 = 0xff08;
    pub(in crate::x11) const TAB: u32 = 0xff09;
    pub(in crate::x11) const RETURN: u32 = 0xff0d;
    pub(in crate::x11) const ESCAPE: u32 = 0xff1b;
    pub(in crate::x11) const DELETE: u32 = 0xffff;
    pub(in crate::x11) const SHIFT: u32 = 0xffe1;
    pub(in crate::x11) const CONTROL: u32 = 0xffe3;
    pub(in crate::x11) const CAPS_LOCK: u32 = 0xffe5;
    pub(in crate::x11) const SPACE: u32 = 0x20;
    pub(in crate::x11) const A: u32 = 0x61;
}

/// A key, perhaps with Control held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Keystroke {
    keysym: u32,
    control: bool,
}

impl Keystroke {
    /// Enter.
    pub(crate) const ENTER: Self = Self::plain(keysym::RETURN);
    /// Removes what is before the cursor.
    pub(crate) const BACKSPACE: Self = Self::plain(keysym::BACKSPACE);
    /// Removes what is selected, or what is after the cursor.
    pub(crate) const DELETE: Self = Self::plain(keysym::DELETE);
    /// The next field.
    pub(crate) const TAB: Self = Self::plain(keysym::TAB);
    /// A space.
    pub(crate) const SPACE: Self = Self::plain(keysym::SPACE);
    /// Dismisses.
    pub(crate) const ESCAPE: Self = Self::plain(keysym::ESCAPE);
    /// Selects everything.
    pub(crate) const SELECT_ALL: Self = Self { keysym: keysym::A, control: true };

    const fn plain(keysym: u32) -> Self {
        Self { keysym, control: false }
    }
}

/// Presses and releases a key where those who are meant have the keyboard, and waits until the application has taken it.
pub(super) fn press(display: &Display, stroke: Keystroke, to: &Expected, leash: &Leash) -> Outcome<()> {
    must_have_xtest(display)?;
    let diverted = |elsewhere: Elsewhere| elsewhere.after("Pressed no key");
    let mut keyboard = Keyboard::take(display, to)?.map_err(diverted)?;
    let mut pinger = Pinger::of_focused(display)?;
    pinger.wait(leash)?;
    let keymap = Keymap::read(display)?;
    let code = |keysym| keymap.plain(keysym).ok_or_else(|| Fault::Told(no_such_key()));
    let control = stroke.control.then(|| code(keysym::CONTROL)).transpose()?;
    let key = code(stroke.keysym)?;
    {
        let _exclusive = keyboard.hold()?.map_err(diverted)?;
        let mut held = Held::nothing(display);
        if let Some(control) = control {
            held.press_key(control)?;
        }
        held.press_key(key)?;
        held.release_all()?;
    }
    pinger.wait(leash)
}

/// Lets the server finish everything that was sent before.
fn sync(display: &Display) -> Outcome<()> {
    display.conn.get_input_focus()?.reply()?;
    Ok(())
}

fn must_have_xtest(display: &Display) -> Outcome<()> {
    match display.conn.extension_information(xtest::X11_EXTENSION_NAME)? {
        Some(_) => Ok(()),
        None => Err(Fault::Told(
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
