//! Clients that open a session, on the same address as those that do not.

mod support;

use std::time::Duration;

use support::{Call, Server, client, start, start_with};

async fn open(server: &Server) -> String {
    let reply = server.send(Call::initialize()).await;
    assert_eq!(reply.events()[0]["result"]["protocolVersion"], "2025-11-25");
    let id = reply.header("mcp-session-id").expect("a session id").to_owned();
    let ready = Call::post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).in_session(&id);
    assert_eq!(server.send(ready).await.status, 202);
    id
}

#[tokio::test]
async fn a_session_answers_calls_until_it_is_deleted() {
    let server = start().await;
    let id = open(&server).await;
    let call = || Call::tool("echo", r#"{"text":"in session"}"#).in_session(&id);
    assert_eq!(server.send(call()).await.events()[0]["result"]["content"][0]["text"], "in session");
    let deleted = server.send(Call::new("DELETE", "/mcp").with("mcp-session-id", &id)).await;
    assert_eq!(deleted.status, 202);
    server.send(call()).await.rpc_error(404, -32600);
}

#[tokio::test]
async fn a_client_that_reads_only_json_initializes_without_a_session() {
    let server = start().await;
    for accept in ["application/json", "*/*"] {
        let reply = server.send(Call::initialize().with("accept", accept)).await;
        assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None));
        assert_eq!(reply.json()["result"]["protocolVersion"], "2025-11-25");
    }
    let ready = Call::post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(server.send(ready).await.status, 202);
}

#[tokio::test]
async fn the_session_used_longest_ago_makes_room_for_a_new_one() {
    let server = start_with(|config| config.limits.sessions = 2).await;
    let ids = [open(&server).await, open(&server).await, open(&server).await];
    let status = |id: &str| server.send(Call::tool("echo", "{}").in_session(id));
    assert_eq!(status(&ids[0]).await.status, 404);
    assert_eq!((status(&ids[1]).await.status, status(&ids[2]).await.status), (200, 200));
}

#[tokio::test]
async fn an_abandoned_session_is_closed_after_a_while() {
    let server = start_with(|config| config.limits.session_idle = Duration::from_millis(200)).await;
    let id = open(&server).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.send(Call::tool("echo", "{}").in_session(&id)).await.rpc_error(404, -32600);
}

#[tokio::test]
async fn shutdown_ends_streams_and_lets_running_calls_finish() {
    let server = start_with(|config| config.limits.shutdown_grace = Duration::from_secs(2)).await;
    let id = open(&server).await;
    let mut events = Call::new("GET", "/mcp").in_session(&id).send_only(server.address).await;
    let mut nap = Call::tool("nap", "{}").send_only(server.address).await;
    server.handler.until_started().await;
    let started = std::time::Instant::now();
    server.shutdown.cancel();
    assert_eq!(client::receive(&mut nap).await.json()["result"]["content"][0]["text"], "rested");
    let stream = client::until_closed(&mut events).await;
    assert!(stream.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&stream));
    server.running.finished().await;
    assert!(started.elapsed() < Duration::from_millis(1500), "took {:?}", started.elapsed());
}

#[tokio::test]
async fn shutdown_does_not_wait_for_calls_that_never_end() {
    let server = start().await;
    let mut call = Call::tool("wait", "{}").send_only(server.address).await;
    server.handler.until_started().await;
    server.shutdown.cancel();
    server.running.finished().await;
    server.handler.until_cancelled().await;
    client::until_closed(&mut call).await;
}
