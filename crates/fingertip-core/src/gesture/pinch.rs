//! Two fingers that move apart or together around a centre.
//!
//! The ratio of the distances at the end and at the start is the scale asked for, always: where the screen
//! leaves too little room, both distances shrink and the ratio stays. Large distances are preferred, because
//! platforms ignore pinches of fingers that are close together.

use std::f64::consts::FRAC_1_SQRT_2;
use std::time::Duration;

use super::Gesture;
use super::shapes::{SHORTEST, line};
use crate::{Error, Point, Rect, Result};

/// The least distance between two fingers, in pixels: nearer ones would be taken for one.
pub const PINCH_NEAREST: f64 = 50.0;
/// The greater distance between the fingers that is aimed at, as a share of the screen's shorter side.
pub const PINCH_SPREAD: f64 = 0.8;
/// How far from the edges of the screen the fingers stay, in pixels, so that no rounding moves one outside.
const EDGE: f64 = 1.0;

/// The lines the fingers may move on, the preferred one last.
const AXES: [Point; 3] =
    [Point::new(1.0, 0.0), Point::new(0.0, 1.0), Point::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2)];

impl Gesture {
    /// Two fingers around `center`; a scale above one moves them apart (zooms in).
    ///
    /// # Errors
    /// When the scale is no positive number, the centre is not on the screen, or there is no room around it
    /// for that scale.
    pub fn pinch(center: Point, scale: f64, duration: Duration, screen: Rect) -> Result<Self> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Error::invalid(format!("`scale` must be a number above 0, not {scale}.")));
        }
        if !screen.contains(center) {
            return Err(Error::invalid(format!(
                "`center_x` and `center_y` must lie on the screen of {} x {} pixels, not at ({}, {}).",
                screen.width(),
                screen.height(),
                center.x,
                center.y
            )));
        }
        let ratio = scale.max(scale.recip());
        let wanted =
            (f64::from(screen.width().min(screen.height())) * PINCH_SPREAD).max(PINCH_NEAREST * ratio);
        let (axis, far) = roomiest_axis(center, screen, wanted);
        if far < PINCH_NEAREST * ratio {
            return Err(Error::invalid(format!(
                "`scale` {scale} needs more room than there is around ({}, {}).",
                center.x, center.y
            ))
            .with_guidance("Use a scale nearer to 1, or a centre further from the edges of the screen."));
        }
        let (start, end) = if scale > 1.0 { (far / scale, far) } else { (far, far * scale) };
        let place = |distance: f64| {
            Point::new(center.x + axis.x * distance / 2.0, center.y + axis.y * distance / 2.0)
        };
        let duration = duration.max(SHORTEST);
        let finger = |side: f64| line(place(side * start), place(side * end), Duration::ZERO, duration);
        Ok(Self(vec![finger(-1.0), finger(1.0)]))
    }
}

/// The axis on which the fingers can be as far apart as wanted, else the one with the most room; and the
/// distance that fits there.
fn roomiest_axis(center: Point, screen: Rect, wanted: f64) -> (Point, f64) {
    let room = |position: f64, low: i32, high: i32| {
        ((position - f64::from(low)).min(f64::from(high) - position) - EDGE).max(0.0)
    };
    let room_x = room(center.x, screen.left, screen.right);
    let room_y = room(center.y, screen.top, screen.bottom);
    let fitting = |axis: Point| (2.0 * (room_x / axis.x.abs()).min(room_y / axis.y.abs())).min(wanted);
    AXES.iter()
        .map(|&axis| (axis, fitting(axis)))
        .fold((AXES[0], 0.0), |best, candidate| if candidate.1 >= best.1 { candidate } else { best })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Stroke;
    use super::*;
    use crate::Reason;

    const SCREEN: Rect = Rect::new(0, 0, 1080, 2400);
    const DURATION: Duration = Duration::from_millis(300);

    fn distance(a: Point, b: Point) -> f64 {
        (a.x - b.x).hypot(a.y - b.y)
    }

    fn distances(gesture: &Gesture) -> (f64, f64) {
        let [one, other] = gesture.strokes() else { panic!("two fingers") };
        (distance(one.start().at, other.start().at), distance(one.end().at, other.end().at))
    }

    #[test]
    fn zooming_in_moves_the_fingers_apart_on_a_diagonal() {
        let gesture = Gesture::pinch(Point::new(540.0, 1200.0), 2.0, DURATION, SCREEN).unwrap();
        let (start, end) = distances(&gesture);
        assert!((end - 1080.0 * PINCH_SPREAD).abs() < 1e-9);
        assert!((start - end / 2.0).abs() < 1e-9);
        let finger = gesture.strokes()[0].start().at;
        assert!(finger.x < 540.0 && finger.y > 1200.0);
        assert_eq!(gesture.fingers(), 2);
        assert_eq!(gesture.duration(), DURATION);
    }

    #[test]
    fn a_great_scale_uses_the_longer_side() {
        let gesture = Gesture::pinch(Point::new(540.0, 1200.0), 40.0, DURATION, SCREEN).unwrap();
        assert!(distances(&gesture).0 >= PINCH_NEAREST - 1e-9);
    }

    #[test]
    fn rounding_moves_no_finger_off_the_screen() {
        let center = Point::new(93.5643148568964, 2269.583518991981);
        let gesture = Gesture::pinch(center, 0.8268102068489043, DURATION, SCREEN).unwrap();
        assert!(gesture.strokes().iter().all(|finger| SCREEN.contains(finger.start().at)));
    }

    #[test]
    fn what_is_impossible_names_the_parameter() {
        let pinch = |x, y, scale| Gesture::pinch(Point::new(x, y), scale, DURATION, SCREEN).unwrap_err();
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e6, 1e-6, f64::MIN_POSITIVE] {
            let error = pinch(540.0, 1200.0, scale);
            assert_eq!(error.reason(), Reason::InvalidParams);
            assert!(error.message().contains("`scale`"), "{error}");
        }
        for (x, y) in [(-1.0, 5.0), (1080.0, 5.0), (5.0, 2400.0), (f64::NAN, 5.0)] {
            assert!(pinch(x, y, 2.0).message().contains("`center_x`"));
        }
        assert!(pinch(0.0, 0.0, 2.0).guidance().is_some());
    }

    proptest! {
        #[test]
        fn a_pinch_stays_on_the_screen_and_keeps_its_ratio(
            (x, y) in (0.0..1080.0, 0.0..2400.0),
            scale in prop_oneof![0.01..1.0, 1.0..100.0],
        ) {
            let Ok(gesture) = Gesture::pinch(Point::new(x, y), scale, DURATION, SCREEN) else {
                let (room_x, room_y) = (x.min(1080.0 - x) - EDGE, y.min(2400.0 - y) - EDGE);
                let room = room_x.max(room_y).max(room_x.min(room_y) / FRAC_1_SQRT_2);
                prop_assert!(2.0 * room < PINCH_NEAREST * scale.max(scale.recip()));
                return Ok(());
            };
            let (start, end) = distances(&gesture);
            prop_assert!((end / start / scale - 1.0).abs() < 1e-9, "{end} / {start} for {scale}");
            prop_assert!(start.min(end) >= PINCH_NEAREST - 1e-9);
            for waypoint in gesture.strokes().iter().flat_map(Stroke::points) {
                prop_assert!(SCREEN.contains(waypoint.at), "{waypoint:?}");
            }
        }
    }
}
