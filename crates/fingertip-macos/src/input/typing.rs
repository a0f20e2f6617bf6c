//! Typing any text, in events that each write some characters.
//!
//! An event takes twenty UTF-16 units and loses what is more, so that a text is cut into such parts, never inside of a
//! character. Line ends and tabs are keys of their own: many fields take them from no text.

use std::time::Duration;

use fingertip_core::Result;
use fingertip_core::target::{Key, KeyPress};

use super::keys::{no_event, post, write};
use super::{Aim, keys, must_be_free};
use crate::bindings::cg::{CGEvent, CGEventFlags};

/// The most UTF-16 units that an event writes.
const MOST_UNITS: usize = 20;
/// The time between two events; characters are lost in some applications without it.
const BETWEEN: Duration = Duration::from_millis(8);

/// Types a text at the cursor, as long as the expected receiver has the keyboard.
pub(crate) fn type_text(aim: &Aim<'_>, text: &str) -> Result<()> {
    must_be_free()?;
    let count = text.chars().count();
    let mut typed = 0;
    for part in parts(text) {
        match part {
            Part::Key(key) => {
                aim.keys(|| progress(typed, count))?;
                keys::press(aim, KeyPress::from(key))?;
                typed += 1;
            }
            Part::Text(units, characters) => {
                aim.keys(|| progress(typed, count))?;
                send(&units)?;
                typed += characters;
                aim.pause(BETWEEN)?;
            }
        }
    }
    Ok(())
}

fn progress(typed: usize, count: usize) -> String {
    format!("Typed {typed} of {count} characters")
}

fn send(units: &[u16]) -> Result<()> {
    let [down, up] = [true, false].map(|down| CGEvent::new_keyboard_event(None, 0, down));
    let (Some(down), Some(up)) = (down, up) else { return Err(no_event()) };
    for event in [&down, &up] {
        // Keys that a person holds at that moment are no part of it.
        CGEvent::set_flags(Some(event), CGEventFlags(0));
        write(event, units);
        post(event);
    }
    Ok(())
}

/// A part of a text that is sent at once.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Key(Key),
    /// UTF-16 units, and how many characters they are.
    Text(Vec<u16>, usize),
}

/// Cuts a text into what is sent at once; a line end is one key, however it is written.
fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut units, mut characters): (Vec<u16>, usize) = (Vec::new(), 0);
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    for character in unix.chars() {
        let key = match character {
            '\n' => Some(Key::Enter),
            '\t' => Some(Key::Tab),
            _ => None,
        };
        if (key.is_some() || units.len() + character.len_utf16() > MOST_UNITS) && !units.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut units), std::mem::take(&mut characters)));
        }
        match key {
            Some(key) => parts.push(Part::Key(key)),
            None => {
                units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                characters += 1;
            }
        }
    }
    if !units.is_empty() {
        parts.push(Part::Text(units, characters));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pair_is_split_at_any_parity() {
        for offset in 0..4 {
            let text = "x".repeat(offset) + &"😀".repeat(30);
            let mut read = String::new();
            for part in parts(&text) {
                let Part::Text(units, characters) = part else { panic!("no key") };
                assert!(units.len() <= MOST_UNITS);
                let written = String::from_utf16(&units).expect("whole characters");
                assert_eq!(written.chars().count(), characters);
                read += &written;
            }
            assert_eq!(read, text);
        }
    }

    #[test]
    fn line_ends_and_tabs_are_keys() {
        let text = |text: &str| Part::Text(text.encode_utf16().collect(), text.chars().count());
        let expected = [text("a"), Part::Key(Key::Enter), text("b"), Part::Key(Key::Tab), text("c")];
        assert_eq!(parts("a\r\nb\tc"), expected);
        assert_eq!(parts("\r"), [Part::Key(Key::Enter)]);
        assert!(parts("").is_empty());
    }
}
