//! Stable ids, and looking a node up again in a newer snapshot.
//!
//! Platforms give no lasting names to controls: views are recycled, handles change, places move. So each
//! target keeps a sketch of what it saw, and finds for every node of a new snapshot the control it was, by
//! structure, words, neighbours and, last, place. The rules:
//! - the same control keeps its id when its text, state or place changes, when the list around it scrolls,
//!   when it leaves the screen and comes back;
//! - two controls never share an id, and an id once given is never given to another;
//! - in doubt a node is a new one, and the old id is said to be gone or ambiguous.
//!
//! Where a platform's handles do last, ids simply follow them, see `handles`.
//!
//! Non-goals: telling apart what looks exactly the same and stands in the same place, such as a screen that
//! shows the next record in the same fields; keeping the id of the first or last visible row when its first
//! words change, since the next row of the list may have taken its place.

mod evidence;
mod fixed;
mod groups;
mod handles;
mod hash;
mod keys;
mod matching;
mod memory;
mod moved;
mod naming;
mod nearest;
mod pool;
mod replaced;
mod rows;
mod scrolled;
mod scrolled_out;
mod sketch;
#[cfg(test)]
mod tests;
mod windows;

use std::fmt;
use std::sync::Arc;

pub use nearest::MOST_NEAREST;
pub use pool::IdPool;

use crate::target::{AppRef, Direction};
use crate::{NodeId, NodeIndex, Snapshot};
use handles::Handles;
use memory::{Likeness, Memory};
use naming::Outcome;
use scrolled_out::ScrolledOut;
use sketch::{NONE, Sketch, Tree};

/// How many windows that are not on the screen are kept whole, to be recognised even if they changed.
const MOST_HIDDEN: usize = 16;

/// How many nodes these windows may have together.
const MOST_HIDDEN_NODES: usize = 20_000;

/// Where a control is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// Here.
    Found(NodeIndex),
    /// It was there and is not any more.
    Gone {
        /// What is most like it, best first.
        nearest: Vec<NodeIndex>,
    },
    /// It is one of several that look the same.
    Ambiguous {
        /// All of them.
        candidates: Vec<NodeIndex>,
    },
    /// No control of that id is remembered.
    Unknown {
        /// Those with an id spelled almost like it.
        nearest: Vec<NodeIndex>,
    },
}

/// The controls one target has shown, and their ids.
pub struct Identities {
    pool: Arc<IdPool>,
    /// The windows of the newest snapshot.
    open: Vec<Tree>,
    /// Windows of earlier snapshots, the latest last.
    hidden: Vec<Tree>,
    /// Controls that left the screen otherwise.
    memory: Memory,
    /// Which way controls left that were scrolled off screen.
    scrolled_out: ScrolledOut,
    /// Controls of snapshots whose handles last.
    handles: Handles,
}

/// Where a control that scrolled off screen can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScrollHint {
    /// The container it scrolled out of.
    pub container: NodeIndex,
    /// Which way to scroll that.
    pub direction: Direction,
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identities")
            .field("open", &self.open.len())
            .field("hidden", &self.hidden.len())
            .finish_non_exhaustive()
    }
}

impl Identities {
    /// Knows no control yet; ids come from `pool`.
    #[must_use]
    pub fn new(pool: Arc<IdPool>) -> Self {
        Self {
            pool,
            open: Vec::new(),
            hidden: Vec::new(),
            memory: Memory::default(),
            scrolled_out: ScrolledOut::default(),
            handles: Handles::default(),
        }
    }

    /// Gives every node the id of the remembered control it is, else a new one.
    pub fn assign(&mut self, snapshot: &mut Snapshot) {
        if snapshot.lasting_handles {
            let pool = Arc::clone(&self.pool);
            self.handles.assign(snapshot, &mut pool.open());
            return;
        }
        let mut trees: Vec<Tree> =
            (0..snapshot.windows().len()).map(|window| Tree::of(snapshot, window)).collect();
        let earlier = self.earlier_windows(&trees);
        let pool = Arc::clone(&self.pool);
        let mut issued = pool.open();
        for (tree, old) in trees.iter_mut().zip(&earlier) {
            let mut outcome = match old {
                Some(old) => {
                    tree.scope = old.scope;
                    Outcome::of(old, tree)
                }
                None => Outcome::unknown(tree),
            };
            naming::name(tree, old.as_ref(), &mut outcome, &mut self.memory, &mut issued);
            if let Some(old) = old {
                naming::remember_lost(old, tree, &outcome, &mut self.memory);
                self.scrolled_out.note(old, tree, &outcome);
            }
        }
        let ids: Vec<_> = trees.iter().flat_map(|tree| tree.nodes.iter().map(|node| node.id)).collect();
        for (index, id) in snapshot.indices().zip(ids) {
            if let Some(id) = id {
                snapshot.set_id(index, id);
            }
        }
        self.open = trees;
    }

