//! A conversation with an agent that the test plays.

use tokio::io::{AsyncReadExt, DuplexStream};

use super::*;

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

fn pair() -> (Link, DuplexStream) {
    let (near, far) = tokio::io::duplex(1 << 16);
    (Link::new(near, |_| {}), far)
}

async fn taken(agent: &mut DuplexStream) -> (u32, Value) {
    let length = agent.read_u32().await.expect("a length") as usize;
    assert_eq!(agent.read_u8().await.expect("a kind"), 1);
    let number = agent.read_u32().await.expect("a number");
    let mut payload = vec![0; length - 5];
    agent.read_exact(&mut payload).await.expect("a payload");
    (number, serde_json::from_slice(&payload).expect("an object"))
}

async fn answer(agent: &mut DuplexStream, kind: u8, number: u32, payload: &[u8]) {
    agent.write_u32(payload.len() as u32 + 5).await.expect("to write");
    agent.write_u8(kind).await.expect("to write");
    agent.write_u32(number).await.expect("to write");
    agent.write_all(payload).await.expect("to write");
}

#[tokio::test]
async fn answers_find_their_requests_in_any_order() {
    let (link, mut agent) = pair();
    let ask = |op: &'static str| {
        let link = link.clone();
        tokio::spawn(async move { link.ask::<Value>(json!({ "op": op }), soon()).await })
    };
    let (one, two) = (ask("one"), ask("two"));
    let (first, second) = (taken(&mut agent).await, taken(&mut agent).await);
    assert!(first.1["timeout_ms"].as_u64().unwrap() > 10_000);
    for (number, request) in [second, first] {
        answer(&mut agent, 2, number, format!("{{\"was\":{}}}", request["op"]).as_bytes()).await;
    }
    assert_eq!(one.await.unwrap().unwrap()["was"], "one");
    assert_eq!(two.await.unwrap().unwrap()["was"], "two");
}

#[tokio::test]
async fn a_request_without_a_waiter_is_cancelled() {
    let (link, mut agent) = pair();
    let asking = tokio::spawn({
        let link = link.clone();
        async move { link.ask::<Value>(json!({ "op": "gesture" }), soon()).await }
    });
    let (number, _) = taken(&mut agent).await;
    asking.abort();
    let (_, cancel) = taken(&mut agent).await;
    assert_eq!((cancel["op"].as_str(), cancel["request"].as_u64()), (Some("cancel"), Some(number.into())));
    answer(&mut agent, 2, number, b"{}").await;
    assert_eq!(link.ending(), None);
}

#[tokio::test]
async fn the_end_of_the_stream_ends_every_request() {
    let (link, mut agent) = pair();
    let asking = tokio::spawn({
        let link = link.clone();
        async move { link.ask::<Value>(json!({ "op": "snapshot" }), soon()).await }
    });
    taken(&mut agent).await;
    drop(agent);
    assert!(matches!(asking.await.unwrap(), Err(AgentError::Ended(Ending::Closed))));
    assert!(matches!(link.ask::<Value>(json!({}), soon()).await, Err(AgentError::Ended(Ending::Closed))));
}

#[tokio::test(start_paused = true)]
async fn a_silent_agent_is_given_up_for_all_at_once() {
    let (link, _agent) = pair();
    let start = tokio::time::Instant::now();
    let ask = || link.ask::<Value>(json!({ "op": "snapshot" }), soon());
    let (one, other) = tokio::join!(ask(), ask());
    for asked in [one, other, ask().await] {
        assert!(matches!(asked, Err(AgentError::Ended(Ending::Silent))), "{asked:?}");
    }
    assert!(start.elapsed() <= SILENCE * 3, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_refusal_is_returned_with_its_kind() {
    let (link, mut agent) = pair();
    let asking = tokio::spawn(async move { link.ask::<Value>(json!({ "op": "act" }), soon()).await });
    let (number, _) = taken(&mut agent).await;
    answer(&mut agent, 3, number, br#"{"kind":"changed","message":"now another"}"#).await;
    assert!(matches!(asking.await.unwrap(), Err(error) if error.is("changed")));
}

fn of(client: u64, acts: bool) -> Deadline {
    soon().on_behalf(fingertip_core::fair::Claim { client, acts })
}

fn asks(
    link: &Link,
    op: &'static str,
    deadline: Deadline,
) -> tokio::task::JoinHandle<Result<Value, AgentError>> {
    let link = link.clone();
    tokio::spawn(async move { link.ask(json!({ "op": op }), deadline).await })
}

/// The operation the agent is given next, which it answers.
async fn serve_next(agent: &mut DuplexStream) -> String {
    let (number, request) = taken(agent).await;
    answer(agent, 2, number, b"{}").await;
    request["op"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_agent_has_few_requests_at_once_and_an_action_overtakes_looks() {
    let (link, mut agent) = pair();
    let looks: Vec<_> = (0..100).map(|_| asks(&link, "snapshot", of(1, false))).collect();
    let (first, _) = taken(&mut agent).await;
    // Nothing more comes until that one is answered.
    let more = tokio::time::timeout(Duration::from_millis(100), agent.read_u8()).await;
    assert!(more.is_err(), "{more:?}");
    let other = asks(&link, "screen", of(2, true));
    tokio::task::yield_now().await;
    answer(&mut agent, 2, first, b"{}").await;
    assert_eq!(serve_next(&mut agent).await, "screen");
    assert!(other.await.unwrap().is_ok());
    for _ in 1..looks.len() {
        assert_eq!(serve_next(&mut agent).await, "snapshot");
    }
    for look in looks {
        assert!(look.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn a_cancelled_request_keeps_its_place_until_the_agent_has_let_go_of_it() {
    let (link, mut agent) = pair();
    let first = asks(&link, "gesture", of(1, true));
    let (number, _) = taken(&mut agent).await;
    let second = asks(&link, "key", of(2, true));
    first.abort();
    let (_, cancel) = taken(&mut agent).await;
    assert_eq!(cancel["request"], number);
    assert_eq!(link.0.lanes.acting.taken(), 1);
    answer(&mut agent, 3, number, br#"{"kind":"cancelled","message":"x"}"#).await;
    assert_eq!(serve_next(&mut agent).await, "key");
    assert!(second.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_times_out_in_the_queue_says_so_and_leaves_it() {
    let (link, mut agent) = pair();
    let first = asks(&link, "snapshot", of(1, false));
    let (number, _) = taken(&mut agent).await;
    let late = Deadline::after(Duration::from_millis(300));
    let waited = link.ask::<Value>(json!({ "op": "snapshot" }), late).await;
    let error = waited.unwrap_err().into_error("reading the screen");
    assert_eq!(error.reason(), fingertip_core::Reason::Timeout);
    assert!(error.message().contains("earlier requests to this phone"), "{error}");
    assert_eq!(link.0.lanes.looking.waiting(), 0);
    answer(&mut agent, 2, number, b"{}").await;
    assert!(first.await.unwrap().is_ok());
}
