//! Typing any text: with the keys of the layout where it has the character, else with keys that are lent one.
//!
//! Keys without a character are lent the missing ones, as many at a time as there are such keys, and get back
//! what they had when typing ends, however it ends.
//!
//! The text goes to the application that had the keyboard when typing began: before each burst of keys it is checked, with
//! the server held, that it still has it.

use fingertip_core::target::Expected;
use fingertip_core::{Error, Reason};
use x11rb::protocol::xproto::{ConnectionExt, KeyButMask};

use super::keymap::{Stroke, keysym_of};
use super::{Elsewhere, Held, Keyboard, Keymap, Pinger, keysym, must_have_xtest, no_such_key, sync};
use crate::display::error::untypeable;
use crate::display::worker::CancelToken;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};

/// How many keys are sent before the application is asked whether it has read them.
const BURST: usize = 64;
/// Modifiers that would change what is typed while a person holds them.
const HELD_BY_A_PERSON: [KeyButMask; 4] =
    [KeyButMask::SHIFT, KeyButMask::CONTROL, KeyButMask::MOD1, KeyButMask::MOD4];

/// Types a text at the cursor of the window in front, if it is of those who are meant, and waits until its application has
/// read it.
pub(in crate::x11) fn type_text(
    display: &Display,
    text: &str,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    must_have_xtest(display)?;
    let keysyms = keysyms_of(text)?;
    let mut typed = 0;
    let diverted = |typed: usize| {
        let done = format!("Typed {typed} of {} characters", keysyms.len());
        move |elsewhere: Elsewhere| elsewhere.after(&done)
    };
    let mut keyboard = Keyboard::take(display, to)?.map_err(diverted(typed))?;
    let mut pinger = Pinger::of_focused(display)?;
    pinger.wait(cancel)?;
    let keymap = Keymap::read(display)?;
    must_hold_nothing(&keymap)?;
    let shift = keymap.plain(keysym::SHIFT).ok_or_else(|| X11Error::Reported(no_such_key()))?;
    let _caps = CapsLock::off(display, &keymap)?;
    let mut lent = Lent::none(display, &keymap);
    for (batch, missing) in batches(&keysyms, &keymap, lent.spare.len())? {
        if !missing.is_empty() {
            lent.lend(&missing)?;
            pinger.wait(cancel)?;
        }
        for burst in bursts(batch, pinger.answers()) {
            let strokes = burst.iter().map(|keysym| {
                let stroke = keymap.stroke(*keysym).or_else(|| lent.stroke(*keysym));
                stroke.ok_or_else(|| X11Error::Reported(no_such_key()))
            });
            let strokes = strokes.collect::<Outcome<Vec<Stroke>>>()?;
            let focus = keyboard.focus();
            {
                let _exclusive = keyboard.hold()?.map_err(diverted(typed))?;
                send(display, &strokes, shift)?;
            }
            typed += burst.len();
            if keyboard.focus() != focus {
                pinger.follow()?;
            }
            pinger.wait(cancel)?;
        }
    }
    Ok(())
}

/// Refuses to press keys while a person holds one that would change their meaning.
pub(super) fn must_hold_nothing(keymap: &Keymap) -> Outcome<()> {
    if HELD_BY_A_PERSON.iter().any(|modifier| keymap.state.contains(*modifier)) {
        return Err(X11Error::Reported(modifier_held()));
    }
    Ok(())
}

/// Presses these keys one after another.
fn send(display: &Display, strokes: &[Stroke], shift: u8) -> Outcome<()> {
    let mut held = Held::nothing(display);
    for Stroke { code, shift: shifted } in strokes {
        if *shifted {
            held.press_key(shift)?;
        }
        held.press_key(*code)?;
        held.release_last()?;
        if *shifted {
            held.release_last()?;
        }
    }
    held.release_all()
}

/// Cuts keys into bursts; where the application answers, also after each key that may close its window or leave it, so that
/// what follows is not lost in a window that is about to go.
fn bursts(keysyms: &[u32], answers: bool) -> impl Iterator<Item = &[u32]> {
    let leaves = move |keysym: &u32| answers && matches!(*keysym, keysym::RETURN | keysym::TAB);
    keysyms.split_inclusive(leaves).flat_map(|line| line.chunks(BURST))
}

