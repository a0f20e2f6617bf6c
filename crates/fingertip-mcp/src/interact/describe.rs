//! Elements as replies show them.

use fingertip_core::{Candidate, Flags, NodeIndex, Snapshot, lean};
use serde_json::{Value, json};

/// An element as `find_elements` and `wait_for_element` give it.
pub(crate) fn element_json(snapshot: &Snapshot, index: NodeIndex) -> Value {
    let node = snapshot.node(index);
    json!({
        "id": node.id.map(|id| id.to_string()),
        "text": node.text,
        "contentDescription": node.description,
        "resourceId": node.resource_id,
        "className": node.class,
        "bounds": node.bounds,
        "clickable": node.is(Flags::CLICKABLE),
        "longClickable": node.is(Flags::LONG_CLICKABLE),
        "scrollable": node.is(Flags::SCROLLABLE),
        "editable": node.is(Flags::EDITABLE),
        "enabled": node.is(Flags::ENABLED),
    })
}

/// The JSON Schema of [`element_json`].
pub(crate) fn element_schema() -> Value {
    let text = json!({ "type": ["string", "null"] });
    let yes_no = json!({ "type": "boolean" });
    let edge = json!({ "type": "integer" });
    json!({
        "type": "object",
        "properties": {
            "id": text, "text": text, "contentDescription": text, "resourceId": text, "className": text,
            "bounds": {
                "type": "object",
                "properties": { "left": edge, "top": edge, "right": edge, "bottom": edge },
                "required": ["left", "top", "right", "bottom"],
            },
            "clickable": yes_no, "longClickable": yes_no, "scrollable": yes_no, "editable": yes_no, "enabled": yes_no,
        },
        "required": ["id", "text", "contentDescription", "resourceId", "className", "bounds", "clickable", "enabled"],
    })
}

/// Nodes as an error proposes them.
pub(crate) fn candidates(snapshot: &Snapshot, nodes: &[NodeIndex]) -> Vec<Candidate> {
    let candidate = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        node.id.map(|id| Candidate { id: id.to_string(), label: node.summary() })
    };
    nodes.iter().filter_map(candidate).collect()
}

/// Nodes as an error proposes them, in the words of the lean screen.
pub(crate) fn lean_candidates(snapshot: &Snapshot, nodes: &[NodeIndex]) -> Vec<Candidate> {
    let candidate = |index: &NodeIndex| {
        let id = snapshot.node(*index).id?;
        Some(Candidate { id: id.to_string(), label: lean::line(snapshot, *index) })
    };
    nodes.iter().filter_map(candidate).collect()
}
