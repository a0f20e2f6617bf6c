//! The name of one object of one application: who has it, and where it is there.
//!
//! The two parts together are all the identity AT-SPI gives. In a snapshot they are one string, such as
//! `:1.23/org/a11y/atspi/accessible/5`: a bus name holds no slash and a path starts with one.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use fingertip_core::{Error, Node, Reason};

/// Where an application's own object is.
pub(crate) const ROOT: &str = "/org/a11y/atspi/accessible/root";
/// The path that stands for no object.
const NOTHING: &str = "/org/a11y/atspi/null";

/// One object of one application.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    /// The application's name on the accessibility bus.
    pub(crate) bus_name: Arc<str>,
    /// The object's path.
    pub(crate) path: Box<str>,
    /// The cell it is, where that lasts longer than the object. It says nothing of which object it is.
    pub(crate) cell: Option<Arc<Cell>>,
}

/// A place in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The path of the table.
    pub(crate) table: Box<str>,
    /// Which row of it, from zero.
    pub(crate) row: i32,
    /// Which column of it, from zero.
    pub(crate) column: i32,
}

impl Handle {
    /// The object at this path of that application.
    pub(crate) fn new(bus_name: &str, path: &str) -> Self {
        Self { bus_name: bus_name.into(), path: path.into(), cell: None }
    }

    /// The same object, known to be this cell of that table.
    pub(crate) fn in_place(self, table: &Self, row: i32, column: i32) -> Self {
        let cell = Arc::new(Cell { table: table.path.clone(), row, column });
        Self { cell: Some(cell), ..self }
    }

    /// What names the cell that the object is, whatever object that is next time.
    pub(crate) fn lasting_name(&self) -> Option<Box<str>> {
        let Cell { table, row, column } = self.cell.as_deref()?;
        Some(format!("{}{table}#{row},{column}", self.bus_name).into())
    }

    /// The application's own object.
    pub(crate) fn root(bus_name: &str) -> Self {
        Self::new(bus_name, ROOT)
    }

    /// Whether it stands for no object at all.
    pub(crate) fn is_nothing(&self) -> bool {
        self.bus_name.is_empty() || &*self.path == NOTHING
    }

    /// The object behind a node of a snapshot.
    ///
    /// # Errors
    /// When the node was not read from this desktop.
    pub(crate) fn of(node: &Node) -> Result<Self, Error> {
        let handle = node.handle.as_deref().and_then(|handle| handle.parse().ok());
        handle.ok_or_else(|| Error::new(Reason::Stale, "The element was not read from this desktop."))
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        self.bus_name == other.bus_name && self.path == other.path
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.bus_name, &self.path).hash(state);
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.bus_name, self.path)
    }
}

/// The text names no object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a handle is a bus name and an object path, such as :1.23/org/a11y/atspi/accessible/5")]
pub(crate) struct NotAHandle;

impl FromStr for Handle {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        let slash = text.find('/').filter(|&slash| slash > 0).ok_or(NotAHandle)?;
        let (bus_name, path) = text.split_at(slash);
        Ok(Self::new(bus_name, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_reads_back_as_itself() {
        for handle in [
            Handle::new(":1.23", "/org/a11y/atspi/accessible/5"),
            Handle::new("org.webkit.a11y.Process", "/org/a11y/webkit/accessible/a_b"),
            Handle::root(":1.0"),
        ] {
            assert_eq!(handle.to_string().parse(), Ok(handle));
        }
    }

    #[test]
    fn a_cell_is_named_by_its_place_and_its_object_by_its_path() {
        let table = Handle::new(":1.2", "/sheet");
        let then = Handle::new(":1.2", "/7").in_place(&table, 2, 3);
        let now = Handle::new(":1.2", "/8").in_place(&table, 2, 3);
        assert_eq!(then.lasting_name().as_deref(), Some(":1.2/sheet#2,3"));
        assert_eq!(then.lasting_name(), now.lasting_name());
        assert_ne!(then, now);
        assert_eq!(then, Handle::new(":1.2", "/7"));
        assert_eq!(then.to_string(), ":1.2/7");
    }

    #[test]
    fn half_a_handle_is_none() {
        for wrong in ["", ":1.23", "/org/a11y/atspi/accessible/5"] {
            assert_eq!(wrong.parse::<Handle>(), Err(NotAHandle), "{wrong}");
        }
        assert!(Handle::of(&Node::new("button")).is_err());
    }

    #[test]
    fn the_null_object_is_nothing() {
        assert!(Handle::new(":1.1", NOTHING).is_nothing());
        assert!(Handle::new("", ROOT).is_nothing());
        assert!(!Handle::root(":1.1").is_nothing());
    }
}
