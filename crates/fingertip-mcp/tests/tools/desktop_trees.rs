//! Reading a desktop: trees, searches, focus and windows, with their limits, pages and errors.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::Flags;
use fingertip_core::target::{Part, Scope};
use fingertip_core::test_support::{Event, sample, tree};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::timeouts::Timeouts;
use serde_json::{Value, json};

use super::bench::{self, Bench};

/// A window with so many rows in one list.
fn rows(count: usize) -> Bench {
    let rows: String = (0..count)
        .map(|row| format!("    row \"Row {row}\" role=row @r{row} [0,{row},9,{}]\n", row + 1))
        .collect();
    let list = format!(
        "handles lasting\nwindow \"List\" list [0,0,99,99] pid=5 focused\nframe \"List\" role=window @w\n  table \
         role=table @t\n{rows}"
    );
    bench::desktop_showing(tree(&list))
}

/// All elements of nested trees, in order.
fn flat(branches: &Value, into: &mut Vec<Value>) {
    for branch in branches.as_array().into_iter().flatten() {
        into.push(branch.clone());
        flat(&branch["children"], into);
    }
}

#[tokio::test]
async fn a_tree_is_nested_and_three_levels_deep() {
    let bench = bench::desktop();
    let reply = bench.json("get_ui_tree", json!({"app": "calculator"})).await;
    assert_eq!(reply["app"], json!({"name": "calculator", "pid": 30}));
    let window = &reply["tree"][0];
    assert_eq!((&window["role"], &window["title"]), (&json!("window"), &json!("Calculator")));
    let group = &window["children"][0];
    assert_eq!(group["childCount"], 7);
    assert_eq!(group["children"][1]["actions"], json!(["click"]));
    assert_eq!(group["children"][4]["value"], 2.0);
    assert_eq!(group["children"][4]["maximum"], 9.0);
    let list = &group["children"][6];
    assert_eq!(list["children"].as_array().unwrap().len(), 2, "rows out of view are listed too");
    assert_eq!((&reply["hasMoreResults"], reply.get("nextCursor")), (&json!(false), None));
    assert_eq!((&reply["resultCount"], &reply["totalCount"]), (&json!(11), &json!(11)));
    let shallow = bench.json("get_ui_tree", json!({"app": 30, "depth": 0})).await;
    assert_eq!(shallow["tree"][0]["childCount"], 1);
    assert!(shallow["tree"][0].get("children").is_none());
}

