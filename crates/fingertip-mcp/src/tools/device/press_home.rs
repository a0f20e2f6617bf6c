//! `press_home`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::BASE;
use super::system::SystemTool;
use crate::tool::{Definition, Effect};

/// The tool.
pub(crate) struct PressHome;

impl SystemTool for PressHome {
    const DEFINITION: &'static Definition = &Definition {
        name: "press_home",
        title: "Press home",
        description: "Goes to the home screen.",
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SYSTEM_KEYS,
        leads_away: true,
        ..BASE
    };

    const ACTION: SystemAction = SystemAction::Home;

    const REPLY: &'static str = "Home button press executed successfully";
}
