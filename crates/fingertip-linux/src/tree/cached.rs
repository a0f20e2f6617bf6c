//! The structure of an application from its cache: one call for all objects.
//!
//! A cache may be incomplete. Tables of GTK 3 make their cells when asked and are not in it, and GTK 4 adds an
//! object only once it was asked for. Chromium leaves out a page that was loaded after the first client of the
//! session came. [`super::walk`] fills such gaps, found by comparing what a parent says it has with what there is.
//!
//! A cache may be wrong too. A popover of GTK 3 names the widget it belongs to as its parent, which does not count it among
//! its children; LibreOffice says of two objects that they are the first child of one. Were these believed, the number of
//! children could be right by chance and the real ones never be asked for. So an object without a place among the children of
//! its parent, or with several, is left to the walk.

use rustc_hash::FxHashMap;

use super::AccessibleTree;
use super::source::Item;
use crate::handle::Handle;

/// Puts the objects of a cache in their places.
pub(crate) fn planted(items: Vec<Item>) -> AccessibleTree {
    let mut tree = AccessibleTree::default();
    let mut families: FxHashMap<Handle, Vec<(i32, usize)>> = FxHashMap::default();
    for Item { object, parent, index } in items {
        if object.states.is_defunct() {
            continue;
        }
        let place = tree.add(object);
        families.entry(parent).or_default().push((index, place));
    }
    for (parent, mut children) in families {
        let Some(parent) = tree.find(&parent) else { continue };
        children.sort_unstable();
        children.dedup();
        let alone = children.chunk_by(|one, next| one.0 == next.0).filter_map(|same| match same {
            [(0.., place)] => Some(*place),
            _ => None,
        });
        tree.objects[parent].children = alone.collect();
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::super::object::tests::object;
    use super::*;
    use crate::states::States;

    fn item(path: &str, parent: &str, index: i32, child_count: i32) -> Item {
        Item { object: object(path, child_count), parent: Handle::new(":1.1", parent), index }
    }

    #[test]
    fn children_come_in_the_order_of_their_index() {
        let tree = planted(vec![
            item("/second", "/window", 1, 0),
            item("/window", "/root", 0, 2),
            item("/first", "/window", 0, 0),
        ]);
        let window = tree.find(&Handle::new(":1.1", "/window")).unwrap();
        let names: Vec<_> =
            tree.objects[window].children.iter().map(|&child| &*tree.objects[child].name).collect();
        assert_eq!(names, ["first", "second"]);
        assert!(!tree.objects[window].has_gap());
    }

    #[test]
    fn who_has_no_place_of_its_own_among_the_children_leaves_a_gap() {
        let tree = planted(vec![
            item("/box", "/window", 0, 1),
            item("/popover", "/box", -1, 0),
            item("/window", "/root", 0, 2),
            item("/pane", "/window", 1, 0),
            item("/other", "/window", 1, 0),
        ]);
        let find = |path| &tree.objects[tree.find(&Handle::new(":1.1", path)).unwrap()];
        assert!(find("/box").children.is_empty());
        assert!(find("/box").has_gap());
        assert_eq!(find("/window").children.len(), 1, "what its first child is, is clear");
        assert!(find("/window").has_gap());
    }

    #[test]
    fn what_is_gone_leaves_a_gap() {
        let mut gone = item("/gone", "/window", 0, 0);
        gone.object.states = States::from_halves(&[1 << 6]);
        let tree = planted(vec![gone, item("/window", "/root", 0, 1)]);
        assert_eq!(tree.objects.len(), 1);
        assert!(tree.objects[0].has_gap());
    }
}
