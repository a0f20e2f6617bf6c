//! One node as one line of seven columns.

use std::fmt::Write as _;

use super::text;
use crate::{Flags, Node, NodeId};

/// Text and description are cut after this many characters; `get_element_details` gives all of them.
pub const MAX_TEXT: usize = 100;

/// Stands in a column that has nothing to say.
pub(super) const ABSENT: char = '-';

/// The letters of the last column. The first seven are plan and order of the format; the rest came later.
const FLAGS: [(Flags, char); 11] = [
    (Flags::VISIBLE, 'v'),
    (Flags::CLICKABLE, 'c'),
    (Flags::LONG_CLICKABLE, 'l'),
    (Flags::FOCUSABLE, 'f'),
    (Flags::SCROLLABLE, 's'),
    (Flags::EDITABLE, 'e'),
    (Flags::ENABLED, 'n'),
    (Flags::CHECKED, 'x'),
    (Flags::SELECTED, 't'),
    (Flags::FOCUSED, 'o'),
    (Flags::PASSWORD, 'p'),
];

/// Flags that are worth a row, whatever else a node has.
const INTERACTIVE: Flags =
    Flags::CLICKABLE.union(Flags::LONG_CLICKABLE).union(Flags::SCROLLABLE).union(Flags::EDITABLE);

/// Whether the node says or does something itself. A node that only arranges others gets no row, and neither does a
/// folded one.
///
/// The hidden text of a password field counts as text.
pub(crate) fn is_kept(node: &Node) -> bool {
    if node.folded {
        return false;
    }
    let says = |field: &Option<Box<str>>| field.as_deref().is_some_and(|text| !text.is_empty());
    node.flags.intersects(INTERACTIVE)
        || says(&node.text)
        || says(&node.description)
        || says(&node.resource_id)
        || node.secret_length.is_some_and(|length| length > 0)
}

/// What the description column shows: for an empty field its hint, which identifies it.
pub(crate) fn description(node: &Node) -> Option<&str> {
    let description = node.description.as_deref().filter(|text| text::is_seen(text));
    description.or_else(|| node.hint.as_deref().filter(|_| node.is(Flags::EDITABLE)))
}

pub(super) fn push(out: &mut String, node: &Node) {
    push_id(out, node.id);
    out.push('\t');
    push_whole(out, node.simple_class());
    out.push('\t');
    push_short(out, node.text.as_deref());
    out.push('\t');
    push_short(out, description(node));
    out.push('\t');
    push_whole(out, node.resource_id.as_deref());
    let bounds = node.bounds;
    // Writing to a string cannot fail.
    let _ = write!(out, "\t{},{},{},{}\t", bounds.left, bounds.top, bounds.right, bounds.bottom);
    push_flags(out, node.flags);
}

fn push_id(out: &mut String, id: Option<NodeId>) {
    match id {
        Some(id) => {
            let _ = write!(out, "{id}");
        }
        None => out.push(ABSENT),
    }
}

pub(super) fn push_flags(out: &mut String, flags: Flags) {
    out.extend(FLAGS.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, letter)| *letter));
}

/// A cell with all of the text.
pub(super) fn push_whole(out: &mut String, text: Option<&str>) {
    if !text.is_some_and(|text| text::push(out, text)) {
        out.push(ABSENT);
    }
}

/// A cell with the whole text, its line ends and tabs written as letters that cannot end the cell.
pub(super) fn push_exact(out: &mut String, text: Option<&str>) {
    push_whole(out, text.map(text::escaped).as_deref());
}

/// A cell with [`MAX_TEXT`] characters of the text at the most.
pub(super) fn push_short(out: &mut String, text: Option<&str>) {
    if !text.is_some_and(|text| text::push_cut(out, text, MAX_TEXT)) {
        out.push(ABSENT);
    }
}
