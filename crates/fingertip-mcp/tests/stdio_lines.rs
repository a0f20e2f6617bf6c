//! One JSON message a line: every line that wants an answer gets one, whatever is in it.

mod support;

use std::time::Duration;

use fingertip_mcp::transport::{MAX_MESSAGE_BYTES, TransportError, serve_lines};
use serde_json::Value;
use support::Tiny;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const ECHO: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;
const WAIT: &str =
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{}}}"#;
const NAP: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nap","arguments":{}}}"#;

/// The client's side of a conversation.
struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    served: JoinHandle<Result<(), TransportError>>,
    handler: Tiny,
    shutdown: CancellationToken,
}

impl Client {
    fn connect() -> Self {
        let (input, server_input) = tokio::io::duplex(1 << 16);
        let (output, server_output) = tokio::io::duplex(1 << 16);
        let (handler, shutdown) = (Tiny::default(), CancellationToken::new());
        let served =
            tokio::spawn(serve_lines(handler.clone(), server_input, server_output, shutdown.clone()));
        Self { input, output: BufReader::new(output).lines(), served, handler, shutdown }
    }

    async fn open() -> Self {
        let mut client = Self::connect();
        client.say(INITIALIZE).await;
        assert_eq!(client.hear().await["id"], "init");
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        client
    }

    async fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
    }

    async fn hear(&mut self) -> Value {
        let line =
            timeout(Duration::from_secs(20), self.output.next_line()).await.expect("an answer in time");
        serde_json::from_str(&line.expect("readable").expect("an answer before the end")).expect("JSON")
    }

    /// Ends the input and collects what is still said.
    async fn end(self) -> Vec<Value> {
        let Self { input, mut output, served, .. } = self;
        drop(input);
        let mut rest = Vec::new();
        while let Some(line) = output.next_line().await.expect("readable") {
            rest.push(serde_json::from_str(&line).expect("JSON"));
        }
        served.await.expect("no panic").expect("a clean end");
        rest
    }
}

fn error_of(answer: &Value) -> (i64, &Value) {
    (answer["error"]["code"].as_i64().unwrap_or_default(), &answer["id"])
}

#[tokio::test]
async fn every_malformed_line_gets_its_error_and_the_next_one_is_served() {
    let mut client = Client::open().await;
    for (line, code, id) in [
        ("hello", -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":9,"method":"tools/li"#, -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":9,"method":"x","params":{"a":"\ud800"}}"#, -32700, 9.into()),
        (r#"[{"jsonrpc":"2.0","id":9,"method":"ping"}]"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":9}"#, -32600, 9.into()),
        (r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#, -32600, "x".into()),
        (r#"{"jsonrpc":"2.0","id":9,"method":"no/such"}"#, -32601, 9.into()),
        (r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}"#, -32602, 9.into()),
        ("5", -32600, Value::Null),
    ] {
        client.say(line).await;
        assert_eq!(error_of(&client.hear().await), (code, &id), "{line}");
    }
    client.say(ECHO).await;
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "hi");
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test]
async fn blank_lines_and_carriage_returns_are_ignored() {
    let mut client = Client::open().await;
    client.say(&format!("\n  \n\r\n{ECHO}\r")).await;
    assert_eq!(client.hear().await["id"], 1);
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_and_skipped() {
    let mut client = Client::open().await;
    client.say(&"x".repeat(MAX_MESSAGE_BYTES + 1)).await;
    assert_eq!(error_of(&client.hear().await), (-32600, &Value::Null));
    client.say(ECHO).await;
    assert_eq!(client.hear().await["id"], 1);
}

#[tokio::test]
async fn a_last_line_without_a_line_end_is_answered() {
    let mut client = Client::open().await;
    client.input.write_all(ECHO.as_bytes()).await.unwrap();
    let rest = client.end().await;
    assert_eq!(rest[0]["result"]["content"][0]["text"], "hi");
}

#[tokio::test]
async fn input_that_ends_before_anything_is_said_is_a_clean_end() {
    assert_eq!(Client::connect().end().await, [] as [Value; 0]);
    let mut client = Client::connect();
    client.say("rubbish").await;
    let rest = client.end().await;
    assert_eq!(error_of(&rest[0]), (-32700, &Value::Null));
}

#[tokio::test]
async fn messages_before_the_opening_do_not_end_the_session() {
    let mut client = Client::connect();
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    client.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    client.say(r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#).await;
    assert_eq!(client.hear().await["id"], 4);
    client.say(r#"{"jsonrpc":"2.0","id":5,"method":"no/such"}"#).await;
    assert_eq!(error_of(&client.hear().await), (-32601, &5.into()));
    client.say(INITIALIZE).await;
    assert_eq!(client.hear().await["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn calls_that_run_when_the_input_ends_are_still_answered() {
    let mut client = Client::open().await;
    client.say(NAP).await;
    client.handler.until_started().await;
    let rest = client.end().await;
    assert_eq!(rest[0]["result"]["content"][0]["text"], "rested");
}

#[tokio::test(start_paused = true)]
async fn calls_that_never_end_are_cancelled_some_time_after_the_input_ended() {
    let mut client = Client::open().await;
    client.say(WAIT).await;
    client.handler.until_started().await;
    let handler = client.handler.clone();
    let started = tokio::time::Instant::now();
    client.end().await;
    handler.until_cancelled().await;
    assert!(started.elapsed() < Duration::from_secs(8), "took {:?}", started.elapsed());
}

#[tokio::test]
async fn shutdown_cancels_running_calls_and_ends() {
    let mut client = Client::open().await;
    client.say(WAIT).await;
    client.handler.until_started().await;
    client.shutdown.cancel();
    client.handler.until_cancelled().await;
    timeout(Duration::from_secs(2), client.served).await.expect("ends in time").unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_reads_late_still_gets_every_answer() {
    const CALLS: usize = 2000;
    let mut client = Client::open().await;
    let mut input = std::mem::replace(&mut client.input, tokio::io::duplex(1).0);
    let talking = tokio::spawn(async move {
        for id in 0..CALLS {
            let line = if id % 2 == 0 {
                "rubbish\n".to_owned()
            } else {
                ECHO.replace(":1,", &format!(":{id},")) + "\n"
            };
            input.write_all(line.as_bytes()).await.expect("the server reads");
        }
        input
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..CALLS {
        let answer = client.hear().await;
        if let Some(id) = answer["id"].as_u64() {
            ids.insert(id);
        }
    }
    assert_eq!(ids.len(), CALLS / 2);
    drop(talking.await.unwrap());
}

#[tokio::test]
async fn a_key_that_stands_twice_is_refused_on_a_line() {
    let mut client = Client::open().await;
    client.say(&ECHO.replace(r#"{"text":"hi"}"#, r#"{"text":"shown","te\u0078t":"meant"}"#)).await;
    let answer = client.hear().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&1.into(), &(-32602).into()), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("\"text\""), "{answer}");
    client.say(ECHO).await;
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "hi");
}
