//! The objects of an application, as they were read.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::walk::MOST_LISTED;
use crate::handle::Handle;
use crate::roles;
use crate::states::States;

bitflags::bitflags! {
    /// What can be asked of an object.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub(crate) struct Interfaces: u8 {
        const ACTION = 1;
        const COMPONENT = 1 << 1;
        const EDITABLE_TEXT = 1 << 2;
        const SELECTION = 1 << 3;
        const TEXT = 1 << 4;
        const VALUE = 1 << 5;
    }
}

impl Interfaces {
    /// From the names an application gives; others than these are of no use here.
    pub(crate) fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        use crate::bus::interface;
        names.into_iter().fold(Self::empty(), |all, name| {
            all | match name {
                interface::ACTION => Self::ACTION,
                interface::COMPONENT => Self::COMPONENT,
                interface::EDITABLE_TEXT => Self::EDITABLE_TEXT,
                interface::SELECTION => Self::SELECTION,
                interface::TEXT => Self::TEXT,
                interface::VALUE => Self::VALUE,
                _ => Self::empty(),
            }
        })
    }
}

/// What is of use among the attributes of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Attributes {
    /// What it shows while it is empty.
    pub(crate) hint: Option<Box<str>>,
    /// The name its programmer gave it.
    pub(crate) identifier: Option<Box<str>>,
}

impl Attributes {
    /// From all that an application tells.
    pub(crate) fn from_map(mut map: HashMap<String, String>) -> Self {
        let mut take = |name: &str| map.remove(name).filter(|value| !value.is_empty()).map(Into::into);
        Self { hint: take("placeholder-text").or_else(|| take("placeholder")), identifier: take("id") }
    }
}

/// One object, without its details.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Object {
    /// Its name on the bus.
    pub(crate) handle: Handle,
    /// What its toolkit calls it.
    pub(crate) name: Box<str>,
    /// Its description; `None` when that was not read yet.
    pub(crate) description: Option<Box<str>>,
    /// The number of its role.
    pub(crate) role: u32,
    /// Its states.
    pub(crate) states: States,
    /// What can be asked of it.
    pub(crate) interfaces: Interfaces,
    /// How many children it says it has; negative when it does not say.
    pub(crate) child_count: i32,
    /// The children that were read, in order, by their position in the tree.
    pub(crate) children: Vec<usize>,
}

impl Object {
    /// Whether it has, or may have, children that were not read.
    pub(crate) fn has_gap(&self) -> bool {
        let read = i32::try_from(self.children.len()).unwrap_or(i32::MAX);
        self.child_count < 0 || self.child_count > read
    }

    /// Whether it says that it has so many children or more, and would be asked for all of them at once. To make a list of
    /// thousands takes GTK 3 seconds.
    pub(crate) fn lists_at_least(&self, most: usize) -> bool {
        self.child_count <= MOST_LISTED && usize::try_from(self.child_count).is_ok_and(|count| count >= most)
    }
}

/// The objects of an application.
#[derive(Debug, Clone, Default)]
pub(crate) struct AccessibleTree {
    /// All objects that were read, in no order.
    pub(crate) objects: Vec<Object>,
    /// Its windows, by their position.
    pub(crate) windows: Vec<usize>,
    /// Why objects are missing, when some are.
    pub(crate) cut: Option<String>,
    places: FxHashMap<Handle, usize>,
}

impl AccessibleTree {
    /// Whether it has scroll bars in sight, by itself or each in a box, as Qt has them.
    pub(crate) fn has_bars(&self, place: usize) -> bool {
        let is_bar = |place: usize| {
            let object = &self.objects[place];
            object.role == roles::number::SCROLL_BAR && object.states.is_showing()
        };
        let children = &self.objects[place].children;
        children
            .iter()
            .any(|&child| is_bar(child) || matches!(*self.objects[child].children, [only] if is_bar(only)))
    }

    /// Adds an object; a handle that is known already keeps its first object.
    pub(crate) fn add(&mut self, object: Object) -> usize {
        let next = self.objects.len();
        let place = *self.places.entry(object.handle.clone()).or_insert(next);
        if place == next {
            self.objects.push(object);
        }
        place
    }

