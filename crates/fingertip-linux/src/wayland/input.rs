//! What is done with our pointer and keyboard, to those who are meant.
//!
//! A compositor cannot be held while it is asked who lies at a place or has the keyboard, as an X server can. So it is asked
//! right before each press, each notch and each burst of keys, which takes a millisecond: what comes in between is not seen.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Frame, Gesture, Phase, TAP};
use fingertip_core::target::{Direction, Expected, KeyPress, diverted};
use fingertip_core::{Error, Point, Reason, Rect};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::windows::window as owner_of;

use super::hands::{Hands, Held, Reached, Receivers};
use super::keymap::line_or_tab;
use crate::apps::program;
use crate::display::error::{Failure, Outcome, untypeable};
use crate::display::worker::CancelToken;

/// The buttons, as devices count them.
const LEFT: u32 = 0x110;
const RIGHT: u32 = 0x111;
/// How far apart the moves of a drag are: as often as a mouse reports.
const STEP: Duration = Duration::from_millis(8);
/// How long the pointer rests beside a place: two moves that are read together count as one.
const APPROACH: Duration = Duration::from_millis(4);
/// The time between two notches of the wheel; toolkits merge notches that come at once.
const BETWEEN_NOTCHES: Duration = Duration::from_millis(10);
/// How long the application that is dragged from is given to notice that the pointer went back.
const TAKEN_BACK: Duration = Duration::from_millis(50);
/// How long a window that a line end or a tab closes or leaves is given to go.
const AFTER_A_LINE: Duration = Duration::from_millis(8);
/// How long a window that a key closes or opens is given to go or to come before the same key is pressed again.
const SETTLING: Duration = Duration::from_millis(250);
/// How long an application is given to read its keys: it has them, but none tells when it has read them.
const READ_WITHIN: Duration = Duration::from_millis(20);

/// Plays a gesture of one finger with the left button. It is pressed only over those who are meant, and what is dragged is
/// dropped only on those it is meant for: else, and when the call ends half-way, the pointer goes back to where the drag
/// began and lets go there.
pub(super) fn play(
    hands: &mut impl Hands,
    gesture: &Gesture,
    to: &Expected,
    onto: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    if gesture.fingers() > 1 {
        return Err(Failure::Reported(
            Error::new(Reason::Unsupported, "A pointer is one finger; this gesture needs several.")
                .with_guidance("Use tap, swipe or scroll, or the keyboard."),
        ));
    }
    let total = gesture.strokes().len();
    let done = |presses: usize| format!("Pressed {presses} of {total} times");
    let Some(first) = gesture.strokes().first() else { return Ok(()) };
    let screen = approach(hands, first.start().at, to, || done(0), cancel)?;
    let mut presses = 0;
    let start = Instant::now();
    let mut frames = gesture.frames(STEP);
    while let Some(Frame { time, touches }) = frames.next() {
        cancel.rest_until(start + time)?;
        let Some(down) = touches.iter().find(|touch| touch.phase == Phase::Down) else { continue };
        must_reach(hands, down.at, to, || done(presses))?;
        hands.point(down.at, screen);
        let mut held = Held::press(hands, LEFT);
        held.hands().sync()?;
        presses += 1;
        let dragged = drag(&mut held, down.at, screen, &mut frames, start, onto, cancel);
        if dragged.is_err() {
            take_back(&mut held, down.at, screen)?;
        }
        drop(held);
        dragged?;
    }
    hands.sync()
}