/// The keysyms of a text; a line end is one key, however it is written.
fn keysyms_of(text: &str) -> Outcome<Vec<u32>> {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    unix.chars()
        .map(|character| keysym_of(character).ok_or_else(|| X11Error::Reported(untypeable(character))))
        .collect()
}

/// Cuts a text where the missing characters would be more than the keys that can be lent.
fn batches<'a>(keysyms: &'a [u32], keymap: &Keymap, spare: usize) -> Outcome<Vec<(&'a [u32], Vec<u32>)>> {
    let mut batches = Vec::new();
    let (mut start, mut missing) = (0, Vec::new());
    for (position, keysym) in keysyms.iter().enumerate() {
        if keymap.stroke(*keysym).is_some() || missing.contains(keysym) {
            continue;
        }
        if spare == 0 {
            return Err(X11Error::Reported(no_spare_key()));
        }
        if missing.len() == spare {
            batches.push((&keysyms[start..position], std::mem::take(&mut missing)));
            start = position;
        }
        missing.push(*keysym);
    }
    batches.push((&keysyms[start..], missing));
    Ok(batches)
}

/// Keys that are lent characters they do not have.
pub(super) struct Lent<'a> {
    display: &'a Display,
    spare: Vec<u8>,
    /// How many keysyms each key has; all are set, so that no modifier or layout changes the character.
    width: usize,
    given: Vec<u32>,
    touched: usize,
}

impl<'a> Lent<'a> {
    pub(super) fn none(display: &'a Display, keymap: &Keymap) -> Self {
        Self { display, spare: keymap.spare(), width: keymap.width(), given: Vec::new(), touched: 0 }
    }

    pub(super) fn lend(&mut self, keysyms: &[u32]) -> Outcome<()> {
        if self.spare.is_empty() {
            return Err(X11Error::Reported(no_spare_key()));
        }
        self.touched = self.touched.max(keysyms.len());
        self.given = keysyms.to_vec();
        for (code, keysym) in self.spare.iter().zip(keysyms) {
            self.set(*code, *keysym)?;
        }
        sync(self.display)
    }

    fn set(&self, code: u8, keysym: u32) -> Outcome<()> {
        let per_key = u8::try_from(self.width).unwrap_or(u8::MAX);
        self.display.conn.change_keyboard_mapping(1, code, per_key, &vec![keysym; self.width])?;
        Ok(())
    }

    pub(super) fn stroke(&self, keysym: u32) -> Option<Stroke> {
        let position = self.given.iter().position(|given| *given == keysym)?;
        Some(Stroke { code: *self.spare.get(position)?, shift: false })
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let back = self.spare.iter().take(self.touched).try_for_each(|code| self.set(*code, x11rb::NONE));
        if back.and_then(|()| sync(self.display)).is_err() {
            tracing::warn!("lent keys could not be given back: the X server is gone");
        }
    }
}

/// Caps Lock, off while this lives: it would capitalise lent characters too.
pub(super) struct CapsLock<'a> {
    display: &'a Display,
    code: Option<u8>,
}

impl<'a> CapsLock<'a> {
    pub(super) fn off(display: &'a Display, keymap: &Keymap) -> Outcome<Self> {
        let on = keymap.state.contains(KeyButMask::LOCK);
        let caps = Self { display, code: keymap.plain(keysym::CAPS_LOCK).filter(|_| on) };
        caps.toggle()?;
        Ok(caps)
    }

    fn toggle(&self) -> Outcome<()> {
        let Some(code) = self.code else { return Ok(()) };
        let mut held = Held::nothing(self.display);
        held.press_key(code)?;
        held.release_all()
    }
}

impl Drop for CapsLock<'_> {
    fn drop(&mut self) {
        if self.toggle().is_err() {
            tracing::warn!("Caps Lock could not be switched on again: the X server is gone");
        }
    }
}

fn no_spare_key() -> Error {
    Error::new(
        Reason::Unsupported,
        "The keyboard layout has no free key to type characters it lacks; nothing was typed.",
    )
    .with_guidance("Put the text on the clipboard and paste it.")
}

fn modifier_held() -> Error {
    Error::new(Reason::ActionFailed, "A modifier key is held down on the keyboard; nothing was typed.")
        .with_guidance("Release Shift, Control, Alt and Super, then try again.")
}
