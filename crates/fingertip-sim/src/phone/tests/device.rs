use super::hand::Hand;
use crate::phone::{KeyCode, Level, StartError};

#[test]
fn activities_start_by_component() {
    let mut hand = Hand::new();
    let started = hand.phone.start("com.android.calculator2/com.android.calculator2.Calculator").unwrap();
    assert!(!started.brought_to_front);
    let focus = hand.phone.focus();
    assert_eq!(focus.activity, "com.android.calculator2.Calculator");
    assert_eq!(focus.window, "com.android.calculator2/com.android.calculator2.Calculator");
    assert!(hand.phone.start("com.android.calculator2/.Calculator").unwrap().brought_to_front);
    assert!(matches!(hand.phone.start("com.android.calculator2/.Nope"), Err(StartError::NotFound(_))));
    assert!(matches!(hand.phone.start("calculator"), Err(StartError::NotAComponent(_))));
}

#[test]
fn every_launcher_activity_starts_and_has_a_process() {
    let mut hand = Hand::new();
    for package in hand.phone.packages() {
        let Some(activity) = package.launcher_activity else { continue };
        hand.phone.start(&format!("{}/{activity}", package.name)).unwrap();
        assert_eq!(hand.phone.focus().package, package.name);
        assert!(hand.phone.pid_of(package.name).is_some());
    }
}

#[test]
fn a_stopped_app_is_gone_and_starts_fresh() {
    let mut hand = Hand::calculator();
    hand.type_text("99");
    let pid = hand.phone.pid_of("com.android.calculator2");
    assert!(hand.phone.force_stop("com.android.calculator2"));
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    assert_eq!(hand.phone.pid_of("com.android.calculator2"), None);
    hand.phone.start("com.android.calculator2/.Calculator").unwrap();
    assert_ne!(hand.phone.pid_of("com.android.calculator2"), pid);
    assert!(!hand.shows("99"));
    assert!(!hand.phone.force_stop("no.such.package"));
}

#[test]
fn actions_leave_lines_with_the_pid_of_their_app() {
    let mut hand = Hand::calculator();
    hand.phone.clear_logs();
    hand.wait(1234);
    hand.type_text("1+1=");
    let pid = hand.phone.pid_of("com.android.calculator2").unwrap();
    let line = hand.phone.logs().back().unwrap();
    assert_eq!((line.pid, line.tag.as_str(), line.level), (pid, "Calculator", Level::Debug));
    assert_eq!(line.epoch_ms, hand.phone.profile().boot_epoch_ms + 1234);
}

#[test]
fn the_log_is_bounded_and_counts_on() {
    let mut hand = Hand::new();
    for _ in 0..1000 {
        hand.phone.start("com.android.calculator2/.Calculator").unwrap();
        hand.phone.force_stop("com.android.calculator2");
    }
    assert_eq!(hand.phone.logs().len(), crate::phone::LOG_CAPACITY);
    assert!(hand.phone.logs().back().unwrap().sequence > 5000);
}

#[test]
fn size_and_density_can_be_overridden_within_reason() {
    let mut hand = Hand::settings();
    assert!(hand.phone.override_size(Some((720, 1600))));
    assert!(hand.phone.override_density(Some(280)));
    assert_eq!((hand.phone.size(), hand.phone.density()), ((720, 1600), 280));
    assert!(hand.by_id("recycler_view").bounds.right == 720);
    assert!(!hand.phone.override_size(Some((10, 10))) && !hand.phone.override_density(Some(5)));
    assert!(hand.phone.override_size(None) && hand.phone.override_density(None));
    assert_eq!(hand.phone.overrides(), (None, None));
}

#[test]
fn the_rotation_follows_the_settings_provider() {
    let mut hand = Hand::new();
    hand.phone.set_setting("system", "user_rotation", Some("3"));
    assert_eq!(hand.phone.rotation(), 0, "auto-rotate is on");
    hand.phone.set_setting("system", "accelerometer_rotation", Some("0"));
    assert_eq!((hand.phone.rotation(), hand.phone.locked_rotation()), (3, Some(3)));
    assert_eq!(hand.phone.size(), (2400, 1080));
}

#[test]
fn erased_data_is_gone() {
    let mut hand = Hand::new();
    assert!(hand.phone.clear_data("com.fingertip.demo.notes"));
    hand.phone.start("com.fingertip.demo.notes/.NotesActivity").unwrap();
    assert!(hand.shows("No notes yet"));
}

#[test]
fn the_home_screen_comes_back_when_it_is_stopped() {
    let mut hand = Hand::settings();
    assert!(hand.phone.force_stop("com.android.launcher3"));
    assert_eq!(hand.phone.focus().package, "com.android.settings", "what is in front stays");
    hand.key(KeyCode::HOME);
    let pid = hand.phone.pid_of("com.android.launcher3");
    assert!(pid.is_some() && hand.shows("Calculator"));
    assert!(hand.phone.force_stop("com.android.launcher3"));
    assert_eq!(hand.phone.focus().package, "com.android.launcher3");
    assert_ne!(hand.phone.pid_of("com.android.launcher3"), pid);
}
