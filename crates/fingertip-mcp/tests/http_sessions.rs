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
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
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

#[tokio::test]
async fn shutdown_is_quick_when_nothing_runs_whatever_is_open() {
    let server = start_with(|config| {
        config.limits.shutdown_grace = Duration::from_secs(30);
        config.limits.header_timeout = Duration::from_secs(30);
    })
    .await;
    let id = open(&server).await;
    let events = Call::new("GET", "/mcp").in_session(&id).send_only(server.address).await;
    let mut kept = tokio::net::TcpStream::connect(server.address).await.unwrap();
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    let silent = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let mut half = tokio::net::TcpStream::connect(server.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut half, b"POST /mcp HTTP/1.1\r\nho").await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let started = std::time::Instant::now();
    server.shutdown.cancel();
    server.running.finished().await;
    // Without the load of other tests it is a twentieth of this.
    assert!(started.elapsed() < Duration::from_secs(2), "took {:?}", started.elapsed());
    drop((events, kept, silent, half));
}

#[tokio::test]
async fn an_id_in_flight_is_refused_and_its_call_is_not_run() {
    let server = start().await;
    let id = open(&server).await;
    let mut first = Call::tool("nap", "{}").in_session(&id).send_only(server.address).await;
    server.handler.until_started().await;
    let again = server.send(Call::tool("nap", "{}").in_session(&id)).await;
    let error = &again.events()[0];
    assert_eq!((&error["id"], &error["error"]["code"]), (&1.into(), &(-32600).into()), "{error}");
    assert!(error["error"]["message"].as_str().unwrap().contains("id 1 "), "{error}");
    assert_eq!(server.handler.starts(), 1);
    // The text "1" is another id than the number.
    let text = server.send(Call::tool("echo", r#"{"text":"other"}"#).with_id(r#""1""#).in_session(&id)).await;
    assert_eq!(text.events()[0]["result"]["content"][0]["text"], "other");
    assert_eq!(client::receive(&mut first).await.events()[0]["result"]["content"][0]["text"], "rested");
    // Answered, the id may be used again.
    let later = server.send(Call::tool("echo", r#"{"text":"later"}"#).in_session(&id)).await;
    assert_eq!(later.events()[0]["result"]["content"][0]["text"], "later");
}

#[tokio::test]
async fn calls_of_sessions_are_cancelled_when_the_grace_of_a_shutdown_is_over() {
    let server = start().await;
    let id = open(&server).await;
    let call = Call::tool("wait", "{}").in_session(&id).send_only(server.address).await;
    server.handler.until_started().await;
    server.shutdown.cancel();
    server.running.finished().await;
    assert_eq!(server.handler.cancellations(), 1, "cancelled before the server has ended");
    drop(call);
}
