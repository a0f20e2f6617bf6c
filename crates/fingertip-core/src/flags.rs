//! What a node is and can do, as a set of bits.

bitflags::bitflags! {
    /// The yes/no properties of a node.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Flags: u16 {
        /// Shown on the screen, at least in part.
        const VISIBLE = 1;
        /// Reacts to a tap or click.
        const CLICKABLE = 1 << 1;
        /// Reacts to a long press.
        const LONG_CLICKABLE = 1 << 2;
        /// Can take the input focus.
        const FOCUSABLE = 1 << 3;
        /// Its content can be scrolled.
        const SCROLLABLE = 1 << 4;
        /// Holds text the user can change.
        const EDITABLE = 1 << 5;
        /// Reacts to the user at all.
        const ENABLED = 1 << 6;
        /// Has a checked state.
        const CHECKABLE = 1 << 7;
        /// Is checked now.
        const CHECKED = 1 << 8;
        /// Is selected now.
        const SELECTED = 1 << 9;
        /// Has the input focus.
        const FOCUSED = 1 << 10;
        /// Holds a secret: its text is dropped when the snapshot is built.
        const PASSWORD = 1 << 11;
    }
}
