use super::hand::Hand;
use crate::phone::{KeyCode, LATEST, META_SHIFT, NodeAction, NodeFlags, Point, TouchAction, WindowKind};

#[test]
fn the_keyboard_covers_types_and_hides_on_back() {
    let mut hand = Hand::settings();
    let tall = hand.by_id("recycler_view").bounds;
    hand.tap_id("search_src_text");
    let keyboard = hand.window("Keyboard").unwrap();
    assert_eq!(keyboard.kind, WindowKind::InputMethod);
    assert!(!keyboard.focused);
    let top = keyboard.bounds.top;
    assert!(hand.by_id("recycler_view").bounds.bottom <= top && tall.bottom > top);
    for key in ["Shift", "w", "i"] {
        let key = if key == "w" { "W" } else { key };
        hand.tap_text(key);
    }
    assert_eq!(hand.by_id("search_src_text").text, "Wi");
    hand.tap_text("Delete");
    assert_eq!(hand.by_id("search_src_text").text, "W");
    hand.key(KeyCode::BACK);
    assert!(!hand.phone.keyboard_shown());
    assert_eq!(hand.by_id("search_src_text").text, "W");
    assert_eq!(hand.by_id("recycler_view").bounds, tall);
}

#[test]
fn a_touch_on_the_keyboard_does_not_reach_the_app_below() {
    let mut hand = Hand::with("com.android.contacts/.activities.ContactEditorActivity");
    let save = hand.by_id("save_button").bounds.center();
    hand.tap_text("First name");
    assert!(hand.window("Keyboard").unwrap().bounds.contains(save));
    hand.tap(save);
    assert!(hand.window("Check the form").is_none());
}

#[test]
fn a_long_press_opens_the_menu_and_a_tap_opens_the_app() {
    let mut hand = Hand::new();
    let icon = hand.by_text("Calculator").bounds.center();
    hand.hold(icon, 600);
    assert_eq!(hand.window("Shortcuts").unwrap().kind, WindowKind::Popup);
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    assert!(hand.phone.focus().window.starts_with("PopupWindow:"));
    hand.tap(Point::new(540.0, 2000.0));
    assert!(hand.window("Shortcuts").is_none(), "a tap outside closes it and does nothing else");
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    hand.hold(icon, 400);
    assert_eq!(hand.phone.focus().package, "com.android.calculator2");
}

#[test]
fn the_long_press_comes_while_the_finger_is_down() {
    let mut hand = Hand::new();
    let icon = hand.by_text("Notes").bounds.center();
    hand.touch(TouchAction::Down, 0, icon);
    assert_eq!(hand.phone.next_timer(), Some(hand.phone.now() + 500));
    hand.wait(499);
    assert!(hand.window("Shortcuts").is_none());
    hand.wait(1);
    assert!(hand.window("Shortcuts").is_some());
    hand.touch(TouchAction::Up, 0, icon);
    assert!(hand.window("Shortcuts").is_some());
}

#[test]
fn a_drag_that_ends_still_goes_as_far_as_the_finger() {
    let mut hand = Hand::settings();
    let before = hand.by_text("Private DNS").bounds.top;
    let slop = 21;
    hand.drag(Point::new(540.0, 1800.0), Point::new(540.0, 1400.0), 300, 100);
    assert_eq!(before - hand.by_text("Private DNS").bounds.top, 400 - slop);
    let stopped = hand.by_text("Private DNS").bounds;
    hand.wait(3000);
    assert_eq!(hand.by_text("Private DNS").bounds, stopped);
}

#[test]
fn a_fling_goes_on_and_a_touch_stops_it() {
    let mut hand = Hand::settings();
    let first = |hand: &Hand| hand.by_id("recycler_view").children[1].children[0].children[0].text.clone();
    hand.drag(Point::new(540.0, 1800.0), Point::new(540.0, 1300.0), 100, 0);
    let at_up = first(&hand);
    assert!(hand.phone.next_timer().unwrap() <= hand.phone.now() + 16);
    hand.wait(100);
    assert_ne!(first(&hand), at_up);
    let package = hand.phone.focus();
    hand.tap(Point::new(540.0, 1200.0));
    assert_eq!(hand.phone.focus(), package, "the touch only stops the list");
    let stopped = first(&hand);
    hand.wait(2000);
    assert_eq!(first(&hand), stopped);
}

