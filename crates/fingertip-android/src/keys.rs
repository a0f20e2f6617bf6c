//! Keys as Android numbers them, and which of those that people name it has.
//!
//! What is held goes with the key itself where the driver can (meta state), so that nothing ever stays down; a shell
//! presses the keys together in one command.

use fingertip_core::target::{Key, KeyPress, Modifiers};
use fingertip_core::{Error, Reason, Result};

/// `KEYCODE_ENTER`.
pub(crate) const ENTER: u32 = 66;
/// `KEYCODE_TAB`.
pub(crate) const TAB: u32 = 61;
/// `KEYCODE_DEL`: removes what is before the cursor.
pub(crate) const DELETE: u32 = 67;
/// `KEYCODE_FORWARD_DEL`: removes what is after the cursor.
pub(crate) const FORWARD_DELETE: u32 = 112;
/// `KEYCODE_CTRL_LEFT`.
pub(crate) const CONTROL: u32 = 113;
/// `KEYCODE_A`.
pub(crate) const LETTER_A: u32 = 29;
/// `KEYCODE_0`.
const DIGIT_0: u32 = 7;
/// `KEYCODE_F1`.
const F1: u32 = 131;
/// What the digits write with Shift, from 0 on.
const ABOVE_DIGITS: &str = ")!@#$%^&*(";
/// The signs of Android's virtual keyboard: the key, what it writes, and what it writes with Shift.
const SIGNS: [(u32, char, char); 11] = [
    (55, ',', '<'),
    (56, '.', '>'),
    (68, '`', '~'),
    (69, '-', '_'),
    (70, '=', '+'),
    (71, '[', '{'),
    (72, ']', '}'),
    (73, '\\', '|'),
    (74, ';', ':'),
    (75, '\'', '"'),
    (76, '/', '?'),
];
/// What can be held: the key, and the bits it has in a meta state, for either side and for the left one.
const HELD: [(Modifiers, u32, u32); 3] =
    [(Modifiers::CONTROL, CONTROL, 0x3000), (Modifiers::ALT, 57, 0x12), (Modifiers::SHIFT, 59, 0x41)];

/// A key as Android presses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coded {
    /// `KEYCODE_…`.
    pub(crate) code: u32,
    /// What is held, Shift included where the character needs it.
    pub(crate) modifiers: Modifiers,
}

impl Coded {
    /// The key for this; `None` for a character that no key of Android writes.
    pub(crate) fn of(press: KeyPress) -> Option<Self> {
        let (code, shift) = code_of(press.key)?;
        let modifiers = if shift { press.modifiers | Modifiers::SHIFT } else { press.modifiers };
        Some(Self { code, modifiers })
    }

    /// The meta state of its event.
    pub(crate) fn meta(self) -> u32 {
        self.held().map(|(_, _, meta)| meta).fold(0, |all, meta| all | meta)
    }

    /// The keys held and the key itself, in the order they go down.
    pub(crate) fn together(self) -> Vec<u32> {
        self.held().map(|(_, code, _)| code).chain([self.code]).collect()
    }

    fn held(self) -> impl Iterator<Item = (Modifiers, u32, u32)> {
        HELD.into_iter().filter(move |(modifier, ..)| self.modifiers.contains(*modifier))
    }
}

/// The number of a key, and whether Shift is held for it.
fn code_of(key: Key) -> Option<(u32, bool)> {
    let plain = |code| Some((code, false));
    match key {
        Key::Enter => plain(ENTER),
        Key::Delete => plain(DELETE),
        Key::Tab => plain(TAB),
        Key::Space => plain(62),
        Key::Escape => plain(111),
        Key::Up => plain(19),
        Key::Down => plain(20),
        Key::Left => plain(21),
        Key::Right => plain(22),
        Key::PageUp => plain(92),
        Key::PageDown => plain(93),
        Key::MoveHome => plain(122),
        Key::MoveEnd => plain(123),
        Key::Insert => plain(124),
        Key::ForwardDelete => plain(FORWARD_DELETE),
        Key::Function(number @ 1..=Key::FUNCTIONS) => plain(F1 + u32::from(number) - 1),
        Key::Character(character) => code_of_character(character),
        _ => None,
    }
}

fn code_of_character(character: char) -> Option<(u32, bool)> {
    match character {
        'a'..='z' => Some((LETTER_A + u32::from(character) - u32::from('a'), false)),
        'A'..='Z' => Some((LETTER_A + u32::from(character) - u32::from('A'), true)),
        '0'..='9' => Some((DIGIT_0 + u32::from(character) - u32::from('0'), false)),
        other => {
            let digits = (DIGIT_0..).zip(ABOVE_DIGITS.chars()).map(|(code, above)| (code, '\0', above));
            let mut signs = SIGNS.into_iter().chain(digits);
            let (code, _, above) = signs.find(|(_, below, above)| *below == other || *above == other)?;
            Some((code, above == other))
        }
    }
}

/// The refusal of keys that Android has no number for.
pub(crate) fn no_such_key(press: KeyPress) -> Error {
    Error::new(Reason::Unsupported, format!("A phone has no key '{press}'; nothing was pressed."))
        .with_guidance("input_text types any text.")
}

/// Refuses what Android itself takes for its own: the meaning of the super key, and the switch between apps.
pub(crate) fn must_be_for_apps(press: KeyPress) -> Result<()> {
    if press.is_of_phone() {
        return Err(no_such_key(press).with_guidance("press_home and press_recents go to other apps."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(key: Key, modifiers: Modifiers) -> Option<(Vec<u32>, u32)> {
        Coded::of(KeyPress::from(key).with(modifiers)).map(|coded| (coded.together(), coded.meta()))
    }

    #[test]
    fn characters_are_the_keys_of_the_virtual_keyboard() {
        let of = |character| coded(Key::Character(character), Modifiers::empty());
        assert_eq!(of('a'), Some((vec![29], 0)));
        assert_eq!(of('Z'), Some((vec![59, 54], 0x41)));
        assert_eq!(of('0'), Some((vec![7], 0)));
        assert_eq!(of('!'), Some((vec![59, 8], 0x41)));
        assert_eq!(of('?'), Some((vec![59, 76], 0x41)));
        assert_eq!(of('é'), None);
        for character in '!'..='~' {
            assert!(of(character).is_some(), "{character}");
        }
    }

    #[test]
    fn modifiers_come_first_and_are_in_the_meta_state() {
        let both = Modifiers::CONTROL | Modifiers::SHIFT;
        assert_eq!(coded(Key::Character('t'), both), Some((vec![113, 59, 48], 0x3041)));
        assert_eq!(coded(Key::Left, Modifiers::SHIFT), Some((vec![59, 21], 0x41)));
        assert_eq!(coded(Key::Function(12), Modifiers::ALT), Some((vec![57, 142], 0x12)));
        for (name, key) in Key::NAMED {
            assert!(coded(key, Modifiers::empty()).is_some(), "{name}");
        }
    }

    #[test]
    fn keys_of_the_system_are_refused() {
        let press = |key: Key, modifiers| must_be_for_apps(KeyPress::from(key).with(modifiers));
        assert!(press(Key::Tab, Modifiers::ALT).is_err());
        assert!(press(Key::Tab, Modifiers::ALT | Modifiers::SHIFT).is_err());
        assert!(press(Key::Enter, Modifiers::SUPER).is_err());
        assert!(press(Key::Tab, Modifiers::SHIFT).is_ok());
    }
}
