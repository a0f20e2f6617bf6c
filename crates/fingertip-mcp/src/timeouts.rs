//! How long the reading desktop tools may take.
//!
//! An application that hangs must not hold an agent up, so reading one ends early. A phone is read as a whole and
//! by slower means; there one longer limit holds for all of them. Tools not named here have their own limits.

use std::time::Duration;

use fingertip_core::target::TargetKind;

use crate::tool::TIME_LIMIT;

/// The part of a limit that is kept for the answer, so that what a driver has read by then can still be told.
pub const ANSWER: Duration = Duration::from_millis(100);

/// The shortest and the longest limit that can be chosen, in seconds.
const SHORTEST: f64 = 0.1;
const LONGEST: f64 = 60.0;

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

/// Why a limit cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' must be TOOL=SECONDS with get_ui_tree, find_element, get_focused_element or list_windows, and 0.1 to 60 seconds"
)]
pub struct NotALimit(String);

impl Timeouts {
    /// With the limit of one tool on a desktop changed, as in `get_ui_tree=10`.
    ///
    /// # Errors
    /// When the tool has no such limit, or the number of seconds is not one that makes sense.
    pub fn with(mut self, change: &str) -> Result<Self, NotALimit> {
        let wrong = || NotALimit(change.to_owned());
        let (tool, seconds) = change.split_once('=').ok_or_else(wrong)?;
        let seconds: f64 = seconds.parse().map_err(|_| wrong())?;
        if !(SHORTEST..=LONGEST).contains(&seconds) {
            return Err(wrong());
        }
        let limit = match tool {
            "get_ui_tree" => &mut self.tree,
            "find_element" => &mut self.search,
            "get_focused_element" => &mut self.focus,
            "list_windows" => &mut self.windows,
            _ => return Err(wrong()),
        };
        *limit = Duration::from_secs_f64(seconds);
        Ok(self)
    }

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

    #[test]
    fn a_limit_is_changed_for_its_tool_only() {
        let changed = Timeouts::default().with("find_element=7.5").unwrap();
        assert_eq!(changed, Timeouts { search: Duration::from_millis(7500), ..Timeouts::default() });
        for wrong in [
            "find_element",
            "find_element=",
            "find_element=0",
            "find_element=NaN",
            "tap=3",
            "=3",
            "get_ui_tree=61",
        ] {
            let error = Timeouts::default().with(wrong).unwrap_err();
            assert!(error.to_string().contains("get_ui_tree"), "{wrong}: {error}");
        }
    }
}
