//! Applications that may be looked at and not acted on.
//!
//! A rule is a pattern over the names an application goes by: package, bundle, program or title, in any case, `*` for
//! any run of letters. Built-in rules (`defaults`) and the owner's own block; the owner's exceptions win over
//! both. Which application is meant is decided elsewhere ([`super::guard`]).

use std::fmt;

use fingertip_core::target::TargetKind;

use super::defaults;

/// The longest pattern, in characters.
pub const MAX_PATTERN: usize = 200;

/// A pattern over names of applications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    written: String,
    lower: String,
}

/// A text that is no pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadPattern {
    /// It is empty or too long.
    #[error("a pattern for applications has 1 to {MAX_PATTERN} characters, got {0}")]
    Length(usize),
    /// It holds what no name of an application does, so that it would never fit.
    #[error(
        "a pattern for applications is a package or the name of a program, with `*` for any letters; {0:?} is in none \
         (an activity is no application, and several patterns are separated by commas)"
    )]
    Letter(char),
    /// It looks like several.
    #[error("several patterns for applications are separated by commas, not by spaces")]
    Several,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it could never fit a name: a rule that protects nothing must not look like one that does.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        let text = text.trim();
        let count = text.chars().count();
        if !(1..=MAX_PATTERN).contains(&count) {
            return Err(BadPattern::Length(count));
        }
        let is_odd = |letter: &char| !letter.is_alphanumeric() && !" *._-+&'()!#@".contains(*letter);
        if let Some(letter) = text.chars().find(is_odd) {
            return Err(BadPattern::Letter(letter));
        }
        let is_package = |word: &str| word.trim_matches('*').trim_matches('.').contains('.');
        if text.split(' ').filter(|word| is_package(word)).count() > 1 {
            return Err(BadPattern::Several);
        }
        Ok(Self { written: text.to_owned(), lower: text.to_lowercase() })
    }

    /// Whether this name fits.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        fits(&self.lower, &name.to_lowercase())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Greedy from the left: the first piece must begin the name, the last must end it, the others come in order.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        let Some(found) = left.find(piece) else { return false };
        left = &left[found + piece.len()..];
    }
    left.ends_with(last)
}

/// Why an application is blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pattern: Pattern,
    /// What the built-in rule protects; `None` for a rule of the owner's.
    built_in: Option<&'static str>,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.built_in {
            Some(what) => write!(f, "'{}' (built in, {what})", self.pattern),
            None => write!(f, "'{}' (set by the owner of this server)", self.pattern),
        }
    }
}

impl Rule {
    /// The pattern as it was written.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern.written
    }
}

/// Which applications may not be acted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocklist {
    phone: Vec<Rule>,
    desktop: Vec<Rule>,
    allowed: Vec<Pattern>,
}

impl Default for Blocklist {
    /// The built-in rules.
    fn default() -> Self {
        Self {
            phone: defaults::rules(TargetKind::Phone),
            desktop: defaults::rules(TargetKind::Desktop),
            allowed: Vec::new(),
        }
    }
}

impl Blocklist {
    /// No rules: every application may be acted on.
    #[must_use]
    pub const fn empty() -> Self {
        Self { phone: Vec::new(), desktop: Vec::new(), allowed: Vec::new() }
    }

    /// With these applications blocked too, on every sort of target.
    #[must_use]
    pub fn blocking(mut self, patterns: Vec<Pattern>) -> Self {
        let rules = patterns.into_iter().map(|pattern| Rule { pattern, built_in: None });
        for rule in rules {
            self.phone.push(rule.clone());
            self.desktop.push(rule);
        }
        self
    }

    /// With these applications allowed, whatever a rule says.
    #[must_use]
    pub fn allowing(mut self, patterns: Vec<Pattern>) -> Self {
        self.allowed.extend(patterns);
        self
    }

    /// Whether nothing is blocked there, so that the receiver of an act need not be found.
    #[must_use]
    pub fn is_empty(&self, kind: TargetKind) -> bool {
        self.rules(kind).is_empty()
    }

