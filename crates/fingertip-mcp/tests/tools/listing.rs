//! What clients are shown: names, schemas, and only what is possible and allowed.

use fingertip_core::target::Capabilities;
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::reference;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::bench;
use crate::contract::DEVICE_TOOLS;

/// Those a phone has beyond the contract.
const FURTHER: [&str; 7] =
    ["list_apps", "open_app", "close_app", "double_click", "drag", "verify_state", "run_steps"];

fn all_names() -> Vec<&'static str> {
    let contract = ["get_screen_state"].into_iter().chain(DEVICE_TOOLS).chain(["get_element_details"]);
    contract.chain(FURTHER).collect()
}

fn names(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.tools().into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[test]
fn a_phone_has_the_27_tools_those_about_applications_and_no_pointer() {
    assert_eq!(names(&bench::phone().dispatcher), all_names());
}

#[test]
fn the_wire_form_of_every_tool_is_as_published() {
    let tools = serde_json::to_value(bench::phone().dispatcher.tools()).unwrap();
    insta::assert_json_snapshot!(tools);
}

#[test]
fn every_tool_explains_itself() {
    for tool in bench::phone().dispatcher.tools() {
        let annotations = tool.annotations.expect("annotations");
        assert!(tool.title.is_some(), "{}", tool.name);
        assert!(annotations.read_only_hint.is_some() && annotations.destructive_hint.is_some());
        assert!(tool.description.is_some_and(|text| text.len() > 20), "{}", tool.name);
    }
}

#[tokio::test]
async fn without_a_device_the_tools_are_listed_and_say_what_to_do() {
    let dispatcher = bench::dispatcher(&[]);
    assert_eq!(names(&dispatcher), all_names());
    let result = bench::call(&dispatcher, "press_back", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "No device is attached. Attach one.");
    assert_eq!(result["structuredContent"]["error_type"], "permission_denied");
    assert_eq!(result["structuredContent"]["guidance"], "Attach one.");
    let invalid = bench::call(&dispatcher, "tap", json!({"x": 1})).await;
    assert_eq!(invalid["structuredContent"]["error_type"], "invalid_params", "input is checked first");
}

#[test]
fn a_tool_no_device_can_do_is_not_listed() {
    let without = Capabilities::all() - Capabilities::CLIPBOARD - Capabilities::MULTI_TOUCH;
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_capabilities(without));
    let listed = names(&bench.dispatcher);
    assert_eq!(listed.len(), all_names().len() - 3);
    assert!(!listed.iter().any(|name| name.contains("clipboard") || name == "pinch"));
}

#[test]
fn a_clipboard_that_may_only_be_written_is_not_offered_for_reading() {
    let without = Capabilities::all() - Capabilities::CLIPBOARD_READ;
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_capabilities(without));
    let clipboard: Vec<String> =
        names(&bench.dispatcher).into_iter().filter(|name| name.contains("clipboard")).collect();
    assert_eq!(clipboard, ["set_clipboard"]);
}

#[tokio::test]
async fn read_only_hides_and_refuses_every_writing_tool() {
    let policy = Policy { read_only: true, ..Policy::default() };
    let bench::Bench { target, dispatcher } =
        bench::under(policy, ScriptedTarget::new("phone", sample::phone()));
    let listed = names(&dispatcher);
    assert_eq!(
        listed,
        [
            "get_screen_state",
            "get_device_logs",
            "find_elements",
            "get_clipboard",
            "wait_for_element",
            "wait_for_idle",
            "get_element_details",
            "list_apps",
            "verify_state"
        ]
    );
    for name in all_names().iter().filter(|name| !listed.iter().any(|known| known == *name)) {
        let outcome = dispatcher.call(name, &serde_json::Map::new(), CancellationToken::new()).await;
        assert_eq!(outcome.expect_err("refused").code.0, -32602, "{name}");
    }
    assert_eq!(target.events(), []);
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    let outcome = bench::phone()
        .dispatcher
        .call("no_such_tool", &serde_json::Map::new(), CancellationToken::new())
        .await;
    let error = outcome.expect_err("no tool");
    assert_eq!(error.code.0, -32602);
    assert_eq!(error.message, "Unknown tool: no_such_tool");
}

#[test]
fn the_reference_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == reference::page(),
        "docs/tools.md is stale: cargo run -p fingertip-mcp --example tools_reference > docs/tools.md"
    );
}
