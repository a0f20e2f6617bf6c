//! Who would get a tap, and where to tap a node.
//!
//! Rules: the topmost window at a point takes it, whatever is in it. Inside a window children are drawn over
//! their parents and later siblings over earlier ones (by drawing order, where the platform reports it), and a
//! tap falls through what does not react, to what does. What lies outside an ancestor, the window or the
//! screen is not there. An ancestor without a size clips nothing, nor does a tab: GTK 3 has what is on a page
//! inside of the tab above it.
//!
//! Not here: whether the node is still the one that was meant ([`crate::id`]), and what to do about a cover.

mod aim;
mod free;
#[cfg(test)]
mod property;

pub use aim::{Obstacle, aim};

use crate::{Flags, Node, NodeIndex, Point, Rect, Role, Snapshot};

/// What reacts to being touched, so that a tap goes no further.
const TOUCHABLE: Flags = Flags::CLICKABLE.union(Flags::LONG_CLICKABLE).union(Flags::EDITABLE);

/// Who gets a tap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receiver {
    /// The window, by its position in [`Snapshot::windows`].
    pub window: usize,
    /// The node, when the window has one there.
    pub node: Option<NodeIndex>,
}

/// Who would get a tap at this point: in the topmost window there, the topmost node that reacts to touch, else
/// the topmost visible one.
#[must_use]
pub fn receiver(snapshot: &Snapshot, point: Point) -> Option<Receiver> {
    let windows = 0..snapshot.windows().len();
    let window = windows
        .filter(|&window| touch_area(snapshot, window).contains(point))
        .max_by_key(|&window| stacking(snapshot, window))?;
    let layers = stack(snapshot, window, pixel(point));
    let touchable = layers.iter().rev().find(|layer| is_touchable(snapshot, layer.node));
    let node = touchable.or(layers.last()).map(|layer| layer.node);
    Some(Receiver { window, node })
}

/// The part of a node that is inside all its ancestors, its window and the screen; empty when nothing is.
#[must_use]
pub fn visible_part(snapshot: &Snapshot, node: NodeIndex) -> Rect {
    snapshot
        .ancestors(node)
        .map(|ancestor| snapshot.node(ancestor))
        .filter(|ancestor| cuts(ancestor))
        .map(|ancestor| ancestor.bounds)
        .fold(touch_area(snapshot, snapshot.window_of(node)), Rect::intersection)
        .intersection(snapshot.node(node).bounds)
}

/// Where a window takes touches: nowhere while it is minimized. A screen of unknown size cuts nothing.
fn touch_area(snapshot: &Snapshot, window: usize) -> Rect {
    let window = &snapshot.windows()[window];
    let screen = snapshot.screen.bounds();
    match (window.minimized, screen.is_empty()) {
        (true, _) => Rect::default(),
        (false, true) => window.bounds,
        (false, false) => window.bounds.intersection(screen),
    }
}

/// What decides which of two windows lies above: the layer, then the later one.
fn stacking(snapshot: &Snapshot, window: usize) -> (i32, usize) {
    (snapshot.windows()[window].layer, window)
}

fn is_touchable(snapshot: &Snapshot, node: NodeIndex) -> bool {
    snapshot.node(node).flags.intersects(TOUCHABLE)
}

/// A visible node with the part of it that is not cut off.
#[derive(Debug, Clone, Copy)]
struct Layer {
    node: NodeIndex,
    part: Rect,
}

/// The visible nodes of a window that touch this area, the lowest first.
fn stack(snapshot: &Snapshot, window: usize, area: Rect) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut open = Vec::new();
    push_in_order(snapshot, snapshot.roots_of(window), touch_area(snapshot, window), &mut open);
    while let Some((index, clip)) = open.pop() {
        let node = snapshot.node(index);
        let part = clip.intersection(node.bounds);
        let is_there = !node.bounds.is_empty() && part.overlaps(area);
        if is_there && node.is(Flags::VISIBLE) {
            layers.push(Layer { node: index, part });
        }
        if !cuts(node) {
            push_in_order(snapshot, snapshot.children(index), clip, &mut open);
        } else if is_there {
            push_in_order(snapshot, snapshot.children(index), part, &mut open);
        }
    }
    layers
}

/// Whether what a node contains ends where it ends.
fn cuts(node: &Node) -> bool {
    !node.bounds.is_empty() && node.role != Role::Tab
}

/// Puts siblings on the stack of open nodes so that the lowest is taken first.
fn push_in_order(
    snapshot: &Snapshot,
    siblings: impl Iterator<Item = NodeIndex>,
    clip: Rect,
    open: &mut Vec<(NodeIndex, Rect)>,
) {
    let start = open.len();
    open.extend(siblings.map(|sibling| (sibling, clip)));
    let siblings = &mut open[start..];
    siblings.sort_by_key(|(sibling, _)| snapshot.node(*sibling).drawing_order);
    siblings.reverse();
}

