//! Opening and closing what may not be acted on: by name, by wrapper, by link, by shadow, by what comes up instead.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fingertip_core::target::{LaunchPlan, TargetKind};
use fingertip_core::test_support::{Event, ScriptedTarget, sample};
use fingertip_mcp::dispatch::CallError;
use fingertip_mcp::dispatch::Interface;
use fingertip_mcp::policy::blocklist::Pattern;
use fingertip_mcp::policy::confirm::{Answer, Asker, Question};
use fingertip_mcp::policy::{Audit, Blocklist, Caller, Confirm, Policy};
use serde_json::{Value, json};

use crate::bench::{self, Bench};

fn pattern(text: &str) -> Pattern {
    Pattern::new(text).expect("a pattern")
}

fn plan(id: &str, name: &str, programs: &[&str]) -> LaunchPlan {
    LaunchPlan {
        id: id.into(),
        name: name.into(),
        programs: programs.iter().map(|program| (*program).into()).collect(),
        words: programs.iter().map(|program| (*program).to_owned()).collect(),
        vetted: true,
        ..LaunchPlan::default()
    }
}

/// A desktop on which these can be opened.
fn desktop(policy: Policy, installed: Vec<LaunchPlan>) -> Bench {
    let target = ScriptedTarget::new("desktop", sample::desktop()).with_kind(TargetKind::Desktop);
    let bench = bench::under(policy, target);
    bench.target.update(|state| state.installed = installed);
    bench
}

async fn refused(bench: &Bench, tool: &str, arguments: Value) -> String {
    let (kind, text) = bench.failure(tool, arguments).await;
    assert_eq!(kind, "refused", "{text}");
    assert_eq!(bench.target.writes(), [], "it reached the target");
    text
}

#[tokio::test]
async fn a_blocked_application_is_not_opened_by_any_of_its_names() {
    let bench = desktop(
        Policy::default(),
        vec![
            plan("xterm", "Plain", &["plain"]),
            plan("a", "KeePassXC", &["plain"]),
            plan("b", "Friendly", &["xterm"]),
            plan("c", "Wrapper", &["sh", "dash", "exec", "xterm"]),
            plan("d", "Link", &["x-terminal-emulator", "xterm"]),
            LaunchPlan { aliases: vec!["XTerm".into()], ..plan("e", "Class", &["plain"]) },
        ],
    );
    for id in ["xterm", "a", "b", "c", "d", "e"] {
        let text = refused(&bench, "open_app", json!({ "app": id })).await;
        assert!(text.contains("--allow-app") && text.contains("built in"), "{text}");
    }
    let listed = bench.json("list_apps", json!({})).await;
    let blocked = listed["apps"].as_array().unwrap().iter().filter(|app| app["blocked"] == true).count();
    assert_eq!(blocked, 5, "all but the one known by its window class: {listed}");
}

