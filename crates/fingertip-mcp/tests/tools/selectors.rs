//! Selectors in the place of ids: they mean what the lean screen shows, at the moment of the call, or nothing is done.

use fingertip_core::Snapshot;
use fingertip_core::target::NodeAction;
use fingertip_core::test_support::{Event, sample, tree};
use serde_json::{Value, json};

use super::bench::{self, Bench};

fn settings() -> Snapshot {
    tree(
        r#"
        screen 1080x2400@420
        app com.example.settings .Main
        window "Settings" com.example.settings [0,0,1080,2400] layer=1 focused
        FrameLayout role=group [0,0,1080,2400]
          Button "Save" role=button #com.example:id/save [800,0,1080,100] cf
          LinearLayout role=group [0,100,1080,300] cf
            TextView "Wi-Fi" role=label [0,100,500,200]
            TextView "Connected" role=label [0,200,500,300]
            Switch role=switch [900,100,1080,300] kx
          TextView "Trash" role=label [0,400,300,500]
          Button "Delete" role=button [800,400,1000,500] cf
          TextView "Archive" role=label [0,600,300,700]
          Button "Delete" role=button [800,600,1000,700] cf
          ToggleButton "Bold" role=toggle_button [0,800,200,900] cfk
          EditText h"Your name" role=text_field #com.example:id/name [0,1000,1080,1100] clfe
          Button "Far" role=button [0,2500,200,2600] cf -v
        "#,
    )
}

fn candidates(result: &Value) -> Vec<&str> {
    let all = result["structuredContent"]["candidates"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|one| one["label"].as_str().expect("a label")).collect()
}

async fn clicked(bench: &Bench, selector: &str) -> Vec<Event> {
    bench.target.clear_events();
    bench.text("click_element", json!({"element_id": selector})).await;
    bench.target.writes()
}

