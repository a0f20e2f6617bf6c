//! Where a node stands, written as text: `app(4711)/window["Notes"]/group[1]/button["Save"]`.
//!
//! A step names a child by its role, and by its title in quotes or its place among the siblings of that role,
//! counted from zero. Within quotes `\"`, `\\`, `\n`, `\r`, `\t` and `\u{..}` stand for what they do in most
//! languages, so any title survives; a `/` needs nothing. The first step is a window of the application, which
//! is named by its process, or in quotes by its name where there is no process id.
//!
//! A path is read as it stands: it names whatever is there when it is used, and nothing when that is not
//! exactly one node. An id follows its node, a path does not.

mod parse;
mod place;
#[cfg(test)]
mod tests;

use std::fmt;

pub use parse::NotAPath;
pub use place::{of, resolve, title};

use crate::Role;
use crate::target::AppRef;
use crate::visible::{Visibilities, Visibility, push_escape};

/// The longest title that stands in a path, in characters; a node with a longer one is named by its place.
pub const MAX_TITLE: usize = 100;

/// The most steps a path may have.
pub const MAX_STEPS: usize = 256;

/// Where a node stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ElementPath {
    /// The application.
    pub app: PathApp,
    /// Which of its windows.
    pub window: Which,
    /// From the window down.
    pub steps: Vec<Step>,
}

/// An application as a path names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathApp {
    /// By its process.
    Pid(u32),
    /// By its package, bundle or program name.
    Named(Box<str>),
}

/// One level down.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    /// The role of the child.
    pub role: Role,
    /// Which of the children of that role.
    pub which: Which,
}

/// One of several siblings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Which {
    /// By its place among them, from zero.
    Index(usize),
    /// By its title.
    Title(Box<str>),
}

impl PathApp {
    /// Whether this window belongs to it.
    #[must_use]
    pub fn owns(&self, window: &crate::Window) -> bool {
        match self {
            Self::Pid(pid) => window.pid == Some(*pid),
            Self::Named(name) => window.app.as_deref() == Some(name),
        }
    }
}

impl From<&AppRef> for PathApp {
    fn from(app: &AppRef) -> Self {
        app.pid.map_or_else(|| Self::Named(app.name.clone()), Self::Pid)
    }
}

impl fmt::Display for ElementPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.app {
            PathApp::Pid(pid) => write!(f, "app({pid})")?,
            PathApp::Named(name) => write!(f, "app({})", Quoted(name))?,
        }
        write!(f, "/{}{}", Role::Window, self.window)?;
        self.steps.iter().try_for_each(|step| write!(f, "/{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.role, self.which)
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Title(title) => write!(f, "[{}]", Quoted(title)),
        }
    }
}

/// A text in quotes. What cannot be seen is escaped, so that a path is one line and says all that it means.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut out = String::with_capacity(self.0.len());
        for (character, visibility) in Visibilities::of(self.0) {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                seen if visibility == Visibility::Seen => out.push(seen),
                hidden => push_escape(&mut out, hidden),
            }
        }
        f.write_str(&out)?;
        f.write_str("\"")
    }
}

/// The character that an escape of [`Quoted`] stands for, read after its backslash, and what follows.
pub(crate) fn unescape(text: &str) -> Option<(char, &str)> {
    let mut rest = text.chars();
    let character = match rest.next()? {
        same @ ('"' | '\\') => same,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let (digits, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            return Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, after));
        }
        _ => return None,
    };
    Some((character, rest.as_str()))
}
