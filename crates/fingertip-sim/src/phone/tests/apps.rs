use super::hand::Hand;
use crate::phone::{KeyCode, META_CTRL, NodeFlags, WindowKind};

#[test]
fn seven_and_three_is_ten() {
    let mut hand = Hand::calculator();
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        hand.tap_id(key);
    }
    assert_eq!(hand.by_id("result").text, "10");
    assert_eq!(hand.by_id("result").resource_id, "com.android.calculator2:id/result");
    hand.tap_text("clear");
    assert!(hand.find(|node| node.text == "10").is_none());
}

#[test]
fn the_calculator_says_what_it_cannot() {
    let mut hand = Hand::calculator();
    hand.type_text("8/0=");
    assert_eq!(hand.by_id("result").text, "Can't divide by 0");
    hand.type_text("0.1+0.2=");
    assert_eq!(hand.by_id("result").text, "0.3");
    hand.tap_text("plus");
    hand.type_text("1=");
    assert_eq!(hand.by_id("result").text, "1.3");
}

#[test]
fn a_note_is_written_edited_cleared_and_reopened() {
    let mut hand = Hand::with("com.fingertip.demo.notes/.NotesActivity");
    hand.tap_text("New note");
    assert!(hand.phone.keyboard_shown());
    hand.type_text("Müsli 👨‍👩‍👧");
    hand.key(KeyCode::ENTER);
    hand.type_text("first\nsecond");
    assert_eq!(hand.by_id("edit_title").text, "Müsli 👨‍👩‍👧");
    assert_eq!(hand.by_id("edit_body").text, "first\nsecond");
    hand.key(KeyCode::BACK);
    hand.key(KeyCode::BACK);
    hand.tap_text("Müsli 👨‍👩‍👧");
    hand.tap_id("edit_title");
    hand.key(KeyCode::MOVE_END);
    hand.key(KeyCode::DEL);
    assert_eq!(hand.by_id("edit_title").text, "Müsli ");
    hand.tap_id("edit_body");
    hand.phone.key(KeyCode::A, META_CTRL);
    hand.key(KeyCode::DEL);
    let body = hand.by_id("edit_body");
    assert!(body.flags.contains(NodeFlags::SHOWING_HINT));
    assert_eq!(body.text, "Write something");
    hand.phone.force_stop("com.fingertip.demo.notes");
    hand.phone.start("com.fingertip.demo.notes/.NotesActivity").unwrap();
    hand.tap_text("Müsli ");
    assert_eq!(hand.by_id("edit_body").text, "Write something");
}

#[test]
fn a_long_note_scrolls_and_keeps_every_character() {
    let mut hand = Hand::with("com.fingertip.demo.notes/.NotesActivity");
    hand.tap_text("Field report");
    let body = hand.by_id("edit_body");
    assert!(body.text.chars().count() > 3000);
    assert!(hand.by_id("edit_scroll").flags.contains(NodeFlags::CAN_SCROLL_FORWARD));
    hand.tap_id("edit_body");
    hand.phone.key(KeyCode::MOVE_END, META_CTRL);
    hand.type_text("!");
    assert!(hand.by_id("edit_body").text.ends_with("dry.!"));
    let scroll = hand.by_id("edit_scroll").flags;
    assert!(scroll.contains(NodeFlags::CAN_SCROLL_BACKWARD), "the cursor is in view");
}

#[test]
fn deleting_a_note_asks_first() {
    let mut hand = Hand::with("com.fingertip.demo.notes/.NotesActivity");
    hand.tap_text("Shopping list");
    hand.tap_text("Delete note");
    let dialog = hand.window("Delete note?").unwrap();
    assert!(dialog.kind == WindowKind::Dialog && dialog.focused);
    hand.tap_text("Cancel");
    assert!(hand.window("Delete note?").is_none());
    hand.tap_text("Delete note");
    hand.tap_text("Delete");
    assert!(!hand.shows("Shopping list") && hand.shows("Field report"));
    assert!(hand.shows("Note deleted"));
    hand.wait(2100);
    assert!(!hand.shows("Note deleted"));
}

#[test]
fn a_switch_far_down_is_reached_toggled_and_found_again() {
    let mut hand = Hand::settings();
    assert!(!hand.shows("Smart Lock"));
    hand.scroll_to("Smart Lock");
    hand.tap_text("Smart Lock");
    assert_eq!(hand.phone.setting("secure", "smart_lock"), Some("1"));
    let list = hand.by_id("recycler_view").bounds;
    hand.scroll(list, -1200.0);
    assert!(!hand.shows("Smart Lock"));
    hand.scroll(list, 1200.0);
    let row = hand.by_text("Smart Lock").bounds;
    let switch = hand.find(|node| {
        node.class == "android.widget.Switch" && node.bounds.top < row.bottom && node.bounds.bottom > row.top
    });
    assert!(switch.unwrap().flags.contains(NodeFlags::CHECKED));
}

#[test]
fn rows_out_of_view_are_not_in_the_tree_and_their_views_are_used_again() {
    let mut hand = Hand::settings();
    let keys = |hand: &Hand| -> Vec<u64> {
        hand.by_id("recycler_view").children.iter().map(|row| row.key).collect()
    };
    let before = keys(&hand);
    assert!(before.len() < 25);
    for _ in 0..3 {
        let list = hand.by_id("recycler_view").bounds;
        hand.scroll(list, 1500.0);
    }
    let after = keys(&hand);
    assert!(after.iter().any(|key| before.contains(key)), "views are recycled");
    assert!(!hand.shows("Network & internet"));
}

