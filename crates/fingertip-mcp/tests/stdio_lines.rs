//! One JSON message a line: every line that wants an answer gets one, whatever is in it.

mod support;

use std::{sync::Arc, time::Duration};

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::handler::Handler;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::transport::{MAX_MESSAGE_BYTES, TransportError, serve_lines};
use rmcp::ServerHandler;
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
        let handler = Tiny::default();
        Self::connect_to(handler.clone(), handler)
    }

    fn connect_to(served: impl ServerHandler, handler: Tiny) -> Self {
        let (input, server_input) = tokio::io::duplex(1 << 16);
        let (output, server_output) = tokio::io::duplex(1 << 16);
        let shutdown = CancellationToken::new();
        let served = tokio::spawn(serve_lines(served, server_input, server_output, shutdown.clone()));
        Self { input, output: BufReader::new(output).lines(), served, handler, shutdown }
    }

    async fn open() -> Self {
        Self::connect().opened().await
    }

    async fn opened(self) -> Self {
        let mut client = self;
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

#[tokio::test]
async fn an_id_in_flight_is_refused_and_its_call_is_not_run() {
    let mut client = Client::open().await;
    client.say(NAP).await;
    client.handler.until_started().await;
    client.say(NAP).await;
    let refused = client.hear().await;
    assert_eq!(error_of(&refused), (-32600, &3.into()));
    assert!(refused["error"]["message"].as_str().unwrap().contains("id 3 "), "{refused}");
    client.say(&ECHO.replace("\"id\":1", "\"id\":\"3\"")).await;
    assert_eq!(client.hear().await["id"], "3");
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "rested");
    assert_eq!(client.handler.starts(), 1);
    client.say(&ECHO.replace("\"id\":1", "\"id\":3")).await;
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "hi");
}

/// Requests that wait at the handler, and one cancellation behind more of them than may run.
#[tokio::test]
async fn only_so_many_requests_run_and_a_cancellation_behind_them_is_seen() {
    let mut client = Client::open().await;
    for id in 0..100 {
        client.say(&WAIT.replace(":2,", &format!(":{id},"))).await;
    }
    client.handler.until_starts(64).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(client.handler.starts(), 64);
    let cancel = |id: u32| {
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
    };
    // One that waits for its turn never runs; one that runs makes room.
    client.say(&cancel(64)).await;
    client.say(&cancel(0)).await;
    client.handler.until_cancelled().await;
    client.handler.until_starts(65).await;
    assert_eq!((client.handler.starts(), client.handler.cancellations()), (65, 1));
    client.shutdown.cancel();
    client.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_never_reads_is_not_read_from_for_ever() {
    let mut client = Client::open().await;
    let text = "x".repeat(20_000);
    let line = ECHO.replace("\"hi\"", &format!("\"{text}\""));
    let mut said = 0;
    let talking = async {
        for id in 10..10_000 {
            client.say(&line.replace(":1,", &format!(":{id},"))).await;
            said += 1;
        }
    };
    assert!(timeout(Duration::from_secs(4), talking).await.is_err(), "all was read");
    // Those in flight, those held, the queue, and what the pipes hold.
    assert!(said < 400, "{said} calls were read");
}

#[tokio::test]
async fn floods_of_notifications_leave_no_tasks_behind() {
    let mut client = Client::open().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    client.say(ECHO).await;
    client.hear().await;
    let before = tasks();
    for number in 0..5_000 {
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/nobody/knows"}"#.to_owned(),
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#
            ),
        ] {
            client.say(&line).await;
            assert!(tasks() < before + 64, "{} tasks", tasks());
        }
    }
    client.say(&ECHO.replace(":1,", ":7,")).await;
    assert_eq!(client.hear().await["id"], 7);
}

#[tokio::test]
async fn a_client_that_is_ready_again_and_again_is_notified_of_changes_once() {
    let phone = Arc::new(ScriptedTarget::new("phone", sample::phone()));
    let handler = Handler::new(support::v1::dispatcher(&[phone], Policy::default()));
    let mut client = Client::connect_to(handler, Tiny::default()).opened().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let ping = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;
    client.say(ping).await;
    client.hear().await;
    let before = tasks();
    for _ in 0..5_000 {
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }
    client.say(ping).await;
    client.hear().await;
    assert!(tasks() < before + 64, "{} tasks, {before} before", tasks());
}

#[tokio::test]
async fn output_that_breaks_cancels_what_runs_and_ends() {
    let mut client = Client::open().await;
    client.say(WAIT).await;
    client.handler.until_started().await;
    let Client { mut input, output, served, handler, .. } = client;
    drop(output);
    // The answer to this cannot be written.
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}\n").await.unwrap();
    timeout(Duration::from_secs(5), served).await.expect("ends though the input is open").unwrap().unwrap();
    assert_eq!(handler.cancellations(), 1);
}
