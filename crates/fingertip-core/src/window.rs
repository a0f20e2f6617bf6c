//! Windows: the top level of a snapshot.

use std::ops::Range;

use crate::Rect;

/// What a window is for. Decides nothing but its label; stacking is [`Window::layer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WindowKind {
    /// An application's main window.
    #[default]
    Application,
    /// A dialog or popup of an application.
    Dialog,
    /// A soft keyboard.
    InputMethod,
    /// Status bar, notification shade, desktop panel.
    System,
    /// A menu or tooltip that hangs off another window.
    Popup,
    /// Drawn over others by an assistive or overlay service.
    Overlay,
    /// The divider of a split screen.
    SplitDivider,
}

impl WindowKind {
    /// The word used in replies (`type:<word>`).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Application => "application",
            Self::Dialog => "dialog",
            Self::InputMethod => "input_method",
            Self::System => "system",
            Self::Popup => "popup",
            Self::Overlay => "overlay",
            Self::SplitDivider => "split_divider",
        }
    }
}

/// One window and the nodes it owns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Window {
    /// Its title, if it has one.
    pub title: Option<Box<str>>,
    /// The application it belongs to: a package, bundle or program name.
    pub app: Option<Box<str>>,
    /// The process it belongs to.
    pub pid: Option<u32>,
    /// What it is for.
    pub kind: WindowKind,
    /// Where it is.
    pub bounds: Rect,
    /// Stacking: a higher layer lies above a lower one.
    pub layer: i32,
    /// Whether it has the input focus.
    pub focused: bool,
    /// Whether it is minimized.
    pub minimized: bool,
    /// The title of the modal dialog that must be answered first, while there is one.
    pub blocked_by: Option<Box<str>>,
    /// Whether its pixels are withheld from screenshots.
    pub secure: bool,
    /// The driver's own name for it.
    pub handle: Option<Box<str>>,
    pub(crate) nodes: Range<u32>,
}

impl Window {
    /// A window of `app` at `bounds`.
    #[must_use]
    pub fn new(app: &str, bounds: Rect) -> Self {
        Self { app: Some(app.into()), bounds, ..Self::default() }
    }

    /// With this title.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = (!title.is_empty()).then(|| title.into());
        self
    }

    /// Of this kind.
    #[must_use]
    pub fn kind(mut self, kind: WindowKind) -> Self {
        self.kind = kind;
        self
    }

    /// On this layer.
    #[must_use]
    pub fn layer(mut self, layer: i32) -> Self {
        self.layer = layer;
        self
    }

    /// With the input focus.
    #[must_use]
    pub fn focused(mut self) -> Self {
        self.focused = true;
        self
    }

    /// Whether both are windows of one application. A process settles it: an application that is slow to say its name is
    /// known by that of its program until it does.
    #[must_use]
    pub fn is_of_same_app(&self, other: &Self) -> bool {
        match (self.pid, other.pid) {
            (Some(own), Some(other)) => own == other,
            _ => self.pid == other.pid && self.app == other.app,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_one_application_whatever_its_name() {
        let window = |app: &str, pid| Window { pid, ..Window::new(app, Rect::default()) };
        let named = window("soffice", Some(7));
        assert!(named.is_of_same_app(&window("soffice.bin", Some(7))));
        assert!(!named.is_of_same_app(&window("soffice", Some(8))));
        // Who made it is not known: the name alone does not settle it.
        assert!(!named.is_of_same_app(&window("soffice", None)));
        assert!(window("dialer", None).is_of_same_app(&window("dialer", None)));
        assert!(!window("dialer", None).is_of_same_app(&window("contacts", None)));
    }
}
