//! Reading a selector, strictly: an error says where it is and what was expected.

use std::num::NonZeroI32;

use regex_lite::{Regex, RegexBuilder};

use super::{
    Kind, MAX_CHARACTERS, MAX_PATTERN, MAX_RELATIONS, Name, Pattern, Relation, Selector, Simple, State, Words,
};
use crate::compact::text::is_seen;
use crate::path::unescape;
use crate::select::Needle;
use crate::visible::{Visibilities, Visibility};
use crate::{NodeId, Role};

/// How much memory a compiled pattern may take, in bytes: the time of a match grows with it.
const PATTERN_BYTES: usize = 32 * 1024;
/// How deep the groups of a pattern may be nested.
const PATTERN_DEPTH: u32 = 20;

const NAME: &str = "a name in quotes such as \"Save\"";
const SIMPLE: &str = "a role such as button, a name in quotes, ~\"part\", /pattern/, #id or [state]";
const RELATION: &str = "below, above, left of, right of, near or inside";

/// Why a text is not a selector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} at character {position}")]
pub struct SelectorError {
    /// What should stand there.
    pub expected: String,
    /// Where, counted from one.
    pub position: usize,
}

type Parsed<T> = Result<T, SelectorError>;

pub(super) fn selector(text: &str) -> Parsed<Selector> {
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) {
        let reader = Reader { text, rest: &text[end..] };
        return reader.fail(format!("no more than {MAX_CHARACTERS} characters; the rest starts"));
    }
    let mut reader = Reader { text, rest: text };
    let subject = reader.simple()?;
    let mut relations = Vec::new();
    while !reader.rest.is_empty() {
        if relations.len() == MAX_RELATIONS {
            return reader.fail(format!("the end, after {MAX_RELATIONS} relations,"));
        }
        let relation = reader.relation()?;
        relations.push((relation, reader.simple()?));
    }
    Ok(Selector { subject, relations })
}

pub(super) fn is_meant(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with(NodeId::PREFIX) || text.starts_with("app(") {
        return false;
    }
    let (word, rest) = text.split_at(text.find(|letter| !is_word_letter(letter)).unwrap_or(text.len()));
    let marks = ['"', '~', '/', '#', '['];
    if word.is_empty() {
        return rest.starts_with(marks);
    }
    let next = rest.trim_start();
    let parted = next.len() < rest.len();
    let ends = next.is_empty() || parted || rest.starts_with(['"', '~', '#', '[']);
    let is_role = kind(word).is_some() && ends;
    is_role || (parted && next.starts_with(marks))
}

/// A role by a word of the lean screen, or by its name on macOS.
fn kind(word: &str) -> Option<Kind> {
    let word = word.to_ascii_lowercase();
    let other = Kind::OTHERS.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind);
    let named = || Role::ALL.iter().copied().find(|role| role.name() == word);
    let native = || Role::parse(&word).filter(|_| word.starts_with("ax"));
    let popup = || (word == "popup").then_some(Role::Popover);
    other.or_else(|| named().or_else(native).or_else(popup).map(Kind::Role))
}

fn is_word_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Whether a letter of an id needs no quotes around it.
pub(super) fn is_id_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ':' | '/')
}

