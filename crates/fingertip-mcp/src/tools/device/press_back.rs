//! `press_back`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::BASE;
use super::system::SystemTool;
use crate::tool::{Definition, Effect};

/// The tool.
pub(crate) struct PressBack;

impl SystemTool for PressBack {
    const DEFINITION: &'static Definition = &Definition {
        name: "press_back",
        title: "Press back",
        description: "Presses the back button: closes a keyboard, dialog or panel, else goes one screen back.",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::SYSTEM_KEYS,
        ..BASE
    };

    const ACTION: SystemAction = SystemAction::Back;

    const REPLY: &'static str = "Back button press executed successfully";
}
