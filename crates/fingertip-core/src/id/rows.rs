//! Which nodes are rows that come and go by scrolling, and which rows they were seen beside.
//!
//! A form that scrolls is often one box, or boxes in boxes, inside what scrolls: then the parts of the
//! innermost box are the rows.

use super::sketch::{NONE, Sketch, Tree};

impl Tree {
    /// Marks the nodes that hold rows, and notes for each row what its neighbours are called.
    pub(super) fn note_rows(&mut self) {
        let mut rows = Vec::new();
        for parent in 0..self.nodes.len() as u32 {
            self.nodes[parent as usize].holds_rows = self.at(parent).scrollable || self.is_inner_box(parent);
            if !self.at(parent).holds_rows {
                continue;
            }
            self.children_into(parent, &mut rows);
            for pair in rows.windows(2) {
                self.nodes[pair[0] as usize].neighbours[1] = self.at(pair[1]).name();
                self.nodes[pair[1] as usize].neighbours[0] = self.at(pair[0]).name();
            }
        }
    }

    /// Whether it holds all that scrolls in its parent, and is not just the only visible row.
    fn is_inner_box(&self, position: u32) -> bool {
        let inner = self.at(position);
        if inner.parent == NONE {
            return false;
        }
        let outer = self.at(inner.parent);
        let is_only_child = position == inner.parent + 1 && inner.end == outer.end;
        let fills = || inner.bounds.intersection(outer.bounds).area() * 2 > outer.bounds.area();
        outer.holds_rows && is_only_child && !inner.control && fills()
    }
}

impl Sketch {
    /// By what a row is known to its neighbours.
    pub(super) fn name(&self) -> u64 {
        if self.label == 0 { self.content } else { self.label }
    }

    /// Whether a row differs from others at all; spacers and dividers are all alike.
    pub(super) fn is_distinctive(&self) -> bool {
        self.label != 0 || self.identified
    }

    /// Keeps from an earlier sketch of the same row what is off screen now.
    pub(super) fn keep_neighbours(&mut self, earlier: [u64; 2]) {
        for (now, before) in self.neighbours.iter_mut().zip(earlier) {
            if *now == 0 {
                *now = before;
            }
        }
    }
}
