//! The structure of an application, asked for object by object, many at a time.
//!
//! Starts at the windows and goes down wherever children are missing. Of what cannot be seen only the top is
//! read, unless all is wanted; of a long list only the visible rows are.

use std::collections::VecDeque;
use std::pin::Pin;

use fingertip_core::target::Part;
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use futures_util::stream::FuturesUnordered;
use rustc_hash::{FxHashMap, FxHashSet};

use super::grid::{self, Cells};
use super::{AccessibleTree, Object, Source, visible};
use crate::bus::{Answer, Answered, CallError};
use crate::handle::Handle;
use crate::roles;

/// How many objects are asked at once. More does not help, as applications answer one by one; too many at once
/// make some of them answer wrongly, and slow ones look as if they hung.
pub(crate) const IN_FLIGHT: usize = 32;
/// The most objects that are read of one application.
pub(crate) const MAX_OBJECTS: usize = 50_000;
/// From so many children on, only those visible are asked for when only those are wanted.
const LONG_LIST: i32 = 150;
/// How many items of a menu are asked whether it is open.
const ITEMS_TRIED: usize = 4;
/// The most children that are asked for at once. An application makes what it is asked for.
pub(super) const MOST_LISTED: i32 = 5_000;

/// How much is read, and how far an application's word can be taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// How much is wanted.
    pub(crate) part: Part,
    /// Whether what the toolkit does not call showing is hidden.
    pub(crate) trusts_showing: bool,
    /// The most objects that are read.
    pub(crate) most: usize,
}

/// A question to ask.
enum Question {
    /// What is this object? It is the child of that one, in this place.
    Meet { parent: Option<usize>, slot: usize, handle: Handle },
    /// Which children does this object have?
    List { parent: usize },
}

/// What came of it.
enum Found {
    /// It cannot be seen and is not wanted.
    Hidden,
    Met {
        parent: Option<usize>,
        slot: usize,
        object: Object,
    },
    Listed {
        parent: usize,
        listed: Listed,
    },
    /// It has so many children, more than are wanted in all, and was not asked for them.
    TooMany {
        parent: usize,
        count: i32,
    },
}

type Asked<'a> = Pin<Box<dyn Future<Output = Answer<Found>> + Send + 'a>>;

/// Reads what is missing below these windows.
///
/// # Errors
/// When the application answers nothing at all; later trouble is noted in the tree.
pub(crate) async fn fill(
    source: &dyn Source,
    tree: &mut AccessibleTree,
    windows: Vec<Handle>,
    plan: Plan,
) -> Answer<()> {
    let mut walker = Walker {
        slots: vec![vec![None; windows.len()]],
        tree,
        plan,
        queue: VecDeque::new(),
        asked: Vec::new(),
        listed: FxHashSet::default(),
        levels: FxHashMap::default(),
        exceeds: false,
        first_failure: None,
    };
    for (slot, handle) in windows.into_iter().enumerate() {
        walker.found(None, slot, handle);
    }
    walker.run(source).await;
    walker.finish()
}

struct Walker<'f> {
    tree: &'f mut AccessibleTree,
    plan: Plan,
    queue: VecDeque<Question>,
    /// Which objects are, or will be, asked for their children.
    listed: FxHashSet<usize>,
    /// Which objects gave their children.
    asked: Vec<usize>,
    /// The windows, then the children of each object in `asked`; empty where none answered yet.
    slots: Vec<Vec<Option<usize>>>,
    /// How far below the windows each object is that was met.
    levels: FxHashMap<usize, u32>,
    /// Whether one object alone has more children than are wanted in all.
    exceeds: bool,
    first_failure: Option<CallError>,
}

