//! What AT-SPI calls things: its role numbers by name.
//!
//! The number is asked for rather than the name, because toolkits print names of their own ("text box") and
//! in the user's language, while the numbers are the same everywhere, and distinguish password fields.

use std::sync::LazyLock;

use fingertip_core::{Role, WindowKind};

/// Role names of AT-SPI in the order of their numbers.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| TABLE.split(", ").collect());
const TABLE: &str = "invalid, accelerator label, alert, animation, arrow, calendar, canvas, check box, check menu item, \
    color chooser, column header, combo box, date editor, desktop icon, desktop frame, dial, dialog, \
    directory pane, drawing area, file chooser, filler, focus traversable, font chooser, frame, \
    glass pane, html container, icon, image, internal frame, label, layered pane, list, list item, menu, \
    menu bar, menu item, option pane, page tab, page tab list, panel, password text, popup menu, \
    progress bar, push button, radio button, radio menu item, root pane, row header, scroll bar, \
    scroll pane, separator, slider, spin button, split pane, status bar, table, table cell, \
    table column header, table row header, tearoff menu item, terminal, text, toggle button, tool bar, \
    tool tip, tree, tree table, unknown, viewport, window, extended, header, footer, paragraph, ruler, \
    application, autocomplete, editbar, embedded, entry, chart, caption, document frame, heading, page, \
    section, redundant object, form, link, input method window, table row, tree item, \
    document spreadsheet, document presentation, document text, document web, document email, comment, \
    list box, grouping, image map, notification, info bar, level bar, title bar, block quote, audio, \
    video, definition, article, landmark, log, marquee, math, rating, timer, static, math fraction, \
    math root, subscript, superscript, description list, description term, description value, footnote, \
    content deletion, content insertion, mark, suggestion, push button menu, switch";

/// The roles that are asked for by number.
pub(crate) mod number {
    pub(crate) const COMBO_BOX: u32 = 11;
    pub(crate) const DIALOG: u32 = 16;
    pub(crate) const ALERT: u32 = 2;
    pub(crate) const ROOT_PANE: u32 = 46;
    pub(crate) const SCROLL_BAR: u32 = 48;
    pub(crate) const FILE_CHOOSER: u32 = 19;
    pub(crate) const LIST: u32 = 31;
    pub(crate) const MENU: u32 = 33;
    pub(crate) const MENU_BAR: u32 = 34;
    pub(crate) const PASSWORD_TEXT: u32 = 40;
    pub(crate) const POPUP_MENU: u32 = 41;
    pub(crate) const TOOL_TIP: u32 = 64;
    pub(crate) const VIEWPORT: u32 = 68;
    pub(crate) const WINDOW: u32 = 69;
}

/// AT-SPI's name of a role; `None` for one that is newer than this table.
pub(crate) fn name(number: u32) -> Option<&'static str> {
    NAMES.get(number as usize).copied()
}

/// The role in the vocabulary of all platforms.
pub(crate) fn role(number: u32) -> Role {
    name(number).map_or(Role::Unknown, Role::from_atspi)
}

/// Whether a pointer does something to what has this role, whatever actions it names.
pub(crate) fn reacts(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::ToggleButton
            | Role::MenuButton
            | Role::CheckBox
            | Role::RadioButton
            | Role::Switch
            | Role::Link
            | Role::ListItem
            | Role::Cell
            | Role::ColumnHeader
            | Role::TreeItem
            | Role::Tab
            | Role::MenuItem
            | Role::ComboBox
            | Role::Slider
            | Role::SpinButton
            | Role::Icon
    )
}

/// Whether it has an on and an off, whether or not its toolkit says so.
pub(crate) fn is_checkable(role: Role, number: u32) -> bool {
    let menu_item = matches!(name(number), Some("check menu item" | "radio menu item"));
    menu_item || matches!(role, Role::CheckBox | Role::RadioButton | Role::Switch | Role::ToggleButton)
}

/// Whether it stands in menus.
pub(crate) fn is_in_menus(number: u32) -> bool {
    number == number::MENU || role(number) == Role::MenuItem || name(number) == Some("separator")
}

/// Whether its words are to be asked for, beside its name.
pub(crate) fn holds_text(role: Role) -> bool {
    matches!(role, Role::TextField | Role::Document | Role::SpinButton)
}

/// Whether a menu, tooltip or the like: a window that hangs off another one.
pub(crate) fn is_popup(number: u32) -> bool {
    matches!(number, number::MENU | number::POPUP_MENU | number::TOOL_TIP | number::WINDOW)
}

/// Whether it shows a part of what is in it, and nothing of that outside of itself.
pub(crate) fn clips(number: u32) -> bool {
    matches!(role(number), Role::ScrollArea)
}

/// Whether it shows some of its rows and holds the others back.
pub(crate) fn is_item_view(number: u32) -> bool {
    matches!(name(number), Some("list" | "list box" | "table" | "tree" | "tree table"))
}

/// Whether it has its items one beside or below the other, and no columns.
pub(crate) fn is_list(number: u32) -> bool {
    number == number::LIST || name(number) == Some("list box")
}

/// Whether what is in it may be scrolled out of it: rows of a list, tabs of a bar.
pub(crate) fn holds_back(number: u32) -> bool {
    is_item_view(number) || role(number) == Role::TabList
}

/// Whether it is what drops down from a combo box, and not its field or button.
pub(crate) fn drops_down(number: u32) -> bool {
    is_item_view(number) || is_popup(number)
}

/// Whether what belongs to it may be shown in a window of its own: an open menu, the choices of a list.
pub(crate) fn opens_popup(number: u32) -> bool {
    matches!(number, number::MENU | number::COMBO_BOX)
}

/// Whether a page of a browser.
pub(crate) fn is_page(number: u32) -> bool {
    matches!(name(number), Some("document web" | "document frame"))
}

/// What a window of this role is for: a dialog wants an answer, a popup hangs off another window.
pub(crate) fn window_kind(number: u32) -> WindowKind {
    match number {
        number::DIALOG | number::ALERT | number::FILE_CHOOSER => WindowKind::Dialog,
        number if is_popup(number) => WindowKind::Popup,
        _ => WindowKind::Application,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_used_have_their_names() {
        for (number, expected) in [
            (number::COMBO_BOX, "combo box"),
            (23, "frame"),
            (number::DIALOG, "dialog"),
            (number::ALERT, "alert"),
            (number::FILE_CHOOSER, "file chooser"),
            (number::LIST, "list"),
            (number::MENU, "menu"),
            (number::ROOT_PANE, "root pane"),
            (number::PASSWORD_TEXT, "password text"),
            (number::POPUP_MENU, "popup menu"),
            (number::TOOL_TIP, "tool tip"),
            (56, "table cell"),
            (number::WINDOW, "window"),
            (75, "application"),
            (116, "static"),
            (130, "switch"),
        ] {
            assert_eq!(name(number), Some(expected));
        }
    }

    #[test]
    fn every_name_means_a_role_or_is_known_to_mean_none() {
        let without = ["invalid", "unknown", "extended", "redundant object", "focus traversable", "ruler"];
        for (number, name) in NAMES.iter().enumerate() {
            let known = role(number as u32) != Role::Unknown;
            assert_ne!(known, without.contains(name), "{name}");
        }
    }

    #[test]
    fn a_role_of_the_future_is_unknown() {
        assert_eq!(name(4711), None);
        assert_eq!(role(4711), Role::Unknown);
    }
}
