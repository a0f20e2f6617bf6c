//! `press_recents`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::system::SystemTool;
use crate::tool::{Definition, Effect, Toolset};

/// The tool.
pub struct PressRecents;

impl SystemTool for PressRecents {
    const DEFINITION: &'static Definition = &Definition {
        name: "press_recents",
        title: "Press recents",
        description: "Opens the overview of recent apps.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::SYSTEM_KEYS,
        params: &[],
        output: None,
    };

    const ACTION: SystemAction = SystemAction::Recents;

    const REPLY: &'static str = "Recents button press executed successfully";
}
