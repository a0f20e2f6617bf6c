//! Texts that calls name instead of writing them: they reach the target, and no reply.

use std::sync::Arc;

use fingertip_core::test_support::{Event, ScriptedTarget, sample};
use fingertip_mcp::dispatch::{Dispatcher, Interface};
use fingertip_mcp::policy::{Audit, Policy};
use fingertip_mcp::secrets::Secrets;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::bench::{self, Bench};

const VALUE: &str = "kn\"ock\\kn ✓ of the vault";
const NAMED: &str = "[secret VAULT]";

fn with_secret(policy: Policy) -> Bench {
    with_value(VALUE, policy)
}

fn with_value(value: &str, policy: Policy) -> Bench {
    let bench = bench::under(Policy::default(), ScriptedTarget::new("phone", sample::phone()));
    let mut secrets = Secrets::default();
    secrets.add_lines(&format!("# of the vault\nVAULT={value}\n")).expect("a secret");
    let targets = Arc::clone(bench.dispatcher.targets());
    let dispatcher = Dispatcher::new(targets, policy).with_secrets(secrets);
    Bench { dispatcher: Arc::new(dispatcher), ..bench }
}

fn vault() -> Value {
    json!({"secret": "VAULT"})
}

/// The reply of a call, seen to hold nothing of the value in any form.
async fn reply(bench: &Bench, tool: &str, arguments: Value) -> String {
    let reply = bench.call(tool, arguments).await.to_string();
    for part in ["ock", "of the vault"] {
        assert!(!reply.contains(part), "{tool}: {reply}");
    }
    reply
}

#[tokio::test]
async fn the_value_reaches_the_field_and_no_reply() {
    let bench = with_secret(Policy::default());
    let id = bench.id_of("search").await;
    let set = reply(&bench, "set_text", json!({"element_id": id, "text": vault(), "see": "changes"})).await;
    assert!(set.contains(NAMED), "{set}");
    let shown = bench.target.state().snapshot.clone();
    assert!(shown.indices().any(|index| shown.node(index).text.as_deref() == Some(VALUE)));

    for (tool, arguments) in [
        ("get_screen_state", json!({})),
        ("get_screen_state", json!({"format": "lean"})),
        ("find_elements", json!({"by": "resource_id", "value": "search"})),
        ("get_element_details", json!({"ids": [id]})),
        ("verify_state", json!({"conditions": [{"element": id, "text": "abc"}]})),
    ] {
        let said = reply(&bench, tool, arguments).await;
        assert!(said.contains(NAMED), "{tool}: {said}");
    }
    let steps = json!([{"tool": "input_text", "arguments": {"element_id": id, "text": vault()}}]);
    let said = reply(&bench, "run_steps", json!({"steps": steps, "see": "screen"})).await;
    assert!(said.contains(&format!("{NAMED}{NAMED}")), "{said}");
    reply(&bench, "set_clipboard", json!({"text": vault()})).await;
    assert!(reply(&bench, "get_clipboard", json!({})).await.contains(NAMED));
}

#[tokio::test]
async fn an_error_that_quotes_the_field_holds_nothing_of_it() {
    let bench = with_secret(Policy::default());
    let id = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::SetText { .. }) {
            state.edit(VALUE, |node| node.text = Some(format!("{VALUE}!").into()));
        }
    });
    let said = reply(&bench, "set_text", json!({"element_id": id, "text": vault()})).await;
    assert!(said.contains("\"isError\":true") && said.contains(NAMED), "{said}");
    let arguments = json!({"element_id": id, "text": vault()}).as_object().expect("an object").clone();
    let answer = bench.dispatcher.answer(Interface::V1, "set_text", &arguments, CancellationToken::new());
    let said = format!("{:?}", answer.await.expect_err("it holds something else"));
    assert!(said.contains(NAMED) && !said.contains("of the vault"), "{said}");
}

