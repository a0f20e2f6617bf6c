//! Dumps in all their forms.

use fingertip_core::{Flags, Node, Rect, Role, WindowKind};

use super::*;

fn nodes(dump: &str) -> Vec<Node> {
    let hierarchy = parse(dump.as_bytes()).unwrap();
    hierarchy.windows.into_iter().flat_map(|window| window.nodes).map(|(_, node)| node).collect()
}

fn only(attributes: &str) -> Node {
    nodes(&format!("<hierarchy rotation=\"0\"><node {attributes}/></hierarchy>")).remove(0)
}

#[test]
fn a_plain_dump_with_what_the_shell_prints_around_it() {
    let dump = "WARNING: linker: something\r\n<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\
        <hierarchy rotation=\"1\"><node index=\"0\" text=\"7 &amp; 3\" resource-id=\"a:id/b\" \
        class=\"android.widget.Button\" package=\"com.calc\" content-desc=\"seven\" checkable=\"false\" \
        clickable=\"true\" enabled=\"true\" long-clickable=\"true\" bounds=\"[0,-4][100,60]\" \
        drawing-order=\"3\" /></hierarchy>UI hierchary dumped to: /dev/tty\r\n";
    let hierarchy = parse(dump.as_bytes()).unwrap();
    assert_eq!(hierarchy.rotation, Some(1));
    assert_eq!(hierarchy.windows[0].package.as_deref(), Some("com.calc"));
    let (depth, node) = &hierarchy.windows[0].nodes[0];
    assert_eq!((*depth, node.text.as_deref(), node.role), (0, Some("7 & 3"), Role::Button));
    assert_eq!(node.bounds, Rect::new(0, -4, 100, 60));
    assert_eq!(node.drawing_order, 3);
    assert!(node.is(Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::ENABLED | Flags::VISIBLE));
    assert!(!node.is(Flags::CHECKABLE));
}

#[test]
fn all_windows_of_the_phones_own_display() {
    let dump = "<displays><display id=\"0\"><window index=\"0\" title=\"Keys\" bounds=\"[0,150][100,200]\" \
        active=\"false\" focused=\"false\" id=\"12\" layer=\"9\" type=\"TYPE_INPUT_METHOD\">\
        <hierarchy rotation=\"0\"><node package=\"com.keys\" bounds=\"[0,150][100,200]\"/></hierarchy></window>\
        <window index=\"1\" title=\"App\" bounds=\"[0,0][100,200]\" focused=\"true\" layer=\"1\" type=\"1\">\
        <window index=\"0\" title=\"Child\" layer=\"2\" type=\"TYPE_APPLICATION\"><hierarchy rotation=\"0\">\
        <node package=\"com.child\"/></hierarchy></window>\
        <hierarchy rotation=\"0\"><node package=\"com.app\"><node/></node></hierarchy></window>\
        <window index=\"2\" title=\"Bare\" type=\"3\"/></display>\
        <display id=\"7\"><window title=\"Else\"><hierarchy rotation=\"2\"><node package=\"com.else\"/></hierarchy>\
        </window></display></displays>\nUI hierchary dumped to: /dev/tty";
    let windows = parse(dump.as_bytes()).unwrap().windows;
    let summary: Vec<_> = windows
        .iter()
        .map(|window| {
            (window.title.as_deref().unwrap(), window.package.as_deref().unwrap(), window.nodes.len())
        })
        .collect();
    assert_eq!(summary, [("Keys", "com.keys", 1), ("Child", "com.child", 1), ("App", "com.app", 2)]);
    assert_eq!(windows[0].kind, Some(WindowKind::InputMethod));
    assert_eq!((windows[0].layer, windows[0].focused), (Some(9), Some(false)));
    assert_eq!((windows[2].focused, windows[2].handle.as_deref()), (Some(true), None));
}

