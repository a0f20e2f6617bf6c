//! What a pointer does beside pressing as a finger does.

use super::{Direction, Expected};
use crate::Point;

/// One act with the pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum Pointing {
    /// Presses the right button, which opens the menu of what is there.
    RightClick(Point),
    /// Rests there without a button.
    Hover(Point),
    /// Turns the wheel.
    Wheel {
        /// Where.
        at: Point,
        /// Which way the content goes into view.
        direction: Direction,
        /// How often it clicks.
        notches: u32,
    },
}

/// Something that is pressed, moved and let go elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Drag {
    /// Where it is pressed.
    pub from: Point,
    /// Where it is let go.
    pub to: Point,
    /// Who is meant to receive what is dropped.
    pub onto: Expected,
}

impl Pointing {
    /// Where it happens.
    #[must_use]
    pub const fn place(&self) -> Point {
        match self {
            Self::RightClick(at) | Self::Hover(at) | Self::Wheel { at, .. } => *at,
        }
    }
}
