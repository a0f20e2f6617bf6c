//! Searches that may take more than one call.

use super::Scope;
use crate::Snapshot;
use crate::select::Sought;

/// What to look for, and where.
#[derive(Debug, Clone, Copy)]
pub struct SearchRequest<'a> {
    /// Where to look, what is off screen included.
    pub scope: &'a Scope,
    /// What to look for.
    pub sought: &'a Sought,
    /// How many are enough for this call. A driver may find some more.
    pub most: usize,
    /// Where an earlier call ended: its [`SearchPage::next`].
    pub from: Option<u64>,
}

/// What one call of a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchPage {
    /// What was found, in what it is in; a driver that reads everything anyway gives all of it. It does not hold what
    /// earlier calls of the same search found. [`Snapshot::cut`] says how far the search came when it ran out of time.
    pub snapshot: Snapshot,
    /// Names the rest of the search, where there is one. It is kept for a while.
    pub next: Option<u64>,
}
