//! `open_notifications`.

use fingertip_core::target::{Capabilities, SystemAction};

use super::BASE;
use super::system::SystemTool;
use crate::tool::{Definition, Effect};

/// The tool.
pub(crate) struct OpenNotifications;

impl SystemTool for OpenNotifications {
    const DEFINITION: &'static Definition = &Definition {
        name: "open_notifications",
        title: "Open notifications",
        description: "Pulls down the notification shade; succeeds only once it is open. Close it with press_back.",
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SYSTEM_KEYS,
        leads_away: true,
        ..BASE
    };

    const ACTION: SystemAction = SystemAction::Notifications;

    const REPLY: &'static str = "Open notifications executed successfully";
}
