//! The device tools on a desktop, the desktop tools on a phone, and which of them are listed.

use std::sync::Arc;

use fingertip_core::target::{NodeAction, Part, Scope};
use fingertip_core::test_support::edit::change_node;
use fingertip_core::test_support::{Event, ScriptedTarget, find, sample};
use fingertip_core::{Flags, Rect};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::policy::ToolSelection;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::bench::{self, Bench, call, dispatcher};

const OWN: [&str; 9] = [
    "get_ui_tree",
    "find_element",
    "get_focused_element",
    "list_windows",
    "perform_action",
    "set_value",
    "observe_changes",
    "window_action",
    "select_menu",
];

fn names(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.tools().into_iter().map(|tool| tool.name.into_owned()).collect()
}

fn selecting(bench: &Bench, only: &[&str], without: &[&str]) -> Dispatcher {
    let selection = ToolSelection::new((!only.is_empty()).then_some(only), without).expect("known names");
    let policy = Policy { selection, ..Policy::default() };
    Dispatcher::new(Arc::clone(bench.dispatcher.targets()), policy)
}

#[test]
fn a_desktop_lists_its_own_and_the_device_tools_it_can_do() {
    let listed = names(&bench::desktop().dispatcher);
    assert_eq!(listed.len(), 38);
    for tool in OWN.iter().chain(&[
        "right_click",
        "hover",
        "get_screen_state",
        "tap",
        "scroll_to_element",
        "wait_for_idle",
    ]) {
        assert!(listed.iter().any(|name| name == tool), "{tool}");
    }
    for tool in ["press_home", "open_notifications", "get_device_logs", "pinch", "list_devices"] {
        assert!(!listed.iter().any(|name| name == tool), "{tool}");
    }
}

#[test]
fn the_wire_form_of_the_desktop_tools_is_as_published() {
    let tools = bench::desktop().dispatcher.tools();
    let own: Vec<_> = tools.into_iter().filter(|tool| OWN.contains(&&*tool.name)).collect();
    insta::assert_json_snapshot!(serde_json::to_value(own).unwrap());
}

#[tokio::test]
async fn an_app_parameter_appears_while_a_desktop_is_attached() {
    let takes = |dispatcher: &Dispatcher| -> Vec<String> {
        let about_apps = ["open_app", "close_app"];
        let device = dispatcher.tools().into_iter();
        let device = device.filter(|tool| !OWN.contains(&&*tool.name) && !about_apps.contains(&&*tool.name));
        device
            .filter(|tool| tool.input_schema["properties"].get("app").is_some())
            .map(|tool| tool.name.into_owned())
            .collect()
    };
    let desktop = bench::desktop();
    assert_eq!(
        takes(&desktop.dispatcher),
        ["get_screen_state", "find_elements", "wait_for_element", "wait_for_idle", "verify_state"]
    );
    let phone = bench::phone();
    assert_eq!(takes(&phone.dispatcher), Vec::<String>::new());
    let (kind, text) = phone.failure("get_screen_state", json!({"app": "x"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("Unknown parameter 'app'"), "{text}");
    let front = desktop.text("get_screen_state", json!({})).await;
    assert!(front.contains("Scientific") && !front.contains("Save"), "{front}");
    let editor = desktop.text("get_screen_state", json!({"app": 10})).await;
    assert!(editor.contains("Save") && !editor.contains("Scientific"), "{editor}");
    assert_eq!(desktop.failure("get_screen_state", json!({"app": "editor"})).await.0, "ambiguous");
    let found = desktop.json("find_elements", json!({"by": "text", "value": "Save", "app": 10})).await;
    assert_eq!(found["elements"].as_array().unwrap().len(), 2);
    let idle = desktop.json("wait_for_idle", json!({"timeout": 3000, "app": 10})).await;
    assert_eq!(idle["message"], "UI is idle");
}

#[tokio::test]
async fn ids_of_any_application_work_and_only_that_application_is_read() {
    let bench = bench::desktop();
    let found = bench.json("find_elements", json!({"by": "text", "value": "Save", "app": 10})).await;
    let id = found["elements"][0]["id"].as_str().unwrap();
    bench.target.clear_events();
    assert_eq!(
        bench.text("click_element", json!({"element_id": id})).await,
        format!("Click performed on element '{id}'")
    );
    let events = bench.target.events();
    // The policy asks which applications there are, by all their names, before it lets the click pass.
    let [Event::Snapshot(Scope::App { app, part: Part::Visible }), Event::Windows, Event::Act { node, .. }] =
        events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!((app.pid, node.as_str()), (Some(10), "push_button \"Save\""));
    let seven = bench.json("find_elements", json!({"by": "text", "value": "7", "exact_match": true})).await;
    let seven = seven["elements"][0]["id"].as_str().unwrap();
    let details = bench.text("get_element_details", json!({"ids": [id, seven, "node_ffff"]})).await;
    assert!(
        details.contains(&format!("{id}\tSave\t")) && details.contains(&format!("{seven}\t7\t")),
        "{details}"
    );
    assert!(details.contains("node_ffff\tnot_found"), "{details}");
}

#[tokio::test]
async fn scrolling_to_an_element_is_done_natively_where_it_can_be_and_checked() {
    let target = bench::desktop_target(sample::desktop()).with_actions(vec![NodeAction::ShowOnScreen]);
    let bench = bench::with(target);
    let found = bench.json("find_element", json!({"app": 30, "title": "2 + 2"})).await;
    let id = found["elements"][0]["id"].as_str().unwrap();
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { action: NodeAction::ShowOnScreen, .. }) {
            let row = find(&state.snapshot, "2 + 2");
            state.snapshot = change_node(&state.snapshot, row, |node| {
                node.flags |= Flags::VISIBLE;
                node.bounds = Rect::new(100, 500, 500, 600);
            });
        }
    });
    let said = bench.text("scroll_to_element", json!({"element_id": id})).await;
    assert_eq!(said, format!("Scrolled to element '{id}' (1 scroll(s))"));
    assert!(matches!(
        bench.target.writes().as_slice(),
        [Event::Act { action: NodeAction::ShowOnScreen, .. }]
    ));
    let again = bench.text("scroll_to_element", json!({"element_id": id})).await;
    assert_eq!(again, format!("Element '{id}' is already visible"));
}

