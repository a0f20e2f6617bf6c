//! Fingers: what each did, how fast, and what the gesture has become so far.

use std::collections::{BTreeMap, VecDeque};

use super::apps::Tag;
use super::geometry::Point;
use super::profile::Millis;
use super::toolkit::view::Axis;

/// How long a press must last to be a long press (`ViewConfiguration.getLongPressTimeout`).
pub(crate) const LONG_PRESS: Millis = 500;
/// How soon a second tap must follow to be a double tap.
pub(crate) const DOUBLE_TAP: Millis = 300;
/// How far a finger may stray in a tap.
pub(crate) const TOUCH_SLOP: f32 = 8.0;
/// How far apart the taps of a double tap may be.
pub(crate) const DOUBLE_TAP_SLOP: f32 = 100.0;
/// The slowest fling, in density-independent pixels a second.
pub(crate) const SLOWEST_FLING: f32 = 50.0;
/// The fastest fling, in density-independent pixels a second.
pub(crate) const FASTEST_FLING: f32 = 8000.0;

/// How far back movement counts for the speed at the end.
const SPEED_WINDOW: Millis = 100;
/// A finger that has not moved for so long is still.
const STILL: Millis = 40;

/// One finger that is down.
#[derive(Debug, Clone)]
pub(crate) struct Finger {
    pub(crate) start: Point,
    pub(crate) last: Point,
    recent: VecDeque<(Millis, Point)>,
}

impl Finger {
    pub(crate) fn new(at: Millis, point: Point) -> Self {
        Self { start: point, last: point, recent: VecDeque::from([(at, point)]) }
    }

    pub(crate) fn go(&mut self, at: Millis, point: Point) {
        // A repeated position is a finger that stays still; it must not make the movement before look fresh.
        if point != self.last {
            self.recent.push_back((at, point));
        }
        self.last = point;
        while self.recent.len() > 2 && self.recent[0].0 + SPEED_WINDOW < at {
            self.recent.pop_front();
        }
    }

    /// Speed in pixels a second at the moment `now`; zero if the finger had stopped.
    pub(crate) fn velocity(&self, now: Millis) -> Point {
        let (Some((from, start)), Some((to, end))) = (self.recent.front(), self.recent.back()) else {
            return Point::default();
        };
        if now.saturating_sub(*to) > STILL || to == from {
            return Point::default();
        }
        let seconds = to.saturating_sub(*from).max(1) as f32 / 1000.0;
        Point::new((end.x - start.x) / seconds, (end.y - start.y) / seconds)
    }
}

/// The view under the first finger that reacts to presses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) key: u64,
    pub(crate) tag: Tag,
    pub(crate) long_clickable: bool,
}

/// What the gesture has become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// It may still be a tap or a long press.
    Pressing,
    /// A scroll area follows the finger from this offset.
    Scrolling { tag: Tag, axis: Axis, from: f32, grabbed: Point },
    /// A slider follows the finger.
    Sliding(Tag),
    /// A view is dragged aside.
    Swiping { tag: Tag, axis: Axis },
    /// A picture follows one or two fingers.
    Transforming(Tag),
    /// The shade is pulled down or pushed up.
    Pulling,
    /// Whatever it was has happened; the rest means nothing.
    Spent,
}

/// A gesture from the first finger down to the last one up.
pub(crate) struct Gesture {
    pub(crate) window: u32,
    pub(crate) first: u32,
    pub(crate) fingers: BTreeMap<u32, Finger>,
    pub(crate) started: Millis,
    pub(crate) mode: Mode,
    pub(crate) target: Option<Target>,
}

impl Gesture {
    /// When it becomes a long press, if it does.
    pub(crate) fn long_press_at(&self) -> Option<Millis> {
        let waits = self.mode == Mode::Pressing && self.target.is_some_and(|target| target.long_clickable);
        waits.then_some(self.started + LONG_PRESS)
    }

    /// The middle of all fingers, and how far they are from it on average.
    pub(crate) fn spread(&self) -> (Point, f32) {
        let count = self.fingers.len().max(1) as f32;
        let sum = self
            .fingers
            .values()
            .fold((0.0, 0.0), |sum, finger| (sum.0 + finger.last.x, sum.1 + finger.last.y));
        let middle = Point::new(sum.0 / count, sum.1 / count);
        let distance = self.fingers.values().map(|finger| finger.last.distance(middle)).sum::<f32>() / count;
        (middle, distance)
    }
}

/// A tap that a second one may follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastTap {
    pub(crate) tag: Tag,
    pub(crate) at: Millis,
    pub(crate) point: Point,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finger_that_stays_still_has_no_speed() {
        let mut finger = Finger::new(0, Point::new(0.0, 0.0));
        for step in 1..=10 {
            finger.go(step * 10, Point::new(0.0, step as f32 * 30.0));
        }
        assert!((finger.velocity(105).y - 3000.0).abs() < 1.0);
        for step in 11..=20 {
            finger.go(step * 10, Point::new(0.0, 300.0));
        }
        assert_eq!(finger.velocity(200), Point::default());
    }
}
