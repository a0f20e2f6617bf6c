//! Reports of changes.

use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::Scope;
use fingertip_core::{Deadline, Reason};

use super::bench::{Bench, CALCULATOR, SETTINGS, find, soon, try_find};

/// What a change may take to be seen; the goal is 20 ms, and a busy machine gets ten times that.
const SEEN_WITHIN: Duration = Duration::from_millis(200);

#[tokio::test]
async fn a_change_wakes_who_waits_and_is_seen_at_once() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.look().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut slowest = Duration::ZERO;
    for digit in ["7", "78", "789"] {
        let seen = bench.target.activity();
        let phone = bench.phone.clone();
        let pressing = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(150)).await;
            let key = phone.with(|phone| {
                let name = format!("digit_{}", &digit[digit.len() - 1..]);
                let mut nodes = phone.windows().iter().flat_map(|window| window.root.walk());
                nodes.find(|node| node.resource_id.ends_with(&name)).map(|node| node.key).unwrap()
            });
            phone.with(|phone| phone.perform(key, fingertip_sim::phone::NodeAction::Click));
            Instant::now()
        });
        bench.target.changed(seen, soon()).await.unwrap();
        let snapshot = bench.look().await;
        let shown = Instant::now();
        assert_eq!(snapshot.node(find(&snapshot, "formula")).text.as_deref(), Some(digit));
        let took = shown.saturating_duration_since(pressing.await.unwrap());
        slowest = slowest.max(took);
    }
    assert!(slowest < SEEN_WITHIN, "{slowest:?}");
}

#[tokio::test]
async fn an_idle_screen_reports_no_change() {
    let bench = Bench::agent().await;
    bench.look().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let seen = bench.target.activity();
    let error = bench.target.changed(seen, Deadline::after(Duration::from_millis(300))).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout);
}

#[tokio::test]
async fn a_screen_that_never_settles_is_read_at_once_and_marked_unsettled() {
    let bench = Bench::agent().await;
    bench.open(SETTINGS);
    bench.look().await;
    let phone = bench.phone.clone();
    let moving = tokio::spawn(async move {
        for turn in 0.. {
            phone.with(|phone| {
                let value = (turn % 200).to_string();
                phone.set_setting("system", "screen_brightness", Some(&value));
                if turn % 2 == 0 { phone.expand_notifications() } else { phone.collapse_panels() }
            });
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = Instant::now();
    let snapshot = bench.look().await;
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(!snapshot.settled && !snapshot.nodes().is_empty());
    moving.abort();
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(bench.look().await.settled);
}

#[tokio::test]
async fn changes_are_reported_beyond_the_time_the_agent_is_held() {
    let bench = Bench::agent().await;
    bench.look().await;
    let wait = Deadline::after(Duration::from_secs(60));
    let seen = bench.target.activity();
    let (phone, start) = (bench.phone.clone(), Instant::now());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        phone.with(|phone| phone.start(CALCULATOR).map(drop)).unwrap();
    });
    bench.target.changed(seen, wait).await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(try_find(&bench.target.snapshot(&Scope::Screen, soon()).await.unwrap(), "digit_7").is_some());
}
