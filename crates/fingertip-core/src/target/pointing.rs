//! What a pointer does beside pressing as a finger does.

use super::{Direction, Expected};
use crate::Point;

/// One act with the pointer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    /// Presses, moves and lets go elsewhere. A phone does so with a finger that rests until it holds what it is on.
    Drag {
        /// Where it is pressed.
        from: Point,
        /// Where it lets go.
        to: Point,
        /// Who is meant to receive what is dropped.
        onto: Expected,
    },
}

impl Pointing {
    /// Where it begins.
    #[must_use]
    pub const fn start(&self) -> Point {
        match self {
            Self::RightClick(at) | Self::Hover(at) | Self::Wheel { at, .. } => *at,
            Self::Drag { from, .. } => *from,
        }
    }

    /// Where it drops something, and on whom.
    #[must_use]
    pub const fn drop(&self) -> Option<(Point, &Expected)> {
        match self {
            Self::Drag { to, onto, .. } => Some((*to, onto)),
            _ => None,
        }
    }
}
