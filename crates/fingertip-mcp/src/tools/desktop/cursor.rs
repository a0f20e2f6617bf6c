//! Where a list goes on: a kept snapshot, a position in it, and a mark of the parameters the list was asked with,
//! since a position means nothing for others.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use fingertip_core::target::App;
use fingertip_core::{Error, Result, Snapshot};

use crate::attached::Kept;
use crate::call::Call;

/// Where a list goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    screen: u64,
    /// How many results earlier pages had.
    pub(super) start: usize,
    mark: u64,
}

impl Cursor {
    /// Reads a cursor of a call with this request.
    pub(super) fn parse(text: &str, request: &impl Hash) -> Result<Self> {
        let cursor = Self::read(text).ok_or_else(|| {
            invalid("must be the nextCursor of an earlier reply", "Ask again without a cursor.")
        })?;
        if cursor.mark != mark(request) {
            return Err(invalid(
                "belongs to a call with other parameters",
                "Repeat the parameters of the first call beside the cursor, or ask again without one.",
            ));
        }
        Ok(cursor)
    }

    /// The cursor after the first page of a request; the snapshot is kept for it.
    pub(super) fn after_first(
        call: &Call,
        snapshot: &Arc<Snapshot>,
        app: Option<&App>,
        start: usize,
        request: &impl Hash,
    ) -> Self {
        let screen = call.attached().freeze(Arc::clone(snapshot), app.cloned());
        Self { screen, start, mark: mark(request) }
    }

    /// The same list further on.
    pub(super) fn at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// What the list is of.
    pub(super) fn kept(&self, call: &Call) -> Result<Kept> {
        call.attached().frozen(self.screen).ok_or_else(|| {
            invalid("has expired: that snapshot is not kept any more", "Ask again without a cursor.")
        })
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('t')?.split('-');
        let (screen, start) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let mark = u64::from_str_radix(parts.next()?, 16).ok()?;
        parts.next().is_none().then_some(Self { screen, start, mark })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}-{}-{:x}", self.screen, self.start, self.mark)
    }
}

fn mark(request: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.hash(&mut hasher);
    hasher.finish()
}

fn invalid(what: &str, guidance: &str) -> Error {
    Error::invalid(format!("Parameter 'cursor' {what}.")).with_guidance(guidance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_for_its_own_request_only() {
        let cursor = Cursor { screen: 3, start: 200, mark: mark(&"a") };
        assert_eq!(Cursor::parse(&cursor.to_string(), &"a").unwrap(), cursor);
        let error = Cursor::parse(&cursor.to_string(), &"b").unwrap_err();
        assert!(error.message().contains("other parameters"), "{error}");
        for wrong in ["", "t1-2", "t1-2-x", "s1-2-3", "t1-2-3-4"] {
            assert!(Cursor::parse(wrong, &"a").is_err(), "{wrong}");
        }
    }
}
