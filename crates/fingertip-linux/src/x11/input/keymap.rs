//! The keyboard layout: which key gives which character, and which keys give none.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, KeyButMask};

use super::keysym;
use crate::x11::display::Display;
use crate::x11::error::Outcome;

/// The keysym of a key that gives nothing.
const NOTHING: u32 = 0;
/// From here on up to those of characters beyond Latin-1 are keysyms of keys without a character.
const FUNCTIONAL: u32 = 0xfe00;
/// Added to the number of a character beyond Latin-1.
const UNICODE: u32 = 0x0100_0000;
/// The bits of the state that say which layout is on, where several are loaded.
const LAYOUT_BITS: u16 = 0b11 << 13;

/// How a character is typed on a key that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) code: u8,
    pub(super) shift: bool,
}

/// The layout as the server has it now.
pub(super) struct Keymap {
    first: u8,
    width: usize,
    keysyms: Vec<u32>,
    /// Whether the layout in use is the first, which is the one the columns 0 and 1 describe.
    first_layout: bool,
    /// Modifiers that are down or locked.
    pub(super) state: KeyButMask,
}

impl Keymap {
    pub(super) fn read(display: &Display) -> Outcome<Self> {
        let setup = display.conn.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = display.conn.get_keyboard_mapping(first, last - first + 1)?;
        let pointer = display.conn.query_pointer(display.root)?;
        let (mapping, state) = (mapping.reply()?, pointer.reply()?.mask);
        Ok(Self {
            first,
            width: usize::from(mapping.keysyms_per_keycode),
            keysyms: mapping.keysyms,
            first_layout: u16::from(state) & LAYOUT_BITS == 0,
            state,
        })
    }

    /// How many keysyms a key has here.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    fn keys(&self) -> impl Iterator<Item = (u8, &[u32])> {
        (self.first..=u8::MAX).zip(self.keysyms.chunks(self.width.max(1)))
    }

    /// The key that gives this keysym in any layout, as keys without a character do.
    pub(super) fn plain(&self, keysym: u32) -> Option<u8> {
        self.keys().find(|(_, keysyms)| keysyms.first() == Some(&keysym)).map(|(code, _)| code)
    }

    /// How this keysym is typed with the keys there are, if the layout in use has it.
    pub(super) fn stroke(&self, keysym: u32) -> Option<Stroke> {
        if matches!(keysym, keysym::RETURN | keysym::TAB) {
            return self.plain(keysym).map(|code| Stroke { code, shift: false });
        }
        if !self.first_layout {
            return None;
        }
        let on_level = |level: usize| {
            self.keys().find(|(_, keysyms)| keysyms.get(level) == Some(&keysym)).map(|(code, _)| code)
        };
        let plain = on_level(0).map(|code| Stroke { code, shift: false });
        plain.or_else(|| on_level(1).map(|code| Stroke { code, shift: true }))
    }

    /// The key for this keysym: by its character, or as a key without one.
    pub(super) fn find(&self, keysym: u32) -> Option<Stroke> {
        let plain = || self.plain(keysym).map(|code| Stroke { code, shift: false });
        self.stroke(keysym).or_else(|| plain().filter(|_| (FUNCTIONAL..UNICODE).contains(&keysym)))
    }

    /// Keys that give nothing, so that they can be lent a character.
    pub(super) fn spare(&self) -> Vec<u8> {
        let empty = |keysyms: &[u32]| keysyms.iter().all(|keysym| *keysym == NOTHING);
        self.keys().filter(|(_, keysyms)| empty(keysyms)).map(|(code, _)| code).collect()
    }
}

/// The keysym of a character; `None` for control characters that no key stands for.
pub(super) fn keysym_of(character: char) -> Option<u32> {
    match character {
        '\n' => Some(keysym::RETURN),
        '\t' => Some(keysym::TAB),
        ' '..='~' | '\u{a0}'..='\u{ff}' => Some(u32::from(character)),
        character if character.is_control() => None,
        character => Some(UNICODE | u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keymap(first_layout: bool) -> Keymap {
        let keysyms = vec![0x61, 0x41, 0, 0, 0xff0d, 0];
        Keymap { first: 8, width: 2, keysyms, first_layout, state: KeyButMask::default() }
    }

    #[test]
    fn characters_of_the_layout_use_its_keys() {
        let map = keymap(true);
        assert_eq!(map.stroke(0x61), Some(Stroke { code: 8, shift: false }));
        assert_eq!(map.stroke(0x41), Some(Stroke { code: 8, shift: true }));
        assert_eq!(map.stroke(0x62), None);
        assert_eq!(map.spare(), [9]);
    }

    #[test]
    fn keys_of_a_layout_that_is_not_in_use_are_not_trusted() {
        let map = keymap(false);
        assert_eq!(map.stroke(0x61), None);
        assert_eq!(map.stroke(keysym::RETURN), Some(Stroke { code: 10, shift: false }));
    }

    #[test]
    fn every_character_but_controls_has_a_keysym() {
        assert_eq!(keysym_of('a'), Some(0x61));
        assert_eq!(keysym_of('é'), Some(0xe9));
        assert_eq!(keysym_of('€'), Some(0x0100_20ac));
        assert_eq!(keysym_of('😀'), Some(0x0101_f600));
        assert_eq!(keysym_of('\n'), Some(keysym::RETURN));
        assert_eq!(keysym_of('\u{7}'), None);
        assert_eq!(keysym_of('\u{85}'), None);
    }
}
