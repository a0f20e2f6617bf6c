//! Listing, opening and closing applications.

use fingertip_core::target::{Capabilities, LaunchPlan, WindowAction};
use fingertip_core::test_support::{Event, ScriptedTarget, sample};
use serde_json::json;

use super::bench::{self, Bench};

fn installed(id: &str, name: &str, program: &str) -> LaunchPlan {
    LaunchPlan {
        id: id.into(),
        name: name.into(),
        programs: vec![program.into()],
        words: vec![format!("/usr/bin/{program}")],
        vetted: true,
        ..LaunchPlan::default()
    }
}

fn desktop() -> Bench {
    let bench = bench::desktop();
    bench.target.update(|state| {
        state.installed = vec![
            installed("org.x.paint", "Paint", "paint"),
            installed("org.x.calc", "Calculator", "calculator"),
            installed("org.x.term", "Terminal", "xterm"),
        ];
    });
    bench
}

#[tokio::test]
async fn what_is_in_front_and_what_runs_come_first_and_false_is_left_out() {
    let listed = desktop().json("list_apps", json!({})).await;
    assert_eq!(
        listed,
        json!({
            "apps": [
                {"id": "org.x.calc", "name": "Calculator", "running": true, "pids": [30], "front": true},
                {"id": "editor", "running": true, "pids": [10], "cannotOpen": "it has no entry"},
                {"id": "editor", "running": true, "pids": [11], "cannotOpen": "it has no entry"},
                {"id": "org.x.paint", "name": "Paint"},
                {"id": "org.x.term", "name": "Terminal", "blocked": true},
            ],
            "totalCount": 5,
            "hasMoreResults": false,
        })
    );
}

#[tokio::test]
async fn a_list_is_searched_and_says_when_it_is_cut() {
    let bench = desktop();
    let found = bench.json("list_apps", json!({"query": "PAINT"})).await;
    assert_eq!(found["apps"], json!([{"id": "org.x.paint", "name": "Paint"}]));
    let running = bench.json("list_apps", json!({"running": true})).await;
    assert_eq!(running["totalCount"], 3);
    let cut = bench.json("list_apps", json!({"max_results": 1})).await;
    assert_eq!((&cut["apps"].as_array().unwrap().len(), &cut["hasMoreResults"]), (&1, &json!(true)));
    assert!(cut["note"].as_str().unwrap().contains("'query'"));
}

#[tokio::test]
async fn an_application_is_opened_with_a_file_and_its_window_returned() {
    let bench = desktop();
    let reply = bench.json("open_app", json!({"app": "Paint", "file": "/home/a/b.png"})).await;
    assert_eq!(
        reply,
        json!({
            "app": "org.x.paint", "name": "Paint", "wasRunning": false,
            "window": {"title": "Paint", "app": "paint", "pid": 1004, "frontmost": true},
        })
    );
    let writes = bench.target.writes();
    let [Event::Launch(plan)] = writes.as_slice() else { panic!("{writes:?}") };
    assert_eq!(plan.words, ["/usr/bin/paint", "/home/a/b.png"]);
    let windows = bench.json("list_windows", json!({})).await;
    assert_eq!(windows["windows"][0]["title"], "Paint", "it is there");
    let again = bench.json("open_app", json!({"app": "org.x.paint"})).await;
    assert_eq!(again["wasRunning"], true);
}

#[tokio::test]
async fn what_is_no_path_and_no_url_and_what_hides_characters_is_refused_at_once() {
    let bench = desktop();
    for (arguments, named) in [
        (json!({"app": "Paint", "file": "notes.txt"}), "'file'"),
        (json!({"app": "Paint", "file": "-rf"}), "'file'"),
        (json!({"app": "Paint", "file": "/a\u{0}b"}), "'file'"),
        (json!({"app": "Pa\nint"}), "'app'"),
    ] {
        let (kind, text) = bench.failure("open_app", arguments).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains(named), "{text}");
    }
    let (kind, _) = bench.failure("open_app", json!({"app": "Nothing"})).await;
    assert_eq!(kind, "element_not_found");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn an_application_is_closed_by_its_process_where_names_are_not_unique() {
    let bench = desktop();
    let (kind, _) = bench.failure("close_app", json!({"app": "editor"})).await;
    assert_eq!(kind, "ambiguous");
    let reply = bench.json("close_app", json!({"app": 10})).await;
    assert_eq!(reply, json!({"app": "editor", "closed": true, "windowsClosed": 2}));
    let windows = bench.json("list_windows", json!({"include_minimized": true})).await;
    assert_eq!(windows["totalCount"], 2);
    let (kind, _) = bench.failure("close_app", json!({"app": 10})).await;
    assert_eq!(kind, "app_not_running");
}

#[tokio::test]
async fn a_phone_closes_only_what_has_an_icon() {
    let bench = bench::phone();
    bench.target.update(|state| state.installed = vec![installed(sample::APP, sample::APP, sample::APP)]);
    let (kind, _) = bench.failure("close_app", json!({"app": "com.android.systemui"})).await;
    assert_eq!(kind, "element_not_found");
    let (kind, _) = bench.failure("close_app", json!({"app": 7})).await;
    assert_eq!(kind, "invalid_params");
    assert_eq!(bench.target.writes(), []);
    let reply = bench.json("close_app", json!({"app": sample::APP})).await;
    assert_eq!(reply["closed"], true);
}

#[test]
fn what_a_target_cannot_do_is_not_offered() {
    let without = Capabilities::all() - Capabilities::WINDOWS - Capabilities::CLOSE_APPS;
    let target = ScriptedTarget::new("desktop", sample::desktop())
        .with_kind(fingertip_core::target::TargetKind::Desktop)
        .with_capabilities(without);
    let tools = bench::with(target).dispatcher.tools();
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    assert!(has("open_app") && has("list_apps") && !has("close_app") && !has("window_action"));
    assert_eq!(WindowAction::Minimize.name(), "minimize");
}
