//! One object of an application, without its details.

use std::collections::HashMap;

use fingertip_core::Role;
use fingertip_desktop::tree::{self, TreeObject};

use super::walk::MOST_LISTED;
use crate::client::said;
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
    /// From all that an application reports.
    pub(crate) fn from_map(mut map: HashMap<String, String>) -> Self {
        let mut take =
            |name: &str| map.remove(name).filter(|value| !value.is_empty()).map(|value| said(value).into());
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

impl TreeObject for Object {
    type Handle = Handle;

    fn handle(&self) -> &Handle {
        &self.handle
    }

    fn children(&self) -> &[usize] {
        &self.children
    }

    fn set_children(&mut self, children: Vec<usize>) {
        self.children = children;
    }

    fn holds_others(&self, before: &Self) -> bool {
        self.child_count != before.child_count || self.states.is_showing() != before.states.is_showing()
    }

    fn moves_others(&self) -> bool {
        self.role == roles::number::SCROLL_BAR
    }

    fn is_focused(&self) -> bool {
        self.states.is_focused()
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.role, self.interfaces) == (other.role, other.interfaces)
    }
}

/// Takes the tabs that say they have the keyboard for what they are: chosen; see [`Toolkit::calls_chosen_tabs_focused`].
///
/// [`Toolkit::calls_chosen_tabs_focused`]: crate::toolkit::Toolkit::calls_chosen_tabs_focused
pub(crate) fn correct_tabs(tree: &mut AccessibleTree) {
    for bar in 0..tree.objects.len() {
        if roles::role(tree.objects[bar].role) != Role::TabList {
            continue;
        }
        let has_keyboard = tree.objects[bar].states.is_focused();
        for position in 0..tree.objects[bar].children.len() {
            let tab = tree.objects[bar].children[position];
            let tab = &mut tree.objects[tab];
            if roles::role(tab.role) == Role::Tab && tab.states.is_focused() {
                tab.states = tab.states.chosen(has_keyboard);
            }
        }
    }
}

/// The objects of an application.
pub(crate) type AccessibleTree = tree::AccessibleTree<Object>;

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
    fn a_chosen_tab_has_the_keyboard_only_where_its_bar_has() {
        use crate::states::state::{FOCUSED, SELECTED};
        for bar_is_focused in [false, true] {
            let focused = States::from_halves(&[1 << FOCUSED]);
            let mut tree = AccessibleTree::default();
            let states = if bar_is_focused { focused } else { States::default() };
            let bar = tree.add(Object { role: 38, states, ..object("/bar", 2) });
            let chosen = tree.add(Object { role: 37, states: focused, ..object("/chosen", 0) });
            let other = tree.add(Object { role: 37, states: States::default(), ..object("/other", 0) });
            let field = tree.add(Object { states: focused, ..object("/field", 0) });
            tree.objects[bar].children.extend([chosen, other]);
            correct_tabs(&mut tree);
            let has = |place: usize, state| tree.objects[place].states.has(state);
            assert_eq!((has(chosen, FOCUSED), has(chosen, SELECTED)), (bar_is_focused, true));
            assert!(!has(other, FOCUSED) && !has(other, SELECTED) && has(field, FOCUSED));
        }
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
    fn a_tree_takes_the_place_of_an_old_one() {
        let mut tree = AccessibleTree::default();
        let window = tree.add(object("/window", 1));
        let old = tree.add(object("/box", 1));
        let child = tree.add(object("/a", 1));
        tree.objects[window].children.push(old);
        tree.objects[old].children.push(child);
        let mut branch = AccessibleTree::default();
        let root = branch.add(object("/box", 1));
        let other = branch.add(object("/b", 1));
        branch.objects[root].children.push(other);
        branch.windows.push(root);
        let new = tree.graft(old, &branch);
        assert_eq!(tree.reachable(&[window]), [&[window], &new[..]].concat());
        assert_eq!(tree.find(&Handle::new(":1.1", "/b")), Some(new[1]));
    }

    #[test]
    fn a_handle_has_one_object() {
        let mut tree = AccessibleTree::default();
        assert_eq!(tree.add(object("/a", 1)), tree.add(object("/a", 1)));
        assert_eq!(tree.objects.len(), 1);
    }
}
