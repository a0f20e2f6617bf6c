//! One setting: its value, and where that comes from.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::value::{self, Value, Written};

/// How a list of nothing is shown.
const NOTHING: &str = "[]";

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// It is not set.
    Default,
    /// This line of the file.
    File { path: PathBuf, line: usize },
    /// This variable.
    Environment(&'static str),
    /// This flag.
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(variable) => f.write_str(variable),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// What is known of a setting before it is set.
#[derive(Debug)]
pub(super) struct Key {
    /// Its name in the file, with its section.
    pub(super) name: &'static str,
    pub(super) variable: &'static str,
    /// What a number may be.
    limits: RangeInclusive<u64>,
    /// Whether it restricts what clients may do by what it names; an empty one restricts nothing.
    restricts: bool,
    /// Whether it is about how clients reach a server, rather than about what they can do there.
    pub(super) is_of_transport: bool,
    /// What it means that it is not set, where no value says the same.
    unset: Option<&'static str>,
}

impl Key {
    /// The section and the name in it.
    pub(super) fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }
}

/// A setting.
#[derive(Debug)]
pub(crate) struct Setting<T> {
    /// What is in force.
    pub(crate) value: T,
    pub(super) source: Source,
    key: Key,
}

/// A setting of any type, as the file and the environment meet it.
pub(super) trait Layered {
    fn key(&self) -> &Key;
    fn source(&self) -> &Source;
    /// Its value as in a TOML file; a comment where no value says the same.
    fn shown(&self) -> String;
    /// Takes the value that is written there.
    fn take(&mut self, written: Written<'_>, source: Source) -> Result<(), String>;
}

impl<T: Value> Setting<T> {
    pub(super) fn new(name: &'static str, variable: &'static str, default: T) -> Self {
        let limits = 0..=u64::MAX;
        let key = Key { name, variable, limits, restricts: false, is_of_transport: false, unset: None };
        Self { value: default, source: Source::Default, key }
    }

    pub(super) fn within(self, limits: RangeInclusive<u64>) -> Self {
        Self { key: Key { limits, ..self.key }, ..self }
    }

    pub(super) fn restricting(self) -> Self {
        Self { key: Key { restricts: true, ..self.key }, ..self }
    }

    pub(super) fn of_transport(self) -> Self {
        Self { key: Key { is_of_transport: true, ..self.key }, ..self }
    }

    pub(super) fn unset_means(self, meaning: &'static str) -> Self {
        Self { key: Key { unset: Some(meaning), ..self.key }, ..self }
    }

    /// Takes what the command line said, if it said anything.
    ///
    /// # Errors
    /// A value that does not fit, with the flag.
    pub(crate) fn set_by_flag(&mut self, flag: &'static str, said: Option<T>) -> anyhow::Result<()> {
        let Some(value) = said else { return Ok(()) };
        self.set(value, Source::Flag(flag)).map_err(|why| anyhow::anyhow!("{flag}: {why}"))
    }

    /// Reads it further; an error says where the value was written.
    pub(super) fn parse<R, E: fmt::Display>(
        &self,
        read: impl FnOnce(&T) -> Result<R, E>,
    ) -> anyhow::Result<R> {
        read(&self.value).map_err(|why| anyhow::anyhow!("{}: {}: {why}", self.source, self.key.name))
    }

    /// The value, if it is set.
    pub(super) fn chosen(&self) -> Option<&T> {
        (self.source != Source::Default).then_some(&self.value)
    }

    fn set(&mut self, value: T, source: Source) -> Result<(), String> {
        let shown = value.shown();
        if !value.fits(&self.key.limits) {
            return Err(self.expected(&shown));
        }
        // A variable or flag that looks like a protection but protects nothing, as from an unset variable of a script.
        if self.key.restricts && shown == NOTHING && !matches!(source, Source::File { .. }) {
            return Err(format!(
                "is empty and would protect nothing; name something, leave it out, or write {} = {NOTHING} in the file",
                self.key.name
            ));
        }
        (self.value, self.source) = (value, source);
        Ok(())
    }

    /// What it must be, said of what it is.
    fn expected(&self, got: &str) -> String {
        format!("must be {}, got {got}", T::expected(&self.key.limits))
    }
}

impl<T: Value> Layered for Setting<T> {
    fn key(&self) -> &Key {
        &self.key
    }

    fn source(&self) -> &Source {
        &self.source
    }

    fn shown(&self) -> String {
        let (_, name) = self.key.parts();
        match self.key.unset {
            Some(meaning) if self.source == Source::Default => format!("# {name}: {meaning}"),
            _ => format!("{name} = {}", self.value.shown()),
        }
    }

    fn take(&mut self, written: Written<'_>, source: Source) -> Result<(), String> {
        let value = T::read(written).ok_or_else(|| self.expected(&value::described(written)))?;
        self.set(value, source)
    }
}
