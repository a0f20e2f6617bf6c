//! How an element is named in a snapshot.
//!
//! The system names an element by a reference alone, which is no text. So each application has a table of the elements that were
//! read, each with a number that is never given twice. The same element, by CFEqual, keeps its number for as long as it is in
//! the table; the table is bounded, and forgets what was not read for the longest time.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use fingertip_core::sync::lock;
use fingertip_core::{Error, Node, Reason};
use rustc_hash::FxHashMap;

use crate::element::Element;

/// The most elements of an application that are known at a time.
const MOST: usize = 60_000;
/// How many stay when there are too many.
const KEPT: usize = 40_000;

/// The number that the next element gets. One sequence for all applications, so that the number of one that has ended never
/// names an element of the next with the same process id.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The name of an element in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(crate) pid: i32,
    pub(crate) number: u64,
}

impl Handle {
    /// The element behind a node of a snapshot.
    ///
    /// # Errors
    /// When the node was not read from this desktop.
    pub(crate) fn of(node: &Node) -> Result<Self, Error> {
        let handle = node.handle.as_deref().and_then(|handle| handle.parse().ok());
        handle.ok_or_else(|| Error::new(Reason::Stale, "The element was not read from this desktop."))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.pid, self.number)
    }
}

/// The text names no element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a handle is a process and a number, such as 501/17")]
pub(crate) struct NotAHandle;

impl FromStr for Handle {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        let (pid, number) = text.split_once('/').ok_or(NotAHandle)?;
        let number = number.parse().map_err(|_| NotAHandle)?;
        Ok(Self { pid: pid.parse().map_err(|_| NotAHandle)?, number })
    }
}

/// The elements of one application that have a number.
#[derive(Debug, Default)]
pub(crate) struct Handles(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    numbers: FxHashMap<Element, u64>,
    known: FxHashMap<u64, Known>,
    /// How many snapshots were made.
    readings: u64,
}

#[derive(Debug)]
struct Known {
    element: Element,
    /// In which reading it was last.
    seen: u64,
}

impl Handles {
    /// Begins the next reading: what is named from now on was seen in it.
    pub(crate) fn begin(&self) {
        let mut table = lock(&self.0);
        table.readings += 1;
        if table.known.len() > MOST {
            table.forget();
        }
    }

    /// The number of an element.
    pub(crate) fn number(&self, element: &Element) -> u64 {
        let mut table = lock(&self.0);
        let seen = table.readings;
        if let Some(&number) = table.numbers.get(element) {
            if let Some(known) = table.known.get_mut(&number) {
                known.seen = seen;
            }
            return number;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        table.numbers.insert(element.clone(), number);
        table.known.insert(number, Known { element: element.clone(), seen });
        number
    }

    /// The element of a number.
    pub(crate) fn element(&self, number: u64) -> Option<Element> {
        lock(&self.0).known.get(&number).map(|known| known.element.clone())
    }
}

impl Table {
    fn forget(&mut self) {
        let mut seen: Vec<u64> = self.known.values().map(|known| known.seen).collect();
        let middle = seen.len().saturating_sub(KEPT);
        let (_, &mut oldest, _) = seen.select_nth_unstable(middle);
        self.known.retain(|_, known| known.seen > oldest);
        let known = &self.known;
        self.numbers.retain(|_, number| known.contains_key(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_reads_back_as_itself() {
        let handle = Handle { pid: 501, number: 17 };
        assert_eq!(handle.to_string().parse(), Ok(handle));
        for wrong in ["", "501", "/17", "501/", "501/x", ":1.2/org"] {
            assert_eq!(wrong.parse::<Handle>(), Err(NotAHandle), "{wrong}");
        }
    }
}