#[tokio::test]
async fn roles_and_attributes_are_filtered() {
    let bench = bench::desktop();
    for spelling in ["button", "AXButton", "push button"] {
        let arguments =
            json!({"app": "Calculator", "filter_roles": [spelling], "include_attributes": ["title", "path"]});
        let reply = bench.json("get_ui_tree", arguments).await;
        let titles: Vec<_> =
            reply["tree"].as_array().unwrap().iter().map(|node| node["title"].clone()).collect();
        assert_eq!(titles, ["7", "+"], "{spelling}");
        assert_eq!(reply["tree"][0]["path"], r#"app(30)/window["Calculator"]/group[0]/button["7"]"#);
        assert!(reply["tree"][0].get("bounds").is_none());
    }
    let (kind, text) = bench.failure("get_ui_tree", json!({"app": 30, "filter_roles": ["flux"]})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("'filter_roles'") && text.contains("flux"), "{text}");
}

#[tokio::test]
async fn a_tree_begins_at_an_element_by_id_or_path() {
    let bench = bench::desktop();
    let path = r#"app(30)/window["Calculator"]/group[0]/list["History"]"#;
    let by_path = bench.json("get_ui_tree", json!({"app": 30, "element_path": path})).await;
    let id = by_path["tree"][0]["id"].as_str().unwrap();
    let by_id = bench.json("get_ui_tree", json!({"app": 30, "element_path": id})).await;
    assert_eq!(by_id["tree"], by_path["tree"]);
    assert_eq!(by_id["totalCount"], 3);
    let (kind, text) = bench.failure("get_ui_tree", json!({"app": 10, "element_path": path})).await;
    assert_eq!(kind, "element_not_found", "{text}");
}

#[tokio::test]
async fn all_pages_together_hold_each_element_once() {
    let bench = rows(450);
    for max_nodes in [7, 200, 1000] {
        let mut arguments = json!({"app": "list", "max_nodes": max_nodes});
        let mut all = Vec::new();
        loop {
            let reply = bench.json("get_ui_tree", arguments.clone()).await;
            assert_eq!(reply["totalCount"], 452);
            let before = all.len();
            flat(&reply["tree"], &mut all);
            assert_eq!(reply["resultCount"], all.len() - before);
            assert!(reply["tree"].to_string().len() <= 50_000);
            let Some(next) = reply.get("nextCursor") else { break };
            assert_eq!(reply["hasMoreResults"], true);
            arguments["cursor"] = next.clone();
            // The pages are of the moment of the first.
            bench.target.update(|state| state.edit("Row 440", |row| row.text = Some("changed".into())));
            bench.target.update(|state| state.edit("changed", |row| row.text = Some("Row 440".into())));
        }
        let ids: HashSet<String> = all.iter().map(|node| node["id"].to_string()).collect();
        assert_eq!((all.len(), ids.len()), (452, 452));
    }
}

#[tokio::test]
async fn a_page_ends_before_it_has_too_many_bytes() {
    let bench = rows(1500);
    let reply = bench.json("get_ui_tree", json!({"app": "list", "max_nodes": 1000})).await;
    assert!(reply["tree"].to_string().len() <= 50_000);
    assert!(reply["resultCount"].as_u64().unwrap() > 100);
    assert_eq!(reply["hasMoreResults"], true);
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_call_only_and_expires() {
    let bench = rows(60);
    let first = bench.json("get_ui_tree", json!({"app": "list", "max_nodes": 10})).await;
    let cursor = first["nextCursor"].clone();
    for arguments in [
        json!({"app": "list", "depth": 2, "cursor": cursor}),
        json!({"app": 5, "cursor": cursor}),
        json!({"app": "list", "cursor": "t1-x"}),
    ] {
        let (kind, text) = bench.failure("get_ui_tree", arguments).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains("'cursor'"), "{text}");
    }
    bench.json("get_ui_tree", json!({"app": "list", "max_nodes": 50, "cursor": cursor})).await;
    for _ in 0..8 {
        bench.json("get_ui_tree", json!({"app": "list", "max_nodes": 10})).await;
    }
    let (kind, text) = bench.failure("get_ui_tree", json!({"app": "list", "cursor": cursor})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("expired"), "{text}");
}

#[tokio::test]
async fn elements_are_found_by_all_criteria_with_id_and_path() {
    let bench = bench::desktop();
    let find = async |arguments: Value| {
        let reply = bench.json("find_element", arguments).await;
        reply["elements"].as_array().unwrap().iter().map(|found| found["title"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(find(json!({"app": "calculator", "title": "SCIENT"})).await, ["Scientific"]);
    assert_eq!(find(json!({"app": "calculator", "role": "AXSlider", "value": "2"})).await, ["Precision"]);
    assert_eq!(find(json!({"app": "calculator", "identifier": "display"})).await, ["0"]);
    assert_eq!(find(json!({"app": "calculator", "title": "2 + 2"})).await, ["2 + 2"], "out of view");
    assert_eq!(find(json!({"app": "calculator", "title": "Save"})).await, Vec::<Value>::new());
    let found = bench.json("find_element", json!({"app": 30, "title": "7"})).await;
    let element = &found["elements"][0];
    assert!(element["id"].as_str().unwrap().starts_with("node_"));
    assert_eq!(element["path"], r#"app(30)/window["Calculator"]/group[0]/button["7"]"#);
    assert!(matches!(
        bench.target.events().last(),
        Some(Event::Snapshot(Scope::App { part: Part::Whole, .. }))
    ));
}

#[tokio::test]
async fn a_search_gives_twenty_at_a_time_and_loses_none() {
    let bench = rows(450);
    let first = bench.json("find_element", json!({"app": "list", "role": "row"})).await;
    assert_eq!((&first["resultCount"], &first["totalCount"]), (&json!(20), &json!(450)));
    let mut arguments = json!({"app": "list", "role": "row", "max_results": 100});
    let mut titles = Vec::new();
    loop {
        let reply = bench.json("find_element", arguments.clone()).await;
        titles.extend(reply["elements"].as_array().unwrap().iter().map(|found| found["title"].clone()));
        let Some(next) = reply.get("nextCursor") else { break };
        arguments["cursor"] = next.clone();
    }
    let wanted: Vec<_> = (0..450).map(|row| json!(format!("Row {row}"))).collect();
    assert_eq!(titles, wanted);
}

#[tokio::test]
async fn a_search_that_runs_out_of_time_says_how_far_it_came_and_goes_on() {
    let bench = rows(450);
    bench.target.update(|state| state.search_step = Some(200));
    let mut arguments = json!({"app": "list", "role": "row", "title": "9", "max_results": 20});
    let first = bench.json("find_element", arguments.clone()).await;
    assert_eq!(first["reason"], "the time was up when 200 objects had been looked at");
    assert_eq!(first["hasMoreResults"], true);
    assert!(first["elements"][0].get("path").is_none(), "places are not known");
    let mut titles: Vec<Value> = Vec::new();
    let mut cursors = Vec::new();
    loop {
        let reply = bench.json("find_element", arguments.clone()).await;
        titles.extend(reply["elements"].as_array().unwrap().iter().map(|found| found["title"].clone()));
        let Some(next) = reply.get("nextCursor") else { break };
        cursors.push(next.clone());
        arguments["cursor"] = next.clone();
    }
    let wanted: Vec<_> = (0..450)
        .map(|row| format!("Row {row}"))
        .filter(|title| title.contains('9'))
        .map(Value::from)
        .collect();
    assert_eq!(titles, wanted);
    // Asked for again, a page of the same cursor is the same.
    arguments["cursor"] = cursors.last().unwrap().clone();
    let again = bench.json("find_element", arguments.clone()).await;
    assert_eq!(
        again["elements"][0]["title"],
        wanted[wanted.len() - again["elements"].as_array().unwrap().len()]
    );
    // Once the rest is not kept any more, that is the answer.
    bench.target.update(|state| state.search_step = None);
    let goes_on = cursors.iter().find(|cursor| cursor.as_str().unwrap().starts_with("t0-")).unwrap();
    arguments["cursor"] = goes_on.clone();
    let (kind, text) = bench.failure("find_element", arguments).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("that search is not kept any more"), "{text}");
}

#[tokio::test]
async fn an_element_is_found_by_its_text_though_not_all_could_be_searched() {
    let bench = rows(450);
    bench.target.update(|state| state.search_step = Some(200));
    let found =
        bench.json("find_elements", json!({"by": "text", "value": "Row 17", "exact_match": true})).await;
    assert_eq!(found["elements"].as_array().unwrap().len(), 1);
    assert_eq!(found["hasMoreResults"], true);
    assert_eq!(found["reason"], "the time was up when 200 objects had been looked at");
}

#[tokio::test]
async fn the_focused_element_is_that_of_the_front_or_of_one_application() {
    let bench = bench::desktop();
    let front = bench.json("get_focused_element", json!({})).await;
    assert_eq!((&front["focused"], &front["app"]["pid"]), (&json!(true), &json!(30)));
    assert_eq!(front["element"]["path"], r#"app(30)/window["Calculator"]/group[0]/text_field["Memory"]"#);
    assert_eq!(front["element"]["value"], "Memory");
    let other = bench.json("get_focused_element", json!({"app": 10})).await;
    assert_eq!(other["focused"], false);
    assert_eq!(other["message"], "No element of application 'editor' has the input focus.");
    bench.target.update(|state| state.edit("+", |node| node.flags |= Flags::FOCUSED));
    bench.target.update(|state| state.edit("Memory", |node| node.flags -= Flags::FOCUSED));
    let moved = bench.json("get_focused_element", json!({})).await;
    assert_eq!(moved["element"]["title"], "+");
}

#[tokio::test]
async fn windows_are_listed_topmost_first() {
    let bench = bench::desktop();
    let all = bench.json("list_windows", json!({})).await;
    assert_eq!(
        all["windows"][0],
        json!({
            "title": "Calculator", "app": "calculator", "pid": 30, "type": "application",
            "position": {"x": 100, "y": 100}, "size": {"width": 400, "height": 600},
            "minimized": false, "frontmost": true, "path": r#"app(30)/window["Calculator"]"#,
        })
    );
    assert_eq!(all["resultCount"], 3, "a minimized window is not listed");
    let own = bench.json("list_windows", json!({"app": 10, "include_minimized": true})).await;
    let titles: Vec<_> =
        own["windows"].as_array().unwrap().iter().map(|window| window["title"].clone()).collect();
    assert_eq!(titles, ["Notes", "Draft"]);
    let mut arguments = json!({"include_minimized": true, "max_results": 3});
    let page = bench.json("list_windows", arguments.clone()).await;
    arguments["cursor"] = page["nextCursor"].clone();
    let rest = bench.json("list_windows", arguments).await;
    assert_eq!((&page["resultCount"], &rest["resultCount"]), (&json!(3), &json!(1)));
    assert_eq!(rest["windows"][0]["pid"], 11);
}

#[tokio::test]
async fn errors_have_operation_kind_application_and_what_to_do() {
    let bench = bench::desktop();
    let missing = bench.call("get_ui_tree", json!({"app": "Foo"})).await["structuredContent"].clone();
    assert_eq!(missing["operation"], "get_ui_tree");
    assert_eq!(missing["error_type"], "app_not_running");
    assert_eq!(missing["message"], "Application 'Foo' is not running.");
    assert_eq!(missing["app"], "Foo");
    assert!(missing["guidance"].as_str().unwrap().contains("calculator"), "{missing}");
    let several = bench.call("find_element", json!({"app": "editor"})).await["structuredContent"].clone();
    assert_eq!(several["error_type"], "ambiguous");
    let pids: Vec<_> =
        several["candidates"].as_array().unwrap().iter().map(|candidate| candidate["id"].clone()).collect();
    assert_eq!(pids, ["10", "11"]);
    let wrong = bench.call("get_ui_tree", json!({"app": "calculator", "depth": -1})).await;
    assert_eq!(wrong["structuredContent"]["app"], "calculator");
    assert_eq!(wrong["structuredContent"]["error_type"], "invalid_params");
}

#[tokio::test]
async fn what_could_not_be_read_is_said() {
    let mut snapshot = sample::desktop();
    snapshot.cut = Some("the application did not answer in time".into());
    let bench = bench::desktop_showing(snapshot);
    let tree = bench.json("get_ui_tree", json!({"app": "calculator"})).await;
    assert_eq!(tree["hasMoreResults"], true);
    assert_eq!(tree["reason"], "the application did not answer in time");
    let found = bench.json("find_element", json!({"app": "calculator", "title": "7"})).await;
    assert_eq!(found["reason"], "the application did not answer in time");
    assert!(found["elements"][0].get("path").is_none(), "places are not known");
    let path = "app(30)/window[0]/group[0]/button[0]";
    let (kind, text) =
        bench.failure("perform_action", json!({"element_path": path, "action": "press"})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("not all of the application could be read"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn every_reading_tool_ends_by_its_limit_when_an_application_hangs() {
    let bench = bench::desktop();
    let tools = ["get_ui_tree", "find_element", "get_focused_element", "list_windows"];
    let timeouts = tools.iter().try_fold(Timeouts::default(), |set, tool| set.with(&format!("{tool}=0.15")));
    let targets = Arc::clone(bench.dispatcher.targets());
    let dispatcher =
        Dispatcher::new(targets, Policy::default()).with_timeouts(timeouts.expect("good limits"));
    bench.target.hang();
    for tool in tools {
        let start = Instant::now();
        let result = bench::call(&dispatcher, tool, json!({"app": "calculator"})).await;
        assert_eq!(result["structuredContent"]["error_type"], "timeout", "{tool}: {result}");
        assert_eq!(result["structuredContent"]["app"], "calculator");
        assert!(result["structuredContent"]["guidance"].is_string());
        assert!(start.elapsed() < Duration::from_secs(3), "{tool} took {:?}", start.elapsed());
        let listed = dispatcher.tool(tool).unwrap().description.unwrap();
        assert!(listed.ends_with("Ends within 0.15 s, on a phone within 15 s."), "{listed}");
    }
}
