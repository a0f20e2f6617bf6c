//! What the format has beyond single rows: fields, windows, pages, notes and details.

use super::*;
use crate::{Flags, Node, NodeId, Rect, Screen, Window, WindowKind};

const BOUNDS: Rect = Rect::new(0, 0, 100, 200);

fn builder() -> crate::Builder {
    Snapshot::builder(Screen { width: 200, height: 100, density: 160 })
}

fn numbered(count: usize) -> Vec<Node> {
    (0..count).map(|number| Node::new("View").text(&format!("row {number}"))).collect()
}

/// Everything after the header.
fn body(text: &str) -> Vec<&str> {
    text.split('\n').skip_while(|line| *line != HEADER).skip(1).collect()
}

#[test]
fn a_whole_screen_reads_like_this() {
    let mut builder = builder();
    builder.app("com.example.login", ".Login").unsettled().cut("2 windows did not answer");
    builder.window(Window::new("com.example.keys", BOUNDS).kind(WindowKind::InputMethod).layer(2));
    builder.leaf(Node { id: NodeId::new(1), ..Node::new("Key").text("q").with(Flags::CLICKABLE) });
    builder.window(Window::new("com.example.login", BOUNDS).focused().layer(1));
    builder.open(Node::new("android.widget.FrameLayout"));
    let name = Node::new("android.widget.EditText").hint("Your name").bounds(0, 0, 100, 20);
    builder.leaf(Node { id: NodeId::new(2), ..name.with(Flags::EDITABLE | Flags::FOCUSED) });
    let secret = Node::new("android.widget.EditText").text("hunter2").description("Password");
    builder.leaf(Node { id: NodeId::new(3), ..secret.with(Flags::EDITABLE | Flags::PASSWORD) });
    let stay =
        Node::new("android.widget.CheckBox").text("Stay\nhere").with(Flags::CHECKED | Flags::CLICKABLE);
    builder.leaf(Node { id: NodeId::new(4), ..stay });
    let expected = "\
note:structural-only nodes are omitted from the tree
app:com.example.login activity:.Login
screen:200x100 density:160 orientation:landscape
id\tclass\ttext\tdesc\tres_id\tbounds\tflags
node_0002\tEditText\t-\tYour name\t-\t0,0,100,20\tveno
node_0003\tEditText\t-\tPassword\t-\t0,0,0,0\tvenp
node_0004\tCheckBox\tStay here\t-\t-\t0,0,0,0\tvcnx
window:- app:com.example.keys type:input_method
node_0001\tKey\tq\t-\t-\t0,0,0,0\tvcn
note:2 windows did not answer
note:the screen is still changing";
    assert_eq!(whole(&builder.finish()), expected);
}

#[test]
fn nobody_in_front_is_unknown() {
    let mut builder = builder();
    builder.app(" ", "");
    assert!(whole(&builder.finish()).contains("\napp:unknown activity:unknown\n"));
}

#[test]
fn a_hint_describes_only_a_field_without_description() {
    let mut builder = builder();
    let field = Node::new("EditText").hint("Hint").with(Flags::EDITABLE);
    builder
        .leaf(field.clone().description("Own"))
        .leaf(field.clone().description("\n"))
        .leaf(field.clone().text("T"));
    builder.leaf(Node::new("TextView").hint("Hint").text("x"));
    let text = whole(&builder.finish());
    let columns: Vec<_> =
        body(&text).into_iter().map(|row| row.split('\t').skip(2).take(2).collect::<Vec<_>>()).collect();
    let expected: [Vec<&str>; 4] = [vec!["-", "Own"], vec!["-", "Hint"], vec!["T", "Hint"], vec!["x", "-"]];
    assert_eq!(columns, expected);
}

#[test]
fn a_password_that_can_only_be_looked_at_still_has_a_row() {
    let mut builder = builder();
    builder.leaf(Node::new("TextView").text("hunter2").with(Flags::PASSWORD));
    assert_eq!(body(&whole(&builder.finish())), ["-\tTextView\t-\t-\t-\t0,0,0,0\tvnp"]);
}

#[test]
fn further_windows_come_from_the_topmost_down() {
    let mut builder = builder();
    for (title, layer) in [("low", 1), ("front", 0), ("high", 9), ("also low", 1), ("silent", 5)] {
        let window = Window::new("app", BOUNDS).title(title).layer(layer).kind(WindowKind::Dialog);
        builder.window(if title == "front" { window.focused() } else { window });
        builder.leaf(Node::new(title).text(if title == "silent" { "" } else { "x" }));
    }
    let text = whole(&builder.finish());
    let firsts: Vec<_> =
        body(&text).into_iter().map(|line| line.split('\t').take(2).collect::<Vec<_>>().join("|")).collect();
    let window = |title| format!("window:{title} app:app type:dialog");
    assert_eq!(
        firsts,
        ["-|front", &window("high"), "-|high", &window("low"), "-|low", &window("also low"), "-|also low"]
    );
}

