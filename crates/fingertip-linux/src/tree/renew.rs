//! A tree brought up to date: of what was read before, only what has changed is asked for again.

use futures_util::future::try_join_all;

use super::walk::{self, Plan};
use super::{AccessibleTree, Object, Source};
use crate::bus::{Answered, CallError};
use crate::handle::Handle;
use crate::roles;

/// The most objects that are asked for again one by one; beyond, all is read anew.
const MOST: usize = 64;
/// How far up something that is not known is looked for in the tree.
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
    branches: Vec<(usize, AccessibleTree)>,
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
    tree: &AccessibleTree,
    changed: &Changed,
    plan: Plan,
) -> Result<Option<Fresh>, CallError> {
    let mut below = Vec::new();
    for handle in &changed.below {
        match known(source, tree, handle.clone()).await? {
            Some(place) => below.push(place),
            None => return Ok(None),
        }
    }
    let single = changed.single(tree);
    // A scroll bar that moved has moved everything.
    let scrolled = single.iter().any(|&place| tree.objects[place].role == roles::number::SCROLL_BAR);
    if scrolled || single.len() + below.len() > MOST {
        return Ok(None);
    }
    let asked = try_join_all(single.iter().map(|&place| again(source, &tree.objects[place]))).await?;
    let mut objects = Vec::new();
    for (place, object) in single.into_iter().zip(asked) {
        let Some(object) = object else { return Ok(None) };
        let old = &tree.objects[place];
        if object.child_count == old.child_count && object.states.is_showing() == old.states.is_showing() {
            objects.push((place, object));
        } else {
            below.push(place);
        }
    }
    let below = outermost(tree, below);
    if below.iter().any(|place| tree.windows.contains(place)) {
        return Ok(None);
    }
    let read = below.iter().map(|&place| branch(source, tree.objects[place].handle.clone(), plan));
    let branches: Option<Vec<AccessibleTree>> = try_join_all(read).await?.into_iter().collect();
    Ok(branches.map(|branches| Fresh { objects, branches: below.into_iter().zip(branches).collect() }))
}

impl Changed {
    /// Whether nothing has.
    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.below.is_empty()
    }

    /// Those of the objects that are in the tree. What is not could not be seen, and did not come into sight: that
    /// would have been told of what it is in.
    pub(crate) fn single(&self, tree: &AccessibleTree) -> Vec<usize> {
        let mut places: Vec<usize> = self.objects.iter().filter_map(|handle| tree.find(handle)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Fresh {
    /// Puts what is new in its place.
    pub(crate) fn apply(self, tree: &mut AccessibleTree) -> Renewed {
        let mut renewed = Renewed { moved: !self.branches.is_empty(), ..Renewed::default() };
        for (place, object) in self.objects {
            let old = &mut tree.objects[place];
            let same_sort = (object.role, object.interfaces) == (old.role, old.interfaces);
            let children = std::mem::take(&mut old.children);
            *old = Object { children, ..object };
            if same_sort { &mut renewed.alike } else { &mut renewed.other }.push(place);
        }
        for (place, branch) in self.branches {
            renewed.other.extend(tree.graft(place, &branch));
        }
        renewed
    }
}

/// The object, or what it is in, as far as the tree knows it.
async fn known(
    source: &dyn Source,
    tree: &AccessibleTree,
    mut handle: Handle,
) -> Result<Option<usize>, CallError> {
    for _ in 0..MOST_UP {
        if let Some(place) = tree.find(&handle) {
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
async fn branch(
    source: &dyn Source,
    handle: Handle,
    plan: Plan,
) -> Result<Option<AccessibleTree>, CallError> {
    let mut tree = AccessibleTree::default();
    walk::fill(source, &mut tree, vec![handle], plan).await?;
    Ok((tree.windows.len() == 1 && tree.cut.is_none()).then_some(tree))
}

/// Those that are in no other of them.
fn outermost(tree: &AccessibleTree, mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    let inner: Vec<usize> =
        places.iter().flat_map(|&place| tree.reachable(&[place]).into_iter().skip(1)).collect();
    places.retain(|place| !inner.contains(place));
    places
}

#[cfg(test)]
mod tests;
