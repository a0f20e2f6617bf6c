//! Which way rows went when they scrolled off screen, so that they can be scrolled to.
//!
//! Many platforms keep only the rows in view in their tree. A row that left is known to lie beyond the edge by
//! which it left, until it is seen again. Rows that vanished while the list stood still were removed, and
//! cannot be scrolled to.

use rustc_hash::FxHashMap;

use super::memory::MOST_REMEMBERED;
use super::naming::Outcome;
use super::sketch::{NONE, Sketch, Tree};
use crate::NodeId;
use crate::target::Direction;

/// Where a control left the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    /// The container that scrolled.
    pub(super) container: NodeId,
    /// Which way it must be scrolled to see the control again.
    pub(super) direction: Direction,
}

/// Where the controls of one target left the screen.
#[derive(Debug, Default)]
pub(super) struct ScrolledOut(FxHashMap<NodeId, Exit>);

impl ScrolledOut {
    /// Where this control left, if it left by scrolling.
    pub(super) fn of(&self, id: NodeId) -> Option<Exit> {
        self.0.get(&id).copied()
    }

    /// Notes the nodes of `old` that are off screen in `new`.
    pub(super) fn note(&mut self, old: &Tree, new: &Tree, outcome: &Outcome) {
        if !outcome.to_new.contains(&NONE) {
            return;
        }
        let containers = containers(old);
        let movements = movements(old, new, outcome, &containers);
        for (position, node) in old.nodes.iter().enumerate() {
            let Some(id) = node.id.filter(|_| outcome.to_new[position] == NONE) else { continue };
            let container = containers[position];
            let exit = (container != NONE).then(|| {
                let outer = old.at(container);
                let direction = match movements.get(&container) {
                    Some(movement) => way_back(*movement),
                    None => Some(nearer_edge(outer, node)),
                };
                Some(Exit { container: outer.id?, direction: direction? })
            });
            match exit.flatten() {
                Some(exit) => self.0.insert(id, exit),
                None => self.0.remove(&id),
            };
        }
        if self.0.len() > MOST_REMEMBERED {
            // An exit is a convenience: without one the control is reported as gone.
            self.0.clear();
        }
    }
}

/// For each node the nearest ancestor that scrolls.
fn containers(tree: &Tree) -> Vec<u32> {
    let mut containers: Vec<u32> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        containers.push(match node.parent {
            NONE => NONE,
            parent if tree.at(parent).scrollable => parent,
            parent => containers[parent as usize],
        });
    }
    containers
}

/// How far the content of each container moved, by what stayed visible in it.
fn movements(old: &Tree, new: &Tree, outcome: &Outcome, containers: &[u32]) -> FxHashMap<u32, (i64, i64)> {
    let mut movements = FxHashMap::default();
    for (position, node) in old.nodes.iter().enumerate() {
        let (now, container) = (outcome.to_new[position], containers[position]);
        // Only nodes with a text: boxes around the rows stay where they are.
        if now == NONE || container == NONE || node.own == 0 {
            continue;
        }
        let after = new.at(now).bounds;
        // The edge that is in view may be cut, the far one is not; the larger movement is the true one.
        let shift = |edges: [(i32, i32); 2]| {
            let moved = edges.map(|(before, after)| i64::from(after) - i64::from(before));
            if moved[0].abs() > moved[1].abs() { moved[0] } else { moved[1] }
        };
        let bounds = node.bounds;
        let movement = (
            shift([(bounds.left, after.left), (bounds.right, after.right)]),
            shift([(bounds.top, after.top), (bounds.bottom, after.bottom)]),
        );
        let known = movements.entry(container).or_insert(movement);
        if size(movement) > size(*known) {
            *known = movement;
        }
    }
    movements
}

fn size((right, down): (i64, i64)) -> i64 {
    right.abs().max(down.abs())
}

/// Content that moved up is found again by scrolling up.
fn way_back((right, down): (i64, i64)) -> Option<Direction> {
    match (right, down) {
        (0, 0) => None,
        (right, down) if right.abs() > down.abs() => {
            Some(if right < 0 { Direction::Left } else { Direction::Right })
        }
        (_, down) => Some(if down < 0 { Direction::Up } else { Direction::Down }),
    }
}

/// When nothing visible is the same: the edge the node was nearer to is as good a guess as any.
fn nearer_edge(container: &Sketch, node: &Sketch) -> Direction {
    let (outer, inner) = (container.bounds.center(), node.bounds.center());
    if inner.y < outer.y { Direction::Up } else { Direction::Down }
}
