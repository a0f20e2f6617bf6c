//! The pointer as a finger, and the wheel.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Frame, Gesture, Phase, TAP};
use fingertip_core::target::Direction;
use fingertip_core::{Error, Point, Reason};

use super::{Held, must_have_xtest};
use crate::x11::display::Display;
use crate::x11::fault::{Fault, Outcome};
use crate::x11::worker::Leash;

/// The button of a finger.
const LEFT: u8 = 1;
/// The button for menus.
const RIGHT: u8 = 3;
/// How far apart the moves of a drag are: as often as a mouse reports.
const STEP: Duration = Duration::from_millis(8);
/// The time between two notches of the wheel; toolkits merge notches that come at once.
const NOTCH: Duration = Duration::from_millis(10);

/// Plays a gesture of one finger with the left button.
pub(in crate::x11) fn play(display: &Display, gesture: &Gesture, leash: &Leash) -> Outcome<()> {
    if gesture.fingers() > 1 {
        return Err(Fault::Told(
            Error::new(Reason::Unsupported, "A pointer is one finger; this gesture needs several.")
                .with_guidance("Use tap, swipe or scroll, or the keyboard."),
        ));
    }
    must_have_xtest(display)?;
    let mut held = Held::nothing(display);
    let start = Instant::now();
    for Frame { time, touches } in gesture.frames(STEP) {
        leash.rest_until(start + time)?;
        for touch in touches {
            let (x, y) = pixel(touch.at);
            held.point(x, y)?;
            match touch.phase {
                Phase::Down => held.press_button(LEFT)?,
                Phase::Move => {}
                Phase::Up => held.release_last()?,
            }
        }
        held.flush()?;
    }
    held.release_all()
}

/// Presses and releases the right button, which opens the menu of what is there.
pub(in crate::x11) fn open_menu(display: &Display, at: Point, leash: &Leash) -> Outcome<()> {
    must_have_xtest(display)?;
    let mut held = Held::nothing(display);
    let (x, y) = pixel(at);
    held.point(x, y)?;
    held.press_button(RIGHT)?;
    held.flush()?;
    leash.rest(TAP)?;
    held.release_all()
}

/// Turns the wheel over a place.
pub(in crate::x11) fn scroll(
    display: &Display,
    at: Point,
    direction: Direction,
    notches: u32,
    leash: &Leash,
) -> Outcome<()> {
    must_have_xtest(display)?;
    let mut held = Held::nothing(display);
    let (x, y) = pixel(at);
    held.point(x, y)?;
    for _ in 0..notches {
        held.press_button(wheel(direction))?;
        held.release_last()?;
        held.flush()?;
        leash.rest(NOTCH)?;
    }
    held.release_all()
}

/// The button that is the wheel turned that way.
const fn wheel(direction: Direction) -> u8 {
    match direction {
        Direction::Up => 4,
        Direction::Down => 5,
        Direction::Left => 6,
        Direction::Right => 7,
    }
}

/// The pixel that holds the point; what lies beyond the screen's own range ends at it.
fn pixel(at: Point) -> (i16, i16) {
    let whole = |value: f64| value.floor().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16;
    (whole(at.x), whole(at.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_falls_in_the_pixel_that_holds_it() {
        assert_eq!(pixel(Point::new(10.0, 10.99)), (10, 10));
        assert_eq!(pixel(Point::new(-0.5, 1e9)), (-1, i16::MAX));
    }
}
