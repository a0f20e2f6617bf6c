//! Observing an application: what happened, from whichever source, also when the time simply runs out.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{AppRef, Capabilities, UiEvent, UiEventKind};
use fingertip_core::test_support::edit::{add_windows, keep_windows};
use fingertip_core::test_support::{Event, ScriptedTarget, find, sample, tree};
use fingertip_core::{Flags, Node, Target};
use serde_json::{Value, json};

use super::bench::{self, Bench};

/// Something that is done to the target while it is observed.
type Step = Box<dyn FnOnce(&ScriptedTarget) + Send>;

/// Observes while `act` changes the target, one step after another.
async fn while_observing(bench: &Bench, arguments: Value, act: Vec<Step>) -> Value {
    let target = Arc::clone(&bench.target);
    let watching = |event: &Event| matches!(event, Event::Snapshot(_) | Event::Watch(_));
    target.clear_events();
    let acting = tokio::spawn(async move {
        while !target.events().iter().any(watching) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        for step in act {
            tokio::time::sleep(Duration::from_millis(60)).await;
            step(&target);
        }
    });
    let reply = bench.json("observe_changes", arguments).await;
    acting.await.expect("the script runs");
    reply
}

fn kinds(reply: &Value) -> Vec<&str> {
    let events = reply["events"].as_array().expect("events");
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}

fn changes() -> Vec<Step> {
    vec![
        Box::new(|target| target.update(|state| state.edit("0", |node| node.text = Some("42".into())))),
        Box::new(|target| {
            target.update(|state| {
                state.edit("Memory", |node| node.flags -= Flags::FOCUSED);
                state.edit("7", |node| node.flags |= Flags::FOCUSED);
            });
        }),
        Box::new(|target| {
            target.update(|state| {
                let dialog =
                    tree("window \"About\" calculator [0,0,9,9] pid=30\nframe \"About\" role=dialog @d0");
                state.snapshot = add_windows(&state.snapshot, &dialog);
            });
        }),
        Box::new(|target| {
            target.update(|state| {
                state.snapshot =
                    keep_windows(&state.snapshot, |window| window.title.as_deref() != Some("About"));
            });
        }),
        Box::new(|target| {
            target.update(|state| state.edit("1 + 1", |node| node.flags -= Flags::VISIBLE));
        }),
    ]
}

#[tokio::test]
async fn changes_are_found_by_comparing_and_reported_when_the_time_is_over() {
    let bench = bench::desktop();
    let reply = while_observing(&bench, json!({"app": "calculator", "duration_ms": 900}), changes()).await;
    assert_eq!((&reply["source"], &reply["ended"]), (&json!("snapshots"), &json!("time")));
    assert_eq!(
        kinds(&reply),
        ["value_changed", "focus_changed", "window_created", "window_destroyed", "children_changed"]
    );
    assert_eq!(reply["events"][0]["element"]["title"], "42");
    assert!(reply["events"][0]["element"]["id"].is_string());
    assert_eq!(reply["events"][1]["element"]["title"], "7");
    assert_eq!(reply["events"][2]["title"], "About");
    assert_eq!(reply["events"][4]["element"]["title"], "History");
    assert_eq!((&reply["resultCount"], &reply["hasMoreResults"]), (&json!(5), &json!(false)));
}

#[tokio::test]
async fn without_reports_of_change_it_is_polled() {
    let target = bench::desktop_target(sample::desktop());
    let can = target.capabilities() - Capabilities::EVENTS;
    let bench = bench::with(target.with_capabilities(can));
    let act: Vec<Step> = changes().into_iter().take(1).collect();
    let reply = while_observing(&bench, json!({"app": "calculator", "duration_ms": 800}), act).await;
    assert_eq!(kinds(&reply), ["value_changed"]);
}

#[tokio::test]
async fn kinds_and_numbers_of_events_are_limited() {
    let bench = bench::desktop();
    let arguments = json!({"app": 30, "duration_ms": 900, "kinds": ["focus_changed", "title_changed"]});
    assert_eq!(kinds(&while_observing(&bench, arguments, changes()).await), ["focus_changed"]);
    let bench = bench::desktop();
    let arguments = json!({"app": 30, "duration_ms": 20_000, "max_events": 2});
    let reply = while_observing(&bench, arguments, changes().into_iter().take(2).collect()).await;
    assert_eq!((&reply["ended"], &reply["hasMoreResults"]), (&json!("max_events"), &json!(true)));
    assert_eq!(reply["resultCount"], 2);
}

#[tokio::test]
async fn nothing_and_what_happens_elsewhere_is_no_event() {
    let bench = bench::desktop();
    let elsewhere: Vec<Step> = vec![Box::new(|target| {
        target.update(|state| state.edit("Password", |node| node.description = Some("Other".into())));
    })];
    let reply = while_observing(&bench, json!({"app": "calculator", "duration_ms": 300}), elsewhere).await;
    assert_eq!((&reply["events"], &reply["ended"]), (&json!([]), &json!("time")));
}

#[tokio::test]
async fn the_end_of_the_application_ends_it() {
    let bench = bench::desktop();
    let quit: Vec<Step> = vec![Box::new(|target| {
        target.update(|state| {
            state.snapshot = keep_windows(&state.snapshot, |window| window.pid != Some(30));
        });
    })];
    let arguments = json!({"app": "calculator", "duration_ms": 20_000, "kinds": ["value_changed"]});
    let reply = while_observing(&bench, arguments, quit).await;
    assert_eq!((kinds(&reply), &reply["ended"]), (vec!["app_quit"], &json!("app_quit")));
    let (kind, _) = bench.failure("observe_changes", json!({"app": "calculator"})).await;
    assert_eq!(kind, "app_not_running");
}

fn watched() -> Bench {
    let target = bench::desktop_target(sample::desktop());
    let can = target.capabilities() | Capabilities::WATCH;
    bench::with(target.with_capabilities(can))
}

fn reports(kind: UiEventKind, node: Option<Node>) -> Step {
    let app = AppRef { name: "calculator".into(), pid: Some(30) };
    Box::new(move |target| target.report(UiEvent { kind, app, node, title: None }))
}

#[tokio::test]
async fn events_are_taken_from_the_platform_where_it_reports_them() {
    let bench = watched();
    let desktop = sample::desktop();
    let display = |text: &str| Some(desktop.node(find(&desktop, "0")).clone().text(text));
    let act = vec![
        reports(UiEventKind::ValueChanged, display("1")),
        reports(UiEventKind::ValueChanged, display("12")),
        reports(UiEventKind::FocusChanged, None),
    ];
    let reply = while_observing(&bench, json!({"app": "calculator", "duration_ms": 500}), act).await;
    assert_eq!((&reply["source"], &reply["ended"]), (&json!("events"), &json!("time")));
    assert_eq!(kinds(&reply), ["value_changed", "focus_changed"]);
    let value = &reply["events"][0];
    assert_eq!(
        (&value["element"]["title"], &value["count"]),
        (&json!("12"), &json!(2)),
        "letters are counted"
    );
    let found = bench.json("find_element", json!({"app": 30, "identifier": "display"})).await;
    assert_eq!(value["element"]["id"], found["elements"][0]["id"], "an event names the same element");
    let quit = vec![reports(UiEventKind::AppQuit, None)];
    let reply = while_observing(&bench, json!({"app": "calculator", "duration_ms": 20_000}), quit).await;
    assert_eq!(reply["ended"], "app_quit");
}
