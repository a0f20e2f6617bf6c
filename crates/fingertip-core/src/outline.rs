//! Trees to be written as nested JSON, limited in depth and delivered in pages.
//!
//! Where the screen format is flat and terse, an outline shows who belongs to whom. The nodes of an outline
//! are those below the given roots that pass the role filter; a node whose parent is filtered away hangs
//! below its nearest ancestor that is not. They are counted in pre-order, and a page is the next
//! `max_nodes` of them: a node whose parent was on an earlier page stands at the top of its page and names
//! that parent. So all pages together hold each node once.
//!
//! Non-goals: reading every byte of a long text (it is cut at [`MAX_TEXT`]), and unlimited nesting.

mod branch;

use std::ops::Range;

pub use branch::{Attribute, Branch, MAX_TEXT};

use crate::{Node, NodeIndex, Role, Snapshot};

/// The deepest nesting ever delivered, in levels below the roots.
///
/// Each level is an object in an array, and common JSON readers stop at 128 of both together; the reply
/// around the tree needs a few. Trees are deeper at times: what lies below is reached by asking for the
/// outline of a node further down.
pub const MAX_DEPTH: u32 = 50;

/// Which nodes to deliver, and what of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineOptions {
    /// Levels below the roots, zero for the roots alone; [`MAX_DEPTH`] at the most.
    pub depth: u32,
    /// Nodes on one page; at least one is always delivered.
    pub max_nodes: usize,
    /// Only nodes of these roles.
    pub roles: Option<Vec<Role>>,
    /// Only these attributes beside `id`, `role` and `childCount`; all but the path when not given.
    pub attributes: Option<Vec<Attribute>>,
    /// How many nodes earlier pages have delivered.
    pub start: usize,
}

/// One page of an outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'a> {
    /// The nodes of this page.
    pub tree: Vec<Branch<'a>>,
    /// How many nodes they are.
    pub node_count: usize,
    /// How many nodes all pages together have.
    pub total: usize,
    /// The `start` of the next page; `None` when this is the last.
    pub next: Option<usize>,
}

/// The outline below these roots. No root may lie below another, or its nodes come twice.
#[must_use]
pub fn outline<'a>(snapshot: &'a Snapshot, roots: &[NodeIndex], options: &OutlineOptions) -> Outline<'a> {
    let places = arrange(snapshot, roots, options);
    let start = options.start.min(places.len());
    let end = start.saturating_add(options.max_nodes.max(1)).min(places.len());
    Outline {
        tree: nest(snapshot, &places, start..end, options.attributes.as_deref()),
        node_count: end - start,
        total: places.len(),
        next: (end < places.len()).then_some(end),
    }
}

/// One node as an outline shows it, without its children.
#[must_use]
pub fn describe<'a>(
    snapshot: &'a Snapshot,
    index: NodeIndex,
    attributes: Option<&[Attribute]>,
) -> Branch<'a> {
    let children = snapshot.children(index).count() + unread(snapshot, index);
    let mut branch = Branch::new(snapshot.node(index), children, attributes);
    branch.add_path(snapshot, index, attributes);
    branch
}

/// A node that stands in no snapshot, such as one an event named.
#[must_use]
pub fn describe_alone<'a>(node: &'a Node, attributes: Option<&[Attribute]>) -> Branch<'a> {
    Branch::new(node, 0, attributes)
}

/// Where a node stands in the outline.
struct Place {
    index: NodeIndex,
    /// The position of its parent among the places.
    parent: Option<usize>,
    child_count: usize,
}

/// An ancestor, in the outline, of the node now visited.
struct Ancestor {
    index: NodeIndex,
    level: u32,
    /// Its position among the places; `None` below the depth limit.
    place: Option<usize>,
}

/// All nodes of the outline in pre-order, the children below the depth limit counted only.
fn arrange(snapshot: &Snapshot, roots: &[NodeIndex], options: &OutlineOptions) -> Vec<Place> {
    let depth = options.depth.min(MAX_DEPTH);
    let is_kept = |role| options.roles.as_ref().is_none_or(|roles| roles.contains(&role));
    let mut places: Vec<Place> = Vec::new();
    let mut ancestors: Vec<Ancestor> = Vec::new();
    for &root in roots {
        ancestors.clear();
        for index in snapshot.subtree(root) {
            if !is_kept(snapshot.node(index).role) {
                continue;
            }
            while ancestors.pop_if(|ancestor| !snapshot.is_within(index, ancestor.index)).is_some() {}
            let level = ancestors.last().map_or(0, |parent| parent.level + 1);
            let parent = ancestors.last().and_then(|parent| parent.place);
            if let Some(parent) = parent {
                places[parent].child_count += 1;
            }
            let place = (level <= depth).then_some(places.len());
            if place.is_some() {
                places.push(Place { index, parent, child_count: unread(snapshot, index) });
            }
            ancestors.push(Ancestor { index, level, place });
        }
    }
    places
}

/// How many children a node has that were not read.
fn unread(snapshot: &Snapshot, index: NodeIndex) -> usize {
    snapshot.node(index).child_count.map_or(0, |count| count as usize)
}

/// Builds the trees of one page from the last node to the first, so that children are ready before their
/// parent and nothing recurses.
fn nest<'a>(
    snapshot: &'a Snapshot,
    places: &[Place],
    page: Range<usize>,
    attributes: Option<&[Attribute]>,
) -> Vec<Branch<'a>> {
    let mut top = Vec::new();
    let mut waiting: Vec<Vec<Branch<'a>>> = vec![Vec::new(); page.len()];
    for position in page.clone().rev() {
        let place = &places[position];
        let mut branch = Branch::new(snapshot.node(place.index), place.child_count, attributes);
        branch.add_path(snapshot, place.index, attributes);
        branch.children = std::mem::take(&mut waiting[position - page.start]);
        branch.children.reverse();
        match place.parent {
            Some(parent) if parent >= page.start => waiting[parent - page.start].push(branch),
            Some(parent) => {
                branch.parent = snapshot.node(places[parent].index).id;
                top.push(branch);
            }
            None => top.push(branch),
        }
    }
    top.reverse();
    top
}

#[cfg(test)]
mod tests;
