//! The pointer as a finger, and the wheel.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Frame, Gesture, Phase, TAP};
use fingertip_core::target::{Direction, Expected};
use fingertip_core::{Error, Point, Reason};

use super::{Ground, Held, must_have_xtest, sync};
use crate::display::worker::CancelToken;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};

/// The button of a finger.
const LEFT: u8 = 1;
/// The button for menus.
const RIGHT: u8 = 3;
/// How far apart the moves of a drag are: as often as a mouse reports.
const STEP: Duration = Duration::from_millis(8);
/// How long the pointer stays beside a place: two moves that are read together count as one.
const APPROACH: Duration = Duration::from_millis(4);
/// The time between two notches of the wheel; toolkits merge notches that come at once.
const NOTCH: Duration = Duration::from_millis(10);

/// How long the application that is dragged from is given to notice that the pointer went back.
const TAKEN_BACK: Duration = Duration::from_millis(50);

/// Plays a gesture of one finger with the left button. It is pressed only over those who are meant, and what is dragged is
/// dropped only on those it is meant for: else, and when the call ends half-way, the pointer goes back to where the drag
/// began and lets go there.
pub(in crate::x11) fn play(
    display: &Display,
    gesture: &Gesture,
    to: &Expected,
    onto: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    if gesture.fingers() > 1 {
        return Err(X11Error::Reported(
            Error::new(Reason::Unsupported, "A pointer is one finger; this gesture needs several.")
                .with_guidance("Use tap, swipe or scroll, or the keyboard."),
        ));
    }
    must_have_xtest(display)?;
    let mut held = Held::nothing(display);
    let mut from = None;
    let ground = Ground::new(display, to);
    if let Some(first) = gesture.strokes().first() {
        approach(&held, &ground, first.start().at, || pressed(0, gesture), cancel)?;
    }
    let played = play_strokes(&ground, &Ground::new(display, onto), gesture, &mut held, &mut from, cancel);
    if let Some(from) = from.filter(|_| played.is_err()) {
        take_back(&mut held, from)?;
    }
    played?;
    held.release_all()
}

/// Plays stroke after stroke; `from` is where the button that is down was pressed.
fn play_strokes(
    ground: &Ground<'_>,
    below: &Ground<'_>,
    gesture: &Gesture,
    held: &mut Held<'_>,
    from: &mut Option<Point>,
    cancel: &CancelToken,
) -> Outcome<()> {
    let mut presses = 0;
    let start = Instant::now();
    for Frame { time, touches } in gesture.frames(STEP) {
        cancel.rest_until(start + time)?;
        for touch in touches {
            let (x, y) = pixel(touch.at);
            match touch.phase {
                Phase::Down => {
                    let _exclusive = ground.hold(touch.at, || pressed(presses, gesture))?;
                    held.point(x, y)?;
                    held.press_button(LEFT)?;
                    presses += 1;
                    *from = Some(touch.at);
                }
                Phase::Move => held.point(x, y)?,
                Phase::Up if from.is_some_and(|from| from != touch.at) => {
                    let done = || "Dragged, went back to where the drag began and let go there".to_owned();
                    let _exclusive = below.hold_drop(touch.at, ground, done)?;
                    held.point(x, y)?;
                    held.release_last()?;
                    *from = None;
                }
                Phase::Up => {
                    held.point(x, y)?;
                    held.release_last()?;
                    *from = None;
                }
            }
        }
        held.flush()?;
    }
    Ok(())
}

/// How far a gesture came.
fn pressed(presses: usize, gesture: &Gesture) -> String {
    format!("Pressed {presses} of {} times", gesture.strokes().len())
}

/// Ends a drag where it began: what lies under the pointer on the way was not meant to receive anything. The call may be
/// over, so nothing waits for it any more.
fn take_back(held: &mut Held<'_>, from: Point) -> Outcome<()> {
    let (x, y) = pixel(from);
    held.point(x, y)?;
    held.flush()?;
    std::thread::sleep(TAKEN_BACK);
    held.release_all()
}

/// Puts the pointer beside a place, and lets the application see that. A pointer that does not move is not noticed, and GTK 4
/// loses most presses of one that has not moved since a popover closed.
fn approach(
    held: &Held<'_>,
    ground: &Ground<'_>,
    at: Point,
    done: impl FnOnce() -> String,
    cancel: &CancelToken,
) -> Outcome<()> {
    let (x, y) = pixel(at);
    {
        let _exclusive = ground.hold(at, done)?;
        held.point(x.saturating_sub(1), y)?;
    }
    held.flush()?;
    cancel.rest(APPROACH)
}

/// Keeps the pointer still on a place.
pub(in crate::x11) fn hover(
    display: &Display,
    at: Point,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    must_have_xtest(display)?;
    let (held, ground) = (Held::nothing(display), Ground::new(display, to));
    let (x, y) = pixel(at);
    let done = || "Moved nothing".to_owned();
    approach(&held, &ground, at, done, cancel)?;
    {
        let _exclusive = ground.hold(at, done)?;
        held.point(x, y)?;
    }
    sync(display)
}

/// Presses and releases the right button, which opens the menu of what is there.
pub(in crate::x11) fn open_menu(
    display: &Display,
    at: Point,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    must_have_xtest(display)?;
    let (mut held, ground) = (Held::nothing(display), Ground::new(display, to));
    let (x, y) = pixel(at);
    let done = || "Pressed nothing".to_owned();
    approach(&held, &ground, at, done, cancel)?;
    {
        let _exclusive = ground.hold(at, done)?;
        held.point(x, y)?;
        held.press_button(RIGHT)?;
    }
    held.flush()?;
    cancel.rest(TAP)?;
    held.release_all()
}

/// Turns the wheel over a place.
pub(in crate::x11) fn scroll(
    display: &Display,
    at: Point,
    direction: Direction,
    notches: u32,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    must_have_xtest(display)?;
    let ground = Ground::new(display, to);
    let mut held = Held::nothing(display);
    let (x, y) = pixel(at);
    let done = |notch| format!("Turned the wheel {notch} of {notches} notches");
    approach(&held, &ground, at, || done(0), cancel)?;
    for notch in 0..notches {
        {
            let _exclusive = ground.hold(at, || done(notch))?;
            held.point(x, y)?;
            held.press_button(wheel(direction))?;
            held.release_last()?;
        }
        held.flush()?;
        cancel.rest(NOTCH)?;
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
pub(super) fn pixel(at: Point) -> (i16, i16) {
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
