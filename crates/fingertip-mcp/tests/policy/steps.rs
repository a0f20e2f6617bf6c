//! `run_steps` gets round nothing: each rule of the policy, met by a step.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::Snapshot;
use fingertip_core::test_support::{Event, ScriptedTarget, sample, tree};
use fingertip_mcp::dispatch::{CallError, Interface};
use fingertip_mcp::policy::blocklist::Pattern;
use fingertip_mcp::policy::confirm::{Answer, Asker, Question, Why};
use fingertip_mcp::policy::{Audit, Blocklist, Caller, Confirm, Policy, ToolSelection, WritesPerSecond};
use serde_json::{Value, json};

use super::blocklist::{BLOCKED, vault_in_front};
use crate::bench::{self, Bench};

fn phone(policy: Policy) -> Bench {
    bench::under(policy, ScriptedTarget::new("phone", sample::phone()))
}

fn outcomes(result: &Value) -> Vec<&str> {
    let steps = result["structuredContent"]["steps"].as_array().unwrap_or_else(|| panic!("steps: {result}"));
    steps.iter().map(|step| step["outcome"].as_str().expect("an outcome")).collect()
}

#[tokio::test]
async fn a_blocked_application_reached_by_a_step_is_not_acted_on_by_the_next() {
    let blocklist = Blocklist::empty().blocking(vec![Pattern::new(BLOCKED).expect("a pattern")]);
    let policy = || Policy { blocklist: Arc::new(blocklist.clone()), ..Policy::default() };
    for (tool, arguments) in [
        ("tap", json!({"x": 500, "y": 260})),
        ("input_text", json!({"text": "1234"})),
        ("press_key", json!({"key": "ENTER"})),
        ("press_back", json!({})),
        ("swipe", json!({"x1": 500, "y1": 2000, "x2": 500, "y2": 300})),
        ("custom_gesture", json!({"paths": [[{"x": 5, "y": 5, "time": 0}, {"x": 5, "y": 9, "time": 9}]]})),
    ] {
        for stop_on in ["error", "surprise"] {
            let bench = phone(policy());
            bench.target.on_event(|event, state| {
                if matches!(event, Event::Gesture(_)) {
                    state.snapshot = vault_in_front();
                }
            });
            let steps = json!([
                {"tool": "get_screen_state"},
                {"tool": "tap", "arguments": {"x": 500, "y": 700}},
                {"tool": tool, "arguments": arguments},
                {"tool": "press_home"},
            ]);
            let call = json!({"steps": steps, "stop_on": stop_on, "see": "changes"});
            let result = bench.call("run_steps", call).await;
            assert_eq!(result["isError"], true, "{tool}: {result}");
            assert_eq!(bench.target.writes().len(), 1, "{tool}: {:?}", bench.target.writes());
            let expected = match stop_on {
                "error" => ["done", "done", "failed", "not started"],
                _ => ["done", "surprise", "not started", "not started"],
            };
            assert_eq!(outcomes(&result), expected, "{tool}: {result}");
        }
    }
}

/// A screen of this application with a button at the same place and of the same name.
fn saving(app: &str) -> Snapshot {
    tree(&format!(
        "screen 1080x2400@420\napp {app} .Main\nwindow \"Main\" {app} [0,0,1080,2400] layer=1 focused\n\
         FrameLayout role=group [0,0,1080,2400]\n  Button \"Save\" role=button [100,800,300,900] cf\n"
    ))
}

