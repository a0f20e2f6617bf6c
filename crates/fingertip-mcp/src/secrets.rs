//! Texts that the owner keeps by name, so that an agent can write them without ever seeing them.
//!
//! A call has `{"secret": "NAME"}` where it would have the text. Before the tool sees it the value is put in its place; the
//! question to the user and the audit log have the name. No reply holds a value, whoever wrote it on the screen: it is taken
//! out of every text on the way to a client. A picture shows what the screen shows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use fingertip_core::{Error, Result};
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::params::{Meaning, Param, shorten};

/// The field that names a secret.
const FIELD: &str = "secret";
/// The shortest value: a shorter one could not be told from other text in replies.
const SHORTEST: usize = 4;
/// The longest value.
const LONGEST: usize = 1000;
/// A value of fewer characters is taken out of replies only where it stands alone: `1234` is also in `node_1234`.
const EVERYWHERE: usize = 8;
/// A longer value is known by this many characters of its beginning, since a reply may cut it.
const KNOWN_BY: usize = 24;
/// The most secrets.
const MOST: usize = 64;

/// The secrets of the owner, by name.
#[derive(Default)]
pub struct Secrets(BTreeMap<String, Secret>);

struct Secret {
    value: String,
    /// The value as it is looked for in replies, see [`Plain`].
    plain: String,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Secrets {
    /// Reads lines of the form `NAME=VALUE`; empty lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// What is wrong with which line, never what it holds.
    pub fn add_lines(&mut self, content: &str) -> std::result::Result<(), String> {
        for (index, line) in content.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let said = |why: String| format!("line {}: {why}", index + 1);
            let (name, value) = line.split_once('=').ok_or_else(|| said("must be NAME=VALUE".to_owned()))?;
            self.add(name, value).map_err(said)?;
        }
        Ok(())
    }

    /// Adds one.
    ///
    /// # Errors
    /// What is wrong with it, never what it holds.
    pub fn add(&mut self, name: &str, value: &str) -> std::result::Result<(), String> {
        let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if name.is_empty() || name.len() > 64 || !name.chars().all(letter) {
            return Err("a name has 1 to 64 letters, digits, '_', '-' or '.'".to_owned());
        }
        let plain = Plain::of(value).text;
        if plain.chars().count() < SHORTEST || value.chars().count() > LONGEST {
            return Err(format!(
                "the value of '{name}' must have {SHORTEST} to {LONGEST} characters, backslashes not counted"
            ));
        }
        if value.chars().any(char::is_control) {
            return Err(format!("the value of '{name}' must be one line without control characters"));
        }
        if self.0.len() >= MOST {
            return Err(format!("there may be at most {MOST} secrets"));
        }
        let secret = Secret { value: value.to_owned(), plain };
        match self.0.insert(name.to_owned(), secret) {
            Some(_) => Err(format!("'{name}' is there twice")),
            None => Ok(()),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The arguments with the values of the secrets they name, where a parameter is a text that is written.
    ///
    /// # Errors
    /// A name that is not known.
    pub(crate) fn resolve<'a>(
        &self,
        arguments: Cow<'a, JsonObject>,
        params: &[&'static dyn Param],
    ) -> Result<Cow<'a, JsonObject>> {
        let mut resolved = arguments;
        for param in params.iter().filter(|param| param.meaning() == Meaning::Text) {
            let Some(name) = resolved.get(param.name()).and_then(named) else { continue };
            let value = self.0.get(name).ok_or_else(|| self.unknown(param.name(), name))?.value.clone();
            resolved.to_mut().insert(param.name().to_owned(), Value::String(value));
        }
        Ok(resolved)
    }

    fn unknown(&self, parameter: &str, name: &str) -> Error {
        let known: Vec<_> = self.names().collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let name = shorten(&name.escape_debug().to_string());
        Error::invalid(format!("Parameter '{parameter}' names the secret '{name}'. Known secrets: {known}."))
            .with_guidance("The owner of the device adds secrets; see 'fingertip serve --help'.")
    }

    /// The text without the value of any secret.
    pub(crate) fn redact(&self, mut text: String) -> String {
        for (name, secret) in &self.0 {
            if let Some(cleaned) = without(&text, &secret.plain, &format!("[secret {name}]")) {
                text = cleaned;
            }
        }
        text
    }
}

/// The secret that a value names.
fn named(value: &Value) -> Option<&str> {
    match value {
        Value::Object(fields) if fields.len() == 1 => fields.get(FIELD)?.as_str(),
        _ => None,
    }
}

/// A text as values are looked for in it: replies write quotes and backslashes of a value in several ways, with more of the
/// one before, and with less of the other.
struct Plain {
    text: String,
    /// Where each byte of it stands in the text as it was, and where that ends.
    at: Vec<usize>,
}

impl Plain {
    fn of(text: &str) -> Self {
        let mut plain =
            Self { text: String::with_capacity(text.len()), at: Vec::with_capacity(text.len() + 1) };
        for (at, letter) in text.char_indices().filter(|(_, letter)| *letter != '\\') {
            plain.text.push(if letter == '"' { '\'' } else { letter });
            plain.at.extend(at..at + letter.len_utf8());
        }
        plain.at.push(text.len());
        plain
    }

