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

/// Ten taps at the same place, so many milliseconds apart.
fn ten_taps(apart: u64) -> Value {
    let point = |time| json!({"x": 100, "y": 100, "time": time});
    let paths: Vec<Value> = (0..10).map(|tap| json!([point(tap * apart), point(tap * apart + 20)])).collect();
    json!({"paths": paths})
}

#[tokio::test]
async fn fingers_count_and_not_calls() {
    let bench = slow(10);
    assert_eq!(delay(&bench.call("custom_gesture", ten_taps(50)).await), 0);
    assert!(delay(&bench.call("press_home", json!({})).await) > 0, "the gesture took the whole second");
    let bench = slow(3);
    assert_eq!(delay(&bench.call("double_tap", json!({"x": 100, "y": 100})).await), 0);
    assert!(
        delay(&bench.call("double_tap", json!({"x": 100, "y": 100})).await) > 0,
        "four of three a second"
    );
}

#[tokio::test]
async fn what_can_never_keep_the_pace_is_refused_and_says_what_to_do() {
    let bench = slow(5);
    let (kind, text) = bench.failure("custom_gesture", ten_taps(50)).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("more than 5 fingers") && text.contains("further apart"), "{text}");
    let (kind, text) = bench.failure("input_text", json!({"text": "\n".repeat(1000)})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("several parts"), "{text}");
    assert!(bench.target.writes().is_empty());
}

#[tokio::test]
async fn a_long_text_is_typed_at_once_and_the_next_write_waits() {
    let bench = slow(2);
    let id = bench.id_of("search").await;
    let begun = Instant::now();
    let first = bench.call("set_text", json!({"element_id": id, "text": "a".repeat(500)})).await;
    assert_ne!(first["isError"], json!(true), "{first}");
    assert_eq!(delay(&first), 0);
    bench.call("press_home", json!({})).await;
    bench.call("press_home", json!({})).await;
    assert!(begun.elapsed() >= Duration::from_secs(1), "three pieces and two keys, two a second");
}

#[cfg(unix)]
#[tokio::test]
async fn two_servers_on_one_device_share_its_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = || {
        let policy = Policy {
            writes_per_second: WritesPerSecond::new(2).expect("a limit"),
            shared_limits: Some(folder.path().join("run").into()),
            ..Policy::default()
        };
        bench::under(policy, ScriptedTarget::new("phone", sample::phone()))
    };
    let (one, two) = (server(), server());
    let mut delays = Vec::new();
    for bench in [&one, &two, &one] {
        delays.push(delay(&bench.call("press_home", json!({})).await));
    }
    assert!(delays[..2] == [0, 0] && delays[2] > 0, "{delays:?}");
}
