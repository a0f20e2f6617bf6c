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
async fn a_request_that_nobody_waits_for_is_cancelled() {
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
    assert!(matches!(asking.await.unwrap(), Err(Fault::Ended(Ending::Closed))));
    assert!(matches!(link.ask::<Value>(json!({}), soon()).await, Err(Fault::Ended(Ending::Closed))));
}

#[tokio::test(start_paused = true)]
async fn a_silent_agent_is_given_up_for_all_at_once() {
    let (link, _agent) = pair();
    let start = tokio::time::Instant::now();
    let ask = || link.ask::<Value>(json!({ "op": "snapshot" }), soon());
    let (one, other) = tokio::join!(ask(), ask());
    for asked in [one, other, ask().await] {
        assert!(matches!(asked, Err(Fault::Ended(Ending::Silent))), "{asked:?}");
    }
    assert!(start.elapsed() <= SILENCE * 3, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_refusal_is_told_with_its_kind() {
    let (link, mut agent) = pair();
    let asking = tokio::spawn(async move { link.ask::<Value>(json!({ "op": "act" }), soon()).await });
    let (number, _) = taken(&mut agent).await;
    answer(&mut agent, 3, number, br#"{"kind":"changed","message":"now another"}"#).await;
    assert!(matches!(asking.await.unwrap(), Err(fault) if fault.is("changed")));
}
