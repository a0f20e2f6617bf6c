//! The accessibility view: windows and nodes as `AccessibilityNodeInfo` would show them.
//!
//! Rules: bounds are screen pixels in the current rotation, clipped to what can be seen, as
//! `uiautomator` writes them; nodes with nothing to see are still here, without `VISIBLE`, so that a
//! dump can leave gaps in `index` where Android does.

use super::geometry::Rect;

/// What a window is for, with the numbers of `AccessibilityWindowInfo.TYPE_*` in [`WindowKind::number`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// An app's main window.
    Application,
    /// A dialog of an app.
    Dialog,
    /// A menu or drop-down list of an app.
    Popup,
    /// The soft keyboard.
    InputMethod,
    /// The status bar.
    StatusBar,
    /// The navigation bar.
    NavigationBar,
    /// The notification shade.
    NotificationShade,
    /// A dialog of the system itself.
    SystemAlert,
    /// A short message near the bottom. Takes no touches, and is hidden from accessibility services.
    Toast,
}

impl WindowKind {
    /// Whether accessibility services see the window, as `uiautomator` does. Only toasts are hidden from them.
    #[must_use]
    pub const fn is_accessible(self) -> bool {
        !matches!(self, Self::Toast)
    }

    /// Whether it takes every touch, inside its bounds or not, so that nothing below it can be reached.
    #[must_use]
    pub const fn is_modal(self) -> bool {
        matches!(self, Self::Dialog | Self::Popup | Self::NotificationShade | Self::SystemAlert)
    }

    /// `AccessibilityWindowInfo.TYPE_*`: 1 application, 2 input method, 3 system.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Application | Self::Dialog | Self::Popup => 1,
            Self::InputMethod => 2,
            Self::StatusBar
            | Self::NavigationBar
            | Self::NotificationShade
            | Self::SystemAlert
            | Self::Toast => 3,
        }
    }
}

/// The windows accessibility services get: Android reports neither those behind a dialog, a menu or the
/// open shade, which no touch can reach, nor toasts.
pub fn reported(windows: &[WindowView]) -> impl Iterator<Item = &WindowView> {
    let modal = windows.iter().filter(|window| window.kind.is_modal()).map(|window| window.layer).max();
    let reachable = move |window: &&WindowView| modal.is_none_or(|layer| window.layer >= layer);
    windows.iter().filter(|window| window.kind.is_accessible()).filter(reachable)
}

/// One window.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowView {
    /// Its identity, stable while it is there.
    pub id: u32,
    /// What a user would call it ("Calculator"); may be empty.
    pub title: String,
    /// Its name in `dumpsys window` ("com.android.calculator2/com.android.calculator2.Calculator", "StatusBar").
    pub name: String,
    /// The package it belongs to.
    pub package: String,
    /// What it is for.
    pub kind: WindowKind,
    /// Stacking: a higher layer lies above a lower one.
    pub layer: i32,
    /// Where it is, and where it takes touches.
    pub bounds: Rect,
    /// Whether it has the input focus.
    pub focused: bool,
    /// Whether its pixels are withheld from screenshots.
    pub secure: bool,
    /// Its content.
    pub root: NodeView,
}

bitflags::bitflags! {
    /// The yes/no properties of a node.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct NodeFlags: u32 {
        /// Has a checked state.
        const CHECKABLE = 1;
        /// Is checked now.
        const CHECKED = 1 << 1;
        /// Reacts to a tap.
        const CLICKABLE = 1 << 2;
        /// Reacts to the user at all.
        const ENABLED = 1 << 3;
        /// Can take the input focus.
        const FOCUSABLE = 1 << 4;
        /// Has the input focus.
        const FOCUSED = 1 << 5;
        /// Its content can be scrolled now.
        const SCROLLABLE = 1 << 6;
        /// Reacts to a long press.
        const LONG_CLICKABLE = 1 << 7;
        /// Holds a secret.
        const PASSWORD = 1 << 8;
        /// Is selected now.
        const SELECTED = 1 << 9;
        /// Holds text the user can change.
        const EDITABLE = 1 << 10;
        /// Shown on the screen, at least in part.
        const VISIBLE = 1 << 11;
        /// Its text is its hint, because it is empty.
        const SHOWING_HINT = 1 << 12;
        /// Has content beyond its start edge (above, or to the left).
        const CAN_SCROLL_BACKWARD = 1 << 13;
        /// Has content beyond its end edge (below, or to the right).
        const CAN_SCROLL_FORWARD = 1 << 14;
        /// What can be scrolled lies beside, not above and below.
        const SCROLLS_SIDEWAYS = 1 << 15;
    }
}

/// The value of a slider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeView {
    /// Lowest value.
    pub min: f32,
    /// Highest value.
    pub max: f32,
    /// Value now.
    pub current: f32,
}

/// One node, with its children in the order of the view tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView {
    /// Identity of the view object; a recycled row keeps its key while it shows another row's content.
    pub key: u64,
    /// Class name, as stock Android has it.
    pub class: &'static str,
    /// Text as accessibility reports it: dots for a password, the hint for an empty field with a hint.
    pub text: String,
    /// Content description.
    pub content_desc: String,
    /// Hint, for fields that have one.
    pub hint: String,
    /// Full resource id (`package:id/name`), or empty.
    pub resource_id: String,
    /// The package of the window.
    pub package: String,
    /// Where it is, clipped to what can be seen; empty when it is off screen.
    pub bounds: Rect,
    /// Yes/no properties.
    pub flags: NodeFlags,
    /// Order among its siblings in which it is drawn, starting at 1 (0 for a root).
    pub drawing_order: u32,
    /// A slider's value.
    pub range: Option<RangeView>,
    /// Start and end of the selection in UTF-16 units, in an editable field; equal for a plain cursor.
    pub selection: Option<(usize, usize)>,
    /// Children.
    pub children: Vec<NodeView>,
}

impl NodeView {
    /// This node and everything below it, parents before children.
    pub fn walk(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            open.extend(node.children.iter().rev());
            Some(node)
        })
    }

    /// Whether the user sees some of it.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        self.flags.contains(NodeFlags::VISIBLE)
    }
}

/// What an accessibility service may ask of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeAction {
    /// `ACTION_CLICK`.
    Click,
    /// `ACTION_LONG_CLICK`.
    LongClick,
    /// `ACTION_SET_TEXT`; replaces all of it.
    SetText(String),
    /// `ACTION_SCROLL_FORWARD`, by one page.
    ScrollForward,
    /// `ACTION_SCROLL_BACKWARD`, by one page.
    ScrollBackward,
    /// `ACTION_FOCUS`.
    Focus,
    /// `ACTION_IME_ENTER`.
    ImeEnter,
    /// `ACTION_SHOW_ON_SCREEN`: scrolls its containers until it can be seen.
    ShowOnScreen,
    /// `ACTION_SET_SELECTION`, in UTF-16 units.
    SetSelection(usize, usize),
    /// `ACTION_SET_PROGRESS`, of a slider.
    SetProgress(f32),
}
