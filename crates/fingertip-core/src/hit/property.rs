//! Aiming checked against the receiver of every pixel, on small random screens.

use proptest::prelude::*;

use super::*;
use crate::{Node, Screen, Window};

const SIDE: i32 = 12;

#[derive(Debug, Clone)]
struct Plan {
    bounds: Rect,
    touchable: bool,
    drawing_order: i32,
    /// How many open nodes to close before this one.
    close: usize,
}

fn rects() -> impl Strategy<Value = Rect> {
    (-2..SIDE, -2..SIDE, 0..SIDE, 0..SIDE)
        .prop_map(|(left, top, width, height)| Rect::new(left, top, left + width, top + height))
}

fn plans() -> impl Strategy<Value = Plan> {
    (rects(), any::<bool>(), 0..3, 0_usize..3).prop_map(|(bounds, touchable, drawing_order, close)| Plan {
        bounds,
        touchable,
        drawing_order,
        close,
    })
}

fn snapshots() -> impl Strategy<Value = Snapshot> {
    (prop::collection::vec(plans(), 1..14), rects()).prop_map(|(plans, overlay)| {
        let mut builder = Snapshot::builder(Screen { width: SIDE as u32, height: SIDE as u32, density: 160 });
        builder.window(Window::new("app", Rect::new(0, 0, SIDE, SIDE)));
        builder.open(Node::new("Root").bounds(0, 0, SIDE, SIDE));
        for plan in plans {
            for _ in 0..plan.close {
                builder.close();
            }
            let flags = if plan.touchable { Flags::CLICKABLE } else { Flags::empty() };
            let node = Node { bounds: plan.bounds, drawing_order: plan.drawing_order, ..Node::new("Node") };
            builder.open(node.with(flags));
        }
        builder.window(Window::new("overlay", overlay).layer(1));
        builder.finish()
    })
}

fn pixels() -> impl Iterator<Item = Point> {
    (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| Point::new(f64::from(x), f64::from(y))))
}

proptest! {
    #[test]
    fn a_tap_where_aim_says_reaches_the_node(snapshot in snapshots()) {
        for node in snapshot.nodes_of(0).filter(|node| is_touchable(&snapshot, *node)) {
            if let Ok(point) = aim(&snapshot, node) {
                let hit = receiver(&snapshot, point).and_then(|receiver| receiver.node);
                let reached = hit.is_some_and(|hit| snapshot.is_within(hit, node));
                prop_assert!(reached, "{hit:?} instead of {node:?} at {point:?}");
            }
        }
    }

    #[test]
    fn a_covered_node_gets_no_pixel(snapshot in snapshots()) {
        for node in snapshot.nodes_of(0) {
            if aim(&snapshot, node).is_err() {
                let hits = pixels().filter_map(|pixel| receiver(&snapshot, pixel)?.node);
                let mut own = hits.filter(|hit| *hit == node);
                prop_assert_eq!(own.next(), None);
            }
        }
    }
}
