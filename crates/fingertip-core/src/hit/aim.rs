//! Where to tap a node so that the tap really reaches it.

use super::free::{free_point, pixel_of_center};
use super::{Receiver, is_touchable, stack, stacking, touch_area, visible_part};
use crate::node::one_line;
use crate::{Flags, Node, NodeIndex, Point, Rect, Snapshot, Window};

/// The greatest number of characters of a label in a description.
const LABEL_LENGTH: usize = 60;

/// Why a node cannot be tapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It lies outside the screen, its window or a container it belongs to.
    OffScreen,
    /// It, or its window, is not shown.
    Invisible,
    /// It has no size.
    Empty,
    /// It is shown, but where is not known for certain.
    Unplaced,
    /// Its window waits until a modal dialog is answered.
    Blocked {
        /// The window that waits.
        window: usize,
    },
    /// Something else lies over all of it.
    Covered {
        /// What lies over its middle; a node only when it is in the same window.
        by: Receiver,
    },
}

impl Obstacle {
    /// What is the matter, as the end of a sentence about the node.
    #[must_use]
    pub fn describe(&self, snapshot: &Snapshot) -> String {
        match self {
            Self::OffScreen => "is outside the visible area".to_owned(),
            Self::Invisible => "is not visible".to_owned(),
            Self::Empty => "has no size".to_owned(),
            Self::Unplaced => "has no place on the screen that is known for certain".to_owned(),
            Self::Blocked { window } => {
                let dialog = snapshot.windows()[*window].blocked_by.as_deref().unwrap_or_default();
                format!("is blocked by the dialog '{dialog}', which comes first")
            }
            Self::Covered { by: Receiver { node: Some(node), .. } } => {
                format!("is covered by {}", describe_node(snapshot.node(*node)))
            }
            Self::Covered { by: Receiver { window, node: None } } => {
                format!("is covered by {}", describe_window(&snapshot.windows()[*window]))
            }
        }
    }
}

/// A whole pixel of the node where a tap reaches it: the middle of its visible part, else of the largest part
/// of it that is free.
///
/// A tap reaches a node when no other window and no unrelated node that reacts to touch lies above it. What the
/// node contains is part of it, but a place beside those of its descendants that react themselves is preferred.
///
/// # Errors
/// When there is no such place; see [`Obstacle`].
pub fn aim(snapshot: &Snapshot, node: NodeIndex) -> Result<Point, Obstacle> {
    let window = snapshot.window_of(node);
    if snapshot.windows()[window].blocked_by.is_some() {
        return Err(Obstacle::Blocked { window });
    }
    let window = snapshot.window_of(node);
    let shown = !snapshot.windows()[window].minimized && snapshot.node(node).is(Flags::VISIBLE);
    if !shown {
        return Err(Obstacle::Invisible);
    }
    match snapshot.node(node).bounds {
        bounds if bounds == Rect::default() => return Err(Obstacle::Unplaced),
        bounds if bounds.is_empty() => return Err(Obstacle::Empty),
        _ => {}
    }
    let part = visible_part(snapshot, node);
    if part.is_empty() {
        return Err(Obstacle::OffScreen);
    }
    let Covers { unrelated, descendants } = covers(snapshot, node, part);
    let all: Vec<Rect> = unrelated.iter().map(|cover| cover.area).chain(descendants).collect();
    free_point(part, &all)
        .or_else(|| free_point(part, &all[..unrelated.len()]))
        .ok_or_else(|| Obstacle::Covered { by: topmost(&unrelated, part, window) })
}

/// What lies above a node.
struct Covers {
    /// Windows and unrelated nodes, the topmost first.
    unrelated: Vec<Cover>,
    /// The places of its own descendants that react to touch.
    descendants: Vec<Rect>,
}

struct Cover {
    area: Rect,
    by: Receiver,
}

