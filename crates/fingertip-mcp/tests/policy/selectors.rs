//! Attempts to get round the policy by a selector: what is judged, asked about and written down is what is acted on.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fingertip_core::Snapshot;
use fingertip_core::test_support::{Event, ScriptedTarget, tree};
use fingertip_mcp::dispatch::{CallError, Interface};
use fingertip_mcp::policy::blocklist::Pattern;
use fingertip_mcp::policy::confirm::{Answer, Asker, Question};
use fingertip_mcp::policy::{Audit, Blocklist, Caller, Confirm, Policy};
use serde_json::{Value, json};

use crate::bench::{self, Bench};

const VAULT: &str = "com.x8bit.bitwarden";

fn screen(app: &str, label: &str) -> Snapshot {
    tree(&format!(
        r#"
        screen 1080x2400@420
        app {app} .Main
        window "Main" {app} [0,0,1080,2400] layer=1 focused
        FrameLayout role=group [0,0,1080,2400]
          Button "{label}" role=button [100,800,300,900] cf
          EditText "0" role=text_field #display [42,420,1038,546] clfeo
        "#
    ))
}

fn confirming(names: &[&str]) -> Bench {
    let confirm = Confirm::new(names).expect("known names");
    let policy = Policy { confirm, blocklist: Arc::new(Blocklist::empty()), ..Policy::default() };
    bench::under(policy, ScriptedTarget::new("phone", screen("com.example", "Save")))
}

/// A user who agrees after something happened to the screen, and remembers what was asked.
struct User(Arc<ScriptedTarget>, fn(&ScriptedTarget), Mutex<Vec<Question>>);

#[async_trait]
impl Asker for User {
    async fn ask(&self, question: &Question) -> Answer {
        self.2.lock().expect("a lock").push(question.clone());
        (self.1)(&self.0);
        Answer::Yes
    }
}

async fn ask(
    bench: &Bench,
    meanwhile: fn(&ScriptedTarget),
    tool: &str,
    call: Value,
) -> (Result<(), CallError>, Vec<Question>) {
    let user = Arc::new(User(Arc::clone(&bench.target), meanwhile, Mutex::default()));
    let caller = Caller { asker: Arc::clone(&user) as Arc<dyn Asker>, ..Caller::over("stdio") };
    let call = call.as_object().expect("an object").clone();
    let outcome = bench.dispatcher.answer(Interface::Current, tool, &call, caller).await.map(drop);
    let asked = user.2.lock().expect("a lock").clone();
    (outcome, asked)
}

