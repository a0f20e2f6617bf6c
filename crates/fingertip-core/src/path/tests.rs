//! Paths read back as themselves, and lead to exactly the node they were made of.

use proptest::prelude::*;

use super::*;
use crate::{IdPool, Identities, Node, Reason, Rect, Screen, Snapshot, Window, WindowKind};

fn two_windows() -> Snapshot {
    let mut builder = Snapshot::builder(Screen::default());
    for title in ["Notes", "a/b \"c\""] {
        let mut window = Window::new("editor", Rect::default()).title(title);
        window.pid = Some(7);
        builder.window(window).open(Node::new("frame").role(Role::Window).text(title));
        builder.open(Node::new("panel").role(Role::Group));
        for name in ["Save", "Open", "Open", "tab\there\nline \u{1f600}"] {
            builder.leaf(Node::new("push button").role(Role::Button).text(name));
        }
        builder.close().close();
    }
    let mut snapshot = builder.finish();
    Identities::new(IdPool::default().into()).assign(&mut snapshot);
    snapshot
}

fn path(text: &str) -> ElementPath {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_node_has_a_path_that_leads_back_to_it() {
    let snapshot = two_windows();
    let paths: Vec<String> = snapshot.indices().map(|index| of(&snapshot, index).to_string()).collect();
    assert_eq!(paths[0], r#"app(7)/window["Notes"]"#);
    assert_eq!(paths[2], r#"app(7)/window["Notes"]/group[0]/button["Save"]"#);
    assert_eq!(paths[4], r#"app(7)/window["Notes"]/group[0]/button[2]"#);
    assert_eq!(
        paths[11],
        "app(7)/window[\"a/b \\\"c\\\"\"]/group[0]/button[\"tab\\there\\nline \u{1f600}\"]"
    );
    for (index, text) in snapshot.indices().zip(&paths) {
        assert_eq!(resolve(&snapshot, &path(text)).unwrap(), index, "{text}");
    }
}

#[test]
fn a_tooltip_does_not_take_the_title_of_its_window() {
    let pane = |kind| {
        let mut window = Window::new("calculator", Rect::default()).title("calculator").kind(kind);
        window.pid = Some(7);
        window
    };
    let mut builder = Snapshot::builder(Screen::default());
    builder.window(pane(WindowKind::Application));
    builder.leaf(Node::new("push button").role(Role::Button).text("7"));
    // A tooltip of pixels only, then a menu, both titled after the program.
    builder.window(pane(WindowKind::Popup)).window(pane(WindowKind::Popup));
    builder.leaf(Node::new("menu item").role(Role::MenuItem).text("Copy"));
    let snapshot = builder.finish();
    let paths: Vec<String> = snapshot.indices().map(|index| of(&snapshot, index).to_string()).collect();
    assert_eq!(
        paths,
        [r#"app(7)/window["calculator"]/button["7"]"#, r#"app(7)/window[2]/menu_item["Copy"]"#]
    );
    for (index, text) in snapshot.indices().zip(&paths) {
        assert_eq!(resolve(&snapshot, &path(text)).unwrap(), index, "{text}");
    }
}

#[test]
fn any_spelling_of_a_role_is_read() {
    let snapshot = two_windows();
    for step in ["push button", "AXButton", "Button"] {
        let text = format!(r#"app(7)/AXWindow[0]/group[0]/{step}["Save"]"#);
        assert_eq!(resolve(&snapshot, &path(&text)).unwrap().position(), 2);
    }
}

#[test]
fn nothing_is_guessed() {
    let snapshot = two_windows();
    let fails = |text: &str| resolve(&snapshot, &path(text)).expect_err(text);
    let ambiguous = fails(r#"app(7)/window[0]/group[0]/button["Open"]"#);
    assert_eq!(ambiguous.reason(), Reason::Ambiguous);
    assert_eq!(ambiguous.candidates().len(), 2);
    for text in [
        r#"app(7)/window[0]/group[0]/button["save"]"#,
        r#"app(7)/window[0]/group[0]/button[4]"#,
        r#"app(7)/window[0]/group[1]"#,
        r#"app(7)/window[0]/slider[0]"#,
        r#"app(7)/window[2]"#,
        r#"app(8)/window[0]"#,
        r#"app("editors")/window[0]"#,
    ] {
        assert_eq!(fails(text).reason(), Reason::NotFound, "{text}");
    }
    let missing = fails(r#"app(7)/window[0]/group[0]/button["Sav"]"#);
    assert!(missing.message().starts_with("Step 2 'button[\"Sav\"]' of"), "{missing}");
    assert_eq!(missing.candidates()[0].label, "push button \"Save\"");
}

#[test]
fn an_application_without_a_process_is_named() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.window(Window::new("com.example", Rect::default()));
    builder.leaf(Node::new("A").role(Role::Group)).leaf(Node::new("B").role(Role::Group));
    let snapshot = builder.finish();
    let second = snapshot.indices().nth(1).unwrap();
    assert_eq!(of(&snapshot, second).to_string(), r#"app("com.example")/window[0]/group[1]"#);
    assert_eq!(resolve(&snapshot, &of(&snapshot, second)).unwrap(), second);
    let top = resolve(&snapshot, &path(r#"app("com.example")/window[0]"#)).expect_err("two tops");
    assert_eq!(top.reason(), Reason::Ambiguous);
}

#[test]
fn a_long_title_is_replaced_by_the_place() {
    let mut builder = Snapshot::builder(Screen::default());
    builder.window(Window::new("a", Rect::default()));
    builder.leaf(Node::new("L").role(Role::Label).text(&"x".repeat(MAX_TITLE + 1)));
    let snapshot = builder.finish();
    let first = snapshot.indices().next().unwrap();
    assert_eq!(of(&snapshot, first).to_string(), r#"app("a")/window[0]/label[0]"#);
}

#[test]
fn what_is_no_path_is_refused_where_it_goes_wrong() {
    for (text, said) in [
        ("", "a path starts with app( at character 1"),
        ("app(x)/window[0]", "a process id or a name in quotes must follow at character 5"),
        ("app(7)", "'/' and a window must follow at character 7"),
        ("app(7)/group[0]", "the first step must be a window at character 8"),
        ("app(7)/window", "'[' with a place or a title must follow at character 14"),
        ("app(7)/window[-1]", "a place from 0 on or a title in quotes must follow at character 15"),
        ("app(7)/window[0", "']' is missing at character 16"),
        ("app(7)/window[0]x", "'/' must follow at character 17"),
        ("app(7)/window[0]/flux[0]", "no such role at character 18"),
        (r#"app(7)/window["a]"#, "the title is not closed with '\"' at character 18"),
        (r#"app(7)/window["\q"]"#, "no such escape at character 17"),
        (r#"app(7)/window["\u{110000}"]"#, "no such escape at character 17"),
        ("node_0001", "a path starts with app( at character 1"),
    ] {
        let error = text.parse::<ElementPath>().expect_err(text);
        assert_eq!(error.to_string(), said, "{text}");
    }
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![any::<usize>().prop_map(Which::Index), ".*".prop_map(|title| Which::Title(title.into()))]
}

fn any_path() -> impl Strategy<Value = ElementPath> {
    let app =
        prop_oneof![any::<u32>().prop_map(PathApp::Pid), ".*".prop_map(|name| PathApp::Named(name.into()))];
    let step = (0..Role::ALL.len(), which()).prop_map(|(role, which)| Step { role: Role::ALL[role], which });
    (app, which(), prop::collection::vec(step, 0..8)).prop_map(|(app, window, steps)| ElementPath {
        app,
        window,
        steps,
    })
}

/// Children of a window, few roles and few titles, so that many are alike.
fn forest() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec((0..4_u8, 0..3_u8, 0..4_u8), 1..40)
}

fn built(nodes: &[(u8, u8, u8)]) -> Snapshot {
    let mut builder = Snapshot::builder(Screen::default());
    builder.window(Window::new("a", Rect::default()));
    for (role, name, closing) in nodes {
        let role = [Role::Window, Role::Group, Role::Button, Role::Unknown][usize::from(*role)];
        let name = ["", "a/b", "\"]/[\\"][usize::from(*name)];
        builder.open(Node::new("x").role(role).text(name));
        for _ in 0..*closing {
            builder.close();
        }
    }
    builder.finish()
}

proptest! {
    #[test]
    fn a_path_reads_back_as_itself_on_one_line(path in any_path()) {
        let text = path.to_string();
        let one_line = !text.contains(['\n', '\r', '\t', '\u{2028}']);
        prop_assert!(one_line);
        prop_assert_eq!(text.parse::<ElementPath>(), Ok(path));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        if let Ok(path) = text.parse::<ElementPath>() {
            prop_assert_eq!(path.to_string().parse::<ElementPath>(), Ok(path));
        }
    }

    #[test]
    fn a_cut_path_never_panics(path in any_path(), cut in any::<prop::sample::Index>()) {
        let characters: Vec<char> = path.to_string().chars().collect();
        let part: String = characters[..cut.index(characters.len())].iter().collect();
        let _ = part.parse::<ElementPath>();
    }

    #[test]
    fn the_path_of_any_node_of_any_tree_leads_to_it(nodes in forest()) {
        let snapshot = built(&nodes);
        for index in snapshot.indices() {
            let text = of(&snapshot, index).to_string();
            let path = text.parse::<ElementPath>().expect("a path of ours");
            prop_assert_eq!(resolve(&snapshot, &path).expect(&text), index);
        }
    }
}
