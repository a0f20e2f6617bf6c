//! Finger paths over time: pure geometry, the same on every platform.

use std::time::Duration;

use crate::Point;

/// Where a finger is at a moment, counted from the start of the gesture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint {
    /// Where.
    pub at: Point,
    /// When.
    pub time: Duration,
}

/// One finger: down at the first waypoint, up at the last, moving in straight lines between.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke(Vec<Waypoint>);

/// One or more fingers. A finger may come down after another went up, as in a double tap.
#[derive(Debug, Clone, PartialEq)]
pub struct Gesture(Vec<Stroke>);
