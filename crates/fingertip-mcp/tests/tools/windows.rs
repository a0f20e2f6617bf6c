//! Acting on windows.

use fingertip_core::target::WindowAction;
use fingertip_core::test_support::Event;
use serde_json::{Value, json};

use super::bench;

#[tokio::test]
async fn a_window_is_acted_on_and_returned_as_it_is_afterwards() {
    let bench = bench::desktop();
    let moved =
        bench.json("window_action", json!({"window": "Calculator", "action": "move", "x": 7, "y": 9})).await;
    assert_eq!(moved["window"]["position"], json!({"x": 7, "y": 9}));
    assert_eq!(moved["window"]["size"], json!({"width": 400, "height": 600}));
    let sized = bench
        .json("window_action", json!({"app": "calculator", "action": "resize", "width": 300, "height": 200}))
        .await;
    assert_eq!(sized["window"]["size"], json!({"width": 300, "height": 200}));
    for spelling in ["minimise", "minimize"] {
        let reply = bench.json("window_action", json!({"window": "Calculator", "action": spelling})).await;
        assert_eq!((&reply["action"], &reply["window"]["minimized"]), (&json!("minimize"), &json!(true)));
    }
    let front = bench.json("window_action", json!({"app": 11, "action": "activate"})).await;
    assert_eq!(front["window"]["frontmost"], true);
    let windows = bench.json("list_windows", json!({})).await;
    let fronts: Vec<&Value> =
        windows["windows"].as_array().unwrap().iter().filter(|window| window["frontmost"] == true).collect();
    assert_eq!(fronts.len(), 1);
    assert_eq!(fronts[0]["pid"], 11);
    let closed = bench.json("window_action", json!({"app": 11, "action": "close"})).await;
    assert_eq!(closed["window"], Value::Null);
}

#[tokio::test]
async fn which_window_is_meant_is_never_guessed() {
    let bench = bench::desktop();
    let (kind, text) = bench.failure("window_action", json!({"window": "Notes", "action": "close"})).await;
    assert_eq!(kind, "ambiguous");
    assert!(text.contains("PID 10") && text.contains("PID 11"), "{text}");
    let (kind, _) = bench.failure("window_action", json!({"app": 10, "action": "close"})).await;
    assert_eq!(kind, "ambiguous", "it has a minimized window too");
    let (kind, text) = bench.failure("window_action", json!({"window": "Gone", "action": "raise"})).await;
    assert_eq!(kind, "invalid_params", "{text}");
    let (kind, text) = bench.failure("window_action", json!({"window": "Gone", "action": "close"})).await;
    assert_eq!(kind, "element_not_found");
    assert!(text.contains("There is no window 'Gone'"), "{text}");
    assert_eq!(bench.target.writes(), []);
    bench.json("window_action", json!({"window": "app(11)/window[\"Notes\"]", "action": "close"})).await;
    let expected = Event::ActOnWindow { title: "Notes".to_owned(), action: WindowAction::Close };
    assert_eq!(bench.target.writes(), [expected]);
}

#[tokio::test]
async fn nothing_goes_off_the_screen_or_beyond_its_size() {
    let bench = bench::desktop();
    for (arguments, named) in [
        (json!({"window": "Calculator", "action": "move", "x": 32767, "y": 0}), "'x' must be less than"),
        (
            json!({"window": "Calculator", "action": "resize", "width": 10, "height": 32767}),
            "'height' must be at most",
        ),
    ] {
        let (kind, text) = bench.failure("window_action", arguments).await;
        assert!(kind == "invalid_params" && text.contains(named), "{kind} {text}");
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn numbers_belong_to_their_actions() {
    let bench = bench::desktop();
    for (arguments, named) in [
        (json!({"window": "Calculator", "action": "move", "x": 1}), "'y'"),
        (json!({"window": "Calculator", "action": "resize", "width": 1}), "'height'"),
        (json!({"window": "Calculator", "action": "move", "x": 1, "y": 2, "width": 3}), "'x'"),
        (json!({"window": "Calculator", "action": "close", "x": 1}), "'x'"),
        (json!({"action": "close"}), "'window'"),
    ] {
        let (kind, text) = bench.failure("window_action", arguments).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains(named), "{text}");
    }
    assert_eq!(bench.target.events(), []);
}
