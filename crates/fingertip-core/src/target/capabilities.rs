//! What a target can ever do, as a set that tools name their needs by.

use super::{Clipboard, Target, Touch};
use crate::{Error, Reason, Result};

bitflags::bitflags! {
    /// The parts that a target has, or that something needs of it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Capabilities: u32 {
        /// Windows and nodes can be read.
        const SNAPSHOT = 1;
        /// One finger or the pointer.
        const TOUCH = 1 << 1;
        /// Several fingers at once.
        const MULTI_TOUCH = 1 << 2;
        /// Back, home, recents, notifications, quick settings.
        const SYSTEM_KEYS = 1 << 3;
        /// Keys of a keyboard, and text by them.
        const KEYS = 1 << 4;
        /// Setting text.
        const TEXT = 1 << 5;
        /// Writing the clipboard.
        const CLIPBOARD = 1 << 6;
        /// Pictures of the screen.
        const SCREENSHOT = 1 << 7;
        /// Log lines.
        const LOGS = 1 << 8;
        /// Actions on nodes themselves.
        const NODE_ACTIONS = 1 << 9;
        /// Changes are reported as they happen.
        const EVENTS = 1 << 10;
        /// Each change is reported with the node it happened to.
        const WATCH = 1 << 11;
        /// Numbers and checked states can be set.
        const VALUES = 1 << 12;
        /// A pointer with more than one button, a wheel, and a place on the screen.
        const POINTER = 1 << 13;
        /// Applications can be listed and opened.
        const APPS = 1 << 14;
        /// Applications can be closed.
        const CLOSE_APPS = 1 << 15;
        /// Windows can be brought to the front, closed, moved and resized.
        const WINDOWS = 1 << 16;
        /// Reading the clipboard.
        const CLIPBOARD_READ = 1 << 17;
    }
}

impl Capabilities {
    /// What this target has.
    #[must_use]
    pub fn of<T: Target + ?Sized>(target: &T) -> Self {
        let (touch, clipboard) = (target.touch(), target.clipboard());
        let parts = [
            (Self::SNAPSHOT, true),
            (Self::TOUCH, touch.is_some()),
            (Self::MULTI_TOUCH, touch.is_some_and(Touch::multi_touch)),
            (Self::SYSTEM_KEYS, target.system_keys().is_some()),
            (Self::KEYS, target.keyboard().is_some()),
            (Self::TEXT, target.text_fields().is_some()),
            (Self::CLIPBOARD, clipboard.is_some()),
            (Self::CLIPBOARD_READ, clipboard.is_some_and(Clipboard::is_readable)),
            (Self::SCREENSHOT, target.pictures().is_some()),
            (Self::LOGS, target.logs().is_some()),
            (Self::NODE_ACTIONS, target.elements().is_some()),
            (Self::EVENTS, target.changes().is_some()),
            (Self::WATCH, target.watching().is_some()),
            (Self::VALUES, target.values().is_some()),
            (Self::POINTER, target.pointer().is_some()),
            (Self::APPS, target.applications().is_some()),
            (Self::CLOSE_APPS, target.app_closer().is_some()),
            (Self::WINDOWS, target.window_manager().is_some()),
        ];
        parts.into_iter().filter(|(_, there)| *there).map(|(part, _)| part).collect()
    }

    /// The part a call needs, or the error that it is missing.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] where there is none.
    pub fn require<T: ?Sized>(self, part: Option<&T>) -> Result<&T> {
        part.ok_or_else(|| self.missing())
    }

    /// The error of a call that needs this and finds it missing.
    #[must_use]
    pub fn missing(self) -> Error {
        let cannot = match self {
            Self::TOUCH => "be touched",
            Self::MULTI_TOUCH => "be touched by several fingers",
            Self::SYSTEM_KEYS => "press system keys",
            Self::KEYS => "press keys",
            Self::TEXT => "set text",
            Self::CLIPBOARD => "reach the clipboard",
            Self::CLIPBOARD_READ => "read the clipboard",
            Self::SCREENSHOT => "take screenshots",
            Self::LOGS => "show logs",
            Self::NODE_ACTIONS => "act on elements directly",
            Self::EVENTS => "report changes",
            Self::WATCH => "report changes one by one",
            Self::VALUES => "set values",
            Self::POINTER => "be pointed at",
            Self::APPS => "open applications",
            Self::CLOSE_APPS => "close applications",
            Self::WINDOWS => "act on windows",
            _ => "do this",
        };
        Error::new(Reason::Unsupported, format!("This target cannot {cannot}."))
    }
}
