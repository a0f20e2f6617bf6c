use super::hand::Hand;
use crate::phone::{KeyCode, LogBuffer, NodeFlags, Point, WindowKind};

#[test]
fn the_shade_opens_closes_and_is_cleared() {
    let mut hand = Hand::new();
    hand.phone.expand_notifications();
    assert_eq!(hand.phone.focus().window, "NotificationShade");
    assert!(hand.shows("Reminder") && hand.shows("Missed call"));
    hand.key(KeyCode::BACK);
    assert!(!hand.shows("Reminder"));
    hand.drag(Point::new(500.0, 20.0), Point::new(500.0, 900.0), 200, 50);
    assert!(hand.shows("Reminder"));
    let card = hand.by_text("Missed call").bounds.center();
    hand.drag(card, Point::new(card.x + 500.0, card.y), 150, 50);
    assert!(!hand.shows("Missed call") && hand.shows("Reminder"));
    hand.drag(hand.by_text("Reminder").bounds.center(), Point::new(560.0, 700.0), 100, 100);
    assert!(hand.shows("Reminder"), "a short swipe lets it stay");
    hand.tap_text("Clear all");
    assert!(hand.window("Notification shade.").is_none());
    hand.phone.expand_notifications();
    assert!(hand.shows("No notifications"));
}

#[test]
fn a_notification_opens_its_app() {
    let mut hand = Hand::new();
    hand.phone.expand_notifications();
    hand.tap_text("Reminder");
    assert_eq!(hand.phone.focus().package, "com.fingertip.demo.notes");
    hand.phone.expand_notifications();
    assert!(!hand.shows("Reminder"));
}

#[test]
fn tiles_turn_things_on_and_off() {
    let mut hand = Hand::new();
    hand.phone.expand_quick_settings();
    hand.tap_text("Airplane mode, Off");
    assert_eq!(hand.phone.setting("global", "airplane_mode_on"), Some("1"));
    assert!(hand.by_text("Airplane mode, On").flags.contains(NodeFlags::CHECKED));
    hand.phone.collapse_panels();
    assert!(hand.shows("Airplane mode."));
}

#[test]
fn the_shade_fits_a_wide_screen() {
    let mut hand = Hand::new();
    hand.phone.lock_rotation(1);
    hand.phone.expand_quick_settings();
    let bar = hand.window("Navigation bar").unwrap().bounds;
    assert!(hand.by_text("Location, On").bounds.bottom <= bar.top);
    hand.phone.expand_notifications();
    hand.scroll_to("Clear all");
    hand.tap_text("Clear all");
    hand.phone.expand_notifications();
    assert!(hand.shows("No notifications"));
}

#[test]
fn the_shade_is_pulled_further_down_and_pushed_up() {
    let mut hand = Hand::new();
    hand.drag(Point::new(500.0, 20.0), Point::new(500.0, 900.0), 200, 50);
    assert!(hand.find(|node| node.resource_id.ends_with("/slider")).is_none());
    hand.drag(Point::new(500.0, 1600.0), Point::new(500.0, 2100.0), 200, 50);
    assert!(hand.by_id("slider").range.is_some());
    hand.drag(Point::new(500.0, 1900.0), Point::new(500.0, 1300.0), 200, 50);
    assert!(hand.window("Notification shade.").is_none());
}

#[test]
fn recents_switch_and_end_apps() {
    let mut hand = Hand::calculator();
    hand.type_text("12");
    hand.phone.start("com.android.settings/.Settings").unwrap();
    hand.key(KeyCode::HOME);
    hand.tap_text("Overview");
    assert_eq!(hand.phone.focus().activity, "com.android.quickstep.RecentsActivity");
    assert!(hand.shows("Settings") && !hand.shows("Calculator"), "the last used is in front");
    hand.drag(Point::new(900.0, 1200.0), Point::new(200.0, 1200.0), 150, 0);
    hand.wait(400);
    hand.tap_text("Calculator");
    assert_eq!(hand.by_id("formula").text, "12");
    hand.key(KeyCode::APP_SWITCH);
    let pid = hand.phone.pid_of("com.android.calculator2");
    assert!(pid.is_some());
    hand.drag(Point::new(540.0, 1400.0), Point::new(540.0, 500.0), 150, 0);
    assert_eq!(hand.phone.pid_of("com.android.calculator2"), None);
    hand.tap_text("Clear all");
    assert!(hand.phone.recent_packages().is_empty());
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
}

