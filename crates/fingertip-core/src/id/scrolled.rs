//! Pairs the children of a matched node that scrolls.
//!
//! Rows come and go, and platforms use one view for many of them, so neither place nor handle says who a row
//! is: only what it says, checked against its neighbours and the order of the others, since two rows may say
//! the same and never be seen together. A row that says something else is the same row only between the same
//! neighbours, moved exactly as they moved.

use super::groups::in_order;
use super::matching::{Context, Matching, Siblings};
use super::sketch::{Sketch, shifted};

/// How many rows must have changed places before the list counts as sorted again, and not one row that left while
/// another of the same words came in.
const FEWEST_SORTED: usize = 2;

/// Pairs `siblings`, rows of the same container.
pub(super) fn pair(matching: &mut Matching<'_>, siblings: &mut Siblings) {
    if let (&[before], &[now]) = (&siblings.old[..], &siblings.new[..])
        && is_inner_box(matching.old.at(before), matching.new.at(now))
    {
        return matching.accept(before, now, Context { steady: false, scrolls: true });
    }
    let rows = same_words(matching, siblings);
    for &(before, now) in &rows {
        matching.accept(before, now, Context { steady: true, scrolls: false });
    }
    for (before, now) in relabelled(matching, siblings, &rows) {
        matching.accept(before, now, Context { steady: true, scrolls: false });
    }
}

/// The one box that holds all that scrolls, and not the only visible row.
fn is_inner_box(before: &Sketch, now: &Sketch) -> bool {
    let is_box = |node: &Sketch| node.holds_rows && !node.scrollable;
    before.base == now.base && is_box(before) && is_box(now)
}

/// The rows that are the same by what they say, in the order of the new ones.
fn same_words(matching: &Matching<'_>, siblings: &mut Siblings) -> Vec<(u32, u32)> {
    let candidates = candidates(matching, siblings);
    let (old, new) = (&siblings.old, &siblings.new);
    let ordered = in_order(&candidates);
    let strays = candidates.len() - ordered.len();
    if candidates.len() == old.len() && candidates.len() == new.len() && strays >= FEWEST_SORTED {
        return candidates;
    }
    let neighbours = |pair: &(u32, u32)| Neighbours::of(matching, *pair);
    let (sure, unsure): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|pair| neighbours(pair) == Neighbours::Same);
    let sure = in_order(&sure);
    let unsure = uncrossed(unsure, &sure);
    let few = old.len().min(new.len());
    let (most, half) = ((sure.len() + unsure.len()) * 2 > few, (sure.len() + unsure.len()) * 2 == few);
    let accepted = unsure.into_iter().filter(|&(before, now)| {
        let (was, is) = (matching.old.at(before), matching.new.at(now));
        match neighbours(&(before, now)) {
            _ if was.label == 0 => false,
            _ if most => true,
            Neighbours::Other => half && was.bounds == is.bounds,
            _ => was.content == is.content || matching.evidence.is_steady(before, now, false),
        }
    });
    let mut rows: Vec<_> = accepted.chain(sure.iter().copied()).collect();
    rows.sort_unstable_by_key(|pair| pair.1);
    rows
}

/// The pairs that alone say what they say, or of which the first words still do.
fn candidates(matching: &Matching<'_>, siblings: &mut Siblings) -> Vec<(u32, u32)> {
    let Siblings { old, new, groups } = siblings;
    let content = |row: &Sketch| if row.is_distinctive() { row.content } else { 0 };
    let mut pairs = groups.unique(
        old.iter().map(|&row| (content(matching.old.at(row)), row)),
        new.iter().map(|&row| (content(matching.new.at(row)), row)),
    );
    let mut changed = groups.unique(
        old.iter().map(|&row| (matching.old.at(row).label, row)),
        new.iter().map(|&row| (matching.new.at(row).label, row)),
    );
    changed.retain(|pair| matching.old.at(pair.0).content != matching.new.at(pair.1).content);
    pairs.append(&mut changed);
    pairs.sort_unstable_by_key(|pair| pair.1);
    pairs
}

