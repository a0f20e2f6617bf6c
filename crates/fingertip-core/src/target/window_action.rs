//! What can be done to a window as a whole.

/// Something done to a window itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WindowAction {
    /// Bring it to the front and give it the keyboard.
    Activate,
    /// Ask it to close, as its close button would.
    Close,
    /// Take it off the screen, to be brought back.
    Minimize,
    /// Fill the screen.
    Maximize,
    /// Undo both.
    Restore,
    /// Put its top left corner there.
    Move {
        /// From the left edge of the screen.
        x: i32,
        /// From the top edge of the screen.
        y: i32,
    },
    /// Give it this size, decorations included.
    Resize {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
}

impl WindowAction {
    /// Its word in replies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Activate => "activate",
            Self::Close => "close",
            Self::Minimize => "minimize",
            Self::Maximize => "maximize",
            Self::Restore => "restore",
            Self::Move { .. } => "move",
            Self::Resize { .. } => "resize",
        }
    }
}
