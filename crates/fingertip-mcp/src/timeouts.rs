//! How long the reading desktop tools may take.
//!
//! An application that hangs must not hold an agent up, so reading one ends early. A phone is read as a whole and
//! by slower means; there one longer limit holds for all of them. Which tools these are, and their limits, stands in
//! their definitions; all others set their own for each call.

use std::collections::BTreeMap;
use std::time::Duration;

use fingertip_core::target::TargetKind;

use crate::tool::{Definition, TIME_LIMIT};
use crate::tools;

/// The part of a limit that is kept for the answer, so that what a driver has read by then can still be shown.
pub const ANSWER: Duration = Duration::from_millis(100);

/// The shortest and the longest limit that can be chosen, in seconds.
const SHORTEST: f64 = 0.1;
const LONGEST: f64 = 60.0;

/// What the owner changed of these limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeouts(BTreeMap<&'static str, Duration>);

/// Why a limit cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' must be TOOL=SECONDS with one of {names}, and {SHORTEST} to {LONGEST} seconds", names = names())]
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
        let tool = limited().find(|definition| definition.name == tool);
        let tool = tool.filter(|_| (SHORTEST..=LONGEST).contains(&seconds)).ok_or_else(wrong)?;
        self.0.insert(tool.name, Duration::from_secs_f64(seconds));
        Ok(self)
    }

    /// The limit of this tool on such a target; `None` when the tool has its own.
    #[must_use]
    pub fn limit(&self, tool: &Definition, kind: TargetKind) -> Option<Duration> {
        let on_desktop = self.on_desktop(tool)?;
        Some(if kind.reads_whole_screen() { TIME_LIMIT } else { on_desktop })
    }

    /// What the description of this tool says of its limit.
    #[must_use]
    pub fn sentence(&self, tool: &Definition) -> Option<String> {
        let (desktop, phone) = (self.on_desktop(tool)?.as_secs_f64(), TIME_LIMIT.as_secs_f64());
        Some(format!("Ends within {desktop} s, on a phone within {phone} s."))
    }

    fn on_desktop(&self, tool: &Definition) -> Option<Duration> {
        tool.limit.map(|limit| self.0.get(tool.name).copied().unwrap_or(limit))
    }
}

/// The tools with such a limit.
fn limited() -> impl Iterator<Item = &'static Definition> {
    tools::all().into_iter().map(|entry| entry.definition).filter(|definition| definition.limit.is_some())
}

fn names() -> String {
    limited().map(|definition| definition.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Tool;
    use crate::tools::desktop::{find_element::FindElement, get_ui_tree::GetUiTree};
    use crate::tools::device::tap::Tap;

    #[test]
    fn the_limits_are_those_of_the_kind_of_target_and_named() {
        let timeouts = Timeouts::default().with("get_ui_tree=2.5").unwrap();
        let (tree, search) = (GetUiTree::DEFINITION, FindElement::DEFINITION);
        assert_eq!(timeouts.limit(tree, TargetKind::Desktop), Some(Duration::from_millis(2500)));
        assert_eq!(timeouts.limit(tree, TargetKind::Phone), Some(TIME_LIMIT));
        assert_eq!(timeouts.limit(search, TargetKind::Desktop), Some(Duration::from_secs(2)));
        assert_eq!(timeouts.limit(Tap::DEFINITION, TargetKind::Desktop), None);
        assert_eq!(timeouts.sentence(tree).unwrap(), "Ends within 2.5 s, on a phone within 15 s.");
    }

    #[test]
    fn what_is_no_limit_is_refused_with_the_tools_that_have_one() {
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
