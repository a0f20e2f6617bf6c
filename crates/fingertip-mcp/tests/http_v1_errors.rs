//! Every error code of the first interface, provoked.

mod support;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use fingertip_core::target::{PixelFormat, Pixels, Screenshot};
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_core::{Error, Flags, Reason, Screen, Snapshot};
use fingertip_mcp::policy::Policy;
use fingertip_mcp::transport::MAX_MESSAGE_BYTES;
use fingertip_mcp::transport::v1::{CALL_PATH, ERROR_CODES};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use support::v1::{phone, post, routes, serve_targets, tool};
use tower::ServiceExt;

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"press_back"}}"#;

#[test]
fn the_codes_are_those_of_the_reference() {
    let codes = ERROR_CODES.map(|(code, name, _)| (code, name));
    let wanted = [
        (-32700, "Parse Error"),
        (-32600, "Invalid Request"),
        (-32601, "Method Not Found"),
        (-32602, "Invalid Params"),
        (-32603, "Internal Error"),
        (-32001, "Permission Denied"),
        (-32002, "Element Not Found"),
        (-32003, "Action Failed"),
        (-32004, "Timeout"),
    ];
    assert_eq!(codes, wanted);
}

#[tokio::test]
async fn what_is_no_json_is_a_parse_error() {
    let phone = phone().await;
    let with_text = |text: &str| CALL.replace("}}", &format!(r#","arguments":{{"text":{text}}}}}}}"#));
    let deep = with_text(&format!("{}1{}", "[".repeat(500), "]".repeat(500)));
    for body in ["", "{", "hello", &CALL[..40], &with_text(r#""\ud800""#), &deep] {
        assert_eq!(phone.send(post(body)).await.rpc_error(400, -32700), Value::Null, "{body}");
    }
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn what_is_no_request_is_an_invalid_request() {
    let phone = phone().await;
    for (body, id) in [
        ("5", Value::Null),
        (r#"{"jsonrpc":"1.0","id":3,"method":"tools/call"}"#, json!(3)),
        (r#"{"jsonrpc":"2.0","id":3}"#, json!(3)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"press_back"}}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"press_back"}}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, json!(3)),
    ] {
        assert_eq!(phone.send(post(body)).await.rpc_error(400, -32600), id, "{body}");
    }
    phone.send(post(CALL).with("content-type", "text/plain")).await.rpc_error(415, -32600);
    phone.send(post(vec![b' '; MAX_MESSAGE_BYTES + 1])).await.rpc_error(413, -32600);
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn a_batch_is_refused_and_none_of_it_is_done() {
    let phone = phone().await;
    let reply = phone.send(post(format!("[{CALL},{CALL}]"))).await;
    assert_eq!(reply.rpc_error(400, -32600), Value::Null);
    assert!(reply.json()["error"]["message"].to_string().contains("batches"));
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn unknown_tools_and_methods_are_not_found() {
    let phone = phone().await;
    assert_eq!(phone.failure(-32601, "no_such_tool", json!({})).await, "Unknown tool: no_such_tool");
    for method in ["tools/list", "ping", "no/such"] {
        let body = CALL.replace("tools/call", method);
        assert_eq!(phone.send(post(body)).await.rpc_error(200, -32601), json!(1), "{method}");
    }
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn wrong_arguments_are_invalid_params_and_named() {
    let phone = phone().await;
    for (value, said) in [
        (json!(0), "from 1 to 100, got 0"),
        (json!(-1), "got -1"),
        (json!(101), "from 1 to 100, got 101"),
        (json!(5.5), "got 5.5"),
        (json!("80"), "got \"80\""),
        (json!(null), "got null"),
    ] {
        let text = phone.failure(-32602, "capture_screenshot", json!({ "quality": value })).await;
        assert!(text.contains("'quality'") && text.contains(said), "{text}");
    }
    let wrong = [
        ("get_accessibility_tree", json!({"depth": 1}), "Unknown parameter 'depth'"),
        ("get_current_app", json!({"a": 1}), "Unknown parameter 'a'"),
        ("get_screen_info", json!({"a": 1}), "Unknown parameter 'a'"),
        ("press_back", json!({"times": 2}), "Unknown parameter 'times'"),
        ("tap", json!({"x": 1}), "Missing required parameter 'y'"),
        ("get_device_logs", json!({"last_lines": 0}), "'last_lines'"),
        ("get_device_logs", json!({"last_lines": 1001}), "'last_lines'"),
        ("get_device_logs", json!({"level": "X"}), "'level'"),
        ("get_device_logs", json!({"until": "soon"}), "'until'"),
    ];
    for (name, arguments, said) in wrong {
        let text = phone.failure(-32602, name, arguments).await;
        assert!(text.contains(said), "{text}");
    }
    for params in ["5", "[]", "{}", r#"{"name":5}"#, r#"{"name":"tap","arguments":[]}"#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        assert_eq!(phone.send(post(body)).await.rpc_error(200, -32602), json!(1), "{params}");
    }
    phone.send(post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#)).await.rpc_error(200, -32602);
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn a_defect_is_an_internal_error_and_the_server_lives_on() {
    let phone = phone().await;
    phone.target.panic_next();
    let text = phone.failure(-32603, "get_accessibility_tree", json!({})).await;
    assert!(text.contains("get_accessibility_tree") && !text.contains("the script says"), "{text}");
    phone.target.fail_next(Error::new(Reason::Internal, "Broken."));
    let text = phone.failure(-32603, "press_back", json!({})).await;
    assert!(text.contains("Broken"), "{text}");
    phone.text("press_back", json!({})).await;
}

#[tokio::test]
async fn no_device_no_access_and_a_refusal_are_permission_denied() {
    let address = serve_targets(&[], Policy::default()).await;
    for name in
        ["get_accessibility_tree", "capture_screenshot", "get_current_app", "get_screen_info", "press_back"]
    {
        let reply = tool(name, &json!({})).send(address).await;
        assert_eq!(reply.rpc_error(200, -32001), json!(1));
        assert_eq!(reply.json()["error"]["message"], "No device is attached. Attach one.");
    }
    let phone = phone().await;
    for reason in [Reason::PermissionDenied, Reason::Refused] {
        phone.target.fail_next(Error::new(reason, "The phone is locked.").with_guidance("Unlock it."));
        let text = phone.failure(-32001, "capture_screenshot", json!({})).await;
        assert_eq!(text, "The phone is locked. Unlock it.");
    }
}

#[tokio::test]
async fn an_element_that_is_not_there_is_not_found_and_tools_of_v1_are_named() {
    let phone = phone().await;
    let text = phone.failure(-32002, "click_element", json!({"element_id": "node_abc123"})).await;
    assert!(text.contains("'node_abc123' was not found"), "{text}");
    assert!(text.contains("Look again with get_accessibility_tree or find_elements"), "{text}");
    assert_eq!(phone.target.writes(), []);

    let found = phone.text("find_elements", json!({"by": "text", "value": "Save"})).await;
    let id = found.split('"').find(|part| part.starts_with("node_")).unwrap().to_owned();
    phone.target.update(|state| state.snapshot = sample::keyboard());
    let text = phone.failure(-32002, "click_element", json!({ "element_id": id })).await;
    assert!(text.contains("no longer on the screen"), "{text}");
}

#[tokio::test]
async fn what_cannot_be_done_is_action_failed() {
    let phone = phone().await;
    phone.target.fail_next(Error::new(Reason::ActionFailed, "Global action failed."));
    let text = phone.failure(-32003, "press_back", json!({})).await;
    assert!(text.contains("Global action failed"), "{text}");
    phone.target.fail_next(Error::new(Reason::ActionFailed, "The log could not be read."));
    assert_eq!(phone.failure(-32003, "get_device_logs", json!({})).await, "The log could not be read.");

    let cut = Pixels { width: 10, height: 10, stride: 40, format: PixelFormat::Rgba, data: vec![0; 7] };
    phone.target.update(|state| state.screenshot = Some(Screenshot::Raw(cut)));
    let text = phone.failure(-32003, "capture_screenshot", json!({})).await;
    assert!(text.starts_with("Screenshot capture failed"), "{text}");

    let found = phone.text("find_elements", json!({"by": "text", "value": "Save"})).await;
    let id = found.split('"').find(|part| part.starts_with("node_")).unwrap().to_owned();
    phone.target.update(|state| state.edit("Save", |node| node.flags -= Flags::ENABLED));
    let text = phone.failure(-32003, "click_element", json!({ "element_id": id })).await;
    assert!(text.contains("is disabled"), "{text}");

    phone.target.update(|state| state.snapshot = Snapshot::builder(Screen::default()).finish());
    let text = phone.failure(-32003, "get_accessibility_tree", json!({})).await;
    assert!(text.starts_with("Failed to obtain root node"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_device_that_never_answers_is_a_timeout() {
    let target = Arc::new(ScriptedTarget::new("phone", sample::phone()));
    let routes = routes(&target);
    target.hang();
    for name in ["get_accessibility_tree", "capture_screenshot", "get_screen_info", "press_back"] {
        let body = CALL.replace("press_back", name);
        let request = http::Request::post(CALL_PATH).header("content-type", "application/json");
        let request = request.body(Body::from(body)).unwrap();
        let started = tokio::time::Instant::now();
        let response = routes.clone().oneshot(request).await.unwrap();
        assert!(started.elapsed() <= fingertip_mcp::dispatch::TIME_LIMIT + Duration::from_millis(100));
        assert_eq!(response.status(), 200);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&body["id"], &body["error"]["code"]), (&json!(1), &json!(-32004)), "{body}");
    }
}

#[tokio::test]
async fn a_client_that_goes_away_holds_up_no_other() {
    let phone = phone().await;
    phone.target.hang();
    let connection = tool("press_back", &json!({})).send_only(phone.address).await;
    while phone.target.events().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    phone.target.recover();
    drop(connection);
    // The turn of a call without a waiting client would block this one for its whole time limit.
    phone.text("press_home", json!({})).await;
}

#[tokio::test]
async fn a_key_that_stands_twice_does_nothing() {
    let phone = phone().await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tap","arguments":{"x":1,"y":1,"x":9}}}"#;
    assert_eq!(phone.send(post(body)).await.rpc_error(200, -32602), json!(1));
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"press_back","name":"press_home"}}"#;
    assert_eq!(phone.send(post(body)).await.rpc_error(200, -32602), json!(1));
    assert_eq!(phone.target.events(), []);
}