impl Walker<'_> {
    async fn run(&mut self, source: &dyn Source) {
        let mut running: FuturesUnordered<Asked<'_>> = FuturesUnordered::new();
        loop {
            if self.exceeds {
                return self.cut_short();
            }
            while running.len() < IN_FLIGHT {
                let Some(question) = self.queue.pop_front() else { break };
                running.push(self.ask(source, question));
            }
            let Some(answer) = running.next().await else { return };
            match answer {
                Ok(answer) => self.take(answer),
                // An object that went away meanwhile is simply not there.
                Err(error) if error.says_no() => {}
                Err(CallError::Malformed(detail)) => {
                    self.tree.cut(format!("an object was not understood: {detail}"));
                }
                Err(error) => {
                    self.tree.cut(stopped(&error));
                    self.first_failure.get_or_insert(error);
                    return;
                }
            }
            if self.tree.objects.len() >= self.plan.most {
                return self.cut_short();
            }
        }
    }

    fn cut_short(&mut self) {
        self.tree.cut(format!("only the first {} objects were read", self.plan.most));
    }

    fn ask<'a>(&self, source: &'a dyn Source, question: Question) -> Asked<'a> {
        match question {
            Question::Meet { parent, slot, handle } => {
                let may_be_closed =
                    self.leaves_out_the_hidden() && parent.is_some_and(|family| self.is_menu(family));
                Box::pin(async move {
                    // A closed menu of an office suite has dozens of entries, in each of a dozen menus.
                    if may_be_closed && !source.states(&handle).await?.is_showing() {
                        return Ok(Found::Hidden);
                    }
                    source.object(&handle).await.map(|object| Found::Met { parent, slot, object })
                })
            }
            Question::List { parent } => {
                let mut object = self.tree.objects[parent].clone();
                let Plan { part, most, .. } = self.plan;
                let may_be_closed = self.leaves_out_the_hidden() && object.role == roles::number::MENU;
                Box::pin(async move {
                    // The cache of GTK 3 has no count for a list, whose rows take a second to list.
                    if object.child_count < 0 {
                        object.child_count = source.child_count(&object.handle).await?;
                    }
                    if part == Part::Whole && object.lists_at_least(most) {
                        return Ok(Found::TooMany { parent, count: object.child_count });
                    }
                    let mut listed = listed(source, &object, part == Part::Visible).await?;
                    if may_be_closed && is_closed(source, &listed.children).await? {
                        listed.children.clear();
                    }
                    Ok(Found::Listed { parent, listed })
                })
            }
        }
    }

    fn take(&mut self, answer: Found) {
        match answer {
            Found::Hidden => {}
            Found::Met { parent, slot, object } => {
                if !object.states.is_defunct() {
                    let place = self.tree.add(object);
                    self.settle(parent, slot, place);
                }
            }
            Found::TooMany { parent, count } => {
                self.tree.objects[parent].child_count = count;
                self.exceeds = true;
            }
            Found::Listed { parent, listed: Listed { children, note } } => {
                note.into_iter().for_each(|note| self.tree.cut(note));
                self.asked.push(parent);
                self.slots.push(vec![None; children.len()]);
                let family = self.slots.len() - 1;
                for (slot, handle) in children.into_iter().enumerate() {
                    self.found(Some(family), slot, handle);
                }
            }
        }
    }

    /// The object that a family is the children of; the first family is the windows.
    fn parent_of(&self, family: usize) -> Option<usize> {
        family.checked_sub(1).and_then(|position| self.asked.get(position)).copied()
    }

    /// Whether what its application does not call showing is neither wanted nor read.
    fn leaves_out_the_hidden(&self) -> bool {
        self.plan.part == Part::Visible && self.plan.trusts_showing
    }

    /// Whether a family is what is in a menu.
    fn is_menu(&self, family: usize) -> bool {
        self.parent_of(family).is_some_and(|parent| self.tree.objects[parent].role == roles::number::MENU)
    }

    /// How far below the windows a family is.
    fn level_in(&self, family: usize) -> u32 {
        let parent = self.parent_of(family).and_then(|parent| self.levels.get(&parent));
        parent.map_or(0, |level| level + 1)
    }

    /// A child turned up: it is known, or must be asked for.
    fn found(&mut self, family: Option<usize>, slot: usize, handle: Handle) {
        match self.tree.find(&handle) {
            Some(place) => self.settle(family, slot, place),
            None => self.queue.push_back(Question::Meet { parent: family, slot, handle }),
        }
    }

    /// Puts a child in its place and looks whether its own children are missing.
    fn settle(&mut self, family: Option<usize>, slot: usize, place: usize) {
        self.slots[family.unwrap_or(0)][slot] = Some(place);
        let mut below = vec![(place, family.map_or(0, |family| self.level_in(family)))];
        while let Some((place, level)) = below.pop() {
            // Whoever is in itself, or in two others, is looked at once, where it was met first.
            if self.levels.contains_key(&place) {
                continue;
            }
            self.levels.insert(place, level);
            if self.is_last(level) {
                continue;
            }
            let object = &self.tree.objects[place];
            below.extend(object.children.iter().rev().map(|child| (*child, level + 1)));
            let is_window = family.is_none() && level == 0;
            if !object.has_gap() || !(is_window || self.is_wanted(object)) || self.is_closed_menu(object) {
                continue;
            }
            if self.plan.part == Part::Whole && object.lists_at_least(self.plan.most) {
                self.exceeds = true;
            } else if self.listed.insert(place) {
                self.queue.push_back(Question::List { parent: place });
            }
        }
    }

    /// Whether nothing below this level is wanted.
    fn is_last(&self, level: u32) -> bool {
        matches!(self.plan.part, Part::Levels(most) if level >= most)
    }

    /// Whether the children of an object are wanted. A viewport of GTK 3 does not say that it is showing once it was
    /// scrolled, though what is in it does.
    fn is_wanted(&self, object: &Object) -> bool {
        self.plan.part != Part::Visible
            || !self.plan.trusts_showing
            || object.states.is_showing()
            || object.role == roles::number::VIEWPORT
    }

    /// Whether it is a menu of which nothing is wanted, because it is closed: all that its cache has in it is hidden, and it does
    /// not tell how much that is. So it is in GTK 3, where each menu of a bar would be asked twice.
    fn is_closed_menu(&self, object: &Object) -> bool {
        let is_hidden = |&child: &usize| !self.tree.objects[child].states.is_showing();
        self.plan.part == Part::Visible
            && self.plan.trusts_showing
            && object.role == roles::number::MENU
            && object.child_count < 0
            && !object.children.is_empty()
            && object.children.iter().all(is_hidden)
    }

    fn finish(self) -> Answer<()> {
        let last = self.levels.iter().filter(|(_, level)| self.is_last(**level));
        let last: Vec<usize> = last.map(|(place, _)| *place).collect();
        let mut families = self.slots.into_iter();
        let windows: Vec<usize> = families.next().unwrap_or_default().into_iter().flatten().collect();
        for (parent, children) in self.asked.iter().zip(families) {
            self.tree.objects[*parent].children = children.into_iter().flatten().collect();
        }
        // A cache knows what is below them too.
        last.into_iter().for_each(|place| self.tree.objects[place].children.clear());
        match self.first_failure {
            Some(error) if windows.is_empty() => return Err(error),
            _ => {}
        }
        self.tree.windows = windows;
        Ok(())
    }
}