#[test]
fn the_home_screen_has_a_second_page() {
    let mut hand = Hand::new();
    assert!(hand.shows("Home screen 1 of 2") && !hand.shows("Home screen 2 of 2"));
    hand.drag(Point::new(900.0, 1200.0), Point::new(200.0, 1200.0), 150, 0);
    hand.wait(400);
    assert!(hand.shows("Home screen 2 of 2") && !hand.shows("Home screen 1 of 2"));
    hand.phone.lock_rotation(1);
    assert!(
        hand.shows("Home screen 2 of 2") && !hand.shows("Home screen 1 of 2"),
        "the page stays on turning"
    );
    hand.phone.free_rotation();
    hand.drag(Point::new(200.0, 1200.0), Point::new(400.0, 1200.0), 150, 200);
    hand.wait(400);
    assert!(hand.shows("Home screen 2 of 2"), "a short drag springs back");
    hand.key(KeyCode::HOME);
    assert!(hand.shows("Home screen 1 of 2") && !hand.shows("Home screen 2 of 2"));
}

#[test]
fn two_taps_are_a_double_tap_only_if_they_are_quick() {
    let mut hand = Hand::with("com.fingertip.demo.gallery/.GalleryActivity");
    hand.tap_text("Photo 1");
    let middle = hand.by_id("photo_view").bounds.center();
    hand.tap(middle);
    hand.tap(middle);
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 100 %");
    hand.wait(1000);
    hand.hold(middle, 30);
    hand.wait(100);
    hand.hold(middle, 30);
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 200 %");
}

#[test]
fn a_cancelled_touch_does_nothing() {
    let mut hand = Hand::new();
    let icon = hand.by_text("Notes").bounds.center();
    hand.touch(TouchAction::Down, 0, icon);
    hand.touch(TouchAction::Cancel, 0, icon);
    hand.touch(TouchAction::Up, 0, icon);
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
}

#[test]
fn keys_edit_select_copy_and_paste() {
    let mut hand = Hand::settings();
    hand.tap_id("search_src_text");
    hand.phone.key(KeyCode::A, META_SHIFT);
    hand.type_text("bcd");
    assert_eq!(hand.by_id("search_src_text").text, "Abcd");
    hand.phone.key(KeyCode::DPAD_LEFT, META_SHIFT);
    hand.phone.key(KeyCode::DPAD_LEFT, META_SHIFT);
    assert_eq!(hand.by_id("search_src_text").selection, Some((2, 4)));
    hand.key(KeyCode::CUT);
    assert_eq!(hand.phone.clipboard(), Some("cd"));
    hand.key(KeyCode::MOVE_HOME);
    hand.key(KeyCode::PASTE);
    assert_eq!(hand.by_id("search_src_text").text, "cdAb");
    hand.key(KeyCode::FORWARD_DEL);
    assert_eq!(hand.by_id("search_src_text").text, "cdb");
    hand.phone.set_clipboard(Some("ñ😀".into()));
    hand.key(KeyCode::PASTE);
    assert_eq!(hand.by_id("search_src_text").text, "cdñ😀b");
}

#[test]
fn tab_walks_and_enter_clicks() {
    let mut hand = Hand::calculator();
    hand.key(KeyCode::TAB);
    let focused = hand.find(|node| node.flags.contains(NodeFlags::FOCUSED)).unwrap();
    assert_eq!(focused.text, "7");
    hand.key(KeyCode::ENTER);
    hand.key(KeyCode::DPAD_RIGHT);
    hand.key(KeyCode::DPAD_CENTER);
    assert_eq!(hand.by_id("formula").text, "78");
}

