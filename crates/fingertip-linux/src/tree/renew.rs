//! A forest brought up to date: of what was read before, only what has changed is asked for again.

use futures_util::future::try_join_all;

use super::walk::{self, Plan};
use super::{Forest, Object, Source};
use crate::bus::{Answered, CallError};
use crate::handle::Handle;
use crate::roles;

/// The most objects that are asked for again one by one; beyond, all is read anew.
const MOST: usize = 64;
/// How far up something that is not known is looked for in the forest.
const MOST_UP: usize = 16;

/// What has changed in an application.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// Objects that are different.
    pub(crate) objects: Vec<Handle>,
    /// Objects in which there may be other objects now.
    pub(crate) below: Vec<Handle>,
}

/// What the application answered.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// Objects as they are now, by their position.
    objects: Vec<(usize, Object)>,
    /// Objects with everything in them.
    trees: Vec<(usize, Forest)>,
}

/// Where there is something new.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Renewed {
    /// Objects that can still be asked the same, by their position.
    pub(crate) alike: Vec<usize>,
    /// Objects that are new or of another sort.
    pub(crate) other: Vec<usize>,
    /// Whether other objects may be there now, so that all may have moved.
    pub(crate) moved: bool,
}

/// Asks again for what has changed; `None` when all must be read anew.
///
/// # Errors
/// When the application does not answer.
pub(crate) async fn ask(
    source: &dyn Source,
    forest: &Forest,
    changed: &Changed,
    plan: Plan,
) -> Result<Option<Fresh>, CallError> {
    let mut below = Vec::new();
    for handle in &changed.below {
        match known(source, forest, handle.clone()).await? {
            Some(place) => below.push(place),
            None => return Ok(None),
        }
    }
    let single = changed.single(forest);
    // A scroll bar that moved has moved everything.
    let scrolled = single.iter().any(|&place| forest.objects[place].role == roles::number::SCROLL_BAR);
    if scrolled || single.len() + below.len() > MOST {
        return Ok(None);
    }
    let asked = try_join_all(single.iter().map(|&place| again(source, &forest.objects[place]))).await?;
    let mut objects = Vec::new();
    for (place, object) in single.into_iter().zip(asked) {
        let Some(object) = object else { return Ok(None) };
        let old = &forest.objects[place];
        if object.child_count == old.child_count && object.states.is_showing() == old.states.is_showing() {
            objects.push((place, object));
        } else {
            below.push(place);
        }
    }
    let below = outermost(forest, below);
    if below.iter().any(|place| forest.windows.contains(place)) {
        return Ok(None);
    }
    let read = below.iter().map(|&place| tree(source, forest.objects[place].handle.clone(), plan));
    let trees: Option<Vec<Forest>> = try_join_all(read).await?.into_iter().collect();
    Ok(trees.map(|trees| Fresh { objects, trees: below.into_iter().zip(trees).collect() }))
}

impl Changed {
    /// Whether nothing has.
    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.below.is_empty()
    }

    /// Those of the objects that are in the forest. What is not could not be seen, and did not come into sight: that
    /// would have been told of what it is in.
    pub(crate) fn single(&self, forest: &Forest) -> Vec<usize> {
        let mut places: Vec<usize> = self.objects.iter().filter_map(|handle| forest.find(handle)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Fresh {
    /// Puts what is new in its place.
    pub(crate) fn apply(self, forest: &mut Forest) -> Renewed {
        let mut renewed = Renewed { moved: !self.trees.is_empty(), ..Renewed::default() };
        for (place, object) in self.objects {
            let old = &mut forest.objects[place];
            let same_sort = (object.role, object.interfaces) == (old.role, old.interfaces);
            let children = std::mem::take(&mut old.children);
            *old = Object { children, ..object };
            if same_sort { &mut renewed.alike } else { &mut renewed.other }.push(place);
        }
        for (place, tree) in self.trees {
            renewed.other.extend(forest.graft(place, &tree));
        }
        renewed
    }
}

/// The object, or what it is in, as far as the forest knows it.
async fn known(source: &dyn Source, forest: &Forest, mut handle: Handle) -> Result<Option<usize>, CallError> {
    for _ in 0..MOST_UP {
        if let Some(place) = forest.find(&handle) {
            return Ok(Some(place));
        }
        match source.parent(&handle).await.missing_ok()?.flatten() {
            Some(parent) => handle = parent,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// An object as it is now; `None` when it is gone.
async fn again(source: &dyn Source, old: &Object) -> Result<Option<Object>, CallError> {
    let object = source.object(&old.handle).await.missing_ok()?;
    Ok(object.filter(|object| !object.states.is_defunct()))
}

/// An object and everything in it; `None` when it is gone.
async fn tree(source: &dyn Source, handle: Handle, plan: Plan) -> Result<Option<Forest>, CallError> {
    let mut forest = Forest::default();
    walk::fill(source, &mut forest, vec![handle], plan).await?;
    Ok((forest.windows.len() == 1 && forest.cut.is_none()).then_some(forest))
}

/// Those that are in no other of them.
fn outermost(forest: &Forest, mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    let inner: Vec<usize> =
        places.iter().flat_map(|&place| forest.reachable(&[place]).into_iter().skip(1)).collect();
    places.retain(|place| !inner.contains(place));
    places
}

#[cfg(test)]
mod tests;