#[tokio::test]
async fn a_selector_is_judged_by_what_it_matches_when_its_step_acts() {
    let blocklist = Blocklist::empty().blocking(vec![Pattern::new(BLOCKED).expect("a pattern")]);
    let policy = || Policy { blocklist: Arc::new(blocklist.clone()), ..Policy::default() };
    let save = json!({"tool": "click_element", "arguments": {"element_id": "button \"Save\""}});
    let steps = json!({"steps": [{"tool": "press_back"}, save, {"tool": "press_home"}]});
    // When all steps are checked the button is one of a harmless application.
    let bench = bench::under(policy(), ScriptedTarget::new("phone", saving("com.example")));
    bench.target.on_event(|event, state| {
        if event.is_write() {
            state.snapshot = saving(BLOCKED);
        }
    });
    let result = bench.call("run_steps", steps.clone()).await;
    assert_eq!(outcomes(&result), ["done", "failed", "not started"], "{result}");
    assert_eq!(bench.target.writes().len(), 1, "{:?}", bench.target.writes());
    // And when it comes to match another right after it was resolved, nothing is pressed either, in whatever look that is.
    for change_after in 1..8 {
        let bench = bench::under(policy(), ScriptedTarget::new("phone", saving("com.example")));
        let looks = AtomicUsize::new(0);
        bench.target.on_event(move |event, state| {
            let looked = matches!(event, Event::Snapshot(_) | Event::IncrementalLook(_) | Event::Windows);
            if looked && looks.fetch_add(1, Ordering::Relaxed) == change_after {
                state.snapshot = saving(BLOCKED);
            }
        });
        bench.call("run_steps", json!({"steps": [save, save, save]})).await;
        let state = bench.target.state();
        let in_vault = state.snapshot.app.as_deref() == Some(BLOCKED);
        let pressed_before = bench.target.events();
        let changed_at = pressed_before
            .iter()
            .enumerate()
            .filter(|(_, event)| {
                matches!(event, Event::Snapshot(_) | Event::IncrementalLook(_) | Event::Windows)
            })
            .nth(change_after)
            .map(|(at, _)| at);
        let after = changed_at.map_or(&[][..], |at| &pressed_before[at + 1..]);
        assert!(
            !in_vault || !after.iter().any(Event::is_write),
            "after look {change_after} the vault was pressed: {pressed_before:?}"
        );
    }
}

