//! A gesture as the sequence of touches a driver injects.
//!
//! Within a frame, fingers first move, then go up, then come down: a finger arrives where its path ends before
//! it leaves (an "up" alone moves nothing on most platforms), and its number is free for the next one.

use std::time::Duration;

use super::{Gesture, SHORTEST, Stroke};
use crate::Point;

/// What a finger does at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Touches the screen.
    Down,
    /// Is somewhere, perhaps still where it was.
    Move,
    /// Leaves the screen.
    Up,
}

/// One finger in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The finger's number, from zero; free again once it is up.
    pub finger: usize,
    /// What it does.
    pub phase: Phase,
    /// Where.
    pub at: Point,
}

/// What happens at one moment; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// When, from the start of the gesture.
    pub time: Duration,
    /// The touches, in the order in which to inject them.
    pub touches: Vec<Touch>,
}

impl Gesture {
    /// The gesture in order of time: a frame at every waypoint, and moves between them at most `step` apart
    /// (a step under [`SHORTEST`] counts as that). No frames while no finger is down.
    pub fn frames(&self, step: Duration) -> impl Iterator<Item = Frame> + use<'_> {
        let step = step.max(SHORTEST);
        let mut fingers = vec![None; self.strokes().len()];
        self.moments(step).map(move |time| Frame { time, touches: self.touches_at(time, &mut fingers) })
    }

    /// The times of all frames.
    fn moments(&self, step: Duration) -> impl Iterator<Item = Duration> + use<'_> {
        let mut waypoints: Vec<Duration> =
            self.strokes().iter().flat_map(Stroke::points).map(|waypoint| waypoint.time).collect();
        waypoints.sort_unstable();
        waypoints.dedup();
        let first = waypoints.first().copied();
        std::iter::successors(first, move |&now| {
            let next = *waypoints.get(waypoints.partition_point(|&time| time <= now))?;
            let touched = self.strokes().iter().any(|stroke| stroke.covers(now, next));
            Some(if touched { next.min(now.saturating_add(step)) } else { next })
        })
    }

    /// What the fingers do at this time. `fingers` holds each stroke's number while it is down.
    fn touches_at(&self, time: Duration, fingers: &mut [Option<usize>]) -> Vec<Touch> {
        let mut touches = Vec::new();
        for (stroke, finger) in self.strokes().iter().zip(&*fingers) {
            if let (Some(finger), Some(at)) = (*finger, stroke.position_at(time)) {
                touches.push(Touch { finger, phase: Phase::Move, at });
            }
        }
        for (stroke, finger) in self.strokes().iter().zip(&mut *fingers) {
            if stroke.end().time == time
                && let Some(finger) = finger.take()
            {
                touches.push(Touch { finger, phase: Phase::Up, at: stroke.end().at });
            }
        }
        for (number, stroke) in self.strokes().iter().enumerate() {
            if stroke.start().time == time {
                let free = (0..).find(|finger| !fingers.contains(&Some(*finger))).unwrap_or_default();
                fingers[number] = Some(free);
                touches.push(Touch { finger: free, phase: Phase::Down, at: stroke.start().at });
            }
        }
        touches
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{DOUBLE_TAP_GAP, TAP, Waypoint};
    use super::*;

    const STEP: Duration = Duration::from_millis(8);

    fn outline(gesture: &Gesture, step: Duration) -> Vec<(u128, usize, Phase)> {
        gesture
            .frames(step)
            .flat_map(|frame| {
                frame
                    .touches
                    .into_iter()
                    .map(move |touch| (frame.time.as_millis(), touch.finger, touch.phase))
            })
            .collect()
    }

    #[test]
    fn a_tap_is_down_then_up() {
        let frames = outline(&Gesture::tap(Point::new(1.0, 2.0)), Duration::from_secs(1));
        assert_eq!(frames, [(0, 0, Phase::Down), (50, 0, Phase::Move), (50, 0, Phase::Up)]);
    }

    #[test]
    fn a_double_tap_uses_one_finger_and_is_silent_in_the_gap() {
        let gesture = Gesture::double_tap(Point::new(1.0, 2.0));
        assert!(outline(&gesture, STEP).iter().all(|(_, finger, _)| *finger == 0));
        let gap = TAP..TAP + DOUBLE_TAP_GAP;
        let in_gap = gesture.frames(STEP).filter(|frame| gap.contains(&frame.time)).count();
        assert_eq!(in_gap, 1, "only the end of the first tap");
    }

    #[test]
    fn a_finger_that_comes_down_as_another_goes_up_takes_its_number() {
        let at = |time| Waypoint::new(Point::new(1.0, 2.0), Duration::from_millis(time));
        let gesture = Gesture::custom(vec![vec![at(0), at(10)], vec![at(10), at(20)]]).unwrap();
        let frames = outline(&gesture, Duration::from_secs(1));
        assert_eq!(frames[2..4], [(10, 0, Phase::Up), (10, 0, Phase::Down)]);
        assert_eq!(gesture.fingers(), 1);
    }

    fn gestures() -> impl Strategy<Value = Gesture> {
        let step = (0.0..2000.0, 0.0..2000.0, 1_u64..90).prop_map(|(x, y, after)| (Point::new(x, y), after));
        let path = (0_u64..200, prop::collection::vec(step, 2..12)).prop_map(|(start, steps)| {
            let mut time = start;
            let waypoint = |(at, after)| {
                time += after;
                Waypoint::new(at, Duration::from_millis(time))
            };
            steps.into_iter().map(waypoint).collect()
        });
        prop::collection::vec(path, 1..6).prop_map(|paths| Gesture::custom(paths).unwrap())
    }

    proptest! {
        #[test]
        fn every_waypoint_is_kept_in_place_and_time(gesture in gestures(), step in 1_u64..50) {
            let frames: Vec<Frame> = gesture.frames(Duration::from_millis(step)).collect();
            for waypoint in gesture.strokes().iter().flat_map(Stroke::points) {
                prop_assert!(frames.iter().any(|frame| frame.time == waypoint.time
                    && frame.touches.iter().any(|touch| touch.at == waypoint.at)));
            }
            prop_assert_eq!(frames.last().unwrap().time, gesture.duration());
        }

        #[test]
        fn times_increase_by_a_step_at_most_while_a_finger_is_down(gesture in gestures(), step in 1_u64..50) {
            let step = Duration::from_millis(step);
            let mut down = 0;
            let mut last: Option<Duration> = None;
            for frame in gesture.frames(step) {
                prop_assert!(!frame.touches.is_empty());
                if let Some(last) = last {
                    prop_assert!(frame.time > last);
                    prop_assert!(down == 0 || frame.time - last <= step);
                }
                for touch in &frame.touches {
                    match touch.phase {
                        Phase::Down => down += 1,
                        Phase::Up => down -= 1,
                        Phase::Move => {}
                    }
                }
                last = Some(frame.time);
            }
            prop_assert_eq!(down, 0);
        }

        #[test]
        fn a_finger_is_down_before_it_moves_and_up_once(gesture in gestures(), step in 1_u64..50) {
            let mut down = std::collections::BTreeSet::new();
            let (mut downs, mut most) = (0, 0);
            for touch in gesture.frames(Duration::from_millis(step)).flat_map(|frame| frame.touches) {
                match touch.phase {
                    Phase::Down => {
                        prop_assert!(down.insert(touch.finger));
                        downs += 1;
                    }
                    Phase::Move => prop_assert!(down.contains(&touch.finger)),
                    Phase::Up => prop_assert!(down.remove(&touch.finger)),
                }
                prop_assert!(touch.finger < gesture.fingers());
                most = most.max(down.len());
            }
            prop_assert_eq!(downs, gesture.strokes().len());
            prop_assert_eq!(most, gesture.fingers());
        }
    }
}