    /// Where a value stands from here on, or as much as is left of it.
    fn find(&self, value: &str, from: usize) -> Option<(usize, usize)> {
        let known_by = value.char_indices().nth(KNOWN_BY).map_or(value, |(end, _)| &value[..end]);
        let start = self.text[from..].find(known_by)? + from;
        let found = &self.text[start..];
        let same = found.bytes().zip(value.bytes()).take_while(|(one, other)| one == other).count();
        Some((start, start + found.floor_char_boundary(same)))
    }

    /// Whether nothing that makes a longer word of it stands beside this part.
    fn is_alone(&self, start: usize, end: usize) -> bool {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !self.text[..start].ends_with(is_word) && !self.text[end..].starts_with(is_word)
    }
}

/// The text with something else where this value stands; `None` where it stands nowhere.
fn without(text: &str, value: &str, instead: &str) -> Option<String> {
    let plain = Plain::of(text);
    let is_short = value.chars().count() < EVERYWHERE;
    let mut cleaned = None;
    let (mut from, mut kept) = (0, 0);
    while let Some((start, end)) = plain.find(value, from) {
        from = end;
        if is_short && !plain.is_alone(start, end) {
            continue;
        }
        let cleaned = cleaned.get_or_insert_with(String::new);
        cleaned.push_str(&text[kept..plain.at[start]]);
        cleaned.push_str(instead);
        kept = plain.at[end];
    }
    cleaned.map(|cleaned| cleaned + &text[kept..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(lines: &str) -> Secrets {
        let mut secrets = Secrets::default();
        secrets.add_lines(lines).expect("secrets");
        secrets
    }

    fn redacted(lines: &str, text: &str) -> String {
        secrets(lines).redact(text.to_owned())
    }

    #[test]
    fn what_is_wrong_is_said_without_the_value() {
        let wrong = [
            ("hunter2hunter2", "line 1: must be NAME=VALUE"),
            ("# a note\n\nA=hunter2\nA=hunter2", "line 4: 'A' is there twice"),
            ("A=hun", "line 1: the value of 'A' must have 4 to 1000 characters, backslashes not counted"),
            ("A=hunter\u{7}2", "line 1: the value of 'A' must be one line without control characters"),
            ("A B=hunter2", "line 1: a name has 1 to 64 letters, digits, '_', '-' or '.'"),
        ];
        for (lines, why) in wrong {
            let said = Secrets::default().add_lines(lines).expect_err(lines);
            assert_eq!(said, why);
            assert!(!said.contains("hunter2"), "{said}");
        }
        assert!(!format!("{:?}", secrets("A=hunter2")).contains("hunter2"));
    }

    #[test]
    fn a_value_is_taken_out_wherever_it_stands() {
        assert_eq!(redacted("P=correct horse", "say 'correct horse'!"), "say '[secret P]'!");
        assert_eq!(redacted("P=correct horse", "xcorrect horsex"), "x[secret P]x");
        assert_eq!(redacted("P=correct horse", "nothing"), "nothing");
        assert_eq!(redacted("P=correct horse", "correct horse"), "[secret P]");
        assert_eq!(
            redacted("P=a\"b\\c d e f", r#"{"t":"a\"b\\c d e f"} text "a'b\c d e f" or a"b\\\\c d e f"#)
                .matches("secret")
                .count(),
            3
        );
    }

    #[test]
    fn a_short_value_is_taken_out_where_it_stands_alone() {
        assert_eq!(
            redacted("PIN=1234", "node_1234 12345 x1234 (1234) 1234"),
            "node_1234 12345 x1234 ([secret PIN]) [secret PIN]"
        );
    }

    #[test]
    fn the_rest_of_a_text_stays_as_it_is() {
        let text = "a\\b \"é✓\" it's";
        assert_eq!(redacted("P=correct horse", text), text);
        let around = format!("{text}correct horse{text}");
        assert_eq!(redacted("P=correct horse", &around), format!("{text}[secret P]{text}"));
    }

    #[test]
    fn a_long_value_that_was_cut_is_taken_out_too() {
        let value = "0123456789abcdef".repeat(8);
        let cut = format!("field {}...", &value[..60]);
        assert_eq!(redacted(&format!("KEY={value}"), &cut), "field [secret KEY]...");
    }
}