#[tokio::test]
async fn a_friendly_name_that_is_allowed_covers_no_blocked_program() {
    let blocklist = Blocklist::default().allowing(vec![pattern("editor"), pattern("xterm")]);
    let policy = Policy { blocklist: Arc::new(blocklist), ..Policy::default() };
    let bench = desktop(
        policy,
        vec![
            plan("editor", "editor", &["kitty"]),
            plan("wrapped", "x", &["editor", "kitty"]),
            plan("org.x.Terminal", "Terminal", &["xterm"]),
        ],
    );
    for id in ["editor", "wrapped"] {
        assert!(refused(&bench, "open_app", json!({ "app": id })).await.contains("\"kitty\""));
    }
    // To free a program frees the entry that runs it.
    bench.json("open_app", json!({"app": "org.x.Terminal"})).await;
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn what_the_user_s_own_folders_hold_is_a_command_and_takes_the_owner_s_leave() {
    let own = LaunchPlan { vetted: false, ..plan("mine", "Mine", &["plain"]) };
    let bench = desktop(Policy::default(), vec![own.clone()]);
    assert!(refused(&bench, "open_app", json!({"app": "mine"})).await.contains("--allow-commands"));
    let asked: Vec<bool> = bench.target.events().into_iter().filter_map(asked_for_unvetted).collect();
    assert_eq!(asked, [false], "the target is not asked for it");

    let bench = desktop(Policy { allow_commands: true, ..Policy::default() }, vec![own]);
    bench.json("open_app", json!({"app": "mine"})).await;
    let asked: Vec<bool> = bench.target.events().into_iter().filter_map(asked_for_unvetted).collect();
    assert_eq!(asked, [true]);

    let blocked = LaunchPlan { vetted: false, ..plan("mine", "Mine", &["xterm"]) };
    let bench = desktop(Policy { allow_commands: true, ..Policy::default() }, vec![blocked]);
    refused(&bench, "open_app", json!({"app": "mine"})).await;
}

fn asked_for_unvetted(event: Event) -> Option<bool> {
    match event {
        Event::PlanLaunch(request) => Some(request.unvetted),
        _ => None,
    }
}

#[tokio::test]
async fn a_window_of_a_blocked_program_that_came_instead_is_named_and_left_alone() {
    // What is written down names no terminal; what comes up is one.
    let sly = LaunchPlan { words: vec!["/opt/sly/xterm".to_owned()], ..plan("sly", "Sly", &["sly"]) };
    let bench = desktop(Policy::default(), vec![sly]);
    let (kind, text) = bench.failure("open_app", json!({"app": "sly"})).await;
    assert_eq!(kind, "refused");
    assert!(text.contains("was opened") && text.contains("\"xterm\""), "{text}");
    assert_eq!(bench.target.writes().len(), 1);
    let (kind, _) = bench.failure("window_action", json!({"app": "xterm", "action": "close"})).await;
    assert_eq!(kind, "refused", "it is left alone");
}

#[tokio::test]
async fn windows_of_a_blocked_application_are_not_acted_on_nor_closed() {
    let policy = Policy {
        blocklist: Arc::new(Blocklist::empty().blocking(vec![pattern("calculator")])),
        ..Policy::default()
    };
    let bench = desktop(policy, Vec::new());
    for action in ["activate", "close", "minimize", "maximize", "restore"] {
        refused(&bench, "window_action", json!({"window": "Calculator", "action": action})).await;
    }
    refused(&bench, "window_action", json!({"app": 30, "action": "move", "x": 1, "y": 1})).await;
    refused(&bench, "close_app", json!({"app": "calculator"})).await;
    refused(&bench, "close_app", json!({"app": 30})).await;
    bench.json("window_action", json!({"app": 11, "action": "activate"})).await;
}

#[tokio::test]
async fn a_blocked_package_is_neither_opened_nor_stopped() {
    let package = "com.x8bit.bitwarden";
    let bench = bench::under(Policy::default(), ScriptedTarget::new("phone", sample::phone()));
    bench.target.update(|state| state.installed = vec![plan(package, package, &[package])]);
    refused(&bench, "open_app", json!({"app": package})).await;
    refused(&bench, "close_app", json!({"app": package})).await;
}

#[tokio::test]
async fn read_only_offers_the_list_and_nothing_that_opens() {
    let policy = Policy { read_only: true, ..Policy::default() };
    let bench = desktop(policy, vec![plan("a", "A", &["plain"])]);
    let names: Vec<String> =
        bench.dispatcher.tools().into_iter().map(|tool| tool.name.into_owned()).collect();
    assert!(names.iter().any(|name| name == "list_apps"));
    for name in ["open_app", "close_app", "window_action"] {
        assert!(!names.iter().any(|known| known == name), "{name}");
        let arguments = json!({"app": "a", "window": "Calculator", "action": "close"});
        let arguments = arguments.as_object().expect("an object").clone();
        let outcome =
            bench.dispatcher.answer(Interface::Current, name, &arguments, Caller::over("stdio")).await;
        assert!(matches!(outcome, Err(CallError::UnknownTool)), "{name}");
    }
    assert_eq!(bench.target.writes(), []);
}

/// A user who says yes, and something that happens while they think.
struct Yes<F: Fn() + Send + Sync>(Mutex<Vec<String>>, F);

#[async_trait]
impl<F: Fn() + Send + Sync> Asker for Yes<F> {
    async fn ask(&self, question: &Question) -> Answer {
        self.0.lock().expect("a lock").push(question.sentence.clone());
        (self.1)();
        Answer::Yes
    }
}

async fn ask<F: Fn() + Send + Sync + 'static>(
    bench: &Bench,
    user: &Arc<Yes<F>>,
    tool: &str,
    arguments: Value,
) -> Result<(), CallError> {
    let caller = Caller { asker: Arc::clone(user) as Arc<dyn Asker>, ..Caller::over("stdio") };
    let arguments = arguments.as_object().expect("an object").clone();
    bench.dispatcher.answer(Interface::Current, tool, &arguments, caller).await.map(drop)
}

