//! What Android calls the keys and panels of the system.

use fingertip_core::target::SystemAction;

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
