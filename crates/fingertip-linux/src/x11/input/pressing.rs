//! Pressing a key, perhaps with others held, once or several times.
//!
//! Everything that is held for one press goes down while the server is held, and up too but for Alt and Super, so that no
//! other program runs in between; nothing stays down however the call ends. Several presses are one act: each goes to the window that got
//! the first, or is not made.

use std::time::Duration;

use fingertip_core::target::{Expected, Key, KeyPress, Modifiers};
use fingertip_core::{Error, Reason};

use super::keymap::{Stroke, keysym_of};
use super::typing::{CapsLock, Lent, must_hold_nothing};
use super::{Elsewhere, Held, Keyboard, Keymap, Pinger, keysym, must_have_xtest, no_such_key};
use crate::display::worker::CancelToken;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};

/// How long a window that a key closes or opens is given to go or to come before the same key is pressed again: the
/// application, which has read the key by then, has to notify the window manager of it.
const SETTLING: Duration = Duration::from_millis(250);

/// How long Alt or Super stays down after its key: a window manager that shows windows to choose from takes the keyboard
/// only when it has read the key, and would wait for ever for a release that came before.
const TAKEN_WITHIN: Duration = Duration::from_millis(100);

/// Presses and releases a key where those who are meant have the keyboard, and waits until the application has taken it.
/// Returns the title of the window that got it.
pub(in crate::x11) fn press(
    display: &Display,
    press: KeyPress,
    to: &Expected,
    cancel: &CancelToken,
) -> Outcome<Option<String>> {
    must_have_xtest(display)?;
    let diverted = |done| move |elsewhere: Elsewhere| elsewhere.after(&press.progress(done));
    let mut keyboard = Keyboard::take(display, to)?.map_err(diverted(0))?;
    let mut pinger = Pinger::of_focused(display)?;
    pinger.wait(cancel)?;
    let keymap = Keymap::read(display)?;
    must_hold_nothing(&keymap)?;
    let wanted = keysym_for(press.key)?;
    let mut lent = Lent::none(display, &keymap);
    let stroke = match keymap.find(wanted) {
        Some(stroke) => stroke,
        None => {
            lent.lend(&[wanted])?;
            pinger.wait(cancel)?;
            lent.stroke(wanted).ok_or_else(|| X11Error::Reported(no_such_key()))?
        }
    };
    let held = held_codes(&keymap, press.modifiers, stroke)?;
    let _caps = CapsLock::off(display, &keymap)?;
    let mut receiver = None;
    for done in 0..press.count {
        if done > 0 && press.may_leave() {
            cancel.rest(SETTLING)?;
        }
        let focus = keyboard.focus();
        let mut down = Held::nothing(display);
        {
            let _exclusive = keyboard.hold()?.map_err(diverted(done))?;
            match &receiver {
                None => receiver = Some((keyboard.owner(), keyboard.title()?)),
                Some((window, _)) if *window != keyboard.owner() => {
                    return Err(X11Error::Reported(moved(press, done, keyboard.title()?)));
                }
                Some(_) => {}
            }
            stroke_down_and_up(&mut down, &held, stroke.code)?;
            if !press.modifiers.intersects(Modifiers::ALT | Modifiers::SUPER) {
                down.release_all()?;
            }
        }
        if down.is_anything() {
            down.flush()?;
            cancel.rest(TAKEN_WITHIN)?;
            down.release_all()?;
        }
        if keyboard.focus() != focus {
            pinger.follow()?;
        }
        pinger.wait(cancel)?;
    }
    Ok(receiver.and_then(|(_, title)| title))
}

/// Presses and releases the key itself; what is held for it stays down.
fn stroke_down_and_up(down: &mut Held<'_>, held: &[u8], code: u8) -> Outcome<()> {
    for code in held {
        down.press_key(*code)?;
    }
    down.press_key(code)?;
    down.release_last()
}

/// The keys that are held for this stroke.
fn held_codes(keymap: &Keymap, modifiers: Modifiers, stroke: Stroke) -> Outcome<Vec<u8>> {
    let modifiers = if stroke.shift { modifiers | Modifiers::SHIFT } else { modifiers };
    let all = [
        (Modifiers::CONTROL, keysym::CONTROL),
        (Modifiers::ALT, keysym::ALT),
        (Modifiers::SHIFT, keysym::SHIFT),
        (Modifiers::SUPER, keysym::SUPER),
    ];
    let held = all.iter().filter(|(modifier, _)| modifiers.contains(*modifier));
    held.map(|(_, keysym)| keymap.plain(*keysym).ok_or_else(|| X11Error::Reported(no_such_key()))).collect()
}

/// What a key is called by the X server.
fn keysym_for(key: Key) -> Outcome<u32> {
    Ok(match key {
        Key::Enter => keysym::RETURN,
        Key::Delete => keysym::BACKSPACE,
        Key::Tab => keysym::TAB,
        Key::Space => keysym::SPACE,
        Key::Escape => keysym::ESCAPE,
        Key::MoveHome => keysym::HOME,
        Key::Left => keysym::LEFT,
        Key::Up => keysym::UP,
        Key::Right => keysym::RIGHT,
        Key::Down => keysym::DOWN,
        Key::PageUp => keysym::PAGE_UP,
        Key::PageDown => keysym::PAGE_DOWN,
        Key::MoveEnd => keysym::END,
        Key::Insert => keysym::INSERT,
        Key::ForwardDelete => keysym::DELETE,
        Key::Function(number @ 1..=Key::FUNCTIONS) => keysym::F1 + u32::from(number) - 1,
        Key::Character(character) => {
            keysym_of(character).filter(|_| !character.is_control()).ok_or_else(no_key)?
        }
        _ => return Err(no_key()),
    })
}

fn no_key() -> X11Error {
    X11Error::Reported(Error::new(Reason::Unsupported, "This key is not on the keyboard of a desktop."))
}

/// The same application got the keyboard elsewhere, where the rest could mean something else.
fn moved(press: KeyPress, done: u32, title: Option<String>) -> Error {
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| "without a title".to_owned());
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
    fn every_key_has_a_keysym_and_a_control_character_has_none() {
        for (name, key) in Key::NAMED {
            assert!(keysym_for(key).is_ok(), "{name}");
        }
        assert_eq!(keysym_for(Key::Function(1)).ok(), Some(0xffbe));
        assert_eq!(keysym_for(Key::Function(12)).ok(), Some(0xffc9));
        assert_eq!(keysym_for(Key::Character('€')).ok(), Some(0x0100_20ac));
        for key in [Key::Function(0), Key::Function(13), Key::Character('\n'), Key::Character('\u{7}')] {
            assert!(keysym_for(key).is_err(), "{key:?}");
        }
    }
}
