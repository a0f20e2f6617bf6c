//! The pointer as a finger, its second button, and the wheel.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{DOUBLE_TAP_GAP, Frame, Gesture, Phase, TAP};
use fingertip_core::target::{Direction, Expected};
use fingertip_core::{Error, Point, Reason, Result};

use super::keys::{no_event, post};
use super::{Aim, over};
use crate::bindings::cf::CGPoint;
use crate::bindings::cg::{CGEvent, CGEventField, CGEventType, CGMouseButton, CGScrollEventUnit};

/// How far apart the moves of a drag are: as often as a mouse reports.
const STEP: Duration = Duration::from_millis(8);
/// How long the pointer stays on a place before it is pressed there.
const APPROACH: Duration = Duration::from_millis(10);
/// The time between two notches of the wheel.
const NOTCH: Duration = Duration::from_millis(10);
/// How many lines a notch of the wheel goes.
const LINES: i32 = 3;
/// How long the application that is dragged from is given to notice that the pointer went back.
const TAKEN_BACK: Duration = Duration::from_millis(50);

/// A button that is down, and goes up when this ends.
struct Held {
    at: Point,
    right: bool,
    /// Its number among the clicks that belong together.
    clicks: i64,
    is_down: bool,
}

impl Held {
    fn down(at: Point, right: bool, clicks: i64) -> Result<Self> {
        let kind = if right { CGEventType::RightMouseDown } else { CGEventType::LeftMouseDown };
        mouse(kind, at, right, clicks)?;
        Ok(Self { at, right, clicks, is_down: true })
    }

    fn drag(&mut self, to: Point) -> Result<()> {
        self.at = to;
        let kind = if self.right { CGEventType::RightMouseDragged } else { CGEventType::LeftMouseDragged };
        mouse(kind, to, self.right, self.clicks)
    }

    fn up(mut self) -> Result<()> {
        self.release()
    }

    fn release(&mut self) -> Result<()> {
        self.is_down = false;
        let kind = if self.right { CGEventType::RightMouseUp } else { CGEventType::LeftMouseUp };
        mouse(kind, self.at, self.right, self.clicks)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.is_down && self.release().is_err() {
            tracing::warn!("a button could not be let go: macOS made no event");
        }
    }
}

fn mouse(kind: CGEventType, at: Point, right: bool, clicks: i64) -> Result<()> {
    let button = if right { CGMouseButton::Right } else { CGMouseButton::Left };
    let event = CGEvent::new_mouse_event(None, kind, CGPoint { x: at.x, y: at.y }, button);
    let event = event.ok_or_else(no_event)?;
    CGEvent::set_integer_value_field(Some(&event), CGEventField::MouseEventClickState, clicks);
    post(&event);
    Ok(())
}

fn move_to(at: Point) -> Result<()> {
    mouse(CGEventType::MouseMoved, at, false, 0)
}

/// A click.
pub(crate) fn click(aim: &Aim<'_>, at: Point) -> Result<()> {
    play(aim, &Gesture::tap(at), &Expected::anyone())
}

/// Drags; what is dragged is dropped on those it is meant for, or taken back to where it was.
pub(crate) fn drag(aim: &Aim<'_>, from: Point, to: Point, onto: &Expected) -> Result<()> {
    play(aim, &Gesture::drag(from, to), onto)
}

