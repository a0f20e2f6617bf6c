//! What Android calls the keys and panels of the system.

use fingertip_core::target::{Key, SystemAction};

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
const SPACE: u32 = 62;
const HOME: u32 = 3;
const BACK: u32 = 4;
const APP_SWITCH: u32 = 187;

/// How something system-wide is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// By pressing this key.
    Key(u32),
    /// By this word of `cmd statusbar`, and called so for a reader.
    Panel { word: &'static str, name: &'static str },
}

/// How a system action is done; `None` for one that Android does not have.
pub(crate) fn means(action: SystemAction) -> Option<Means> {
    Some(match action {
        SystemAction::Back => Means::Key(BACK),
        SystemAction::Home => Means::Key(HOME),
        SystemAction::Recents => Means::Key(APP_SWITCH),
        SystemAction::Notifications => {
            Means::Panel { word: "expand-notifications", name: "notification shade" }
        }
        SystemAction::QuickSettings => Means::Panel { word: "expand-settings", name: "quick settings panel" },
        _ => return None,
    })
}

/// The code of a key; `None` for one that Android does not have.
pub(crate) fn key_code(key: Key) -> Option<u32> {
    Some(match key {
        Key::Enter => ENTER,
        Key::Delete => DELETE,
        Key::Tab => TAB,
        Key::Space => SPACE,
        _ => return None,
    })
}
