//! What reading the structure of an application needs to ask of it; scripted in tests.

use async_trait::async_trait;
use fingertip_core::Rect;

use super::Object;
use crate::bus::{Answer, CallError};
use crate::handle::Handle;
use crate::states::States;

/// An object of a cache, with its place in the tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// The object; its children are not known yet.
    pub(crate) object: Object,
    /// Its parent.
    pub(crate) parent: Handle,
    /// Its place among its siblings.
    pub(crate) index: i32,
}

/// An upright scroll bar, in units of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bar {
    /// How far it is from its upper end.
    pub(crate) at: f64,
    /// How far it can go.
    pub(crate) length: f64,
}

/// An application that can be asked for its objects. Every answer comes by the deadline of the reading.
#[async_trait]
pub(crate) trait Source: Send + Sync {
    /// All objects it has in its cache.
    async fn items(&self) -> Answer<Vec<Item>>;

    /// One object.
    async fn object(&self, handle: &Handle) -> Answer<Object>;

    /// The number of an object's role.
    async fn role(&self, handle: &Handle) -> Answer<u32> {
        self.object(handle).await.map(|object| object.role)
    }

    /// The states of an object.
    async fn states(&self, handle: &Handle) -> Answer<States> {
        self.object(handle).await.map(|object| object.states)
    }

    /// The children of an object.
    async fn children(&self, handle: &Handle) -> Answer<Vec<Handle>>;

    /// What an object is in; `None` for what is in nothing.
    async fn parent(&self, handle: &Handle) -> Answer<Option<Handle>>;

    /// How many children an object has.
    async fn child_count(&self, handle: &Handle) -> Answer<i32>;

    /// One child of an object.
    async fn child_at(&self, handle: &Handle, index: i32) -> Answer<Handle>;

    /// Where an object is, in the application's own coordinates.
    async fn extents(&self, handle: &Handle) -> Answer<Rect>;

    /// Where an object is in its window, where that is told apart.
    async fn extents_in_window(&self, handle: &Handle) -> Answer<Rect> {
        self.extents(handle).await
    }

    /// How far down the bar among the children of a pane is; `None` when it has none.
    async fn scroll_bar(&self, _pane: &Handle) -> Answer<Option<Bar>> {
        Ok(None)
    }

    /// How many columns a table has; an error from other objects.
    async fn columns(&self, _table: &Handle) -> Answer<i32> {
        Ok(0)
    }

    /// The cell of a table in this row and column.
    async fn cell_at(&self, table: &Handle, _row: i32, _column: i32) -> Answer<Handle> {
        Err(CallError::Missing(table.to_string()))
    }

    /// The object of that cell which was reported a moment ago; it may be gone.
    fn known_cell(&self, _table: &Handle, _row: i32, _column: i32) -> Option<Handle> {
        None
    }

    /// Whether a cell holds text or the focus; an error from one that is gone.
    async fn is_filled(&self, _cell: &Handle) -> Answer<bool> {
        Ok(true)
    }

    /// Whether what is far down a scrolled list is reported in a wrong place; see [`crate::place::unwrapped`].
    fn wraps_places(&self) -> bool {
        false
    }

    /// Which child of an object lies there, and its place among its siblings; `None` when none does.
    async fn child_at_point(&self, handle: &Handle, x: i32, y: i32) -> Answer<Option<(Handle, i32)>>;

    /// The object that lies at a point of a window, however deep; `None` when none does.
    async fn object_at_point(&self, _window: &Handle, _x: i32, _y: i32) -> Answer<Option<Handle>> {
        Ok(None)
    }
}