    /// The rule that blocks an application of these names, if one does.
    #[must_use]
    pub fn find(&self, kind: TargetKind, names: &[&str]) -> Option<&Rule> {
        if self.allowed.iter().any(|pattern| names.iter().any(|name| pattern.fits(name))) {
            return None;
        }
        self.rules(kind).iter().find(|rule| names.iter().any(|name| rule.pattern.fits(name)))
    }

    /// Whether the owner freed an application of this name by a pattern.
    #[must_use]
    pub fn frees(&self, name: &str) -> bool {
        self.allowed.iter().any(|pattern| pattern.fits(name))
    }

    fn rules(&self, kind: TargetKind) -> &[Rule] {
        match kind {
            TargetKind::Phone => &self.phone,
            TargetKind::Desktop => &self.desktop,
        }
    }
}

/// A built-in rule.
pub(super) fn built_in(pattern: &str, what: &'static str) -> Rule {
    let pattern = Pattern { written: pattern.to_owned(), lower: pattern.to_lowercase() };
    Rule { pattern, built_in: Some(what) }
}

#[cfg(test)]
mod tests {
    use TargetKind::{Desktop, Phone};

    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::new(text).expect("a pattern")
    }

    #[test]
    fn a_star_stands_for_any_run_of_letters() {
        for (text, name) in [
            ("com.bank", "COM.Bank"),
            ("com.bank.*", "com.bank.app"),
            ("*keepass*", "org.KeePassXC"),
            ("a*b*c", "a-b-b-c"),
            ("*", "anything"),
            ("**", ""),
        ] {
            assert!(pattern(text).fits(name), "{text} {name}");
        }
        for (text, name) in
            [("com.bank", "com.bank2"), ("com.bank.*", "com.bank"), ("a*b*c", "a-c-b"), ("ab*b", "ab")]
        {
            assert!(!pattern(text).fits(name), "{text} {name}");
        }
    }

    #[test]
    fn empty_and_endless_patterns_are_refused() {
        assert_eq!(Pattern::new("  "), Err(BadPattern::Length(0)));
        assert!(Pattern::new(&"x".repeat(MAX_PATTERN + 1)).is_err());
    }

    #[test]
    fn what_could_never_fit_is_no_pattern() {
        for text in [
            "com.a.b,com.c.d",
            "com.a.b;com.c.d",
            "com.android.settings/.Settings",
            "package:com.a.b",
            "\"com.a.b\"",
            "com.a\u{200b}.b",
            "com.a.?",
            "com.[as].b",
            "^com.a.b$",
        ] {
            assert!(matches!(Pattern::new(text), Err(BadPattern::Letter(_))), "{text}");
        }
        assert_eq!(Pattern::new("com.a.b com.c.d"), Err(BadPattern::Several));
        for text in
            ["com.bank.*", "*", "Google Chrome", "Notepad++", "gimp-2.10", "Müller & Söhne", "St. John's 2.0"]
        {
            assert!(Pattern::new(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn password_managers_are_blocked_everywhere_terminals_on_desktops() {
        let list = Blocklist::default();
        assert!(list.find(Phone, &["com.x8bit.bitwarden"]).is_some());
        assert!(list.find(Desktop, &["KeePassXC"]).is_some());
        assert!(list.find(Desktop, &["gnome-terminal-server"]).is_some());
        assert!(list.find(Phone, &["com.android.settings"]).is_none());
        assert!(list.find(Desktop, &["org.gnome.TextEditor", "Text Editor"]).is_none());
    }

    #[test]
    fn the_owner_adds_takes_away_and_empties() {
        let list =
            Blocklist::default().blocking(vec![pattern("com.bank.*")]).allowing(vec![pattern("xterm")]);
        let rule = list.find(Phone, &["com.bank.app"]).expect("blocked");
        assert_eq!(rule.to_string(), "'com.bank.*' (set by the owner of this server)");
        assert!(list.find(Desktop, &["xterm"]).is_none());
        assert!(Blocklist::empty().is_empty(Phone) && Blocklist::empty().is_empty(Desktop));
        assert!(!list.is_empty(Phone));
    }
}
