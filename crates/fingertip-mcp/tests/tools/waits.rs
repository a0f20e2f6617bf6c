//! Waiting: woken by events, polling where there are none, and running out of time is an answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::target::Capabilities;
use fingertip_core::test_support::{ScriptedTarget, sample};
use serde_json::json;

use super::bench;

#[tokio::test]
async fn an_element_that_is_there_is_found_at_once() {
    let found = bench::phone()
        .json("wait_for_element", json!({"by": "text", "value": "grace", "timeout": 5000}))
        .await;
    assert_eq!(found["found"], true);
    assert_eq!(found["attempts"], 1);
    assert_eq!(found["element"]["text"], "Grace Hopper");
    assert!(found["elapsedMs"].as_u64().unwrap() < 1000);
}

#[tokio::test]
async fn a_change_wakes_the_wait() {
    let bench = bench::phone();
    let target = Arc::clone(&bench.target);
    let changed = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(150)).await;
        target.update(|state| state.edit("Save", |node| node.text = Some("Saved".into())));
        Instant::now()
    });
    let found =
        bench.json("wait_for_element", json!({"by": "text", "value": "Saved", "timeout": 5000})).await;
    let late = changed.await.unwrap().elapsed();
    assert_eq!(found["found"], true);
    assert_eq!(found["attempts"], 2, "no look without a change");
    assert!(late < Duration::from_millis(500), "woken {late:?} after the change");
}

#[tokio::test]
async fn a_wait_that_runs_out_is_no_error() {
    let started = Instant::now();
    let missing = bench::phone()
        .json("wait_for_element", json!({"by": "text", "value": "nowhere", "timeout": 300}))
        .await;
    assert_eq!(missing["found"], false);
    assert!(missing.get("element").is_none());
    assert!((250..2000).contains(&missing["elapsedMs"].as_u64().unwrap()));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn without_events_the_screen_is_polled() {
    let silent = Capabilities::all() - Capabilities::EVENTS;
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_capabilities(silent));
    let target = Arc::clone(&bench.target);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        target.update(|state| state.edit("Save", |node| node.text = Some("Saved".into())));
    });
    let found =
        bench.json("wait_for_element", json!({"by": "text", "value": "Saved", "timeout": 5000})).await;
    assert_eq!((found["found"].clone(), found["attempts"].clone()), (json!(true), json!(2)));
}

#[tokio::test]
async fn a_frozen_device_does_not_hold_a_wait() {
    let bench = bench::phone();
    bench.target.hang();
    let started = Instant::now();
    let result = bench.json("wait_for_element", json!({"by": "text", "value": "Save", "timeout": 200})).await;
    assert_eq!((result["found"].clone(), result["attempts"].clone()), (json!(false), json!(0)));
    assert!(result["note"].as_str().unwrap().contains("could not be read"));
    let idle = bench.json("wait_for_idle", json!({"timeout": 200})).await;
    assert_eq!(idle["message"], "UI did not become idle within the timeout");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_still_screen_is_idle_after_half_a_second() {
    let idle = bench::phone().json("wait_for_idle", json!({"timeout": 5000})).await;
    assert_eq!(idle["message"], "UI is idle");
    assert!((490..2500).contains(&idle["elapsedMs"].as_u64().unwrap()), "{idle}");
}

#[tokio::test]
async fn a_ticking_screen_is_not_idle() {
    let bench = bench::phone();
    let target = Arc::clone(&bench.target);
    let ticking = tokio::spawn(async move {
        for tick in 0.. {
            let before = if tick == 0 { "Save".to_owned() } else { format!("tick {}", tick - 1) };
            target
                .update(|state| state.edit(&before, |node| node.text = Some(format!("tick {tick}").into())));
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    });
    let idle = bench.json("wait_for_idle", json!({"timeout": 900})).await;
    ticking.abort();
    assert_eq!(idle["message"], "UI did not become idle within the timeout");
}

#[tokio::test]
async fn noise_without_a_visible_change_is_idle() {
    let bench = bench::phone();
    let target = Arc::clone(&bench.target);
    let noise = tokio::spawn(async move {
        loop {
            target.update(|_| {});
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    });
    let idle = bench.json("wait_for_idle", json!({"timeout": 5000})).await;
    noise.abort();
    assert_eq!(idle["message"], "UI is idle");
    assert!(idle["elapsedMs"].as_u64().unwrap() < 2500, "{idle}");
}
