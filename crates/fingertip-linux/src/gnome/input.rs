//! What is done with pointer and keyboard of the session, to those who are meant.
//!
//! Right before each press, each notch and each key it is looked who would get it: what comes in between is not seen, as the
//! compositor cannot be held meanwhile. Everything that may get it must be meant, or it is refused.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::gesture::{Frame, Gesture, Phase, TAP};
use fingertip_core::target::{Direction, Expected, Key, KeyPress, Modifiers, diverted};
use fingertip_core::{Error, Point, Reason};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::windows::window as owner_of;

use super::Shared;
use super::layout::{Layout, Reached};
use super::session::Session;
use super::text;
use super::viewer::Viewer;
use crate::apps::program;
use crate::display::error::{Failure, Outcome, untypeable};
use crate::display::worker::{CancelToken, Connect};
use crate::wayland::keymap::{held, line_or_tab, named};

/// The buttons, as devices count them.
const LEFT: i32 = 0x110;
const RIGHT: i32 = 0x111;
/// How long applications take to notice pointer and keyboard of a new session: what is pressed before is lost.
const NOTICED_WITHIN: Duration = Duration::from_millis(700);
/// How far apart the moves of a drag are.
const STEP: Duration = Duration::from_millis(16);
/// How long the pointer rests on a place before it presses there: a press that comes with the motion is lost.
const APPROACH: Duration = Duration::from_millis(60);
/// The time between two notches of the wheel; toolkits merge notches that come at once.
const BETWEEN_NOTCHES: Duration = Duration::from_millis(20);
/// How long the application that is dragged from is given to notice that the pointer went back.
const TAKEN_BACK: Duration = Duration::from_millis(50);
/// How long a window that a key closes or opens is given to go or to come before the next key is pressed.
const SETTLING: Duration = Duration::from_millis(250);
/// How long an application is given to read its keys: none tells when it has read them.
const READ_WITHIN: Duration = Duration::from_millis(40);

/// The pointer and the keyboard, and who would receive what they do.
pub(super) struct Hands {
    pub(super) shared: Arc<Shared>,
    pub(super) viewer: Viewer,
}

impl Connect for Hands {
    type Address = Arc<Shared>;
    const SERVER: &'static str = super::SERVER;

    fn connect(shared: &Arc<Shared>) -> Outcome<Self> {
        Ok(Self { shared: Arc::clone(shared), viewer: Viewer::connect(shared)? })
    }

    fn is_alive(&mut self) -> bool {
        self.viewer.is_alive()
    }
}

impl Hands {
    /// The session, once everybody has noticed its devices.
    pub(super) fn session(&self, cancel: &CancelToken) -> Outcome<Arc<Session>> {
        let session = self.does(self.shared.access.session(cancel.deadline())).map_err(Failure::Reported)?;
        cancel.rest_until(session.opened + NOTICED_WITHIN)?;
        Ok(session)
    }

    pub(super) fn does<T>(&self, act: impl Future<Output = T>) -> T {
        self.shared.runtime.wait_for(act)
    }

    /// Presses and releases a key while these modifiers are held. What was pressed is released whatever happens.
    pub(super) fn stroke(&self, session: &Session, key: Key, modifiers: Modifiers) -> Outcome<()> {
        let code = match key {
            // Mutter drops a symbol that the layout lacks and tells nobody; which ones that are is not known. ASCII is on
            // almost all of them.
            Key::Character(character) if !character.is_ascii() => return Err(unsure_key(character)),
            Key::Character(character) if character.is_control() => return Err(no_such_key()),
            Key::Character(_) => None,
            key => Some(named(key).ok_or_else(no_such_key)?.code),
        };
        let (codes, _) = held(modifiers);
        let press = async |down: bool| match (code, key) {
            (Some(code), _) => session.key(code, down).await,
            (None, Key::Character(character)) => session.symbol(character, down).await,
            (None, _) => Err(no_such_key()),
        };
        self.does(async {
            let mut done = Ok(());
            for &code in &codes {
                done = done.and(session.key(code, true).await);
            }
            if done.is_ok() {
                done = press(true).await;
                done = press(false).await.and(done);
            }
            for &code in codes.iter().rev() {
                done = session.key(code, false).await.and(done);
            }
            done
        })
    }

    /// Brings the window to the front that has not been there for the longest, as Alt and Escape do.
    pub(super) fn cycle_windows(&self, session: &Session, others: usize) -> Outcome<()> {
        let (alt, _) = held(Modifiers::ALT);
        let escape = named(Key::Escape).ok_or_else(no_such_key)?.code;
        self.does(async {
            let mut done = Ok(());
            for &code in &alt {
                done = done.and(session.key(code, true).await);
            }
            for _ in 0..others {
                if done.is_ok() {
                    done = session.key(escape, true).await;
                    done = session.key(escape, false).await.and(done);
                }
            }
            for &code in alt.iter().rev() {
                done = session.key(code, false).await.and(done);
            }
            done
        })
    }