/// The children of an object that are read, and why there are no more.
struct Listed {
    children: Vec<Handle>,
    note: Option<String>,
}

/// The children of an object; of a long list those visible, when only they are wanted. Of one that claims more than
/// [`MOST_LISTED`] all are never asked for at once: it may make them all for us, and a sheet claims two thousand million.
async fn listed(source: &dyn Source, object: &Object, visible_only: bool) -> Answer<Listed> {
    let Object { handle, child_count: count, .. } = object;
    let count = *count;
    if count <= 0 {
        return Ok(Listed { children: Vec::new(), note: None });
    }
    if count > MOST_LISTED
        && let Some(Cells { filled, note }) = grid::cells(source, handle).await?
    {
        return Ok(Listed { children: filled, note: note.map(str::to_owned) });
    }
    let is_long = visible_only && count > LONG_LIST;
    if is_long && let Some(children) = visible::rows(source, handle, count).await? {
        return Ok(Listed { children, note: None });
    }
    if count > MOST_LISTED {
        let most = i32::try_from(MAX_OBJECTS).unwrap_or(i32::MAX);
        let most = if visible_only { MOST_LISTED } else { most.min(count) };
        let children = visible::range(source, handle, 0..=most - 1).await?;
        let note =
            (most < count).then(|| format!("of {count} rows of a list only the first {most} were read"));
        return Ok(Listed { children, note });
    }
    let children = few(source, handle, count).await?;
    let children = if is_long { visible::inside(source, handle, children).await? } else { children };
    Ok(Listed { children, note: None })
}

