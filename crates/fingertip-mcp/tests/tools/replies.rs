//! Reply texts to the letter, and what each call did to the target.

use fingertip_core::Point;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Key, LogLevel, LogPage, LogTime, NodeAction, SystemAction};
use fingertip_core::test_support::Event;
use serde_json::json;
use std::time::Duration;

use super::bench;

#[tokio::test]
async fn system_actions_answer_and_act() {
    for (tool, reply, action) in [
        ("press_back", "Back button press executed successfully", SystemAction::Back),
        ("press_home", "Home button press executed successfully", SystemAction::Home),
        ("press_recents", "Recents button press executed successfully", SystemAction::Recents),
        ("open_notifications", "Open notifications executed successfully", SystemAction::Notifications),
        ("open_quick_settings", "Open quick settings executed successfully", SystemAction::QuickSettings),
    ] {
        let bench = bench::phone();
        assert_eq!(bench.text(tool, json!({})).await, reply);
        assert_eq!(bench.target.writes(), [Event::System(action)]);
    }
}

#[tokio::test]
async fn touches_answer_and_act() {
    let at = Point::new(500.0, 1000.0);
    let milliseconds = Duration::from_millis;
    let cases = [
        ("tap", json!({"x": 500, "y": 1000}), "Tap executed at (500, 1000)", Gesture::tap(at)),
        (
            "double_tap",
            json!({"x": 500, "y": 1000}),
            "Double tap executed at (500, 1000)",
            Gesture::double_tap(at),
        ),
        (
            "long_press",
            json!({"x": 500, "y": 1000, "duration": 2000}),
            "Long press executed at (500, 1000) for 2000ms",
            Gesture::long_press(at, milliseconds(2000)),
        ),
        (
            "long_press",
            json!({"x": 500, "y": 1000}),
            "Long press executed at (500, 1000) for 1000ms",
            Gesture::long_press(at, milliseconds(1000)),
        ),
        (
            "swipe",
            json!({"x1": 500, "y1": 1500, "x2": 500, "y2": 500, "duration": 300}),
            "Swipe executed from (500, 1500) to (500, 500) over 300ms",
            Gesture::swipe(Point::new(500.0, 1500.0), Point::new(500.0, 500.0), milliseconds(300)),
        ),
    ];
    for (tool, arguments, reply, gesture) in cases {
        let bench = bench::phone();
        assert_eq!(bench.text(tool, arguments).await, reply);
        assert_eq!(bench.target.writes(), [Event::Gesture(gesture)]);
    }
}

#[tokio::test]
async fn scroll_moves_the_finger_the_other_way() {
    let bench = bench::phone();
    let reply = bench.text("scroll", json!({"direction": "down", "amount": "large"})).await;
    assert_eq!(reply, "Scroll down (large) executed");
    let writes = bench.target.writes();
    let [Event::Gesture(gesture)] = writes.as_slice() else { panic!("{writes:?}") };
    let stroke = &gesture.strokes()[0];
    assert_eq!(stroke.start().at.y - stroke.end().at.y, 0.75 * 2400.0);
    assert_eq!(bench.text("scroll", json!({"direction": "left"})).await, "Scroll left (medium) executed");
}

#[tokio::test]
async fn pinch_and_custom_gestures_use_their_fingers() {
    let bench = bench::phone();
    let pinch = json!({"center_x": 540, "center_y": 1200, "scale": 2.0});
    assert_eq!(
        bench.text("pinch", pinch).await,
        "Pinch (zoom in) executed at (540, 1200) with scale 2.0 over 300ms"
    );
    let out = json!({"center_x": 540, "center_y": 1200, "scale": 0.5, "duration": 400});
    assert_eq!(
        bench.text("pinch", out).await,
        "Pinch (zoom out) executed at (540, 1200) with scale 0.5 over 400ms"
    );
    let paths = json!({"paths": [
        [{"x": 400, "y": 600, "time": 0}, {"x": 300, "y": 600, "time": 300}],
        [{"x": 600, "y": 600, "time": 0}, {"x": 700, "y": 600, "time": 300}],
    ]});
    assert_eq!(
        bench.text("custom_gesture", paths).await,
        "Custom gesture executed with 2 path(s), total 4 point(s)"
    );
    for event in bench.target.writes() {
        let Event::Gesture(gesture) = event else { panic!("{event:?}") };
        assert_eq!(gesture.fingers(), 2);
    }
}

#[tokio::test]
async fn elements_are_pressed_natively_where_that_is_possible() {
    let bench = bench::phone();
    let id = bench.id("Save").await;
    let result = bench.call("click_element", json!({"element_id": id})).await;
    assert_eq!(result["content"][0]["text"], format!("Click performed on element '{id}'"));
    assert_eq!(result["_meta"]["fingertip/via"], "native");
    let expected = Event::Act { node: "Button \"Save\"".to_owned(), action: NodeAction::Click };
    assert_eq!(bench.target.writes(), [expected]);
}

#[tokio::test]
async fn clipboard_keys_and_logs() {
    let bench = bench::phone();
    assert_eq!(bench.json("get_clipboard", json!({})).await, json!({"text": null}));
    let reply = bench.text("set_clipboard", json!({"text": "Grüße 👋"})).await;
    assert_eq!(reply, "Clipboard set successfully (7 characters)");
    assert_eq!(bench.json("get_clipboard", json!({})).await, json!({"text": "Grüße 👋"}));

    bench.target.update(|state| {
        state.logs = LogPage { lines: vec!["a".to_owned(), "b".to_owned()], truncated: false, note: None };
    });
    let logs =
        json!({"last_lines": 50, "tag": "MCP:ServerService", "level": "W", "since": "1970-01-01T00:00:01"});
    assert_eq!(
        bench.json("get_device_logs", logs).await,
        json!({"logs": "a\nb", "line_count": 2, "truncated": false})
    );
    let events = bench.target.events();
    let Some(Event::Logs(query)) = events.last() else { panic!("{events:?}") };
    assert_eq!((query.limit, query.level), (50, LogLevel::Warning));
    assert_eq!(
        (query.tag.as_deref(), query.since),
        (Some("MCP:ServerService"), Some(LogTime::WallClock(1000)))
    );
}

#[tokio::test]
async fn keys_go_to_the_focused_element_or_to_the_system() {
    let bench = bench::phone();
    assert_eq!(bench.text("press_key", json!({"key": "HOME"})).await, "Key 'HOME' pressed successfully");
    let (kind, text) = bench.failure("press_key", json!({"key": "ENTER"})).await;
    assert_eq!(kind, "element_not_found");
    assert!(text.starts_with("No focused element found."), "{text}");

    let field = bench.id_of("search").await;
    bench.text("input_text", json!({"text": "ab", "element_id": field})).await;
    bench.target.clear_events();
    assert_eq!(bench.text("press_key", json!({"key": "DEL"})).await, "Key 'DEL' pressed successfully");
    assert_eq!(bench.target.writes(), [Event::PressKey(Key::Delete.into())]);
    assert_eq!(bench.id("a").await, field);
}
