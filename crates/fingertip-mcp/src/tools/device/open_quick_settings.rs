//! `open_quick_settings`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::BASE;
use super::system::SystemTool;
use crate::tool::{Definition, Effect};

/// The tool.
pub(crate) struct OpenQuickSettings;

impl SystemTool for OpenQuickSettings {
    const DEFINITION: &'static Definition = &Definition {
        name: "open_quick_settings",
        title: "Open quick settings",
        description: "Opens the quick settings panel; succeeds only once it is open. Close it with press_back.",
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SYSTEM_KEYS,
        leads_away: true,
        ..BASE
    };

    const ACTION: SystemAction = SystemAction::QuickSettings;

    const REPLY: &'static str = "Open quick settings executed successfully";
}
