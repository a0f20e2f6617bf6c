//! Acting on a desktop: the right element or none, what became of it, and what it can do.

use std::time::Duration;

use fingertip_core::target::{Capabilities, NodeAction, Part, Scope};
use fingertip_core::test_support::edit::{add_windows, keep_windows, remove_node};
use fingertip_core::test_support::{Event, find, sample, tree};
use fingertip_core::{Flags, Value as Held};
use serde_json::{Value, json};

use super::bench::{self, Bench};

async fn id(bench: &Bench, app: u32, title: &str) -> String {
    let found = bench.json("find_element", json!({"app": app, "title": title})).await;
    found["elements"][0]["id"].as_str().unwrap_or_else(|| panic!("no {title}: {found}")).to_owned()
}

#[tokio::test]
async fn a_press_reports_what_became_of_the_element_and_around_it() {
    let bench = bench::desktop();
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { node, .. } if node == "push_button \"7\"") {
            state.edit("0", |display| display.text = Some("7".into()));
        }
    });
    let path = r#"app(30)/window["Calculator"]/group[0]/button["7"]"#;
    let result = bench.call("perform_action", json!({"element_path": path, "action": "press"})).await;
    let reply = &result["structuredContent"];
    assert_eq!(result["_meta"]["fingertip/via"], "native");
    assert_eq!((&reply["via"], &reply["action"]), (&json!("native"), &json!("press")));
    assert_eq!(reply["element"]["title"], "7");
    assert_eq!(reply["changed"], true);
    let changed = &reply["changes"]["changed"];
    assert_eq!(changed.as_array().unwrap().len(), 1);
    assert_eq!((&changed[0]["title"], &changed[0]["fields"]), (&json!("7"), &json!(["text"])));
    let label = bench.json("find_element", json!({"app": 30, "identifier": "display"})).await;
    assert_eq!(label["elements"][0]["title"], "7");
}

#[tokio::test]
async fn an_effect_that_comes_late_is_waited_for() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "7").await;
    let target = std::sync::Arc::clone(&bench.target);
    tokio::spawn(async move {
        while target.writes().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        target.update(|state| state.edit("0", |display| display.text = Some("7".into())));
    });
    let reply = bench.json("perform_action", json!({"element_path": button, "action": "press"})).await;
    assert_eq!(reply["changes"]["changed"][0]["title"], "7");
}

#[tokio::test]
async fn no_effect_is_said_and_windows_that_open_or_close_are_reported() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "+").await;
    let press = json!({"element_path": button, "action": "press"});
    let reply = bench.json("perform_action", press.clone()).await;
    assert_eq!((&reply["changed"], &reply["changes"]), (&json!(false), &json!({})));
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { .. }) {
            let dialog =
                tree("window \"About\" calculator [0,0,9,9] dialog pid=30\nframe \"About\" role=dialog @d0");
            state.snapshot = add_windows(&state.snapshot, &dialog);
        }
    });
    let reply = bench.json("perform_action", press.clone()).await;
    assert_eq!(reply["changes"]["windowsOpened"], json!(["About"]));
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { .. }) {
            state.snapshot = keep_windows(&state.snapshot, |window| window.pid != Some(30));
        }
    });
    let reply = bench.json("perform_action", press).await;
    assert_eq!(reply["element"], Value::Null);
    assert_eq!(reply["note"], "The application is not running any more.");
}

/// What was done before the first write: whether an incremental look was enough, or a full one was taken.
fn looked_before_acting(events: &[Event]) -> bool {
    let acted = events.iter().position(|event| matches!(event, Event::Act { .. } | Event::Gesture { .. }));
    events[..acted.expect("an act")].iter().any(|event| matches!(event, Event::Snapshot(_)))
}

#[tokio::test]
async fn an_incremental_look_is_enough_for_what_is_done_natively_and_for_nothing_else() {
    for native in [true, false] {
        let target = bench::desktop_target(sample::desktop());
        let bench = bench::with(if native { target } else { target.with_actions(Vec::new()) });
        let box_id = id(&bench, 30, "Scientific").await;
        bench.target.update(|state| state.earlier = Some(state.snapshot.clone()));
        bench.target.clear_events();
        bench.json("perform_action", json!({"element_path": box_id, "action": "press"})).await;
        assert_eq!(looked_before_acting(&bench.target.events()), !native);
    }
}

