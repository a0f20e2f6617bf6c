//! An HTTP/1.1 client that does exactly what a test asks, also what no decent client would do.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// No test may wait longer for anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request in the making.
#[derive(Clone)]
pub(crate) struct Call {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A response as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Call {
    pub(crate) fn new(method: &'static str, path: &str) -> Self {
        let call = Self { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new() };
        call.with("host", "localhost").with("authorization", &format!("Bearer {}", super::TOKEN))
    }

    /// A JSON body posted to `/mcp`, as `curl -H 'Content-Type: application/json' -d …` would.
    pub(crate) fn post(body: impl Into<Vec<u8>>) -> Self {
        let mut call =
            Self::new("POST", "/mcp").with("content-type", "application/json").with("accept", "*/*");
        call.body = body.into();
        call
    }

    /// The same request to another path.
    pub(crate) fn to(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    pub(crate) fn tool(name: &str, arguments: &str) -> Self {
        let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
        Self::post(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#))
    }

    /// The same request under another id, given as JSON.
    pub(crate) fn with_id(mut self, id: &str) -> Self {
        let body = String::from_utf8(self.body).expect("UTF-8");
        self.body = body.replacen(r#""id":1,"#, &format!(r#""id":{id},"#), 1).into();
        self
    }

    pub(crate) fn initialize() -> Self {
        let params =
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
        Self::post(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#))
            .with("accept", "application/json, text/event-stream")
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let mut call = self.without(name);
        call.headers.push((name.to_owned(), value.to_owned()));
        call
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn in_session(self, id: &str) -> Self {
        self.with("accept", "application/json, text/event-stream").with("mcp-session-id", id)
    }

    pub(crate) fn head(&self) -> String {
        let headers: String =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!(
            "{} {} HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n",
            self.method,
            self.path,
            self.body.len()
        )
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    pub(crate) async fn send(&self, address: SocketAddr) -> Reply {
        let mut stream = TcpStream::connect(address).await.expect("the server accepts");
        self.send_on(&mut stream).await
    }

    pub(crate) async fn send_on(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Reply {
        stream.write_all(self.head().as_bytes()).await.expect("the head is sent");
        stream.write_all(&self.body).await.expect("the body is sent");
        receive(stream).await
    }

    /// Sends the request and leaves the answer to be read later, or never.
    pub(crate) async fn send_only(&self, address: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.expect("the server accepts");
        stream.write_all(self.head().as_bytes()).await.expect("the head is sent");
        stream.write_all(&self.body).await.expect("the body is sent");
        stream
    }
}

/// Reads one whole response.
pub(crate) async fn receive(stream: &mut (impl AsyncRead + Unpin)) -> Reply {
    timeout(PATIENCE, read_reply(stream)).await.expect("an answer in time")
}

/// Waits for the server to close the connection.
pub(crate) async fn until_closed(stream: &mut (impl AsyncRead + Unpin)) -> Vec<u8> {
    let mut rest = Vec::new();
    // A reset is a way of closing too.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("the connection ends in time");
    rest
}

async fn read_reply(stream: &mut (impl AsyncRead + Unpin)) -> Reply {
    let mut received = Vec::new();
    let head_end = loop {
        if let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        read_more(stream, &mut received).await;
    };
    let head = String::from_utf8(received[..head_end].to_vec()).expect("an ASCII head");
    let mut rest = received.split_off(head_end + 4);
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut reply = Reply { status: status.expect("a status"), headers, body: Vec::new() };
    if reply.header("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = read_chunk(stream, &mut rest).await {
            reply.body.extend(chunk);
        }
    } else {
        let length = reply.header("content-length").map_or(0, |length| length.parse().expect("a length"));
        while rest.len() < length {
            read_more(stream, &mut rest).await;
        }
        reply.body = rest;
    }
    reply
}

async fn read_chunk(stream: &mut (impl AsyncRead + Unpin), rest: &mut Vec<u8>) -> Option<Vec<u8>> {
    let line_end = loop {
        if let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
            break end;
        }
        read_more(stream, rest).await;
    };
    let size =
        usize::from_str_radix(std::str::from_utf8(&rest[..line_end]).expect("a size"), 16).expect("a size");
    while rest.len() < line_end + 2 + size + 2 {
        read_more(stream, rest).await;
    }
    let chunk = rest[line_end + 2..line_end + 2 + size].to_vec();
    rest.drain(..line_end + 2 + size + 2);
    (size > 0).then_some(chunk)
}

async fn read_more(stream: &mut (impl AsyncRead + Unpin), received: &mut Vec<u8>) {
    let count = stream.read_buf(received).await.expect("the connection holds");
    assert_ne!(count, 0, "the connection ended early after {:?}", String::from_utf8_lossy(received));
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON, which it must say it is.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        let text = String::from_utf8(self.body.clone()).expect("UTF-8");
        let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        data.filter(|data| !data.is_empty()).map(|data| serde_json::from_str(data).expect("JSON")).collect()
    }

    /// Checks for a JSON-RPC error and gives its id.
    pub(crate) fn rpc_error(&self, status: u16, code: i64) -> Value {
        let body = self.json();
        assert_eq!((self.status, &body["error"]["code"]), (status, &code.into()), "{body}");
        assert_eq!(body["jsonrpc"], "2.0");
        assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
        body["id"].clone()
    }
}
