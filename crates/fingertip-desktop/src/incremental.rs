//! A tree brought up to date: of what was read before, only what has changed is asked for again.

use async_trait::async_trait;
use futures_util::future::try_join_all;

use crate::tree::{AccessibleTree, TreeObject};

/// An application that is asked again for some of its objects. What is gone, or does not know the answer, is `None`.
#[async_trait]
pub trait TreeSource<O: TreeObject>: Sync {
    /// Why the application does not answer.
    type Error: Send;

    /// What an object is in.
    async fn parent(&self, handle: &O::Handle) -> Result<Option<O::Handle>, Self::Error>;

    /// An object as it is now.
    async fn object(&self, handle: &O::Handle) -> Result<Option<O>, Self::Error>;

    /// An object and everything in it, which is the only window of the tree; `None` too when not all was read.
    async fn branch(&self, handle: &O::Handle) -> Result<Option<AccessibleTree<O>>, Self::Error>;
}

/// The most objects that are asked for again one by one; beyond, all is read anew.
const MOST: usize = 64;
/// The most objects that had the keyboard and are asked whether they still do.
const MOST_FOCUSED: usize = 8;
/// How far up something that is not known is looked for in the tree.
const MOST_UP: usize = 16;

/// What has changed in an application.
#[derive(Debug, PartialEq, Eq)]
pub struct Changed<H> {
    /// Objects that are different.
    pub objects: Vec<H>,
    /// Objects in which there may be other objects now.
    pub below: Vec<H>,
}

/// What the application answered.
pub struct Fresh<O: TreeObject> {
    /// Objects as they are now, by their position.
    objects: Vec<(usize, O)>,
    /// Objects with everything in them.
    branches: Vec<(usize, AccessibleTree<O>)>,
}

/// Where there is something new.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Renewed {
    /// Objects that can still be asked the same, by their position.
    pub alike: Vec<usize>,
    /// Objects that are new or of another sort.
    pub other: Vec<usize>,
    /// Whether other objects may be there now, so that all may have moved.
    pub moved: bool,
}

/// Asks again for what has changed; `None` when all must be read anew.
///
/// # Errors
/// When the application does not answer.
pub async fn ask<O: TreeObject, S: TreeSource<O>>(
    source: &S,
    tree: &AccessibleTree<O>,
    changed: &Changed<O::Handle>,
) -> Result<Option<Fresh<O>>, S::Error> {
    let mut below = Vec::new();
    for handle in &changed.below {
        match known(source, tree, handle.clone()).await? {
            Some(place) => below.push(place),
            None => return Ok(None),
        }
    }
    let single = changed.single(tree);
    // A scroll bar that moved has moved everything.
    let scrolled = single.iter().any(|&place| tree.objects[place].moves_others());
    if scrolled || single.len() + below.len() > MOST {
        return Ok(None);
    }
    let asked = try_join_all(single.iter().map(|&place| source.object(tree.objects[place].handle()))).await?;
    let (mut single, mut asked) = (single, asked);
    if asked.iter().flatten().any(TreeObject::is_focused) {
        // Not everything that loses the keyboard says so.
        let lost: Vec<usize> = focused(tree).filter(|place| !single.contains(place)).collect();
        asked.extend(
            try_join_all(lost.iter().map(|&place| source.object(tree.objects[place].handle()))).await?,
        );
        single.extend(lost);
    }
    let mut objects = Vec::new();
    for (place, object) in single.into_iter().zip(asked) {
        let Some(object) = object else { return Ok(None) };
        if object.holds_others(&tree.objects[place]) {
            below.push(place);
        } else {
            objects.push((place, object));
        }
    }
    let below = outermost(tree, below);
    if below.iter().any(|place| tree.windows.contains(place)) {
        return Ok(None);
    }
    let read = below.iter().map(|&place| source.branch(tree.objects[place].handle()));
    let branches: Option<Vec<AccessibleTree<O>>> = try_join_all(read).await?.into_iter().collect();
    Ok(branches.map(|branches| Fresh { objects, branches: below.into_iter().zip(branches).collect() }))
}

impl<H> Default for Changed<H> {
    fn default() -> Self {
        Self { objects: Vec::new(), below: Vec::new() }
    }
}

impl<H> Changed<H> {
    /// Whether nothing has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.below.is_empty()
    }

    /// Those of the objects that are in the tree. One that is not was not visible and still is not: had it become visible,
    /// what it is in would have reported it.
    #[must_use]
    pub fn single<O: TreeObject<Handle = H>>(&self, tree: &AccessibleTree<O>) -> Vec<usize> {
        let mut places: Vec<usize> = self.objects.iter().filter_map(|handle| tree.find(handle)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl<O: TreeObject> Fresh<O> {
    /// Puts what is new in its place.
    pub fn apply(self, tree: &mut AccessibleTree<O>) -> Renewed {
        let mut renewed = Renewed { moved: !self.branches.is_empty(), ..Renewed::default() };
        for (place, mut object) in self.objects {
            let old = &mut tree.objects[place];
            let same = if object.is_like(old) { &mut renewed.alike } else { &mut renewed.other };
            same.push(place);
            object.set_children(old.children().to_vec());
            *old = object;
        }
        for (place, branch) in self.branches {
            renewed.other.extend(tree.graft(place, &branch));
        }
        renewed
    }
}

/// What was read to have the keyboard; some toolkits say so of a view and of the cell in it.
fn focused<O: TreeObject>(tree: &AccessibleTree<O>) -> impl Iterator<Item = usize> {
    (0..tree.objects.len()).filter(|&place| tree.objects[place].is_focused()).take(MOST_FOCUSED)
}

/// The object, or what it is in, as far as the tree knows it.
async fn known<O: TreeObject, S: TreeSource<O>>(
    source: &S,
    tree: &AccessibleTree<O>,
    mut handle: O::Handle,
) -> Result<Option<usize>, S::Error> {
    for _ in 0..MOST_UP {
        if let Some(place) = tree.find(&handle) {
            return Ok(Some(place));
        }
        match source.parent(&handle).await? {
            Some(parent) => handle = parent,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Those that are in no other of them.
fn outermost<O: TreeObject>(tree: &AccessibleTree<O>, mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    let inner: Vec<usize> =
        places.iter().flat_map(|&place| tree.reachable(&[place]).into_iter().skip(1)).collect();
    places.retain(|place| !inner.contains(place));
    places
}
