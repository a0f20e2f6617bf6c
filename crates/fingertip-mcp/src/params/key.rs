//! A key by its name, by its character, or with others held: `ENTER`, `é`, `ctrl+shift+t`.
//!
//! Names are those of the first six keys of the interface, those of Android for the others, and the words that people
//! and other tools use for the same; upper and lower case, `_` and `-` make no difference. With Control, Alt or Super held
//! the case of a letter makes none either: `Ctrl+S` is not `ctrl+shift+s`.

use fingertip_core::target::{Key, KeyPress, Modifiers, TargetKind};
use fingertip_core::visible::clean;
use fingertip_core::{Error, Result};
use serde_json::{Value, json};

use super::{Arguments, Meaning, Param, wrong};
use crate::surroundings::Surroundings;

/// The longest that a key with all that can be held is written, and then some.
const MAX_CHARACTERS: usize = 40;
/// Other words for keys, without what joins their parts.
const ALIASES: [(&str, Key); 11] = [
    ("RETURN", Key::Enter),
    ("BACKSPACE", Key::Delete),
    ("ESC", Key::Escape),
    ("ARROWUP", Key::Up),
    ("ARROWDOWN", Key::Down),
    ("ARROWLEFT", Key::Left),
    ("ARROWRIGHT", Key::Right),
    ("END", Key::MoveEnd),
    ("DELETE", Key::ForwardDelete),
    ("FORWARDDELETE", Key::ForwardDelete),
    ("INS", Key::Insert),
];
/// The words for what is held.
const HELD: [(&str, Modifiers); 7] = [
    ("CTRL", Modifiers::CONTROL),
    ("CONTROL", Modifiers::CONTROL),
    ("SHIFT", Modifiers::SHIFT),
    ("ALT", Modifiers::ALT),
    ("SUPER", Modifiers::SUPER),
    ("META", Modifiers::SUPER),
    ("WIN", Modifiers::SUPER),
];
const HOME: &str = "HOME";
const BACK: &str = "BACK";

/// A key that a call names; which one `HOME` is depends on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnyKey {
    /// A key of a keyboard, and what is held.
    Keyboard(KeyPress),
    /// The home screen of a phone; the Home key of a desktop's keyboard.
    Home,
    /// One step back.
    Back,
}

/// The key of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyName {
    name: &'static str,
}

impl KeyName {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str) -> Self {
        Self { name }
    }

    /// The key of this call.
    ///
    /// # Errors
    /// When it is missing, no text, or names no key.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<AnyKey> {
        let value = arguments.required(self.name)?;
        let key = value.as_str().and_then(parse).ok_or_else(|| {
            wrong(self.name, "a key, a single character, or a combination such as ctrl+s", value)
                .with_guidance("The description of 'key' lists the names. input_text types texts and lines.")
        })?;
        match key {
            AnyKey::Keyboard(press) if press.ends_session() => Err(Error::invalid(format!(
                "Parameter '{}' must not be {press}: desktops end or lock the session by it, or leave it for another console.",
                self.name
            ))
            .with_guidance("Ask the user to do that.")),
            key => Ok(key),
        }
    }
}

/// Whether what is written so is text: a key that writes a character, or no key at all.
pub(crate) fn is_text(key: &str) -> bool {
    match parse(key) {
        Some(AnyKey::Keyboard(press)) => press.writes(),
        Some(_) => false,
        None => true,
    }
}

/// The names of the keys of such targets.
fn names(phone: bool, desktop: bool) -> Vec<&'static str> {
    let system = phone.then_some(BACK).into_iter().chain([HOME]);
    let named = Key::NAMED.iter().map(|(name, _)| *name);
    let aliases = desktop.then_some(["END", "DELETE"]).into_iter().flatten();
    named.chain(system).chain(aliases).collect()
}

