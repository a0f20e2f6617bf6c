//! Every parameter of every tool: missing, wrong type, out of range, NaN-like, unknown. Each is answered with
//! an error that names it, and nothing reaches the target.

use serde_json::{Value, json};

use super::bench::{self, Bench};

/// Arguments that pass every check, for each tool.
fn valid(tool: &str) -> Value {
    match tool {
        "get_screen_state" => {
            json!({"include_screenshot": false, "screenshot_region": "1,2,30,40", "screenshot_scale": 0.5})
        }
        "get_device_logs" => json!({
            "last_lines": 5, "since": "2024-01-15T10:30:00", "until": "2024-01-15T10:31:00",
            "tag": "T", "level": "W", "package_name": "p",
        }),
        "tap" | "double_tap" => json!({"x": 1, "y": 2}),
        "long_press" => json!({"x": 1, "y": 2, "duration": 10}),
        "swipe" => json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4, "duration": 10}),
        "scroll" => json!({"direction": "down", "amount": "small"}),
        "pinch" => json!({"center_x": 500, "center_y": 600, "scale": 2, "duration": 10}),
        "custom_gesture" => {
            json!({"paths": [[{"x": 1, "y": 2, "time": 0}, {"x": 3, "y": 4, "time": 10}]]})
        }
        "right_click" | "double_click" | "hover" => json!({"x": 1, "y": 2}),
        "drag" => json!({"x": 1, "y": 2, "to_element_id": "node_0001"}),
        "find_elements" => json!({"by": "text", "value": "a", "exact_match": true}),
        "click_element" | "long_click_element" | "scroll_to_element" => json!({"element_id": "node_0001"}),
        "set_text" => json!({"element_id": "node_0001", "text": "a", "submit": true}),
        "input_text" => json!({"text": "a", "element_id": "node_0001"}),
        "clear_text" => json!({"element_id": "node_0001"}),
        "press_key" => json!({"key": "ENTER", "count": 2, "element_id": "node_0001"}),
        "set_clipboard" => json!({"text": "a"}),
        "wait_for_element" => json!({"by": "text", "value": "a", "timeout": 1}),
        "wait_for_idle" => json!({"timeout": 1}),
        "verify_state" => {
            json!({"conditions": [{"app": "a"}, {"element": "\"b\"", "is": "absent"}], "timeout": 1})
        }
        "run_steps" => json!({
            "steps": [{"tool": "get_screen_state", "arguments": {}, "expect": [{"app": "a"}]}], "stop_on": "error",
        }),
        "get_element_details" => json!({"ids": ["node_0001"]}),
        "get_ui_tree" => json!({
            "app": "calculator", "depth": 1, "include_attributes": ["title"], "filter_roles": ["AXButton"],
            "element_path": "node_0001", "max_nodes": 5,
        }),
        "find_element" => json!({
            "app": 30, "role": "button", "title": "a", "value": "b", "identifier": "c", "max_results": 5,
        }),
        "get_focused_element" => json!({"app": "30"}),
        "list_windows" => json!({"app": "calculator", "include_minimized": true, "max_results": 5}),
        "perform_action" => {
            json!({"element_path": "app(30)/window[0]", "action": "press", "app": "calculator"})
        }
        "set_value" => json!({"element_path": "node_0001", "value": "a", "app": "calculator"}),
        "list_apps" => json!({"query": "a", "running": false, "max_results": 5}),
        "open_app" => json!({"app": "editor", "file": "https://example.org/"}),
        "close_app" => json!({"app": "calculator"}),
        "window_action" => json!({"window": "Calculator", "action": "activate", "app": "calculator"}),
        "select_menu" => json!({"path": "File > Save", "app": "calculator"}),
        "observe_changes" => {
            json!({"app": "calculator", "duration_ms": 1, "kinds": ["app_quit"], "max_events": 1})
        }
        _ => json!({}),
    }
}

/// Values that are wrong for a parameter of this schema.
fn wrong_values(schema: &Value) -> Vec<Value> {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => vec![kind.as_str().expect("a type")],
    };
    let is = |kind: &str| kinds.contains(&kind);
    let of_other_types = [
        ("number", json!(7)),
        ("number", json!(7.5)),
        ("string", json!("5")),
        ("string", json!("NaN")),
        ("string", json!("Infinity")),
        ("boolean", json!(true)),
        ("array", json!([])),
        ("object", json!({})),
        ("null", json!(null)),
    ];
    let is_number = is("number") || is("integer");
    let mut wrong: Vec<_> = of_other_types
        .into_iter()
        .filter(|(other, _)| !(is(other) || is_number && *other == "number"))
        .map(|(_, value)| value)
        .collect();
    if is("integer") {
        wrong.push(json!(7.5));
    }
    if is_number && !is("boolean") {
        let lower = schema.get("minimum").or(schema.get("exclusiveMinimum")).and_then(Value::as_f64);
        let (lower, upper) =
            (lower.expect("a lower bound"), schema["maximum"].as_f64().expect("an upper bound"));
        wrong.extend([json!(lower - 1.0), json!(upper + 1.0), json!(1e300), json!(-1e300)]);
        if schema.get("exclusiveMinimum").is_some() {
            wrong.push(json!(lower));
        }
    }
    if schema.get("enum").is_some() {
        wrong.extend([json!("no such word"), json!("")]);
    }
    if schema.get("minLength").is_some() {
        wrong.push(json!(""));
    }
    if let Some(most) = schema.get("maxLength").and_then(Value::as_u64) {
        wrong.push(json!("a".repeat(most as usize + 1)));
    }
    if is("array") {
        let most = schema["maxItems"].as_u64().expect("a greatest length") as usize;
        wrong.extend([json!([]), json!(vec!["node_0001"; most + 1]), json!([7]), json!([null])]);
    }
    wrong
}

