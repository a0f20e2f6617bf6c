//! The objects of an application, as they were read.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// One object of an application, as its platform knows it.
pub trait TreeObject: Clone + Send + Sync {
    /// What names it.
    type Handle: Clone + Eq + Hash + Send + Sync;

    /// Its name.
    fn handle(&self) -> &Self::Handle;

    /// The objects in it that were read, in order, by their position in the tree.
    fn children(&self) -> &[usize];

    /// Says which objects are in it.
    fn set_children(&mut self, children: Vec<usize>);

    /// Whether other objects may be in it, or visible in it, than before.
    fn holds_others(&self, before: &Self) -> bool;

    /// Whether a change of it moves others, as a scroll bar does.
    fn moves_others(&self) -> bool;

    /// Whether it has the keyboard.
    fn is_focused(&self) -> bool;

    /// Whether the same can be asked of both.
    fn is_like(&self, other: &Self) -> bool;
}

/// The objects of an application.
#[derive(Debug, Clone)]
pub struct AccessibleTree<O: TreeObject> {
    /// All objects that were read, in no order.
    pub objects: Vec<O>,
    /// Its windows, by their position.
    pub windows: Vec<usize>,
    /// Why objects are missing, when some are.
    pub cut: Option<String>,
    places: FxHashMap<O::Handle, usize>,
}

impl<O: TreeObject> Default for AccessibleTree<O> {
    fn default() -> Self {
        Self { objects: Vec::new(), windows: Vec::new(), cut: None, places: FxHashMap::default() }
    }
}

impl<O: TreeObject> AccessibleTree<O> {
    /// Adds an object; a handle that is known already keeps its first object.
    pub fn add(&mut self, object: O) -> usize {
        let next = self.objects.len();
        let place = *self.places.entry(object.handle().clone()).or_insert(next);
        if place == next {
            self.objects.push(object);
        }
        place
    }

    /// The object of this handle.
    #[must_use]
    pub fn find(&self, handle: &O::Handle) -> Option<usize> {
        self.places.get(handle).copied()
    }

    /// Notes why objects are missing; the first reason is the one reported.
    pub fn cut(&mut self, why: impl Into<String>) {
        self.cut.get_or_insert_with(|| why.into());
    }

    /// Puts a branch that was read anew in the place of an old one; returns where its objects are now. What was in the
    /// old one alone is reached from nowhere then.
    pub fn graft(&mut self, place: usize, branch: &Self) -> Vec<usize> {
        let order = branch.reachable(&branch.windows);
        let mut moved = vec![place; branch.objects.len()];
        for &from in &order[1..] {
            moved[from] = self.add(branch.objects[from].clone());
        }
        for &from in &order {
            let mut object = branch.objects[from].clone();
            object.set_children(object.children().iter().map(|&child| moved[child]).collect());
            self.objects[moved[from]] = object;
        }
        order.into_iter().map(|from| moved[from]).collect()
    }

    /// All objects below and including these, parents before children, each once.
    ///
    /// An application may name an object as its own ancestor; each is therefore taken once.
    #[must_use]
    pub fn reachable(&self, from: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.objects.len()];
        let mut order = Vec::new();
        let mut open: Vec<usize> = from.iter().rev().copied().collect();
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            order.push(place);
            open.extend(self.objects[place].children().iter().rev());
        }
        order
    }

    /// Those that are marked and their ancestors, in the same order, which has parents before children.
    #[must_use]
    pub fn with_ancestors(&self, order: &[usize], marked: &[bool]) -> Vec<usize> {
        let mut keep = marked.to_vec();
        for &place in order.iter().rev() {
            keep[place] |= self.objects[place].children().iter().any(|&child| keep[child]);
        }
        order.iter().copied().filter(|&place| keep[place]).collect()
    }
}
