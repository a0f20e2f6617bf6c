//! The screen format, case by case. Further rules (windows, pages, notes) are in `page_tests`.

use super::row::{is_kept, push_flags};
use super::*;
use crate::{Flags, Node, NodeId, Screen};

const PHONE: Screen = Screen { width: 1080, height: 2400, density: 420 };

fn screen(nodes: impl IntoIterator<Item = Node>) -> Snapshot {
    let mut builder = Snapshot::builder(PHONE);
    builder.app("com.example.app", ".MainActivity");
    for node in nodes {
        builder.leaf(node);
    }
    builder.finish()
}

fn lines(snapshot: &Snapshot) -> Vec<String> {
    whole(snapshot).split('\n').map(str::to_owned).collect()
}

/// The columns of the only row of a screen with this node.
fn columns(node: Node) -> [String; 7] {
    let lines = lines(&screen([node]));
    assert_eq!(lines.len(), 5, "{lines:?}");
    let columns: Vec<String> = lines[4].split('\t').map(str::to_owned).collect();
    columns.try_into().unwrap()
}

fn shown_class(class: Option<&str>) -> String {
    let [_, shown, ..] = columns(Node { class: class.map(Into::into), ..Node::new("").text("x") });
    shown
}

fn shown_text(text: Option<&str>) -> String {
    let [_, _, shown, description, ..] =
        columns(Node { text: text.map(Into::into), ..Node::new("View").resource_id("x") });
    assert_eq!(description, "-");
    let [_, _, _, same_rules, ..] =
        columns(Node { description: text.map(Into::into), ..Node::new("View").resource_id("x") });
    assert_eq!(shown, same_rules);
    shown
}

fn shown_resource_id(resource_id: Option<&str>) -> String {
    let [_, _, _, _, shown, ..] =
        columns(Node { resource_id: resource_id.map(Into::into), ..Node::new("View").text("x") });
    shown
}

fn shown_flags(flags: Flags) -> String {
    let mut out = String::new();
    push_flags(&mut out, flags);
    out
}

// The head.

#[test]
fn the_first_line_is_the_note() {
    assert_eq!(lines(&screen([]))[0], "note:structural-only nodes are omitted from the tree");
}

#[test]
fn the_second_line_names_the_app_and_the_third_the_screen() {
    let lines = lines(&screen([]));
    assert_eq!(lines[1], "app:com.example.app activity:.MainActivity");
    assert_eq!(lines[2], "screen:1080x2400 density:420 orientation:portrait");
}

#[test]
fn the_fourth_line_is_the_header() {
    assert_eq!(lines(&screen([]))[3], "id\tclass\ttext\tdesc\tres_id\tbounds\tflags");
}

// Which nodes get a row.

#[test]
fn a_kept_node_is_one_flat_row() {
    let node = Node {
        id: NodeId::new(0xc3d5),
        ..Node::new("android.widget.Button")
            .text("OK")
            .resource_id("app:id/ok")
            .bounds(100, 200, 300, 260)
            .with(Flags::CLICKABLE)
    };
    assert_eq!(lines(&screen([node]))[4], "node_c3d5\tButton\tOK\t-\tapp:id/ok\t100,200,300,260\tvcn");
}

#[test]
fn noise_gets_no_row() {
    let noise = Node::new("android.widget.FrameLayout").with(Flags::FOCUSABLE | Flags::CHECKABLE);
    assert_eq!(lines(&screen([noise])).len(), 4);
}

#[test]
fn children_of_noise_are_listed() {
    let mut builder = Snapshot::builder(PHONE);
    builder
        .open(Node::new("FrameLayout"))
        .open(Node::new("LinearLayout"))
        .leaf(Node::new("TextView").text("Hi"));
    let lines = lines(&builder.finish());
    assert_eq!(lines.len(), 5);
    assert!(lines[4].starts_with("-\tTextView\tHi\t"));
}

#[test]
fn a_node_with_text_is_kept() {
    assert!(is_kept(&Node::new("View").text("x")));
}

#[test]
fn a_node_with_a_description_is_kept() {
    assert!(is_kept(&Node::new("View").description("x")));
}

#[test]
fn a_node_with_a_resource_id_is_kept() {
    assert!(is_kept(&Node::new("View").resource_id("x")));
}

#[test]
fn a_clickable_node_is_kept() {
    assert!(is_kept(&Node::new("View").with(Flags::CLICKABLE)));
}

#[test]
fn a_long_clickable_node_is_kept() {
    assert!(is_kept(&Node::new("View").with(Flags::LONG_CLICKABLE)));
}

#[test]
fn a_scrollable_node_is_kept() {
    assert!(is_kept(&Node::new("View").with(Flags::SCROLLABLE)));
}

#[test]
fn an_editable_node_is_kept() {
    assert!(is_kept(&Node::new("View").with(Flags::EDITABLE)));
}

