//! Every operation through the agent, on the phone that serves it itself.

use std::time::Duration;

use fingertip_android::Preference;
use fingertip_core::gesture::{Gesture, Waypoint};
use fingertip_core::prelude::*;
use fingertip_core::target::{
    Capabilities, Direction, Expected, Key, LogLevel, LogQuery, NodeAction, Screenshot, ScreenshotRequest,
    SystemAction,
};
use fingertip_core::{Flags, Point, Reason, Value};
use fingertip_sim::phone::Profile;

use super::bench::{Bench, CALCULATOR, CONTACT, GALLERY, NOTES, SETTINGS, find, soon, try_find};

#[tokio::test]
async fn the_agent_is_chosen_and_named() {
    let bench = Bench::agent().await;
    bench.target.prepare(soon()).await.unwrap();
    assert_eq!(bench.target.info().driver, "agent");
    let more = Capabilities::CLIPBOARD | Capabilities::EVENTS | Capabilities::NODE_ACTIONS;
    assert!(bench.target.capabilities().contains(more | Capabilities::MULTI_TOUCH | Capabilities::LOGS));
    let agent = bench.target.agent().unwrap();
    assert_eq!((agent.hello().sdk, agent.hello().failed.len()), (34, 0));
    let files = bench.phone.files();
    let left: Vec<_> =
        files.list("/data/local/tmp").unwrap().iter().map(|(name, _)| (*name).to_owned()).collect();
    assert!(left.is_empty(), "the agent left {left:?}");
}

#[tokio::test]
async fn both_drivers_see_the_same_screen() {
    let agent = Bench::agent().await;
    let shell = Bench::of(Profile { sdk: 35, ..Profile::default() }).await;
    for app in [CALCULATOR, NOTES, SETTINGS, GALLERY, CONTACT] {
        agent.open(app);
        shell.open(app);
        let (seen, dumped) = (agent.look().await, shell.look().await);
        assert_eq!((&seen.app, &seen.activity, seen.screen), (&dumped.app, &dumped.activity, dumped.screen));
        assert_eq!(seen.windows().len(), dumped.windows().len(), "{app}");
        for (one, other) in seen.windows().iter().zip(dumped.windows()) {
            assert_eq!((&one.title, &one.app, one.kind), (&other.title, &other.app, other.kind), "{app}");
            assert_eq!(
                (one.bounds, one.layer, one.focused),
                (other.bounds, other.layer, other.focused),
                "{app}"
            );
        }
        assert_eq!(seen.nodes().len(), dumped.nodes().len(), "{app}");
        for (one, other) in seen.nodes().iter().zip(dumped.nodes()) {
            assert_eq!(
                (&one.class, &one.text, &one.description, &one.hint, &one.resource_id, one.bounds),
                (
                    &other.class,
                    &other.text,
                    &other.description,
                    &other.hint,
                    &other.resource_id,
                    other.bounds
                ),
            );
            assert_eq!(
                (one.flags, one.role, one.drawing_order),
                (other.flags, other.role, other.drawing_order)
            );
            assert_eq!(one.secret_length, other.secret_length);
        }
    }
}

#[tokio::test]
async fn a_node_is_clicked_by_its_handle() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        let snapshot = bench.look().await;
        let node = find(&snapshot, key);
        assert!(bench.target.can_act(&snapshot, node, &NodeAction::Click));
        assert!(!bench.target.can_act(&snapshot, node, &NodeAction::Scroll(Direction::Down)));
        bench.target.act(&snapshot, node, &NodeAction::Click, soon()).await.unwrap();
    }
    let snapshot = bench.look().await;
    let shown = ["result", "formula"].map(|name| snapshot.node(find(&snapshot, name)).text.as_deref());
    assert!(shown.contains(&Some("10")), "{shown:?}");
}

