//! Names and numbers of Android's keys.

use crate::phone::{KeyCode, META_CTRL, META_SHIFT};

/// `KeyEvent.META_ALT_ON`.
const META_ALT: u32 = 0x2;

/// `KeyEvent.META_META_ON`.
const META_META: u32 = 0x1_0000;

/// The number of a key given by number, by name, or by name with `KEYCODE_` before it; unknown ones are 0.
pub(super) fn code(text: &str) -> KeyCode {
    if let Ok(number) = text.parse() {
        return KeyCode(number);
    }
    let name = text.strip_prefix("KEYCODE_").unwrap_or(text);
    let in_order = NAMES.iter().position(|known| *known == name).and_then(|index| u32::try_from(index).ok());
    let later = || LATER.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    KeyCode(in_order.or_else(later).unwrap_or(0))
}

/// What holding this key adds to others; 0 for keys that are no modifiers.
pub(super) const fn meta_of(code: KeyCode) -> u32 {
    match code.0 {
        57 | 58 => META_ALT,
        59 | 60 => META_SHIFT,
        113 | 114 => META_CTRL,
        117 | 118 => META_META,
        _ => 0,
    }
}

/// Keys beyond the first two hundred that are worth a name.
const LATER: [(&str, u32); 18] = [
    ("LANGUAGE_SWITCH", 204),
    ("CONTACTS", 207),
    ("CALENDAR", 208),
    ("MUSIC", 209),
    ("CALCULATOR", 210),
    ("ASSIST", 219),
    ("BRIGHTNESS_DOWN", 220),
    ("BRIGHTNESS_UP", 221),
    ("SLEEP", 223),
    ("WAKEUP", 224),
    ("VOICE_ASSIST", 231),
    ("SOFT_SLEEP", 276),
    ("CUT", 277),
    ("COPY", 278),
    ("PASTE", 279),
    ("ALL_APPS", 284),
    ("REFRESH", 285),
    ("THUMBS_UP", 286),
];

/// Names by number, from 0 on.
#[rustfmt::skip]
const NAMES: [&str; 188] = [
    "UNKNOWN", "SOFT_LEFT", "SOFT_RIGHT", "HOME", "BACK", "CALL", "ENDCALL", "0", "1", "2", "3", "4", "5",
    "6", "7", "8", "9", "STAR", "POUND", "DPAD_UP", "DPAD_DOWN", "DPAD_LEFT", "DPAD_RIGHT", "DPAD_CENTER",
    "VOLUME_UP", "VOLUME_DOWN", "POWER", "CAMERA", "CLEAR", "A", "B", "C", "D", "E", "F", "G", "H", "I",
    "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "COMMA", "PERIOD",
    "ALT_LEFT", "ALT_RIGHT", "SHIFT_LEFT", "SHIFT_RIGHT", "TAB", "SPACE", "SYM", "EXPLORER", "ENVELOPE",
    "ENTER", "DEL", "GRAVE", "MINUS", "EQUALS", "LEFT_BRACKET", "RIGHT_BRACKET", "BACKSLASH", "SEMICOLON",
    "APOSTROPHE", "SLASH", "AT", "NUM", "HEADSETHOOK", "FOCUS", "PLUS", "MENU", "NOTIFICATION", "SEARCH",
    "MEDIA_PLAY_PAUSE", "MEDIA_STOP", "MEDIA_NEXT", "MEDIA_PREVIOUS", "MEDIA_REWIND", "MEDIA_FAST_FORWARD",
    "MUTE", "PAGE_UP", "PAGE_DOWN", "PICTSYMBOLS", "SWITCH_CHARSET", "BUTTON_A", "BUTTON_B", "BUTTON_C",
    "BUTTON_X", "BUTTON_Y", "BUTTON_Z", "BUTTON_L1", "BUTTON_R1", "BUTTON_L2", "BUTTON_R2", "BUTTON_THUMBL",
    "BUTTON_THUMBR", "BUTTON_START", "BUTTON_SELECT", "BUTTON_MODE", "ESCAPE", "FORWARD_DEL", "CTRL_LEFT",
    "CTRL_RIGHT", "CAPS_LOCK", "SCROLL_LOCK", "META_LEFT", "META_RIGHT", "FUNCTION", "SYSRQ", "BREAK",
    "MOVE_HOME", "MOVE_END", "INSERT", "FORWARD", "MEDIA_PLAY", "MEDIA_PAUSE", "MEDIA_CLOSE", "MEDIA_EJECT",
    "MEDIA_RECORD", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "NUM_LOCK",
    "NUMPAD_0", "NUMPAD_1", "NUMPAD_2", "NUMPAD_3", "NUMPAD_4", "NUMPAD_5", "NUMPAD_6", "NUMPAD_7",
    "NUMPAD_8", "NUMPAD_9", "NUMPAD_DIVIDE", "NUMPAD_MULTIPLY", "NUMPAD_SUBTRACT", "NUMPAD_ADD",
    "NUMPAD_DOT", "NUMPAD_COMMA", "NUMPAD_ENTER", "NUMPAD_EQUALS", "NUMPAD_LEFT_PAREN",
    "NUMPAD_RIGHT_PAREN", "VOLUME_MUTE", "INFO", "CHANNEL_UP", "CHANNEL_DOWN", "ZOOM_IN", "ZOOM_OUT", "TV",
    "WINDOW", "GUIDE", "DVR", "BOOKMARK", "CAPTIONS", "SETTINGS", "TV_POWER", "TV_INPUT", "STB_POWER",
    "STB_INPUT", "AVR_POWER", "AVR_INPUT", "PROG_RED", "PROG_GREEN", "PROG_YELLOW", "PROG_BLUE",
    "APP_SWITCH",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_meet_the_numbers_of_the_model() {
        for (name, expected) in [
            ("HOME", KeyCode::HOME),
            ("KEYCODE_Z", KeyCode::Z),
            ("9", KeyCode(9)),
            ("KEYCODE_9", KeyCode::DIGIT_9),
            ("DEL", KeyCode::DEL),
            ("MOVE_END", KeyCode::MOVE_END),
            ("APP_SWITCH", KeyCode::APP_SWITCH),
            ("PASTE", KeyCode::PASTE),
            ("NO_SUCH", KeyCode(0)),
        ] {
            assert_eq!(code(name), expected, "{name}");
        }
    }
}
