//! Finding elements and acting on them by id: the right one, or none and why.

use std::time::Duration;

use fingertip_core::target::NodeAction;
use fingertip_core::test_support::edit::{map_nodes, remove_node};
use fingertip_core::test_support::{Event, ScriptedTarget, find, sample, tree};
use fingertip_core::{Flags, Rect};
use serde_json::json;

use super::bench;

#[tokio::test]
async fn found_elements_have_the_published_fields() {
    let bench = bench::phone();
    let found = bench.json("find_elements", json!({"by": "text", "value": "SAVE"})).await;
    let elements = found["elements"].as_array().unwrap();
    assert_eq!(elements.len(), 1);
    let mut element = elements[0].clone();
    let id = element.as_object_mut().unwrap().remove("id").unwrap();
    assert!(id.as_str().unwrap().starts_with("node_"));
    assert_eq!(
        element,
        json!({
            "text": "Save",
            "contentDescription": null,
            "resourceId": "com.example.contacts:id/save",
            "className": "android.widget.Button",
            "bounds": {"left": 42, "top": 2200, "right": 1038, "bottom": 2326},
            "clickable": true,
            "longClickable": false,
            "scrollable": false,
            "editable": false,
            "enabled": true,
        })
    );
}

#[tokio::test]
async fn searches_are_by_property_exact_or_not() {
    let bench = bench::phone();
    let count = async |by: &str, value: &str, exact: bool| {
        let found =
            bench.json("find_elements", json!({"by": by, "value": value, "exact_match": exact})).await;
        found["elements"].as_array().unwrap().len()
    };
    assert_eq!(count("text", "save", false).await, 1);
    assert_eq!(count("text", "save", true).await, 0);
    assert_eq!(count("content_desc", "favourite", false).await, 2);
    assert_eq!(count("resource_id", "com.example.contacts:id/row", true).await, 3);
    assert_eq!(count("class_name", "CheckBox", false).await, 2);
    assert_eq!(count("text", "secret", false).await, 0, "a password is not found by its text");
}

#[tokio::test]
async fn many_elements_are_cut_and_counted() {
    let rows: String =
        (0..150).map(|row| format!("  TextView \"row {row}\" [0,{row},9,{}]\n", row + 1)).collect();
    let bench = bench::showing(tree(&format!("ListView [0,0,1080,2400] s\n{rows}")));
    let found = bench.json("find_elements", json!({"by": "text", "value": "row"})).await;
    assert_eq!(found["elements"].as_array().unwrap().len(), 100);
    assert_eq!(found["hasMoreResults"], true);
    assert_eq!(found["resultCount"], 150);
}

#[tokio::test]
async fn without_native_actions_the_middle_is_tapped() {
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_actions(Vec::new()));
    let id = bench.id("Save").await;
    let result = bench.call("click_element", json!({"element_id": id})).await;
    assert_eq!(result["_meta"]["fingertip/via"], "pointer");
    let writes = bench.target.writes();
    let [Event::Gesture(gesture)] = writes.as_slice() else { panic!("{writes:?}") };
    assert!(Rect::new(42, 2200, 1038, 2326).contains(gesture.strokes()[0].start().at));
}

#[tokio::test]
async fn a_label_is_clicked_through_the_row_it_belongs_to() {
    let bench = bench::phone();
    let id = bench.id("Grace Hopper").await;
    bench.text("click_element", json!({"element_id": id})).await;
    let writes = bench.target.writes();
    let [Event::Act { node, action: NodeAction::Click }] = writes.as_slice() else { panic!("{writes:?}") };
    assert!(node.starts_with("LinearLayout"), "{node}");
    let reply = bench.text("long_click_element", json!({"element_id": id})).await;
    assert_eq!(reply, format!("Long-click performed on element '{id}'"));
}

