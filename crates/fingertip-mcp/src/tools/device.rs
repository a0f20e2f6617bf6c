//! The tools of a phone: the 27 of the first reference, those about applications, and those with which a pointer is used
//! by element. Each target offers what it can do.

pub mod clear_text;
pub mod click_element;
pub mod close_app;
pub mod custom_gesture;
pub mod double_click;
pub mod double_tap;
pub mod drag;
pub mod find_elements;
pub mod get_clipboard;
pub mod get_device_logs;
pub mod get_element_details;
pub mod get_screen_state;
pub mod hover;
pub mod input_text;
pub mod list_apps;
pub mod long_click_element;
pub mod long_press;
pub mod open_app;
pub mod open_notifications;
pub mod open_quick_settings;
pub mod pinch;
mod pointer;
pub mod press_back;
pub mod press_home;
pub mod press_key;
pub mod press_recents;
pub mod right_click;
pub mod scroll;
pub mod scroll_to_element;
pub mod set_clipboard;
pub mod set_text;
pub mod shared;
pub mod swipe;
pub mod system;
pub mod tap;
pub mod wait_for_element;
pub mod wait_for_idle;

use crate::tool::{Definition, Entry, Offered, Toolset};

/// This set.
pub static TOOLSET: Toolset = Toolset { name: "device", offered: Offered::Everywhere };
/// What the definitions of its tools begin with.
pub(super) const BASE: Definition = Definition::of(&TOOLSET);

/// The tools of this set, in the order of the reference.
#[must_use]
pub fn all() -> Vec<Entry> {
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
    ]
}
