//! Several devices at once: which one a call means, and that a guess is never made.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::Capabilities;
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::targets::Targets;
use serde_json::json;

use super::bench::{call, dispatcher};

fn two() -> (Arc<ScriptedTarget>, Arc<ScriptedTarget>) {
    let one = Arc::new(ScriptedTarget::new("android:one", sample::phone()));
    let other = Capabilities::all() - Capabilities::LOGS;
    (one, Arc::new(ScriptedTarget::new("android:two", sample::phone()).with_capabilities(other)))
}

#[test]
fn every_tool_takes_a_device_and_the_list_appears() {
    let (one, two) = two();
    let tools = dispatcher(&[one, two]).tools();
    assert_eq!(tools.len(), 35);
    for tool in tools {
        let takes = tool.input_schema["properties"].get("device").is_some();
        assert_eq!(takes, tool.name != "list_devices", "{}", tool.name);
        let required = tool.input_schema["required"].as_array().unwrap();
        assert!(!required.contains(&json!("device")), "{}", tool.name);
    }
}

#[tokio::test]
async fn the_devices_are_listed() {
    let (one, two) = two();
    let listed = call(&dispatcher(&[one, two]), "list_devices", json!({})).await;
    let devices = listed["structuredContent"]["devices"].as_array().unwrap();
    assert_eq!(devices.len(), 2);
    assert_eq!(devices[0]["name"], "android:one");
    assert_eq!(devices[1]["state"], "ready");
}

#[tokio::test]
async fn a_named_device_gets_the_call_and_only_it() {
    let (one, two) = two();
    let dispatcher = dispatcher(&[Arc::clone(&one), Arc::clone(&two)]);
    let result = call(&dispatcher, "press_home", json!({"device": "android:two"})).await;
    assert_eq!(result["content"][0]["text"], "Home button press executed successfully");
    assert_eq!((one.writes().len(), two.writes().len()), (0, 1));
}

#[tokio::test]
async fn without_a_name_nothing_is_guessed() {
    let (one, two) = two();
    let dispatcher = dispatcher(&[Arc::clone(&one), Arc::clone(&two)]);
    let result = call(&dispatcher, "press_home", json!({})).await;
    assert_eq!(result["structuredContent"]["error_type"], "invalid_params");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("'device'") && text.contains("android:one, android:two"), "{text}");
    assert_eq!((one.events().len(), two.events().len()), (0, 0));
}

#[tokio::test]
async fn the_only_device_that_can_is_chosen() {
    let (one, two) = two();
    let dispatcher = dispatcher(&[Arc::clone(&one), Arc::clone(&two)]);
    let result = call(&dispatcher, "get_device_logs", json!({})).await;
    assert_ne!(result["isError"], json!(true), "{result}");
    assert_eq!((one.events().len(), two.events().len()), (1, 0));
    let refused = call(&dispatcher, "get_device_logs", json!({"device": "android:two"})).await;
    assert_eq!(refused["structuredContent"]["error_type"], "unsupported");
}

#[tokio::test]
async fn an_element_identifies_its_device_and_no_id_is_given_twice() {
    let (one, two) = two();
    let dispatcher = dispatcher(&[Arc::clone(&one), Arc::clone(&two)]);
    let mut ids = Vec::new();
    for device in ["android:one", "android:two"] {
        let find = json!({"by": "text", "value": "Save", "device": device});
        let found = call(&dispatcher, "find_elements", find).await;
        ids.push(found["structuredContent"]["elements"][0]["id"].as_str().unwrap().to_owned());
    }
    assert_ne!(ids[0], ids[1]);
    call(&dispatcher, "click_element", json!({"element_id": ids[1]})).await;
    assert_eq!((one.writes().len(), two.writes().len()), (0, 1));
}

#[tokio::test]
async fn the_first_call_waits_for_the_devices_that_are_looked_for() {
    let targets = Arc::new(Targets::new("Attach one."));
    let dispatcher = Arc::new(Dispatcher::new(Arc::clone(&targets), Policy::default()));
    let waiting = tokio::spawn(async move { call(&dispatcher, "press_home", json!({})).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    targets.attach(two().0);
    targets.settle();
    assert_ne!(waiting.await.unwrap()["isError"], json!(true));
}

#[tokio::test]
async fn the_list_waits_for_the_devices_that_are_looked_for() {
    let targets = Arc::new(Targets::new("Attach one."));
    let dispatcher = Arc::new(Dispatcher::new(Arc::clone(&targets), Policy::default()));
    let waiting = tokio::spawn(async move { call(&dispatcher, "list_devices", json!({})).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    targets.attach(two().0);
    targets.settle();
    let listed = waiting.await.unwrap();
    assert_eq!(listed["structuredContent"]["devices"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_device_that_left_is_named() {
    let (one, two) = two();
    let dispatcher = dispatcher(&[one, two]);
    dispatcher.targets().detach("android:two");
    let result = call(&dispatcher, "press_home", json!({"device": "android:two"})).await;
    assert_eq!(result["structuredContent"]["error_type"], "permission_denied");
    assert_eq!(result["content"][0]["text"], "Device 'android:two' is not attached. Attached: android:one.");
}