#[tokio::test]
async fn what_cannot_be_clicked_is_not() {
    let bench = bench::phone();
    let id = bench.id("Address book").await;
    let (kind, text) = bench.failure("click_element", json!({"element_id": id})).await;
    assert_eq!(kind, "unsupported");
    assert!(text.contains("is not clickable"), "{text}");
    let id = bench.id("Save").await;
    let (_, text) = bench.failure("long_click_element", json!({"element_id": id})).await;
    assert!(text.contains("is not long-clickable"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_disabled_element_is_not_clicked() {
    let bench = bench::phone();
    let id = bench.id("Save").await;
    bench.target.update(|state| state.edit("Save", |node| node.flags.remove(Flags::ENABLED)));
    let (kind, text) = bench.failure("click_element", json!({"element_id": id})).await;
    assert_eq!(kind, "disabled");
    assert!(text.contains("nothing was done"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_covered_element_is_not_clicked_and_the_cover_is_named() {
    let bench = bench::phone();
    let id = bench.id("Save").await;
    bench.target.update(|state| state.snapshot = sample::phone_with_keyboard());
    let (kind, text) = bench.failure("click_element", json!({"element_id": id})).await;
    assert_eq!(kind, "covered");
    let cover = "is covered by the window \"Keyboard\" of com.example.keyboard; nothing was done";
    assert!(text.contains(cover), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn an_element_that_left_is_stale_and_others_are_proposed() {
    let bench = bench::phone();
    let id = bench.id("Grace Hopper").await;
    bench.target.update(|state| {
        let label = find(&state.snapshot, "Grace Hopper");
        let row = state.snapshot.parent(label).unwrap();
        state.snapshot = remove_node(&state.snapshot, row);
    });
    let result = bench.call("click_element", json!({"element_id": id})).await;
    assert_eq!(result["structuredContent"]["error_type"], "stale");
    assert!(!result["structuredContent"]["candidates"].as_array().unwrap().is_empty(), "{result}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn an_id_that_was_never_given_is_not_found() {
    let bench = bench::phone();
    for id in ["node_ffffffff", "7", "node_", "Save"] {
        let (kind, text) = bench.failure("click_element", json!({"element_id": id})).await;
        assert_eq!(kind, "element_not_found", "{text}");
        assert!(text.contains("get_screen_state"), "{text}");
    }
}

#[tokio::test]
async fn a_moved_and_renamed_element_keeps_its_id() {
    let bench = bench::phone();
    let id = bench.id("Save").await;
    bench.target.update(|state| {
        state.snapshot = map_nodes(&state.snapshot, |_, node| {
            if node.text.as_deref() == Some("Save") {
                node.text = Some("Saving".into());
                node.bounds = Rect::new(42, 2100, 1038, 2226);
            }
        });
    });
    assert_eq!(bench.id("Saving").await, id);
    bench.text("click_element", json!({"element_id": id})).await;
    assert_eq!(bench.target.writes().len(), 1);
}

#[tokio::test]
async fn scrolling_brings_an_element_into_view() {
    let bench = bench::showing(list(0));
    assert_eq!(
        bench.text("scroll_to_element", json!({"element_id": bench.id("row 2").await})).await,
        format!("Element '{}' is already visible", bench.id("row 2").await)
    );
    let id = bench.id("row 12").await;
    follow_drags(&bench);
    let reply = bench.text("scroll_to_element", json!({"element_id": id})).await;
    assert!(reply.starts_with(&format!("Scrolled to element '{id}' (")), "{reply}");
    let state = bench.target.state();
    let row = state.snapshot.node(find(&state.snapshot, "row 12"));
    assert!(Rect::new(0, 0, 1080, 1000).overlaps(row.bounds), "{:?}", row.bounds);
}

#[tokio::test]
async fn scrolling_goes_up_as_well_as_down() {
    let bench = bench::showing(list(1500));
    let id = bench.id("row 3").await;
    follow_drags(&bench);
    bench.text("scroll_to_element", json!({"element_id": id})).await;
    let state = bench.target.state();
    assert!(state.snapshot.node(find(&state.snapshot, "row 3")).bounds.bottom > 0);
}

#[tokio::test]
async fn a_row_that_left_the_tree_is_scrolled_back_to() {
    let bench = bench::showing(recycling_list(0));
    let first = bench.id("row 1").await;
    let mut offset = 0;
    bench.target.on_event(move |event, state| {
        let Event::Gesture(gesture) = event else { return };
        let stroke = &gesture.strokes()[0];
        offset = (offset + (stroke.start().at.y - stroke.end().at.y) as i32).clamp(0, 2000);
        state.snapshot = recycling_list(offset);
    });
    for _ in 0..3 {
        bench.text("swipe", json!({"x1": 500, "y1": 900, "x2": 500, "y2": 300})).await;
        bench.text("get_screen_state", json!({})).await;
    }
    let (kind, _) = bench.failure("click_element", json!({"element_id": first})).await;
    assert_eq!(kind, "stale");
    let reply = bench.text("scroll_to_element", json!({"element_id": first})).await;
    assert!(reply.starts_with("Scrolled to element"), "{reply}");
    assert_eq!(bench.id("row 1").await, first);
}

#[tokio::test]
async fn scrolling_ends_where_the_list_ends() {
    let bench = bench::showing(list(0));
    let id = bench.id("row 12").await;
    let started = std::time::Instant::now();
    let (kind, text) = bench.failure("scroll_to_element", json!({"element_id": id})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("the list ends there"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(bench.target.writes().len() <= 5);
}

#[tokio::test]
async fn an_element_outside_any_list_cannot_be_scrolled_to() {
    let bench = bench::showing(tree("FrameLayout [0,0,1080,2400]\n  Button \"Far\" [0,3000,100,3100] c"));
    let id = bench.id("Far").await;
    let (_, text) = bench.failure("scroll_to_element", json!({"element_id": id})).await;
    assert!(text.contains("No scrollable container"), "{text}");
}

/// A list of 20 rows of 150 pixels in a window of 1000, scrolled by `offset`.
fn list(offset: i32) -> fingertip_core::Snapshot {
    let rows: String = (0..20)
        .map(|row| {
            let top = row * 150 - offset;
            format!("  TextView \"row {row}\" [0,{top},1080,{}] c\n", top + 150)
        })
        .collect();
    tree(&format!("ListView #list [0,0,1080,1000] s\n{rows}"))
}

/// The same list as a platform shows it that keeps only the rows in view in its tree.
fn recycling_list(offset: i32) -> fingertip_core::Snapshot {
    let rows = (0..20).map(|row| (row, row * 150 - offset)).filter(|(_, top)| *top > -150 && *top < 1000);
    let rows: String = rows
        .map(|(row, top)| {
            format!("  TextView \"row {row}\" [0,{},1080,{}] c\n", top.max(0), (top + 150).min(1000))
        })
        .collect();
    tree(&format!("ListView #list [0,0,1080,1000] s\n{rows}"))
}

/// Moves the rows as far as a finger drags.
fn follow_drags(bench: &bench::Bench) {
    bench.target.on_event(|event, state| {
        let Event::Gesture(gesture) = event else { return };
        let stroke = &gesture.strokes()[0];
        let moved = (stroke.end().at.y - stroke.start().at.y) as i32;
        state.snapshot = map_nodes(&state.snapshot, |_, node| {
            if node.text.is_some() {
                node.bounds.top += moved;
                node.bounds.bottom += moved;
            }
        });
    });
}
