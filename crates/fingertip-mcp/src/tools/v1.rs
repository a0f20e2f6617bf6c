//! The 29 tools of the first interface, for clients written for it.
//!
//! Four older tools look at the screen where the current interface has `get_screen_state` and
//! `get_element_details`; the other 25 are those of the device toolset, the very same entries. They are offered
//! under `/mcp/v1` alone, and by the same rules as all others: what the policy hides is hidden here too.

pub(crate) mod capture_screenshot;
pub(crate) mod get_accessibility_tree;
pub(crate) mod get_current_app;
pub(crate) mod get_screen_info;

use super::device;
use crate::tool::Entry;

/// The tools of the current interface that v1 does not have, each with the one that does its work there.
pub(crate) const REPLACED: [(&str, &str); 2] =
    [("get_screen_state", "get_accessibility_tree"), ("get_element_details", "get_accessibility_tree")];

/// The tools that came after v1, which stays as it is.
const LATER: [&str; 9] = [
    "list_apps",
    "open_app",
    "close_app",
    "right_click",
    "double_click",
    "hover",
    "drag",
    "verify_state",
    "run_steps",
];

/// The four that only v1 has.
#[must_use]
pub(crate) fn own() -> Vec<Entry> {
    vec![
        Entry::of::<get_accessibility_tree::GetAccessibilityTree>(),
        Entry::of::<capture_screenshot::CaptureScreenshot>(),
        Entry::of::<get_current_app::GetCurrentApp>(),
        Entry::of::<get_screen_info::GetScreenInfo>(),
    ]
}

/// All 29, in the order of the reference.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    let is_replaced = |entry: &Entry| REPLACED.iter().any(|(newer, _)| *newer == entry.definition.name);
    let is_later = |entry: &Entry| LATER.contains(&entry.definition.name);
    let shared = device::all().into_iter().filter(|entry| !is_replaced(entry) && !is_later(entry));
    own().into_iter().chain(shared).collect()
}
