//! Snapshots as they are built and asked.

use super::*;
use crate::WindowKind;

fn two_windows() -> Snapshot {
    let mut builder = Snapshot::builder(Screen { width: 100, height: 200, density: 160 });
    builder.window(Window::new("app", Rect::new(0, 0, 100, 200)));
    builder.open(Node::new("Root")).open(Node::new("Box")).leaf(Node::new("A")).leaf(Node::new("B")).close();
    builder.leaf(Node::new("C")).close();
    builder.window(Window::new("keyboard", Rect::new(0, 150, 100, 200)).kind(WindowKind::InputMethod));
    builder.leaf(Node::new("K"));
    builder.finish()
}

fn classes(snapshot: &Snapshot, nodes: impl Iterator<Item = NodeIndex>) -> Vec<String> {
    nodes.map(|index| snapshot.node(index).class.as_deref().unwrap_or_default().to_owned()).collect()
}

#[test]
fn relatives_are_found_by_index() {
    let snapshot = two_windows();
    let root = snapshot.indices().next().unwrap();
    assert_eq!(classes(&snapshot, snapshot.children(root)), ["Box", "C"]);
    assert_eq!(classes(&snapshot, snapshot.subtree(root)), ["Root", "Box", "A", "B", "C"]);
    let b = snapshot.indices().nth(3).unwrap();
    assert_eq!(classes(&snapshot, snapshot.ancestors(b)), ["Box", "Root"]);
    assert_eq!(snapshot.depth(b), 2);
    assert!(snapshot.is_within(b, root));
    assert!(!snapshot.is_within(root, b));
}

#[test]
fn each_window_owns_its_nodes() {
    let snapshot = two_windows();
    assert_eq!(classes(&snapshot, snapshot.roots_of(0)), ["Root"]);
    assert_eq!(classes(&snapshot, snapshot.nodes_of(1)), ["K"]);
    assert_eq!(snapshot.window_of(snapshot.indices().last().unwrap()), 1);
}

#[test]
fn without_focus_the_application_comes_first() {
    assert_eq!(two_windows().focused_window(), Some(0));
}

#[test]
fn of_several_that_say_they_have_the_focus_the_field_has_it() {
    let flagged = |class: &str, flags| Node { flags, ..Node::new(class) };
    let focused = |class: &str| flagged(class, Flags::FOCUSED);
    let field = |class: &str| flagged(class, Flags::FOCUSED | Flags::EDITABLE);
    let built = |nodes: Vec<Node>| {
        let mut builder = Snapshot::builder(Screen::default());
        builder.window(Window::new("app", Rect::new(0, 0, 100, 200)).focused());
        for node in nodes {
            builder.leaf(node);
        }
        let snapshot = builder.finish();
        snapshot.focused_node().map(|index| snapshot.node(index).class.as_deref().unwrap().to_owned())
    };
    assert_eq!(built(vec![field("paragraph"), focused("toggle button")]).as_deref(), Some("paragraph"));
    assert_eq!(built(vec![field("table"), field("cell"), focused("panel")]).as_deref(), Some("cell"));
    assert_eq!(built(vec![focused("panel"), focused("button")]).as_deref(), Some("button"));
    assert_eq!(built(vec![Node::new("panel")]), None);
    let seen = flagged("tab", Flags::FOCUSED | Flags::VISIBLE);
    assert_eq!(built(vec![seen.clone(), focused("menu item")]).as_deref(), Some("tab"));
    assert_eq!(built(vec![seen, field("field of a closed page")]).as_deref(), Some("tab"));
}

#[test]
fn unbalanced_calls_lose_no_node() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.close().open(Node::new("Root")).open(Node::new("Open"));
    let snapshot = builder.finish();
    assert_eq!(snapshot.nodes().len(), 2);
    assert_eq!(classes(&snapshot, snapshot.roots_of(0)), ["Root"]);
}

#[test]
fn an_activity_is_named_within_its_own_application_only() {
    let named = |app, activity| {
        let mut builder = Snapshot::builder(Screen::default());
        builder.app(app, activity);
        builder.finish().activity.unwrap().into_string()
    };
    assert_eq!(named("com.example", "com.example.Main"), ".Main");
    assert_eq!(named("com.example", ".Main"), ".Main");
    assert_eq!(named("com.example", "com.example2.Main"), "com.example2.Main");
    assert_eq!(named("com.example", "org.other.Main"), "org.other.Main");
}

#[test]
fn the_title_of_a_window_is_kept_to_the_letter() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.titled("gedit", "gedit.txt - gedit");
    assert_eq!(builder.finish().activity.as_deref(), Some("gedit.txt - gedit"));
}

#[test]
fn a_password_leaves_only_its_length() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.leaf(Node::new("EditText").text("hunter2").with(Flags::PASSWORD));
    let snapshot = builder.finish();
    assert_eq!(snapshot.nodes()[0].text, None);
    assert_eq!(snapshot.nodes()[0].secret_length, Some(7));
    assert!(!format!("{snapshot:?}").contains("hunter2"));
}
