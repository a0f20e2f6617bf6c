//! What a user can change that belongs to no app: focus, scroll offsets, the keyboard, a pressed view.

use std::collections::BTreeMap;

use super::apps::Tag;
use super::apps::installed::LAUNCHER;
use super::motion::Motion;
use super::profile::Millis;

/// The state of the windows.
pub(crate) struct Ui {
    /// The package in front.
    pub(crate) front: &'static str,
    /// What has the focus in each package's window.
    pub(crate) focus: BTreeMap<&'static str, Tag>,
    /// Whether the keyboard was asked for.
    pub(crate) keyboard: bool,
    /// How far areas are scrolled, in pixels.
    pub(crate) offsets: BTreeMap<Tag, f32>,
    /// Areas that still move.
    pub(crate) motions: BTreeMap<Tag, Motion>,
    /// A view a finger drags aside, and how far.
    pub(crate) dragged: Option<(Tag, f32)>,
    /// The view under a pressing finger.
    pub(crate) pressed: Option<u64>,
    /// When a field was last edited; its caret shows for a while after.
    pub(crate) edited: Millis,
    /// Whether the cursor must be brought into view.
    pub(crate) reveal: bool,
    /// How far the window in front is moved up for the keyboard, in pixels.
    pub(crate) pan: f32,
    /// The width for which offsets were made.
    pub(crate) width: u32,
}

impl Ui {
    pub(crate) fn new(width: u32) -> Self {
        Self {
            front: LAUNCHER,
            focus: BTreeMap::new(),
            keyboard: false,
            offsets: BTreeMap::new(),
            motions: BTreeMap::new(),
            dragged: None,
            pressed: None,
            edited: 0,
            reveal: false,
            pan: 0.0,
            width,
        }
    }

    /// Forgets everything about a package's windows.
    pub(crate) fn forget(&mut self, package: &'static str) {
        self.focus.remove(package);
        self.offsets.retain(|tag, _| tag.package() != Some(package));
        self.motions.retain(|tag, _| tag.package() != Some(package));
    }
}

/// A short message, and when it goes.
pub(crate) struct Toast {
    pub(crate) text: String,
    pub(crate) until: Millis,
}