/// Whether a menu of these items is closed: of an open one all can be seen but those hidden by themselves, of an office
/// suite's closed ones hundreds of items would be asked in vain.
async fn is_closed(source: &dyn Source, items: &[Handle]) -> Answer<bool> {
    if items.len() <= ITEMS_TRIED {
        return Ok(false);
    }
    let tried = (0..ITEMS_TRIED).map(|item| &items[item * (items.len() - 1) / (ITEMS_TRIED - 1)]);
    // One that is gone tells nothing.
    let states = try_join_all(tried.map(async |item| source.states(item).await.missing_ok())).await?;
    let told = || states.iter().flatten();
    Ok(told().any(|states| states.is_hidden_but_visible()) && !told().any(|states| states.is_showing()))
}

/// All children of an object that has so many, [`MOST_LISTED`] at the most.
pub(super) async fn few(source: &dyn Source, handle: &Handle, count: i32) -> Answer<Vec<Handle>> {
    let children = source.children(handle).await?;
    if i32::try_from(children.len()).is_ok_and(|read| read >= count) {
        return Ok(children.into_iter().filter(|child| !child.is_nothing()).collect());
    }
    // GTK 4 leaves some out of its list and gives them one by one.
    visible::range(source, handle, 0..=count - 1).await
}

/// The windows of an application; no more than [`MOST_LISTED`], whatever it claims.
///
/// # Errors
/// When it does not answer.
pub(crate) async fn windows(source: &dyn Source, root: &Handle) -> Answer<Vec<Handle>> {
    if source.child_count(root).await? > MOST_LISTED {
        return visible::range(source, root, 0..=MOST_LISTED - 1).await;
    }
    source.children(root).await
}

/// Whether an application has these windows, in this order, and no others. How many it has and which each of them is, is
/// asked all at once: no list need wait for its length, as none is longer than what is known.
///
/// # Errors
/// When it does not answer.
pub(crate) async fn has_windows(source: &dyn Source, root: &Handle, known: &[Handle]) -> Answer<bool> {
    if known.len() <= IN_FLIGHT {
        let count = source.child_count(root);
        let each =
            (0..).zip(known).map(async |(index, known)| Ok(source.child_at(root, index).await? == *known));
        match tokio::try_join!(count, try_join_all(each)) {
            Ok((count, same)) if usize::try_from(count) == Ok(known.len()) => {
                return Ok(same.into_iter().all(|same| same));
            }
            // It may count some that are no windows.
            Ok(_) => {}
            Err(error) if error.says_no() => {}
            Err(error) => return Err(error),
        }
    }
    let listed = windows(source, root).await?;
    Ok(listed.iter().filter(|window| !window.is_nothing()).eq(known))
}

fn stopped(error: &CallError) -> String {
    match error {
        CallError::Timeout => "the application stopped answering".to_owned(),
        CallError::Gone => "the application ended while it was read".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
pub(super) mod tests;
