//! The keymap of our own keyboard: the keys of a usual one where they usually are, so that combinations of keys are what
//! applications expect, and keys for any other characters that a text has.
//!
//! A keyboard without a layout of its own has what is put into its keymap, whatever layout the user has. A new keymap
//! reaches the application before the keys that are pressed after it, so nothing has to be waited for.

use std::fmt::Write;

use fingertip_core::target::{Key, Modifiers};
use fingertip_core::{Error, Reason};

use crate::display::error::Failure;

/// What XKB adds to the number of a key.
const OFFSET: u32 = 8;
/// The first number that the keymap itself may give out, and the last that X clients understand.
const FIRST_FREE: u32 = 134;
const LAST_FREE: u32 = 255;
/// How many characters beside the usual ones a keymap has room for.
pub(super) const ROOM: usize = (LAST_FREE - FIRST_FREE + 1) as usize;

/// The keys that are no characters: XKB's number, its name, and which modifier it is.
const MODIFIERS: [(u32, &str, &str, Modifiers); 4] = [
    (37, "Control_L", "Control", Modifiers::CONTROL),
    (50, "Shift_L", "Shift", Modifiers::SHIFT),
    (64, "Alt_L", "Mod1", Modifiers::ALT),
    (133, "Super_L", "Mod4", Modifiers::SUPER),
];

/// The bits of these in what is told of held modifiers, as XKB counts them.
const BITS: [(Modifiers, u32); 4] =
    [(Modifiers::SHIFT, 1), (Modifiers::CONTROL, 4), (Modifiers::ALT, 8), (Modifiers::SUPER, 64)];

const NAMED: [(u32, &str, Key); 15] = [
    (9, "Escape", Key::Escape),
    (22, "BackSpace", Key::Delete),
    (23, "Tab", Key::Tab),
    (36, "Return", Key::Enter),
    (65, "space", Key::Space),
    (110, "Home", Key::MoveHome),
    (111, "Up", Key::Up),
    (112, "Prior", Key::PageUp),
    (113, "Left", Key::Left),
    (114, "Right", Key::Right),
    (115, "End", Key::MoveEnd),
    (116, "Down", Key::Down),
    (117, "Next", Key::PageDown),
    (118, "Insert", Key::Insert),
    (119, "Delete", Key::ForwardDelete),
];

/// The rows of characters, from XKB's number on, without and with Shift.
const ROWS: [(u32, &str, &str); 6] = [
    (10, "1234567890-=", "!@#$%^&*()_+"),
    (24, "qwertyuiop[]", "QWERTYUIOP{}"),
    (38, "asdfghjkl;'`", "ASDFGHJKL:\"~"),
    (51, "\\", "|"),
    (52, "zxcvbnm,./", "ZXCVBNM<>?"),
    (65, " ", " "),
];

/// A key to press, and whether with Shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stroke {
    /// The number of the key, as devices count.
    pub(crate) code: u32,
    pub(crate) shift: bool,
}

/// The keymap of our keyboard.
#[derive(Debug, Default)]
pub(super) struct Keymap {
    others: Vec<char>,
}

impl Keymap {
    /// The stroke for a character; `None` where the keymap has none.
    pub(super) fn stroke(&self, character: char) -> Option<Stroke> {
        if let Some(key) = line_or_tab(character) {
            return named(key);
        }
        for (first, plain, shifted) in ROWS {
            for (row, shift) in [(plain, false), (shifted, true)] {
                if let Some(place) = row.chars().position(|other| other == character) {
                    return Some(Stroke { code: first + place as u32 - OFFSET, shift });
                }
            }
        }
        let place = self.others.iter().position(|other| *other == character)?;
        Some(Stroke { code: FIRST_FREE + place as u32 - OFFSET, shift: false })
    }

    /// Makes room for these characters, and forgets others where there is not enough. Whether the keymap is another one now.
    pub(super) fn learn(&mut self, text: &[char]) -> bool {
        let missing = |keymap: &Self| {
            let mut missing: Vec<char> = Vec::new();
            for &character in text.iter().filter(|character| keymap.stroke(**character).is_none()) {
                if !missing.contains(&character) {
                    missing.push(character);
                }
            }
            missing
        };
        let mut new = missing(self);
        if new.is_empty() {
            return false;
        }
        if self.others.len() + new.len() > ROOM {
            self.others.clear();
            new = missing(self);
        }
        self.others.extend(new.into_iter().take(ROOM));
        true
    }