fn covers(snapshot: &Snapshot, node: NodeIndex, part: Rect) -> Covers {
    let own = snapshot.window_of(node);
    let mut above: Vec<usize> = (0..snapshot.windows().len())
        .filter(|&window| stacking(snapshot, window) > stacking(snapshot, own))
        .filter(|&window| touch_area(snapshot, window).overlaps(part))
        .collect();
    above.sort_by_key(|&window| std::cmp::Reverse(stacking(snapshot, window)));
    let mut unrelated: Vec<Cover> = above
        .into_iter()
        .map(|window| Cover { area: touch_area(snapshot, window), by: Receiver { window, node: None } })
        .collect();
    let mut descendants = Vec::new();
    let layers = stack(snapshot, own, part);
    for layer in layers.iter().rev().take_while(|layer| layer.node != node) {
        if !is_touchable(snapshot, layer.node) {
            continue;
        }
        if snapshot.is_within(layer.node, node) {
            descendants.push(layer.part);
        } else {
            let by = Receiver { window: own, node: Some(layer.node) };
            unrelated.push(Cover { area: layer.part, by });
        }
    }
    Covers { unrelated, descendants }
}

/// What lies over the middle, else whatever is above at all.
fn topmost(unrelated: &[Cover], part: Rect, window: usize) -> Receiver {
    let center = pixel_of_center(part);
    let over_center = unrelated.iter().find(|cover| cover.area.contains(center));
    over_center.or(unrelated.first()).map_or(Receiver { window, node: None }, |cover| cover.by)
}

/// Such as `Button "Cancel" node_12ab`.
fn describe_node(node: &Node) -> String {
    let id = node.id.map(|id| format!(" {id}")).unwrap_or_default();
    format!("{}{id}", node.summary())
}

/// Such as `the window "Keyboard" of com.example.keyboard`.
fn describe_window(window: &Window) -> String {
    let title = window.title.as_deref().map(quoted);
    let name = title.unwrap_or_else(|| format!("of type {}", window.kind.name()));
    match &window.app {
        Some(app) => format!("the window {name} of {}", one_line(app)),
        None => format!("the window {name}"),
    }
}