/// Plays a gesture of one finger with the left button. It is pressed only over those who are meant; what is dragged is
/// dropped only on those it is meant for, else, and when the call ends half-way, the pointer goes back and lets go there.
pub(crate) fn play(aim: &Aim<'_>, gesture: &Gesture, onto: &Expected) -> Result<()> {
    if gesture.fingers() > 1 {
        return Err(Error::new(Reason::Unsupported, "A pointer is one finger; this gesture needs several.")
            .with_guidance("Use tap, swipe or scroll, or the keyboard."));
    }
    let strokes = gesture.strokes().len();
    let mut presses = 0;
    let (mut held, mut from): (Option<Held>, Option<Point>) = (None, None);
    let mut last: Option<(Point, Instant, i64)> = None;
    let start = Instant::now();
    let mut run = || -> Result<()> {
        for Frame { time, touches } in gesture.frames(STEP) {
            aim.cancel.pause_until(start + time).map_err(over)?;
            for touch in touches {
                match touch.phase {
                    Phase::Down => {
                        aim.at(touch.at, || format!("Pressed {presses} of {strokes} times"))?;
                        move_to(touch.at)?;
                        aim.pause(APPROACH)?;
                        let clicks = clicks(last, touch.at);
                        held = Some(Held::down(touch.at, false, clicks)?);
                        last = Some((touch.at, Instant::now(), clicks));
                        (presses, from) = (presses + 1, Some(touch.at));
                    }
                    Phase::Move => {
                        if let Some(held) = held.as_mut().filter(|held| held.at != touch.at) {
                            held.drag(touch.at)?;
                        }
                    }
                    Phase::Up => {
                        let is_drag = from.is_some_and(|from| from != touch.at);
                        if is_drag && !onto.is_anyone() {
                            let below = Aim { to: onto, ..*aim };
                            below.at(touch.at, || "Dragged, went back and let go there".to_owned())?;
                        }
                        if let Some(mut held) = held.take() {
                            held.at = touch.at;
                            held.up()?;
                        }
                        from = None;
                    }
                }
            }
        }
        Ok(())
    };
    let played = run();
    if let (Err(_), Some(from), Some(mut held)) = (&played, from, held.take()) {
        // What lies under the pointer on the way was not meant to receive anything.
        held.drag(from)?;
        std::thread::sleep(TAKEN_BACK);
        held.up()?;
    }
    played
}

/// The number of this click in a row: the system does not count those of programs.
fn clicks(last: Option<(Point, Instant, i64)>, at: Point) -> i64 {
    match last {
        Some((before, since, clicks)) if before == at && since.elapsed() < DOUBLE_TAP_GAP + TAP * 3 => {
            clicks + 1
        }
        _ => 1,
    }
}

/// Keeps the pointer still on a place.
pub(crate) fn hover(aim: &Aim<'_>, at: Point) -> Result<()> {
    aim.at(at, || "Moved nothing".to_owned())?;
    move_to(Point::new(at.x - 1.0, at.y))?;
    aim.pause(APPROACH)?;
    move_to(at)
}

/// Presses and releases the second button, which opens the menu of what is there.
pub(crate) fn open_menu(aim: &Aim<'_>, at: Point) -> Result<()> {
    aim.at(at, || "Pressed nothing".to_owned())?;
    move_to(at)?;
    aim.pause(APPROACH)?;
    let held = Held::down(at, true, 1)?;
    aim.pause(TAP)?;
    held.up()
}

/// Turns the wheel over a place.
pub(crate) fn scroll(aim: &Aim<'_>, at: Point, direction: Direction, notches: u32) -> Result<()> {
    let (down, right) = match direction {
        Direction::Up => (LINES, 0),
        Direction::Down => (-LINES, 0),
        Direction::Left => (0, LINES),
        Direction::Right => (0, -LINES),
    };
    for notch in 0..notches {
        aim.at(at, || format!("Turned the wheel {notch} of {notches} notches"))?;
        if notch == 0 {
            move_to(at)?;
            aim.pause(APPROACH)?;
        }
        let event = CGEvent::new_scroll_wheel_event2(None, CGScrollEventUnit::Line, 2, down, right, 0);
        let event = event.ok_or_else(no_event)?;
        CGEvent::set_location(Some(&event), CGPoint { x: at.x, y: at.y });
        post(&event);
        aim.pause(NOTCH)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clicks_at_one_place_belong_together() {
        let here = Point::new(5.0, 5.0);
        let now = Instant::now();
        assert_eq!(clicks(None, here), 1);
        assert_eq!(clicks(Some((here, now, 1)), here), 2);
        assert_eq!(clicks(Some((Point::new(6.0, 5.0), now, 1)), here), 1);
    }
}