#[tokio::test]
async fn a_selector_acts_on_what_its_id_would() {
    for (selector, label) in [
        (r#"button "Save""#, "Save"),
        (r#""Save""#, "Save"),
        ("#save", "Save"),
        (r#"~"SAV""#, "Save"),
        ("/^Sav/", "Save"),
        (r#"switch "Wi-Fi""#, "Wi-Fi"),
        (r#"button "Bold""#, "Bold"),
    ] {
        let bench = bench::showing(settings());
        let id = bench.id(label).await;
        let by_id = clicked(&bench, &id).await;
        let other = bench::showing(settings());
        other.id(label).await;
        assert_eq!(clicked(&other, selector).await, by_id, "{selector}");
        assert_eq!(by_id.len(), 1, "{selector}");
    }
}

#[tokio::test]
async fn the_reply_names_the_element_that_was_meant() {
    let bench = bench::showing(settings());
    let id = bench.id("Save").await;
    let text = bench.text("click_element", json!({"element_id": r#"button "Save""#})).await;
    assert_eq!(text, bench.text("click_element", json!({ "element_id": id })).await);
    assert!(text.contains(&id), "{text}");
}

#[tokio::test]
async fn texts_go_into_the_field_that_is_meant() {
    let bench = bench::showing(settings());
    for tool in ["set_text", "input_text"] {
        bench.text(tool, json!({"element_id": r#"text_field "Your name""#, "text": "Ada"})).await;
        let held =
            bench.target.state().snapshot.nodes().iter().any(|node| node.text.as_deref() == Some("Ada"));
        assert!(held, "{tool}");
        bench.text("clear_text", json!({"element_id": "#name"})).await;
    }
}

#[tokio::test]
async fn several_matches_are_listed_and_nothing_is_done() {
    let bench = bench::showing(settings());
    let result = bench.call("click_element", json!({"element_id": r#"button "Delete""#})).await;
    assert_eq!(result["structuredContent"]["error_type"], "ambiguous", "{result}");
    assert_eq!(candidates(&result), [r#"button "Delete""#; 2]);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(r#"2 elements match button "Delete"; nothing was done."#), "{text}");
    assert_eq!(bench.target.writes(), []);
    // The ids of the error can be used, and so can a selector that says more.
    let second = result["structuredContent"]["candidates"][1]["id"].as_str().unwrap().to_owned();
    let by_id = clicked(&bench, &second).await;
    for selector in [r#"button "Delete" [2]"#, r#""Delete" [-1]"#, r#"button right of "Archive""#] {
        assert_eq!(clicked(&bench, selector).await, by_id, "{selector}");
    }
}

#[tokio::test]
async fn many_matches_are_counted_and_ten_are_named() {
    let rows: String = (0..30)
        .map(|row| format!("Button \"Row\" role=button [0,{},100,{}] c\n", row * 10, row * 10 + 9))
        .collect();
    let bench = bench::showing(tree(&rows));
    let result = bench.call("click_element", json!({"element_id": "button"})).await;
    assert_eq!(result["structuredContent"]["message"], "30 elements match button; nothing was done.");
    assert_eq!(candidates(&result).len(), 10);
}

#[tokio::test]
async fn no_match_names_what_comes_nearest() {
    let bench = bench::showing(settings());
    for (selector, said, near) in [
        (
            r#"link "Bold""#,
            r#"There is: 1 element named "Bold" has the role toggle_button."#,
            vec![r#"toggle_button "Bold" off"#],
        ),
        (r#"button "Savee""#, "There is: 1 element with a similar name.", vec![r#"button "Save""#]),
        (r#"button "Far""#, "There is: 1 element out of view.", vec![r#"button "Far" out of view"#]),
        (r#"slider "Zebra""#, "nothing was done.", vec![]),
    ] {
        let result = bench.call("click_element", json!({ "element_id": selector })).await;
        assert_eq!(result["structuredContent"]["error_type"], "element_not_found", "{result}");
        let message = result["structuredContent"]["message"].as_str().unwrap();
        assert!(
            message.starts_with(&format!("No element matches {selector}; nothing was done.")),
            "{message}"
        );
        assert!(message.ends_with(said), "{message}");
        assert_eq!(candidates(&result), near, "{selector}");
        assert_eq!(result["_meta"]["fingertip/untrusted"], true);
    }
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn what_is_no_selector_is_said_before_anything_is_looked_at() {
    let bench = bench::showing(settings());
    for (selector, at) in [(r#"button "Save"#, 13), ("button [wet]", 9), (r#"buton "Save""#, 1), ("/(/", 2)] {
        let (kind, text) = bench.failure("click_element", json!({ "element_id": selector })).await;
        assert_eq!(kind, "invalid_params", "{selector}");
        assert!(text.starts_with("Parameter 'element_id' is not a selector: expected "), "{text}");
        assert!(text.contains(&format!("at character {at}.")), "{text}");
    }
    // Another parameter is wrong.
    let (kind, text) = bench.failure("set_text", json!({"element_id": r#""Save""#})).await;
    assert_eq!((kind.as_str(), text.contains("'text'")), ("invalid_params", true), "{text}");
    assert_eq!(bench.target.events(), []);
}

#[tokio::test]
async fn other_words_mean_what_they_meant() {
    let bench = bench::showing(settings());
    for word in ["foo", "Save", "node_zz", "foo bar", "app(30)/window[0]"] {
        let (kind, text) = bench.failure("click_element", json!({ "element_id": word })).await;
        assert_eq!(kind, "element_not_found", "{word}");
        assert!(
            text.starts_with(&format!("Element '{word}' was not found: no such id was ever given.")),
            "{text}"
        );
    }
    assert_eq!(bench.target.events(), []);
    let desktop = bench::desktop();
    let (kind, text) =
        desktop.failure("perform_action", json!({"element_path": "foo", "action": "press"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("must be an element's id or a path"), "{text}");
}

#[tokio::test]
async fn what_is_out_of_view_can_be_scrolled_to() {
    let bench = bench::showing(settings());
    let (kind, text) = bench.failure("scroll_to_element", json!({"element_id": r#"button "Nowhere""#})).await;
    assert_eq!(kind, "element_not_found", "{text}");
    let result = bench.call("scroll_to_element", json!({"element_id": r#"button "Far""#})).await;
    let text = result["content"][0]["text"].as_str().unwrap();
    let far = bench.id("Far").await;
    assert!(text.contains(&far), "{text}");
}

#[tokio::test]
async fn a_part_of_the_lean_screen_is_named_by_a_selector() {
    let bench = bench::showing(sample::phone_with_keyboard());
    let shown = bench.text("get_screen_state", json!({"format": "lean", "within": "keyboard"})).await;
    assert!(shown.contains("item \"q\""), "{shown}");
    assert!(!shown.contains("Save"), "{shown}");
}

#[tokio::test]
async fn a_desktop_is_searched_in_front_or_where_the_call_says() {
    let bench = bench::desktop();
    let action = |selector: &str| json!({"element_path": selector, "action": "press"});
    bench.json("perform_action", action(r#"button "7""#)).await;
    assert!(
        matches!(bench.target.writes().as_slice(), [Event::Act { action: NodeAction::Click, .. }]),
        "{:?}",
        bench.target.writes()
    );
    bench.target.clear_events();
    // The editor is not in front.
    let (kind, _) = bench.failure("perform_action", action(r#"button "Save" [enabled]"#)).await;
    assert_eq!(kind, "element_not_found");
    assert_eq!(bench.target.writes(), []);
    let mut there = action(r#"button "Save" [enabled]"#);
    there["app"] = json!(10);
    bench.json("perform_action", there).await;
    assert_eq!(bench.target.writes().len(), 1);
    let mut elsewhere = action(r#"button "7""#);
    elsewhere["app"] = json!(10);
    let (kind, _) = bench.failure("perform_action", elsewhere).await;
    assert_eq!(kind, "element_not_found");
}

#[tokio::test]
async fn the_desktop_tools_take_selectors_for_paths() {
    let bench = bench::desktop();
    bench.json("set_value", json!({"element_path": "slider \"Precision\"", "value": 4})).await;
    let tree =
        bench.json("get_ui_tree", json!({"app": "calculator", "element_path": "list \"History\""})).await;
    assert_eq!(tree["tree"][0]["title"], "History", "{tree}");
    // The other row is out of view.
    let done = bench.json("perform_action", json!({"element_path": "list_item", "action": "press"})).await;
    assert_eq!(done["element"]["title"], "1 + 1", "{done}");
}

#[tokio::test]
async fn an_empty_search_names_what_comes_nearest() {
    let keys = tree(
        r#"
        screen 800x600@96
        handles lasting
        window "galculator" galculator [0,0,400,600] layer=1 pid=7 focused
        frame "galculator" role=window @g0 [0,0,400,600]
          toggle_button "7" role=toggle_button @g1 [0,100,100,200] ck action=click
          label "7 8" role=label @g2 [0,0,400,100]
        "#,
    );
    let bench = bench::desktop_showing(keys);
    let found =
        bench.json("find_element", json!({"app": "galculator", "role": "AXButton", "title": "7"})).await;
    assert_eq!(found["elements"][0]["role"], "toggle_button", "{found}");
    assert_eq!((found["resultCount"].as_u64(), found.get("nearMisses")), (Some(1), None));
    let found = bench.json("find_element", json!({"app": "galculator", "role": "link", "title": "7"})).await;
    assert_eq!(found["resultCount"], 0);
    assert_eq!(
        found["nearMisses"],
        json!([
            "1 element with \"7\" in its name has the role toggle_button",
            "1 element with \"7\" in its name has the role text",
        ])
    );
    assert_eq!(found["candidates"][0]["label"], "toggle_button \"7\" off", "{found}");
    let found = bench.json("find_element", json!({"app": "galculator", "title": "7", "value": "no"})).await;
    assert_eq!(found["nearMisses"], json!(["these have another value"]), "{found}");
}

#[tokio::test]
async fn with_several_devices_a_selector_does_not_choose_one() {
    use fingertip_core::test_support::ScriptedTarget;
    use std::sync::Arc;
    let phones = ["one", "two"].map(|name| Arc::new(ScriptedTarget::new(name, settings())));
    let dispatcher = bench::dispatcher(&phones);
    let call = json!({"element_id": r#"button "Save""#});
    let refused = bench::call(&dispatcher, "click_element", call).await;
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("'device'"), "{refused}");
    let call = json!({"element_id": r#"button "Save""#, "device": "two"});
    let done = bench::call(&dispatcher, "click_element", call).await;
    assert_ne!(done["isError"], true, "{done}");
    assert_eq!(phones.map(|phone| phone.writes().len()), [0, 1]);
}