    fn point(&self, session: &Session, at: Point) -> Outcome<()> {
        self.does(session.point(at))
    }
}

/// A button that is held down, until this goes.
struct Held<'a> {
    hands: &'a Hands,
    session: &'a Session,
    button: i32,
}

impl<'a> Held<'a> {
    fn press(hands: &'a Hands, session: &'a Session, button: i32) -> Outcome<Self> {
        hands.does(session.button(button, true))?;
        Ok(Self { hands, session, button })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.hands.does(self.session.button(self.button, false)) {
            tracing::warn!(?error, "a button could not be released: the session ended, which releases it");
        }
    }
}

/// Plays a gesture of one finger with the left button. It is pressed only over those who are meant, and what is dragged is
/// dropped only on those it is meant for: else, and when the call ends half-way, the pointer goes back to where the drag
/// began and lets go there.
pub(super) fn play(
    hands: &mut Hands,
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
    let session = approach(hands, first.start().at, to, || done(0), cancel)?;
    let mut presses = 0;
    let start = Instant::now();
    let mut frames = gesture.frames(STEP);
    while let Some(Frame { time, touches }) = frames.next() {
        cancel.rest_until(start + time)?;
        let Some(down) = touches.iter().find(|touch| touch.phase == Phase::Down) else { continue };
        must_reach(&mut hands.viewer, down.at, to, || done(presses))?;
        hands.point(&session, down.at)?;
        let begun = Instant::now();
        let held = Held::press(hands, &session, LEFT)?;
        presses += 1;
        let begin = begun.checked_sub(time).unwrap_or(begun);
        // A look takes longer than a tap: what belongs to this stroke keeps its time from the press on.
        let mut last = down.at;
        let dragged = (|| {
            for Frame { time, touches } in frames.by_ref() {
                cancel.rest_until(begin + time)?;
                for touch in touches {
                    last = touch.at;
                    if touch.phase == Phase::Up {
                        return Ok(true);
                    }
                    hands.point(&session, touch.at)?;
                }
            }
            Ok(false)
        })();
        let moved = last != down.at;
        drop_or_take_back(held, dragged, (down.at, last), moved, onto)?;
    }
    Ok(())
}

/// Ends a drag: where it was meant to end, if that is seen to reach those who are meant, or where it began.
fn drop_or_take_back(
    held: Held<'_>,
    dragged: Outcome<bool>,
    (from, last): (Point, Point),
    moved: bool,
    onto: &Expected,
) -> Outcome<()> {
    let (hands, session) = (held.hands, held.session);
    let dropped = dragged.and_then(|_| {
        if !moved {
            return Ok(());
        }
        hands.point(session, last)?;
        let done = || "Dragged, went back to where the drag began and let go there".to_owned();
        let mut viewer = Viewer::connect(&hands.shared)?;
        must_reach(&mut viewer, last, onto, done).map(drop)
    });
    if dropped.is_err() && moved {
        // The call may be over, so nothing waits for it any more.
        hands.point(session, from)?;
        std::thread::sleep(TAKEN_BACK);
    }
    drop(held);
    dropped
}

/// Rests the pointer on a place.
pub(super) fn hover(hands: &mut Hands, at: Point, to: &Expected, cancel: &CancelToken) -> Outcome<()> {
    approach(hands, at, to, || "Moved nothing".to_owned(), cancel).map(drop)
}

/// Presses and releases the right button, which opens the menu of what is there.
pub(super) fn open_menu(hands: &mut Hands, at: Point, to: &Expected, cancel: &CancelToken) -> Outcome<()> {
    let done = || "Pressed nothing".to_owned();
    let session = approach(hands, at, to, done, cancel)?;
    must_reach(&mut hands.viewer, at, to, done)?;
    let _held = Held::press(hands, &session, RIGHT)?;
    cancel.rest(TAP)
}