#[tokio::test]
async fn mere_movement_does_not_keep_a_desktop_from_being_idle() {
    let bench = bench::desktop();
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Snapshot(_)) {
            state.edit("7", |node| node.bounds.right += 1);
        }
    });
    let idle = bench.json("wait_for_idle", json!({"timeout": 10_000})).await;
    assert_eq!(idle["message"], "UI is idle");
}

#[tokio::test]
async fn chosen_tools_are_listed_and_no_others_can_be_called() {
    let phone = bench::phone();
    let chosen = selecting(&phone, &["desktop"], &["set_value"]);
    assert_eq!(
        names(&chosen),
        OWN.iter().copied().filter(|name| !["set_value", "select_menu"].contains(name)).collect::<Vec<_>>()
    );
    for hidden in ["tap", "set_value"] {
        let refused = chosen.call(hidden, &serde_json::Map::new(), CancellationToken::new()).await;
        assert_eq!(refused.expect_err("unknown").message, format!("Unknown tool: {hidden}"));
    }
    let refused =
        phone.dispatcher.call("get_ui_tree", &serde_json::Map::new(), CancellationToken::new()).await;
    assert_eq!(refused.expect_err("a phone has none").message, "Unknown tool: get_ui_tree");
    let reply = call(&chosen, "get_ui_tree", json!({"app": "com.example.contacts", "depth": 1})).await;
    assert_eq!(reply["structuredContent"]["app"]["name"], "com.example.contacts");
    let found = call(&chosen, "find_element", json!({"app": "com.example.contacts", "title": "Save"})).await;
    let element = &found["structuredContent"]["elements"][0];
    assert!(
        element["path"].as_str().unwrap().starts_with("app(\"com.example.contacts\")/window["),
        "{element}"
    );
    let pressed =
        call(&chosen, "perform_action", json!({"element_path": element["path"], "action": "press"})).await;
    assert_eq!(pressed["structuredContent"]["via"], "native", "{pressed}");
    let missing = call(&chosen, "get_ui_tree", json!({"app": "com.none"})).await;
    assert_eq!(missing["structuredContent"]["error_type"], "app_not_running");
}

#[tokio::test]
async fn with_phone_and_desktop_the_desktop_tools_mean_the_desktop() {
    let phone = Arc::new(ScriptedTarget::new("android:one", sample::phone()));
    let desktop = Arc::new(bench::desktop_target(sample::desktop()));
    let both = dispatcher(&[phone, desktop]);
    let windows = call(&both, "list_windows", json!({})).await;
    assert_eq!(windows["structuredContent"]["windows"][0]["app"], "calculator");
    let refused = call(&both, "list_windows", json!({"device": "android:one"})).await;
    assert_eq!(refused["structuredContent"]["error_type"], "unsupported");
    let screen = call(&both, "get_screen_state", json!({"device": "desktop", "app": 10})).await;
    assert!(screen["content"][0]["text"].as_str().unwrap().contains("Save"), "{screen}");
}
