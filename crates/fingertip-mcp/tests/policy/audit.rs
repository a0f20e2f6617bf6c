//! What the audit log holds of calls, and what it never holds.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::policy::blocklist::Pattern;
use fingertip_mcp::policy::{Audit, Blocklist, Caller, Policy};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::bench::{self, Bench};

struct Logged {
    bench: Bench,
    folder: tempfile::TempDir,
}

fn logged(policy: Policy) -> Logged {
    let folder = tempfile::tempdir().expect("a folder");
    let audit = Audit::open(&folder.path().join("audit.jsonl")).expect("a log");
    let policy = Policy { audit: Some(Arc::new(audit)), ..policy };
    Logged { bench: bench::under(policy, ScriptedTarget::new("phone", sample::phone())), folder }
}

impl Logged {
    fn text(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("audit.jsonl")).expect("a log")
    }

    fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The lines that report how calls ended.
    fn ends(&self) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["outcome"] != "begun").collect()
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("audit.jsonl")
    }
}

#[tokio::test]
async fn a_write_leaves_a_line_before_it_and_one_after_with_who_what_where_and_how() {
    let logged = logged(Policy::default());
    let id = logged.bench.id("Save").await;
    assert_eq!(logged.lines(), Vec::<Value>::new(), "reads leave none");
    let caller = Caller { client: Some("tester\n\"".repeat(50)), ..Caller::over("http") };
    let arguments = json!({"element_id": id}).as_object().expect("an object").clone();
    logged.bench.dispatcher.call("click_element", &arguments, caller).await.expect("a result");
    let lines = logged.lines();
    let [begun, line] = lines.as_slice() else { panic!("two lines: {lines:?}") };
    assert_eq!(begun["outcome"], "begun");
    for key in ["time", "client", "transport", "target", "tool", "app", "call"] {
        assert_eq!(begun[key], line[key], "{key}");
    }
    assert!(line["call"].as_str().is_some_and(|call| call.len() > 8), "{line}");
    for (key, value) in [
        ("transport", "http"),
        ("target", "phone"),
        ("tool", "click_element"),
        ("app", sample::APP),
        ("outcome", "ok"),
    ] {
        assert_eq!(line[key], value, "{key}");
    }
    assert_eq!(line["client"].as_str().unwrap().chars().count(), 80);
    assert!(line["duration_ms"].is_u64());
    let time = line["time"].as_str().unwrap();
    assert!(time.parse::<jiff::Timestamp>().is_ok(), "{time}");
    assert!(line.get("text").is_none());
}