/// Turns the wheel over a place.
pub(super) fn scroll(
    hands: &mut Hands,
    at: Point,
    direction: Direction,
    notches: u32,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<()> {
    let done = |notch| format!("Turned the wheel {notch} of {notches} notches");
    let session = approach(hands, at, to, || done(0), cancel)?;
    for notch in 0..notches {
        must_reach(&mut hands.viewer, at, to, || done(notch))?;
        hands.does(session.turn_wheel(direction))?;
        cancel.rest(BETWEEN_NOTCHES)?;
    }
    Ok(())
}

/// Puts the pointer on a place, coming from beside it, and lets the application see that.
fn approach(
    hands: &mut Hands,
    at: Point,
    to: &Expected,
    done: impl FnOnce() -> String,
    cancel: &CancelToken,
) -> Outcome<Arc<Session>> {
    let session = hands.session(cancel)?;
    must_reach(&mut hands.viewer, at, to, done)?;
    hands.point(&session, Point::new(at.x - 1.0, at.y))?;
    cancel.rest(APPROACH)?;
    hands.point(&session, at)?;
    cancel.rest(APPROACH)?;
    Ok(session)
}

/// Refuses a place where others than those who are meant may get the press.
fn must_reach(viewer: &mut Viewer, at: Point, to: &Expected, done: impl FnOnce() -> String) -> Outcome<()> {
    let layout = viewer.layout()?;
    match layout.at(at).iter().find(|reached| !is_meant(reached, to)) {
        Some(other) => Err(elsewhere(other, &done())),
        None => Ok(()),
    }
}

/// Presses and releases a key, perhaps with others held, once or several times: each goes to the window that got the first,
/// or is not made. Gives the title of that window.
pub(super) fn press(
    hands: &mut Hands,
    press: KeyPress,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<Option<String>> {
    let session = hands.session(cancel)?;
    let mut receiver: Option<ListedWindow> = None;
    for done in 0..press.count {
        if done > 0 && press.may_leave() {
            cancel.rest(SETTLING)?;
        }
        let window = keyboard(&mut hands.viewer, to, || press.progress(done))?;
        match &receiver {
            Some(first) if first.id != window.id => {
                return Err(Failure::Reported(moved(press, done, &window.title)));
            }
            _ => receiver = Some(window),
        }
        hands.stroke(&session, press.key, press.modifiers)?;
        cancel.rest(READ_WITHIN)?;
    }
    Ok(receiver.map(|window| window.title).filter(|title| !title.is_empty()))
}

/// Puts a text at the cursor of the window in front, if it is of those who are meant: line ends and tabs as keys, what is
/// between them as the field takes it.
pub(super) fn type_text(hands: &mut Hands, text: &str, to: &Expected, cancel: &CancelToken) -> Outcome<()> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(control) = text.chars().find(|other| other.is_control() && line_or_tab(*other).is_none()) {
        return Err(Failure::Reported(untypeable(control)));
    }
    let total = text.chars().count();
    let mut typed = 0;
    let mut owner = None;
    for line in text.split_inclusive(|character| line_or_tab(character).is_some()) {
        let done = || format!("Typed {typed} of {total} characters");
        let window = keyboard(&mut hands.viewer, to, done)?;
        // Without somebody who is meant it goes to the application that had the keyboard when typing began.
        if owner.get_or_insert(window.pid) != &window.pid {
            return Err(elsewhere(&Reached::Window(&window), &done()));
        }
        let end = line.chars().last().and_then(line_or_tab);
        let words = if end.is_some() { &line[..line.len() - 1] } else { line };
        if !words.is_empty() {
            text::put(hands, words, &window, cancel)?;
        }
        if let Some(key) = end {
            let session = hands.session(cancel)?;
            let window = keyboard(&mut hands.viewer, to, done)?;
            if owner != Some(window.pid) {
                return Err(elsewhere(&Reached::Window(&window), &done()));
            }
            hands.stroke(&session, key, Modifiers::empty())?;
            cancel.rest(READ_WITHIN)?;
        }
        typed += line.chars().count();
    }
    Ok(())
}

/// The window that has the keyboard, if those who are meant own it.
pub(super) fn keyboard(
    viewer: &mut Viewer,
    to: &Expected,
    done: impl FnOnce() -> String,
) -> Outcome<ListedWindow> {
    let layout: Layout = viewer.layout()?;
    match layout.keyboard() {
        Reached::Window(window) if to.accepts(&owner_of(window, None)) => Ok(window.clone()),
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

pub(super) fn no_such_key() -> Failure {
    Failure::Reported(Error::new(Reason::Unsupported, "This key is not on the keyboard of a desktop."))
}

fn unsure_key(character: char) -> Failure {
    let message = format!(
        "Whether the keyboard layout has a key for '{character}' cannot be told on GNOME; nothing was pressed."
    );
    Failure::Reported(
        Error::new(Reason::Unsupported, message).with_guidance("Write it with input_text or set_text."),
    )
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
    fn in_doubt_nothing_is_pressed() {
        let window = ListedWindow { id: 1, pid: Some(7), ..ListedWindow::default() };
        let other = ListedWindow { id: 2, pid: Some(8), ..ListedWindow::default() };
        let meant = Expected::owners([&owner_of(&window, None)]);
        assert!(is_meant(&Reached::Window(&window), &meant));
        assert!(!is_meant(&Reached::Window(&other), &meant));
        assert!(!is_meant(&Reached::Nobody, &meant));
        for to in [&meant, &Expected::anyone()] {
            assert!(!is_meant(&Reached::Unknown("a part of GNOME itself lies there"), to));
        }
        assert!(is_meant(&Reached::Nobody, &Expected::anyone()));
    }
}