    /// The keymap as XKB reads it.
    pub(super) fn text(&self) -> String {
        let mut codes = String::new();
        let mut symbols = String::new();
        let mut key = |code: u32, levels: &str| {
            // Writing to a string never fails.
            let _ = write!(codes, "<K{code}> = {code}; ");
            let _ = write!(symbols, "key <K{code}> {{ [ {levels} ] }}; ");
        };
        for (code, name, ..) in MODIFIERS {
            key(code, name);
        }
        for (code, name, _) in NAMED {
            key(code, name);
        }
        for number in 1..=Key::FUNCTIONS {
            key(function(number), &format!("F{number}"));
        }
        for (first, plain, shifted) in ROWS.iter().filter(|(_, plain, _)| *plain != " ") {
            for (place, (plain, shifted)) in plain.chars().zip(shifted.chars()).enumerate() {
                key(first + place as u32, &format!("{}, {}", symbol(plain), symbol(shifted)));
            }
        }
        for (place, character) in self.others.iter().enumerate() {
            key(FIRST_FREE + place as u32, &symbol(*character));
        }
        for (code, _, map, _) in MODIFIERS {
            let _ = write!(symbols, "modifier_map {map} {{ <K{code}> }}; ");
        }
        format!(
            "xkb_keymap {{ xkb_keycodes \"fingertip\" {{ minimum = {OFFSET}; maximum = {LAST_FREE}; {codes}}}; \
             xkb_types \"fingertip\" {{ include \"complete\" }}; \
             xkb_compatibility \"fingertip\" {{ include \"complete\" }}; \
             xkb_symbols \"fingertip\" {{ {symbols}}}; }};"
        )
    }
}

/// The stroke for a key that is no character; `None` for those that keyboards of desktops lack.
pub(crate) fn named(key: Key) -> Option<Stroke> {
    let code = match key {
        Key::Function(number @ 1..=Key::FUNCTIONS) => function(number),
        key => NAMED.iter().find(|(.., named)| *named == key)?.0,
    };
    Some(Stroke { code: code - OFFSET, shift: false })
}

/// The keys of these modifiers, as devices count, and their bits together.
pub(crate) fn held(modifiers: Modifiers) -> (Vec<u32>, u32) {
    let keys = MODIFIERS.iter().filter(|(.., modifier)| modifiers.contains(*modifier));
    let bits = BITS.iter().filter(|(modifier, _)| modifiers.contains(*modifier));
    (keys.map(|(code, ..)| code - OFFSET).collect(), bits.map(|(_, bit)| bit).sum())
}

/// The key that makes a line end or a tab.
pub(crate) fn line_or_tab(character: char) -> Option<Key> {
    match character {
        '\n' => Some(Key::Enter),
        '\t' => Some(Key::Tab),
        _ => None,
    }
}

/// The error of a key that is on no keyboard.
pub(super) fn no_such_key() -> Failure {
    Failure::Reported(Error::new(Reason::Unsupported, "This key is not on the keyboard of a desktop."))
}

const fn function(number: u8) -> u32 {
    match number {
        1..=10 => 66 + number as u32,
        number => 84 + number as u32,
    }
}

/// What XKB calls a character.
fn symbol(character: char) -> String {
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => character.to_string(),
        character => format!("U{:04X}", u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_keys_are_where_they_usually_are() {
        let keymap = Keymap::default();
        let stroke = |character| keymap.stroke(character).map(|stroke| (stroke.code, stroke.shift));
        // The numbers of input-event-codes.h.
        assert_eq!(stroke('a'), Some((30, false)));
        assert_eq!(stroke('C'), Some((46, true)));
        assert_eq!(stroke('0'), Some((11, false)));
        assert_eq!(stroke('/'), Some((53, false)));
        assert_eq!(stroke('`'), Some((41, false)));
        assert_eq!(stroke(' '), Some((57, false)));
        assert_eq!(stroke('\n'), Some((28, false)));
        assert_eq!(stroke('ü'), None);
        let code = |key| named(key).map(|stroke| stroke.code);
        assert_eq!([1, 10, 11, 12].map(|f| code(Key::Function(f))), [59, 68, 87, 88].map(Some));
        assert_eq!(code(Key::Left), Some(105));
        for (name, key) in Key::NAMED {
            assert!(code(key).is_some(), "{name}");
        }
        assert_eq!(held(Modifiers::CONTROL | Modifiers::ALT), (vec![29, 56], 12));
    }

    #[test]
    fn every_printable_character_of_ascii_has_a_key_of_its_own() {
        let keymap = Keymap::default();
        let strokes: Vec<_> = (' '..='~').map(|character| keymap.stroke(character).unwrap()).collect();
        for (place, stroke) in strokes.iter().enumerate() {
            assert!(!strokes[..place].contains(stroke), "{place}");
        }
    }

    #[test]
    fn other_characters_get_keys_until_there_is_no_room() {
        let mut keymap = Keymap::default();
        assert!(keymap.learn(&['G', 'ü', 'ß', '世', '🎉']));
        assert!(!keymap.learn(&['ü', 'ß', 'a']), "known by now");
        assert!(keymap.stroke('🎉').is_some());
        let text = keymap.text();
        assert!(text.contains("U1F389") && text.contains("U4E16") && text.contains("modifier_map Mod1"));
        let many: Vec<char> = (0..ROOM as u32).filter_map(|more| char::from_u32(0x4F00 + more)).collect();
        assert!(keymap.learn(&many));
        assert!(many.iter().all(|character| keymap.stroke(*character).is_some()));
        assert_eq!(keymap.stroke('🎉'), None, "forgotten");
    }
}