async fn must_name(bench: &Bench, tool: &str, arguments: Value, parameter: &str) {
    let (kind, text) = bench.failure(tool, arguments.clone()).await;
    assert_eq!(kind, "invalid_params", "{tool} {arguments}: {text}");
    assert!(text.contains(&format!("'{parameter}'")), "{tool} {arguments} must name {parameter}: {text}");
    assert_eq!(bench.target.events(), [], "{tool} {arguments} reached the target");
}

#[tokio::test]
async fn every_wrong_parameter_is_named_and_nothing_is_done() {
    let checked = wrong_parameters_of(&bench::phone()).await;
    assert!(checked > 300, "only {checked} cases");
    let checked = wrong_parameters_of(&bench::desktop()).await;
    assert!(checked > 500, "only {checked} cases");
}

async fn wrong_parameters_of(bench: &Bench) -> usize {
    let mut checked = 0;
    for tool in bench.dispatcher.tools() {
        let name = tool.name.as_ref();
        let schema = Value::Object((*tool.input_schema).clone());
        let good = valid(name);
        let properties = schema["properties"].as_object().expect("properties");
        for (parameter, schema_of) in properties {
            for wrong in wrong_values(schema_of) {
                let mut arguments = good.clone();
                arguments[parameter] = wrong;
                must_name(bench, name, arguments, parameter).await;
                checked += 1;
            }
        }
        for parameter in schema["required"].as_array().expect("required").iter().filter_map(Value::as_str) {
            let mut arguments = good.clone();
            arguments.as_object_mut().expect("an object").remove(parameter);
            must_name(bench, name, arguments, parameter).await;
        }
        let mut arguments = good.clone();
        arguments["no_such_parameter"] = json!(1);
        must_name(bench, name, arguments, "no_such_parameter").await;
        checked += 1;
    }
    checked
}

#[tokio::test]
async fn the_valid_arguments_of_this_test_do_pass() {
    for bench in [bench::phone(), bench::desktop()] {
        for tool in bench.dispatcher.tools() {
            let result = bench.call(&tool.name, valid(&tool.name)).await;
            assert_ne!(
                result["structuredContent"]["error_type"], "invalid_params",
                "{}: {result}",
                tool.name
            );
        }
    }
}

#[tokio::test]
async fn whole_numbers_may_be_written_with_a_point() {
    let bench = bench::phone();
    bench.json("wait_for_idle", json!({"timeout": 5.0})).await;
    assert_eq!(bench.text("tap", json!({"x": 5.0, "y": 7.5})).await, "Tap executed at (5, 7.5)");
}

#[tokio::test]
async fn wrong_points_of_a_gesture_are_named_by_their_place() {
    let bench = bench::phone();
    let point = |x: Value, y: Value, time: Value| json!({"x": x, "y": y, "time": time});
    let start = || point(json!(1), json!(1), json!(0));
    let cases = [
        (json!([]), "paths"),
        (json!([[]]), "paths[0]"),
        (json!([[start()]]), "paths[0]"),
        (json!([[start(), {"x": 1, "y": 1}]]), "paths[0][1]"),
        (json!([[start(), point(json!(-1), json!(1), json!(5))]]), "paths[0][1]"),
        (json!([[start(), point(json!(1), json!("1"), json!(5))]]), "paths[0][1]"),
        (json!([[start(), point(json!(1), json!(1), json!(0))]]), "time"),
        (json!([[start(), point(json!(1), json!(1), json!(60_001))]]), "time"),
        (json!([[start(), {"x": 1, "y": 1, "time": 5, "z": 1}]]), "'z'"),
        (json!([[start(), 7]]), "paths[0][1]"),
        (json!(vec![[start(), point(json!(1), json!(1), json!(5))]; 11]), "paths"),
    ];
    for (paths, named) in cases {
        let (kind, text) = bench.failure("custom_gesture", json!({ "paths": paths })).await;
        assert_eq!(kind, "invalid_params", "{text}");
        assert!(text.contains(named) && text.contains("'paths'"), "{named}: {text}");
    }
    assert_eq!(bench.target.events(), []);
}

#[tokio::test]
async fn points_outside_the_screen_are_refused() {
    let bench = bench::phone();
    for (tool, arguments, named) in [
        ("tap", json!({"x": 1080, "y": 5}), "'x'"),
        ("double_tap", json!({"x": 5, "y": 2400}), "'y'"),
        ("long_press", json!({"x": 5, "y": 99_999}), "'y'"),
        ("swipe", json!({"x1": 5, "y1": 5, "x2": 5000, "y2": 5}), "'x2'"),
        ("pinch", json!({"center_x": 5000, "center_y": 5, "scale": 2}), "'center_x'"),
    ] {
        let (kind, text) = bench.failure(tool, arguments).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains(named) && text.contains("1080x2400"), "{text}");
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn logs_that_end_before_they_begin_are_refused() {
    let bench = bench::phone();
    let arguments = json!({"since": "2024-01-15T10:30:00", "until": "2024-01-15T10:29:00"});
    must_name(&bench, "get_device_logs", arguments, "until").await;
    must_name(&bench, "get_device_logs", json!({"since": "yesterday"}), "since").await;
}
