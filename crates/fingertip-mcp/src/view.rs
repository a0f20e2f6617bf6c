//! How screens and effects are shown where a call does not say.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A word that names no form or effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' must be one of {known}")]
pub struct UnknownWord {
    word: String,
    known: String,
}

impl UnknownWord {
    fn of<T: Copy>(word: &str, known: &[T], name: impl Fn(T) -> &'static str) -> Self {
        let known: Vec<&str> = known.iter().map(|one| name(*one)).collect();
        Self { word: word.to_owned(), known: known.join(", ") }
    }
}

/// What the owner chose for calls that leave it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// The form of a screen.
    pub format: Format,
    /// What replies of acting tools say of their effect.
    pub see: See,
    /// How long an effect is waited for.
    pub waits: Waits,
}

/// How long the effect of an action is waited for before it is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// For how long no change is reported once a screen has settled.
    pub quiet: Duration,
    /// How long an effect may take to show and to settle on the same screen.
    pub in_place: Duration,
    /// The same after another screen came.
    pub navigated: Duration,
}

impl Waits {
    /// Where the owner chose nothing.
    pub const DEFAULT: Self = Self {
        quiet: Duration::from_millis(150),
        in_place: Duration::from_millis(500),
        navigated: Duration::from_millis(1_500),
    };
    /// What each may be, in milliseconds.
    pub const QUIET_MS: RangeInclusive<u64> = 10..=5_000;
    /// As above.
    pub const IN_PLACE_MS: RangeInclusive<u64> = 50..=20_000;
    /// As above.
    pub const NAVIGATED_MS: RangeInclusive<u64> = 50..=20_000;
}

impl Default for Waits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The form of a screen as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A row of seven columns for each element; see [`fingertip_core::compact`].
    #[default]
    Table,
    /// A line for each thing that a person would read or press; see [`fingertip_core::lean`].
    Lean,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Table, Self::Lean];

    /// Its word in requests and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Lean => "lean",
        }
    }
}

impl FromStr for Format {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL.iter().find(|known| known.name() == word);
        known.copied().ok_or_else(|| UnknownWord::of(word, &Self::ALL, Self::name))
    }
}

/// What the reply of an acting tool says of its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum See {
    /// Nothing beyond what the tool says itself.
    #[default]
    None,
    /// What changed.
    Changes,
    /// The whole screen.
    Screen,
}

impl See {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Changes, Self::Screen];

    /// Its word in requests and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Changes => "changes",
            Self::Screen => "screen",
        }
    }
}

impl FromStr for See {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL.iter().find(|known| known.name() == word);
        known.copied().ok_or_else(|| UnknownWord::of(word, &Self::ALL, Self::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_and_others_are_refused_with_those_there_are() {
        assert!(Format::ALL.iter().all(|format| format.name().parse() == Ok(*format)));
        assert!(See::ALL.iter().all(|see| see.name().parse() == Ok(*see)));
        let error = "tabel".parse::<Format>().unwrap_err();
        assert_eq!(error.to_string(), "'tabel' must be one of table, lean");
    }
}