#[test]
fn turning_keeps_the_state_and_fits_the_screen() {
    let mut hand = Hand::calculator();
    hand.type_text("41+1");
    let key = hand.by_id("digit_7").key;
    hand.phone.lock_rotation(1);
    assert_eq!((hand.phone.size(), hand.phone.rotation()), ((2400, 1080), 1));
    assert_eq!(hand.by_id("formula").text, "41+1");
    assert_eq!(hand.by_id("digit_7").key, key);
    hand.tap_text("equals");
    assert_eq!(hand.by_id("result").text, "42");
    for window in hand.phone.windows() {
        assert!(window.bounds.right <= 2400 && window.bounds.bottom <= 1080);
    }
    hand.phone.free_rotation();
    assert_eq!(hand.phone.size(), (1080, 2400));
    assert_eq!(hand.by_id("result").text, "42");
}

#[test]
fn back_goes_through_pages_then_home() {
    let mut hand = Hand::settings();
    hand.tap_text("Network & internet");
    assert!(hand.shows("Library"));
    hand.tap_text("Back");
    assert!(hand.shows("Airplane mode") && !hand.shows("Library"));
    hand.tap_text("Back");
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    assert!(hand.phone.pid_of("com.android.settings").is_some());
}

#[test]
fn bars_are_windows_of_their_own() {
    let hand = Hand::new();
    let kinds: Vec<WindowKind> = hand.phone.windows().iter().map(|window| window.kind).collect();
    assert_eq!(kinds, [WindowKind::NavigationBar, WindowKind::StatusBar, WindowKind::Application]);
    assert_eq!(hand.by_id("clock").text, "09:30");
    assert_eq!(hand.by_id("clock").resource_id, "com.android.systemui:id/clock");
}

#[test]
fn a_sleeping_phone_takes_no_touches() {
    let mut hand = Hand::new();
    hand.key(KeyCode::POWER);
    assert!(!hand.phone.is_awake() && !hand.phone.scene().awake);
    hand.tap_text("Notes");
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    hand.key(KeyCode::WAKEUP);
    hand.tap_text("Notes");
    assert_eq!(hand.phone.focus().package, "com.fingertip.demo.notes");
}

#[test]
fn an_app_that_crashes_is_gone_and_one_that_keeps_crashing_gets_a_dialog() {
    let mut hand = Hand::new();
    let crashes = |hand: &Hand| {
        let lines = hand.phone.logs().iter().filter(|line| line.buffer == LogBuffer::Crash);
        lines.filter(|line| line.message.contains("Process: com.fingertip.demo.gallery,")).count()
    };
    for times in 1..3 {
        hand.phone.start("com.fingertip.demo.gallery/.GalleryActivity").unwrap();
        hand.tap_text("Photo 13, damaged");
        assert_eq!(hand.phone.focus().package, "com.android.launcher3");
        assert_eq!((hand.phone.pid_of("com.fingertip.demo.gallery"), crashes(&hand)), (None, times));
        assert_eq!(hand.shows("Gallery keeps stopping"), times == 2);
    }
    let alert = hand.phone.windows().iter().find(|window| window.kind == WindowKind::SystemAlert).unwrap();
    assert!(alert.focused && alert.package == "android", "{alert:?}");
    hand.tap_text("Close app");
    assert!(!hand.shows("Gallery keeps stopping"));
    assert!(hand.phone.start("com.fingertip.demo.gallery/.GalleryActivity").is_ok());
    assert!(hand.phone.crash("com.fingertip.demo.gallery", "java.lang.Error") && hand.shows("Close app"));
    hand.key(KeyCode::BACK);
    assert!(!hand.shows("Close app"));
    assert!(!hand.phone.crash("com.fingertip.demo.gallery", "java.lang.Error"), "it does not run");
}
