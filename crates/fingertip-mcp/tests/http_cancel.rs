//! A call without a waiting client is cancelled.

mod support;

use support::{Call, start};

#[tokio::test]
async fn a_client_without_a_session_cancels_by_going_away() {
    let server = start().await;
    let connection = Call::tool("wait", "{}").send_only(server.address).await;
    server.handler.until_started().await;
    drop(connection);
    server.handler.until_cancelled().await;
    server.still_serves().await;
}

#[tokio::test]
async fn a_client_with_a_session_cancels_by_notification() {
    let server = start().await;
    let id = server.send(Call::initialize()).await.header("mcp-session-id").unwrap().to_owned();
    let connection = Call::tool("wait", "{}").in_session(&id).send_only(server.address).await;
    server.handler.until_started().await;
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(server.send(Call::post(notification).in_session(&id)).await.status, 202);
    server.handler.until_cancelled().await;
    drop(connection);
}

#[tokio::test]
async fn a_client_with_a_session_cancels_by_going_away_too() {
    let server = start().await;
    let id = server.send(Call::initialize()).await.header("mcp-session-id").unwrap().to_owned();
    let connection = Call::tool("wait", "{}").in_session(&id).send_only(server.address).await;
    server.handler.until_started().await;
    drop(connection);
    server.handler.until_cancelled().await;
    let reply = server.send(Call::tool("echo", r#"{"text":"on"}"#).with_id("2").in_session(&id)).await;
    assert_eq!(reply.events()[0]["result"]["content"][0]["text"], "on", "the session lives on");
}

#[tokio::test]
async fn ending_a_session_ends_its_calls() {
    let server = start().await;
    let id = server.send(Call::initialize()).await.header("mcp-session-id").unwrap().to_owned();
    let connection = Call::tool("wait", "{}").in_session(&id).send_only(server.address).await;
    server.handler.until_started().await;
    assert_eq!(server.send(Call::new("DELETE", "/mcp").with("mcp-session-id", &id)).await.status, 204);
    server.handler.until_cancelled().await;
    drop(connection);
}
