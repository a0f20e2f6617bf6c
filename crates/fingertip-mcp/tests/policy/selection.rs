//! Tools that are not offered: hidden, and refused however they are called.

use std::sync::Arc;

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::dispatch::Interface;
use fingertip_mcp::policy::{Policy, ToolSelection};
use fingertip_mcp::targets::Targets;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::bench;

fn selecting(only: &[&str], without: &[&str]) -> Policy {
    Policy {
        selection: ToolSelection::new((!only.is_empty()).then_some(only), without).expect("known names"),
        ..Policy::default()
    }
}

fn names(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.tools().into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[tokio::test]
async fn a_tool_left_out_is_neither_listed_nor_callable_under_any_spelling() {
    let bench = bench::under(selecting(&[], &["tap"]), ScriptedTarget::new("phone", sample::phone()));
    assert!(!names(&bench.dispatcher).contains(&"tap".to_owned()));
    let arguments = json!({"x": 1, "y": 1}).as_object().expect("an object").clone();
    for name in
        ["tap", "TAP", "Tap", " tap", "tap ", "tap\0", "device.tap", "device/tap", "tools/tap", "t\u{430}p"]
    {
        for interface in [Interface::Current, Interface::V1] {
            let outcome =
                bench.dispatcher.answer(interface, name, &arguments, CancellationToken::new()).await;
            assert!(outcome.is_err(), "{name}");
        }
    }
    assert_eq!(bench.target.events(), []);
}

#[tokio::test]
async fn only_the_tools_chosen_exist() {
    let bench = bench::under(
        selecting(&["tap", "get_screen_state"], &[]),
        ScriptedTarget::new("phone", sample::phone()),
    );
    assert_eq!(names(&bench.dispatcher), ["get_screen_state", "tap"]);
    let outcome = bench.dispatcher.call("swipe", &serde_json::Map::new(), CancellationToken::new()).await;
    assert_eq!(outcome.expect_err("refused").code.0, -32602);
}

#[tokio::test]
async fn a_client_that_listed_before_the_policy_changed_is_refused() {
    let targets = Arc::new(Targets::new(""));
    let target = Arc::new(ScriptedTarget::new("phone", sample::phone()));
    targets.attach(Arc::clone(&target) as Arc<dyn fingertip_core::Target>);
    targets.settle();
    let before = Dispatcher::new(Arc::clone(&targets), Policy::default());
    let listed = names(&before);
    let after = Dispatcher::new(targets, Policy { read_only: true, ..Policy::default() });
    let writing = listed.iter().filter(|name| !names(&after).contains(name));
    let mut count = 0;
    for name in writing {
        for interface in [Interface::Current, Interface::V1] {
            let outcome =
                after.answer(interface, name, &serde_json::Map::new(), CancellationToken::new()).await;
            assert!(outcome.is_err(), "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 25);
    assert_eq!(target.events(), []);
}