#[tokio::test]
async fn a_row_that_became_another_is_not_clicked() {
    let bench = Bench::agent().await;
    bench.open(SETTINGS);
    let before = bench.look().await;
    let list = before.indices().find(|index| before.node(*index).is(Flags::SCROLLABLE)).unwrap();
    assert!(bench.target.can_act(&before, list, &NodeAction::Scroll(Direction::Down)));
    let row = find(&before, "Bluetooth");
    bench.target.act(&before, list, &NodeAction::Scroll(Direction::Down), soon()).await.unwrap();
    let after = bench.look().await;
    if try_find(&after, "Bluetooth").is_none() {
        let error = bench.target.act(&before, row, &NodeAction::ShowOnScreen, soon()).await;
        // Whether the view is recycled or hidden, the row that took its place is not acted on.
        if let Err(error) = error {
            assert!(matches!(error.reason(), Reason::Stale | Reason::Ambiguous), "{error:?}");
        }
    }
    assert_ne!(before.nodes().len(), 0);
}

#[tokio::test]
async fn a_node_that_is_gone_is_stale_and_nothing_happens() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    let before = bench.look().await;
    let node = find(&before, "digit_7");
    bench.open(SETTINGS);
    let settings = bench.look().await;
    let error = bench.target.act(&before, node, &NodeAction::Click, soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Stale, "{error:?}");
    assert_eq!(bench.look().await.app, settings.app);
}