#[test]
fn an_empty_node_that_does_nothing_is_not_kept() {
    let empty = Some("".into());
    let node =
        Node { text: empty.clone(), description: empty.clone(), resource_id: empty, ..Node::new("View") };
    assert!(!is_kept(&node));
    assert!(!is_kept(&Node::default()));
}

// The class.

#[test]
fn a_class_loses_its_package() {
    assert_eq!(shown_class(Some("android.widget.Button")), "Button");
}

#[test]
fn a_class_without_package_stays() {
    assert_eq!(shown_class(Some("Button")), "Button");
}

#[test]
fn no_class_is_a_dash() {
    assert_eq!(shown_class(None), "-");
}

#[test]
fn an_empty_class_is_a_dash() {
    assert_eq!(shown_class(Some("")), "-");
}

// Text and description, by the same rules.

#[test]
fn a_tab_in_a_text_becomes_a_space() {
    assert_eq!(shown_text(Some("hello\tworld")), "hello world");
}

#[test]
fn a_newline_in_a_text_becomes_a_space() {
    assert_eq!(shown_text(Some("hello\nworld")), "hello world");
}

#[test]
fn a_carriage_return_in_a_text_becomes_a_space() {
    assert_eq!(shown_text(Some("hello\rworld")), "hello world");
}

#[test]
fn no_text_is_a_dash() {
    assert_eq!(shown_text(None), "-");
}

#[test]
fn an_empty_text_is_a_dash() {
    assert_eq!(shown_text(Some("")), "-");
}

#[test]
fn a_text_of_white_space_is_a_dash() {
    assert_eq!(shown_text(Some("\t\n")), "-");
}

#[test]
fn a_text_of_150_characters_is_cut_at_100() {
    assert_eq!(shown_text(Some(&"a".repeat(150))), format!("{}...truncated", "a".repeat(100)));
}

#[test]
fn a_text_of_exactly_100_characters_is_whole() {
    assert_eq!(shown_text(Some(&"a".repeat(100))), "a".repeat(100));
}

#[test]
fn a_text_of_101_characters_is_cut_at_100() {
    assert_eq!(shown_text(Some(&"a".repeat(101))), format!("{}...truncated", "a".repeat(100)));
}

// The resource id.

#[test]
fn no_resource_id_is_a_dash() {
    assert_eq!(shown_resource_id(None), "-");
}

#[test]
fn an_empty_resource_id_is_a_dash() {
    assert_eq!(shown_resource_id(Some("")), "-");
}

#[test]
fn a_resource_id_is_never_cut() {
    let long = format!("com.example:id/{}", "x".repeat(300));
    assert_eq!(shown_resource_id(Some(&long)), long);
}

// The flags.

#[test]
fn all_flags_come_in_their_order() {
    let first = Flags::VISIBLE
        | Flags::CLICKABLE
        | Flags::LONG_CLICKABLE
        | Flags::FOCUSABLE
        | Flags::SCROLLABLE
        | Flags::EDITABLE
        | Flags::ENABLED;
    assert_eq!(shown_flags(first), "vclfsen");
    assert_eq!(shown_flags(Flags::all()), "vclfsenxtop");
}

#[test]
fn only_set_flags_are_shown() {
    assert_eq!(shown_flags(Flags::VISIBLE | Flags::CLICKABLE | Flags::ENABLED), "vcn");
    assert_eq!(shown_flags(Flags::ENABLED | Flags::CHECKABLE | Flags::CHECKED), "nx");
}

#[test]
fn no_flags_are_an_empty_column() {
    assert_eq!(shown_flags(Flags::empty()), "");
    let [.., flags] = columns(Node { flags: Flags::empty(), ..Node::new("View").text("x") });
    assert_eq!(flags, "");
}

// The whole.

#[test]
fn a_hidden_node_is_listed_without_v() {
    let [_, _, text, .., flags] =
        columns(Node::new("Button").text("Below").with(Flags::CLICKABLE).without(Flags::VISIBLE));
    assert_eq!((text.as_str(), flags.as_str()), ("Below", "cn"));
}

#[test]
fn a_screen_of_noise_is_head_and_header() {
    let mut builder = Snapshot::builder(PHONE);
    builder.open(Node::new("FrameLayout")).leaf(Node::new("View")).close();
    let text = whole(&builder.finish());
    assert_eq!(text.split('\n').count(), 4);
    assert!(text.ends_with("\tflags"));
}

#[test]
fn bounds_are_left_top_right_bottom() {
    let [.., bounds, _] = columns(Node::new("View").text("x").bounds(10, 20, 300, 400));
    assert_eq!(bounds, "10,20,300,400");
    let [.., bounds, _] = columns(Node::new("View").text("x").bounds(-10, -20, 0, 5));
    assert_eq!(bounds, "-10,-20,0,5");
}