impl Param for KeyName {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        self.schema_in(Surroundings { several: true, phone: true, desktop: true, secrets: false })
    }

    fn schema_in(&self, Surroundings { phone, desktop, .. }: Surroundings) -> Value {
        let home = match (phone, desktop) {
            (true, true) => {
                "HOME is the home screen of a phone and the Home key of a desktop; BACK is for phones"
            }
            (false, true) => "HOME is the Home key, as MOVE_HOME",
            _ => "HOME is the home screen, MOVE_HOME the Home key",
        };
        let held = match (phone, desktop) {
            (true, true) => "ctrl, alt, shift, on desktops super",
            (false, true) => "ctrl, alt, shift, super",
            _ => "ctrl, alt, shift",
        };
        let listed = names(phone, desktop).join(", ");
        json!({
            "type": "string",
            "description": format!(
                "{listed}, F1 to F{}, one character, or a combination such as ctrl+shift+t ({held}). {home}; DEL is \
                Backspace, FORWARD_DEL (DELETE) removes after the cursor",
                Key::FUNCTIONS
            ),
            "minLength": 1,
            "maxLength": MAX_CHARACTERS,
        })
    }

    fn meaning(&self) -> Meaning {
        Meaning::Key
    }
}

/// The refusal of a key that this kind of target lacks.
pub(crate) fn lacking(name: &KeyName, key: &str, kind: TargetKind) -> Error {
    let (what, advice) = match kind {
        TargetKind::Desktop => ("a desktop", "In most programs ESCAPE closes and alt+LEFT goes back."),
        TargetKind::Phone => ("a phone", "press_home and press_recents go to other apps."),
    };
    Error::invalid(format!("Parameter '{}' must be a key of {what}, which has no {key}.", name.name))
        .with_guidance(advice)
}

fn parse(text: &str) -> Option<AnyKey> {
    if text.chars().count() > MAX_CHARACTERS {
        return None;
    }
    let (mut modifiers, mut rest) = (Modifiers::empty(), text);
    while let Some((word, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        let word = word.to_ascii_uppercase();
        let (_, modifier) = HELD.iter().find(|(name, _)| *name == word)?;
        if modifiers.contains(*modifier) {
            return None;
        }
        (modifiers, rest) = (modifiers | *modifier, after);
    }
    let mut characters = rest.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return character_key(character, modifiers).map(AnyKey::Keyboard);
    }
    let name = rest.to_ascii_uppercase().replace(['_', '-'], "");
    match (name.as_str(), modifiers.is_empty()) {
        (HOME, true) => return Some(AnyKey::Home),
        (BACK, true) => return Some(AnyKey::Back),
        (BACK, false) => return None,
        _ => {}
    }
    let known = Key::NAMED.iter().find(|(known, _)| known.replace('_', "") == name);
    let alias = || ALIASES.iter().find(|(known, _)| *known == name);
    let function = || {
        let number = name.strip_prefix('F').filter(|digits| !digits.starts_with(['0', '+']))?.parse().ok()?;
        (1..=Key::FUNCTIONS).contains(&number).then_some(Key::Function(number))
    };
    let home = || (name == HOME).then_some(Key::MoveHome);
    let key = known.or_else(alias).map(|(_, key)| *key).or_else(function).or_else(home)?;
    Some(AnyKey::Keyboard(KeyPress::from(key).with(modifiers)))
}

