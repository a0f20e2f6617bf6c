//! Lists of any length whose rows exist only once they are asked for.
//!
//! AppKit keeps all rows of a table in its tree and builds invisible ones when they are read, which takes long. So a
//! visible row costs little here, and any other one a lot.

use std::sync::Arc;
use std::time::Duration;

use super::node::{Effect, Kind};
use super::{App, Attribute, Node, NodeId, Rect};

/// Nodes of a row: itself, and a label for each column.
const NODES_PER_COLUMN: u32 = 1;

/// The rows of a list.
#[derive(Clone)]
pub struct LazyRows {
    /// How many there are.
    pub count: u32,
    /// What the cells of a row say.
    pub cells: Arc<dyn Fn(u32) -> Vec<String> + Send + Sync>,
    /// How many cells a row has.
    pub columns: u32,
    /// How high a row is.
    pub row_height: f64,
    /// How far the list is scrolled.
    pub offset: f64,
    /// What making a visible row costs.
    pub visible_cost: Duration,
    /// What making an invisible row costs.
    pub hidden_cost: Duration,
    /// What a double click on a row does; the row's number is in the note `opened row`.
    pub open: Option<Effect>,
    /// The number of the first row's node; the list's application gives it.
    pub(crate) first: NodeId,
}

impl LazyRows {
    /// Rows with one column.
    pub fn new(count: u32, cells: impl Fn(u32) -> Vec<String> + Send + Sync + 'static) -> Self {
        Self {
            count,
            cells: Arc::new(cells),
            columns: 1,
            row_height: 20.0,
            offset: 0.0,
            visible_cost: Duration::ZERO,
            hidden_cost: Duration::ZERO,
            open: None,
            first: NodeId(0),
        }
    }

    /// How many nodes all rows together have.
    pub(crate) fn nodes(&self) -> u32 {
        self.count * self.per_row()
    }

    fn per_row(&self) -> u32 {
        1 + self.columns * NODES_PER_COLUMN
    }

    pub(crate) fn row(&self, index: u32) -> NodeId {
        NodeId(self.first.0 + index * self.per_row())
    }

    /// Row and place in it (0 is the row itself).
    pub(crate) fn place(&self, id: NodeId) -> Option<(u32, u32)> {
        let from = id.0.checked_sub(self.first.0)?;
        (from < self.nodes()).then(|| (from / self.per_row(), from % self.per_row()))
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of rows on a screen")]
    pub(crate) fn visible(&self, frame: Rect) -> std::ops::Range<u32> {
        let first = (self.offset / self.row_height).floor().max(0.0) as u32;
        let last = ((self.offset + frame.height) / self.row_height).ceil().max(0.0) as u32;
        first.min(self.count)..last.min(self.count)
    }

    pub(crate) fn row_frame(&self, list: Rect, index: u32) -> Rect {
        let y = list.y + f64::from(index) * self.row_height - self.offset;
        Rect::new(list.x, y, list.width, self.row_height)
    }

    /// The farthest that the list can be scrolled.
    pub(crate) fn most_offset(&self, frame: Rect) -> f64 {
        (f64::from(self.count) * self.row_height - frame.height).max(0.0)
    }
}

impl App {
    /// Makes a row that does not exist yet, if the node is part of one; what that costs.
    pub(crate) fn realize(&mut self, id: NodeId) -> Duration {
        if self.nodes.contains_key(&id) {
            return Duration::ZERO;
        }
        let Some((list, rows, frame)) = self.nodes.iter().find_map(|(list, node)| match &node.kind {
            Kind::Rows(rows) if rows.place(id).is_some() => {
                Some((*list, rows.clone(), node.frame.unwrap_or_default()))
            }
            _ => None,
        }) else {
            return Duration::ZERO;
        };
        let Some((index, _)) = rows.place(id) else { return Duration::ZERO };
        let visible = rows.visible(frame).contains(&index);
        self.make_row(list, &rows, frame, index);
        if visible {
            rows.visible_cost
        } else {
            self.hidden_rows_made += 1;
            rows.hidden_cost
        }
    }

    fn make_row(&mut self, list: NodeId, rows: &LazyRows, frame: Rect, index: u32) {
        let row = rows.row(index);
        let place = rows.row_frame(frame, index);
        let open: Option<Effect> = rows.open.clone().map(|open| {
            let effect: Effect = Arc::new(move |world: &mut super::World, pid| {
                if let Some(app) = world.apps.get_mut(&pid) {
                    app.notes.insert("opened row".into(), index.into());
                }
                open(world, pid);
            });
            effect
        });
        let mut node = Node::new("AXRow")
            .with("AXIndex", Attribute::Int(i64::from(index)))
            .with("AXSelected", Attribute::Bool(false))
            .settable("AXSelected")
            .kind(Kind::Row { open });
        node.parent = Some(list);
        node.frame = Some(place);
        let width = place.width / f64::from(rows.columns.max(1));
        for (column, text) in (0..rows.columns).zip((rows.cells)(index)) {
            let id = NodeId(row.0 + 1 + column);
            let mut cell = Node::label(&text);
            cell.parent = Some(row);
            cell.frame = Some(Rect::new(place.x + f64::from(column) * width, place.y, width, place.height));
            self.nodes.insert(id, cell);
            node.children.push(id);
        }
        self.nodes.insert(row, node);
    }

    /// Scrolls a list; rows that exist move along.
    pub(crate) fn scroll_list(&mut self, list: NodeId, offset: f64) {
        let Some(node) = self.nodes.get_mut(&list) else { return };
        let frame = node.frame.unwrap_or_default();
        let Kind::Rows(rows) = &mut node.kind else { return };
        rows.offset = offset.clamp(0.0, rows.most_offset(frame));
        let rows = rows.clone();
        let made: Vec<NodeId> =
            self.nodes.range(rows.first..NodeId(rows.first.0 + rows.nodes())).map(|(id, _)| *id).collect();
        for id in made {
            let Some((index, _)) = rows.place(id) else { continue };
            let y = rows.row_frame(frame, index).y;
            if let Some(place) = self.nodes.get_mut(&id).and_then(|node| node.frame.as_mut()) {
                place.y = y;
            }
        }
    }
}