fn save() -> Value {
    json!({"element_id": r#"button "Save""#})
}

#[tokio::test]
async fn a_blocked_application_is_not_acted_on_by_a_selector() {
    let patterns = vec![Pattern::new(VAULT).expect("a pattern")];
    let policy = Policy { blocklist: Arc::new(Blocklist::empty().blocking(patterns)), ..Policy::default() };
    let bench = bench::under(policy, ScriptedTarget::new("phone", screen(VAULT, "Unlock")));
    for (tool, call) in [
        ("click_element", json!({"element_id": r#"button "Unlock""#})),
        ("long_click_element", json!({"element_id": "text_field"})),
        ("set_text", json!({"element_id": "#display", "text": "1"})),
        ("press_key", json!({"element_id": "text_field", "key": "ENTER"})),
    ] {
        let (kind, text) = bench.failure(tool, call).await;
        assert_eq!(kind, "refused", "{tool}: {text}");
        assert!(text.contains(VAULT), "{tool}: {text}");
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn candidates_show_no_more_of_a_blocked_application_than_a_look_does() {
    let patterns = vec![Pattern::new(VAULT).expect("a pattern")];
    let policy = Policy { blocklist: Arc::new(Blocklist::empty().blocking(patterns)), ..Policy::default() };
    let mut vault = screen(VAULT, "Unlock");
    vault = fingertip_core::test_support::edit::map_nodes(&vault, |_, node| {
        if node.resource_id.is_some() {
            node.flags |= fingertip_core::Flags::PASSWORD;
        }
    });
    let bench = bench::under(policy, ScriptedTarget::new("phone", vault));
    let shown = bench.text("get_screen_state", json!({"format": "lean"})).await;
    let result = bench.call("click_element", json!({"element_id": r#"link /./"#})).await;
    let candidates = result["structuredContent"]["candidates"].as_array().expect("candidates");
    assert!(!candidates.is_empty());
    for candidate in candidates {
        let line = format!("{} {}", candidate["id"].as_str().unwrap(), candidate["label"].as_str().unwrap());
        assert!(shown.lines().any(|shown| shown == line), "{line}");
    }
}

#[tokio::test]
async fn a_tool_that_is_not_offered_looks_at_nothing() {
    let policy = Policy { read_only: true, ..Policy::default() };
    let bench = bench::under(policy, ScriptedTarget::new("phone", screen("com.example", "Save")));
    let call = save();
    let outcome = bench
        .dispatcher
        .answer(Interface::Current, "click_element", call.as_object().unwrap(), Caller::over("stdio"))
        .await;
    assert!(matches!(outcome, Err(CallError::UnknownTool)));
    assert_eq!(bench.target.events(), []);
}

#[tokio::test]
async fn the_question_names_the_selector_and_the_element() {
    let bench = confirming(&["click_element"]);
    let id = bench.id("Save").await;
    let (outcome, asked) = ask(&bench, |_| {}, "click_element", save()).await;
    outcome.expect("done");
    assert_eq!(
        asked[0].sentence,
        format!(
            "An agent wants to use click_element (element_id: \"button \\\"Save\\\"\", which is {id}) on Button \"Save\" \
             on the device \"phone\", where \"com.example\" is in front. Allow it?"
        )
    );
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn a_yes_holds_for_the_element_that_was_meant_when_it_was_asked() {
    let bench = confirming(&["click_element"]);
    let (_, before) = ask(&bench, |_| {}, "click_element", save()).await;
    bench.target.clear_events();
    // Another button of the same name, elsewhere, comes for the one that was asked about.
    let replaced: fn(&ScriptedTarget) = |target| {
        target.update(|state| state.snapshot = screen("com.other", "Save"));
    };
    let (outcome, _) = ask(&bench, replaced, "click_element", save()).await;
    let Err(CallError::Failed(error)) = outcome else { panic!("it was done") };
    assert_eq!(error.reason().name(), "refused", "{error}");
    assert_eq!(bench.target.writes(), []);
    // Asked again, it is another call: the selector means another element.
    let (_, after) = ask(&bench, |_| {}, "click_element", save()).await;
    assert_ne!((before[0].call, before[0].place), (after[0].call, after[0].place));
}

#[tokio::test]
async fn what_no_longer_matches_is_not_replaced_by_what_does() {
    // Resolved by the first look; by the next one the button says something else, and another one says "Save".
    let bench = bench::showing(screen("com.example", "Save"));
    let mut looks = 0;
    bench.target.on_event(move |event, state| {
        if matches!(event, Event::Snapshot(_)) {
            looks += 1;
        }
        if looks == 2 {
            state.snapshot = tree(
                r#"
                screen 1080x2400@420
                app com.example .Other
                window "Other" com.example [0,0,1080,2400] layer=1 focused
                LinearLayout role=group [0,0,1080,2400]
                  ListView role=list [0,0,1080,1000] s
                    Button "Save" role=button [700,1800,900,1900] cf
                "#,
            );
        }
    });
    let result = bench.call("click_element", save()).await;
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(bench.target.writes(), [], "the other button was not meant");
}

#[tokio::test]
async fn nothing_of_the_screen_is_returned_before_the_user_is_asked() {
    let bench = confirming(&["click_element", "get_screen_state"]);
    for selector in [r#"button "Savee""#, "/S/ [2]"] {
        let call = json!({ "element_id": selector });
        // A client that cannot be asked learns nothing, whether it matches or not.
        let (kind, text) = bench.failure("click_element", call.clone()).await;
        assert_eq!(kind, "refused", "{text}");
        assert!(!text.contains("\"Save\""), "{text}");
        let (outcome, asked) = ask(&bench, |_| {}, "click_element", call).await;
        let Err(CallError::Failed(error)) = outcome else { panic!("it was done") };
        assert_eq!(error.reason().name(), "element_not_found");
        assert!(asked[0].sentence.contains("which is no single element"), "{}", asked[0].sentence);
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn the_log_keeps_the_element_and_of_the_selector_no_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let policy = Policy { audit: Some(Arc::new(Audit::open(&path).expect("a log"))), ..Policy::default() };
    let bench = bench::under(policy, ScriptedTarget::new("phone", screen("com.example", "Save")));
    let id = bench.id("Save").await;
    bench.text("click_element", save()).await;
    bench.failure("click_element", json!({"element_id": r#"button "Nowhere""#})).await;
    let text = std::fs::read_to_string(&path).expect("a log");
    assert!(!text.contains("Save") && !text.contains("Nowhere"), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &lines[..2] {
        let selected = &line["selected"][0];
        assert_eq!(
            (&selected["parameter"], &selected["element"]),
            (&json!("element_id"), &json!(id)),
            "{line}"
        );
        assert_eq!(selected["selector"]["characters"], 13);
    }
    assert_eq!(lines[2]["outcome"], "element_not_found");
    assert!(lines[2]["selected"][0].get("element").is_none(), "{}", lines[2]);
}

#[tokio::test]
async fn the_first_interface_takes_selectors_and_answers_as_before() {
    let bench = bench::showing(screen("com.example", "Save"));
    let call = save();
    let by_selector = bench
        .dispatcher
        .answer(Interface::V1, "click_element", call.as_object().unwrap(), Caller::over("v1"))
        .await;
    assert!(by_selector.is_ok());
    assert_eq!(bench.target.writes().len(), 1);
}