#[test]
fn a_hint_in_an_empty_field_is_not_its_text() {
    let field = only(r#"class="android.widget.EditText" text="Search" hint="Search""#);
    assert_eq!((field.text.as_deref(), field.hint.as_deref()), (None, Some("Search")));
    assert!(field.is(Flags::EDITABLE));
    let label = only(r#"class="android.widget.TextView" text="Search" hint="Search""#);
    assert_eq!(label.text.as_deref(), Some("Search"));
    assert!(!label.is(Flags::EDITABLE));
}

#[test]
fn of_a_password_only_the_length_is_known() {
    let filled = only(r#"class="android.widget.EditText" password="true" text="••••" hint="Password""#);
    assert_eq!(filled.text.as_deref(), Some("••••"));
    let empty = only(r#"class="android.widget.EditText" password="true" text="Password" hint="Password""#);
    assert_eq!((empty.text, empty.secret_length), (None, Some(0)));
    let unclear = only(r#"class="android.view.View" password="true" text="Password""#);
    assert_eq!((unclear.text.as_deref(), unclear.hint.as_deref(), unclear.secret_length), (None, None, None));
    assert!(unclear.is(Flags::EDITABLE));
}

#[test]
fn missing_and_strange_attributes_have_defaults() {
    let bare = only("");
    assert_eq!((bare.class, bare.text, bare.bounds), (None, None, Rect::default()));
    assert_eq!(bare.flags, Flags::VISIBLE | Flags::ENABLED);
    let hidden = only(r#"visible-to-user="false" enabled="false" NAF="true" display-id="0" bounds="what""#);
    assert_eq!(hidden.flags, Flags::empty());
}

#[test]
fn the_sentences_of_uiautomator_are_errors() {
    for (said, error) in [
        ("ERROR: null root node returned by UiTestAutomationBridge.\r\n", DumpError::NullRoot),
        ("ERROR: could not get idle state.\n", DumpError::NeverIdle),
        ("Killed \r\n", DumpError::Killed),
        ("java.lang.IllegalStateException: UiAutomationService x already registered!", DumpError::Busy),
        ("<hierarchy rotation=\"0\"/>", DumpError::NullRoot),
        ("<?xml version='1.0'?><hierarchy rotation=\"0\"></hierarchy>", DumpError::NullRoot),
        (
            "/system/bin/sh: uiautomator: not found",
            DumpError::NoDump("/system/bin/sh: uiautomator: not found".into()),
        ),
        ("", DumpError::NoDump(String::new())),
        ("<hierarchy rotation=\"0\"><node text=\"a\"><node", DumpError::Malformed),
        ("<hierarchy rotation=\"0\"><node text=\"a\">", DumpError::Truncated),
        ("<hierarchy><node></hierarchy>", DumpError::Malformed),
    ] {
        assert_eq!(parse(said.as_bytes()), Err(error), "{said}");
    }
}

#[test]
fn a_huge_attribute_is_cut_and_said_so() {
    let huge = "x".repeat(MAX_TEXT + 1);
    let dump = format!("<hierarchy><node text=\"{huge}\"/><node text=\"after\"/></hierarchy>");
    let hierarchy = parse(dump.as_bytes()).unwrap();
    assert_eq!(hierarchy.windows.len(), 2);
    assert_eq!(hierarchy.windows[0].nodes[0].1.text.as_deref().map(str::len), Some(MAX_TEXT));
    assert!(hierarchy.cut.unwrap().contains("are cut"));
}

#[test]
fn what_goes_beyond_the_limits_is_left_out_and_said_so() {
    let deep = format!(
        "<hierarchy>{}{}</hierarchy>",
        "<node text=\"a\">".repeat(MAX_DEPTH + 5),
        "</node>".repeat(MAX_DEPTH + 5)
    );
    let hierarchy = parse(deep.as_bytes()).unwrap();
    assert_eq!(hierarchy.windows[0].nodes.len(), MAX_DEPTH);
    assert!(hierarchy.cut.unwrap().contains("deep"));
    let many = format!("<hierarchy><node>{}</node></hierarchy>", "<node/>".repeat(MAX_NODES));
    let hierarchy = parse(many.as_bytes()).unwrap();
    assert_eq!(hierarchy.windows[0].nodes.len(), MAX_NODES);
    assert!(hierarchy.cut.unwrap().contains("first"));
}

#[test]
fn an_endless_dump_is_read_as_far_as_the_limit() {
    let mut dump = b"<hierarchy><node text=\"kept\"/><node text=\"".to_vec();
    dump.resize(100 * 1024 * 1024, b'x');
    let hierarchy = parse(&dump).unwrap();
    assert_eq!(hierarchy.windows[0].nodes[0].1.text.as_deref(), Some("kept"));
    assert!(hierarchy.cut.unwrap().contains("longer than"));
    let deep = "<node>".repeat(MAX_BYTES / 4);
    assert!(parse(format!("<hierarchy>{deep}").as_bytes()).unwrap().cut.is_some());
}