fn confirming(installed: Vec<LaunchPlan>) -> Bench {
    let names = ["open_app", "close_app", "window_action"];
    let policy = Policy { confirm: Confirm::new(&names).expect("known names"), ..Policy::default() };
    desktop(policy, installed)
}

#[tokio::test]
async fn the_question_says_what_will_be_started_and_the_yes_is_for_that() {
    let bench = confirming(vec![plan("a", "Nice \"App\"", &["/usr/bin/nice", "--now"])]);
    let user = Arc::new(Yes(Mutex::default(), || ()));
    ask(&bench, &user, "open_app", json!({"app": "a", "file": "/tmp/x"})).await.expect("opened");
    let asked = user.0.lock().unwrap().clone();
    assert_eq!(
        asked,
        [
            "An agent wants to use open_app (app: \"a\", file: \"/tmp/x\") on the device \"desktop\", which starts \
          \"Nice \\\"App\\\"\" by \"/usr/bin/nice\" \"--now\" \"/tmp/x\". Allow it?"
        ]
    );
    assert_eq!(bench.target.writes().len(), 1);

    // The entry is turned into another one while the user thinks.
    let target = Arc::clone(&bench.target);
    let sly = Arc::new(Yes(Mutex::default(), move || {
        target.update(|state| state.installed[0].words = vec!["/usr/bin/evil".to_owned()]);
    }));
    let outcome = ask(&bench, &sly, "open_app", json!({"app": "a"})).await;
    let Err(CallError::Failed(error)) = outcome else { panic!("it was opened") };
    assert_eq!(error.reason().name(), "refused");
    assert_eq!(bench.target.writes().len(), 1, "nothing more was opened");
}

#[tokio::test]
async fn a_yes_for_a_window_is_for_that_window() {
    let bench = confirming(Vec::new());
    let user = Arc::new(Yes(Mutex::default(), || ()));
    ask(&bench, &user, "window_action", json!({"app": 11, "action": "minimize"})).await.expect("done");
    ask(&bench, &user, "close_app", json!({"app": 11})).await.expect("done");
    let asked = user.0.lock().unwrap().clone();
    assert!(asked[0].contains("on the window \"Notes\"") && asked[0].contains("\"editor\""), "{}", asked[0]);
    assert_eq!(bench.target.writes().len(), 2);
}

#[tokio::test]
async fn the_log_names_what_was_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let audit = Arc::new(Audit::open(&path).expect("a log"));
    let installed = vec![plan("org.x.paint", "Paint", &["paint"]), plan("t", "T", &["xterm"])];
    let bench = desktop(Policy { audit: Some(audit), ..Policy::default() }, installed);
    bench.json("open_app", json!({"app": "Paint", "file": "/home/secret-name.txt"})).await;
    refused_after(&bench, "t").await;
    let text = std::fs::read_to_string(path).expect("a log");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["outcome"], "begun");
    assert!(lines[0].to_string().contains("org.x.paint") && lines[1].to_string().contains("org.x.paint"));
    assert_eq!(lines.last().unwrap()["rule"], "blocklist xterm*");
    assert!(!text.contains("secret-name"), "no argument is kept");
}

async fn refused_after(bench: &Bench, app: &str) {
    let (kind, _) = bench.failure("open_app", json!({ "app": app })).await;
    assert_eq!(kind, "refused");
}
