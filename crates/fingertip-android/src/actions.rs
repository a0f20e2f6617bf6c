//! What Android calls the keys and panels of the system.

use std::time::Duration;

use fingertip_core::target::SystemAction;
use fingertip_core::{Deadline, Error, Reason, Result};

use crate::wait::pause;

/// How long a panel may take to open or close.
pub(crate) const PANEL_WITHIN: Duration = Duration::from_secs(3);

const HOME: u32 = 3;
const BACK: u32 = 4;
const APP_SWITCH: u32 = 187;

/// How something system-wide is done.
pub(crate) struct Means {
    /// The agent's word for it.
    pub(crate) global: &'static str,
    /// How the shell does it.
    pub(crate) way: Way,
}

/// A key or a panel.
pub(crate) enum Way {
    /// By pressing this key.
    Key(u32),
    /// By this word of `cmd statusbar`, and called so for a reader.
    Panel { word: &'static str, name: &'static str },
}

/// How a system action is done.
///
/// # Errors
/// For one that Android does not have.
pub(crate) fn means(action: SystemAction) -> Result<Means> {
    let panel = |word, name| Way::Panel { word, name };
    let (global, way) = match action {
        SystemAction::Back => ("back", Way::Key(BACK)),
        SystemAction::Home => ("home", Way::Key(HOME)),
        SystemAction::Recents => ("recents", Way::Key(APP_SWITCH)),
        SystemAction::Notifications => ("notifications", panel("expand-notifications", "notification shade")),
        SystemAction::QuickSettings => ("quick_settings", panel("expand-settings", "quick settings panel")),
        _ => return Err(Error::new(Reason::Unsupported, "A phone has no such action.")),
    };
    Ok(Means { global, way })
}

/// Waits before the next look at a panel that is to open or close.
///
/// # Errors
/// Once the limit has passed.
pub(crate) async fn pause_for_panel(open: bool, name: &str, every: Duration, limit: Deadline) -> Result<()> {
    if limit.passed() {
        let verb = if open { "open" } else { "close" };
        return Err(Error::new(Reason::ActionFailed, format!("The {name} did not {verb}."))
            .with_guidance("Look at the screen: the phone may be locked, or the app may forbid it."));
    }
    pause(every, limit).await;
    Ok(())
}
