//! The XML of `uiautomator dump`, attribute by attribute as Android writes it.

use crate::phone::{NodeFlags, NodeView, Rect, WindowView};

const PROLOG: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

/// Containers that are never reported as "not accessibility friendly".
const UNNAMED_BY_NATURE: [&str; 4] = [
    "android.widget.GridView",
    "android.widget.GridLayout",
    "android.widget.ListView",
    "android.widget.TableLayout",
];

/// What the caller asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    /// Leave out nodes that only arrange others.
    pub(super) compressed: bool,
    /// All windows instead of the active one.
    pub(super) windows: bool,
    /// Whether this version of Android adds these two attributes.
    pub(super) drawing_order_and_hint: bool,
}

/// One tree.
pub(super) fn hierarchy(root: &NodeView, rotation: u8, options: Options) -> String {
    let mut xml = PROLOG.to_owned();
    push_hierarchy(&mut xml, root, rotation, options);
    xml
}

/// All windows of the one display.
pub(super) fn windows<'a>(
    windows: impl Iterator<Item = &'a WindowView>,
    rotation: u8,
    options: Options,
) -> String {
    let mut xml = format!("{PROLOG}<displays><display id=\"0\">");
    for (index, window) in windows.enumerate() {
        let kind = match window.kind.number() {
            1 => "TYPE_APPLICATION",
            2 => "TYPE_INPUT_METHOD",
            _ => "TYPE_SYSTEM",
        };
        let title = escape(&window.title);
        let bounds = bounds(window.bounds);
        let (focused, id, layer) = (window.focused, window.id, window.layer);
        xml.push_str(&format!(
            "<window index=\"{index}\" title=\"{title}\" bounds=\"{bounds}\" active=\"{focused}\" focused=\"{focused}\" \
             accessibility-focused=\"false\" id=\"{id}\" layer=\"{layer}\" type=\"{kind}\">"
        ));
        push_hierarchy(&mut xml, &window.root, rotation, options);
        xml.push_str("</window>");
    }
    xml.push_str("</display></displays>");
    xml
}

fn push_hierarchy(xml: &mut String, root: &NodeView, rotation: u8, options: Options) {
    xml.push_str(&format!("<hierarchy rotation=\"{rotation}\">"));
    push_node(xml, root, 0, options);
    xml.push_str("</hierarchy>");
}

fn push_node(xml: &mut String, node: &NodeView, index: usize, options: Options) {
    push_start(xml, node, index, options);
    let before = xml.len();
    push_children(xml, node, options);
    if xml.len() == before {
        // Android closes a node without children in its start tag, after a blank.
        xml.truncate(before - 1);
        xml.push_str(" />");
    } else {
        xml.push_str("</node>");
    }
}

/// Children off screen leave a gap in the numbering; those left out by `--compressed` hand on their children.
fn push_children(xml: &mut String, node: &NodeView, options: Options) {
    for (index, child) in node.children.iter().enumerate() {
        if !child.is_visible() {
            continue;
        }
        if options.compressed && !is_important(child) {
            push_children(xml, child, options);
        } else {
            push_node(xml, child, index, options);
        }
    }
}

fn is_important(node: &NodeView) -> bool {
    let acts = NodeFlags::CLICKABLE
        | NodeFlags::LONG_CLICKABLE
        | NodeFlags::FOCUSABLE
        | NodeFlags::SCROLLABLE
        | NodeFlags::CHECKABLE;
    node.flags.intersects(acts) || !node.text.is_empty() || !node.content_desc.is_empty()
}

fn push_start(xml: &mut String, node: &NodeView, index: usize, options: Options) {
    xml.push_str("<node");
    let mut attribute = |name: &str, value: &str| xml.push_str(&format!(" {name}=\"{value}\""));
    if is_nameless(node) {
        attribute("NAF", "true");
    }
    attribute("index", &index.to_string());
    attribute("text", &escape(&node.text));
    attribute("resource-id", &escape(&node.resource_id));
    attribute("class", node.class);
    attribute("package", &escape(&node.package));
    attribute("content-desc", &escape(&node.content_desc));
    for (name, flag) in FLAGS {
        attribute(name, if node.flags.contains(flag) { "true" } else { "false" });
    }
    attribute("bounds", &bounds(node.bounds));
    if options.drawing_order_and_hint {
        attribute("drawing-order", &node.drawing_order.to_string());
        attribute("hint", &escape(&node.hint));
    }
    xml.push('>');
}

const FLAGS: [(&str, NodeFlags); 10] = [
    ("checkable", NodeFlags::CHECKABLE),
    ("checked", NodeFlags::CHECKED),
    ("clickable", NodeFlags::CLICKABLE),
    ("enabled", NodeFlags::ENABLED),
    ("focusable", NodeFlags::FOCUSABLE),
    ("focused", NodeFlags::FOCUSED),
    ("scrollable", NodeFlags::SCROLLABLE),
    ("long-clickable", NodeFlags::LONG_CLICKABLE),
    ("password", NodeFlags::PASSWORD),
    ("selected", NodeFlags::SELECTED),
];

/// Whether a user who cannot see would find nothing to call this by, though it can be tapped.
fn is_nameless(node: &NodeView) -> bool {
    let taps = node.flags.contains(NodeFlags::CLICKABLE | NodeFlags::ENABLED);
    taps && !UNNAMED_BY_NATURE.contains(&node.class)
        && node.walk().all(|below| below.text.is_empty() && below.content_desc.is_empty())
}

fn bounds(rect: Rect) -> String {
    format!("[{},{}][{},{}]", rect.left, rect.top, rect.right, rect.bottom)
}

/// Characters XML cannot carry become a dot; those with a meaning become entities.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", character as u32)),
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{84}'
            | '\u{86}'..='\u{9f}'
            | '\u{fdd0}'..='\u{fddf}'
            | '\u{fffe}'
            | '\u{ffff}' => escaped.push('.'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