#[tokio::test]
async fn what_an_incremental_look_would_refuse_is_judged_by_a_look() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "7").await;
    bench.target.update(|state| {
        let now = state.snapshot.clone();
        state.edit("7", |button| button.flags.remove(Flags::ENABLED));
        state.earlier = Some(std::mem::replace(&mut state.snapshot, now));
    });
    bench.target.clear_events();
    bench.json("perform_action", json!({"element_path": button, "action": "press"})).await;
    assert!(looked_before_acting(&bench.target.events()));
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn an_unreported_change_may_be_older_than_the_action() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "+").await;
    bench.target.update(|state| {
        state.earlier = Some(state.snapshot.clone());
        state.edit("0", |display| display.text = Some("7".into()));
    });
    let reply = bench.json("perform_action", json!({"element_path": button, "action": "press"})).await;
    assert_eq!(reply["changes"]["changed"][0]["title"], "7");
    assert!(reply["note"].as_str().is_some_and(|note| note.contains("older than the action")), "{reply}");
}

#[tokio::test]
async fn native_actions_are_done_by_name() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "7").await;
    for name in ["click", "CLICK"] {
        bench.target.clear_events();
        bench.json("perform_action", json!({"element_path": button, "action": name})).await;
        let wanted =
            Event::Act { node: "push_button \"7\"".into(), action: NodeAction::Native("click".into()) };
        assert_eq!(bench.target.writes(), [wanted]);
    }
    for name in ["AXPress", "press"] {
        bench.target.clear_events();
        bench.json("perform_action", json!({"element_path": button, "action": name})).await;
        let wanted = Event::Act { node: "push_button \"7\"".into(), action: NodeAction::Click };
        assert_eq!(bench.target.writes(), [wanted]);
    }
}

