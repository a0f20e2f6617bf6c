//! How a gesture is played with what a phone offers: pure planning, no I/O.
//!
//! `input tap` and `input swipe` keep their own time on the phone and are the best for a straight line.
//! `input motionevent` plays any path of one finger, each event at the cost of a command. A virtual touch
//! device (`uinput`) plays any number of fingers with exact times, but takes a second to appear; it is used
//! for several fingers, and for paths too dense for commands.

use std::time::Duration;

use fingertip_core::gesture::{Gesture, Phase, Stroke, TAP};
use fingertip_core::{Error, Point, Reason, Result};

/// The first interface level whose `input` knows `motionevent`: Android 10.
const MOTION_EVENT_SDK: u32 = 29;
/// The first interface level with `uinput`: Android 12.
pub(crate) const MULTI_TOUCH_SDK: u32 = 31;
/// The time between two moves that are sent as commands.
const STEP: Duration = Duration::from_millis(16);
/// The least time between two waypoints that commands can keep: about what one takes on a phone.
const COMMAND_TIME: Duration = Duration::from_millis(40);

/// How a gesture is played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Plan {
    /// One command a stroke, each started at its time.
    Strokes(Vec<(Duration, String)>),
    /// One command an event.
    Events(Vec<TouchEvent>),
    /// Through a virtual touch device.
    Device,
}

/// One event of a finger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TouchEvent {
    /// When, from the start of the gesture.
    pub(crate) time: Duration,
    pub(crate) phase: Phase,
    pub(crate) at: Point,
    /// Whether it only smooths the way between two others, and may be left out when time is short.
    pub(crate) smoothing: bool,
}

impl TouchEvent {
    /// The command that injects it.
    pub(crate) fn command(&self) -> String {
        let action = match self.phase {
            Phase::Down => "DOWN",
            Phase::Move => "MOVE",
            Phase::Up => "UP",
        };
        format!("input motionevent {action} {}", place(self.at))
    }

    /// The command that takes the finger away here without meaning anything by it.
    pub(crate) fn cancel_command(&self) -> String {
        let at = place(self.at);
        format!("input motionevent CANCEL {at} || input motionevent UP {at}")
    }
}

/// How to play this gesture on a phone of this interface level; zero when it is not known.
///
/// # Errors
/// When such a phone cannot play it.
pub(crate) fn plan(gesture: &Gesture, sdk: u32) -> Result<Plan> {
    let has = |level: u32| sdk == 0 || sdk >= level;
    if gesture.fingers() > 1 {
        return if has(MULTI_TOUCH_SDK) { Ok(Plan::Device) } else { Err(needs("several fingers", "12")) };
    }
    if let Some(commands) = gesture.strokes().iter().map(straight).collect::<Option<Vec<_>>>() {
        return Ok(Plan::Strokes(commands));
    }
    if is_dense(gesture) && sdk >= MULTI_TOUCH_SDK {
        return Ok(Plan::Device);
    }
    if has(MOTION_EVENT_SDK) {
        Ok(Plan::Events(events(gesture)))
    } else {
        Err(needs("paths that are no straight line at an even pace", "10"))
    }
}

/// The command for a stroke from one place to another, and its time.
fn straight(stroke: &Stroke) -> Option<(Duration, String)> {
    let [from, to] = stroke.points() else { return None };
    let (start, end) = (place(from.at), place(to.at));
    let command = if start == end && stroke.duration() == TAP {
        format!("input tap {start}")
    } else {
        format!("input swipe {start} {end} {}", stroke.duration().as_millis())
    };
    Some((from.time, command))
}

fn events(gesture: &Gesture) -> Vec<TouchEvent> {
    let waypoint = |time| gesture.strokes().iter().flat_map(Stroke::points).any(|known| known.time == time);
    let event = |(time, touch): (Duration, fingertip_core::gesture::Touch)| TouchEvent {
        time,
        phase: touch.phase,
        at: touch.at,
        smoothing: touch.phase == Phase::Move && !waypoint(time),
    };
    gesture
        .frames(STEP)
        .flat_map(|frame| frame.touches.into_iter().map(move |touch| (frame.time, touch)))
        .map(event)
        .collect()
}