    /// Finds the control in a snapshot that [`Self::assign`] has been through.
    #[must_use]
    pub fn locate(&self, snapshot: &Snapshot, id: NodeId) -> Located {
        if let Some(index) = snapshot.find_id(id) {
            return Located::Found(index);
        }
        if let Some(remembered) = self.memory.get(id) {
            let rivals = remembered.rivals.iter().flat_map(|rivals| rivals.iter());
            let candidates: Vec<_> = rivals.filter_map(|&rival| snapshot.find_id(rival)).collect();
            if !candidates.is_empty() {
                return Located::Ambiguous { candidates };
            }
            return Located::Gone { nearest: nearest::by_likeness(snapshot, remembered.likeness) };
        }
        let likeness = self.handles.likeness(id).or_else(|| self.sketched(id).map(Likeness::from));
        match likeness {
            Some(likeness) => Located::Gone { nearest: nearest::by_likeness(snapshot, likeness) },
            None => Located::Unknown { nearest: nearest::by_spelling(snapshot, id) },
        }
    }

    /// Where a control that is gone from this snapshot can be scrolled to; `None` if it did not go by scrolling,
    /// or if its container is gone too.
    #[must_use]
    pub fn scroll_hint(&self, snapshot: &Snapshot, id: NodeId) -> Option<ScrollHint> {
        let exit = self.scrolled_out.of(id)?;
        let container = snapshot.find_id(exit.container)?;
        Some(ScrollHint { container, direction: exit.direction })
    }

    /// Whether this id was given here and is remembered.
    #[must_use]
    pub fn knows(&self, id: NodeId) -> bool {
        self.memory.get(id).is_some() || self.handles.likeness(id).is_some() || self.sketched(id).is_some()
    }

    /// The application that showed this control, where ids follow handles.
    #[must_use]
    pub fn app_of(&self, id: NodeId) -> Option<&AppRef> {
        self.handles.app_of(id)
    }

    /// The id of the control with this handle, where ids follow handles.
    #[must_use]
    pub fn id_of_handle(&self, handle: &str) -> Option<NodeId> {
        self.handles.id_of(handle)
    }

    fn sketched(&self, id: NodeId) -> Option<&Sketch> {
        let mut sketched = self.open.iter().chain(&self.hidden).flat_map(|tree| &tree.nodes);
        sketched.find(|node| node.id == Some(id))
    }

    /// Takes out the earlier sketch of each of these windows; the others become hidden.
    fn earlier_windows(&mut self, new: &[Tree]) -> Vec<Option<Tree>> {
        let mut open: Vec<_> = std::mem::take(&mut self.open).into_iter().map(Some).collect();
        let matches = {
            let trees: Vec<&Tree> = open.iter().flatten().collect();
            windows::pair_open(&trees, new)
        };
        let mut earlier: Vec<Option<Tree>> = matches
            .into_iter()
            .map(|old| if old == NONE { None } else { open[old as usize].take() })
            .collect();
        for (old, new) in earlier.iter_mut().zip(new).filter(|(old, _)| old.is_none()) {
            *old = windows::find_hidden(&self.hidden, new).map(|position| self.hidden.remove(position));
        }
        self.hidden.extend(open.into_iter().flatten());
        self.bound_hidden();
        earlier
    }

    fn bound_hidden(&mut self) {
        let mut nodes: usize = self.hidden.iter().map(|tree| tree.nodes.len()).sum();
        while self.hidden.len() > MOST_HIDDEN || nodes > MOST_HIDDEN_NODES {
            let tree = self.hidden.remove(0);
            nodes -= tree.nodes.len();
            naming::remember_all(&tree, &mut self.memory);
        }
    }
}
