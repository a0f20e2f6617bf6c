//! Several calls at once: reads side by side, actions in turn, targets apart; panics, hangs and clients that
//! go away cost only themselves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::policy::Caller;
use futures_util::future::join_all;
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use super::bench::{self, call, dispatcher};

const DELAY: Duration = Duration::from_millis(150);

#[tokio::test]
async fn reads_run_side_by_side() {
    let bench = bench::phone();
    bench.target.delay(DELAY);
    let started = Instant::now();
    join_all((0..8).map(|_| bench.text("get_screen_state", json!({})))).await;
    assert!(started.elapsed() < DELAY * 4, "{:?}", started.elapsed());
}

#[tokio::test]
async fn actions_run_one_after_another() {
    let bench = bench::phone();
    bench.target.delay(DELAY);
    let started = Instant::now();
    join_all((0..4).map(|_| bench.text("press_back", json!({})))).await;
    assert!(started.elapsed() >= DELAY * 4, "{:?}", started.elapsed());
}

#[tokio::test]
async fn one_device_does_not_wait_for_another() {
    let slow = Arc::new(ScriptedTarget::new("slow", sample::phone()));
    let quick = Arc::new(ScriptedTarget::new("quick", sample::phone()));
    slow.hang();
    let dispatcher = dispatcher(&[slow, quick]);
    let waiting = Arc::clone(&dispatcher);
    let stuck = tokio::spawn(async move { call(&waiting, "press_back", json!({"device": "slow"})).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let started = Instant::now();
    call(&dispatcher, "press_back", json!({"device": "quick"})).await;
    assert!(started.elapsed() < Duration::from_secs(1));
    stuck.abort();
}

#[tokio::test]
async fn a_hanging_device_ends_the_call_at_its_deadline() {
    let bench = bench::phone();
    bench.target.hang();
    // Paused only now: deadlines are moments of the real clock, which goes on while a bench is built.
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    let (kind, _) = bench.failure("get_screen_state", json!({})).await;
    assert_eq!(kind, "timeout");
    assert!(started.elapsed() <= fingertip_mcp::dispatch::TIME_LIMIT + Duration::from_millis(100));
}

#[tokio::test]
async fn a_panic_is_answered_and_the_next_call_works() {
    let bench = bench::phone();
    bench.target.panic_next();
    let outcome = bench.dispatcher.call("get_screen_state", &Map::new(), CancellationToken::new()).await;
    assert_eq!(outcome.expect_err("a defect").code.0, -32603);
    bench.text("get_screen_state", json!({})).await;
}

#[tokio::test]
async fn a_panic_during_an_action_does_not_keep_the_turn() {
    let bench = bench::phone();
    bench.target.panic_next();
    let outcome = bench.dispatcher.call("press_back", &Map::new(), CancellationToken::new()).await;
    assert!(outcome.is_err());
    bench.text("press_back", json!({})).await;
}

#[tokio::test]
async fn a_client_that_goes_away_frees_the_turn() {
    let bench = bench::phone();
    bench.target.hang();
    let gone = CancellationToken::new();
    let (dispatcher, token) = (Arc::clone(&bench.dispatcher), gone.clone());
    let stuck = tokio::spawn(async move { dispatcher.call("press_back", &Map::new(), token).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    gone.cancel();
    assert!(stuck.await.unwrap().is_err());
    bench.target.recover();
    let started = Instant::now();
    bench.text("press_home", json!({})).await;
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn one_clients_many_actions_hold_up_anothers_by_one_at_most() {
    let bench = bench::phone();
    bench.target.delay(DELAY);
    let by = |client: &'static str, tool: &'static str| {
        let dispatcher = Arc::clone(&bench.dispatcher);
        let caller = Caller { client: Some(client.to_owned()), ..Caller::over("http") };
        tokio::spawn(async move { dispatcher.call(tool, &Map::new(), caller).await.map(|_| Instant::now()) })
    };
    let busy: Vec<_> = (0..8).map(|_| by("busy", "press_back")).collect();
    tokio::time::sleep(DELAY / 3).await;
    let other = by("other", "press_home").await.unwrap().unwrap();
    let before =
        join_all(busy).await.into_iter().filter(|ended| *ended.as_ref().unwrap().as_ref().unwrap() < other);
    assert!(before.count() <= 2, "the one that ran, and one more");
}
