//! The first interface: who gets in, and which tools are offered there and nowhere else.

mod support;

use std::sync::Arc;

use fingertip_core::target::Capabilities;
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::policy::Policy;
use fingertip_mcp::transport::v1::{CALL_PATH, LIST_PATH};
use serde_json::{Map, Value, json};
use support::contract::DEVICE_TOOLS;
use support::v1::{listed, names, over, phone, serve_targets, tool};
use support::{Call, start};

/// The four tools that only the first interface has.
const ONLY_V1: [&str; 4] =
    ["get_accessibility_tree", "capture_screenshot", "get_current_app", "get_screen_info"];

fn all_names() -> Vec<&'static str> {
    ONLY_V1.iter().chain(&DEVICE_TOOLS).copied().collect()
}

#[tokio::test]
async fn without_the_switch_there_is_nothing() {
    let server = start().await;
    for call in [Call::new("GET", LIST_PATH), tool("press_back", &json!({}))] {
        let reply = server.send(call).await;
        assert_eq!((reply.status, reply.json()["error"].as_str()), (404, Some("not_found")));
    }
}

#[tokio::test]
async fn every_request_needs_the_token_and_a_known_host() {
    let phone = phone().await;
    for call in [Call::new("GET", LIST_PATH), tool("press_back", &json!({}))] {
        for refused in
            [call.clone().without("authorization"), call.clone().with("authorization", "Bearer no")]
        {
            let reply = phone.send(refused).await;
            assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")));
        }
        for foreign in
            [call.clone().with("host", "evil.example"), call.with("origin", "https://evil.example")]
        {
            assert_eq!(phone.send(foreign).await.status, 403);
        }
    }
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn each_path_has_its_method() {
    let phone = phone().await;
    for (call, allowed) in
        [(tool("press_back", &json!({})).to(LIST_PATH), "GET"), (Call::new("GET", CALL_PATH), "POST")]
    {
        let reply = phone.send(call).await;
        assert_eq!((reply.status, reply.json()["error"].as_str()), (405, Some("method_not_allowed")));
        assert!(reply.header("allow").is_some_and(|methods| methods.contains(allowed)), "{reply:?}");
    }
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn the_29_tools_are_listed_with_name_description_and_input() {
    let phone = phone().await;
    assert_eq!(names(phone.address).await, all_names());
    for tool in listed(phone.address).await {
        let members: Vec<&String> = tool.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["name", "description", "inputSchema"]);
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 20), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        let text = tool.to_string();
        assert!(!text.contains("get_screen_state") && !text.contains("get_element_details"), "{text}");
    }
}

/// The inputs the reference spells out.
fn documented() -> Value {
    let nothing = json!({ "type": "object", "properties": {}, "required": [] });
    json!({
        "get_accessibility_tree": nothing,
        "capture_screenshot": {
            "type": "object",
            "properties": {
                "quality": { "type": "integer", "description": "JPEG quality (1-100)", "default": 80 },
            },
            "required": [],
        },
        "get_current_app": nothing,
        "get_screen_info": nothing,
        "press_back": nothing,
        "press_home": nothing,
        "press_recents": nothing,
        "open_notifications": nothing,
        "open_quick_settings": nothing,
        "get_device_logs": {
            "type": "object",
            "properties": {
                "last_lines": {
                    "type": "integer",
                    "description": "Number of most recent log lines to return (1-1000)",
                    "default": 100,
                },
                "since": {
                    "type": "string",
                    "description": "ISO 8601 timestamp to filter logs from (e.g., 2024-01-15T10:30:00)",
                },
                "until": {
                    "type": "string",
                    "description": "ISO 8601 timestamp to filter logs until (used with since)",
                },
                "tag": {
                    "type": "string",
                    "description": "Filter by log tag (exact match, e.g., MCP:ServerService)",
                },
                "level": {
                    "type": "string",
                    "enum": ["V", "D", "I", "W", "E", "F"],
                    "description": "Minimum log level to include",
                    "default": "D",
                },
                "package_name": { "type": "string", "description": "Filter logs by package name" },
            },
            "required": [],
        },
    })
}

