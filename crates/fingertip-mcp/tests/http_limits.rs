//! Large, slow and half requests: each gets its answer, and the others are served meanwhile.

mod support;

use std::time::{Duration, Instant};

use support::{Call, client, start, start_with};
use tokio::{io::AsyncWriteExt, net::TcpStream};

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_the_connection_stays_usable() {
    let server = start_with(|config| config.limits.body_timeout = Duration::from_secs(2)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    for size in [20_000_000, 4 * 1024 * 1024 + 1] {
        let reply = Call::post(vec![b' '; size]).send_on(&mut stream).await;
        assert!(reply.rpc_error(413, -32600).is_null());
    }
    assert_eq!(Call::tool("echo", "{}").send_on(&mut stream).await.status, 200);
    server.still_serves().await;
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_read() {
    let server = start_with(|config| config.limits.body_timeout = Duration::from_secs(2)).await;
    let wrapping =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":""}}}"#;
    let text =
        wrapping.replace(r#""x":"""#, &format!(r#""x":"{}""#, "y".repeat(4 * 1024 * 1024 - wrapping.len())));
    assert_eq!(text.len(), 4 * 1024 * 1024);
    assert_eq!(server.send(Call::post(text)).await.status, 200);
}

#[tokio::test]
async fn a_chunked_body_over_the_limit_is_refused_while_it_comes() {
    let server = start_with(|config| {
        config.limits.body_bytes = 1000;
        config.limits.body_timeout = Duration::from_secs(2);
    })
    .await;
    let head = Call::post("").head().replace("content-length: 0", "transfer-encoding: chunked");
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..3 {
        stream.write_all(format!("1f4\r\n{}\r\n", " ".repeat(500)).as_bytes()).await.unwrap();
    }
    client::receive(&mut stream).await.rpc_error(413, -32600);
}

#[tokio::test]
async fn a_slow_body_times_out_and_ends_the_connection() {
    let server = start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let call = Call::tool("echo", "{}");
    stream.write_all(call.head().as_bytes()).await.unwrap();
    stream.write_all(b"{\"jsonrpc\"").await.unwrap();
    server.still_serves().await;
    let reply = client::receive(&mut stream).await;
    reply.rpc_error(408, -32600);
    assert_eq!(reply.header("connection"), Some("close"));
    assert!(client::until_closed(&mut stream).await.is_empty());
}

#[tokio::test]
async fn slow_headers_time_out_and_silent_connections_are_closed() {
    let server = start().await;
    let started = Instant::now();
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nhost: local").await.unwrap();
    server.still_serves().await;
    let reply = client::receive(&mut slow).await;
    assert_eq!((reply.status, reply.json()["error"].as_str()), (408, Some("request_timeout")));
    assert!(client::until_closed(&mut slow).await.is_empty());
    assert!(client::until_closed(&mut silent).await.is_empty());
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_body_that_breaks_off_harms_nobody() {
    let server = start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(Call::tool("echo", "{}").head().as_bytes()).await.unwrap();
    stream.write_all(b"{").await.unwrap();
    drop(stream);
    server.still_serves().await;
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_their_turn() {
    let server = start_with(|config| config.limits.connections = 2).await;
    let idle = [
        TcpStream::connect(server.address).await.unwrap(),
        TcpStream::connect(server.address).await.unwrap(),
    ];
    // The idle ones are closed after the header timeout, and make room.
    server.still_serves().await;
    drop(idle);
}