/// The pixel a point lies in. Bounds are whole pixels, so what covers the one covers the other.
fn pixel(point: Point) -> Rect {
    let (left, top) = (point.x.floor() as i32, point.y.floor() as i32);
    Rect::new(left, top, left.saturating_add(1), top.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{find, name_of, sample, tree};

    fn at(snapshot: &Snapshot, x: f64, y: f64) -> String {
        match receiver(snapshot, Point::new(x, y)) {
            Some(Receiver { node: Some(node), .. }) => name_of(snapshot.node(node)),
            Some(Receiver { window, node: None }) => format!("window {window}"),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn a_tap_falls_through_a_label_to_its_row() {
        let phone = sample::phone();
        assert_eq!(at(&phone, 100.0, 700.0), "LinearLayout #com.example.contacts:id/row");
        assert_eq!(at(&phone, 950.0, 700.0), r#"CheckBox "Favourite Ada Lovelace""#);
    }

    #[test]
    fn where_nothing_reacts_the_topmost_visible_node_gets_it() {
        assert_eq!(at(&sample::phone(), 300.0, 150.0), r#"TextView "Address book""#);
    }

    #[test]
    fn a_window_above_takes_all_taps() {
        let phone = sample::phone_with_keyboard();
        assert_eq!(at(&phone, 50.0, 1700.0), r#"View "q""#);
        assert_eq!(at(&phone, 500.0, 2250.0), "FrameLayout", "not the button below");
    }

    #[test]
    fn minimized_and_empty_windows_get_nothing() {
        let snapshot = tree(
            r#"
            window "App" app [0,0,100,100]
            A [0,0,100,100] c
            window "Minimized" app [0,0,100,100] layer=5 minimized
            B [0,0,100,100] c
            window "Empty" app [0,0,0,0] layer=9
            C [0,0,100,100] c
            "#,
        );
        assert_eq!(at(&snapshot, 5.0, 5.0), "A");
        assert_eq!(at(&snapshot, 100.0, 5.0), "none");
    }

    #[test]
    fn of_windows_on_one_layer_the_later_is_above() {
        let snapshot = tree("window a [0,0,9,9]\nA [0,0,9,9]\nwindow b [0,0,9,9]");
        assert_eq!(at(&snapshot, 5.0, 5.0), "window 1");
    }

    #[test]
    fn drawing_order_beats_document_order() {
        let snapshot = tree("Root [0,0,9,9]\n  First [0,0,9,9] c order=2\n  Second [0,0,9,9] c order=1");
        assert_eq!(at(&snapshot, 5.0, 5.0), "First");
        let snapshot = tree("Root [0,0,9,9]\n  First [0,0,9,9] c\n  Second [0,0,9,9] c");
        assert_eq!(at(&snapshot, 5.0, 5.0), "Second");
    }

    #[test]
    fn what_is_cut_off_by_its_container_gets_nothing() {
        let snapshot = tree("Root [0,0,99,99]\n  List [0,0,99,50] s\n    Row [0,40,99,60] c");
        assert_eq!(at(&snapshot, 5.0, 45.0), "Row");
        assert_eq!(at(&snapshot, 5.0, 55.0), "Root");
    }

    #[test]
    fn an_invisible_node_gets_nothing() {
        let snapshot = tree("Root [0,0,99,99]\n  A [0,0,99,99] c\n  Scrim [0,0,99,99] c -v");
        assert_eq!(at(&snapshot, 5.0, 45.0), "A");
    }

    #[test]
    fn a_container_of_no_size_cuts_nothing() {
        let snapshot = tree("Root [0,0,99,99]\n  Group\n    A [0,0,50,50] c");
        assert_eq!(at(&snapshot, 5.0, 45.0), "A");
        let a = snapshot.indices().last().unwrap();
        assert_eq!(visible_part(&snapshot, a), Rect::new(0, 0, 50, 50));
    }

    #[test]
    fn a_tab_does_not_cut_the_page_that_it_contains() {
        let snapshot = tree(
            "Root [0,0,99,99]\n  Tab role=tab [0,0,20,9] c\n    Page [0,10,99,99]\n      Field [5,20,90,40] e\n  \
             Tab2 role=tab [20,0,40,9] c",
        );
        assert_eq!(at(&snapshot, 50.0, 30.0), "Field");
        assert_eq!(at(&snapshot, 5.0, 5.0), "Tab");
        assert_eq!(at(&snapshot, 25.0, 5.0), "Tab2");
        let field = snapshot.indices().find(|index| snapshot.node(*index).is(Flags::EDITABLE)).unwrap();
        assert_eq!(visible_part(&snapshot, field), Rect::new(5, 20, 90, 40));
        assert!(aim(&snapshot, field).is_ok());
    }

    #[test]
    fn a_screen_of_unknown_size_cuts_nothing() {
        let snapshot = tree("screen 0x0@0\nwindow a [0,0,99,99]\nA [0,0,50,50] c");
        assert_eq!(at(&snapshot, 5.0, 45.0), "A");
    }

    #[test]
    fn the_visible_part_ends_at_the_list() {
        let phone = sample::phone();
        let row = phone.parent(find(&phone, "Alan Turing")).unwrap();
        assert_eq!(visible_part(&phone, row), Rect::new(0, 2008, 1080, 2100));
    }
}
