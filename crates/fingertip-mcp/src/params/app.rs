//! An application: a name, or the number of its process.

use std::fmt;

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, MAX_CHARACTERS, Meaning, Optional, Param, wrong};
use crate::surroundings::Surroundings;

/// The name of every such parameter.
pub(crate) const APP: &str = "app";
const WANTED: &str = "a name that is not empty or a process id";

/// The application a call names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum WantedApp {
    /// By a name, a package or bundle id, or the digits of a process id.
    Named(String),
    /// By its process.
    Pid(u32),
}

impl WantedApp {
    /// The application that a value of this parameter names.
    ///
    /// # Errors
    /// When it is neither a name nor a process id.
    pub(crate) fn of(value: &Value) -> Result<Self> {
        check(value)
    }

    /// The process id it may be: a number, or a name that is one.
    #[must_use]
    pub(crate) fn pid(&self) -> Option<u32> {
        match self {
            Self::Pid(pid) => Some(*pid),
            Self::Named(name) if name.bytes().all(|byte| byte.is_ascii_digit()) => name.parse().ok(),
            Self::Named(_) => None,
        }
    }
}

/// An application that a call must name. [`AppName::optional`] gives one that it may leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AppName {
    description: &'static str,
    meaning: Meaning,
}

/// An application that a call may name.
pub(crate) type OptionalAppName = Optional<AppName>;

impl AppName {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(description: &'static str) -> Self {
        Self { description, meaning: Meaning::App }
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(description: &'static str) -> OptionalAppName {
        Optional(Self::required(description))
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing, or neither a name nor a process id.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<WantedApp> {
        check(arguments.required(APP)?)
    }
}

impl Optional<AppName> {
    /// The application whose part of the screen a tool looks at that knows none itself; only desktops are read so.
    #[must_use]
    pub(crate) const fn looked_at(mut self) -> Self {
        self.0.meaning = Meaning::Scope;
        self
    }

    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// When it is neither a name nor a process id.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<WantedApp>> {
        arguments.value(APP).map(check).transpose()
    }
}

fn check(value: &Value) -> Result<WantedApp> {
    let named = value.as_str().filter(|name| !name.is_empty() && name.chars().nth(MAX_CHARACTERS).is_none());
    let process = || {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 1.0)?;
        (number <= f64::from(u32::MAX)).then_some(number as u32)
    };
    named
        .map(|name| WantedApp::Named(name.to_owned()))
        .or_else(|| process().map(WantedApp::Pid))
        .ok_or_else(|| wrong(APP, WANTED, value))
}

impl fmt::Display for WantedApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Pid(pid) => write!(f, "{pid}"),
        }
    }
}

impl From<&str> for WantedApp {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<u32> for WantedApp {
    fn from(pid: u32) -> Self {
        Self::Pid(pid)
    }
}

impl Param for AppName {
    fn name(&self) -> &'static str {
        APP
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        json!({
            "type": ["string", "integer"],
            "description": self.description,
            "minLength": 1,
            "maxLength": MAX_CHARACTERS,
            "minimum": 1,
            "maximum": u32::MAX,
        })
    }

    fn is_offered(&self, surroundings: Surroundings) -> bool {
        self.meaning != Meaning::Scope || surroundings.desktop
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }
}
