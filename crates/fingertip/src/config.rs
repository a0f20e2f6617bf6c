//! What is in force, and where each value comes from: a flag, else the environment, else the file, else the default.
//!
//! One table ([`keys`]) names every setting once; file, environment, flags and `config --show` all read it. A list given
//! in a higher place replaces one in a lower place, it does not add to it. An unknown key and a value that does not fit
//! are errors that say where: a setting that is silently ignored protects nobody. For the same reason a variable or flag
//! that should protect something must name something; a file may say `[]`.

mod allowed;
pub(crate) mod environment;
mod file;
mod keys;
mod show;
mod source;
mod value;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fingertip_android::Preference;
use fingertip_mcp::timeouts::Timeouts;

pub(crate) use keys::Flags;
use keys::{KEYS, Key};
use source::Source;
pub(crate) use value::Value;

use crate::home::Home;
use crate::{TargetSpec, listen};

/// The file in the home folder that is read unless another is named.
const FILE_NAME: &str = "config.toml";

/// What a file of this content says, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn read_as_text(content: &str) -> String {
    match file::settings(content) {
        Ok(settings) => {
            settings.iter().map(|(key, value, line)| format!("{} {value:?} {line}\n", key.name)).collect()
        }
        Err(wrong) => format!("{wrong:?}"),
    }
}

/// All settings.
#[derive(Debug)]
pub(crate) struct Config {
    file: PathBuf,
    file_exists: bool,
    home: Home,
    values: BTreeMap<&'static str, (Value, Source)>,
}

impl Config {
    /// Puts flags, environment, file and defaults together.
    ///
    /// # Errors
    /// An unknown key or a bad value, with its place; a file that cannot be read, or that others can change.
    pub(crate) fn load(named: Option<&Path>, flags: Flags) -> anyhow::Result<Self> {
        let home = Home::find()?;
        let file = named.map_or_else(|| home.path().join(FILE_NAME), Path::to_owned);
        let read = file::read(&file, named.is_some())?;
        let file_exists = read.is_some();
        let mut values = BTreeMap::new();
        for (key, value, line) in read.unwrap_or_default() {
            values.insert(key.name, (value, Source::File { path: file.clone(), line }));
        }
        for key in KEYS {
            if let Some(value) = from_environment(key)? {
                values.insert(key.name, (value, Source::Environment(key.variable)));
            }
        }
        for (name, value) in flags {
            let key = keys::find(name).with_context(|| format!("no setting is called {name}"))?;
            let source = Source::Flag(key.flag.unwrap_or(name));
            let value = value.without_blanks();
            key.kind.check(&value).map_err(|why| anyhow::anyhow!("{source}: {why}"))?;
            key.check_purpose(&value).map_err(|why| anyhow::anyhow!("{source}: {why}"))?;
            values.insert(key.name, (value, source));
        }
        for key in KEYS {
            values.entry(key.name).or_insert_with(|| ((key.default)(&home), Source::Default));
        }
        Ok(Self { file, file_exists, home, values })
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// The targets to serve.
    ///
    /// # Errors
    /// A text that names none.
    pub(crate) fn targets(&self) -> anyhow::Result<Vec<TargetSpec>> {
        self.parse("server.targets", |config| {
            config.list("server.targets").iter().map(|text| text.parse()).collect::<Result<_, String>>()
        })
    }

    /// How long reading a desktop may take.
    ///
    /// # Errors
    /// A change that is none, with where it was written.
    pub(crate) fn timeouts(&self) -> anyhow::Result<Timeouts> {
        self.parse("server.timeouts", |config| {
            config
                .list("server.timeouts")
                .iter()
                .try_fold(Timeouts::default(), |known, change| known.with(change))
        })
    }

    /// How phones are driven.
    ///
    /// # Errors
    /// A name of no driver, with where it was written.
    pub(crate) fn driver(&self) -> anyhow::Result<Preference> {
        self.parse("server.driver", |config| match config.text("server.driver") {
            Some(name) if !name.is_empty() => name.parse(),
            _ => Ok(Preference::default()),
        })
    }

    /// Where to listen.
    ///
    /// # Errors
    /// A text that names no address, or several.
    pub(crate) fn listen(&self) -> anyhow::Result<SocketAddr> {
        self.parse("server.listen", |config| listen::parse(config.text("server.listen").unwrap_or_default()))
    }

    /// A setting and where it comes from. Every name used in this program is in the table, so that it is there.
    fn get(&self, name: &str) -> (&Value, &Source) {
        let (value, source) = &self.values[name];
        (value, source)
    }

    /// Whether nobody set it.
    fn is_default(&self, name: &str) -> bool {
        *self.get(name).1 == Source::Default
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.get(name).0, Value::Flag(true))
    }

    pub(crate) fn count(&self, name: &str) -> u64 {
        if let Value::Count(count) = self.get(name).0 { *count } else { 0 }
    }

    /// A text; `None` where none is set.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        if let Value::Text(text) = self.get(name).0 {
            Some(text).filter(|text| !text.is_empty()).map(String::as_str)
        } else {
            None
        }
    }

    pub(crate) fn list(&self, name: &str) -> &[String] {
        if let Value::List(list) = self.get(name).0 { list } else { &[] }
    }

    /// Reads a setting further; an error tells where the value was written.
    pub(crate) fn parse<T, E: std::fmt::Display>(
        &self,
        name: &str,
        read: impl FnOnce(&Self) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        read(self).map_err(|why| anyhow::anyhow!("{}: {name}: {why}", self.get(name).1))
    }
}

fn from_environment(key: &Key) -> anyhow::Result<Option<Value>> {
    match std::env::var(key.variable) {
        Ok(text) => {
            let value = key.kind.read(&text);
            let value = value.and_then(|value| key.check_purpose(&value).map(|()| value));
            value.map(Some).map_err(|why| anyhow::anyhow!("{}: {why}", key.variable))
        }
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => bail!("{}: not a text", key.variable),
    }
}