#[tokio::test]
async fn an_action_that_is_not_supported_is_answered_with_those_that_are() {
    let bench = bench::desktop();
    let button = id(&bench, 30, "7").await;
    for action in ["increment", "no such action"] {
        let (kind, text) =
            bench.failure("perform_action", json!({"element_path": button, "action": action})).await;
        assert_eq!(kind, "unsupported");
        assert!(text.contains(&format!("does not support the action '{action}'")), "{text}");
        assert!(text.ends_with("It supports: press, pick, focus, click."), "{text}");
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn without_native_actions_the_pointer_presses_unless_another_window_is_in_the_way() {
    let target = bench::desktop_target(sample::desktop()).with_actions(Vec::new());
    let bench = bench::with(target);
    let box_id = id(&bench, 30, "Scientific").await;
    let result = bench.call("perform_action", json!({"element_path": box_id, "action": "press"})).await;
    assert_eq!(result["structuredContent"]["via"], "pointer");
    assert_eq!(
        result["structuredContent"]["element"]["states"].as_array().unwrap().last().unwrap(),
        "checked"
    );
    bench.target.update(|state| {
        let over = tree("window \"Over\" other [0,0,1920,1080] layer=9 pid=77\nframe role=window @o");
        state.snapshot = add_windows(&state.snapshot, &over);
    });
    bench.target.clear_events();
    let (kind, text) =
        bench.failure("perform_action", json!({"element_path": box_id, "action": "press"})).await;
    assert_eq!(kind, "covered");
    assert!(text.contains("window 'Over' of other"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn elements_that_are_gone_disabled_ambiguous_or_strange_are_not_touched() {
    let bench = bench::desktop();
    let act = |element: &str| json!({"element_path": element, "action": "press"});
    let save = bench.json("find_element", json!({"app": 10, "title": "Save"})).await;
    let disabled = save["elements"][1]["id"].as_str().unwrap();
    assert_eq!(bench.failure("perform_action", act(disabled)).await.0, "disabled");
    let (kind, text) =
        bench.failure("perform_action", act(r#"app(10)/window["Notes"]/button["Save"]"#)).await;
    assert_eq!(kind, "ambiguous");
    assert!(text.contains(disabled), "candidates are named: {text}");
    let (kind, text) = bench.failure("perform_action", act("app(10)/window[0]/button[9]")).await;
    assert_eq!(kind, "element_not_found");
    assert!(text.contains("get_ui_tree"), "{text}");
    assert_eq!(bench.failure("perform_action", act("app(99)/window[0]")).await.0, "app_not_running");
    assert_eq!(bench.failure("perform_action", act("nothing")).await.0, "invalid_params");
    let mut strange = act(disabled);
    strange["app"] = json!(30);
    assert_eq!(bench.failure("perform_action", strange).await.0, "invalid_params");
    let seven = id(&bench, 30, "7").await;
    bench.target.update(|state| state.snapshot = remove_node(&state.snapshot, find(&state.snapshot, "7")));
    assert_eq!(bench.failure("perform_action", act(&seven)).await.0, "stale");
    bench.target.update(|state| {
        state.snapshot = keep_windows(&state.snapshot, |window| window.pid != Some(30));
    });
    let (kind, text) = bench.failure("perform_action", act(&seven)).await;
    assert_eq!(kind, "stale");
    assert!(text.contains("not running any more"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn an_element_out_of_view_is_looked_for_in_the_whole_application() {
    let bench = bench::desktop();
    let row = id(&bench, 30, "2 + 2").await;
    bench.target.clear_events();
    bench.json("perform_action", json!({"element_path": row, "action": "press"})).await;
    let parts: Vec<_> = bench
        .target
        .events()
        .into_iter()
        .filter_map(|event| match event {
            Event::Snapshot(Scope::App { part, .. }) => Some(part),
            _ => None,
        })
        .collect();
    assert_eq!(parts[..2], [Part::Visible, Part::Whole]);
}

#[tokio::test]
async fn texts_numbers_and_checks_are_set_and_read_back() {
    let bench = bench::desktop();
    let memory = id(&bench, 30, "Memory").await;
    let text = "größer\t\u{1f600} \"x\"";
    let reply = bench.json("set_value", json!({"element_path": memory, "value": text})).await;
    assert_eq!(reply["element"]["value"], text);
    let slider = id(&bench, 30, "Precision").await;
    let reply = bench.json("set_value", json!({"element_path": slider, "value": 7})).await;
    assert_eq!(reply["element"]["value"], 7.0);
    let tick = id(&bench, 30, "Scientific").await;
    for wanted in [true, true, false] {
        bench.json("set_value", json!({"element_path": tick, "value": wanted})).await;
        let state = bench.target.state();
        let node = state.snapshot.node(find(&state.snapshot, "Scientific"));
        assert_eq!(node.is(Flags::CHECKED), wanted);
    }
    assert_eq!(bench.target.writes().len(), 4, "what is on already is left alone");
}

#[tokio::test]
async fn a_value_of_the_wrong_type_or_range_is_refused() {
    let bench = bench::desktop();
    let [memory, slider, tick, button] = [
        id(&bench, 30, "Memory").await,
        id(&bench, 30, "Precision").await,
        id(&bench, 30, "Scientific").await,
        { id(&bench, 30, "7").await },
    ];
    for (element, value, said) in [
        (&memory, json!(5), "takes a text"),
        (&memory, json!(true), "takes a text"),
        (&slider, json!("5"), "takes a number"),
        (&slider, json!(10), "from 0 to 9"),
        (&slider, json!(-0.5), "from 0 to 9"),
        (&tick, json!("true"), "takes true or false"),
        (&tick, json!(1), "takes true or false"),
        (&button, json!(1), "takes no value"),
    ] {
        let (kind, text) = bench.failure("set_value", json!({"element_path": element, "value": value})).await;
        assert_eq!(kind, "invalid_params", "{text}");
        assert!(text.contains(said), "{value}: {text}");
    }
    let (kind, _) = bench.failure("set_value", json!({"element_path": button, "value": "x"})).await;
    assert_eq!(kind, "unsupported");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_value_that_does_not_hold_is_an_error() {
    let bench = bench::desktop();
    let slider = id(&bench, 30, "Precision").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::SetValue { .. }) {
            state.edit("Precision", |node| {
                node.value = Some(Held::Number { current: 4.0, minimum: Some(0.0), maximum: Some(9.0) });
            });
        }
    });
    let (kind, text) = bench.failure("set_value", json!({"element_path": slider, "value": 4.5})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("it holds 4"), "{text}");
}

#[tokio::test]
async fn a_check_is_pressed_where_values_cannot_be_set_and_a_password_is_not_returned() {
    let target = bench::desktop_target(sample::desktop());
    let can = fingertip_core::Target::capabilities(&target) - Capabilities::VALUES;
    let bench = bench::with(target.with_capabilities(can));
    let tick = id(&bench, 30, "Scientific").await;
    bench.json("set_value", json!({"element_path": tick, "value": true})).await;
    assert!(matches!(bench.target.writes().as_slice(), [Event::Act { action: NodeAction::Click, .. }]));
    let slider = id(&bench, 30, "Precision").await;
    let (kind, _) = bench.failure("set_value", json!({"element_path": slider, "value": 1})).await;
    assert_eq!(kind, "unsupported");
    let password = id(&bench, 10, "Password").await;
    let result = bench.call("set_value", json!({"element_path": password, "value": "hunter2"})).await;
    assert_ne!(result["isError"], true, "{result}");
    assert!(!result.to_string().contains("hunter2"), "{result}");
}
