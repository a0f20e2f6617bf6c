//! What a target can ever do.

bitflags::bitflags! {
    /// The parts of [`super::Target`] that an implementation really has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Capabilities: u32 {
        /// Windows and nodes can be read.
        const SNAPSHOT = 1;
        /// One finger or the pointer.
        const TOUCH = 1 << 1;
        /// Several fingers at once.
        const MULTI_TOUCH = 1 << 2;
        /// Back, home.
        const SYSTEM_KEYS = 1 << 3;
        /// Recents, notifications, quick settings.
        const PANELS = 1 << 4;
        /// Keys of a keyboard.
        const KEYS = 1 << 5;
        /// Typing and setting text.
        const TEXT = 1 << 6;
        /// Reading and writing the clipboard.
        const CLIPBOARD = 1 << 7;
        /// Pictures of the screen.
        const SCREENSHOT = 1 << 8;
        /// Log lines.
        const LOGS = 1 << 9;
        /// Actions on nodes themselves.
        const NODE_ACTIONS = 1 << 10;
        /// Changes are reported as they happen.
        const EVENTS = 1 << 11;
        /// Each change is told with the node it happened to.
        const WATCH = 1 << 12;
        /// Numbers and checked states can be set.
        const VALUES = 1 << 13;
        /// A pointer with more than one button, a wheel, and a place where it rests.
        const POINTER = 1 << 14;
        /// Applications can be listed and opened.
        const APPS = 1 << 20;
        /// Applications can be closed.
        const CLOSE_APPS = 1 << 21;
        /// Windows can be brought to the front, closed, moved and resized.
        const WINDOWS = 1 << 22;
    }
}
