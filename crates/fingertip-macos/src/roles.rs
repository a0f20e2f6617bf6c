//! What the roles of macOS mean for reading and acting.
//!
//! The names are Apple's, and those of the vocabulary of all platforms come from the table in `core`. What an element can do is
//! a message of its own, so a snapshot shows what its role implies; before an act the element itself is asked.

use fingertip_core::{Flags, Role, WindowKind};

pub(crate) const MENU: &str = "AXMenu";
pub(crate) const MENU_BAR: &str = "AXMenuBar";
pub(crate) const MENU_BAR_ITEM: &str = "AXMenuBarItem";
pub(crate) const SCROLL_AREA: &str = "AXScrollArea";
pub(crate) const SCROLL_BAR: &str = "AXScrollBar";
pub(crate) const SHEET: &str = "AXSheet";
pub(crate) const WEB_AREA: &str = "AXWebArea";
pub(crate) const WINDOW: &str = "AXWindow";
const SECURE: &str = "AXSecureTextField";

/// The actions that more than one file names.
pub(crate) mod action {
    pub(crate) const PRESS: &str = "AXPress";
    pub(crate) const PICK: &str = "AXPick";
    pub(crate) const SHOW_MENU: &str = "AXShowMenu";
    pub(crate) const INCREMENT: &str = "AXIncrement";
    pub(crate) const DECREMENT: &str = "AXDecrement";
    pub(crate) const CONFIRM: &str = "AXConfirm";
    pub(crate) const CANCEL: &str = "AXCancel";
    pub(crate) const RAISE: &str = "AXRaise";
    pub(crate) const OPEN: &str = "AXOpen";
    pub(crate) const SCROLL_TO_VISIBLE: &str = "AXScrollToVisible";
}

/// Whether it holds a secret.
pub(crate) fn is_secure(role: &str, subrole: Option<&str>) -> bool {
    role == SECURE || subrole == Some(SECURE)
}

/// Whether an element of this role holds a secret when its subrole says so.
pub(crate) fn may_be_secure(role: &str) -> bool {
    matches!(role, "AXTextField" | "AXTextArea" | "AXComboBox")
}

/// Whether it may hold very many elements, of which it builds those that are asked for.
pub(crate) fn is_list(role: &str) -> bool {
    matches!(role, "AXTable" | "AXOutline" | "AXList" | "AXGrid" | "AXBrowser")
}

/// Whether what is in it is seen within its bounds only.
pub(crate) fn clips(role: &str) -> bool {
    matches!(role, SCROLL_AREA | WEB_AREA | WINDOW | SHEET | "AXBrowser" | "AXSplitGroup" | "AXTabGroup")
}

/// Whether its value is what is on, off or mixed.
pub(crate) fn is_checkable(role: &str, subrole: Option<&str>) -> bool {
    // A tab is a radio button to AppKit, and is selected, not checked.
    matches!(role, "AXCheckBox" | "AXSwitch" | "AXToggle")
        || (role == "AXRadioButton" && subrole != Some("AXTabButton"))
        || matches!(subrole, Some("AXSwitch" | "AXToggle"))
}

/// Whether it holds a text that can be changed.
pub(crate) fn is_field(role: Role, native: &str) -> bool {
    role == Role::TextField || native == "AXComboBox"
}

/// Whether its value is a number between two ends.
pub(crate) fn is_number(role: Role) -> bool {
    matches!(role, Role::Slider | Role::SpinButton | Role::ProgressBar | Role::ScrollBar)
}

/// Whether it is one of several to choose from.
pub(crate) fn is_choice(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::TreeItem | Role::Cell | Role::Row | Role::Tab)
}

/// The actions that every element of such a role has.
pub(crate) fn implied_actions(role: &str) -> &'static [&'static str] {
    use action::{CANCEL, CONFIRM, DECREMENT, INCREMENT, PICK, PRESS, RAISE, SHOW_MENU};
    match role {
        "AXButton"
        | "AXCheckBox"
        | "AXRadioButton"
        | "AXDisclosureTriangle"
        | "AXSwitch"
        | "AXToggle"
        | "AXColorWell"
        | "AXDockItem"
        | "AXSortButton" => &[PRESS],
        "AXPopUpButton" | "AXMenuButton" | "AXLink" => &[PRESS, SHOW_MENU],
        "AXMenuItem" | "AXMenuBarItem" => &[CANCEL, PICK, PRESS],
        "AXSlider" | "AXIncrementor" | "AXStepper" => &[INCREMENT, DECREMENT],
        "AXTextField" | "AXComboBox" | SECURE | "AXSearchField" => &[CONFIRM, SHOW_MENU],
        "AXTextArea" => &[SHOW_MENU],
        WINDOW | SHEET => &[RAISE],
        _ => &[],
    }
}

/// What an element of this role reacts to, and whether it takes the keyboard.
pub(crate) fn implied_flags(role: Role, native: &str) -> Flags {
    let actions = implied_actions(native);
    let mut flags = Flags::empty();
    // A row is chosen by a click, and a field gets the keyboard by one.
    let is_clicked = actions.contains(&action::PRESS) || is_choice(role) || is_field(role, native);
    flags.set(Flags::CLICKABLE, is_clicked);
    let has_menu = actions.contains(&action::SHOW_MENU) || is_choice(role) || role == Role::Image;
    flags.set(Flags::LONG_CLICKABLE, has_menu);
    flags.set(Flags::EDITABLE, is_field(role, native));
    let takes_keys = is_field(role, native)
        || (is_number(role) && !matches!(role, Role::ProgressBar | Role::ScrollBar))
        || is_list(native)
        || (is_clicked && !matches!(role, Role::MenuItem | Role::Row | Role::Cell | Role::TreeItem));
    flags.set(Flags::FOCUSABLE, takes_keys);
    flags
}

/// What a window is for.
pub(crate) fn window_kind(role: &str, subrole: Option<&str>) -> WindowKind {
    match (role, subrole) {
        (SHEET, _) | (_, Some("AXDialog" | "AXSystemDialog")) => WindowKind::Dialog,
        (MENU_BAR, _) => WindowKind::System,
        (MENU, _) | (_, Some("AXSystemFloatingWindow")) => WindowKind::Popup,
        _ => WindowKind::Application,
    }
}

/// Whether it is a tooltip, which only repeats what a control says.
pub(crate) fn is_tooltip(role: &str) -> bool {
    role == "AXHelpTag"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_by_role_or_subrole() {
        assert!(is_secure("AXTextField", Some("AXSecureTextField")));
        assert!(is_secure("AXSecureTextField", None));
        assert!(!is_secure("AXTextField", Some("AXSearchField")));
    }

    #[test]
    fn a_tab_is_selected_and_a_radio_button_checked() {
        assert!(is_checkable("AXRadioButton", None));
        assert!(!is_checkable("AXRadioButton", Some("AXTabButton")));
        assert!(is_checkable("AXButton", Some("AXToggle")));
    }

    #[test]
    fn a_field_takes_text_keys_and_clicks() {
        let flags = implied_flags(Role::TextField, "AXTextField");
        assert!(flags.contains(Flags::EDITABLE | Flags::FOCUSABLE | Flags::CLICKABLE));
        assert!(implied_flags(Role::Label, "AXStaticText").is_empty());
    }
}
