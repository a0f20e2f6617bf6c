//! Keys, alone and with others held.

use std::fmt;

/// A key of a keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// Enter, or the keyboard's action button.
    Enter,
    /// Removes one user-perceived character before the cursor.
    Delete,
    /// The next field, or a tab character.
    Tab,
    /// A space.
    Space,
    /// Dismisses.
    Escape,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// The beginning of the line, of the list.
    MoveHome,
    /// The end of the line, of the list.
    MoveEnd,
    /// Insert.
    Insert,
    /// Removes what is selected, or what is after the cursor.
    ForwardDelete,
    /// A function key, 1 to [`Key::FUNCTIONS`].
    Function(u8),
    /// The key that writes this character.
    Character(char),
}

impl Key {
    /// How many function keys there are.
    pub const FUNCTIONS: u8 = 12;

    /// Every key with a name of its own, with that name.
    pub const NAMED: [(&'static str, Self); 15] = [
        ("ENTER", Self::Enter),
        ("DEL", Self::Delete),
        ("TAB", Self::Tab),
        ("SPACE", Self::Space),
        ("ESCAPE", Self::Escape),
        ("UP", Self::Up),
        ("DOWN", Self::Down),
        ("LEFT", Self::Left),
        ("RIGHT", Self::Right),
        ("PAGE_UP", Self::PageUp),
        ("PAGE_DOWN", Self::PageDown),
        ("MOVE_HOME", Self::MoveHome),
        ("MOVE_END", Self::MoveEnd),
        ("INSERT", Self::Insert),
        ("FORWARD_DEL", Self::ForwardDelete),
    ];
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(number) => write!(f, "F{number}"),
            Self::Character(character) => write!(f, "{character}"),
            named => {
                let name = Self::NAMED.iter().find(|(_, key)| key == named).map(|(name, _)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

bitflags::bitflags! {
    /// Keys that are held while another is pressed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modifiers: u8 {
        /// Control.
        const CONTROL = 1;
        /// Shift.
        const SHIFT = 1 << 1;
        /// Alt.
        const ALT = 1 << 2;
        /// Super: the key with the logo.
        const SUPER = 1 << 3;
    }
}

impl Modifiers {
    /// Their words, in the order they are written and pressed.
    pub const NAMED: [(&'static str, Self); 4] =
        [("ctrl", Self::CONTROL), ("alt", Self::ALT), ("shift", Self::SHIFT), ("super", Self::SUPER)];
}

/// A key pressed once or several times, others held meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyPress {
    /// The key.
    pub key: Key,
    /// What is held.
    pub modifiers: Modifiers,
    /// How often.
    pub count: u32,
}

impl From<Key> for KeyPress {
    fn from(key: Key) -> Self {
        Self { key, modifiers: Modifiers::empty(), count: 1 }
    }
}

impl KeyPress {
    /// With these held.
    #[must_use]
    pub const fn with(mut self, modifiers: Modifiers) -> Self {
        self.modifiers = modifiers;
        self
    }

    /// So often.
    #[must_use]
    pub const fn times(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// Whether it writes a character into a field: then it is text, and may be part of a secret.
    #[must_use]
    pub fn writes(&self) -> bool {
        let plain = (self.modifiers - Modifiers::SHIFT).is_empty();
        plain && matches!(self.key, Key::Character(_) | Key::Space)
    }

    /// Whether something may open, close or take the keyboard after it. What writes, moves the cursor or removes does not.
    #[must_use]
    pub fn may_leave(&self) -> bool {
        let moves = !matches!(self.key, Key::Enter | Key::Escape | Key::Tab | Key::Function(_));
        !(moves && (self.modifiers - Modifiers::SHIFT).is_empty())
    }

    /// Whether desktops give it a meaning that takes the session away: another console, the end of the display or of the
    /// session, the lock of the screen.
    #[must_use]
    pub fn ends_session(&self) -> bool {
        let held = |modifiers| self.modifiers.contains(modifiers);
        let locks = matches!(self.key, Key::Character('l' | 'L'));
        let ends = matches!(self.key, Key::Function(_) | Key::Delete | Key::ForwardDelete);
        (held(Modifiers::CONTROL | Modifiers::ALT) && (ends || locks)) || (held(Modifiers::SUPER) && locks)
    }

    /// Whether a phone takes it for its own instead of handing it to the app: the super key, and the switch between apps.
    #[must_use]
    pub fn is_of_phone(&self) -> bool {
        let switches = self.key == Key::Tab && self.modifiers.contains(Modifiers::ALT);
        switches || self.modifiers.contains(Modifiers::SUPER)
    }

    /// How far it came, for an error.
    #[must_use]
    pub fn progress(&self, done: u32) -> String {
        match done {
            0 => "Pressed no key".to_owned(),
            done => format!("Pressed {self} {done} of {} times", self.count),
        }
    }
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, _) in Modifiers::NAMED.iter().filter(|(_, modifier)| self.modifiers.contains(*modifier)) {
            write!(f, "{name}+")?;
        }
        write!(f, "{}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL_ALT: Modifiers = Modifiers::CONTROL.union(Modifiers::ALT);

    #[test]
    fn a_press_is_written_as_people_write_it() {
        let press = |key: Key, modifiers| KeyPress::from(key).with(modifiers).to_string();
        assert_eq!(press(Key::Enter, Modifiers::empty()), "ENTER");
        assert_eq!(press(Key::Character('t'), Modifiers::SHIFT | Modifiers::CONTROL), "ctrl+shift+t");
        assert_eq!(press(Key::Function(4), Modifiers::ALT), "alt+F4");
        assert_eq!(press(Key::PageUp, Modifiers::SUPER), "super+PAGE_UP");
    }

    #[test]
    fn what_writes_is_text_and_what_may_leave_is_known() {
        let press = KeyPress::from(Key::Character('s'));
        assert!(press.writes() && !press.may_leave());
        assert!(press.with(Modifiers::SHIFT).writes());
        assert!(!press.with(Modifiers::CONTROL).writes());
        assert!(press.with(Modifiers::CONTROL).may_leave());
        assert!(!KeyPress::from(Key::Down).with(Modifiers::SHIFT).may_leave());
        assert!(KeyPress::from(Key::Enter).may_leave() && KeyPress::from(Key::Function(5)).may_leave());
    }

    #[test]
    fn keys_that_take_the_session_away_are_known() {
        for (key, modifiers) in [
            (Key::Function(1), CTRL_ALT),
            (Key::Function(12), CTRL_ALT | Modifiers::SHIFT),
            (Key::ForwardDelete, CTRL_ALT),
            (Key::Delete, CTRL_ALT),
            (Key::Character('l'), Modifiers::SUPER),
            (Key::Character('l'), CTRL_ALT),
        ] {
            assert!(KeyPress::from(key).with(modifiers).ends_session(), "{key}");
        }
        for (key, modifiers) in [
            (Key::Function(4), Modifiers::ALT),
            (Key::ForwardDelete, Modifiers::CONTROL),
            (Key::Character('l'), Modifiers::CONTROL),
            (Key::Character('t'), CTRL_ALT),
        ] {
            assert!(!KeyPress::from(key).with(modifiers).ends_session(), "{key}");
        }
    }
}
