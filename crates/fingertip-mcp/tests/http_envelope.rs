//! Malformed messages over HTTP: each gets its JSON-RPC error, in JSON, and harms no other client.

mod support;

use serde_json::Value;
use support::{Call, start};

#[tokio::test]
async fn plain_curl_gets_one_plain_json_reply() {
    let server = start().await;
    for call in [
        Call::tool("echo", r#"{"text":"hello"}"#),
        Call::tool("echo", r#"{"text":"hello"}"#).without("accept"),
        Call::tool("echo", r#"{"text":"hello"}"#).with("accept", "application/json"),
        Call::tool("echo", r#"{"text":"hello"}"#).with("accept", "application/json, text/event-stream"),
    ] {
        let reply = server.send(call).await;
        assert_eq!(reply.status, 200);
        let body = reply.json();
        assert_eq!((&body["id"], &body["result"]["content"][0]["text"]), (&1.into(), &"hello".into()));
    }
    let list = server.send(Call::post(r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#)).await.json();
    assert_eq!((&list["id"], &list["result"]["tools"][0]["name"]), (&"a".into(), &"echo".into()));
}

#[tokio::test]
async fn broken_json_is_a_parse_error() {
    let server = start().await;
    for body in ["", "{", r#"{"jsonrpc":"2.0","id":1,"method":"tools/li"#, "hello", "[1,2"] {
        assert_eq!(server.send(Call::post(body)).await.rpc_error(400, -32700), Value::Null, "{body}");
    }
    let surrogate = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud800"}}"#;
    server.send(Call::post(surrogate)).await.rpc_error(400, -32700);
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}1{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    server.send(Call::post(deep)).await.rpc_error(400, -32700);
    server.still_serves().await;
}

#[tokio::test]
async fn batches_and_other_invalid_requests_are_refused_with_their_id() {
    let server = start().await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#;
    let reply = server.send(Call::post(batch)).await;
    assert_eq!(reply.rpc_error(400, -32600), Value::Null);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("batches"));
    for (body, id) in [
        (r#"{"jsonrpc":"2.0","id":7}"#, Value::from(7)),
        (r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#, Value::from("x")),
        (r#"{"id":7,"method":"ping"}"#, Value::from(7)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, Value::Null),
        ("5", Value::Null),
    ] {
        assert_eq!(server.send(Call::post(body)).await.rpc_error(400, -32600), id, "{body}");
    }
}

#[tokio::test]
async fn an_unknown_method_is_not_found_in_every_era() {
    let server = start().await;
    let legacy = r#"{"jsonrpc":"2.0","id":3,"method":"no/such"}"#;
    assert_eq!(server.send(Call::post(legacy)).await.rpc_error(200, -32601), 3);
    let modern = modern("no/such", "").with("mcp-method", "no/such");
    assert_eq!(server.send(modern).await.rpc_error(404, -32601), 3);
    let id = server.send(Call::initialize()).await.header("mcp-session-id").unwrap().to_owned();
    let events = server.send(Call::post(legacy).in_session(&id)).await.events();
    assert_eq!((&events[0]["id"], &events[0]["error"]["code"]), (&3.into(), &(-32601).into()));
}

#[tokio::test]
async fn params_that_do_not_fit_are_invalid_params_not_an_unknown_method() {
    let server = start().await;
    for params in ["{}", "[]", r#"{"name":5}"#, r#"{"name":"echo","arguments":"x"}"#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{params}}}"#);
        assert_eq!(server.send(Call::post(body)).await.rpc_error(200, -32602), 4, "{params}");
    }
    let unknown_tool = server.send(Call::tool("no_such_tool", "{}")).await;
    assert_eq!(unknown_tool.rpc_error(200, -32602), 1);
}

#[tokio::test]
async fn refusals_of_the_sdk_come_as_json_too() {
    let server = start().await;
    let list = || Call::post(r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#);
    assert_eq!(server.send(list().with("accept", "text/html")).await.rpc_error(406, -32600), 5);
    assert_eq!(
        server.send(list().with("mcp-protocol-version", "1999-01-01")).await.rpc_error(400, -32600),
        5
    );
    assert_eq!(server.send(list().in_session("gone")).await.rpc_error(404, -32600), 5);
    let form = list().with("content-type", "application/x-www-form-urlencoded");
    server.send(form).await.rpc_error(415, -32600);
    let reply = server.send(Call::new("GET", "/mcp").with("accept", "text/event-stream")).await;
    reply.rpc_error(405, -32600);
    assert!(reply.header("allow").is_some());
    let reply = server.send(Call::new("PUT", "/mcp")).await;
    assert_eq!((reply.status, reply.json()["error"].as_str()), (405, Some("method_not_allowed")));
}

#[tokio::test]
async fn the_newest_protocol_gets_plain_json_without_a_session() {
    let server = start().await;
    let call = modern("tools/call", r#""name":"echo","arguments":{"text":"new"},"#);
    let reply = server.send(call.with("mcp-method", "tools/call").with("mcp-name", "echo")).await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None));
    assert_eq!(reply.json()["result"]["content"][0]["text"], "new");
}

/// A request of protocol 2026-07-28: everything about the client travels with it.
fn modern(method: &str, params: &str) -> Call {
    let key = "io.modelcontextprotocol";
    let meta = format!(
        r#"{{"{key}/protocolVersion":"2026-07-28","{key}/clientInfo":{{"name":"t","version":"1"}},"{key}/clientCapabilities":{{}}}}"#
    );
    Call::post(format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"{method}","params":{{{params}"_meta":{meta}}}}}"#
    ))
    .with("accept", "application/json, text/event-stream")
    .with("mcp-protocol-version", "2026-07-28")
}

#[tokio::test]
async fn a_key_that_stands_twice_is_refused_over_http() {
    let server = start().await;
    let twice = Call::tool("echo", r#"{"text":"shown","text":"meant"}"#);
    let reply = server.send(twice).await;
    assert_eq!(reply.rpc_error(200, -32602), Value::from(1));
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("\"text\""));
    server.still_serves().await;
}
