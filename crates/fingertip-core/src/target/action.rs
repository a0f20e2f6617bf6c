//! What can be done to a target, beside touching it.

/// A key or panel of the system rather than of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SystemAction {
    /// One step back.
    Back,
    /// The home screen.
    Home,
    /// The recent applications.
    Recents,
    /// The notification shade.
    Notifications,
    /// The quick settings panel.
    QuickSettings,
}

/// The way content moves into view: `Down` shows what is further down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards the top.
    Up,
    /// Towards the bottom.
    Down,
    /// Towards the left.
    Left,
    /// Towards the right.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Its word in tool parameters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The other way.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Something done to a node itself, not to the place where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeAction {
    /// Press it.
    Click,
    /// Hold it, or open its context menu.
    LongClick,
    /// Give it the input focus.
    Focus,
    /// Scroll its content.
    Scroll(Direction),
    /// Bring it into view.
    ShowOnScreen,
    /// One step up, as of a slider.
    Increment,
    /// One step down.
    Decrement,
    /// Accept what it holds, as Enter would.
    Confirm,
    /// Dismiss it, as Escape would.
    Cancel,
    /// Bring its window to the front.
    Raise,
    /// Choose it in its list or menu.
    Pick,
    /// Show what it hides.
    Expand,
    /// Hide what it shows.
    Collapse,
    /// A native action by its own name.
    Native(String),
}
