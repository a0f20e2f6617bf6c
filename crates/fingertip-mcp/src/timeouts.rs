//! How long the reading desktop tools may take.
//!
//! An application that hangs must not hold an agent up, so reading one ends early. A phone is read as a whole and
//! by slower means; there one longer limit holds for all of them. Tools not named here have their own limits.

use std::time::Duration;

use fingertip_core::target::TargetKind;

use crate::tool::TIME_LIMIT;

/// The part of a limit that is kept for the answer, so that what a driver has read by then can still be told.
pub const ANSWER: Duration = Duration::from_millis(100);

/// How long the reading desktop tools may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// `get_ui_tree` on a desktop.
    pub tree: Duration,
    /// `find_element` on a desktop.
    pub search: Duration,
    /// `get_focused_element` on a desktop.
    pub focus: Duration,
    /// `list_windows` on a desktop.
    pub windows: Duration,
    /// Each of them on a phone.
    pub phone: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            tree: Duration::from_secs(5),
            search: Duration::from_secs(2),
            focus: Duration::from_secs(1),
            windows: Duration::from_secs(1),
            phone: TIME_LIMIT,
        }
    }
}

impl Timeouts {
    /// The limit of this tool on such a target; `None` when the tool has its own.
    #[must_use]
    pub fn limit(&self, tool: &str, kind: TargetKind) -> Option<Duration> {
        let on_desktop = self.on_desktop(tool)?;
        Some(match kind {
            TargetKind::Desktop => on_desktop,
            TargetKind::Phone => self.phone,
        })
    }

    /// What the description of this tool says of its limit.
    #[must_use]
    pub fn sentence(&self, tool: &str) -> Option<String> {
        let on_desktop = self.on_desktop(tool)?;
        Some(format!(
            "Ends within {} s, on a phone within {} s.",
            on_desktop.as_secs_f64(),
            self.phone.as_secs_f64()
        ))
    }

    fn on_desktop(&self, tool: &str) -> Option<Duration> {
        match tool {
            "get_ui_tree" => Some(self.tree),
            "find_element" => Some(self.search),
            "get_focused_element" => Some(self.focus),
            "list_windows" => Some(self.windows),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_of_the_kind_of_target_and_told() {
        let timeouts = Timeouts { tree: Duration::from_millis(2500), ..Timeouts::default() };
        assert_eq!(timeouts.limit("get_ui_tree", TargetKind::Desktop), Some(Duration::from_millis(2500)));
        assert_eq!(timeouts.limit("get_ui_tree", TargetKind::Phone), Some(TIME_LIMIT));
        assert_eq!(timeouts.limit("find_element", TargetKind::Desktop), Some(Duration::from_secs(2)));
        assert_eq!(timeouts.limit("tap", TargetKind::Desktop), None);
        let said = timeouts.sentence("get_ui_tree").unwrap();
        assert_eq!(said, "Ends within 2.5 s, on a phone within 15 s.");
    }
}
