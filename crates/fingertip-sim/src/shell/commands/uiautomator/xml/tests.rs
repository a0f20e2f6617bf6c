use super::*;
use crate::phone::WindowKind;

fn node(text: &str, flags: NodeFlags, children: Vec<NodeView>) -> NodeView {
    NodeView {
        key: 1,
        class: "android.widget.TextView",
        text: text.into(),
        content_desc: String::new(),
        hint: "Hint".into(),
        resource_id: "org.a:id/x".into(),
        package: "org.a".into(),
        bounds: Rect::new(0, 10, 100, 60),
        flags: flags | NodeFlags::VISIBLE | NodeFlags::ENABLED,
        drawing_order: 2,
        range: None,
        selection: None,
        children,
    }
}

const BARE: &str = "resource-id=\"org.a:id/x\" class=\"android.widget.TextView\" package=\"org.a\" content-desc=\"\" \
    checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" \
    scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,10][100,60]\"";

#[test]
fn attributes_come_in_androids_order() {
    let xml = hierarchy(&node("a", NodeFlags::empty(), vec![]), 1, Options::default());
    assert_eq!(
        xml,
        format!("{PROLOG}<hierarchy rotation=\"1\"><node index=\"0\" text=\"a\" {BARE} /></hierarchy>")
    );
    let newer = Options { drawing_order_and_hint: true, ..Options::default() };
    let xml = hierarchy(&node("a", NodeFlags::empty(), vec![]), 0, newer);
    assert!(xml.ends_with("bounds=\"[0,10][100,60]\" drawing-order=\"2\" hint=\"Hint\" /></hierarchy>"));
}

#[test]
fn children_out_of_view_leave_a_gap() {
    let mut hidden = node("hidden", NodeFlags::empty(), vec![]);
    hidden.flags.remove(NodeFlags::VISIBLE);
    let root = node("", NodeFlags::empty(), vec![hidden, node("b", NodeFlags::empty(), vec![])]);
    let xml = hierarchy(&root, 0, Options::default());
    assert!(xml.contains(&format!("<node index=\"1\" text=\"b\" {BARE} /></node></hierarchy>")), "{xml}");
    assert!(!xml.contains("hidden"));
}

#[test]
fn compression_hands_children_up() {
    let arranged = node("", NodeFlags::empty(), vec![node("kept", NodeFlags::empty(), vec![])]);
    let root = node("", NodeFlags::empty(), vec![arranged]);
    let xml = hierarchy(&root, 0, Options { compressed: true, ..Options::default() });
    assert_eq!(xml.matches("<node ").count(), 2, "{xml}");
}

#[test]
fn text_is_made_fit_for_xml() {
    assert_eq!(escape("a<b>&\"c'\n\u{1}\u{9f}é😀"), "a&lt;b&gt;&amp;&quot;c'&#10;..é😀");
}

#[test]
fn only_nameless_buttons_are_not_accessibility_friendly() {
    let named = node("", NodeFlags::CLICKABLE, vec![node("name", NodeFlags::empty(), vec![])]);
    assert!(!is_nameless(&named));
    let nameless = node("", NodeFlags::CLICKABLE, vec![]);
    assert!(hierarchy(&nameless, 0, Options::default()).contains("<node NAF=\"true\" index=\"0\""));
}

#[test]
fn windows_are_wrapped_one_by_one() {
    let window = WindowView {
        id: 3,
        title: "A & B".into(),
        name: "org.a/org.a.Main".into(),
        package: "org.a".into(),
        kind: WindowKind::InputMethod,
        layer: 5,
        bounds: Rect::new(0, 0, 100, 200),
        focused: true,
        secure: false,
        root: node("a", NodeFlags::empty(), vec![]),
    };
    let xml = windows([&window].into_iter(), 0, Options::default());
    let start = "<displays><display id=\"0\"><window index=\"0\" title=\"A &amp; B\" bounds=\"[0,0][100,200]\" active=\"true\" \
        focused=\"true\" accessibility-focused=\"false\" id=\"3\" layer=\"5\" type=\"TYPE_INPUT_METHOD\"><hierarchy rotation=\"0\"><node ";
    assert!(xml.starts_with(&format!("{PROLOG}{start}")), "{xml}");
    assert!(xml.ends_with(" /></hierarchy></window></display></displays>"));
}
