//! `see`: what an action did, reported with its reply.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::Ending;
use fingertip_core::test_support::{Event, tree};
use fingertip_core::{Reason, Toast};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::view::{View, Waits};
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

async fn click(bench: &Bench, see: Option<&str>) -> Value {
    let id = bench.id("Save").await;
    let mut arguments = json!({ "element_id": id });
    if let Some(see) = see {
        arguments["see"] = json!(see);
    }
    bench.call("click_element", arguments).await
}

#[tokio::test]
async fn without_it_a_reply_is_what_it_always_was() {
    for see in [None, Some("none")] {
        let bench = saving();
        let result = click(&bench, see).await;
        assert_eq!(result["content"].as_array().expect("content").len(), 1, "{result}");
        assert_eq!(result["structuredContent"], Value::Null);
    }
}

#[tokio::test]
async fn changes_are_reported_as_text_and_as_structure() {
    let result = click(&saving(), Some("changes")).await;
    let text = result["content"][1]["text"].as_str().expect("what changed");
    assert!(text.starts_with("changed\n~ node_"), "{text}");
    assert!(text.contains("\"Saved\" (was"), "{text}");
    let seen = &result["structuredContent"]["see"];
    assert_eq!((&seen["verdict"], &seen["settled"]), (&json!("changed"), &json!(true)), "{seen}");
    let changed = seen["changed"][0].as_str().expect("a line");
    assert!(text.contains(&format!("~ {changed}")), "{text}");
    assert_eq!(result["_meta"]["fingertip/untrusted"], true);
}

#[tokio::test]
async fn nothing_is_said_to_have_changed_when_nothing_did_with_what_can_be_pressed() {
    let result = click(&bench::phone(), Some("changes")).await;
    let text = result["content"][1]["text"].as_str().expect("what changed");
    assert!(text.starts_with("no visible change\n= node_"), "{text}");
}

#[tokio::test]
async fn the_whole_screen_is_returned_on_request() {
    let result = click(&saving(), Some("screen")).await;
    let text = result["content"][1]["text"].as_str().expect("the screen");
    assert!(text.starts_with("changed\napp com.example.contacts "), "{text}");
    assert!(text.contains("\"Saved\"") && text.contains("\"Add contact\""), "{text}");
}

#[tokio::test]
async fn an_act_that_was_done_does_not_fail_because_it_cannot_be_seen() {
    let bench = bench::phone();
    let target = std::sync::Arc::clone(&bench.target);
    bench.target.on_event(move |event, _| {
        if matches!(event, Event::Act { .. } | Event::Gesture(..)) {
            let target = std::sync::Arc::clone(&target);
            // After this event: the target is held while its hook runs.
            std::thread::spawn(move || target.hang());
        }
    });
    let begun = std::time::Instant::now();
    let result = click(&bench, Some("changes")).await;
    assert_ne!(result["isError"], json!(true), "{result}");
    // The looks have a time of their own; the call does not wait for its whole deadline.
    assert!(begun.elapsed() < std::time::Duration::from_secs(8), "{:?}", begun.elapsed());
    let text = result["content"][1]["text"].as_str().expect("why nothing was seen");
    assert!(text.starts_with("done, but not seen: "), "{text}");
    assert_eq!(result["structuredContent"]["see"]["verdict"], "not seen");
}

