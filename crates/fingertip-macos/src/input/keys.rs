//! Keys of the keyboard, alone and with others held.
//!
//! A key is a code of the American layout together with the character it stands for: applications that go by characters get the
//! right one under every layout, those that go by codes get the key of that place.
#![allow(unsafe_code, reason = "hands a text to CGEventKeyboardSetUnicodeString")]

use std::time::Duration;

use fingertip_core::target::{Key, KeyPress, Modifiers};
use fingertip_core::{Error, Reason, Result};

use super::{Aim, must_be_free};
use crate::bindings::cf::CFRetained;
use crate::bindings::cg::{CGEvent, CGEventFlags, CGEventTapLocation};

/// The time between two presses; those that come at once are lost in some applications.
const BETWEEN: Duration = Duration::from_millis(8);

/// The codes of letters, digits and signs on the American layout.
const CHARACTERS: [(char, u16); 48] = [
    ('a', 0),
    ('s', 1),
    ('d', 2),
    ('f', 3),
    ('h', 4),
    ('g', 5),
    ('z', 6),
    ('x', 7),
    ('c', 8),
    ('v', 9),
    ('b', 11),
    ('q', 12),
    ('w', 13),
    ('e', 14),
    ('r', 15),
    ('y', 16),
    ('t', 17),
    ('1', 18),
    ('2', 19),
    ('3', 20),
    ('4', 21),
    ('6', 22),
    ('5', 23),
    ('=', 24),
    ('9', 25),
    ('7', 26),
    ('-', 27),
    ('8', 28),
    ('0', 29),
    (']', 30),
    ('o', 31),
    ('u', 32),
    ('[', 33),
    ('i', 34),
    ('p', 35),
    ('l', 37),
    ('j', 38),
    ('\'', 39),
    ('k', 40),
    (';', 41),
    ('\\', 42),
    (',', 43),
    ('/', 44),
    ('n', 45),
    ('m', 46),
    ('.', 47),
    (' ', 49),
    ('`', 50),
];
/// The codes of F1 to F12.
const FUNCTIONS: [u16; 12] = [122, 120, 99, 118, 96, 97, 98, 100, 101, 109, 103, 111];

/// Presses a key as often as asked, as long as the expected receiver gets it; the title of the window that got it.
pub(crate) fn press(aim: &Aim<'_>, press: KeyPress) -> Result<Option<String>> {
    must_be_free()?;
    let mut title = None;
    for done in 0..press.count {
        title = aim.keys(|| press.progress(done))?;
        strike(press)?;
        aim.pause(BETWEEN)?;
    }
    Ok(title)
}

/// Presses and releases a key, whichever application gets it.
fn strike(press: KeyPress) -> Result<()> {
    let (code, character) = code(press.key).ok_or_else(no_such_key)?;
    let mut flags = flags(press.modifiers);
    // A capital letter is its key with Shift.
    if matches!(press.key, Key::Character(letter) if letter.is_uppercase()) {
        flags |= CGEventFlags::MaskShift;
    }
    // Both are made before the first is sent: what goes down must go up.
    let [down, up] = [true, false].map(|down| CGEvent::new_keyboard_event(None, code, down));
    let (Some(down), Some(up)) = (down, up) else { return Err(no_event()) };
    for event in [&down, &up] {
        CGEvent::set_flags(Some(event), flags);
        if let Some(character) = character {
            write(event, character.encode_utf16(&mut [0; 2]));
        }
    }
    post(&down);
    post(&up);
    Ok(())
}

/// Gives an event the text it writes.
pub(super) fn write(event: &CGEvent, text: &[u16]) {
    // SAFETY: pointer and length belong together, and the text is copied.
    unsafe { CGEvent::keyboard_set_unicode_string(Some(event), text.len() as _, text.as_ptr()) };
}

/// Sends an event as if a device had made it.
pub(super) fn post(event: &CFRetained<CGEvent>) {
    CGEvent::post(CGEventTapLocation::HIDEventTap, Some(event));
}

/// The code of a key, and the character where it stands for one.
fn code(key: Key) -> Option<(u16, Option<char>)> {
    let named = |code| Some((code, None));
    match key {
        Key::Enter => named(36),
        Key::Tab => named(48),
        Key::Space => Some((49, Some(' '))),
        Key::Delete => named(51),
        Key::Escape => named(53),
        Key::Insert => named(114),
        Key::MoveHome => named(115),
        Key::PageUp => named(116),
        Key::ForwardDelete => named(117),
        Key::MoveEnd => named(119),
        Key::PageDown => named(121),
        Key::Left => named(123),
        Key::Right => named(124),
        Key::Down => named(125),
        Key::Up => named(126),
        Key::Function(number) => FUNCTIONS.get(usize::from(number.checked_sub(1)?)).map(|code| (*code, None)),
        Key::Character(character) => {
            let lower = character.to_lowercase().next().unwrap_or(character);
            let known = CHARACTERS.iter().find(|(known, _)| *known == lower);
            // A character that no key has is written by a key that says so.
            Some((known.map_or(0, |(_, code)| *code), Some(character)))
        }
        _ => None,
    }
}

/// What is held. The key with the logo is Command, and Alt is Option.
fn flags(modifiers: Modifiers) -> CGEventFlags {
    let all = [
        (Modifiers::CONTROL, CGEventFlags::MaskControl),
        (Modifiers::SHIFT, CGEventFlags::MaskShift),
        (Modifiers::ALT, CGEventFlags::MaskAlternate),
        (Modifiers::SUPER, CGEventFlags::MaskCommand),
    ];
    let held = all.into_iter().filter(|(modifier, _)| modifiers.contains(*modifier));
    held.fold(CGEventFlags(0), |flags, (_, flag)| flags | flag)
}

fn no_such_key() -> Error {
    Error::new(Reason::Unsupported, "There is no such key on a Mac keyboard.")
        .with_guidance("Use the element's own actions, or set its text.")
}

/// The error of an event that the system did not make.
pub(super) fn no_event() -> Error {
    Error::new(Reason::ActionFailed, "macOS made no input event; nothing was pressed.")
        .with_guidance("`fingertip doctor --target desktop` says whether this program may control the Mac.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_key_has_a_code_of_its_own() {
        let mut codes: Vec<u16> = Key::NAMED.iter().map(|(_, key)| code(*key).expect("a code").0).collect();
        codes.extend((1..=Key::FUNCTIONS).map(|number| code(Key::Function(number)).expect("a code").0));
        codes.extend(CHARACTERS.iter().filter(|(character, _)| *character != ' ').map(|(_, code)| *code));
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert_eq!(code(Key::Function(13)), None);
    }

    #[test]
    fn a_character_is_sent_with_its_key() {
        assert_eq!(code(Key::Character('A')), Some((0, Some('A'))));
        assert_eq!(code(Key::Character('é')), Some((0, Some('é'))));
        let held = flags(Modifiers::SUPER | Modifiers::SHIFT);
        assert_eq!(held, CGEventFlags::MaskCommand | CGEventFlags::MaskShift);
    }
}
