//! `press_recents`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::BASE;
use super::system::SystemTool;
use crate::tool::{Definition, Effect};

/// The tool.
pub(crate) struct PressRecents;

impl SystemTool for PressRecents {
    const DEFINITION: &'static Definition = &Definition {
        name: "press_recents",
        title: "Press recents",
        description: "Opens the overview of recent apps.",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::SYSTEM_KEYS,
        leads_away: true,
        ..BASE
    };

    const ACTION: SystemAction = SystemAction::Recents;

    const REPLY: &'static str = "Recents button press executed successfully";
}