#[tokio::test]
async fn steps_are_only_tools_that_are_offered() {
    let selection = ToolSelection::new(Some(&["run_steps", "tap", "get_screen_state"]), &[]).expect("names");
    let bench = phone(Policy { selection, ..Policy::default() });
    let tap = json!({"tool": "tap", "arguments": {"x": 5, "y": 700}});
    let (kind, said) = bench.failure("run_steps", json!({"steps": [tap, {"tool": "press_home"}]})).await;
    assert_eq!(kind, "invalid_params");
    assert!(said.contains("steps[1] (press_home)"), "{said}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn under_read_only_there_is_no_such_tool() {
    let bench = phone(Policy { read_only: true, ..Policy::default() });
    let steps = json!({"steps": [{"tool": "press_home"}]});
    let arguments = steps.as_object().expect("an object");
    let answer =
        bench.dispatcher.answer(Interface::Current, "run_steps", arguments, Caller::over("stdio")).await;
    assert!(matches!(answer, Err(CallError::UnknownTool)), "{answer:?}");
    assert!(!bench.dispatcher.tools().iter().any(|tool| tool.name == "run_steps"));
}

#[tokio::test]
async fn each_step_waits_for_the_rate_limit() {
    let writes_per_second = WritesPerSecond::new(2).expect("a limit");
    let bench = phone(Policy { writes_per_second, ..Policy::default() });
    let begun = Instant::now();
    let steps: Vec<Value> = (0..5).map(|_| json!({"tool": "press_back"})).collect();
    let result = bench.call("run_steps", json!({ "steps": steps })).await;
    assert_eq!(outcomes(&result), ["done"; 5]);
    assert!(
        begun.elapsed() >= Duration::from_secs(2),
        "the fifth of two a second begins in the third second"
    );
}

#[tokio::test]
async fn no_write_of_another_client_comes_between_steps() {
    let bench = phone(Policy::default());
    bench.target.delay(Duration::from_millis(50));
    let other = async {
        while bench.target.writes().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        bench.call("press_home", json!({})).await
    };
    let steps: Vec<Value> = (0..4).map(|_| json!({"tool": "press_back"})).collect();
    tokio::join!(bench.call("run_steps", json!({ "steps": steps })), other);
    let writes = bench.target.writes();
    assert_eq!(writes.len(), 5);
    assert_ne!(writes[0], writes[4], "the other came last: {writes:?}");
}

/// A user who agrees so many times.
struct User(Mutex<(usize, Vec<String>)>, Option<Why>);

#[async_trait]
impl Asker for User {
    async fn ask(&self, question: &Question) -> Answer {
        let mut held = self.0.lock().expect("a lock");
        held.1.push(question.sentence.clone());
        if held.0 == 0 {
            return Answer::No(Why::Declined);
        }
        held.0 -= 1;
        Answer::Yes
    }

    fn hindrance(&self) -> Option<Why> {
        self.1
    }
}

async fn asked(names: &[&str], yes: usize, hindrance: Option<Why>) -> (Value, Vec<String>, usize) {
    let confirm = Confirm::new(names).expect("known names");
    let bench = phone(Policy { confirm, ..Policy::default() });
    let user = Arc::new(User(Mutex::new((yes, Vec::new())), hindrance));
    let caller = Caller { asker: Arc::clone(&user) as Arc<dyn Asker>, ..Caller::over("stdio") };
    let steps = json!({"steps": [
        {"tool": "press_back"},
        {"tool": "get_screen_state"},
        {"tool": "tap", "arguments": {"x": 500, "y": 2260}},
    ]});
    let result = bench.dispatcher.call("run_steps", steps.as_object().expect("an object"), caller).await;
    let result = serde_json::to_value(result.expect("a result")).expect("serializes");
    let sentences = user.0.lock().expect("a lock").1.clone();
    (result, sentences, bench.target.writes().len())
}

#[tokio::test]
async fn the_user_is_asked_about_each_step_at_its_place() {
    let (result, sentences, writes) = asked(&["tap"], 1, None).await;
    assert_eq!((outcomes(&result), writes), (vec!["done"; 3], 2));
    assert!(sentences.len() == 1 && sentences[0].contains("wants to use tap"), "{sentences:?}");
    assert!(sentences[0].contains("Button \"Save\""), "{sentences:?}");
    // Who wants to be asked about runs is asked about what acts in them.
    let (result, sentences, writes) = asked(&["run_steps"], 1, None).await;
    assert_eq!(outcomes(&result), ["done", "done", "failed"]);
    assert_eq!((sentences.len(), writes), (2, 1));
}

#[tokio::test]
async fn nothing_runs_where_the_user_could_not_be_asked_about_a_later_step() {
    for why in [Why::OnlyBetweenCalls, Why::Unable] {
        let (result, sentences, writes) = asked(&["tap"], 9, Some(why)).await;
        assert_eq!((result["isError"].as_bool(), sentences.len(), writes), (Some(true), 0, 0), "{result}");
        let said = result["content"][0]["text"].as_str().expect("a text");
        assert!(said.contains("steps[2] (tap)") && said.contains("consent"), "{said}");
    }
}

#[tokio::test]
async fn each_step_that_acts_leaves_its_lines_and_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let audit = Some(Arc::new(Audit::open(&path).expect("a log")));
    let bench = phone(Policy { audit, ..Policy::default() });
    let password = bench.id_of("password").await;
    let steps = json!([
        {"tool": "press_back"},
        {"tool": "set_text", "arguments": {"element_id": password, "text": "hunter2"}},
        {"tool": "get_screen_state"},
    ]);
    let result = bench.call("run_steps", json!({ "steps": steps })).await;
    assert_eq!(outcomes(&result), ["done"; 3], "{result}");
    let log = std::fs::read_to_string(&path).expect("a log");
    let tools: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|line| format!("{} {}", line["tool"].as_str().unwrap(), line["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(tools, ["press_back begun", "press_back ok", "set_text begun", "set_text ok"]);
    assert!(!log.contains("hunter2") && !result.to_string().contains("hunter2"), "{log} {result}");
}

#[tokio::test]
async fn an_attempt_on_a_hidden_tool_is_written_down_also_as_a_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let audit = Some(Arc::new(Audit::open(&path).expect("a log")));
    let selection = ToolSelection::new(None, &["tap"]).expect("names");
    let confirm = Confirm::new(&["press_home"]).expect("names");
    let bench = phone(Policy { audit, selection, confirm, ..Policy::default() });
    for step in [json!({"tool": "tap", "arguments": {"x": 5, "y": 700}}), json!({"tool": "press_home"})] {
        let result = bench.call("run_steps", json!({"steps": [{"tool": "press_back"}, step]})).await;
        assert_eq!(result["isError"], true, "{result}");
    }
    assert_eq!(bench.target.writes(), []);
    let log = std::fs::read_to_string(&path).expect("a log");
    let rules: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|line| format!("{} {}", line["tool"].as_str().unwrap(), line["rule"].as_str().unwrap()))
        .collect();
    assert_eq!(rules, ["tap not offered", "press_home confirm"], "{log}");
}

#[tokio::test]
async fn a_run_that_comes_to_no_step_leaves_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let audit = Some(Arc::new(Audit::open(&path).expect("a log")));
    let bench = phone(Policy { audit, ..Policy::default() });
    let steps = json!([{"tool": "tap", "arguments": {"x": 5, "y": 500}}, {"tool": "input_text", "arguments": {"txt": "hunter2"}}]);
    bench.failure("run_steps", json!({ "steps": steps })).await;
    let log = std::fs::read_to_string(&path).expect("a log");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    assert_eq!((&lines[0]["tool"], &lines[0]["outcome"]), (&json!("run_steps"), &json!("invalid_params")));
    assert!(!log.contains("hunter2"), "{log}");
    assert_eq!(bench.target.writes(), []);
}