/// What the schema of the reference would be without the bounds that ours spells out besides.
fn without_bounds(schema: &Value) -> Value {
    let is_bound =
        |key: &str| matches!(key, "minimum" | "maximum" | "minLength" | "maxLength" | "additionalProperties");
    match schema {
        Value::Object(members) => members
            .iter()
            .filter(|(key, _)| !is_bound(key))
            .map(|(key, value)| (key.clone(), without_bounds(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn inputs_are_as_the_reference_spells_them_out() {
    let phone = phone().await;
    let tools = listed(phone.address).await;
    for (name, wanted) in documented().as_object().expect("an object") {
        let tool = tools.iter().find(|tool| tool["name"] == **name).expect(name);
        assert_eq!(&without_bounds(&tool["inputSchema"]), wanted, "{name}");
    }
    let quality = &tools[1]["inputSchema"]["properties"]["quality"];
    assert_eq!((&quality["minimum"], &quality["maximum"]), (&json!(1), &json!(100)));
}

#[tokio::test]
async fn the_other_inputs_are_those_of_the_current_interface() {
    let phone = phone().await;
    let list = Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let mut current = phone.send(list).await.json()["result"]["tools"].clone();
    for tool in current.as_array_mut().expect("tools") {
        // Replies of v1 are as its reference has them.
        tool["inputSchema"]["properties"].as_object_mut().expect("properties").remove("see");
    }
    let mut compared = 0;
    for older in listed(phone.address).await {
        let same = |tool: &&Value| tool["name"] == older["name"];
        let Some(newer) = current.as_array().expect("tools").iter().find(same) else { continue };
        let reworded = newer["inputSchema"].to_string().replace("get_screen_state", "get_accessibility_tree");
        assert_eq!(older["inputSchema"].to_string(), reworded);
        compared += 1;
    }
    assert_eq!(compared, 25);
}

#[tokio::test]
async fn the_older_tools_are_invisible_at_mcp_and_the_newer_ones_in_v1() {
    let phone = phone().await;
    let list = Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let current = phone.send(list).await.json()["result"]["tools"].clone();
    assert_eq!(current.as_array().map(Vec::len), Some(34));
    for older in &ONLY_V1 {
        assert!(!current.to_string().contains(&format!(r#""name":"{older}""#)), "{older}");
        let reply = phone.send(Call::tool(older, "{}")).await;
        assert_eq!(reply.json()["error"]["code"], -32602, "{older}");
    }
    for newer in ["get_screen_state", "get_element_details", "list_devices"] {
        let text = phone.failure(-32601, newer, json!({})).await;
        assert_eq!(text, format!("Unknown tool: {newer}"));
    }
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn a_tool_no_device_can_do_is_not_listed() {
    let able = Capabilities::all() - Capabilities::CLIPBOARD - Capabilities::SCREENSHOT;
    let target = ScriptedTarget::new("phone", sample::phone()).with_capabilities(able);
    let phone = over(target, Policy::default()).await;
    let listed = names(phone.address).await;
    assert_eq!(listed.len(), 26);
    assert!(!listed.iter().any(|name| name.contains("clipboard") || name == "capture_screenshot"));
}

#[tokio::test]
async fn read_only_holds_through_v1() {
    let policy = Policy { read_only: true, ..Policy::default() };
    let phone = over(ScriptedTarget::new("phone", sample::phone()), policy).await;
    let listed = names(phone.address).await;
    let reading =
        [&ONLY_V1[..], &["get_device_logs", "find_elements", "get_clipboard"], &DEVICE_TOOLS[23..]].concat();
    assert_eq!(listed, reading);
    for name in all_names().iter().filter(|name| !reading.contains(name)) {
        phone.failure(-32601, name, json!({})).await;
    }
    assert_eq!(phone.target.events(), []);
    phone.text("get_accessibility_tree", json!({})).await;
}

#[tokio::test]
async fn with_several_devices_a_call_says_which() {
    let devices = ["one", "two"].map(|name| Arc::new(ScriptedTarget::new(name, sample::phone())));
    let address = serve_targets(&devices, Policy::default()).await;
    let reply = tool("press_back", &json!({})).send(address).await;
    reply.rpc_error(200, -32602);
    assert!(reply.json()["error"]["message"].to_string().contains("one, two"));
    let reply = tool("press_back", &json!({"device": "two"})).send(address).await;
    assert_eq!(reply.json()["result"]["content"][0]["text"], "Back button press executed successfully");
    assert_eq!(devices.map(|device| device.writes().len()), [0, 1]);
    assert_eq!(names(address).await, all_names(), "list_devices is of the current interface");
}