fn quoted(label: &str) -> String {
    match label.char_indices().nth(LABEL_LENGTH) {
        None => format!("{label:?}"),
        Some((end, _)) => format!("{:?}...", &label[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hit::receiver;
    use crate::test_support::{edit, find, sample, tree};

    fn obstacle(snapshot: &Snapshot, label: &str) -> String {
        aim(snapshot, find(snapshot, label)).unwrap_err().describe(snapshot)
    }

    #[test]
    fn a_free_node_is_tapped_in_its_middle() {
        let phone = sample::phone();
        assert_eq!(aim(&phone, find(&phone, "Save")), Ok(Point::new(540.0, 2263.0)));
    }

    #[test]
    fn a_keyboard_over_a_button_covers_it() {
        let phone = sample::phone_with_keyboard();
        assert_eq!(
            obstacle(&phone, "Save"),
            r#"is covered by the window "Keyboard" of com.example.keyboard"#
        );
    }

    #[test]
    fn a_button_half_under_the_keyboard_is_tapped_above_it() {
        let phone = edit::map_nodes(&sample::phone_with_keyboard(), |_, node| {
            if node.text.as_deref() == Some("Save") {
                node.bounds = Rect::new(42, 1400, 1038, 1700);
            }
        });
        let point = aim(&phone, find(&phone, "Save")).unwrap();
        assert!(point.y < 1500.0, "{point:?}");
    }

    #[test]
    fn a_dialog_over_a_button_covers_it() {
        let snapshot = tree(
            r#"
            window "App" app [0,0,1000,1000]
            Button "OK" [400,400,600,600] c
            window app [100,100,900,900] dialog layer=1
            Text "Sure?" [200,200,800,300]
            "#,
        );
        assert_eq!(obstacle(&snapshot, "OK"), "is covered by the window of type dialog of app");
    }

    #[test]
    fn a_row_under_a_floating_button_is_tapped_beside_it() {
        let snapshot = tree(
            r#"
            Root [0,0,1000,1000]
              Row "Row" [0,400,1000,600] c
              Button "Add" [350,350,650,650] c
            "#,
        );
        let row = find(&snapshot, "Row");
        let point = aim(&snapshot, row).unwrap();
        assert_eq!(receiver(&snapshot, point), Some(Receiver { window: 0, node: Some(row) }));
        assert_eq!(point.y, 500.0);
    }

    #[test]
    fn a_node_fully_under_another_names_it() {
        let snapshot = tree(
            r#"
            Root [0,0,1000,1000]
              Button "OK" [400,400,600,600] c
              Button "Cancel" [300,300,700,700] c id=12ab
            "#,
        );
        assert_eq!(obstacle(&snapshot, "OK"), r#"is covered by Button "Cancel" node_12ab"#);
        assert!(aim(&snapshot, find(&snapshot, "Cancel")).is_ok());
    }

    #[test]
    fn several_covers_together_can_hide_a_node() {
        let snapshot = tree(
            r#"
            Root [0,0,1000,1000]
              Button "OK" [400,400,600,600] c
              Button "Left" [0,0,500,1000] c
              Button "Right" [500,0,1000,1000] c
            "#,
        );
        assert_eq!(obstacle(&snapshot, "OK"), r#"is covered by Button "Right""#);
    }

    #[test]
    fn what_is_not_there_says_why() {
        let snapshot = tree(
            r#"
            screen 100x100@160
            Root [0,0,100,100]
              A "below" [0,100,50,150] c
              A "hidden" [0,0,50,50] c -v
              A "empty" [0,0,0,50] c
              A "somewhere" c
              List [0,0,100,50] s
                A "scrolled out" [0,60,100,80] c
            "#,
        );
        assert_eq!(aim(&snapshot, find(&snapshot, "below")), Err(Obstacle::OffScreen));
        assert_eq!(aim(&snapshot, find(&snapshot, "hidden")), Err(Obstacle::Invisible));
        assert_eq!(aim(&snapshot, find(&snapshot, "empty")), Err(Obstacle::Empty));
        assert_eq!(aim(&snapshot, find(&snapshot, "somewhere")), Err(Obstacle::Unplaced));
        assert_eq!(aim(&snapshot, find(&snapshot, "scrolled out")), Err(Obstacle::OffScreen));
    }

    #[test]
    fn a_row_half_scrolled_out_is_tapped_inside_its_list() {
        let phone = sample::phone();
        let row = phone.parent(find(&phone, "Alan Turing")).unwrap();
        let point = aim(&phone, row).unwrap();
        assert!(point.y < 2100.0, "{point:?}");
        assert_eq!(receiver(&phone, point), Some(Receiver { window: 0, node: Some(row) }));
    }

    #[test]
    fn a_label_in_a_row_is_tapped_though_the_row_reacts() {
        let phone = sample::phone();
        assert_eq!(aim(&phone, find(&phone, "Ada Lovelace")), Ok(Point::new(371.0, 692.0)));
    }

    #[test]
    fn a_row_is_tapped_beside_the_switch_in_it() {
        let snapshot = tree(
            r#"
            Row "Row" [0,0,1000,100] c
              Switch "Switch" [300,0,1000,100] c
            "#,
        );
        assert_eq!(aim(&snapshot, find(&snapshot, "Row")), Ok(Point::new(150.0, 50.0)));
        let full = tree("Row \"Row\" [0,0,100,100] c\n  Switch [0,0,100,100] c");
        assert_eq!(aim(&full, find(&full, "Row")), Ok(Point::new(50.0, 50.0)));
    }

    #[test]
    fn what_is_drawn_earlier_covers_nothing() {
        let snapshot = tree(
            r#"
            Root [0,0,100,100]
              Button "Above" [0,0,100,100] c order=2
              Button "Below" [0,0,100,100] c order=1
            "#,
        );
        assert!(aim(&snapshot, find(&snapshot, "Above")).is_ok());
        assert_eq!(obstacle(&snapshot, "Below"), r#"is covered by Button "Above""#);
    }

    #[test]
    fn a_long_label_is_cut_between_characters() {
        assert_eq!(quoted(&"é".repeat(61)), format!("\"{}\"...", "é".repeat(60)));
    }
}
