//! Finger paths over time: pure geometry, the same on every platform.
//!
//! A [`Gesture`] says where each finger is at each moment; a driver asks for [`Gesture::frames`] and injects
//! them one after another. Rules: every waypoint's time and place is kept exactly; between waypoints a finger
//! moves in a straight line at an even pace; a gesture in existence is valid, so drivers check nothing.
//! Not here: where a node is to be touched ([`crate::hit`]), and rounding, which is the driver's.

mod custom;
mod frames;
mod pinch;
mod shapes;

use std::time::Duration;

use crate::Point;

pub use custom::{MAX_PATHS, MAX_POINTS, MIN_POINTS};
pub use frames::{Frame, Phase, Touch};
pub use pinch::{PINCH_NEAREST, PINCH_SPREAD};
pub use shapes::{
    Amount, DOUBLE_TAP_GAP, DRAG_HOLD, DRAG_MOVE, DRAG_REST, SCROLL_DRAG, SCROLL_HOLD, SHORTEST, TAP,
};

/// Where a finger is at a moment, counted from the start of the gesture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint {
    /// Where.
    pub at: Point,
    /// When.
    pub time: Duration,
}

impl Waypoint {
    /// The finger is `at` this point at this `time`.
    #[must_use]
    pub const fn new(at: Point, time: Duration) -> Self {
        Self { at, time }
    }
}

/// One finger: down at the first waypoint, up at the last, moving in straight lines between.
///
/// Holds two waypoints at the least, at strictly increasing times.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke(Vec<Waypoint>);

impl Stroke {
    /// All its waypoints, in order of time.
    #[must_use]
    pub fn points(&self) -> &[Waypoint] {
        &self.0
    }

    /// Where and when the finger comes down.
    #[must_use]
    pub fn start(&self) -> Waypoint {
        self.0[0]
    }

    /// Where and when it goes up.
    #[must_use]
    pub fn end(&self) -> Waypoint {
        self.0[self.0.len() - 1]
    }

    /// How long the finger is down.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.end().time - self.start().time
    }

    /// Where the finger is at this time of the gesture; `None` before it is down and after it is up.
    #[must_use]
    pub fn position_at(&self, time: Duration) -> Option<Point> {
        let following = self.0.partition_point(|waypoint| waypoint.time < time);
        let next = self.0.get(following)?;
        if next.time == time {
            return Some(next.at);
        }
        let previous = self.0.get(following.checked_sub(1)?)?;
        let share = (time - previous.time).div_duration_f64(next.time - previous.time);
        let between = |from: f64, to: f64| from + (to - from) * share;
        Some(Point::new(between(previous.at.x, next.at.x), between(previous.at.y, next.at.y)))
    }

    /// Whether the finger is down for the whole span.
    fn covers(&self, from: Duration, to: Duration) -> bool {
        self.start().time <= from && to <= self.end().time
    }
}

/// One or more fingers. A finger may come down after another went up, as in a double tap.
#[derive(Debug, Clone, PartialEq)]
pub struct Gesture(Vec<Stroke>);

impl Gesture {
    /// Its strokes; one at the least.
    #[must_use]
    pub fn strokes(&self) -> &[Stroke] {
        &self.0
    }

    /// The time from its start until the last finger is up.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.0.iter().map(|stroke| stroke.end().time).max().unwrap_or_default()
    }

    /// The greatest number of fingers down at once.
    #[must_use]
    pub fn fingers(&self) -> usize {
        let down_at = |time| {
            self.0.iter().filter(|stroke| stroke.start().time <= time && time < stroke.end().time).count()
        };
        self.0.iter().map(|stroke| down_at(stroke.start().time)).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent() -> Stroke {
        let at = |x, y, time| Waypoint::new(Point::new(x, y), Duration::from_millis(time));
        Stroke(vec![at(0.0, 0.0, 100), at(10.0, 0.0, 200), at(10.0, 40.0, 600)])
    }

    #[test]
    fn a_finger_is_nowhere_before_down_and_after_up() {
        assert_eq!(bent().position_at(Duration::from_millis(99)), None);
        assert_eq!(bent().position_at(Duration::from_millis(601)), None);
        assert_eq!(bent().duration(), Duration::from_millis(500));
    }

    #[test]
    fn a_finger_moves_evenly_between_waypoints() {
        let at = |time| bent().position_at(Duration::from_millis(time)).unwrap();
        assert_eq!(at(100), Point::new(0.0, 0.0));
        assert_eq!(at(150), Point::new(5.0, 0.0));
        assert_eq!(at(200), Point::new(10.0, 0.0));
        assert_eq!(at(300), Point::new(10.0, 10.0));
        assert_eq!(at(600), Point::new(10.0, 40.0));
    }

    #[test]
    fn fingers_count_only_those_down_together() {
        let point = Point::new(1.0, 1.0);
        assert_eq!(Gesture::tap(point).fingers(), 1);
        assert_eq!(Gesture::double_tap(point).fingers(), 1);
        let both = Gesture(vec![bent(), bent()]);
        assert_eq!(both.fingers(), 2);
        assert_eq!(both.duration(), Duration::from_millis(600));
    }
}
