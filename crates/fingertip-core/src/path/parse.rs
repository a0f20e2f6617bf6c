//! Reading a path, strictly: what cannot be written is not read.

use std::str::FromStr;

use super::{ElementPath, MAX_STEPS, PathApp, Step, Which, unescape};
use crate::Role;

/// Why a text is not a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {position}")]
pub struct NotAPath {
    /// What was expected there.
    problem: &'static str,
    /// Counted from one.
    position: usize,
}

impl FromStr for ElementPath {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let mut reader = Reader { text, rest: text };
        reader.expect("app(", "a path starts with app(")?;
        let app = reader.app()?;
        reader.expect(")", "')' is missing")?;
        reader.expect("/", "'/' and a window must follow")?;
        let before = reader.rest;
        let Step { role, which: window } = reader.step()?;
        if role != Role::Window {
            reader.rest = before;
            return reader.fail("the first step must be a window");
        }
        let mut steps = Vec::new();
        while !reader.rest.is_empty() {
            reader.expect("/", "'/' must follow")?;
            if steps.len() == MAX_STEPS {
                return reader.fail("there are too many steps");
            }
            steps.push(reader.step()?);
        }
        Ok(Self { app, window, steps })
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn fail<T>(&self, problem: &'static str) -> Result<T, NotAPath> {
        let read = &self.text[..self.text.len() - self.rest.len()];
        Err(NotAPath { problem, position: read.chars().count() + 1 })
    }

    fn expect(&mut self, word: &str, problem: &'static str) -> Result<(), NotAPath> {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => self.fail(problem),
        }
    }

    fn app(&mut self) -> Result<PathApp, NotAPath> {
        if self.rest.starts_with('"') {
            return self.quoted().map(PathApp::Named);
        }
        self.number("a process id or a name in quotes must follow").map(PathApp::Pid)
    }

    fn step(&mut self) -> Result<Step, NotAPath> {
        let end = self.rest.find(['[', '/']).unwrap_or(self.rest.len());
        let Some(role) = Role::parse(&self.rest[..end]) else { return self.fail("no such role") };
        self.rest = &self.rest[end..];
        self.expect("[", "'[' with a place or a title must follow")?;
        let which = if self.rest.starts_with('"') {
            Which::Title(self.quoted()?)
        } else {
            Which::Index(self.number("a place from 0 on or a title in quotes must follow")?)
        };
        self.expect("]", "']' is missing")?;
        Ok(Step { role, which })
    }

    fn number<T: FromStr>(&mut self, problem: &'static str) -> Result<T, NotAPath> {
        let end = self.rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(self.rest.len());
        match self.rest[..end].parse() {
            Ok(number) => {
                self.rest = &self.rest[end..];
                Ok(number)
            }
            Err(_) => self.fail(problem),
        }
    }

    fn quoted(&mut self) -> Result<Box<str>, NotAPath> {
        self.expect("\"", "'\"' must follow")?;
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(text.into()),
                Some('\\') => text.push(self.escaped()?),
                Some(character) => text.push(character),
                None => return self.fail("the title is not closed with '\"'"),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, NotAPath> {
        match unescape(self.rest) {
            Some((character, rest)) => {
                self.rest = rest;
                Ok(character)
            }
            None => self.fail("no such escape"),
        }
    }

    fn next(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }
}
