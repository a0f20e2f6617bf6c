//! The objects of cells that a sheet was asked for a moment ago.
//!
//! LibreOffice makes another object each time it is asked for a cell, and never gives back all of its memory: seven
//! kilobytes each, more than a megabyte for every look at a sheet. An object answers for half a minute after it was handed
//! out. So it is asked again while it does, which is quicker too.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;

use crate::handle::Handle;

/// How long an object is asked again. atk-bridge keeps it for ten seconds more, in which the look must come to its end.
const ASKED_FOR: Duration = Duration::from_secs(20);
/// The most objects that are kept: a few looks at sheets of which every cell is touched.
const MOST: usize = 5_000;

/// The path of a sheet, a row and a column.
type Place = (Box<str>, i32, i32);

/// The objects of the cells of one application.
#[derive(Debug, Default)]
pub(crate) struct KnownCells(Mutex<HashMap<Place, (Handle, Instant)>>);

impl KnownCells {
    /// The object of a cell, if it still answers.
    pub(crate) fn get(&self, table: &Handle, row: i32, column: i32, now: Instant) -> Option<Handle> {
        let known = lock(&self.0);
        let (cell, since) = known.get(&(table.path.clone(), row, column))?;
        (now.duration_since(*since) < ASKED_FOR).then(|| cell.clone())
    }

    /// Keeps the object of a cell that was handed out now.
    pub(crate) fn keep(&self, table: &Handle, row: i32, column: i32, cell: &Handle, now: Instant) {
        let mut known = lock(&self.0);
        if known.len() >= MOST {
            known.retain(|_, (_, since)| now.duration_since(*since) < ASKED_FOR);
        }
        if known.len() < MOST {
            known.insert((table.path.clone(), row, column), (cell.clone(), now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_known_for_a_while_by_its_sheet_row_and_column() {
        let (known, begun) = (KnownCells::default(), Instant::now());
        let (sheet, other) = (Handle::new(":1.2", "/sheet"), Handle::new(":1.2", "/other"));
        let cell = Handle::new(":1.2", "/7");
        known.keep(&sheet, 2, 3, &cell, begun);
        let at =
            |table, row, column, seconds| known.get(table, row, column, begun + Duration::from_secs(seconds));
        assert_eq!(at(&sheet, 2, 3, 19), Some(cell));
        assert_eq!(at(&sheet, 2, 3, 20), None);
        assert_eq!((at(&sheet, 3, 2, 0), at(&other, 2, 3, 0)), (None, None));
    }

    #[test]
    fn many_cells_are_not_all_kept_and_old_ones_make_room() {
        let (known, begun) = (KnownCells::default(), Instant::now());
        let (sheet, cell) = (Handle::new(":1.2", "/sheet"), Handle::new(":1.2", "/7"));
        for row in 0..6_000 {
            known.keep(&sheet, row, 0, &cell, begun);
        }
        assert_eq!(known.0.lock().unwrap().len(), MOST);
        known.keep(&sheet, 9_000, 0, &cell, begun + ASKED_FOR);
        assert_eq!(known.0.lock().unwrap().len(), 1);
    }
}
