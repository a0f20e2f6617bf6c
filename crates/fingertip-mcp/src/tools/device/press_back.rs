//! `press_back`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::system::SystemTool;
use crate::tool::{Definition, Effect, Toolset};

/// The tool.
pub struct PressBack;

impl SystemTool for PressBack {
    const DEFINITION: &'static Definition = &Definition {
        name: "press_back",
        title: "Press back",
        description: "Presses the back button: closes a keyboard, dialog or panel, else goes one screen back.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::SYSTEM_KEYS,
        params: &[],
        output: None,
    };

    const ACTION: SystemAction = SystemAction::Back;

    const REPLY: &'static str = "Back button press executed successfully";
}