#[test]
fn a_double_tap_in_a_field_selects_the_word() {
    let mut hand = Hand::with("com.fingertip.demo.notes/.NotesActivity");
    hand.tap_text("Shopping list");
    let title = hand.by_id("edit_title").bounds;
    let word = Point::new(title.left as f32 + 80.0, title.center().y);
    hand.hold(word, 30);
    hand.hold(word, 30);
    assert_eq!(hand.by_id("edit_title").selection, Some((0, 8)));
    hand.type_text("Packing");
    assert_eq!(hand.by_id("edit_title").text, "Packing list");
}

#[test]
fn accessibility_actions_do_what_fingers_do() {
    let mut hand = Hand::settings();
    let field = hand.by_id("search_src_text").key;
    assert!(hand.phone.perform(field, NodeAction::SetText("wi-fi".into())));
    assert!(hand.shows("Wi-Fi") && !hand.shows("Battery"));
    assert!(hand.phone.perform(field, NodeAction::SetSelection(0, 2)));
    assert!(!hand.phone.perform(field, NodeAction::SetSelection(0, 200)));
    assert!(hand.phone.perform(field, NodeAction::SetText(String::new())));
    let list = hand.by_id("recycler_view").key;
    assert!(!hand.phone.perform(list, NodeAction::ScrollBackward));
    assert!(hand.phone.perform(list, NodeAction::ScrollForward));
    assert!(!hand.shows("Network & internet"));
    assert!(!hand.phone.perform(list, NodeAction::Click));
    assert!(!hand.phone.perform(12345, NodeAction::Click));
}

#[test]
fn a_covered_field_is_moved_into_view() {
    let mut hand = Hand::with("com.android.contacts/.activities.ContactEditorActivity");
    hand.phone.lock_rotation(1);
    hand.tap_text("First name");
    for _ in 0..4 {
        hand.key(KeyCode::ENTER);
    }
    let keyboard = hand.window("Keyboard").unwrap().bounds;
    let field = hand.by_id("password");
    assert!(field.flags.contains(NodeFlags::FOCUSED));
    assert!(field.bounds.center().y < keyboard.top as f32, "{:?} under {keyboard:?}", field.bounds);
    hand.key(KeyCode::BACK);
    assert!(!hand.phone.keyboard_shown());
}

#[test]
fn impossible_touches_and_times_do_no_harm() {
    let mut hand = Hand::new();
    hand.phone.expand_notifications();
    let card = hand.by_text("Reminder").bounds.center();
    hand.touch(TouchAction::Down, 0, card);
    hand.touch(TouchAction::Move, 0, Point::new(f32::MAX, card.y));
    hand.touch(TouchAction::Move, 0, Point::new(f32::NAN, f32::INFINITY));
    hand.touch(TouchAction::Down, u32::MAX, Point::new(f32::MIN, f32::MIN));
    hand.touch(TouchAction::Up, 0, Point::new(f32::MIN, card.y));
    hand.phone.advance(u64::MAX);
    assert_eq!(hand.phone.now(), LATEST);
    assert!(hand.phone.next_timer().is_some());
}

#[test]
fn a_finger_that_never_left_does_not_spoil_the_next_tap() {
    let mut hand = Hand::new();
    hand.touch(TouchAction::Down, 0, Point::new(540.0, 1000.0));
    hand.tap_text("Calculator");
    assert_eq!(hand.phone.focus().package, "com.android.calculator2");
    hand.touch(TouchAction::Down, 0, hand.by_id("digit_1").bounds.center());
    hand.key(KeyCode::SLEEP);
    hand.key(KeyCode::WAKEUP);
    hand.touch(TouchAction::Down, 1, hand.by_id("digit_2").bounds.center());
    hand.touch(TouchAction::Up, 1, hand.by_id("digit_2").bounds.center());
    assert_eq!(hand.by_id("formula").text, "2");
}
