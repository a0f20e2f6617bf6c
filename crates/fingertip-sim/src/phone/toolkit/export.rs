//! From placed views to the accessibility tree.

use super::placed::Placed;
use super::text::display;
use super::view::{Axis, Content};
use crate::phone::apps::Tag;
use crate::phone::tree::{NodeFlags, NodeView};

/// The accessibility node of a view and everything below it.
pub(crate) fn export(placed: &Placed, package: &str, focus: Option<Tag>) -> NodeView {
    export_at(placed, package, focus, 0)
}

fn export_at(placed: &Placed, package: &str, focus: Option<Tag>, drawing_order: u32) -> NodeView {
    let view = &placed.view;
    let mut flags = view.flags;
    flags.set(NodeFlags::VISIBLE, !placed.visible.is_empty());
    let focused = focus.is_some() && view.tag == focus && flags.contains(NodeFlags::FOCUSABLE);
    flags.set(NodeFlags::FOCUSED, focused);
    if let Some(scrolled) = placed.scrolled {
        flags.set(NodeFlags::SCROLLABLE | NodeFlags::FOCUSABLE, scrolled.most > 0.0);
        flags.set(NodeFlags::SCROLLS_SIDEWAYS, scrolled.axis == Axis::Horizontal);
        flags.set(NodeFlags::CAN_SCROLL_BACKWARD, scrolled.offset >= 1.0);
        flags.set(NodeFlags::CAN_SCROLL_FORWARD, scrolled.most - scrolled.offset >= 1.0);
    }
    let mut text = view.text.clone();
    let mut selection = None;
    let mut range = None;
    match &view.content {
        Content::Field { editor, .. } => {
            text = display(editor);
            flags.set(NodeFlags::SHOWING_HINT, text.is_empty() && !view.hint.is_empty());
            if text.is_empty() {
                text.clone_from(&view.hint);
            }
            selection = Some(editor.selection_utf16());
        }
        Content::Slider(value) => range = Some(*value),
        _ => {}
    }
    let children = placed.children.iter().zip(1..);
    NodeView {
        key: placed.key,
        class: view.class,
        text,
        content_desc: view.description.clone(),
        hint: view.hint.clone(),
        resource_id: resource_id(view.id, package),
        package: package.to_owned(),
        bounds: placed.visible,
        flags,
        drawing_order,
        range,
        selection,
        children: children.map(|(child, order)| export_at(child, package, focus, order)).collect(),
    }
}

fn resource_id(id: &str, package: &str) -> String {
    if id.is_empty() || id.contains(':') { id.to_owned() } else { format!("{package}:id/{id}") }
}