#[tokio::test]
async fn two_fingers_zoom_a_picture_and_a_path_is_followed() {
    let bench = Bench::agent().await;
    bench.open(GALLERY);
    let snapshot = bench.look().await;
    let picture = snapshot.indices().find(|index| {
        let node = snapshot.node(*index);
        node.is(Flags::CLICKABLE) && node.description.as_deref().is_some_and(|text| text.contains("Photo"))
    });
    let picture =
        picture.or_else(|| snapshot.indices().rfind(|index| snapshot.node(*index).is(Flags::CLICKABLE)));
    bench.target.act(&snapshot, picture.unwrap(), &NodeAction::Click, soon()).await.unwrap();
    let before = bench.look().await;
    let center = Point::new(540.0, 1200.0);
    let pinch = Gesture::pinch(center, 2.0, Duration::from_millis(200), before.screen.bounds()).unwrap();
    bench.target.gesture(&pinch, &Expected::anyone(), soon()).await.unwrap();
    let words = |snapshot: &fingertip_core::Snapshot| {
        snapshot.nodes().iter().filter_map(|node| node.label().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_ne!(words(&before), words(&bench.look().await), "the zoom is reported");
}

#[tokio::test]
async fn a_gesture_longer_than_its_time_is_not_begun() {
    let bench = Bench::agent().await;
    bench.target.prepare(soon()).await.unwrap();
    let press = Gesture::long_press(Point::new(5.0, 5.0), Duration::from_secs(60));
    let error = bench.target.gesture(&press, &Expected::anyone(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout);
    assert!(error.to_string().contains("no finger"));
}

#[tokio::test]
async fn a_dropped_gesture_leaves_no_finger_down() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    let snapshot = bench.look().await;
    let at = snapshot.node(find(&snapshot, "digit_7")).bounds.center();
    let points = (0..40).map(|step| Waypoint::new(at, Duration::from_millis(step * 100))).collect();
    let hold = Gesture::custom(vec![points]).unwrap();
    let playing = tokio::time::timeout(
        Duration::from_millis(200),
        bench.target.gesture(&hold, &Expected::anyone(), soon()),
    )
    .await;
    assert!(playing.is_err());
    bench.tap(at).await;
    assert_eq!(bench.text("formula").await.as_deref(), Some("7"), "only the second touch counts");
}

#[tokio::test]
async fn panels_open_once_they_are_there_and_keys_work() {
    let bench = Bench::agent().await;
    for panel in [SystemAction::Notifications, SystemAction::QuickSettings, SystemAction::Notifications] {
        bench.target.system(panel, soon()).await.unwrap();
        let snapshot = bench.look().await;
        assert_eq!(snapshot.app.as_deref(), Some("com.android.systemui"));
        assert_eq!(snapshot.activity.as_deref(), Some("NotificationShade"));
    }
    bench.target.system(SystemAction::Back, soon()).await.unwrap();
    assert_eq!(bench.look().await.app.as_deref(), Some("com.android.launcher3"));
    bench.open(CALCULATOR);
    bench.target.system(SystemAction::Recents, soon()).await.unwrap();
    assert!(bench.look().await.activity.unwrap().contains("Recents"));
    bench.target.system(SystemAction::Home, soon()).await.unwrap();
    assert_eq!(bench.look().await.app.as_deref(), Some("com.android.launcher3"));
    bench.open(CONTACT);
    bench.press("first_name").await;
    bench.target.type_text("ab", &Expected::anyone(), soon()).await.unwrap();
    bench.target.press_key(Key::Delete.into(), &Expected::anyone(), soon()).await.unwrap();
    assert_eq!(bench.text("first_name").await.as_deref(), Some("a"));
}

#[tokio::test]
async fn pictures_are_small_jpegs_of_the_screen_as_turned() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    let request = ScreenshotRequest { region: None, longest_side: Some(700), quality: 80 };
    for (rotation, size) in [(0, (315, 700)), (1, (700, 315))] {
        bench.phone.with(|phone| phone.lock_rotation(rotation));
        let taken = bench.target.screenshot(request, soon()).await.unwrap();
        let Screenshot::Jpeg { width, height, bytes } = taken else { panic!("a JPEG") };
        assert_eq!((width, height), size);
        assert!(bytes.starts_with(b"\xff\xd8\xff") && bytes.len() > 1000, "{} bytes", bytes.len());
    }
    bench.phone.faults().change(|plan| plan.screencap_fails = true);
    assert_eq!(bench.target.screenshot(request, soon()).await.unwrap_err().reason(), Reason::ActionFailed);
}

#[tokio::test]
async fn a_slider_and_a_switch_take_their_values() {
    let bench = Bench::agent().await;
    bench.open(SETTINGS);
    for _ in 0..20 {
        let snapshot = bench.look().await;
        if try_find(&snapshot, "Display").is_some() {
            break;
        }
        let list = snapshot.indices().find(|index| snapshot.node(*index).is(Flags::SCROLLABLE)).unwrap();
        bench.target.act(&snapshot, list, &NodeAction::Scroll(Direction::Down), soon()).await.unwrap();
    }
    bench.press("Display").await;
    let snapshot = bench.look().await;
    let slider =
        snapshot.indices().find(|index| matches!(snapshot.node(*index).value, Some(Value::Number { .. })));
    let slider = slider.expect("a slider");
    let wanted = Value::Number { current: 200.0, minimum: None, maximum: None };
    bench.target.set_value(&snapshot, slider, &wanted, soon()).await.unwrap();
    let after = bench.look().await;
    let Some(Value::Number { current, .. }) = after.node(slider).value else { panic!("a number") };
    assert!((current - 200.0).abs() < 1.0, "{current}");
    let switch = after.indices().find(|index| after.node(*index).is(Flags::CHECKABLE | Flags::CLICKABLE));
    if let Some(switch) = switch {
        let on = after.node(switch).is(Flags::CHECKED);
        bench.target.set_value(&after, switch, &Value::Checked(!on), soon()).await.unwrap();
        let again = bench.look().await;
        assert_ne!(again.node(switch).is(Flags::CHECKED), on);
    }
}

#[tokio::test]
async fn logs_come_from_the_shell_all_the_same() {
    let bench = Bench::agent().await;
    let query =
        LogQuery { limit: 5, since: None, until: None, tag: None, level: LogLevel::Info, package: None };
    assert!(!bench.target.read_logs(&query, soon()).await.unwrap().lines.is_empty());
}

#[tokio::test]
async fn the_shell_can_be_forced() {
    let bench = Bench::with(Profile::default(), Preference::Shell).await;
    bench.look().await;
    assert_eq!(bench.target.info().driver, "shell");
    assert!(!bench.target.capabilities().contains(Capabilities::CLIPBOARD));
    let error = bench.target.get_clipboard(soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Unsupported);
}
