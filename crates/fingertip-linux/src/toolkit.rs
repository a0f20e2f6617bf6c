//! What the toolkits are known to do differently. What can be checked at run time is checked instead.

use fingertip_core::Role;

use crate::client::Origin;
use crate::place::Scaling;
use crate::roles;
use crate::states::{States, state};
use crate::tree::Object;

/// How the name of every application of LibreOffice begins.
const OFFICE: &str = "soffice";

/// What an application is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Toolkit {
    /// GTK 2.
    Gtk2,
    /// GTK 3, and what uses its bridge.
    Gtk3,
    /// LibreOffice: some windows and boxes of GTK 3, whose name it gives, around objects that it makes itself.
    Vcl,
    /// GTK 4.
    Gtk4,
    /// Qt 5 and 6.
    Qt,
    /// Chromium, Electron.
    Chromium,
    /// Firefox, Thunderbird.
    Gecko,
    /// Another one, of which nothing is assumed.
    #[default]
    Other,
}

impl Toolkit {
    /// From the name and version of it that an application gives, and the name of the application.
    pub(crate) fn named(name: &str, version: &str, application: &str) -> Self {
        let is_office =
            application.get(..OFFICE.len()).is_some_and(|start| start.eq_ignore_ascii_case(OFFICE));
        match name.to_ascii_lowercase().as_str() {
            "gtk" if version.starts_with("4.") => Self::Gtk4,
            "gtk" if is_office => Self::Vcl,
            "gail" => Self::Gtk2,
            "gtk" => Self::Gtk3,
            "qt" => Self::Qt,
            "chromium" => Self::Chromium,
            "gecko" => Self::Gecko,
            _ => Self::Other,
        }
    }

    /// Whether the cache of such an application is of use: Qt's is empty, or of another form. Firefox makes its own when it
    /// is asked for it, and stands still for seconds on a long page. LibreOffice ends with a fault: its answer lists every
    /// object that was ever asked for, and a shape of a drawing or chart that was closed has nothing left to list. That of
    /// GTK 2 does not know which menu is open.
    pub(crate) const fn has_cache(self) -> bool {
        !matches!(self, Self::Qt | Self::Gecko | Self::Vcl | Self::Gtk2)
    }

    /// Whether a document lists objects that are gone. LibreOffice does so with a shape that was there when an editor within
    /// the document opened, as the chart whose assistant was dismissed. To ask such a one for its name or attributes ends
    /// LibreOffice, or freezes it: it looks for them where the shape was in memory. Its states and its place can be asked for.
    pub(crate) const fn lists_the_gone(self) -> bool {
        matches!(self, Self::Vcl)
    }

    /// Whether to ask an application for a window by a number it does not have, or has no longer, may end it. GTK 4.8 then
    /// takes the last window that was ever made, and where that is not shown it has no name on the bus: Nautilus ends when it
    /// is asked for the second window just after a dialog closed.
    pub(crate) const fn ends_without_a_window(self) -> bool {
        matches!(self, Self::Gtk4)
    }

    /// Whether the items of an open menu do not say that they are showing. They have a place, and those of a menu that was never
    /// open have none; of one that was closed only its window is gone.
    pub(crate) const fn hides_open_menus(self) -> bool {
        matches!(self, Self::Gtk2)
    }

    /// Whether a point of a list can be asked for what lies there: Qt finds cells so, and never the headers of a table.
    pub(crate) const fn finds_by_point(self) -> bool {
        !matches!(self, Self::Qt)
    }

    /// Whether a point of a list is found by looking at all rows above it, which takes seconds far down.
    pub(crate) const fn searches_rows(self) -> bool {
        matches!(self, Self::Gtk2 | Self::Gtk3 | Self::Vcl)
    }

    /// Whether what can be done to a control follows from its role, its states and its interfaces. What is done is looked
    /// up again at the moment of doing it.
    pub(crate) const fn has_regular_actions(self) -> bool {
        matches!(self, Self::Chromium | Self::Gtk2 | Self::Gtk3 | Self::Vcl)
    }

    /// Whether the names of all actions may be asked for in one call. Firefox hands out every text in the same memory: name,
    /// description and keys of an action overwrite each other in one answer, and when one of them is long enough to be put
    /// elsewhere, what is left of the first is no text any more, for which D-Bus ends Firefox.
    pub(crate) const fn lists_actions_at_once(self) -> bool {
        !matches!(self, Self::Gecko)
    }

    /// Whether an object that does not report that it is showing is hidden: GTK 4 reports that for windows only.
    pub(crate) const fn tells_showing(self) -> bool {
        !matches!(self, Self::Gtk4)
    }

    /// Whether a button that is pressed is a toggle button: others are not said to be pressed.
    pub(crate) const fn presses_toggles_only(self) -> bool {
        matches!(self, Self::Gtk4)
    }

    /// Whether pages of a stack that are put away say that they are visible, where they were last.
    pub(crate) const fn keeps_pages_visible(self) -> bool {
        matches!(self, Self::Gtk4)
    }

