//! The attributes of `<node>` and `<window>`.

use fingertip_core::{Flags, Node, Rect, Role};
use quick_xml::events::BytesStart;

use super::value::decoded;
use super::{DumpError, RawWindow};
use crate::roles;

/// What phones show in place of each character of a password.
const BULLETS: [char; 3] = ['•', '●', '*'];

/// A node, and what is said of it beside.
pub(super) struct ReadNode {
    pub(super) node: Node,
    pub(super) package: Option<Box<str>>,
    /// Whether a text was too long to be kept whole.
    pub(super) cut: bool,
}

/// The attribute of this name.
pub(super) fn find(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, DumpError> {
    let mut found = None;
    each(tag, |key, raw| {
        if key == name {
            found = Some(decoded(raw).0.into_owned());
        }
    })?;
    Ok(found)
}

/// Reads a `<window>`.
pub(super) fn window(tag: &BytesStart<'_>) -> Result<RawWindow, DumpError> {
    let mut window = RawWindow::default();
    each(tag, |key, raw| match key {
        "title" => window.title = some(&decoded(raw).0),
        "bounds" => window.bounds = bounds(raw),
        "layer" => window.layer = raw.trim().parse().ok(),
        "focused" => window.focused = Some(raw == "true"),
        "type" => window.kind = roles::window_kind(&decoded(raw).0),
        "id" => window.handle = some(&decoded(raw).0),
        _ => {}
    })?;
    Ok(window)
}

/// Reads a `<node>`.
pub(super) fn node(tag: &BytesStart<'_>) -> Result<ReadNode, DumpError> {
    let mut node = Node::default().with(Flags::VISIBLE | Flags::ENABLED);
    let (mut package, mut cut) = (None, false);
    each(tag, |key, raw| {
        let mut text = || {
            let (text, was_cut) = decoded(raw);
            cut |= was_cut;
            some(&text)
        };
        match key {
            "text" => node.text = text(),
            "content-desc" => node.description = text(),
            "hint" => node.hint = text(),
            "resource-id" => node.resource_id = text(),
            "class" => node.class = text(),
            "package" => package = text(),
            "bounds" => node.bounds = bounds(raw).unwrap_or_default(),
            "drawing-order" => node.drawing_order = raw.trim().parse().unwrap_or_default(),
            _ => {
                if let Some(flag) = flag(key) {
                    node.flags.set(flag, raw == "true");
                }
            }
        }
    })?;
    finish(&mut node);
    Ok(ReadNode { node, package, cut })
}

/// What follows from all attributes together.
fn finish(node: &mut Node) {
    let class = node.class.as_deref().unwrap_or_default();
    node.role = Role::from_android_class(class);
    let password = node.is(Flags::PASSWORD);
    if password || roles::is_editable(class) {
        node.flags |= Flags::EDITABLE;
        // An empty field reports its hint as its text.
        if node.text == node.hint {
            node.text = None;
        }
    }
    if password {
        match &node.text {
            None => node.secret_length = Some(0),
            // Older releases report the hint and do not say so: then it is not known how much the field holds.
            Some(text) if !text.contains(BULLETS) && text.chars().nth(1).is_some() => node.text = None,
            Some(_) => {}
        }
    }
}

fn flag(key: &str) -> Option<Flags> {
    Some(match key {
        "checkable" => Flags::CHECKABLE,
        "checked" => Flags::CHECKED,
        "clickable" => Flags::CLICKABLE,
        "enabled" => Flags::ENABLED,
        "focusable" => Flags::FOCUSABLE,
        "focused" => Flags::FOCUSED,
        "scrollable" => Flags::SCROLLABLE,
        "long-clickable" => Flags::LONG_CLICKABLE,
        "password" => Flags::PASSWORD,
        "selected" => Flags::SELECTED,
        "visible-to-user" => Flags::VISIBLE,
        _ => return None,
    })
}

fn each(tag: &BytesStart<'_>, mut take: impl FnMut(&str, &str)) -> Result<(), DumpError> {
    let mut attributes = tag.attributes();
    for attribute in attributes.with_checks(false) {
        let attribute = attribute.map_err(|_| DumpError::Malformed)?;
        take(attribute.key.as_ref(), &attribute.value);
    }
    Ok(())
}

/// Reads `[left,top][right,bottom]`; edges may be negative.
fn bounds(raw: &str) -> Option<Rect> {
    let (first, second) = raw.trim().strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
    let corner = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some((x.trim().parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
    };
    let ((left, top), (right, bottom)) = (corner(first)?, corner(second)?);
    Some(Rect::new(left, top, right, bottom))
}

fn some(text: &str) -> Option<Box<str>> {
    (!text.is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_may_be_negative_and_must_be_whole() {
        assert_eq!(bounds("[-5,0][1080,-3]"), Some(Rect::new(-5, 0, 1080, -3)));
        for wrong in ["", "[0,0]", "[0,0][1]", "[a,0][1,1]", "[0,0][99999999999,1]", "0,0][1,1"] {
            assert_eq!(bounds(wrong), None, "{wrong}");
        }
    }
}
