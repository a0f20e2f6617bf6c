//! The attributes that are asked for, by their names, and the batches they are asked for in.
//!
//! The names are macros of Apple's headers, which no binding has. A batch is one message; which ones there are decides what
//! reading costs. All begin with what is asked of every element, so that one function reads all answers.

use crate::element::Batch;

pub(crate) const CHILDREN: &str = "AXChildren";
pub(crate) const CLOSE_BUTTON: &str = "AXCloseButton";
pub(crate) const DISCLOSING: &str = "AXDisclosing";
pub(crate) const ENHANCED_INTERFACE: &str = "AXEnhancedUserInterface";
pub(crate) const EXPANDED: &str = "AXExpanded";
pub(crate) const FOCUSED: &str = "AXFocused";
pub(crate) const FOCUSED_APPLICATION: &str = "AXFocusedApplication";
pub(crate) const FOCUSED_ELEMENT: &str = "AXFocusedUIElement";
pub(crate) const FRONTMOST: &str = "AXFrontmost";
pub(crate) const FULL_SCREEN: &str = "AXFullScreen";
pub(crate) const MAIN: &str = "AXMain";
pub(crate) const MANUAL_ACCESSIBILITY: &str = "AXManualAccessibility";
pub(crate) const MINIMIZED: &str = "AXMinimized";
pub(crate) const PARENT: &str = "AXParent";
pub(crate) const POSITION: &str = "AXPosition";
pub(crate) const ROLE: &str = "AXRole";
pub(crate) const ROWS: &str = "AXRows";
pub(crate) const SELECTED: &str = "AXSelected";
pub(crate) const SELECTED_CHILDREN: &str = "AXSelectedChildren";
pub(crate) const SELECTED_ROWS: &str = "AXSelectedRows";
pub(crate) const SIZE: &str = "AXSize";
pub(crate) const VALUE: &str = "AXValue";
pub(crate) const WINDOW: &str = "AXWindow";
pub(crate) const WINDOWS: &str = "AXWindows";

/// What is asked of every element.
const COMMON: [&str; 18] = [
    ROLE,
    "AXSubrole",
    "AXTitle",
    "AXDescription",
    VALUE,
    "AXHelp",
    "AXPlaceholderValue",
    "AXIdentifier",
    "AXEnabled",
    FOCUSED,
    SELECTED,
    EXPANDED,
    DISCLOSING,
    POSITION,
    SIZE,
    "AXMinValue",
    "AXMaxValue",
    "AXTitleUIElement",
];

/// Where the answers to [`COMMON`] stand.
pub(crate) mod common {
    pub(crate) const ROLE: usize = 0;
    pub(crate) const SUBROLE: usize = 1;
    pub(crate) const TITLE: usize = 2;
    pub(crate) const DESCRIPTION: usize = 3;
    pub(crate) const VALUE: usize = 4;
    pub(crate) const HELP: usize = 5;
    pub(crate) const PLACEHOLDER: usize = 6;
    pub(crate) const IDENTIFIER: usize = 7;
    pub(crate) const ENABLED: usize = 8;
    pub(crate) const FOCUSED: usize = 9;
    pub(crate) const SELECTED: usize = 10;
    pub(crate) const EXPANDED: usize = 11;
    pub(crate) const DISCLOSING: usize = 12;
    pub(crate) const POSITION: usize = 13;
    pub(crate) const SIZE: usize = 14;
    pub(crate) const MINIMUM: usize = 15;
    pub(crate) const MAXIMUM: usize = 16;
    pub(crate) const TITLE_ELEMENT: usize = 17;
    /// The first attribute that a batch has beyond these.
    pub(crate) const END: usize = 18;
}

/// Where the answers of [`Batches::node`] and [`Batches::top`] stand beyond the common ones.
pub(crate) mod node {
    use super::common::END;
    pub(crate) const CHILDREN: usize = END;
    pub(crate) const MINIMIZED: usize = END + 1;
    pub(crate) const MAIN: usize = END + 2;
    pub(crate) const MODAL: usize = END + 3;
}

/// Where the answers of [`Batches::scrolled`] stand beyond the common ones, and all those of [`Batches::rows`].
pub(crate) mod rows {
    use super::common::END;
    pub(crate) const SCROLLED: usize = END;
    pub(crate) const VISIBLE_ROWS: usize = 0;
    pub(crate) const VISIBLE_CHILDREN: usize = 1;
    pub(crate) const HEADER: usize = 2;
}

/// Where the answers of [`Batches::app`] stand.
pub(crate) mod app {
    pub(crate) const WINDOWS: usize = 0;
    pub(crate) const CHILDREN: usize = 1;
    pub(crate) const FOCUSED_ELEMENT: usize = 2;
    pub(crate) const MENU_BAR: usize = 3;
}

/// The batches. They are made for each desktop and not for the process, so that a test can see that nothing of a
/// desktop is left after its end.
pub(crate) struct Batches {
    /// An application: its windows, its menu bar, its focus.
    pub(crate) app: Batch,
    /// An element with its children.
    pub(crate) node: Batch,
    /// A window with its children.
    pub(crate) top: Batch,
    /// An element that may be a long list: with its visible rows in the place of all children, which a table would build
    /// for the answer.
    pub(crate) scrolled: Batch,
    /// The visible rows alone.
    pub(crate) rows: Batch,
    /// An element without anything in it.
    pub(crate) alone: Batch,
}

impl Batches {
    /// All of them.
    pub(crate) fn new() -> Self {
        const VISIBLE_ROWS: [&str; 3] = ["AXVisibleRows", "AXVisibleChildren", "AXHeader"];
        let and = |more: &[&'static str]| Batch::new(&[&COMMON[..], more].concat());
        Self {
            app: Batch::new(&[WINDOWS, CHILDREN, FOCUSED_ELEMENT, "AXMenuBar"]),
            node: and(&[CHILDREN]),
            top: and(&[CHILDREN, MINIMIZED, MAIN, "AXModal"]),
            scrolled: and(&VISIBLE_ROWS),
            rows: Batch::new(&VISIBLE_ROWS),
            alone: and(&[]),
        }
    }
}
