//! Texts that the owner keeps by name, so that an agent can write them without ever seeing them.
//!
//! A call has `{"secret": "NAME"}` where it would have the text. Before the tool sees it the value is put in its place; the
//! question to the user and the audit log have the name. No reply holds a value, even if the screen shows it: it is taken
//! out of every text on the way to a client, but for what that client has said itself in this very call: a guess that comes
//! back as it was says nothing, and one that does not would be confirmed. A picture shows what the screen shows.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Range;

use fingertip_core::{Error, Result, visible};
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::params::{Meaning, Param, shorten};

/// The field that names a secret.
const FIELD: &str = "secret";
/// The shortest value: a shorter one could not be distinguished from other text in replies.
const SHORTEST: usize = 4;
/// The longest value.
const LONGEST: usize = 1000;
/// A value of fewer characters is taken out of replies only where it stands alone: `1234` is also in `node_1234`.
const EVERYWHERE: usize = 8;
/// A longer value is known by this many characters of its beginning wherever they stand, and any value by half of its
/// characters where a text ends with them: a field or a reply may have cut it.
const KNOWN_BY: usize = 24;
/// The most secrets.
const MOST: usize = 64;
/// The characters that HTML names, of those that a value in it must not hold, and the longest such name or number.
const ENTITIES: [(&str, char); 6] =
    [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{a0}')];
const LONGEST_ENTITY: usize = 10;

/// The secrets of the owner, by name.
#[derive(Default)]
pub struct Secrets(BTreeMap<String, Secret>);

struct Secret {
    value: String,
    /// The value as it is looked for in replies, see [`Plain`].
    plain: Plain,
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
        let plain = Plain::of(value);
        if plain.text.chars().count() < SHORTEST || value.chars().count() > LONGEST {
            return Err(format!(
                "the value of '{name}' must have {SHORTEST} to {LONGEST} characters; spaces, '+', backslashes and \
                 what cannot be seen do not count"
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

    /// The text without the value of any secret, unless it is in what the caller has said.
    pub(crate) fn redact(&self, text: String, said: &Said) -> String {
        let found = self.found(&text, said);
        if found.is_empty() { text } else { replaced(&text, found) }
    }

    /// Whether a text shows any of them.
    pub(crate) fn shows(&self, text: &str) -> bool {
        !self.found(text, &Said::default()).is_empty()
    }

    /// Where their values stand, with their names.
    fn found(&self, text: &str, said: &Said) -> Vec<(Range<usize>, &str)> {
        let mut found = Vec::new();
        if self.is_empty() {
            return found;
        }
        let plain = Plain::of(text);
        let mut short = Vec::new();
        for (name, secret) in &self.0 {
            let mut from = 0;
            while let Some(Found { part, stands, is_short }) = plain.find(&secret.plain, text, from) {
                from = stands.end;
                if !said.holds(&plain.text[stands]) {
                    let parts = if is_short { &mut short } else { &mut found };
                    parts.push((part, name.as_str()));
                }
            }
        }
        // Beside what is taken out a short value stands alone, too.
        let borders: HashSet<usize> = found.iter().flat_map(|(part, _)| [part.start, part.end]).collect();
        found.extend(short.into_iter().filter(|(part, _)| is_alone(text, part, &borders)));
        found
    }
}

/// The text with names in the place of these parts. Where the values of several overlap, nothing of any may stay.
fn replaced(text: &str, mut found: Vec<(Range<usize>, &str)>) -> String {
    found.sort_by_key(|(part, _)| (part.start, std::cmp::Reverse(part.end)));
    let mut cleaned = String::with_capacity(text.len());
    let mut kept = 0;
    let mut parts = found.into_iter().peekable();
    while let Some((mut part, name)) = parts.next() {
        while let Some((next, _)) = parts.next_if(|(next, _)| next.start < part.end) {
            part.end = part.end.max(next.end);
        }
        cleaned.push_str(&text[kept..part.start]);
        cleaned.push_str("[secret ");
        cleaned.push_str(name);
        cleaned.push(']');
        kept = part.end;
    }
    cleaned + &text[kept..]
}

/// What a caller has said itself in a call: its names and texts, as values are looked for.
#[derive(Default)]
pub(crate) struct Said(Vec<String>);

impl Said {
    /// Of the arguments as they came, secrets by their names.
    pub(crate) fn of(arguments: &JsonObject) -> Self {
        let mut said = Self::default();
        said.add_all(arguments);
        said
    }

    fn add_all(&mut self, fields: &JsonObject) {
        for (name, value) in fields {
            self.0.push(Plain::of(name).text);
            self.add(value);
        }
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.0.push(Plain::of(text).text),
            Value::Number(number) => self.0.push(number.to_string()),
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(fields) => self.add_all(fields),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn holds(&self, letters: &str) -> bool {
        self.0.iter().any(|text| text.contains(letters))
    }
}

/// The secret that a value names.
fn named(value: &Value) -> Option<&str> {
    match value {
        Value::Object(fields) if fields.len() == 1 => fields.get(FIELD)?.as_str(),
        _ => None,
    }
}

/// A text as values are looked for in it. Replies, and applications, write a value in several ways: without invisible characters
/// and the space around it, with other quotes, with more backslashes, with characters as `\u{..}`; in capitals, as in a URL, as
/// in HTML. What is the same in all of them counts.
struct Plain {
    text: String,
    /// Which part of the text as it was each byte of it stands for.
    from: Vec<Range<usize>>,
}

impl Plain {
    fn of(text: &str) -> Self {
        let mut plain =
            Self { text: String::with_capacity(text.len()), from: Vec::with_capacity(text.len()) };
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let (letter, length) = escaped(&text[at..]).unwrap_or((first, first.len_utf8()));
            if !['\\', '+'].contains(&letter) && visible::leaves_ink(letter) {
                let letter = if letter == '"' { '\'' } else { lower_case(letter) };
                plain.text.push(letter);
                plain.from.extend(std::iter::repeat_n(at..at + length, letter.len_utf8()));
            }
            at += length;
        }
        plain
    }

    /// Where a value stands next, or as much as is left of it.
    fn find(&self, value: &Plain, original: &str, from: usize) -> Option<Found> {
        let value = &*value.text;
        let letters = value.chars().count();
        let known_by = letters.div_ceil(2).clamp(SHORTEST, KNOWN_BY);
        let beginning = value.char_indices().nth(known_by).map_or(value, |(end, _)| &value[..end]);
        let mut from = from;
        loop {
            let start = self.text[from..].find(beginning)? + from;
            let found = &self.text[start..];
            let same = found.bytes().zip(value.bytes()).take_while(|(one, other)| one == other).count();
            let end = start + found.floor_char_boundary(same);
            let part = self.from[start].start..self.from[end - 1].end;
            let whole = end - start == value.len() || known_by == KNOWN_BY;
            if whole || is_cut(&original[part.end..]) {
                return Some(Found { part, stands: start..end, is_short: letters < EVERYWHERE });
            }
            from = start + found.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// A value in a text.
struct Found {
    /// Where it stands in the text as it was.
    part: Range<usize>,
    /// Where that is as values are looked for.
    stands: Range<usize>,
    /// Whether it counts only where it stands alone.
    is_short: bool,
}

/// The character that is written here by other characters, and by how many bytes: `\u{..}` and `\u....`, `%..` of each byte
/// as in a URL, `&..;` as in HTML.
fn escaped(text: &str) -> Option<(char, usize)> {
    match text.as_bytes().first()? {
        b'\\' => {
            let rest = text.strip_prefix("\\u")?;
            let (digits, around) = match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                Some((digits, _)) => (digits, "\\u{}".len()),
                None => (rest.get(..4)?, "\\u".len()),
            };
            Some((numbered(digits, 16)?, around + digits.len()))
        }
        b'%' => {
            let first = percent(text)?;
            let length = match first {
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => 1,
            };
            let bytes: Option<Vec<u8>> = (0..length).map(|byte| percent(text.get(3 * byte..)?)).collect();
            let bytes = bytes?;
            Some((std::str::from_utf8(&bytes).ok()?.chars().next()?, 3 * length))
        }
        b'&' => {
            let end = text.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';')?;
            let name = &text[1..end];
            let letter = match name.strip_prefix('#') {
                Some(digits) => match digits.strip_prefix(['x', 'X']) {
                    Some(digits) => numbered(digits, 16),
                    None => numbered(digits, 10),
                },
                None => ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter),
            };
            Some((letter?, end + 1))
        }
        _ => None,
    }
}

/// The byte that is written here as `%..`.
fn percent(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u8::from_str_radix(digits, 16).ok())?
}

fn numbered(digits: &str, base: u32) -> Option<char> {
    u32::from_str_radix(digits, base).ok().and_then(char::from_u32)
}

/// The letter in lower case, where that is one letter.
fn lower_case(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => letter,
    }
}

/// Whether nothing that makes a longer word of it stands beside this part, up to these borders.
fn is_alone(text: &str, part: &Range<usize>, borders: &HashSet<usize>) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = !borders.contains(&part.start) && text[..part.start].ends_with(is_word);
    let after = !borders.contains(&part.end) && text[part.end..].starts_with(is_word);
    !before && !after
}

/// Whether a text that is quoted in a reply ends where this follows: by itself, or because it was cut.
fn is_cut(rest: &str) -> bool {
    let rest = rest.trim_start_matches('\\');
    rest.is_empty() || rest.starts_with(['"', '\'', '\t', '\n', '…']) || rest.starts_with("...")
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
        secrets(lines).redact(text.to_owned(), &Said::default())
    }

    #[test]
    fn what_is_wrong_is_said_without_the_value() {
        let wrong = [
            ("hunter2hunter2", "line 1: must be NAME=VALUE"),
            ("# a note\n\nA=hunter2\nA=hunter2", "line 4: 'A' is there twice"),
            (
                "A=hun \u{200b}",
                "line 1: the value of 'A' must have 4 to 1000 characters; spaces, '+', backslashes and what \
                 cannot be seen do not count",
            ),
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
    fn a_short_value_beside_another_value_stands_alone() {
        let both = "PIN=1234\nPW=correct horse";
        for (text, hidden) in [
            ("correct horse1234", "[secret PW][secret PIN]"),
            ("1234correct horse", "[secret PIN][secret PW]"),
            ("correct horse1234correct horse", "[secret PW][secret PIN][secret PW]"),
            ("correct horse12345", "[secret PW]12345"),
        ] {
            assert_eq!(redacted(both, text), hidden);
        }
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

    #[test]
    fn a_value_is_known_without_its_invisible_characters() {
        let forms = [
            ("pass\u{200b}word", "password"),
            ("pass\u{200b}word", "pass\u{200b}word"),
            ("soft\u{ad}hyphen", "softhyphen"),
            ("\u{202e}right-to-left", "right-to-left"),
            ("tag\u{e0041}\u{e0042}s-value", "tag\u{fffd}s-value"),
            ("tag\u{e0041}\u{e0042}s-value", "tag\\u{e0041}\\u{e0042}s-value"),
            (" led by space ", "led by space"),
            ("two  spaces", "two spaces"),
            ("non\u{a0}break", "non break"),
            ("e\u{301}te\u{301}-long", "e\\u{301}te\\u{301}-long"),
            ("family 👩\u{200d}👧", "family 👩👧"),
            ("correct horse", "cor\u{200b}rect\u{2028}horse"),
            ("Straße-nach-Köln", "STRAßE-NACH-KÖLN"),
            ("p@ss & wörd+1", "p%40ss+%26+w%C3%B6rd%2b1"),
            ("p@ss & wörd+1", "p%40ss%20%26%20wörd%2B1"),
            ("p@ss & <wörd>'s", "P&#64;ss &amp; &lt;w&#xf6;rd&gt;&apos;s"),
            ("p@ss & wörd+1", "p\\u0040ss \\u0026 w\\u00f6rd\\u002b1"),
            ("100%41 &amp; a\\u0041", "100%41 &amp; a\\u0041"),
        ];
        for (value, shown) in forms {
            let text = format!("a\tfield \"{shown}\"\tb");
            assert_eq!(
                redacted(&format!("P={value}"), &text),
                "a\tfield \"[secret P]\"\tb",
                "{}",
                text.escape_debug()
            );
        }
        assert_eq!(redacted("PIN=12 34", "x 12 34 y 1234 a1234"), "x [secret PIN] y [secret PIN] a1234");
    }

    #[test]
    fn what_a_field_or_a_reply_left_of_a_value_is_taken_out() {
        let cut = |text: &str| redacted("P=hunter2hunter2", text);
        assert_eq!(cut("the field holds \"hunter2hunte\"."), "the field holds \"[secret P]\".");
        assert_eq!(cut("a\txhunter2h\tb"), "a\tx[secret P]\tb");
        assert_eq!(cut("xxxxhunter2h...truncated"), "xxxx[secret P]...truncated");
        assert_eq!(cut("\"hunter2hun\"…(99 characters in all)…"), "\"[secret P]\"…(99 characters in all)…");
        assert_eq!(cut("hunter2 hunters"), "hunter2 hunters", "less than a half ends there");
        assert_eq!(cut("hunter2hats"), "hunter2hats");
        assert_eq!(redacted("P=aaaaaaab", "aaaaaaaab"), "a[secret P]", "a false start hides nothing");
    }

    #[test]
    fn values_that_overlap_hide_each_other_whole() {
        let both = "PIN=2024\nPW=Summer-2024-rain";
        assert_eq!(redacted(both, "a Summer-2024-rain b 2024"), "a [secret PW] b [secret PIN]");
        let begins = "A_NAME=ada.lovelace\nPW=ada.lovelace/Engine1843";
        assert_eq!(redacted(begins, "'ada.lovelace/Engine1843'"), "'[secret PW]'");
        let ends = "ACCOUNT=rainbows\nPW=Summer-2024-rain";
        assert_eq!(redacted(ends, "\"Summer-2024-rain\""), "\"[secret PW]\"");
        let chained = "A=abcdefgh\nB=efghijkl";
        assert_eq!(redacted(chained, "abcdefghijkl"), "[secret A]");
    }

    #[test]
    fn what_a_caller_said_comes_back_as_it_was() {
        let guess = |said: serde_json::Value, text: &str| {
            let Value::Object(arguments) = said else { panic!("an object") };
            secrets("PIN=2024\nPW=Summer-2024-rain").redact(text.to_owned(), &Said::of(&arguments))
        };
        let right = serde_json::json!({"package_name": "2024"});
        assert_eq!(guess(right.clone(), "no app '2024'"), "no app '2024'");
        assert_eq!(guess(right.clone(), "PW is Summer-2024-rain"), "PW is [secret PW]", "more than was said");
        let part = serde_json::json!({"steps": [{"arguments": {"text": "Summer-2"}}]});
        assert_eq!(guess(part.clone(), "nothing says \"Summer-2\""), "nothing says \"Summer-2\"");
        assert_eq!(guess(part, "on the screen: \"Summer-2024-r\""), "on the screen: \"[secret PW]\"");
        assert_eq!(guess(serde_json::json!({"text": {"secret": "PIN"}}), "typed 2024"), "typed [secret PIN]");
    }
}
