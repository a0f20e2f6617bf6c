//! A gesture for a virtual touch screen, in the language of the `uinput` command: a stream of JSON objects.
//!
//! The device appears, the system takes a moment to notice it, the fingers move, and the device goes when the
//! stream ends, which also lifts any finger that were still down. Times are kept by the phone, within a segment; with
//! an expected receiver, each finger that comes down begins a segment of its own, so that the host can look first.

use std::fmt::Write as _;
use std::time::Duration;

use fingertip_core::Point;
use fingertip_core::gesture::{Gesture, Phase, Touch};

use crate::screen::Glass;

/// How long the system takes to notice the device.
pub(crate) const SETTLING: Duration = Duration::from_millis(1000);
/// The time between two moves.
const STEP: Duration = Duration::from_millis(8);
/// The most fingers the device reports.
const FINGERS: u32 = 10;
const DEVICE: u32 = 1;

// The numbers of linux/input-event-codes.h and linux/uinput.h.
const EV_SYN: u32 = 0;
const EV_KEY: u32 = 1;
const EV_ABS: u32 = 3;
const BTN_TOUCH: u32 = 330;
const ABS_MT_SLOT: u32 = 47;
const ABS_MT_POSITION_X: u32 = 53;
const ABS_MT_POSITION_Y: u32 = 54;
const ABS_MT_TRACKING_ID: u32 = 57;
const INPUT_PROP_DIRECT: u32 = 1;
const UI_SET_EVBIT: u32 = 100;
const UI_SET_KEYBIT: u32 = 101;
const UI_SET_ABSBIT: u32 = 103;
const UI_SET_PROPBIT: u32 = 110;
const MAX_TRACKING_ID: u32 = 65_535;

/// A part of the stream, sent at its time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment {
    /// When, from the moment the device is registered.
    pub(crate) time: Duration,
    /// Where fingers come down at its start.
    pub(crate) downs: Vec<Point>,
    pub(crate) script: String,
}

/// The stream that plays a gesture on this glass, in segments where it is `held` to a receiver.
pub(crate) fn segments(gesture: &Gesture, glass: Glass, held: bool) -> Vec<Segment> {
    let mut segment = Segment { time: Duration::ZERO, downs: Vec::new(), script: register(glass) };
    let mut segments = Vec::new();
    if !held {
        delay(&mut segment.script, SETTLING);
    }
    let mut now = Duration::ZERO;
    let mut down = 0;
    let mut tracking_id = 0;
    for frame in gesture.frames(STEP) {
        let comes = |touch: &&Touch| touch.phase == Phase::Down;
        let downs: Vec<Point> = frame.touches.iter().filter(comes).map(|touch| touch.at).collect();
        if held && !downs.is_empty() {
            let next = Segment { time: SETTLING + frame.time, downs, script: String::new() };
            segments.push(std::mem::replace(&mut segment, next));
        } else {
            delay(&mut segment.script, frame.time - now);
        }
        now = frame.time;
        inject(&mut segment.script, &frame.touches, glass, &mut down, &mut tracking_id);
    }
    segments.push(segment);
    segments
}

