//! Selectors: an element by what a person would call it, `button "Save"`, `switch right of "Wi-Fi"`.
//!
//! ```text
//! selector = simple { relation simple }
//! simple   = [ role ] [ name ] [ "#" id ] { "[" state "]" } [ "[" index "]" ]
//! name     = "text" | ~"part" | /pattern/
//! relation = below | above | left of | right of | near | inside
//! ```
//!
//! Rules: a selector means what the lean screen ([`crate::lean`]) shows, one line is one match, and matches come in its
//! order. What is out of view, and what lies in a keyboard or a system bar, matches only where the selector asks for it. Several
//! matches are all given: which one is meant is never guessed. `docs/selectors.md` describes all of it.
//! Non-goals: values of fields, structure (see [`crate::path`]).

mod geometry;
mod matching;
mod misses;
mod parse;
mod suggest;
#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZeroI32;

use regex_lite::Regex;

pub use misses::Misses;
pub use parse::SelectorError;
pub use suggest::{MOST as MOST_SUGGESTED, suggest};

use crate::path::Quoted;
use crate::select::{ElementQuery, Needle};
use crate::{NodeIndex, Role, Snapshot, Window};
use matching::Lines;

/// The most characters of a selector.
pub const MAX_CHARACTERS: usize = 500;
/// The most characters of a pattern.
pub const MAX_PATTERN: usize = 200;
/// The most relations of a selector.
pub const MAX_RELATIONS: usize = 4;

/// An element, described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    subject: Simple,
    relations: Vec<(Relation, Simple)>,
}

/// What is said of one element by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Simple {
    kind: Option<Kind>,
    name: Option<Name>,
    id: Option<Box<str>>,
    states: Vec<State>,
    index: Option<NonZeroI32>,
}

/// What an element is, by a word of the lean screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Role(Role),
    /// Whatever is read and not pressed.
    Text,
    /// Whatever is pressed and has no role of its own.
    Item,
    Keyboard,
    Bar,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Exact(Words),
    Contains(Words),
    Pattern(Pattern),
}

/// A text to look for, prepared to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Words {
    text: Box<str>,
    needle: Needle,
}

#[derive(Debug, Clone)]
struct Pattern {
    source: Box<str>,
    regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Checked,
    Unchecked,
    Enabled,
    Disabled,
    Focused,
    Selected,
    Unselected,
    Editable,
    Password,
    Clickable,
    Scrollable,
    Hidden,
}

impl State {
    /// Every state and its words, the one it is written with first.
    const WORDS: [(Self, &'static str); 14] = [
        (Self::Checked, "checked"),
        (Self::Unchecked, "unchecked"),
        (Self::Enabled, "enabled"),
        (Self::Disabled, "disabled"),
        (Self::Focused, "focused"),
        (Self::Selected, "selected"),
        (Self::Unselected, "unselected"),
        (Self::Editable, "editable"),
        (Self::Password, "password"),
        (Self::Clickable, "clickable"),
        (Self::Scrollable, "scrollable"),
        (Self::Hidden, "hidden"),
        (Self::Checked, "on"),
        (Self::Unchecked, "off"),
    ];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(state, _)| *state == self).map_or("", |(_, word)| word)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Below,
    Above,
    LeftOf,
    RightOf,
    Near,
    Inside,
}

impl Relation {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Below, "below"),
        (Self::Above, "above"),
        (Self::LeftOf, "left of"),
        (Self::RightOf, "right of"),
        (Self::Near, "near"),
        (Self::Inside, "inside"),
    ];

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(relation, _)| *relation == self).map_or("", |(_, word)| word)
    }
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// Where it ends to be one, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parse::selector(text)
    }

    /// Whether a text that may also be an id or a path is meant as a selector, rightly written or not. A single word that is no
    /// role is not.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        parse::is_meant(text)
    }

    /// The elements that it means, in reading order: one node for each line of the lean screen that matches.
    #[must_use]
    pub fn find(&self, snapshot: &Snapshot) -> Vec<NodeIndex> {
        self.find_in(snapshot, |_| true)
    }

    /// As [`Self::find`], in these windows alone.
    #[must_use]
    pub fn find_in(&self, snapshot: &Snapshot, keep: impl Fn(&Window) -> bool) -> Vec<NodeIndex> {
        matching::find(self, &Lines::of(snapshot, keep))
    }

    /// The same for elements that are out of view.
    #[must_use]
    pub fn hidden(&self) -> Self {
        let mut hidden = self.clone();
        if !hidden.subject.states.contains(&State::Hidden) {
            hidden.subject.states.push(State::Hidden);
        }
        hidden
    }

    /// Why nothing in these windows matches, and what comes nearest.
    #[must_use]
    pub fn misses(&self, snapshot: &Snapshot, keep: impl Fn(&Window) -> bool) -> Misses {
        misses::of(self, &Lines::of(snapshot, keep))
    }
}

impl From<&ElementQuery> for Selector {
    /// What a search of the desktop tools looks for, but for the value.
    fn from(query: &ElementQuery) -> Self {
        let words = |text: &String| Words { text: text.as_str().into(), needle: Needle::new(text) };
        let subject = Simple {
            kind: query.role.map(Kind::Role),
            name: query.title.as_ref().map(|title| Name::Contains(words(title))),
            id: query.identifier.as_deref().map(Into::into),
            ..Simple::default()
        };
        Self { subject, relations: Vec::new() }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.subject)?;
        self.relations.iter().try_for_each(|(relation, anchor)| write!(f, " {} {anchor}", relation.word()))
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.kind.map(|kind| kind.word().to_owned()));
        words.extend(self.name.as_ref().map(Name::to_string));
        words.extend(self.id.as_deref().map(|id| {
            if id.chars().all(parse::is_id_letter) { format!("#{id}") } else { format!("#{}", Quoted(id)) }
        }));
        words.extend(self.states.iter().map(|state| format!("[{}]", state.word())));
        words.extend(self.index.map(|index| format!("[{index}]")));
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(words) => write!(f, "{}", Quoted(&words.text)),
            Self::Contains(words) => write!(f, "~{}", Quoted(&words.text)),
            Self::Pattern(pattern) => write!(f, "/{}/", parse::escaped_pattern(&pattern.source)),
        }
    }
}

impl Kind {
    const OTHERS: [(Self, &'static str); 4] =
        [(Self::Text, "text"), (Self::Item, "item"), (Self::Keyboard, "keyboard"), (Self::Bar, "bar")];

    fn word(self) -> &'static str {
        match self {
            Self::Role(role) => role.name(),
            other => Self::OTHERS.iter().find(|(kind, _)| *kind == other).map_or("", |(_, word)| word),
        }
    }
}
