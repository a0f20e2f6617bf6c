//! Writes that follow each other too fast are held back, and their replies say so.

use std::time::{Duration, Instant};

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::policy::{Policy, WritesPerSecond};
use serde_json::{Value, json};

use crate::bench::{self, Bench};

fn slow(writes: u32) -> Bench {
    let policy =
        Policy { writes_per_second: WritesPerSecond::new(writes).expect("a limit"), ..Policy::default() };
    bench::under(policy, ScriptedTarget::new("phone", sample::phone()))
}

fn delay(result: &Value) -> u64 {
    result["_meta"]["fingertip/delayed_ms"].as_u64().unwrap_or(0)
}

#[tokio::test]
async fn the_write_beyond_the_limit_waits_and_says_so() {
    let bench = slow(2);
    let mut results = Vec::new();
    for _ in 0..3 {
        results.push(bench.call("press_home", json!({})).await);
    }
    assert_eq!(results.iter().map(delay).filter(|delay| *delay > 0).count(), 1);
    let last = &results[2];
    assert_eq!(last["content"][0]["text"], "Home button press executed successfully");
    let note = last["content"][1]["text"].as_str().expect("a note");
    assert!(note.starts_with("note: delayed by ") && note.contains("at most 2 writes a second"), "{note}");
    assert_eq!(bench.target.writes().len(), 3, "delayed, not refused");
}

#[tokio::test]
async fn calls_side_by_side_keep_the_pace_too() {
    let bench = slow(2);
    let begun = Instant::now();
    let calls = (0..5).map(|_| bench.call("press_home", json!({})));
    let results = futures_util::future::join_all(calls).await;
    assert!(
        begun.elapsed() >= Duration::from_secs(2),
        "the fifth of two a second begins in the third second"
    );
    assert!(results.iter().map(delay).filter(|delay| *delay > 0).count() >= 2);
    assert_eq!(bench.target.writes().len(), 5);
}

#[tokio::test]
async fn reads_are_not_held_back() {
    let bench = slow(1);
    bench.call("press_home", json!({})).await;
    let reads = async {
        for _ in 0..20 {
            assert_eq!(delay(&bench.call("get_screen_state", json!({})).await), 0);
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reads).await.expect("no read waits");
}