fn register(glass: Glass) -> String {
    let axis = |code: u32, maximum: u32| {
        format!(
            r#"{{"code":{code},"info":{{"value":0,"minimum":0,"maximum":{maximum},"fuzz":0,"flat":0,"resolution":0}}}}"#
        )
    };
    let axes = [
        axis(ABS_MT_SLOT, FINGERS - 1),
        axis(ABS_MT_POSITION_X, glass.width - 1),
        axis(ABS_MT_POSITION_Y, glass.height - 1),
        axis(ABS_MT_TRACKING_ID, MAX_TRACKING_ID),
    ]
    .join(",");
    let bits = |kind: u32, data: &[u32]| format!(r#"{{"type":{kind},"data":{data:?}}}"#);
    let configuration = [
        bits(UI_SET_EVBIT, &[EV_KEY, EV_ABS]),
        bits(UI_SET_KEYBIT, &[BTN_TOUCH]),
        bits(UI_SET_ABSBIT, &[ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID]),
        bits(UI_SET_PROPBIT, &[INPUT_PROP_DIRECT]),
    ]
    .join(",");
    format!(
        "{{\"id\":{DEVICE},\"command\":\"register\",\"name\":\"Fingertip touch\",\"vid\":6353,\"pid\":1,\
         \"bus\":\"usb\",\"configuration\":[{configuration}],\"abs_info\":[{axes}]}}\n"
    )
}

fn delay(script: &mut String, span: Duration) {
    if !span.is_zero() {
        let _ = writeln!(script, r#"{{"id":{DEVICE},"command":"delay","duration":{}}}"#, span.as_millis());
    }
}

fn inject(script: &mut String, touches: &[Touch], glass: Glass, down: &mut u32, tracking_id: &mut i64) {
    let mut events: Vec<i64> = Vec::new();
    let mut event =
        |kind: u32, code: u32, value: i64| events.extend([i64::from(kind), i64::from(code), value]);
    for touch in touches {
        event(EV_ABS, ABS_MT_SLOT, touch.finger as i64);
        if touch.phase == Phase::Up {
            event(EV_ABS, ABS_MT_TRACKING_ID, -1);
            *down -= 1;
            if *down == 0 {
                event(EV_KEY, BTN_TOUCH, 0);
            }
            continue;
        }
        let (x, y) = glass.place(touch.at);
        if touch.phase == Phase::Down {
            event(EV_ABS, ABS_MT_TRACKING_ID, *tracking_id);
            *tracking_id += 1;
            if *down == 0 {
                event(EV_KEY, BTN_TOUCH, 1);
            }
            *down += 1;
        }
        event(EV_ABS, ABS_MT_POSITION_X, i64::from(x));
        event(EV_ABS, ABS_MT_POSITION_Y, i64::from(y));
    }
    event(EV_SYN, 0, 0);
    let _ = writeln!(script, r#"{{"id":{DEVICE},"command":"inject","events":{events:?}}}"#);
}

#[cfg(test)]
mod tests {
    use fingertip_core::{Point, Rect};
    use serde_json::Value;

    use super::*;

    const GLASS: Glass = Glass { width: 1080, height: 2400, rotation: 0 };

    fn script(gesture: &Gesture, glass: Glass) -> String {
        let [Segment { script, .. }] = &segments(gesture, glass, false)[..] else { panic!("one segment") };
        script.clone()
    }

    #[test]
    fn each_finger_that_comes_down_begins_a_segment_for_an_expected_receiver() {
        let double = segments(&Gesture::double_tap(Point::new(5.0, 6.0)), GLASS, true);
        let times: Vec<(u128, usize)> =
            double.iter().map(|segment| (segment.time.as_millis(), segment.downs.len())).collect();
        assert_eq!(times, [(0, 0), (1000, 1), (1150, 1)]);
        let lifted = "1, 330, 0";
        assert!(
            double[1].script.contains(lifted) && double[2].script.contains(lifted),
            "{}",
            double[1].script
        );
        assert!(!double[2].script.contains("register"));
    }

    fn commands(glass: Glass) -> Vec<Value> {
        let screen = Rect::new(0, 0, 1080, 2400);
        let pinch =
            Gesture::pinch(Point::new(540.0, 1200.0), 2.0, Duration::from_millis(300), screen).unwrap();
        script(&pinch, glass).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn events(command: &Value) -> Vec<[i64; 3]> {
        let numbers: Vec<i64> =
            command["events"].as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect();
        numbers.chunks(3).map(|chunk| chunk.try_into().unwrap()).collect()
    }

    #[test]
    fn the_device_is_registered_and_given_time() {
        let commands = commands(GLASS);
        assert_eq!(commands[0]["command"], "register");
        assert_eq!(commands[0]["abs_info"][1]["info"]["maximum"], 1079);
        assert_eq!(commands[1]["command"], "delay");
        assert_eq!(commands[1]["duration"], 1000);
    }

    #[test]
    fn every_finger_that_comes_down_goes_up() {
        let all: Vec<_> =
            commands(GLASS).iter().filter(|one| one["command"] == "inject").flat_map(events).collect();
        let ids = |wanted: fn(i64) -> bool| {
            all.iter().filter(|[kind, code, value]| *kind == 3 && *code == 57 && wanted(*value)).count()
        };
        assert_eq!((ids(|id| id >= 0), ids(|id| id == -1)), (2, 2));
        let touch: Vec<i64> =
            all.iter().filter(|[kind, code, _]| *kind == 1 && *code == 330).map(|event| event[2]).collect();
        assert_eq!(touch, [1, 0]);
        assert!(all.iter().all(|[kind, code, value]| *kind != 3 || *code != 53 || (0..1080).contains(value)));
    }

    #[test]
    fn the_delays_add_up_to_the_gesture() {
        let total: u64 = commands(GLASS).iter().filter_map(|one| one["duration"].as_u64()).sum();
        assert_eq!(total, 1300);
    }

    #[test]
    fn a_turned_screen_turns_the_places() {
        let tap = Gesture::tap(Point::new(0.0, 0.0));
        let script = script(&tap, Glass { rotation: 1, ..GLASS });
        assert!(script.contains("3, 53, 1079, 3, 54, 0"), "{script}");
    }
}