#[tokio::test]
async fn text_is_kept_as_length_and_hash_and_a_password_not_at_all() {
    let logged = logged(Policy::default());
    let (search, password) = (logged.bench.id_of("search").await, logged.bench.id_of("password").await);
    logged.bench.call("set_text", json!({"element_id": search, "text": "hello"})).await;
    logged.bench.call("set_text", json!({"element_id": password, "text": "hunter2"})).await;
    logged.bench.call("input_text", json!({"element_id": password, "text": "swordfish"})).await;
    logged.bench.call("input_text", json!({"text": "typed into the focused password"})).await;
    // While the password field has the focus.
    logged.bench.call("set_text", json!({"element_id": search, "text": "hello"})).await;
    let lines = logged.ends();
    for line in [&lines[0], &lines[4]] {
        assert_eq!(line["text"], json!({"characters": 5, "sha256": "2cf24dba5fb0"}), "{line}");
    }
    for line in &lines[1..4] {
        assert_eq!(line["text"], json!({"secret": true}), "{line}");
    }
    for secret in ["hello", "hunter2", "swordfish", "typed", "Ada Lovelace", "Save"] {
        assert!(!logged.text().contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn of_a_text_that_may_have_been_a_password_nothing_is_kept() {
    let logged = logged(Policy::default());
    let bench = &logged.bench;
    let (search, password) = (bench.id_of("search").await, bench.id_of("password").await);
    // Refused before the field was looked up.
    bench.call("set_text", json!({"element_id": password, "text": "4711", "bogus": 1})).await;
    bench.call("set_text", json!({"element_id": password, "text": 4711})).await;
    bench.call("set_text", json!({"element_id": password, "text": "4711", "device": "none"})).await;
    let taken_back = CancellationToken::new();
    taken_back.cancel();
    let call = json!({"element_id": password, "text": "4711"});
    bench.dispatcher.call("set_text", call.as_object().unwrap(), taken_back).await.expect_err("cancelled");
    // The tab goes on to another field, which may be the one for the password.
    bench.call("input_text", json!({"element_id": search, "text": "ada\t4711\n"})).await;
    // What was taken back is written down by a thread of its own.
    while logged.ends().len() < 5 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for line in &logged.ends() {
        assert_eq!(line["text"], json!({"secret": true}), "{line}");
    }
}

#[tokio::test]
async fn refusals_failures_panics_and_calls_taken_back_are_there_too() {
    let logged = logged(Policy::default());
    let bench = &logged.bench;
    bench.call("click_element", json!({"element_id": "node_ffff"})).await;
    bench.call("tap", json!({"x": "wrong"})).await;
    bench.target.panic_next();
    let empty = serde_json::Map::new();
    bench.dispatcher.call("press_home", &empty, CancellationToken::new()).await.expect_err("a panic");
    bench.target.hang();
    let taken_back = CancellationToken::new();
    taken_back.cancel();
    bench.dispatcher.call("press_home", &empty, taken_back).await.expect_err("cancelled");
    // A thread of its own writes that down, and may take longer than the next line does.
    while !logged.lines().iter().any(|line| line["outcome"] == "cancelled") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let begun = || logged.lines().iter().filter(|line| line["outcome"] == "begun").count();
    let has_begun = async {
        while begun() < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        _ = bench.dispatcher.call("press_home", &empty, CancellationToken::new()) => panic!("it hangs"),
        () = has_begun => {}
    }
    // No caller waits for the line of a call that was dropped.
    for _ in 0..200 {
        if logged.ends().len() == 5 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let outcomes: Vec<Value> = logged.lines().into_iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(
        outcomes,
        ["element_not_found", "invalid_params", "begun", "panicked", "cancelled", "begun", "cancelled"]
    );
    let acted: Vec<bool> = logged.ends().iter().map(|line| line.get("call").is_some()).collect();
    assert_eq!(acted, [false, false, true, false, true], "only what reached the device has a call");
}

#[tokio::test]
async fn an_attempt_on_a_hidden_tool_is_written_down() {
    let logged = logged(Policy { read_only: true, ..Policy::default() });
    let empty = serde_json::Map::new();
    logged.bench.dispatcher.call("press_home", &empty, CancellationToken::new()).await.expect_err("hidden");
    let lines = logged.lines();
    assert_eq!((&lines[0]["outcome"], &lines[0]["rule"]), (&json!("refused"), &json!("not offered")));
}

#[tokio::test]
async fn without_a_log_that_can_be_written_nothing_is_done() {
    let logged = logged(Policy::default());
    std::fs::remove_file(logged.path()).unwrap();
    std::fs::create_dir(logged.path()).unwrap();
    for _ in 0..2 {
        let (kind, text) = logged.bench.failure("press_home", json!({})).await;
        assert_eq!(kind, "refused");
        assert!(text.contains("audit log") && !text.contains("audit.jsonl"), "no path: {text}");
        assert!(logged.bench.target.writes().is_empty(), "not even the first one");
    }
    std::fs::remove_dir(logged.path()).unwrap();
    logged.bench.text("press_home", json!({})).await;
    let acted: Vec<Value> = logged.lines().into_iter().filter(|line| line.get("call").is_some()).collect();
    assert_eq!((logged.bench.target.writes().len(), acted.len()), (1, 2));
}

#[tokio::test]
async fn the_first_write_after_the_folder_is_gone_is_written_down() {
    let logged = logged(Policy::default());
    logged.bench.text("press_home", json!({})).await;
    std::fs::remove_dir_all(logged.folder.path()).unwrap();
    logged.bench.text("press_home", json!({})).await;
    assert_eq!(logged.lines().len(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_the_place_of_the_log_is_not_followed_and_nothing_is_done() {
    let logged = logged(Policy::default());
    let elsewhere = logged.folder.path().join("elsewhere");
    std::fs::remove_file(logged.path()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, logged.path()).unwrap();
    logged.bench.failure("press_home", json!({})).await;
    assert!(!elsewhere.exists() && logged.bench.target.writes().is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_wrong_with_the_log_is_said_and_not_where_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let logged = logged(Policy::default());
    let folder = logged.folder.path().to_str().unwrap();
    std::fs::set_permissions(logged.path(), std::fs::Permissions::from_mode(0o666)).unwrap();
    let (_, text) = logged.bench.failure("press_home", json!({})).await;
    assert!(text.contains("others can read or change it") && !text.contains(folder), "{text}");
    std::fs::remove_file(logged.path()).unwrap();
    std::fs::create_dir(logged.path()).unwrap();
    let (_, text) = logged.bench.failure("press_home", json!({})).await;
    assert!(!text.contains(folder), "{text}");
    assert!(logged.bench.target.writes().is_empty());
}

#[tokio::test]
async fn a_lock_held_by_another_stops_writes_and_nothing_else() {
    let logged = logged(Policy::default());
    let other = std::fs::File::open(logged.path()).unwrap();
    other.lock().unwrap();
    // On a single thread: were it to wait for the lock, the reads could not go on.
    let write = logged.bench.failure("press_home", json!({}));
    let reads = async {
        for _ in 0..10 {
            logged.bench.text("get_screen_state", json!({})).await;
        }
        std::time::Instant::now()
    };
    let ((kind, text), read) = tokio::join!(write, reads);
    assert!(read.elapsed() > Duration::from_millis(500), "reads did not wait for the write");
    assert_eq!(kind, "refused");
    assert!(text.contains("another process holds its lock"), "{text}");
    assert!(logged.bench.target.writes().is_empty());
    other.unlock().unwrap();
    logged.bench.text("press_home", json!({})).await;
    assert_eq!(logged.bench.target.writes().len(), 1);
}

#[tokio::test]
async fn a_call_dropped_while_its_first_line_is_written_is_named_by_its_last() {
    let logged = logged(Policy::default());
    let other = std::fs::File::open(logged.path()).unwrap();
    other.lock().unwrap();
    let call = logged.bench.call("press_home", json!({}));
    assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err(), "it waits for the lock");
    other.unlock().unwrap();
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while logged.lines().len() < 2 {
        assert!(std::time::Instant::now() < until, "{}", logged.text());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let lines = logged.lines();
    let outcomes: Vec<&Value> = lines.iter().map(|line| &line["outcome"]).collect();
    assert_eq!(outcomes, ["begun", "cancelled"]);
    assert!(lines[0]["call"].is_string() && lines[0]["call"] == lines[1]["call"], "{lines:?}");
    assert!(logged.bench.target.writes().is_empty());
}

#[tokio::test]
async fn calls_that_are_refused_in_masses_push_no_act_out_of_the_log() {
    let logged = logged(Policy::default());
    logged.bench.text("press_home", json!({})).await;
    for number in 0..20_000 {
        let caller = Caller { client: Some(format!("client {}", number % 500)), ..Caller::over("http") };
        let arguments = json!({"x": "wrong"}).as_object().expect("an object").clone();
        logged.bench.dispatcher.call("tap", &arguments, caller).await.expect("a result");
    }
    let Logged { bench, folder } = logged;
    drop(bench);
    let text = std::fs::read_to_string(folder.path().join("audit.jsonl")).expect("a log");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["outcome"], &lines[1]["outcome"]), (&json!("begun"), &json!("ok")));
    let counted: u64 = lines[2..].iter().map(|line| line["repeated"].as_u64().unwrap_or(1)).sum();
    assert_eq!(counted, 20_000, "every one is counted");
    assert!(lines.len() < 200, "{} lines", lines.len());
}

#[tokio::test]
async fn a_write_that_a_rule_refuses_leaves_one_line_and_no_act() {
    let blocklist = Blocklist::empty().blocking(vec![Pattern::new(sample::APP).expect("a pattern")]);
    let logged = logged(Policy { blocklist: Arc::new(blocklist), ..Policy::default() });
    let id = logged.bench.id("Save").await;
    logged.bench.failure("click_element", json!({"element_id": id})).await;
    let lines = logged.lines();
    let [line] = lines.as_slice() else { panic!("one line: {lines:?}") };
    assert_eq!((&line["outcome"], line.get("call")), (&json!("refused"), None));
}

#[tokio::test]
async fn every_application_that_received_something_is_named() {
    let logged = logged(Policy::default());
    let two = fingertip_core::test_support::tree(
        r#"
        screen 1080x2400@420
        window "One" com.example.one [0,0,1080,1000] layer=1 focused
        FrameLayout [0,0,1080,1000]
        window "Two" com.example.two [0,1000,1080,2400] layer=2
        FrameLayout [0,1000,1080,2400]
        "#,
    );
    logged.bench.target.update(|state| state.snapshot = two);
    let path = |y: u32| json!([{"x": 5, "y": y, "time": 0}, {"x": 5, "y": y + 50, "time": 100}]);
    logged.bench.text("custom_gesture", json!({"paths": [path(500), path(1500), path(600)]})).await;
    logged.bench.text("tap", json!({"x": 5, "y": 500})).await;
    let lines = logged.ends();
    assert_eq!(lines[0]["app"], "com.example.one");
    assert_eq!(lines[0]["apps"], json!(["com.example.one", "com.example.two"]));
    assert_eq!((&lines[1]["app"], lines[1].get("apps")), (&json!("com.example.one"), None));
}
