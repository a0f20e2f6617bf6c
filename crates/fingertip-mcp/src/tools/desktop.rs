//! The tools of a desktop: read one application's tree, search it, act on its elements, menus and windows, watch it.
//!
//! They work on any target; on a phone an application is a package that shows a window. Reading ends early when
//! an application hangs, every list is limited and continued by a cursor in the snapshot it began with, and an
//! element is named by its id or by its path.

mod action;
mod action_reply;
mod app_snapshot;
mod changes;
mod cursor;
mod element;
pub(crate) mod find_element;
pub(crate) mod get_focused_element;
pub(crate) mod get_ui_tree;
pub(crate) mod list_windows;
mod observation;
pub(crate) mod observe_changes;
pub(crate) mod perform_action;
pub(crate) mod select_menu;
pub(crate) mod set_value;
pub(crate) mod shared;
pub(crate) mod window_action;

use crate::tool::{Definition, Entry, Offered, Toolset};

/// This set.
pub(crate) static TOOLSET: Toolset = Toolset { name: "desktop", offered: Offered::OnDesktops, tools: all };
/// What the definitions of its tools begin with.
pub(super) const BASE: Definition = Definition::of(&TOOLSET);

/// The tools of this set, in the order of the reference.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<get_ui_tree::GetUiTree>(),
        Entry::of::<find_element::FindElement>(),
        Entry::of::<get_focused_element::GetFocusedElement>(),
        Entry::of::<list_windows::ListWindows>(),
        Entry::of::<perform_action::PerformAction>(),
        Entry::of::<set_value::SetValue>(),
        Entry::of::<observe_changes::ObserveChanges>(),
        Entry::of::<window_action::ActOnWindow>(),
        Entry::of::<select_menu::SelectMenu>(),
    ]
}
