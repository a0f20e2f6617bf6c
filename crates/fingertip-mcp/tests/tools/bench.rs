//! A scripted phone behind a dispatcher, and short ways to call it.

use std::sync::Arc;

use fingertip_core::Snapshot;
use fingertip_core::target::{Capabilities, TargetKind};
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::targets::Targets;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A scripted phone behind a dispatcher.
pub(crate) struct Bench {
    pub(crate) target: Arc<ScriptedTarget>,
    pub(crate) dispatcher: Arc<Dispatcher>,
}

/// A bench with the sample phone.
pub(crate) fn phone() -> Bench {
    showing(sample::phone())
}

/// A bench with the sample desktop, which can do all but what only phones can.
pub(crate) fn desktop() -> Bench {
    desktop_showing(sample::desktop())
}

/// A bench with a desktop that shows these windows.
pub(crate) fn desktop_showing(snapshot: Snapshot) -> Bench {
    with(desktop_target(snapshot))
}

/// A desktop that shows these windows, compared by snapshots when it is observed.
pub(crate) fn desktop_target(snapshot: Snapshot) -> ScriptedTarget {
    let phones_only =
        Capabilities::SYSTEM_KEYS | Capabilities::LOGS | Capabilities::MULTI_TOUCH | Capabilities::WATCH;
    ScriptedTarget::new("desktop", snapshot)
        .with_kind(TargetKind::Desktop)
        .with_capabilities(Capabilities::all() - phones_only)
}

/// A bench that shows this screen.
pub(crate) fn showing(snapshot: Snapshot) -> Bench {
    with(ScriptedTarget::new("phone", snapshot))
}

/// A bench with this target.
pub(crate) fn with(target: ScriptedTarget) -> Bench {
    let target = Arc::new(target);
    Bench { dispatcher: dispatcher(&[Arc::clone(&target)]), target }
}

/// A bench with this target under this policy.
pub(crate) fn under(policy: Policy, target: ScriptedTarget) -> Bench {
    let target = Arc::new(target);
    Bench { dispatcher: dispatcher_under(policy, &[Arc::clone(&target)]), target }
}

/// A dispatcher over these targets.
pub(crate) fn dispatcher(all: &[Arc<ScriptedTarget>]) -> Arc<Dispatcher> {
    dispatcher_under(Policy::default(), all)
}

/// A dispatcher over these targets, under this policy.
pub(crate) fn dispatcher_under(policy: Policy, all: &[Arc<ScriptedTarget>]) -> Arc<Dispatcher> {
    let targets = Arc::new(Targets::new("Attach one."));
    for target in all {
        targets.attach(Arc::clone(target) as Arc<dyn fingertip_core::Target>);
    }
    targets.settle();
    Arc::new(Dispatcher::new(targets, policy))
}

/// Calls a tool and gives the result as it goes over the wire.
pub(crate) async fn call(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let result = dispatcher.call(name, &arguments, CancellationToken::new()).await;
    serde_json::to_value(result.expect("a tool result")).expect("serializes")
}

impl Bench {
    /// Calls a tool and gives the result as it goes over the wire.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Value {
        call(&self.dispatcher, name, arguments).await
    }

    /// The text of a call that must succeed.
    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_ne!(result["isError"], json!(true), "{name}: {result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// The structured content of a call that must succeed.
    pub(crate) async fn json(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert_ne!(result["isError"], json!(true), "{name}: {result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), structured, "both forms agree");
        structured
    }

    /// The `error_type` and the text of a call that must fail.
    pub(crate) async fn failure(&self, name: &str, arguments: Value) -> (String, String) {
        let result = self.call(name, arguments).await;
        assert_eq!(result["isError"], json!(true), "{name} must fail: {result}");
        assert_eq!(result["structuredContent"]["operation"], name);
        let kind = result["structuredContent"]["error_type"].as_str().expect("a type").to_owned();
        (kind, result["content"][0]["text"].as_str().expect("a text").to_owned())
    }

    /// The id of the first element with this text or description.
    pub(crate) async fn id(&self, label: &str) -> String {
        for by in ["text", "content_desc"] {
            let found =
                self.json("find_elements", json!({"by": by, "value": label, "exact_match": true})).await;
            if let Some(id) = found["elements"][0]["id"].as_str() {
                return id.to_owned();
            }
        }
        panic!("no element is labelled {label:?}");
    }

    /// The id of the element with this resource id.
    pub(crate) async fn id_of(&self, resource_id: &str) -> String {
        let found = self.json("find_elements", json!({"by": "resource_id", "value": resource_id})).await;
        found["elements"][0]["id"].as_str().expect("an element").to_owned()
    }
}