    /// Whether the items of a list may be reported from another corner than the list; see [`crate::tree::astray`].
    pub(crate) const fn puts_items_astray(self) -> bool {
        matches!(self, Self::Vcl)
    }

    /// Whether hidden objects have no place: GTK 3 reports that all but cells are nowhere.
    pub(crate) const fn places_only_what_shows(self) -> bool {
        matches!(self, Self::Gtk2 | Self::Gtk3 | Self::Vcl)
    }

    /// Whether what is far down a scrolled list is reported in a wrong place: GTK 3 asks X for it, which counts in 16 bits.
    pub(crate) const fn wraps_places(self) -> bool {
        matches!(self, Self::Gtk2 | Self::Gtk3 | Self::Vcl)
    }

    /// Whether the attributes of controls hold the identifiers a programmer gave them.
    pub(crate) const fn has_identifiers(self) -> bool {
        matches!(self, Self::Chromium | Self::Gecko)
    }

    /// Whether the words of a paragraph are objects of their own in it.
    pub(crate) const fn splits_text(self) -> bool {
        matches!(self, Self::Chromium)
    }

    /// Whether the words between the controls of a box are exposed by the box alone.
    pub(crate) const fn keeps_words_in_boxes(self) -> bool {
        matches!(self, Self::Gecko)
    }

    /// Whether the tree of a page is built only once it is asked for, so that the first answer may lack it.
    pub(crate) const fn builds_late(self) -> bool {
        matches!(self, Self::Gecko)
    }

    /// Whether the options of a combo box say that they are showing when it is closed.
    pub(crate) const fn keeps_options_showing(self) -> bool {
        matches!(self, Self::Qt | Self::Gecko)
    }

    /// Whether the chosen tab of each bar says that it has the keyboard, and none that it is chosen. The bar says rightly
    /// whether it has the keyboard.
    pub(crate) const fn calls_chosen_tabs_focused(self) -> bool {
        matches!(self, Self::Qt)
    }

    /// Whether what is scrolled out of a box, a list or a bar of tabs says that it is showing. GTK 3 looks at what it scrolls
    /// by a viewport only, and not at what scrolls by itself, as a page of Evince or what stands in a text.
    pub(crate) const fn shows_scrolled_out(self) -> bool {
        matches!(self, Self::Qt | Self::Gtk3)
    }

    /// Whether what scrolls is a box like any other: a scroll area of Qt is known by its bars only.
    pub(crate) const fn scrolls_in_boxes(self) -> bool {
        matches!(self, Self::Qt)
    }

    /// Whether anything that listens to clicks calls that an action, boxes around boxes included.
    pub(crate) const fn names_listeners(self) -> bool {
        matches!(self, Self::Gecko)
    }

    /// Whether an object may have another path at the next look. Qt 5 makes the cells and headers of a tree view anew
    /// each time; others say so.
    pub(crate) const fn replaces(self, role: Role, states: States) -> bool {
        let in_view =
            matches!(role, Role::Cell | Role::TreeItem | Role::Row | Role::ListItem | Role::ColumnHeader);
        match self {
            Self::Qt => in_view,
            Self::Gtk2 | Self::Gtk3 | Self::Vcl | Self::Other => states.has(state::TRANSIENT),
            Self::Gtk4 | Self::Chromium | Self::Gecko => false,
        }
    }

    /// Whether a child is of a sort that is shown in a window of its own.
    pub(crate) fn opens_apart(self, parent: &Object, child: &Object) -> bool {
        // A menu in its bar is the word there, even where what is open covers it: a second bar of LibreOffice lies below.
        if parent.role == roles::number::MENU_BAR && child.role == roles::number::MENU {
            return false;
        }
        let is_dropped = match parent.role {
            // The field and the button of a combo box stay where they are.
            roles::number::COMBO_BOX => {
                roles::drops_down(child.role) || roles::role(child.role) == Role::MenuItem
            }
            role => roles::opens_popup(role),
        };
        is_dropped || self.is_popover(&child.name) || roles::is_popup(child.role)
    }

    /// By what it may enlarge what it draws without reporting it in its places.
    pub(crate) const fn scaling(self) -> Scaling {
        match self {
            Self::Qt => Scaling::Any,
            Self::Gtk3 | Self::Gtk4 | Self::Vcl => Scaling::Whole,
            Self::Gtk2 | Self::Chromium | Self::Gecko | Self::Other => Scaling::Never,
        }
    }

    /// The origin of the places it reports: GTK 4 knows no screen, and later versions answer nonsense when they are asked by one.
    pub(crate) fn origin(self) -> Origin {
        if self == Self::Gtk4 { Origin::Window } else { Origin::Screen }
    }

    /// Whether what has no size has closed and only its parts say that they are showing.
    pub(crate) fn closes_to_nothing(self) -> bool {
        self == Self::Gtk4
    }