#[test]
fn a_title_cannot_forge_a_line_and_is_cut() {
    let mut builder = builder();
    builder.window(Window::new("front", BOUNDS).focused());
    builder.window(Window::new("a\nb", BOUNDS).title(&format!("x\nmore:{}", "9".repeat(200))));
    builder.leaf(Node::new("View").text("x"));
    let expected = format!("window:x more:{}...truncated app:a b type:application", "9".repeat(93));
    assert_eq!(body(&whole(&builder.finish()))[0], expected);
}

#[test]
fn a_full_page_points_to_the_rest() {
    let mut builder = builder();
    numbered(MAX_ROWS + 7).into_iter().for_each(|node| {
        builder.leaf(node);
    });
    let snapshot = builder.finish();
    let first = page(&snapshot, 0);
    assert_eq!((first.next(), first.remaining()), (Some(MAX_ROWS), 7));
    let text = first.render(Some("c7"));
    assert_eq!(text.split('\n').count(), 4 + MAX_ROWS + 1);
    assert!(text.ends_with("\nmore:7 cursor:c7"));
    assert!(first.render(None).ends_with("\nmore:7"));

    let last = page(&snapshot, MAX_ROWS);
    assert_eq!((last.next(), last.remaining()), (None, 0));
    let text = last.render(Some("unused"));
    assert!(text.starts_with("id\tclass\ttext\tdesc\tres_id\tbounds\tflags\n-\tView\trow 200\t"));
    assert_eq!(text.split('\n').count(), 1 + 7);
    assert!(!text.contains("more:"));
}

#[test]
fn exactly_one_page_points_nowhere() {
    let mut builder = builder();
    numbered(MAX_ROWS).into_iter().for_each(|node| {
        builder.leaf(node);
    });
    let snapshot = builder.finish();
    assert_eq!(page(&snapshot, 0).next(), None);
    assert!(!page(&snapshot, 0).render(Some("c")).contains("more:"));
}

#[test]
fn a_page_that_starts_inside_a_further_window_says_which() {
    let mut builder = builder();
    builder.window(Window::new("front", BOUNDS).focused());
    builder.leaf(Node::new("View").text("front"));
    builder.window(Window::new("back", BOUNDS).title("Back"));
    numbered(MAX_ROWS).into_iter().for_each(|node| {
        builder.leaf(node);
    });
    let snapshot = builder.finish();
    let text = page(&snapshot, MAX_ROWS).render(None);
    assert_eq!(body(&text), ["window:Back app:back type:application", "-\tView\trow 199\t-\t-\t0,0,0,0\tvn"]);
}

#[test]
fn notes_stand_last_even_after_the_cursor() {
    let mut builder = builder();
    builder.unsettled().cut("too\nmany");
    numbered(MAX_ROWS + 1).into_iter().for_each(|node| {
        builder.leaf(node);
    });
    let text = page(&builder.finish(), 0).render(Some("c"));
    assert!(text.ends_with("\nmore:1 cursor:c\nnote:too many\nnote:the screen is still changing"));
}

#[test]
fn a_start_beyond_the_end_is_an_empty_last_page() {
    let snapshot = builder().finish();
    let page = page(&snapshot, 999);
    assert_eq!(page.next(), None);
    assert_eq!(page.remaining(), 0);
}

#[test]
fn details_are_whole_and_in_the_order_asked() {
    let long = "l".repeat(300);
    let mut builder = builder();
    builder.leaf(Node::new("TextView").text(&long).description("two\tparts"));
    builder.leaf(Node::new("EditText").text("hunter2").hint("PIN").with(Flags::EDITABLE | Flags::PASSWORD));
    let snapshot = builder.finish();
    let asked = [
        ("node_0002".to_owned(), Some(&snapshot.nodes()[1])),
        ("gone\n".to_owned(), None),
        ("node_0001".to_owned(), Some(&snapshot.nodes()[0])),
    ];
    let expected = format!(
        "id\ttext\tdesc\nnode_0002\t-\tPIN\ngone\tnot_found\tnot_found\nnode_0001\t{long}\ttwo\\tparts"
    );
    assert_eq!(details(&asked), expected);
}

#[test]
fn a_window_behind_a_dialog_and_a_mute_popup_are_said_to_have_no_rows() {
    let mut builder = builder();
    let main = Window { blocked_by: Some("Sure?".into()), ..Window::new("app", BOUNDS).title("Main") };
    builder.window(main).leaf(Node::new("Button").text("Other"));
    builder
        .window(Window::new("app", BOUNDS).title("Sure?").focused().layer(1))
        .leaf(Node::new("Button").text("Yes"));
    builder.window(Window::new("app", crate::Rect::new(1, 2, 3, 4)).kind(WindowKind::Popup).layer(2));
    let text = whole(&builder.finish());
    assert!(text.contains("\tYes\t") && !text.contains("Other"), "{text}");
    assert!(
        text.contains("\nnote:window 'Main' is left out: it is blocked by the dialog 'Sure?'\n"),
        "{text}"
    );
    assert!(text.contains("\nnote:a popup of app at 1,2,3,4 exposes no elements;"), "{text}");
}