/// The key of a character that can be seen. Shift and a letter is the large letter.
fn character_key(character: char, modifiers: Modifiers) -> Option<KeyPress> {
    if character == ' ' {
        return Some(KeyPress::from(Key::Space).with(modifiers));
    }
    let text = character.to_string();
    if character.is_control() || character.is_whitespace() || clean(&text) != text {
        return None;
    }
    let lower = || single(character.to_lowercase()).unwrap_or(character);
    if modifiers == Modifiers::SHIFT && character.is_alphabetic() {
        let upper = single(character.to_uppercase()).unwrap_or(character);
        return Some(KeyPress::from(Key::Character(upper)));
    }
    let character = if modifiers.is_empty() { character } else { lower() };
    Some(KeyPress::from(Key::Character(character)).with(modifiers))
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<String> {
        parse(text).map(|key| match key {
            AnyKey::Keyboard(press) => press.to_string(),
            AnyKey::Home => HOME.to_owned(),
            AnyKey::Back => BACK.to_owned(),
        })
    }

    #[test]
    fn names_characters_and_combinations_are_read_in_any_case() {
        for (text, key) in [
            ("ENTER", "ENTER"),
            ("Return", "ENTER"),
            ("esc", "ESCAPE"),
            ("PageUp", "PAGE_UP"),
            ("page-down", "PAGE_DOWN"),
            ("ArrowLeft", "LEFT"),
            ("del", "DEL"),
            ("Delete", "FORWARD_DEL"),
            ("End", "MOVE_END"),
            ("home", "HOME"),
            ("f12", "F12"),
            ("a", "a"),
            ("A", "A"),
            ("é", "é"),
            ("+", "+"),
            (" ", "SPACE"),
            ("shift+a", "A"),
            ("Ctrl+S", "ctrl+s"),
            ("ctrl++", "ctrl++"),
            ("SHIFT+CONTROL+T", "ctrl+shift+t"),
            ("alt+F4", "alt+F4"),
            ("shift+TAB", "shift+TAB"),
            ("ctrl+home", "ctrl+MOVE_HOME"),
            ("win+d", "super+d"),
            ("shift+1", "shift+1"),
        ] {
            assert_eq!(named(text).as_deref(), Some(key), "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_none() {
        for text in [
            "",
            "\n",
            "\t",
            "\r",
            "\u{7f}",
            "\u{200b}",
            "\u{202e}",
            "\u{2028}",
            "\u{a0}",
            "\u{e0041}",
            "ab",
            "🇩🇪",
            "F0",
            "F13",
            "F01",
            "F+1",
            "ctrl",
            "ctrl+",
            "ctrl+ctrl+a",
            "hyper+a",
            "ctrl+\n",
            "a+b",
            "ctrl+ab",
            "alt+BACK",
            "Print",
            "KEYCODE_ENTER",
        ] {
            assert_eq!(named(text), None, "{text:?}");
        }
        assert_eq!(parse(&"ctrl+".repeat(1000)), None);
    }

    #[test]
    fn a_key_that_takes_the_session_away_is_refused() {
        let key = KeyName::required("key");
        for text in ["ctrl+alt+F1", "CTRL+ALT+DELETE", "ctrl+alt+BackSpace", "alt+shift+ctrl+del", "super+l"]
        {
            let arguments = json!({ "key": text });
            let arguments =
                Arguments::new(arguments.as_object().expect("an object"), &[&key]).expect("known");
            let error = key.read(arguments).expect_err(text);
            assert!(error.message().contains("'key'") && error.message().contains("session"), "{error}");
        }
    }

    #[test]
    fn only_what_writes_is_text() {
        for (key, text) in [
            ("a", true),
            ("shift+a", true),
            ("SPACE", true),
            ("no key", true),
            ("ctrl+a", false),
            ("ENTER", false),
            ("\n", true),
        ] {
            assert_eq!(is_text(key), text, "{key:?}");
        }
    }

    #[test]
    fn a_target_lists_only_what_it_has() {
        let listed = |phone, desktop| {
            let schema = KeyName::required("key").schema_in(Surroundings {
                several: false,
                phone,
                desktop,
                secrets: false,
            });
            schema["description"].to_string()
        };
        let desktop = listed(false, true);
        assert!(!desktop.contains(" BACK") && desktop.contains("super"), "{desktop}");
        let phone = listed(true, false);
        assert!(phone.contains(" BACK,") && !phone.contains("super"), "{phone}");
    }
}