/// A pattern as it is written between slashes.
pub(super) fn escaped_pattern(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                out.push(letter);
                out.extend(letters.next());
            }
            '/' => out.push_str("\\/"),
            other => out.push(other),
        }
    }
    out
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn fail<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let read = &self.text[..self.text.len() - self.rest.len()];
        Err(SelectorError { expected: expected.into(), position: read.chars().count() + 1 })
    }

    fn fail_at<T>(&self, rest: &'a str, expected: impl Into<String>) -> Parsed<T> {
        Self { text: self.text, rest }.fail(expected)
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    fn take(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&self) -> &'a str {
        let end = self.rest.find(|letter| !is_word_letter(letter)).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn relation(&mut self) -> Parsed<Relation> {
        for (relation, words) in Relation::ALL {
            let mut reader = Reader { text: self.text, rest: self.rest };
            let found = words.split(' ').all(|wanted| {
                let word = reader.word();
                reader.rest = &reader.rest[word.len()..];
                reader.skip_spaces();
                word == wanted
            });
            if found {
                self.rest = reader.rest;
                return Ok(relation);
            }
        }
        self.fail(RELATION)
    }

    fn simple(&mut self) -> Parsed<Simple> {
        self.skip_spaces();
        let mut simple = Simple::default();
        let start = self.rest;
        let word = self.word();
        if !word.is_empty() {
            simple.kind = kind(word);
            if simple.kind.is_none() {
                return self.fail("a role such as button, or a name in quotes,");
            }
            self.rest = &self.rest[word.len()..];
            self.skip_spaces();
        }
        loop {
            let before = self.rest;
            match self.rest.chars().next() {
                Some('"' | '~' | '/') => {
                    let name = self.name()?;
                    if simple.name.replace(name).is_some() {
                        return self.fail_at(before, "no second name");
                    }
                }
                Some('#') => {
                    let id = self.id()?;
                    if simple.id.replace(id).is_some() {
                        return self.fail_at(before, "no second id");
                    }
                }
                Some('[') => self.bracket(&mut simple)?,
                _ => break,
            }
            self.skip_spaces();
        }
        let only_index =
            simple.index.is_some() && simple == Simple { index: simple.index, ..Simple::default() };
        if simple == Simple::default() || only_index {
            return self.fail_at(start, SIMPLE);
        }
        Ok(simple)
    }

    fn name(&mut self) -> Parsed<Name> {
        if self.take('/') {
            return self.pattern().map(Name::Pattern);
        }
        let contains = self.take('~');
        let words = self.quoted()?;
        Ok(if contains { Name::Contains(words) } else { Name::Exact(words) })
    }

    fn quoted(&mut self) -> Parsed<Words> {
        let start = self.rest;
        if !self.take('"') {
            return self.fail(NAME);
        }
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') if is_seen(&text) => {
                    let needle = Needle::new(&text);
                    return Ok(Words { text: text.into(), needle });
                }
                Some('"') => return self.fail_at(start, NAME),
                Some('\\') => text.push(self.escaped()?),
                Some(letter) => text.push(letter),
                None => return self.fail("'\"'"),
            }
        }
    }

    fn escaped(&mut self) -> Parsed<char> {
        match unescape(self.rest) {
            Some((letter, rest)) => {
                self.rest = rest;
                Ok(letter)
            }
            None => self.fail("\", \\, n, r, t or u{hex} after the backslash"),
        }
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.rest;
        let mut source = String::new();
        loop {
            match self.next() {
                Some('/') => break,
                Some('\\') => match self.next() {
                    Some('/') => source.push('/'),
                    Some(letter) => source.extend(['\\', letter]),
                    None => return self.fail("'/'"),
                },
                Some(letter) => source.push(letter),
                None => return self.fail("'/'"),
            }
        }
        if source.chars().count() > MAX_PATTERN {
            return self.fail_at(start, format!("a pattern of no more than {MAX_PATTERN} characters"));
        }
        if Visibilities::of(&source).any(|(_, visibility)| visibility != Visibility::Seen) {
            return self.fail_at(start, "a pattern of what can be seen (the rest as \\x{hex})");
        }
        match compile(&source) {
            Ok(regex) => Ok(Pattern { source: source.into(), regex }),
            Err(why) => self.fail_at(start, format!("a regular expression ({why})")),
        }
    }

    fn id(&mut self) -> Parsed<Box<str>> {
        self.take('#');
        if self.rest.starts_with('"') {
            return self.quoted().map(|words| words.text);
        }
        let end = self.rest.find(|letter| !is_id_letter(letter)).unwrap_or(self.rest.len());
        let (id, rest) = self.rest.split_at(end);
        if id.is_empty() {
            return self.fail("a resource id");
        }
        self.rest = rest;
        Ok(id.into())
    }

    /// A state or an index.
    fn bracket(&mut self, simple: &mut Simple) -> Parsed<()> {
        let start = self.rest;
        self.take('[');
        let Some((inner, rest)) = self.rest.split_once(']') else {
            return self.fail("a state or an index, and ']',");
        };
        if let Some((state, _)) = State::WORDS.iter().find(|(_, word)| *word == inner) {
            if simple.states.contains(state) {
                return self.fail("no state twice");
            }
            simple.states.push(*state);
        } else if inner.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit()) {
            let Ok(index) = inner.parse::<NonZeroI32>() else {
                return self.fail("an index that counts from 1, or from -1 at the end,");
            };
            if simple.index.replace(index).is_some() {
                return self.fail_at(start, "no second index");
            }
        } else {
            let words: Vec<&str> = State::WORDS.iter().map(|(_, word)| *word).collect();
            return self.fail(format!("an index or one of {}", words.join(", ")));
        }
        self.rest = rest;
        Ok(())
    }
}

fn compile(source: &str) -> Result<Regex, String> {
    if source.is_empty() {
        return Err("it is empty".to_owned());
    }
    let mut builder = RegexBuilder::new(source);
    builder.size_limit(PATTERN_BYTES).nest_limit(PATTERN_DEPTH);
    builder.build().map_err(|error| error.to_string())
}
