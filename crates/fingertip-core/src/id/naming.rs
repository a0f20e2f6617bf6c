//! Gives the nodes of a matched window their ids, and remembers those that left the screen.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::groups::Groups;
use super::hash::mix;
use super::keys::{KeyMaker, scope};
use super::matching::Matching;
use super::memory::{Keys, Memory};
use super::pool::Issued;
use super::sketch::{NONE, Tree};
use crate::NodeId;

/// Which nodes are the same, without the trees they were found in.
pub(super) struct Outcome {
    pub(super) to_new: Vec<u32>,
    to_old: Vec<u32>,
    steady: Vec<bool>,
}

impl Outcome {
    /// Nothing of `tree` was seen before.
    pub(super) fn unknown(tree: &Tree) -> Self {
        let count = tree.nodes.len();
        Self { to_new: Vec::new(), to_old: vec![NONE; count], steady: vec![false; count] }
    }

    /// Finds the nodes of `old` in `new`.
    pub(super) fn of(old: &Tree, new: &Tree) -> Self {
        if old.nodes.len() == new.nodes.len() && old.whole() == new.whole() {
            let each: Vec<u32> = (0..new.nodes.len() as u32).collect();
            return Self { to_new: each.clone(), steady: vec![true; each.len()], to_old: each };
        }
        let matching = Matching::of(old, new);
        Self { to_new: matching.to_new, to_old: matching.to_old, steady: matching.steady }
    }
}

/// Gives every node of `new` an id: its old one, a remembered one, or one never used.
pub(super) fn name(
    new: &mut Tree,
    old: Option<&Tree>,
    outcome: &mut Outcome,
    memory: &mut Memory,
    issued: &mut Issued,
) {
    if let Some(old) = old {
        for (node, &before) in new.nodes.iter_mut().zip(&outcome.to_old) {
            if before != NONE {
                node.id = old.at(before).id;
                node.keep_neighbours(old.at(before).neighbours);
            }
        }
    }
    let mut maker = KeyMaker::default();
    let mut nameless = Vec::new();
    for parent in std::iter::once(NONE).chain(0..new.nodes.len() as u32) {
        if !has_child(new, parent, |child| new.at(child).id.is_none()) {
            continue;
        }
        nameless.clear();
        nameless.extend(maker.children(new, parent).filter(|(child, _)| new.at(*child).id.is_none()));
        restore(new, parent, &nameless, outcome, memory);
        let scope = scope(new, parent).unwrap_or_default();
        for (child, _) in &nameless {
            let node = &mut new.nodes[*child as usize];
            if node.id.is_none() {
                node.id = issued.draw(mix(scope, node.name()));
            }
        }
    }
}

fn has_child(tree: &Tree, parent: u32, is_wanted: impl Fn(u32) -> bool) -> bool {
    let (mut child, end) = match parent {
        NONE => (0, tree.nodes.len() as u32),
        parent => (parent + 1, tree.at(parent).end),
    };
    while child < end {
        if is_wanted(child) {
            return true;
        }
        child = tree.at(child).end;
    }
    false
}

/// Gives back the ids of controls that are visible again.
fn restore(
    tree: &mut Tree,
    parent: u32,
    nameless: &[(u32, Keys)],
    outcome: &mut Outcome,
    memory: &mut Memory,
) {
    let known: Vec<_> =
        nameless.iter().filter_map(|(child, keys)| Some((*child, memory.recall(keys)?))).collect();
    // One "Back" found again on a screen full of other things belonged to another screen.
    let steady = parent != NONE && outcome.steady[parent as usize];
    if !steady && known.len() * 2 < nameless.len() {
        return;
    }
    for (child, (id, unchanged)) in known {
        if let Some(earlier) = memory.forget(id) {
            let node = &mut tree.nodes[child as usize];
            node.id = Some(id);
            node.keep_neighbours(earlier.neighbours);
            outcome.steady[child as usize] = unchanged;
        }
    }
}

/// Remembers the nodes of `old` that are not visible any more; `new` is named already.
pub(super) fn remember_lost(old: &Tree, new: &Tree, outcome: &Outcome, memory: &mut Memory) {
    if !outcome.to_new.contains(&NONE) {
        return;
    }
    let rivals = rivals(old, new, outcome);
    remember(old, |position| outcome.to_new[position as usize] == NONE, &rivals, memory);
}

/// Remembers all nodes of a window that is gone.
pub(super) fn remember_all(old: &Tree, memory: &mut Memory) {
    remember(old, |_| true, &FxHashMap::default(), memory);
}

/// Last in pre-order first, so that leaves are dropped before the parents they are found under.
fn remember(
    old: &Tree,
    is_lost: impl Fn(u32) -> bool,
    rivals: &FxHashMap<u32, Arc<[NodeId]>>,
    memory: &mut Memory,
) {
    let mut maker = KeyMaker::default();
    let mut lost = Vec::new();
    for parent in (0..old.nodes.len() as u32).rev().chain(std::iter::once(NONE)) {
        if !has_child(old, parent, &is_lost) {
            continue;
        }
        lost.clear();
        lost.extend(maker.children(old, parent).filter(|(child, _)| is_lost(*child)));
        for &(child, keys) in lost.iter().rev() {
            let node = old.at(child);
            if let Some(id) = node.id {
                let rivals = rivals.get(&child).cloned();
                // When one of several that were alike returns, it is not known which one.
                let keys = if rivals.is_some() && !node.scrolled { Keys::default() } else { keys };
                memory.remember(id, keys, node.into(), rivals);
            }
        }
    }
}

/// For lost nodes the new ones under the same parent that say exactly the same.
fn rivals(old: &Tree, new: &Tree, outcome: &Outcome) -> FxHashMap<u32, Arc<[NodeId]>> {
    let key = |content: u64, parent: u32| mix(content, u64::from(parent));
    let lost = old.nodes.iter().zip(0..).filter_map(|(node, position)| {
        let parent = if node.parent == NONE { NONE } else { outcome.to_new[node.parent as usize] };
        let is_known = node.parent == NONE || parent != NONE;
        (is_known && outcome.to_new[position as usize] == NONE).then(|| (key(node.content, parent), position))
    });
    let fresh = new.nodes.iter().zip(0..).filter_map(|(node, position)| {
        let is_fresh = outcome.to_old[position as usize] == NONE;
        is_fresh.then(|| (key(node.content, node.parent), position))
    });
    let mut rivals = FxHashMap::default();
    Groups::default().shared(lost, fresh, |lost, fresh| {
        let ids: Arc<[NodeId]> = fresh.filter_map(|position| new.at(position).id).collect();
        rivals.extend(lost.map(|position| (position, Arc::clone(&ids))));
    });
    rivals
}
