//! The everyday gestures of one finger: taps, presses, swipes and scrolls.

use std::time::Duration;

use super::{Gesture, Stroke, Waypoint};
use crate::target::Direction;
use crate::{Point, Rect};

/// How long a tapping finger stays down.
pub const TAP: Duration = Duration::from_millis(50);
/// The time between the taps of a double tap: longer than a bounce, shorter than two taps.
pub const DOUBLE_TAP_GAP: Duration = Duration::from_millis(100);
/// How long a scrolling finger takes for its way.
pub const SCROLL_DRAG: Duration = Duration::from_millis(400);
/// How long it then stays still. Platforms measure the speed of a fling over the last 100 ms; twice that leaves none.
pub const SCROLL_HOLD: Duration = Duration::from_millis(200);
/// How long a dragging finger stays still before it moves: longer than a platform takes for a long press, which is what picks
/// things up.
pub const DRAG_HOLD: Duration = Duration::from_millis(700);
/// How long it takes for its way.
pub const DRAG_MOVE: Duration = Duration::from_millis(500);
/// How long it stays still before it lets go, for what is dragged to arrive.
pub const DRAG_REST: Duration = Duration::from_millis(250);
/// The least time a finger is down; a shorter press or swipe takes this long.
pub const SHORTEST: Duration = Duration::from_millis(1);

/// How far to scroll, as a share of the scrolled area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Amount {
    /// A quarter.
    Small,
    /// A half.
    #[default]
    Medium,
    /// Three quarters.
    Large,
}

impl Amount {
    /// All amounts, least first.
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// Its word in tool parameters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }

    /// The share of the area's width or height.
    #[must_use]
    pub const fn share(self) -> f64 {
        match self {
            Self::Small => 0.25,
            Self::Medium => 0.5,
            Self::Large => 0.75,
        }
    }
}

impl Gesture {
    /// One short touch.
    #[must_use]
    pub fn tap(at: Point) -> Self {
        Self::long_press(at, TAP)
    }

    /// Two short touches, one soon after the other.
    #[must_use]
    pub fn double_tap(at: Point) -> Self {
        let second = TAP + DOUBLE_TAP_GAP;
        Self(vec![line(at, at, Duration::ZERO, TAP), line(at, at, second, second + TAP)])
    }

    /// A touch that stays.
    #[must_use]
    pub fn long_press(at: Point, duration: Duration) -> Self {
        Self::swipe(at, at, duration)
    }

    /// A straight line at an even pace.
    #[must_use]
    pub fn swipe(from: Point, to: Point, duration: Duration) -> Self {
        Self(vec![line(from, to, Duration::ZERO, duration.max(SHORTEST))])
    }

    /// Takes hold of what is at one point, moves it in a straight line and lets go after a pause.
    #[must_use]
    pub fn drag(from: Point, to: Point) -> Self {
        let (moves, arrives) = (DRAG_HOLD + DRAG_MOVE, DRAG_HOLD + DRAG_MOVE + DRAG_REST);
        Self(vec![Stroke(vec![
            Waypoint::new(from, Duration::ZERO),
            Waypoint::new(from, DRAG_HOLD),
            Waypoint::new(to, moves),
            Waypoint::new(to, arrives),
        ])])
    }

    /// A slow drag through the middle of the area that ends still, so that the content moves as far as the
    /// finger and not further. To show what is further down, the finger moves up.
    #[must_use]
    pub fn scroll(area: Rect, direction: Direction, amount: Amount) -> Self {
        let center = area.center();
        let half_width = f64::from(area.width()) * amount.share() / 2.0;
        let half_height = f64::from(area.height()) * amount.share() / 2.0;
        let (x, y) = match direction {
            Direction::Up => (0.0, half_height),
            Direction::Down => (0.0, -half_height),
            Direction::Left => (half_width, 0.0),
            Direction::Right => (-half_width, 0.0),
        };
        let end = Point::new(center.x + x, center.y + y);
        let mut stroke = line(Point::new(center.x - x, center.y - y), end, Duration::ZERO, SCROLL_DRAG);
        stroke.0.push(Waypoint::new(end, SCROLL_DRAG + SCROLL_HOLD));
        Self(vec![stroke])
    }
}

/// A stroke along one straight line.
pub(super) fn line(from: Point, to: Point, start: Duration, end: Duration) -> Stroke {
    Stroke(vec![Waypoint::new(from, start), Waypoint::new(to, end)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_double_tap_lifts_the_finger_for_the_gap() {
        let gesture = Gesture::double_tap(Point::new(3.0, 4.0));
        let [first, second] = gesture.strokes() else { panic!("two strokes") };
        assert_eq!(second.start().time - first.end().time, DOUBLE_TAP_GAP);
        assert_eq!(first.duration(), TAP);
        assert_eq!(second.duration(), TAP);
    }

    #[test]
    fn scrolling_down_moves_the_finger_up() {
        let gesture = Gesture::scroll(Rect::new(0, 0, 1000, 2000), Direction::Down, Amount::Medium);
        let stroke = &gesture.strokes()[0];
        assert_eq!(stroke.start().at, Point::new(500.0, 1500.0));
        assert_eq!(stroke.end().at, Point::new(500.0, 500.0));
    }

    #[test]
    fn scrolling_left_moves_the_finger_right() {
        let gesture = Gesture::scroll(Rect::new(0, 0, 1000, 2000), Direction::Left, Amount::Small);
        let stroke = &gesture.strokes()[0];
        assert_eq!(stroke.start().at, Point::new(375.0, 1000.0));
        assert_eq!(stroke.end().at, Point::new(625.0, 1000.0));
    }

    #[test]
    fn a_drag_holds_before_it_moves_and_rests_before_it_lets_go() {
        let (from, to) = (Point::new(1.0, 2.0), Point::new(9.0, 2.0));
        let drag = Gesture::drag(from, to);
        let stroke = &drag.strokes()[0];
        assert_eq!(stroke.position_at(DRAG_HOLD), Some(from));
        assert_eq!(stroke.position_at(drag.duration() - DRAG_REST), Some(to));
        assert_eq!(stroke.end().at, to);
    }

    #[test]
    fn a_swipe_of_no_time_still_takes_the_shortest() {
        let gesture = Gesture::swipe(Point::new(0.0, 0.0), Point::new(9.0, 9.0), Duration::ZERO);
        assert_eq!(gesture.duration(), SHORTEST);
    }

    proptest! {
        #[test]
        fn a_scroll_covers_exactly_its_share_and_ends_still(
            (left, top, width, height) in (-500..5000, -500..5000, 1..5000, 1..5000),
            direction in prop::sample::select(&Direction::ALL[..]),
            amount in prop::sample::select(&Amount::ALL[..]),
        ) {
            let area = Rect::new(left, top, left + width, top + height);
            let gesture = Gesture::scroll(area, direction, amount);
            let stroke = &gesture.strokes()[0];
            let (start, end) = (stroke.start().at, stroke.end().at);
            let side = match direction {
                Direction::Up | Direction::Down => height,
                Direction::Left | Direction::Right => width,
            };
            let distance = (start.x - end.x).abs() + (start.y - end.y).abs();
            prop_assert_eq!(distance, f64::from(side) * amount.share());
            prop_assert!(area.contains(start) && area.contains(end));
            for rest in [Duration::ZERO, SCROLL_HOLD / 2, SCROLL_HOLD] {
                prop_assert_eq!(stroke.position_at(gesture.duration() - rest), Some(end));
            }
        }
    }
}