    /// The object of this handle.
    pub(crate) fn find(&self, handle: &Handle) -> Option<usize> {
        self.places.get(handle).copied()
    }

    /// Whether all objects are of one application.
    pub(crate) fn is_of_one(&self) -> bool {
        let mut owners = self.objects.iter().map(|object| &object.handle.bus_name);
        owners.next().is_none_or(|first| owners.all(|owner| owner == first))
    }

    /// Notes why objects are missing; the first reason is the one to tell.
    pub(crate) fn cut(&mut self, why: impl Into<String>) {
        self.cut.get_or_insert_with(|| why.into());
    }

    /// Puts a branch that was read anew in the place of an old one; returns where its objects are now. What was in the
    /// old one alone is reached from nowhere then.
    pub(crate) fn graft(&mut self, place: usize, branch: &AccessibleTree) -> Vec<usize> {
        let order = branch.reachable(&branch.windows);
        let mut moved = vec![place; branch.objects.len()];
        for &from in &order[1..] {
            moved[from] = self.add(branch.objects[from].clone());
        }
        for &from in &order {
            let object = branch.objects[from].clone();
            let children = object.children.iter().map(|&child| moved[child]).collect();
            self.objects[moved[from]] = Object { children, ..object };
        }
        order.into_iter().map(|from| moved[from]).collect()
    }

    /// All objects below and including these, parents before children, each once.
    ///
    /// An application may name an object as its own ancestor; each is therefore taken once.
    pub(crate) fn reachable(&self, from: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.objects.len()];
        let mut order = Vec::new();
        let mut open: Vec<usize> = from.iter().rev().copied().collect();
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            order.push(place);
            open.extend(self.objects[place].children.iter().rev());
        }
        order
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An object of this name, which says it has so many children.
    pub(crate) fn object(path: &str, child_count: i32) -> Object {
        Object {
            handle: Handle::new(":1.1", path),
            name: path.trim_start_matches('/').into(),
            description: Some("".into()),
            role: 39,
            states: States::from_halves(&[1 << 25 | 1 << 30, 0]),
            interfaces: Interfaces::empty(),
            child_count,
            children: Vec::new(),
        }
    }

    #[test]
    fn a_count_that_is_too_high_or_unknown_is_a_gap() {
        let mut parent = object("/parent", 2);
        assert!(parent.has_gap());
        parent.children = vec![1, 2];
        assert!(!parent.has_gap());
        parent.child_count = -1;
        assert!(parent.has_gap());
    }

    #[test]
    fn an_object_that_is_its_own_ancestor_is_read_once() {
        let mut tree = AccessibleTree::default();
        let parent = tree.add(object("/parent", 1));
        let child = tree.add(object("/child", 1));
        tree.objects[parent].children.push(child);
        tree.objects[child].children.push(parent);
        assert_eq!(tree.reachable(&[parent]), [parent, child]);
    }

    #[test]
    fn a_guest_in_an_application_is_noticed() {
        let mut tree = AccessibleTree::default();
        assert!(tree.is_of_one());
        tree.add(object("/a", 0));
        assert!(tree.is_of_one());
        tree.add(Object { handle: Handle::new(":1.2", "/guest"), ..object("/b", 0) });
        assert!(!tree.is_of_one());
    }

    #[test]
    fn a_tree_takes_the_place_of_an_old_one() {
        let mut tree = AccessibleTree::default();
        let window = tree.add(object("/window", 1));
        let old = tree.add(object("/box", 1));
        let child = tree.add(object("/a", 0));
        tree.objects[window].children.push(old);
        tree.objects[old].children.push(child);
        let mut branch = AccessibleTree::default();
        let root = branch.add(object("/box", 1));
        let other = branch.add(object("/b", 0));
        branch.objects[root].children.push(other);
        branch.windows.push(root);
        let new = tree.graft(old, &branch);
        assert_eq!(tree.reachable(&[window]), [&[window], &new[..]].concat());
        assert_eq!(tree.find(&Handle::new(":1.1", "/b")), Some(new[1]));
    }

    #[test]
    fn a_handle_has_one_object() {
        let mut tree = AccessibleTree::default();
        assert_eq!(tree.add(object("/a", 0)), tree.add(object("/a", 7)));
        assert_eq!(tree.objects.len(), 1);
    }
}
