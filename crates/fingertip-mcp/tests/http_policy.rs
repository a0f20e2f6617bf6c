//! The policy through the real transports: what is refused is refused on every way in.

mod support;

use fingertip_core::test_support::{ScriptedTarget, sample, tree};
use fingertip_mcp::policy::{Confirm, Policy, ToolSelection};
use serde_json::{Value, json};
use support::Call;
use support::v1::{Phone, over};

const NEWEST: &str = "2026-07-28";

fn sample() -> ScriptedTarget {
    ScriptedTarget::new("phone", sample::phone())
}

async fn session(phone: &Phone) -> String {
    let reply = phone.send(Call::initialize()).await;
    let id = reply.header("mcp-session-id").expect("a session").to_owned();
    let ready = Call::post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).in_session(&id);
    assert_eq!(phone.send(ready).await.status, 202);
    id
}

/// A call of protocol 2026-07-28, whose client can be asked or not.
fn stateless(name: &str, arguments: &Value, can_ask: bool, more: &Value) -> Call {
    let capabilities = if can_ask { json!({"elicitation": {"form": {}}}) } else { json!({}) };
    let mut params = json!({
        "name": name,
        "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        },
    });
    for (key, value) in more.as_object().expect("an object") {
        params[key] = value.clone();
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    Call::post(body.to_string())
        .with("accept", "application/json, text/event-stream")
        .with("mcp-protocol-version", NEWEST)
        .with("mcp-method", "tools/call")
        .with("mcp-name", name)
}

#[tokio::test]
async fn read_only_holds_on_every_way_in() {
    let phone = over(sample(), Policy { read_only: true, ..Policy::default() }).await;
    let id = session(&phone).await;
    let arguments = r#"{"x":5,"y":500}"#;
    phone.send(Call::tool("tap", arguments)).await.rpc_error(200, -32602);
    let in_session = phone.send(Call::tool("tap", arguments).in_session(&id)).await;
    assert_eq!(in_session.events()[0]["error"]["code"], -32602);
    let newest = phone.send(stateless("tap", &json!({"x": 5, "y": 500}), true, &json!({}))).await;
    assert_eq!(newest.json()["error"]["code"], -32602, "{newest:?}");
    phone.failure(-32601, "tap", json!({"x": 5, "y": 500})).await;
    let one = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tap","arguments":{"x":5,"y":500}}}"#;
    phone.send(Call::post(format!("[{one},{one}]"))).await.rpc_error(400, -32600);
    phone.send(Call::post(format!("[{one}]")).in_session(&id)).await.rpc_error(400, -32600);
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn a_tool_left_out_is_gone_from_both_interfaces() {
    let policy = Policy { selection: ToolSelection::new(None, &["tap"]).unwrap(), ..Policy::default() };
    let phone = over(sample(), policy).await;
    assert!(!support::v1::names(phone.address).await.contains(&"tap".to_owned()));
    phone.send(Call::tool("tap", "{}")).await.rpc_error(200, -32602);
    phone.failure(-32601, "tap", json!({"x": 5, "y": 500})).await;
    assert_eq!(phone.target.events(), []);
}

#[tokio::test]
async fn a_blocked_application_is_refused_on_both_interfaces() {
    let vault = tree(
        r#"
        screen 1080x2400@420
        app com.dashlane .Main
        window "Vault" com.dashlane [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          Button "Unlock" [42,200,1038,326] cf
        "#,
    );
    let phone = over(ScriptedTarget::new("phone", vault), Policy::default()).await;
    let reply = phone.send(Call::tool("tap", r#"{"x":500,"y":250}"#)).await;
    assert_eq!(reply.json()["result"]["structuredContent"]["error_type"], "refused");
    assert_eq!(reply.json()["result"]["structuredContent"]["app"], "com.dashlane");
    let text = phone.failure(-32001, "tap", json!({"x": 500, "y": 250})).await;
    assert!(text.contains("com.dashlane") && text.contains("built in"), "{text}");
    assert_eq!(phone.target.writes(), []);
}

#[tokio::test]
async fn consent_between_two_calls_counts_for_that_call_once() {
    let policy = Policy { confirm: Confirm::new(&["tap"]).unwrap(), ..Policy::default() };
    let phone = over(sample(), policy).await;
    let tap = json!({"x": 500, "y": 250});
    let asked = phone.send(stateless("tap", &tap, true, &json!({}))).await.json();
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let message = asked["result"]["inputRequests"]["consent"]["params"]["message"].as_str().unwrap();
    assert!(message.contains("tap (x: 500, y: 250)") && message.contains("\"phone\""), "{message}");
    assert_eq!(phone.target.writes(), []);

    let state = asked["result"]["requestState"].clone();
    let answer = |action: &str| json!({"requestState": state, "inputResponses": {"consent": {"action": action, "content": {}}}});
    let elsewhere = json!({"x": 500, "y": 251});
    let refused = phone.send(stateless("tap", &elsewhere, true, &answer("accept"))).await.json();
    assert_eq!(refused["result"]["structuredContent"]["error_type"], "refused", "another call: {refused}");
    assert_eq!(phone.target.writes(), []);
    let done = phone.send(stateless("tap", &tap, true, &answer("accept"))).await.json();
    assert_ne!(done["result"]["isError"], true, "{done}");
    assert_eq!(phone.target.writes().len(), 1);
    let again = phone.send(stateless("tap", &tap, true, &answer("accept"))).await.json();
    assert_eq!(again["result"]["structuredContent"]["error_type"], "refused", "twice: {again}");
    assert_eq!(phone.target.writes().len(), 1);
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_refused() {
    let policy = Policy { confirm: Confirm::new(&["tap"]).unwrap(), ..Policy::default() };
    let phone = over(sample(), policy).await;
    let id = session(&phone).await;
    let arguments = r#"{"x":500,"y":250}"#;
    let replies = [
        phone.send(Call::tool("tap", arguments)).await.json(),
        phone.send(Call::tool("tap", arguments).in_session(&id)).await.events()[0].clone(),
        phone.send(stateless("tap", &json!({"x": 500, "y": 250}), false, &json!({}))).await.json(),
    ];
    for reply in replies {
        let text = reply["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("this client cannot ask"), "{reply}");
    }
    let text = phone.failure(-32001, "tap", json!({"x": 500, "y": 250})).await;
    assert!(text.contains("this client cannot ask"), "{text}");
    assert_eq!(phone.target.writes(), []);
}