    /// Whether this is the name of a popover that has none: it is shown in a window of its own and reports places within
    /// that.
    pub(crate) fn is_popover(self, name: &str) -> bool {
        let is_one = matches!(name, "GtkPopover" | "GtkPopoverMenu" | "GtkTreePopover" | "GtkEmojiChooser");
        self == Self::Gtk4 && is_one
    }

    /// A name as a user would read it. GTK 4 gives the name of a class where there is none, and names a button
    /// by its label and by what is in it.
    pub(crate) fn name(self, name: &str) -> &str {
        if self != Self::Gtk4 {
            return name;
        }
        if is_class(name) {
            return "";
        }
        // The label may have the mark of its key, which what is in the button has not: `_Rename Rename`.
        let halves = name.match_indices(' ').map(|(space, _)| (&name[..space], &name[space + 1..]));
        let mut doubled =
            halves.filter(|(label, content)| label == content || label.replacen('_', "", 1) == *content);
        doubled.next().map_or(name, |(_, content)| content)
    }

    /// The name of something of this role as a user would read it. A box of GTK 4 without a name may have that of a class of
    /// the application's own, `NautilusGridCell`. A text can look the same; where it is one, a label in the box has it too.
    pub(crate) fn name_in(self, role: Role, name: &str) -> &str {
        let name = self.name(name);
        let is_box = matches!(role, Role::Group | Role::ToolBar | Role::Cell | Role::ListItem | Role::Row);
        if self == Self::Gtk4 && is_box && looks_like_class(name) { "" } else { name }
    }
}

/// Whether it is the name of a class of GTK or of a library over it, such as `GtkEntry`, or of one written in JavaScript or
/// Python: `Gjs_SidebarRow`, `__main__+Sidebar`.
fn is_class(name: &str) -> bool {
    let rest = ["Gtk", "Adw", "Hdy", "Gjs_", "__main__+"].iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_uppercase())
            && rest.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    })
}

/// Whether it could be the name of a class of anybody's, such as `NautilusGridCell`.
fn looks_like_class(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().filter(u8::is_ascii_uppercase).count() >= 2
        && name.bytes().any(|character| character.is_ascii_lowercase())
        && name.bytes().all(|character| character.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolkits_are_known_by_name_and_version() {
        assert_eq!(Toolkit::named("gtk", "3.24.38", "editor"), Toolkit::Gtk3);
        assert_eq!(Toolkit::named("GAIL", "2.24.33", "editor"), Toolkit::Gtk2);
        assert_eq!(Toolkit::named("GTK", "4.8.3", "editor"), Toolkit::Gtk4);
        assert_eq!(Toolkit::named("gtk", "3.24.38", "soffice"), Toolkit::Vcl);
        assert_eq!(Toolkit::named("gtk", "3.24.38", "soffice.bin"), Toolkit::Vcl);
        assert_eq!(Toolkit::named("gtk", "3.24.38", "söff"), Toolkit::Gtk3);
        assert_eq!(Toolkit::named("Qt", "6.4.2", "editor"), Toolkit::Qt);
        assert_eq!(Toolkit::named("Chromium", "1.0", "editor"), Toolkit::Chromium);
        assert_eq!(Toolkit::named("Gecko", "140.0", "editor"), Toolkit::Gecko);
        assert_eq!(Toolkit::named("WebKitGTK", "2.40", "editor"), Toolkit::Other);
    }

    #[test]
    fn names_are_said_once_and_classes_not_at_all() {
        for (given, read) in [
            ("7 7", "7"),
            ("Save as Save as", "Save as"),
            ("é é", "é"),
            ("_Rename Rename", "Rename"),
            ("Save _As Save As", "Save As"),
            ("to be or to be", "to be or to be"),
            ("GtkEntry", ""),
            ("GtkSourceView", ""),
            ("Gjs_SidebarRow", ""),
            ("__main__+Sidebar", ""),
            ("Gjs_ is how it begins", "Gjs_ is how it begins"),
            ("Gtk demo", "Gtk demo"),
            ("Greet", "Greet"),
            ("7 8", "7 8"),
            (" ", ""),
            ("", ""),
        ] {
            assert_eq!(Toolkit::Gtk4.name(given), read, "{given}");
        }
        assert_eq!(Toolkit::Gtk3.name("7 7"), "7 7");
    }

    #[test]
    fn a_class_of_the_application_is_no_name_of_a_box() {
        let read = |role, name| Toolkit::Gtk4.name_in(role, name).to_owned();
        assert_eq!(read(Role::Cell, "NautilusGridCell"), "");
        assert_eq!(read(Role::Label, "NautilusGridCell"), "NautilusGridCell");
        for name in ["Nautilus", "USB", "Grid Cell", "gridCell", "Größe"] {
            assert_eq!(read(Role::Cell, name), name);
        }
        assert_eq!(Toolkit::Gtk3.name_in(Role::Cell, "NautilusGridCell"), "NautilusGridCell");
    }
}
