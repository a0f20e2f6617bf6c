//! Which cells of a spreadsheet can be seen, and hold something.
//!
//! A sheet claims a child for each of its cells, two thousand million of them, and makes those it is asked for, each at half
//! a millisecond. The cells at two corners of the view show which rows and columns are visible. Of those between, some
//! evenly spread are touched, and then the neighbours of every one that holds text or the focus: content stands in blocks.
//! A cell that stands alone between the spread ones is not found, and a note says so.
//!
//! The next look may be given other objects for the same cells, so that a cell is known by its row and column. While the
//! objects of the last look answer they are asked again: each new one costs the application memory that it does not get back.

use std::collections::BTreeSet;

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::Source;
use super::visible::{self, INSET};
use super::walk::IN_FLIGHT;
use crate::bus::{Answer, Answered, CallError};
use crate::handle::Handle;

/// From so many columns on a table is read as a sheet: its neighbours in a column are far apart in the list of children.
const WIDE: i32 = 64;
/// The most visible cells that are touched in one look.
const MOST_CELLS: usize = 1_000;
/// Every so many rows and columns a cell is touched first; besides the first row and the first visible column.
const SPREAD: usize = 5;
/// How many columns to each side of a cell that holds something are touched: a row has gaps.
const REACH: i32 = 3;
/// How many cells are asked at once.
const CELLS_IN_FLIGHT: usize = 4 * IN_FLIGHT;

/// The cells of a sheet that were read.
pub(super) struct Cells {
    /// Those that hold something, by row and column.
    pub(super) filled: Vec<Handle>,
    /// A note on the cells that were not read.
    pub(super) note: Option<&'static str>,
}

type Place = (i32, i32);

/// The visible cells that hold something; `None` when it is no sheet.
pub(super) async fn cells(source: &dyn Source, table: &Handle) -> Answer<Option<Cells>> {
    let columns = source.columns(table).await.missing_ok()?.filter(|columns| *columns >= WIDE);
    let Some(columns) = columns else { return Ok(None) };
    let cells = filled(source, table, columns).await.missing_ok()?;
    Ok(Some(cells.unwrap_or_else(unknown)))
}

/// A sheet that does not report what lies where is not asked for anything more.
fn unknown() -> Cells {
    Cells { filled: Vec::new(), note: Some("a sheet does not report which of its cells are visible") }
}

async fn filled(source: &dyn Source, table: &Handle, columns: i32) -> Answer<Cells> {
    let area = visible::area(source, table).await?;
    let Some((first, last)) = corners(source, table, area, columns).await? else { return Ok(unknown()) };
    let mut next: BTreeSet<Place> = spread(first, last);
    let mut touched: BTreeSet<Place> = BTreeSet::new();
    let mut found: Vec<(Place, Handle)> = Vec::new();
    while !next.is_empty() && touched.len() < MOST_CELLS {
        let places: Vec<Place> = next.into_iter().take(MOST_CELLS - touched.len()).collect();
        touched.extend(&places);
        let asked = stream::iter(places).map(async |(row, column)| {
            let (cell, is_filled) = touch(source, table, row, column).await?;
            Ok::<_, CallError>(is_filled.then_some(((row, column), cell)))
        });
        let filled: Vec<(Place, Handle)> =
            asked.buffered(CELLS_IN_FLIGHT).try_filter_map(async |cell| Ok(cell)).try_collect().await?;
        let around = filled.iter().flat_map(|(place, _)| neighbours(*place, first, last));
        next = around.filter(|place| !touched.contains(place)).collect();
        found.extend(filled);
    }
    found.sort_by_key(|(place, _)| *place);
    let (rows, columns) = ((last.0 - first.0 + 1).max(0), (last.1 - first.1 + 1).max(0));
    let all = usize::try_from(i64::from(rows) * i64::from(columns)).unwrap_or(usize::MAX);
    let note = (touched.len() < all)
        .then_some("of a sheet some cells were looked at, and all next to one that holds something");
    let filled = found.into_iter().map(|((row, column), cell)| cell.in_place(table, row, column));
    Ok(Cells { filled: filled.collect(), note })
}

/// A cell, and whether it holds something: the object that was reported a moment ago, or another where that is gone.
async fn touch(source: &dyn Source, table: &Handle, row: i32, column: i32) -> Answer<(Handle, bool)> {
    if let Some(known) = source.known_cell(table, row, column)
        && let Some(is_filled) = source.is_filled(&known).await.missing_ok()?
    {
        return Ok((known, is_filled));
    }
    let cell = source.cell_at(table, row, column).await?;
    let is_filled = !cell.is_nothing() && source.is_filled(&cell).await.missing_ok()?.unwrap_or_default();
    Ok((cell, is_filled))
}

/// The cells that are touched first.
fn spread(first: Place, last: Place) -> BTreeSet<Place> {
    let rows = (first.0..=last.0).step_by(SPREAD);
    let between = rows.flat_map(|row| (first.1..=last.1).step_by(SPREAD).map(move |column| (row, column)));
    let top = (first.1..=last.1).map(|column| (first.0, column));
    let left = (first.0..=last.0).map(|row| (row, first.1));
    between.chain(top).chain(left).take(MOST_CELLS).collect()
}

/// The cells around one, as far as they are visible.
fn neighbours((row, column): Place, first: Place, last: Place) -> impl Iterator<Item = Place> {
    let rows = (row - 1).max(first.0)..=(row + 1).min(last.0);
    let columns = (column - REACH).max(first.1)..=(column + REACH).min(last.1);
    rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
}

/// Row and column of the first and the last visible cell.
async fn corners(
    source: &dyn Source,
    table: &Handle,
    area: Rect,
    columns: i32,
) -> Answer<Option<(Place, Place)>> {
    let first = source.child_at_point(table, area.left + INSET, area.top + INSET);
    let last = source.child_at_point(table, area.right - INSET, area.bottom - INSET);
    let (Some(first), Some(last)) = tokio::try_join!(first, last)? else { return Ok(None) };
    let confirmed = async |(cell, index): (Handle, i32)| {
        // Far down a sheet the index is beyond what its number holds.
        if index < 0 {
            return Ok(None);
        }
        let place = (index / columns, index % columns);
        // LibreOffice makes another object of the same cell each time, so that cells are compared by their places.
        let same = async { source.extents(&source.cell_at(table, place.0, place.1).await?).await };
        let (known, found) = tokio::try_join!(source.extents(&cell), same)?;
        Ok::<_, CallError>((known == found).then_some(place))
    };
    let (first, last) = tokio::try_join!(confirmed(first), confirmed(last))?;
    Ok(first.zip(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_first_is_bounded_and_has_both_edges() {
        let places = spread((10, 3), (59, 24));
        assert!(places.len() < 150, "{}", places.len());
        assert!((10..=59).all(|row| places.contains(&(row, 3))));
        assert!((3..=24).all(|column| places.contains(&(10, column))));
        assert_eq!(spread((0, 0), (i32::MAX, i32::MAX)).len(), MOST_CELLS);
    }

    #[test]
    fn neighbours_stay_in_view() {
        assert_eq!(neighbours((0, 0), (0, 0), (9, 9)).count(), 8);
        assert_eq!(neighbours((5, 5), (0, 0), (9, 9)).count(), 21);
    }
}