#[tokio::test]
async fn only_known_names_for_texts_that_are_written() {
    let bench = with_secret(Policy::default());
    let id = bench.id_of("search").await;
    let before = bench.target.writes().len();
    let (kind, said) = bench.failure("set_text", json!({"element_id": id, "text": {"secret": "BANK"}})).await;
    assert_eq!(kind, "invalid_params");
    assert!(said.contains("Parameter 'text' names the secret 'BANK'. Known secrets: VAULT."), "{said}");
    for wrong in [json!({"secret": 7}), json!({"secret": "VAULT", "more": 1}), json!({})] {
        let (kind, said) = bench.failure("set_text", json!({"element_id": id, "text": wrong})).await;
        assert!(kind == "invalid_params" && said.contains("'text' must be a text"), "{said}");
    }
    // Where it would be compared with the screen, it could be guessed.
    let (kind, _) = bench.failure("find_elements", json!({"by": "text", "value": vault()})).await;
    assert_eq!(kind, "invalid_params");
    let step = json!({"tool": "set_text", "arguments": {"element_id": id, "text": {"secret": "BANK"}}});
    let (_, said) = bench.failure("run_steps", json!({"steps": [{"tool": "press_back"}, step]})).await;
    assert!(said.contains("secret 'BANK'"), "{said}");
    assert_eq!(bench.target.writes().len(), before);
}

#[tokio::test]
async fn the_audit_log_has_neither_the_value_nor_its_digest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let audit = Some(Arc::new(Audit::open(&path).expect("a log")));
    let bench = with_secret(Policy { audit, ..Policy::default() });
    let id = bench.id_of("search").await;
    bench.text("set_text", json!({"element_id": id, "text": vault()})).await;
    let with_name = std::fs::read_to_string(&path).expect("a log");
    bench.text("set_text", json!({"element_id": id, "text": VALUE})).await;
    let all = std::fs::read_to_string(&path).expect("a log");
    let digest = |log: &str| {
        let line: Value = serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
        line["text"].clone()
    };
    assert_ne!(digest(&with_name), digest(&all));
    assert!(!all.contains("of the vault"));
}

#[tokio::test]
async fn schemas_take_names_only_where_there_are_secrets() {
    let kinds = |bench: &Bench| {
        let tool = bench.dispatcher.tool("set_text").expect("a tool");
        tool.input_schema["properties"]["text"]["type"].clone()
    };
    assert_eq!(kinds(&bench::phone()), "string");
    assert_eq!(kinds(&with_secret(Policy::default())), json!(["string", "object"]));
}

/// Replies leave out invisible characters, trim, and mark what could carry words: none of that uncovers a value.
#[tokio::test]
async fn a_value_with_characters_that_replies_leave_out_is_in_none() {
    for value in
        ["kn\u{200b}ock of the vault", " knock of  the\u{ad} vault ", "kn\u{e0041}\u{e0042}ock of the vault"]
    {
        let bench = with_value(value, Policy::default());
        let id = bench.id_of("search").await;
        reply(&bench, "set_text", json!({"element_id": id, "text": vault(), "see": "changes"})).await;
        for (tool, arguments) in [
            ("get_screen_state", json!({})),
            ("get_screen_state", json!({"format": "lean"})),
            ("get_element_details", json!({"ids": [id]})),
            ("verify_state", json!({"conditions": [{"element": id, "text": "abc"}]})),
        ] {
            let said = reply(&bench, tool, arguments).await;
            assert!(said.contains(NAMED), "{tool}: {said}");
        }
    }
}

/// A field that takes so many characters and no more keeps the beginning of a value.
#[tokio::test]
async fn a_field_that_cuts_a_value_reveals_nothing_of_it() {
    let bench = with_value("knock of the vault", Policy::default());
    let id = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::SetText { .. }) {
            state.edit("knock of the vault", |node| node.text = Some("knock of the".into()));
        }
    });
    let said = reply(&bench, "set_text", json!({"element_id": id, "text": vault()})).await;
    assert!(said.contains("\"isError\":true") && said.contains(NAMED), "{said}");
    assert!(reply(&bench, "get_screen_state", json!({})).await.contains(NAMED));
}
