//! Depth, filter and pages of an outline.

use serde_json::{Value as Json, json};

use super::*;
use crate::{Node, NodeId, Screen};

fn node(number: u32, role: Role) -> Node {
    Node { id: NodeId::new(number), ..Node::new("class").role(role) }
}

/// 1 group ( 2 list ( 3 item ( 4 button ) 5 item ) 6 button )
fn snapshot() -> Snapshot {
    let mut builder = Snapshot::builder(Screen::default());
    builder.open(node(1, Role::Group)).open(node(2, Role::List)).open(node(3, Role::ListItem));
    builder.leaf(node(4, Role::Button)).close().leaf(node(5, Role::ListItem)).close();
    builder.leaf(node(6, Role::Button)).close();
    builder.finish()
}

fn options() -> OutlineOptions {
    OutlineOptions { depth: MAX_DEPTH, max_nodes: 100, roles: None, attributes: Some(Vec::new()), start: 0 }
}

fn draw<'a>(snapshot: &'a Snapshot, options: &OutlineOptions) -> Outline<'a> {
    let roots: Vec<_> = (0..snapshot.windows().len()).flat_map(|window| snapshot.roots_of(window)).collect();
    outline(snapshot, &roots, options)
}

#[test]
fn children_nest_in_order() {
    let snapshot = snapshot();
    let outline = draw(&snapshot, &options());
    assert_eq!(outline.node_count, 6);
    assert_eq!(outline.next, None);
    assert_eq!(
        json!(outline.tree),
        json!([{"id": "node_0001", "role": "group", "childCount": 2, "children": [
            {"id": "node_0002", "role": "list", "childCount": 2, "children": [
                {"id": "node_0003", "role": "list_item", "childCount": 1, "children": [
                    {"id": "node_0004", "role": "button", "childCount": 0},
                ]},
                {"id": "node_0005", "role": "list_item", "childCount": 0},
            ]},
            {"id": "node_0006", "role": "button", "childCount": 0},
        ]}])
    );
}

#[test]
fn children_below_the_depth_are_counted_not_listed() {
    let snapshot = snapshot();
    let outline = draw(&snapshot, &OutlineOptions { depth: 1, ..options() });
    assert_eq!(outline.node_count, 3);
    assert_eq!(outline.next, None);
    assert_eq!(
        json!(outline.tree),
        json!([{"id": "node_0001", "role": "group", "childCount": 2, "children": [
            {"id": "node_0002", "role": "list", "childCount": 2},
            {"id": "node_0006", "role": "button", "childCount": 0},
        ]}])
    );
}

#[test]
fn children_that_were_not_read_are_counted() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.leaf(Node { child_count: Some(3000), ..node(1, Role::List) });
    let snapshot = builder.finish();
    let outline = draw(&snapshot, &options());
    assert_eq!(json!(outline.tree), json!([{"id": "node_0001", "role": "list", "childCount": 3000}]));
}

#[test]
fn filtered_ancestors_are_lifted_over() {
    let roles = Some(vec![Role::List, Role::Button]);
    let snapshot = snapshot();
    let outline = draw(&snapshot, &OutlineOptions { roles, ..options() });
    assert_eq!(
        json!(outline.tree),
        json!([
            {"id": "node_0002", "role": "list", "childCount": 1, "children": [
                {"id": "node_0004", "role": "button", "childCount": 0},
            ]},
            {"id": "node_0006", "role": "button", "childCount": 0},
        ])
    );
}

#[test]
fn depth_counts_what_is_shown() {
    let roles = Some(vec![Role::Button]);
    let snapshot = snapshot();
    let outline = draw(&snapshot, &OutlineOptions { roles, depth: 0, ..options() });
    assert_eq!(outline.node_count, 2);
}

#[test]
fn a_later_page_names_the_parents_it_left_behind() {
    let snapshot = snapshot();
    let first = draw(&snapshot, &OutlineOptions { max_nodes: 3, ..options() });
    assert_eq!(first.next, Some(3));
    let second = draw(&snapshot, &OutlineOptions { max_nodes: 3, start: 3, ..options() });
    assert_eq!(second.next, None);
    assert_eq!(
        json!(second.tree),
        json!([
            {"id": "node_0004", "role": "button", "childCount": 0, "parent": "node_0003"},
            {"id": "node_0005", "role": "list_item", "childCount": 0, "parent": "node_0002"},
            {"id": "node_0006", "role": "button", "childCount": 0, "parent": "node_0001"},
        ])
    );
}

#[test]
fn a_start_beyond_the_end_is_an_empty_last_page() {
    let snapshot = snapshot();
    let outline = draw(&snapshot, &OutlineOptions { start: 99, ..options() });
    assert_eq!(outline, Outline { tree: Vec::new(), node_count: 0, total: 6, next: None });
}

#[test]
fn a_page_of_no_nodes_still_makes_progress() {
    let snapshot = snapshot();
    let outline = draw(&snapshot, &OutlineOptions { max_nodes: 0, ..options() });
    assert_eq!((outline.node_count, outline.next), (1, Some(1)));
}

#[test]
fn a_tree_of_any_depth_is_drawn_and_written() {
    let mut builder = Snapshot::builder(Screen::default());
    for number in 1..=100_000 {
        builder.open(node(number, Role::Group));
    }
    let snapshot = builder.finish();
    let outline = draw(&snapshot, &OutlineOptions { depth: u32::MAX, ..options() });
    assert_eq!(outline.node_count, MAX_DEPTH as usize + 1);
    let text = serde_json::to_string(&outline.tree).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), json!(outline.tree));
}

#[test]
fn a_single_node_tells_how_many_children_it_has() {
    let snapshot = snapshot();
    let root = snapshot.indices().next().unwrap();
    let expected = json!({"id": "node_0001", "role": "group", "childCount": 2});
    assert_eq!(json!(describe(&snapshot, root, Some(&[]))), expected);
}

#[test]
fn what_a_reader_wants_first_is_written_first() {
    let snapshot = snapshot();
    let text =
        serde_json::to_string(&draw(&snapshot, &OutlineOptions { depth: 1, ..options() }).tree).unwrap();
    assert!(
        text.starts_with(r#"[{"id":"node_0001","role":"group","childCount":2,"children":[{"id":"#),
        "{text}"
    );
}
