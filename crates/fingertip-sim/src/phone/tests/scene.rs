use super::hand::Hand;
use crate::phone::scene::{Picture, Shape};
use crate::phone::{Point, Rect, TouchAction, WindowKind};

/// Everything drawn now.
fn shapes(hand: &Hand) -> Vec<Shape> {
    hand.phone.scene().layers.into_iter().flat_map(|layer| layer.items).map(|item| item.shape).collect()
}

fn count(hand: &Hand, test: impl Fn(&Shape) -> bool) -> usize {
    shapes(hand).iter().filter(|shape| test(shape)).count()
}

#[test]
fn a_pressed_button_shows_it() {
    let mut hand = Hand::calculator();
    let pressed = |hand: &Hand| count(hand, |shape| matches!(shape, Shape::Pressed { .. }));
    let key = hand.by_id("digit_5").bounds;
    hand.touch(TouchAction::Down, 0, key.center());
    assert!(
        shapes(&hand).iter().any(|shape| matches!(shape, Shape::Pressed { bounds, .. } if *bounds == key))
    );
    assert_eq!(pressed(&hand), 1);
    hand.touch(TouchAction::Up, 0, key.center());
    assert_eq!(pressed(&hand), 0);
}

#[test]
fn a_caret_blinks_where_the_text_ends() {
    let mut hand = Hand::settings();
    let caret = |hand: &Hand| {
        shapes(hand).into_iter().find_map(|shape| match shape {
            Shape::Caret { bounds, .. } => Some(bounds),
            _ => None,
        })
    };
    assert_eq!(caret(&hand), None);
    hand.tap_id("search_src_text");
    hand.type_text("w");
    let narrow = caret(&hand).unwrap();
    hand.type_text("w");
    assert!(caret(&hand).unwrap().left > narrow.left);
    let before = hand.phone.generation();
    hand.wait(600);
    assert_eq!(caret(&hand), None);
    hand.wait(500);
    assert!(caret(&hand).is_some());
    assert_eq!(hand.phone.generation(), before, "a blink is no change of the tree");
}

#[test]
fn a_dialog_is_drawn_over_a_veil() {
    let mut hand = Hand::with("com.android.contacts/.activities.ContactEditorActivity");
    hand.tap_text("Save");
    let scene = hand.phone.scene();
    let dialog = scene.layers.iter().find(|layer| layer.kind == WindowKind::Dialog).unwrap();
    assert!(dialog.scrim.is_some());
    let letters = dialog.items.iter().filter(|item| matches!(item.shape, Shape::Text { .. })).count();
    assert_eq!(letters, 3, "title, message, button");
}

#[test]
fn text_is_drawn_line_by_line_where_it_can_be_seen() {
    let mut hand = Hand::with("com.fingertip.demo.notes/.NotesActivity");
    hand.tap_text("Field report");
    let drawn = shapes(&hand);
    let texts: Vec<&str> = drawn
        .iter()
        .filter_map(|shape| match shape {
            Shape::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(texts.iter().all(|text| !text.contains('\n')));
    assert!(texts.iter().any(|text| text.starts_with("Line 1:")));
    assert!(!texts.iter().any(|text| text.starts_with("Line 60:")), "what is out of view costs nothing");
}

#[test]
fn a_picture_is_panned_only_when_it_is_zoomed() {
    let mut hand = Hand::with("com.fingertip.demo.gallery/.GalleryActivity");
    hand.tap_text("Photo 3");
    let photo = |hand: &Hand| -> Rect {
        let found = shapes(hand).into_iter().find_map(|shape| match shape {
            Shape::Picture { picture: Picture::Photo(2), bounds } => Some(bounds),
            _ => None,
        });
        found.unwrap()
    };
    let middle = hand.by_id("photo_view").bounds.center();
    let aside = Point::new(middle.x + 200.0, middle.y);
    let still = photo(&hand);
    hand.drag(middle, aside, 200, 0);
    assert_eq!(photo(&hand), still);
    hand.pinch(middle, 300.0, 600.0);
    let zoomed = photo(&hand);
    assert_eq!(zoomed.width(), still.width() * 2);
    hand.drag(middle, aside, 200, 0);
    let panned = photo(&hand);
    assert_eq!((panned.left - zoomed.left, panned.top), (200, zoomed.top));
    hand.drag(middle, Point::new(middle.x + 3000.0, middle.y), 200, 0);
    assert!(photo(&hand).left <= 0, "the picture never leaves its room");
}