/// Moves with the button down until the finger goes up.
fn drag(
    held: &mut Held<'_, impl Hands>,
    from: Point,
    screen: Rect,
    frames: &mut impl Iterator<Item = Frame>,
    start: Instant,
    onto: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    for Frame { time, touches } in frames {
        cancel.rest_until(start + time)?;
        for touch in touches {
            if touch.phase == Phase::Up && touch.at != from {
                let done = || "Dragged, went back to where the drag began and let go there".to_owned();
                must_reach(held.hands(), touch.at, onto, done)?;
            }
            held.hands().point(touch.at, screen);
            held.hands().sync()?;
            if touch.phase == Phase::Up {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Ends a drag where it began: what lies under the pointer on the way was not meant to receive anything. The call may be
/// over, so nothing waits for it any more.
fn take_back(held: &mut Held<'_, impl Hands>, from: Point, screen: Rect) -> Outcome<()> {
    held.hands().point(from, screen);
    held.hands().sync()?;
    std::thread::sleep(TAKEN_BACK);
    Ok(())
}

/// Rests the pointer on a place.
pub(super) fn hover(hands: &mut impl Hands, at: Point, to: &Expected, cancel: &CancelToken) -> Outcome<()> {
    let done = || "Moved nothing".to_owned();
    let screen = approach(hands, at, to, done, cancel)?;
    must_reach(hands, at, to, done)?;
    hands.point(at, screen);
    hands.sync()
}

/// Presses and releases the right button, which opens the menu of what is there.
pub(super) fn open_menu(
    hands: &mut impl Hands,
    at: Point,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    let done = || "Pressed nothing".to_owned();
    let screen = approach(hands, at, to, done, cancel)?;
    must_reach(hands, at, to, done)?;
    hands.point(at, screen);
    let mut held = Held::press(hands, RIGHT);
    held.hands().sync()?;
    cancel.rest(TAP)?;
    drop(held);
    hands.sync()
}

/// Turns the wheel over a place.
pub(super) fn scroll(
    hands: &mut impl Hands,
    at: Point,
    direction: Direction,
    notches: u32,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    let done = |notch| format!("Turned the wheel {notch} of {notches} notches");
    let screen = approach(hands, at, to, || done(0), cancel)?;
    for notch in 0..notches {
        must_reach(hands, at, to, || done(notch))?;
        hands.point(at, screen);
        hands.turn_wheel(direction);
        hands.sync()?;
        cancel.rest(BETWEEN_NOTCHES)?;
    }
    Ok(())
}

/// Puts the pointer beside a place, and lets the application see that: one that does not move is not noticed. Gives the
/// screen.
fn approach(
    hands: &mut impl Hands,
    at: Point,
    to: &Expected,
    done: impl FnOnce() -> String,
    cancel: &CancelToken,
) -> Outcome<Rect> {
    hands.be_noticed(cancel)?;
    let screen = must_reach(hands, at, to, done)?;
    hands.point(Point::new(at.x - 1.0, at.y), screen);
    hands.sync()?;
    cancel.rest(APPROACH)?;
    Ok(screen)
}

/// Refuses a place where others than those who are meant would get the press. Gives the screen.
fn must_reach(
    hands: &mut impl Hands,
    at: Point,
    to: &Expected,
    done: impl FnOnce() -> String,
) -> Outcome<Rect> {
    let layout = hands.layout()?;
    let reached = layout.at(at);
    if !is_meant(&reached, to) {
        return Err(elsewhere(&reached, &done()));
    }
    Ok(layout.screen())
}

/// Presses and releases a key, perhaps with others held, once or several times: each goes to the window that got the first,
/// or is not made. Gives the title of that window.
pub(super) fn press(
    hands: &mut impl Hands,
    press: KeyPress,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<Option<String>> {
    hands.be_noticed(cancel)?;
    let mut receiver: Option<ListedWindow> = None;
    for done in 0..press.count {
        if done > 0 && press.may_leave() {
            cancel.rest(SETTLING)?;
        }
        let window = keyboard(hands, to, || press.progress(done))?;
        match &receiver {
            Some(first) if first.id != window.id => {
                return Err(Failure::Reported(moved(press, done, &window.title)));
            }
            _ => receiver = Some(window),
        }
        hands.press(press.key, press.modifiers)?;
        hands.sync()?;
        cancel.rest(READ_WITHIN)?;
    }
    Ok(receiver.map(|window| window.title).filter(|title| !title.is_empty()))
}

/// Types a text at the cursor of the window in front, if it is of those who are meant.
pub(super) fn type_text(
    hands: &mut impl Hands,
    text: &str,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(control) = text.chars().find(|other| other.is_control() && line_or_tab(*other).is_none()) {
        return Err(Failure::Reported(untypeable(control)));
    }
    hands.be_noticed(cancel)?;
    let characters: Vec<char> = text.chars().collect();
    hands.begin_writing()?;
    let written = write(hands, &characters, to, cancel);
    hands.end_writing().and(written)?;
    cancel.rest(READ_WITHIN)
}

/// Writes it piece by piece, each to those who are meant.
fn write(hands: &mut impl Hands, characters: &[char], to: &Expected, cancel: &CancelToken) -> Outcome<()> {
    let mut typed = 0;
    let mut owner = None;
    for line in lines(characters) {
        let mut rest = line;
        while !rest.is_empty() {
            let window = keyboard(hands, to, || format!("Typed {typed} of {} characters", characters.len()))?;
            // Without somebody who is meant it goes to the application that had the keyboard when typing began.
            if owner.get_or_insert(window.pid) != &window.pid {
                let done = format!("Typed {typed} of {} characters", characters.len());
                return Err(elsewhere(&Reached::Window(&window), &done));
            }
            let (piece, others) = rest.split_at(hands.piece(rest).clamp(1, rest.len()));
            hands.write(piece, cancel)?;
            hands.sync()?;
            typed += piece.len();
            rest = others;
        }
        if line.last().is_some_and(|last| line_or_tab(*last).is_some()) {
            cancel.rest(AFTER_A_LINE)?;
        }
    }
    Ok(())
}

/// Cuts a text after each key that may close its window or leave it.
fn lines(text: &[char]) -> impl Iterator<Item = &[char]> {
    text.split_inclusive(|character| line_or_tab(*character).is_some())
}

/// The window that has the keyboard, if those who are meant own it.
fn keyboard(hands: &mut impl Hands, to: &Expected, done: impl FnOnce() -> String) -> Outcome<ListedWindow> {
    let layout = hands.layout()?;
    match layout.keyboard() {
        Reached::Window(window) if to.accepts(&owner_of(window, None)) => Ok(window.clone()),
        Reached::Nobody => Err(Failure::Reported(
            Error::new(Reason::ActionFailed, "No window has the keyboard focus; nothing was typed.")
                .with_guidance("Click the field or bring its window to the front first."),
        )),
        reached => Err(elsewhere(&reached, &done())),
    }
}

/// Whether what is pressed may go there. Where nobody in particular is meant, it still must be known who gets it.
fn is_meant(reached: &Reached<'_>, to: &Expected) -> bool {
    match reached {
        Reached::Window(window) => to.accepts(&owner_of(window, None)),
        Reached::Nobody => to.is_anyone(),
        Reached::Unknown(_) => false,
    }
}

fn elsewhere(reached: &Reached<'_>, done: &str) -> Failure {
    Failure::Reported(match reached {
        Reached::Window(window) => diverted(done, window.pid.and_then(program).as_deref()),
        Reached::Nobody => diverted(done, None),
        Reached::Unknown(why) => Error::new(
            Reason::Refused,
            format!("{done}: it is not known who would receive the rest, as {why}."),
        )
        .with_guidance("Close it, or choose another place; the elements' own actions still work."),
    })
}

/// The same application got the keyboard elsewhere, where the rest could mean something else.
fn moved(press: KeyPress, done: u32, title: &str) -> Error {
    let title = if title.is_empty() { "without a title" } else { title };
    let message = format!(
        "{}, then the keyboard went to the window '{title}' of the same application, where the rest was not pressed.",
        press.progress(done)
    );
    Error::new(Reason::ActionFailed, message)
        .with_guidance("Look at the screen: a window opened or closed. What was done before stays done.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_what_may_leave_its_window() {
        let text: Vec<char> = "ab\nc\tde".chars().collect();
        let lengths: Vec<usize> = lines(&text).map(<[char]>::len).collect();
        assert_eq!(lengths, [3, 2, 2]);
    }

    #[test]
    fn in_doubt_nothing_is_pressed() {
        let window = ListedWindow { id: 1, pid: Some(7), ..ListedWindow::default() };
        let other = ListedWindow { id: 2, pid: Some(8), ..ListedWindow::default() };
        let meant = Expected::owners([&owner_of(&window, None)]);
        assert!(is_meant(&Reached::Window(&window), &meant));
        assert!(!is_meant(&Reached::Window(&other), &meant));
        assert!(!is_meant(&Reached::Nobody, &meant));
        for to in [&meant, &Expected::anyone()] {
            assert!(!is_meant(&Reached::Unknown("a panel is there"), to));
        }
        assert!(is_meant(&Reached::Nobody, &Expected::anyone()));
    }
}
