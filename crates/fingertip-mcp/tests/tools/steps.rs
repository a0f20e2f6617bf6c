//! `run_steps` and `verify_state`.

use fingertip_core::target::Ending;
use fingertip_core::test_support::{Event, State, tree};
use fingertip_core::{Flags, Notice, NoticeKind, Reason};
use serde_json::{Value, json};

use super::bench::{self, Bench};

/// A phone on which a click on Save changes the title.
fn saving() -> Bench {
    let bench = bench::phone();
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { .. } | Event::Gesture(..)) {
            state.edit("Address book", |node| node.text = Some("Saved".into()));
        }
    });
    bench
}

async fn run(bench: &Bench, steps: Value) -> Value {
    bench.call("run_steps", json!({ "steps": steps })).await
}

/// The outcomes of the steps, in order.
fn outcomes(result: &Value) -> Vec<&str> {
    let steps = result["structuredContent"]["steps"].as_array().unwrap_or_else(|| panic!("steps: {result}"));
    steps.iter().map(|step| step["outcome"].as_str().expect("an outcome")).collect()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

#[tokio::test]
async fn steps_run_in_order_and_each_says_what_is_not_clear_without_it() {
    let bench = saving();
    let save = bench.id("Save").await;
    let steps = json!([
        {"tool": "press_back"},
        {"tool": "click_element", "arguments": {"element_id": save}, "expect": [{"element": "\"Saved\""}]},
        {"tool": "wait_for_element", "arguments": {"by": "text", "value": "Saved", "timeout": 1000}},
    ]);
    let result = run(&bench, steps).await;
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(outcomes(&result), ["done"; 3]);
    let lines: Vec<&str> = text(&result).lines().collect();
    assert_eq!((lines[0], lines.len()), ("3 of 3 steps done", 2), "{lines:?}");
    assert!(lines[1].starts_with("3 wait_for_element: "), "what was asked is answered: {lines:?}");
    let told = &result["structuredContent"]["steps"];
    assert!(told[1]["text"].as_str().expect("a text").starts_with("Click performed"), "{told}");
    assert_eq!(told[2]["result"]["found"], true);
    assert_eq!(bench.target.writes().len(), 2);
}

#[tokio::test]
async fn the_first_that_fails_is_the_last() {
    let bench = saving();
    let steps = json!([
        {"tool": "press_back"},
        {"tool": "click_element", "arguments": {"element_id": "node_ffff"}},
        {"tool": "press_home"},
        {"tool": "press_home"},
    ]);
    let result = run(&bench, steps).await;
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(outcomes(&result), ["done", "failed", "not started", "not started"]);
    let step = &result["structuredContent"]["steps"][1];
    assert_eq!(step["error_type"], Reason::NotFound.name());
    let said = text(&result);
    assert!(said.starts_with("1 of 4 steps done; stopped at step 2 (click_element), failed: "), "{said}");
    assert!(said.lines().next().expect("a line").ends_with("; not started: 3, 4"), "{said}");
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn nothing_runs_when_any_step_is_wrong() {
    let bench = bench::phone();
    let twenty_one: Vec<Value> = (0..21).map(|_| json!({"tool": "press_back"})).collect();
    let good = json!({"tool": "press_back"});
    let nested = json!({"tool": "run_steps", "arguments": {"steps": [good]}});
    for (steps, named) in [
        (json!([]), "'steps'"),
        (json!(twenty_one), "'steps'"),
        (json!([good, nested]), "steps[1] (run_steps)"),
        (json!([good, {"tool": "list_devices"}]), "steps[1] (list_devices)"),
        (json!([good, {"tool": "fly"}]), "steps[1] (fly)"),
        (json!([good, {"tool": "tap", "arguments": {"x": 5}}]), "'y'"),
        (json!([good, {"tool": "tap", "arguments": {"x": 5, "y": 5, "z": 5}}]), "'z'"),
        (json!([good, {"tool": "tap", "arguments": {"x": 5, "y": 5, "see": "changes"}}]), "'see'"),
        (json!([good, {"tool": "tap", "arguments": {"x": 5, "y": 5, "device": "phone"}}]), "'device'"),
        (json!([good, {"tool": "press_home", "arguments": []}]), "'arguments'"),
        (json!([good, {"tool": "press_home", "then": 1}]), "'then'"),
        (json!([good, {"tool": "press_home", "expect": [{"element": "no quote"}]}]), "'element'"),
        (json!([good, {"tool": "press_home", "expect": []}]), "'expect'"),
        (json!([good, "press_home"]), "steps[1]"),
        (json!([good, {}]), "'tool'"),
    ] {
        let (kind, said) = bench.failure("run_steps", json!({ "steps": steps })).await;
        assert_eq!(kind, "invalid_params", "{said}");
        assert!(said.contains(named), "{named}: {said}");
    }
    let (kind, said) = bench.failure("run_steps", json!({"steps": [good], "stop_on": "never"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(said.contains("'stop_on'"), "{said}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn what_was_expected_and_did_not_come_stops_it() {
    let bench = saving();
    let steps = json!([
        {"tool": "press_back", "expect": [{"element": "\"Saved\"", "is": "present"}, {"app": "com.example.contacts"}]},
        {"tool": "press_home"},
    ]);
    let result = run(&bench, steps).await;
    assert_eq!(result["isError"], true);
    assert_eq!(outcomes(&result), ["expectation not met", "not started"]);
    assert!(text(&result).contains("no such element"), "{}", text(&result));
    // The step itself was done, and that is said.
    let said = text(&result);
    assert!(
        said.starts_with("1 of 2 steps done; stopped after step 1 (press_back), expectation not met: "),
        "{said}"
    );
    assert_eq!(result["structuredContent"]["steps"][0]["done"], true);
    assert_eq!(result["structuredContent"]["steps"][1]["done"], false);
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn one_account_of_the_whole_follows() {
    let bench = saving();
    let save = bench.id("Save").await;
    let steps = json!([{"tool": "click_element", "arguments": {"element_id": save}}, {"tool": "press_back"}]);
    let result = bench.call("run_steps", json!({"steps": steps, "see": "changes"})).await;
    let seen = result["content"][1]["text"].as_str().expect("what changed");
    assert!(seen.starts_with("changed\n~ node_") && seen.contains("\"Saved\""), "{seen}");
    assert_eq!(result["structuredContent"]["see"]["verdict"], "changed");
    assert_eq!(result["structuredContent"]["done"], 2);
    assert_eq!(text(&result), "2 of 2 steps done", "the account stands for what each of them did");
}

#[tokio::test]
async fn who_got_what_it_expected_is_not_reminded_of_what_can_be_pressed() {
    for (expect, is_reminded) in [(json!([{"element": "\"Saved\""}]), false), (Value::Null, true)] {
        let bench = saving();
        let mut click = json!({"tool": "click_element", "arguments": {"element_id": bench.id("Save").await}});
        if expect.is_array() {
            click["expect"] = expect;
        }
        let result = bench.call("run_steps", json!({"steps": [click], "see": "changes"})).await;
        let seen = result["content"][1]["text"].as_str().expect("what changed");
        assert!(seen.starts_with("changed\n~ node_"), "{seen}");
        assert_eq!(seen.contains("\n= node_"), is_reminded, "{seen}");
        let pressable = &result["structuredContent"]["see"]["pressable"];
        assert_eq!(pressable.as_array().map(Vec::is_empty), Some(!is_reminded), "{pressable}");
    }
}

/// A phone on which the first act brings another application to the front.
fn leaving() -> Bench {
    let bench = bench::phone();
    bench.target.on_event(|event, state| {
        if event.is_write() {
            state.snapshot = tree(
                r#"
                screen 1080x2400@420
                app com.example.other .Main
                window "Other" com.example.other [0,0,1080,2400] layer=1 focused
                FrameLayout [0,0,1080,2400]
                  Button "Pay" [42,200,1038,326] cf
                "#,
            );
        }
    });
    bench
}

#[tokio::test]
async fn an_application_that_is_left_is_a_surprise_unless_that_was_meant() {
    for (tool, stop_on, expected) in [
        ("press_back", "surprise", ["surprise", "not started"]),
        ("press_back", "error", ["done", "done"]),
        ("press_home", "surprise", ["done", "done"]),
    ] {
        let bench = leaving();
        let steps = json!([{"tool": tool}, {"tool": "get_screen_state"}]);
        let result = bench.call("run_steps", json!({"steps": steps, "stop_on": stop_on})).await;
        assert_eq!(outcomes(&result), expected, "{tool}: {result}");
        if expected[0] == "surprise" {
            let said = text(&result);
            assert!(
                said.starts_with("1 of 2 steps done; stopped after step 1 (press_back), surprise: left"),
                "{said}"
            );
        }
    }
}

#[tokio::test]
async fn a_crash_a_question_for_a_permission_and_a_dialog_are_surprises() {
    let noticed = |kind| Some(Notice { kind, text: "Notes".into() });
    let crash = Ending { crashed: true, evidence: "com.example.contacts: java.lang.Error".to_owned() };
    for (tool, notice, ending, said) in [
        ("press_back", noticed(NoticeKind::Crashed), None, "crashed: \"Notes\""),
        ("press_back", noticed(NoticeKind::NotResponding), None, "not responding: \"Notes\""),
        ("press_back", noticed(NoticeKind::Permission), None, "asks for a permission: \"Notes\""),
        // Also where a step is meant to lead elsewhere.
        ("press_home", noticed(NoticeKind::Permission), None, "asks for a permission: \"Notes\""),
        ("press_home", None, Some(crash), "crashed: \"com.example.contacts: java.lang.Error\""),
    ] {
        let bench = leaving();
        bench.target.update(|state| state.ending = ending);
        bench.target.on_event(move |event, state| {
            if event.is_write() {
                state.snapshot.notice = notice.clone();
                if notice.is_none() {
                    state.snapshot.app = Some("com.launcher".into());
                }
            }
        });
        let steps = json!([{"tool": tool}, {"tool": "press_back"}]);
        let result = bench.call("run_steps", json!({"steps": steps, "stop_on": "surprise"})).await;
        assert_eq!(outcomes(&result), ["surprise", "not started"], "{tool}: {result}");
        assert!(text(&result).contains(said), "{said}: {}", text(&result));
        assert_eq!(bench.target.writes().len(), 1);
    }
    let bench = bench::phone();
    bench.target.on_event(|event, state| {
        if event.is_write() {
            state.snapshot = tree(
                "screen 1080x2400@420\napp com.example.contacts .MainActivity\n\
                 window \"Sure?\" com.example.contacts [100,900,980,1400] dialog layer=2 focused\n\
                 Button \"OK\" [100,1300,300,1400] c\n",
            );
        }
    });
    let steps = json!([{"tool": "press_back"}, {"tool": "press_back"}]);
    let result = bench.call("run_steps", json!({"steps": steps, "stop_on": "surprise"})).await;
    assert_eq!(outcomes(&result), ["surprise", "not started"], "{result}");
    assert!(text(&result).contains("opened a dialog"), "{}", text(&result));
}

#[tokio::test]
async fn text_does_not_follow_a_focus_that_moved_away() {
    let focus = |state: &mut State, label: &str| {
        for other in ["Search contacts", "Password"] {
            state.edit(other, |node| node.flags.set(Flags::FOCUSED, other == label));
        }
    };
    for (moves, expected) in [(true, "surprise"), (false, "done")] {
        let bench = bench::phone();
        bench.target.on_event(move |event, state| match event {
            Event::Act { .. } | Event::Gesture(_) => focus(state, "Search contacts"),
            Event::ReadClipboard if moves => focus(state, "Password"),
            _ => {}
        });
        let save = bench.id("Save").await;
        let steps = json!([
            {"tool": "click_element", "arguments": {"element_id": save}},
            {"tool": "get_clipboard"},
            {"tool": "input_text", "arguments": {"text": "x"}},
        ]);
        let result = bench.call("run_steps", json!({"steps": steps, "stop_on": "surprise"})).await;
        assert_eq!(outcomes(&result), ["done", "done", expected], "{result}");
        let typed = bench.target.writes().iter().any(|event| matches!(event, Event::TypeText(_)));
        assert_eq!(typed, !moves);
    }
}

#[tokio::test]
async fn pictures_of_steps_follow_the_text() {
    let bench = bench::phone();
    let look = json!({"tool": "get_screen_state", "arguments": {"include_screenshot": true}});
    let result = run(&bench, json!([look, look])).await;
    let kinds: Vec<&str> = result["content"]
        .as_array()
        .expect("content")
        .iter()
        .filter_map(|one| one["type"].as_str())
        .collect();
    assert_eq!(kinds, ["text", "image", "image"]);
}

async fn verify(bench: &Bench, conditions: Value) -> Vec<(String, String)> {
    let reply = bench.json("verify_state", json!({ "conditions": conditions })).await;
    let results = reply["conditions"].as_array().expect("conditions").clone();
    let all = results.iter().all(|one| one["result"] == "satisfied");
    assert_eq!(reply["satisfied"], all);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    results.iter().map(|one| (text(&one["result"]), text(&one["seen"]))).collect()
}

#[tokio::test]
async fn conditions_are_satisfied_unsatisfied_or_unknown() {
    let bench = bench::phone();
    let save = bench.id("Save").await;
    let conditions = json!([
        {"element": save},
        {"element": save, "is": "enabled"},
        {"element": save, "is": "disabled"},
        {"element": save, "is": "absent"},
        {"element": "\"No such thing\""},
        {"element": "\"No such thing\"", "is": "absent"},
        {"element": save, "text": "Save"},
        {"element": save, "contains": "aV"},
        {"element": save, "text": "Sav"},
        {"app": "com.example.contacts"},
        {"app": "com.example.other"},
        {"element": "node_ffff"},
    ]);
    let results = verify(&bench, conditions).await;
    let words: Vec<&str> = results.iter().map(|(result, _)| result.as_str()).collect();
    let (yes, no) = ("satisfied", "unsatisfied");
    assert_eq!(words, [yes, yes, no, no, no, yes, yes, yes, no, yes, no, "unknown"]);
    assert_eq!(results[10].1, "com.example.contacts is in front");
    assert!(results[8].1.contains("\"Save\""), "{:?}", results[8]);
}

#[tokio::test]
async fn a_step_that_was_done_has_not_failed_because_what_was_expected_cannot_be_seen() {
    let bench = bench::phone();
    let target = std::sync::Arc::clone(&bench.target);
    bench.target.on_event(move |event, _| {
        if event.is_write() {
            let gone = fingertip_core::Error::new(Reason::Disconnected, "The phone is gone.");
            let target = std::sync::Arc::clone(&target);
            // After this event: the target is held while its hook runs.
            std::thread::spawn(move || target.fail_next(gone));
        }
    });
    let steps = json!([{"tool": "press_back", "expect": [{"app": "com.example.contacts"}]}]);
    let result = run(&bench, steps).await;
    let step = &result["structuredContent"]["steps"][0];
    assert_eq!(step["done"], true, "{result}");
    assert_ne!(step["outcome"], "failed", "{result}");
}

#[tokio::test]
async fn a_row_is_on_or_off_as_the_switch_in_it_and_says_all_its_texts() {
    let bench = bench::showing(tree(
        r#"
        screen 1080x2400@420
        app com.android.settings .Settings
        window "Settings" com.android.settings [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          LinearLayout [0,300,1080,500] cf
            TextView "Wi-Fi" [42,320,700,390]
            TextView "Connected" [42,400,700,480]
            android.widget.Switch role=switch [900,340,1038,460] kx
          LinearLayout [0,500,1080,700] cf
            TextView "NFC" [42,520,700,590]
            android.widget.Switch role=switch [900,540,1038,660] k
          Button "Save" [42,800,1038,926] cf
        "#,
    ));
    let conditions = json!([
        {"element": "\"Wi-Fi\"", "is": "checked"},
        {"element": "\"Wi-Fi\"", "is": "unchecked"},
        {"element": "\"NFC\"", "is": "unchecked"},
        {"element": "\"NFC\"", "is": "checked"},
        {"element": "\"Save\"", "is": "unchecked"},
        {"element": "\"Wi-Fi\"", "text": "Wi-Fi, Connected"},
        {"element": "\"Wi-Fi\"", "text": "Connected"},
        {"element": "\"Wi-Fi\"", "contains": "CONNECT"},
        {"element": "\"NFC\"", "contains": "connect"},
    ]);
    let results = verify(&bench, conditions).await;
    let words: Vec<&str> = results.iter().map(|(result, _)| result.as_str()).collect();
    let (yes, no) = ("satisfied", "unsatisfied");
    assert_eq!(words, [yes, no, yes, no, "unknown", yes, yes, yes, no], "{results:?}");
    assert!(results[1].1.contains("switch \"Wi-Fi, Connected\" on"), "{results:?}");
}

#[tokio::test]
async fn on_a_desktop_only_what_was_looked_at_is_said_to_be_gone() {
    let bench = bench::desktop();
    let found = bench.json("find_element", json!({"app": 10, "max_results": 1})).await;
    let other = found["elements"][0]["id"].as_str().expect("an element of an editor").to_owned();
    let conditions =
        json!([{"element": other, "is": "absent"}, {"element": other}, {"element": "button \"7\""}]);
    let results = verify(&bench, conditions).await;
    let words: Vec<&str> = results.iter().map(|(result, _)| result.as_str()).collect();
    assert_eq!(words, ["unknown", "unknown", "satisfied"], "{results:?}");
    assert!(results[0].1.contains("was not looked at"), "{results:?}");
}

#[tokio::test]
async fn a_condition_may_take_its_time() {
    let bench = bench::phone();
    let target = std::sync::Arc::clone(&bench.target);
    tokio::spawn(async move {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        target.update(|state| state.edit("Address book", |node| node.text = Some("Saved".into())));
    });
    let call = json!({"conditions": [{"element": "\"Saved\""}], "timeout": 10_000});
    assert_eq!(bench.json("verify_state", call).await["satisfied"], true);
}

#[tokio::test]
async fn wrong_conditions_are_named() {
    let bench = bench::phone();
    for (condition, named) in [
        (json!({}), "'element'"),
        (json!({"is": "present"}), "'element'"),
        (json!({"app": "a", "element": "\"b\""}), "'element'"),
        (json!({"element": "\"b\"", "is": "there"}), "'is'"),
        (json!({"element": "\"b\"", "is": "present", "text": "c"}), "one of"),
        (json!({"element": "\"b\"", "txt": "c"}), "'txt'"),
        (json!("b"), "object"),
    ] {
        let (kind, said) =
            bench.failure("verify_state", json!({"conditions": [{"app": "a"}, condition]})).await;
        assert_eq!(kind, "invalid_params");
        assert!(said.contains("conditions[1]") && said.contains(named), "{named}: {said}");
    }
}