#[test]
fn the_search_field_filters_the_rows() {
    let mut hand = Hand::settings();
    hand.tap_id("search_src_text");
    hand.type_text("brigh");
    assert!(hand.shows("Display") && !hand.shows("Wi-Fi"));
    hand.tap_text("Clear query");
    assert!(hand.shows("Wi-Fi"));
    hand.type_text("zzz");
    assert!(hand.shows("No results"));
}

#[test]
fn the_brightness_slider_sets_the_brightness() {
    let mut hand = Hand::settings();
    hand.scroll_to("Brightness, rotation, dark theme");
    hand.tap_text("Display");
    assert_eq!(hand.phone.focus().activity, "com.android.settings.SubSettings");
    let slider = hand.by_id("brightness_slider").bounds;
    let y = slider.center().y;
    let at = |part: f32| crate::phone::Point::new(slider.left as f32 + slider.width() as f32 * part, y);
    hand.drag(at(0.5), at(1.0), 200, 0);
    assert_eq!(hand.phone.setting("system", "screen_brightness"), Some("255"));
    assert_eq!(hand.by_id("brightness_slider").range.unwrap().current, 255.0);
    assert!(hand.shows("100 %"));
    hand.tap(at(0.0));
    assert_eq!(hand.phone.setting("system", "screen_brightness"), Some("0"));
}

#[test]
fn the_page_about_the_phone_has_no_ids_in_its_rows() {
    let mut hand = Hand::settings();
    hand.scroll_to("About phone");
    hand.tap_text("About phone");
    let label = hand.by_text("Build number");
    assert!(label.resource_id.is_empty() && !label.flags.contains(NodeFlags::CLICKABLE));
    let row =
        hand.find(|node| node.children.first().is_some_and(|child| child.text == "Build number")).unwrap();
    assert_eq!(row.class, "android.view.View");
    assert!(row.flags.contains(NodeFlags::CLICKABLE) && row.text.is_empty());
    for _ in 0..7 {
        hand.tap_text("Build number");
    }
    assert!(hand.shows("You are now a developer!"));
}

#[test]
fn the_form_says_what_is_wrong_and_saves_what_is_right() {
    let mut hand = Hand::with("com.android.contacts/.activities.ContactEditorActivity");
    hand.tap_text("Save");
    assert!(hand.window("Check the form").is_some());
    assert_eq!(hand.by_id("message").text, "Please enter a first name.");
    hand.tap_text("OK");
    hand.tap_text("First name");
    hand.type_text("Zoë");
    hand.key(KeyCode::ENTER);
    hand.type_text("Li");
    hand.key(KeyCode::ENTER);
    hand.type_text("555 1234");
    hand.key(KeyCode::BACK);
    hand.tap_id("type_spinner");
    let popup = hand.window("Type").unwrap();
    assert_eq!(popup.kind, WindowKind::Popup);
    hand.tap_text("Work");
    assert!(hand.window("Type").is_none());
    assert_eq!(hand.by_id("type_spinner").children[0].text, "Work");
    hand.tap_text("Favourite");
    hand.tap_id("favourite_switch");
    assert!(hand.by_id("sync").flags.contains(NodeFlags::CHECKABLE | NodeFlags::CHECKED));
    hand.tap_text("Sync this contact");
    assert!(!hand.by_id("sync").flags.contains(NodeFlags::CHECKED));
    hand.tap_text("Save");
    assert!(hand.shows("Zoë Li ★"));
    assert!(hand.shows("Work · 555 1234"));
}

#[test]
fn a_password_shows_dots() {
    let mut hand = Hand::with("com.android.contacts/.activities.ContactEditorActivity");
    hand.tap_id("password");
    hand.type_text("s3crét");
    let field = hand.by_id("password");
    assert_eq!(field.text, "••••••");
    assert!(field.flags.contains(NodeFlags::PASSWORD | NodeFlags::FOCUSED));
    hand.phone.key(KeyCode::A, META_CTRL);
    hand.key(KeyCode::COPY);
    assert_eq!(hand.phone.clipboard(), None);
}

#[test]
fn a_pinch_zooms_within_limits() {
    let mut hand = Hand::with("com.fingertip.demo.gallery/.GalleryActivity");
    hand.tap_text("Photo 5");
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 100 %");
    let middle = hand.by_id("photo_view").bounds.center();
    hand.pinch(middle, 200.0, 500.0);
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 250 %");
    hand.pinch(middle, 600.0, 100.0);
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 100 %");
    hand.tap(middle);
    assert_eq!(hand.by_id("zoom_label").text, "Zoom 100 %", "one tap does nothing");
}

#[test]
fn the_clock_is_never_idle() {
    let mut hand = Hand::with("com.android.deskclock/.DeskClock");
    for _ in 0..20 {
        let before = hand.phone.generation();
        let next = hand.phone.next_timer().unwrap();
        assert!(next - hand.phone.now() <= 100);
        hand.phone.advance(next);
        assert!(hand.phone.generation() > before);
    }
    hand.key(KeyCode::HOME);
    let before = hand.phone.generation();
    hand.wait(5000);
    assert_eq!(hand.phone.generation(), before);
}