/// Those of the `unsure` pairs that change places neither with a sure pair nor with each other.
///
/// Of two that change places one row may have left and another of the same words come in.
fn uncrossed(mut unsure: Vec<(u32, u32)>, sure: &[(u32, u32)]) -> Vec<(u32, u32)> {
    unsure.retain(|pair| {
        sure.partition_point(|other| other.0 < pair.0) == sure.partition_point(|other| other.1 < pair.1)
    });
    let mut lowest_after = vec![u32::MAX; unsure.len() + 1];
    for index in (0..unsure.len()).rev() {
        lowest_after[index] = lowest_after[index + 1].min(unsure[index].0);
    }
    let mut highest = None;
    let mut index = 0;
    unsure.retain(|pair| {
        index += 1;
        let is_uncrossed = Some(pair.0) > highest && pair.0 < lowest_after[index];
        highest = highest.max(Some(pair.0));
        is_uncrossed
    });
    unsure
}

/// What the rows next to a row say, then and now.
#[derive(PartialEq, Eq)]
enum Neighbours {
    /// One of them is the same.
    Same,
    /// None of them is known of both times.
    Unseen,
    /// They are others.
    Other,
}

impl Neighbours {
    fn of(matching: &Matching<'_>, (before, now): (u32, u32)) -> Self {
        let (before, now) = (matching.old.at(before).neighbours, matching.new.at(now).neighbours);
        let known = || before.iter().zip(&now).filter(|side| *side.0 != 0 && *side.1 != 0);
        if known().any(|side| side.0 == side.1) {
            Self::Same
        } else if known().next().is_some() {
            Self::Other
        } else {
            Self::Unseen
        }
    }
}

/// The rows that say something else, between the same rows and moved exactly as these.
fn relabelled(matching: &Matching<'_>, siblings: &Siblings, rows: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let anchors = in_order(rows);
    let mut found = Vec::new();
    for index in 0..=anchors.len() {
        let above = index.checked_sub(1).map(|above| anchors[above]);
        let below = anchors.get(index).copied();
        let before = between(&siblings.old, above.map(|pair| pair.0), below.map(|pair| pair.0));
        let now = between(&siblings.new, above.map(|pair| pair.1), below.map(|pair| pair.1));
        let Some(anchor) = above.or(below) else { continue };
        let moved = movement(matching, anchor);
        let rigid = [above, below].into_iter().flatten().all(|pair| movement(matching, pair) == moved);
        let at_edge = above.is_none() || below.is_none();
        if before.len() == now.len() && rigid {
            let pairs = before.iter().copied().zip(now.iter().copied());
            if pairs.clone().all(|pair| moved_along(matching, pair, moved))
                && (!at_edge || (moved == (0, 0) && is_one_of_a_kind(matching, siblings, before, now)))
            {
                found.extend(
                    pairs.filter(|pair| matching.is_old_free(pair.0) && matching.is_new_free(pair.1)),
                );
            }
        }
    }
    found
}

fn between(rows: &[u32], above: Option<u32>, below: Option<u32>) -> &[u32] {
    let start = above.map_or(0, |above| rows.partition_point(|&row| row <= above));
    let end = below.map_or(rows.len(), |below| rows.partition_point(|&row| row < below));
    &rows[start..end.max(start)]
}

fn movement(matching: &Matching<'_>, (before, now): (u32, u32)) -> (i64, i64) {
    let (before, now) = (matching.old.at(before).bounds, matching.new.at(now).bounds);
    (i64::from(now.left) - i64::from(before.left), i64::from(now.top) - i64::from(before.top))
}

/// Whether a row, which may have grown or shrunk with its text, moved by this much.
fn moved_along(matching: &Matching<'_>, (before, now): (u32, u32), (right, down): (i64, i64)) -> bool {
    let (before, now) = (matching.old.at(before), matching.new.at(now));
    let (from, to) = (shifted(before.bounds, right, down), now.bounds);
    before.base == now.base
        && (from.left == to.left
            || from.right == to.right
            || from.center().x.total_cmp(&to.center().x).is_eq())
        && (from.top == to.top || from.bottom == to.bottom)
}

/// At the edge of what is visible one row may have made room for the next: only a row unlike all others is
/// sure to be the same there.
fn is_one_of_a_kind(matching: &Matching<'_>, siblings: &Siblings, before: &[u32], now: &[u32]) -> bool {
    let (&[before], &[now]) = (before, now) else { return false };
    let old_base = |row: u32| matching.old.at(row).base;
    let new_base = |row: u32| matching.new.at(row).base;
    siblings.old.iter().all(|&row| row == before || old_base(row) != old_base(before))
        && siblings.new.iter().all(|&row| row == now || new_base(row) != new_base(now))
}
