//! Where a list goes on: a kept snapshot, a position in it, the search that goes on after it, and a mark of the parameters
//! the list was asked with, since a position means nothing for others.

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
    /// The snapshot it is in; `None` when that was shown to its end, and only the search goes on.
    screen: Option<u64>,
    /// How many results of the snapshot earlier pages had.
    pub(super) start: usize,
    mark: u64,
    /// What the target calls the rest of the search, where that was not over.
    pub(super) search: Option<u64>,
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
        Self { screen: Some(screen), start, mark: mark(request), search: None }
    }

    /// The cursor of a search that goes on once its snapshot was shown to its end.
    pub(super) fn after_all(search: u64, request: &impl Hash) -> Self {
        Self { screen: None, start: 0, mark: mark(request), search: Some(search) }
    }

    /// The same, with a search that goes on after the snapshot.
    pub(super) fn before(self, search: Option<u64>) -> Self {
        Self { search, ..self }
    }

    /// Whether its snapshot was shown to its end.
    pub(super) fn is_after_all(&self) -> bool {
        self.screen.is_none()
    }

    /// The same list further on.
    pub(super) fn at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// What the list is of.
    pub(super) fn kept(&self, call: &Call) -> Result<Kept> {
        let screen = self.screen.and_then(|screen| call.attached().frozen(screen));
        screen.ok_or_else(|| expired("snapshot"))
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('t')?.split('-');
        let (screen, start): (u64, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let mark = u64::from_str_radix(parts.next()?, 16).ok()?;
        let search = parts.next().map(str::parse).transpose().ok()?;
        let screen = (screen > 0).then_some(screen);
        // Without a snapshot there must be a search.
        (parts.next().is_none() && (screen.or(search)).is_some()).then_some(Self {
            screen,
            start,
            mark,
            search,
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}-{}-{:x}", self.screen.unwrap_or_default(), self.start, self.mark)?;
        self.search.map_or(Ok(()), |search| write!(f, "-{search}"))
    }
}

fn mark(request: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.hash(&mut hasher);
    hasher.finish()
}

/// The error of a cursor whose rest is not kept any more.
pub(super) fn expired(what: &str) -> Error {
    invalid(&format!("has expired: that {what} is not kept any more"), "Ask again without a cursor.")
}

fn invalid(what: &str, guidance: &str) -> Error {
    Error::invalid(format!("Parameter 'cursor' {what}.")).with_guidance(guidance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_for_its_own_request_only() {
        let cursor = Cursor { screen: Some(3), start: 200, mark: mark(&"a"), search: None };
        for cursor in [cursor, cursor.before(Some(7)), Cursor::after_all(7, &"a")] {
            assert_eq!(Cursor::parse(&cursor.to_string(), &"a").unwrap(), cursor);
        }
        let error = Cursor::parse(&cursor.to_string(), &"b").unwrap_err();
        assert!(error.message().contains("other parameters"), "{error}");
        for wrong in ["", "t1-2", "t1-2-x", "s1-2-3", "t1-2-3-x", "t1-2-3-4-5", "t0-2-3"] {
            assert!(Cursor::parse(wrong, &"a").is_err(), "{wrong}");
        }
    }
}