fn is_dense(gesture: &Gesture) -> bool {
    let gaps = gesture.strokes().iter().flat_map(|stroke| stroke.points().windows(2));
    gaps.map(|pair| pair[1].time - pair[0].time).any(|gap| gap < COMMAND_TIME)
}

/// A place in whole pixels; commands take them as the screen is turned now.
fn place(point: Point) -> String {
    format!("{} {}", point.x.round().max(0.0) as u32, point.y.round().max(0.0) as u32)
}

/// A gesture that does not end before the deadline is not begun.
pub(crate) fn too_long(needed: Duration) -> Error {
    let message = format!("The gesture takes {} ms, longer than there is time.", needed.as_millis());
    Error::new(Reason::Timeout, message).with_guidance("Make it shorter; no finger was put down.")
}

fn needs(what: &str, release: &str) -> Error {
    Error::new(Reason::Unsupported, format!("This phone cannot play {what}: that needs Android {release}."))
        .with_guidance("Use taps and swipes of one finger instead.")
}

#[cfg(test)]
mod tests {
    use fingertip_core::Rect;
    use fingertip_core::gesture::{Amount, Waypoint};
    use fingertip_core::target::Direction;

    use super::*;

    const AT: Point = Point::new(10.4, 20.6);

    fn strokes(gesture: &Gesture) -> Vec<(u128, String)> {
        match plan(gesture, 24).unwrap() {
            Plan::Strokes(steps) => {
                steps.into_iter().map(|(time, command)| (time.as_millis(), command)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn path(times: &[u64]) -> Gesture {
        let point = |(number, time): (usize, &u64)| {
            Waypoint::new(Point::new(number as f64 * 10.0, 0.0), Duration::from_millis(*time))
        };
        Gesture::custom(vec![times.iter().enumerate().map(point).collect()]).unwrap()
    }

    #[test]
    fn taps_presses_and_swipes_are_one_command_each() {
        assert_eq!(strokes(&Gesture::tap(AT)), [(0, "input tap 10 21".to_owned())]);
        let press = Gesture::long_press(AT, Duration::from_millis(1000));
        assert_eq!(strokes(&press), [(0, "input swipe 10 21 10 21 1000".to_owned())]);
        let swipe = Gesture::swipe(AT, Point::new(300.0, 0.2), Duration::from_millis(250));
        assert_eq!(strokes(&swipe), [(0, "input swipe 10 21 300 0 250".to_owned())]);
        let double = strokes(&Gesture::double_tap(AT));
        assert_eq!(double.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [0, 150]);
    }

    #[test]
    fn a_scroll_ends_still() {
        let scroll = Gesture::scroll(Rect::new(0, 0, 100, 1000), Direction::Down, Amount::Medium);
        let Plan::Events(events) = plan(&scroll, 30).unwrap() else { panic!("events") };
        assert_eq!(events[0].command(), "input motionevent DOWN 50 750");
        let last = &events[events.len() - 3..];
        assert!(last.iter().all(|event| event.at == Point::new(50.0, 250.0)));
        assert_eq!(last[2].command(), "input motionevent UP 50 250");
        let kept: Vec<u128> =
            events.iter().filter(|event| !event.smoothing).map(|event| event.time.as_millis()).collect();
        assert_eq!(kept, [0, 400, 600, 600]);
        assert_eq!(plan(&scroll, 28).unwrap_err().reason(), Reason::Unsupported);
    }

    #[test]
    fn several_fingers_need_a_device_and_android_12() {
        let screen = Rect::new(0, 0, 1080, 2400);
        let pinch =
            Gesture::pinch(Point::new(540.0, 1200.0), 2.0, Duration::from_millis(300), screen).unwrap();
        assert_eq!(plan(&pinch, 31).unwrap(), Plan::Device);
        let error = plan(&pinch, 30).unwrap_err();
        assert_eq!(error.reason(), Reason::Unsupported);
        assert!(error.message().contains("Android 12"), "{error}");
    }

    #[test]
    fn a_path_too_dense_for_commands_takes_the_device_where_there_is_one() {
        assert_eq!(plan(&path(&[0, 10, 20]), 34).unwrap(), Plan::Device);
        assert!(matches!(plan(&path(&[0, 10, 20]), 29).unwrap(), Plan::Events(_)));
        assert!(matches!(plan(&path(&[0, 100, 200]), 34).unwrap(), Plan::Events(_)));
    }
}