#[tokio::test]
async fn a_failed_act_is_the_error_it_always_was_and_reading_tools_take_no_see() {
    let bench = bench::phone();
    let (kind, _) =
        bench.failure("click_element", json!({"element_id": "node_ffff", "see": "changes"})).await;
    assert_eq!(kind, Reason::NotFound.name());
    let (kind, text) = bench.failure("get_screen_state", json!({"see": "changes"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("'see'"), "{text}");
    let (kind, text) = bench.failure("tap", json!({"x": 1, "y": 1, "see": "all"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("'see'"), "{text}");
}

#[tokio::test]
async fn on_a_desktop_the_application_acted_on_is_seen_also_behind_another() {
    let bench = bench::desktop();
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { node, .. } if node == "push_button \"7\"") {
            state.edit("0", |display| display.text = Some("7".into()));
        }
    });
    let path = r#"app(30)/window["Calculator"]/group[0]/button["7"]"#;
    let call = json!({"element_path": path, "action": "press", "see": "changes"});
    let result = bench.call("perform_action", call).await;
    let text = result["content"][1]["text"].as_str().expect("what changed");
    assert!(text.starts_with("changed\n~ node_") && text.contains("\"7\" (was"), "{text}");
}

/// A phone on which a click brings the home screen.
fn leaving(ending: Option<Ending>) -> Bench {
    let bench = bench::phone();
    bench.target.update(|state| state.ending = ending);
    bench.target.on_event(|event, state| {
        if event.is_write() {
            state.snapshot = tree(
                "screen 1080x2400@420\napp com.launcher .Home\n\
                 window \"Home\" com.launcher [0,0,1080,2400] layer=1 focused\n\
                 Button \"Notes\" [42,200,1038,326] cf\n",
            );
        }
    });
    bench
}

fn crash() -> Ending {
    Ending { crashed: true, evidence: "com.example: java.lang.Error: \"no\"\ncrashed".to_owned() }
}

#[tokio::test]
async fn an_application_that_crashed_is_reported_with_evidence() {
    let result = click(&leaving(Some(crash())), Some("changes")).await;
    let text = result["content"][1]["text"].as_str().expect("what changed");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("crashed: \"com.example: java.lang.Error: 'no' crashed\""), "{text}");
    assert!(text.contains("app com.launcher") && text.contains("\"Notes\""), "{text}");
    let seen = &result["structuredContent"]["see"];
    assert_eq!(seen["verdict"], "crashed");
    assert!(seen["evidence"].as_str().is_some_and(|said| said.contains("java.lang.Error")), "{seen}");
    assert_ne!(result["isError"], json!(true), "the click was done");
}

#[tokio::test]
async fn one_that_only_was_left_or_quit_did_not_crash() {
    for (ending, verdict) in [
        (None, "left the app"),
        (Some(Ending { crashed: false, evidence: "process 7 has ended".to_owned() }), "the app ended"),
    ] {
        let result = click(&leaving(ending), Some("changes")).await;
        assert_eq!(result["structuredContent"]["see"]["verdict"], verdict, "{result}");
    }
}

#[tokio::test]
async fn how_an_application_ended_is_not_asked_while_it_is_there() {
    let bench = saving();
    click(&bench, Some("changes")).await;
    assert!(!bench.target.events().iter().any(|event| matches!(event, Event::Ending(_))));
}

#[tokio::test]
async fn a_toast_is_reported_also_where_nothing_else_changed() {
    let bench = bench::phone();
    bench.target.on_event(|event, state| {
        if event.is_write() {
            let toast = Toast { number: 1, app: Some("com.example.contacts".into()), text: "Saved".into() };
            state.snapshot.toasts = vec![toast];
        }
    });
    let result = click(&bench, Some("changes")).await;
    let text = result["content"][1]["text"].as_str().expect("what changed");
    assert!(text.starts_with("changed\ntoast \"Saved\"\n"), "{text}");
    let toasts = &result["structuredContent"]["see"]["toasts"];
    assert_eq!(*toasts, json!([{"text": "Saved", "app": "com.example.contacts"}]));
}

#[tokio::test]
async fn the_owner_chooses_how_long_an_effect_is_waited_for() {
    let waits = |quiet, in_place| Waits {
        quiet: Duration::from_millis(quiet),
        in_place: Duration::from_millis(in_place),
        navigated: Duration::from_millis(in_place),
    };
    // An effect that comes after 600 ms is seen only by a call that waits for it.
    for (waits, verdict) in [(waits(20, 50), "no visible change"), (waits(20, 20_000), "changed")] {
        let mut bench = bench::phone();
        let late = Arc::clone(&bench.target);
        bench.target.on_event(move |event, _| {
            if event.is_write() {
                let late = Arc::clone(&late);
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(600));
                    late.update(|state| state.edit("Address book", |node| node.text = Some("Saved".into())));
                });
            }
        });
        let dispatcher = Dispatcher::new(Arc::clone(bench.dispatcher.targets()), Policy::default());
        bench.dispatcher = Arc::new(dispatcher.with_view(View { waits, ..View::default() }));
        let result = click(&bench, Some("changes")).await;
        assert_eq!(result["structuredContent"]["see"]["verdict"], verdict, "{waits:?}: {result}");
    }
}
