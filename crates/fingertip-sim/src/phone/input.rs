//! What comes in: fingers and keys, with Android's numbers.

use super::profile::Millis;

/// What a finger does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchAction {
    /// It lands.
    Down,
    /// It moves while it is down.
    Move,
    /// It leaves.
    Up,
    /// The whole gesture is called off, for all fingers.
    Cancel,
}

/// One step of one finger. Coordinates are pixels in the current rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchEvent {
    /// What the finger does.
    pub action: TouchAction,
    /// Which finger; numbers are free to choose and free again after `Up`.
    pub pointer: u32,
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the top edge.
    pub y: f32,
    /// When, in milliseconds since boot. An earlier time than the phone's is taken as now.
    pub at: Millis,
}

/// An Android key code (`KeyEvent.KEYCODE_*`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyCode(pub u32);

impl KeyCode {
    /// Goes to the home screen.
    pub const HOME: Self = Self(3);
    /// Goes back one step.
    pub const BACK: Self = Self(4);
    /// The first digit key, 0; the others follow.
    pub const DIGIT_0: Self = Self(7);
    /// The last digit key, 9.
    pub const DIGIT_9: Self = Self(16);
    /// Moves the cursor or the focus up.
    pub const DPAD_UP: Self = Self(19);
    /// Moves the cursor or the focus down.
    pub const DPAD_DOWN: Self = Self(20);
    /// Moves the cursor or the focus to the left.
    pub const DPAD_LEFT: Self = Self(21);
    /// Moves the cursor or the focus to the right.
    pub const DPAD_RIGHT: Self = Self(22);
    /// Clicks what has the focus.
    pub const DPAD_CENTER: Self = Self(23);
    /// The volume up key.
    pub const VOLUME_UP: Self = Self(24);
    /// The volume down key.
    pub const VOLUME_DOWN: Self = Self(25);
    /// Switches the screen on or off.
    pub const POWER: Self = Self(26);
    /// The first letter key, A; the others follow.
    pub const A: Self = Self(29);
    /// The letter C, for control+C.
    pub const C: Self = Self(31);
    /// The letter V, for control+V.
    pub const V: Self = Self(50);
    /// The letter X, for control+X.
    pub const X: Self = Self(52);
    /// The last letter key, Z.
    pub const Z: Self = Self(54);
    /// Moves the focus on.
    pub const TAB: Self = Self(61);
    /// The space bar.
    pub const SPACE: Self = Self(62);
    /// Line break, IME action, or a click on what has the focus.
    pub const ENTER: Self = Self(66);
    /// Deletes before the cursor.
    pub const DEL: Self = Self(67);
    /// Pulls the notification shade down.
    pub const NOTIFICATION: Self = Self(83);
    /// The same as back, on a keyboard.
    pub const ESCAPE: Self = Self(111);
    /// Deletes after the cursor.
    pub const FORWARD_DEL: Self = Self(112);
    /// Moves the cursor to the start of the line.
    pub const MOVE_HOME: Self = Self(122);
    /// Moves the cursor to the end of the line.
    pub const MOVE_END: Self = Self(123);
    /// Enter on the number pad.
    pub const NUMPAD_ENTER: Self = Self(160);
    /// Shows the recent apps.
    pub const APP_SWITCH: Self = Self(187);
    /// Switches the screen off.
    pub const SLEEP: Self = Self(223);
    /// Switches the screen on.
    pub const WAKEUP: Self = Self(224);
    /// Cuts the selection.
    pub const CUT: Self = Self(277);
    /// Copies the selection.
    pub const COPY: Self = Self(278);
    /// Pastes the clipboard.
    pub const PASTE: Self = Self(279);
}

impl KeyCode {
    /// Whether this key clicks what has the focus.
    #[must_use]
    pub(crate) fn clicks(self) -> bool {
        matches!(self, Self::ENTER | Self::DPAD_CENTER | Self::NUMPAD_ENTER)
    }

    /// The character this key writes on the virtual keyboard, if it writes one.
    #[must_use]
    pub fn character(self, shift: bool) -> Option<char> {
        let from = |start: char, first: Self| char::from_u32(start as u32 + self.0 - first.0);
        match self {
            Self(7..=16) if shift => ")!@#$%^&*(".chars().nth((self.0 - Self::DIGIT_0.0) as usize),
            Self(7..=16) => from('0', Self::DIGIT_0),
            Self(29..=54) => from(if shift { 'A' } else { 'a' }, Self::A),
            Self(144..=153) => from('0', Self(144)),
            _ => {
                let (_, plain, shifted) = SIGNS.iter().find(|(code, ..)| *code == self.0)?;
                Some(if shift { *shifted } else { *plain })
            }
        }
    }
}

/// Keys that write signs: code, character, character with shift.
const SIGNS: [(u32, char, char); 18] = [
    (17, '*', '*'),
    (18, '#', '#'),
    (55, ',', '<'),
    (56, '.', '>'),
    (62, ' ', ' '),
    (68, '`', '~'),
    (69, '-', '_'),
    (70, '=', '+'),
    (71, '[', '{'),
    (72, ']', '}'),
    (73, '\\', '|'),
    (74, ';', ':'),
    (75, '\'', '"'),
    (76, '/', '?'),
    (77, '@', '@'),
    (81, '+', '+'),
    (157, '+', '+'),
    (158, '.', '.'),
];

/// `KeyEvent.META_SHIFT_ON`.
pub const META_SHIFT: u32 = 0x1;
/// `KeyEvent.META_CTRL_ON`.
pub const META_CTRL: u32 = 0x1000;
