//! The tools of a phone: the 27 of the first reference, those about applications, and those with which a pointer is used
//! by element. Each target offers what it can do.

pub(crate) mod clear_text;
pub(crate) mod click_element;
pub(crate) mod close_app;
pub(crate) mod custom_gesture;
pub(crate) mod double_click;
pub(crate) mod double_tap;
pub(crate) mod drag;
pub(crate) mod find_elements;
pub(crate) mod get_clipboard;
pub(crate) mod get_device_logs;
pub(crate) mod get_element_details;
pub(crate) mod get_screen_state;
pub(crate) mod hover;
pub(crate) mod input_text;
pub(crate) mod list_apps;
pub(crate) mod long_click_element;
pub(crate) mod long_press;
pub(crate) mod open_app;
pub(crate) mod open_notifications;
pub(crate) mod open_quick_settings;
pub(crate) mod pinch;
mod pointer;
pub(crate) mod press_back;
pub(crate) mod press_home;
pub(crate) mod press_key;
pub(crate) mod press_recents;
pub(crate) mod right_click;
pub(crate) mod run_steps;
mod screen_view;
pub(crate) mod scroll;
pub(crate) mod scroll_to_element;
pub(crate) mod set_clipboard;
pub(crate) mod set_text;
pub(crate) mod shared;
pub(crate) mod swipe;
pub(crate) mod system;
pub(crate) mod tap;
pub(crate) mod verify_state;
pub(crate) mod wait_for_element;
pub(crate) mod wait_for_idle;

use crate::tool::{Definition, Entry, Offered, Run, Toolset};

/// This set.
pub(crate) static TOOLSET: Toolset = Toolset { name: "device", offered: Offered::Everywhere, tools: all };
/// What the definitions of its tools begin with.
pub(super) const BASE: Definition = Definition::of(&TOOLSET);

/// The tools of this set, in the order of the reference.
#[must_use]
pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<get_screen_state::GetScreenState>(),
        Entry::of::<press_back::PressBack>(),
        Entry::of::<press_home::PressHome>(),
        Entry::of::<press_recents::PressRecents>(),
        Entry::of::<open_notifications::OpenNotifications>(),
        Entry::of::<open_quick_settings::OpenQuickSettings>(),
        Entry::of::<get_device_logs::GetDeviceLogs>(),
        Entry::of::<tap::Tap>(),
        Entry::of::<long_press::LongPress>(),
        Entry::of::<double_tap::DoubleTap>(),
        Entry::of::<swipe::Swipe>(),
        Entry::of::<scroll::Scroll>(),
        Entry::of::<pinch::Pinch>(),
        Entry::of::<custom_gesture::CustomGesture>(),
        Entry::of::<find_elements::FindElements>(),
        Entry::of::<click_element::ClickElement>(),
        Entry::of::<long_click_element::LongClickElement>(),
        Entry::of::<set_text::SetText>(),
        Entry::of::<scroll_to_element::ScrollToElement>(),
        Entry::of::<input_text::InputText>(),
        Entry::of::<clear_text::ClearText>(),
        Entry::of::<press_key::PressKey>(),
        Entry::of::<get_clipboard::GetClipboard>(),
        Entry::of::<set_clipboard::SetClipboard>(),
        Entry::of::<wait_for_element::WaitForElement>(),
        Entry::of::<wait_for_idle::WaitForIdle>(),
        Entry::of::<get_element_details::GetElementDetails>(),
        Entry::of::<list_apps::ListApps>(),
        Entry::of::<open_app::OpenApp>(),
        Entry::of::<close_app::CloseApp>(),
        Entry::of::<right_click::RightClick>(),
        Entry::of::<double_click::DoubleClick>(),
        Entry::of::<hover::Hover>(),
        Entry::of::<drag::Drag>(),
        Entry::of::<verify_state::VerifyState>(),
        Entry { definition: run_steps::DEFINITION, run: Run::Steps },
    ]
}
