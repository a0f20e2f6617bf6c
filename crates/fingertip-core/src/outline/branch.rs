//! One node of an outline, and what is said of it.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::compact::{self, TRUNCATED};
use crate::{Flags, Node, NodeId, NodeIndex, Rect, Role, Snapshot, Value, path};

/// Texts are cut after this many characters: one long document must not crowd out the tree.
pub const MAX_TEXT: usize = 1_000;

/// What can be said of a node beside its id, its role and how many children it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// What the platform calls it.
    NativeRole,
    /// The text it shows, unless that is its value.
    Title,
    /// Its value with its range, or the text of a field.
    Value,
    /// What assistive technology says of it.
    Description,
    /// The name its programmer gave it.
    Identifier,
    /// Where it is.
    Bounds,
    /// Its yes/no properties that are set.
    States,
    /// Native actions by name.
    Actions,
    /// Its path, only shown when asked for: it repeats the names of all that is around it.
    Path,
}

impl Attribute {
    /// Every attribute.
    pub const ALL: [Self; 9] = [
        Self::NativeRole,
        Self::Title,
        Self::Value,
        Self::Description,
        Self::Identifier,
        Self::Bounds,
        Self::States,
        Self::Actions,
        Self::Path,
    ];

    /// Its key in replies, and its word in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NativeRole => "nativeRole",
            Self::Title => "title",
            Self::Value => "value",
            Self::Description => "description",
            Self::Identifier => "identifier",
            Self::Bounds => "bounds",
            Self::States => "states",
            Self::Actions => "actions",
            Self::Path => "path",
        }
    }

    /// The attribute with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|attribute| attribute.name() == name)
    }
}

const STATES: [(Flags, &str); 12] = [
    (Flags::VISIBLE, "visible"),
    (Flags::ENABLED, "enabled"),
    (Flags::CLICKABLE, "clickable"),
    (Flags::LONG_CLICKABLE, "long_clickable"),
    (Flags::FOCUSABLE, "focusable"),
    (Flags::FOCUSED, "focused"),
    (Flags::SCROLLABLE, "scrollable"),
    (Flags::EDITABLE, "editable"),
    (Flags::CHECKABLE, "checkable"),
    (Flags::CHECKED, "checked"),
    (Flags::SELECTED, "selected"),
    (Flags::PASSWORD, "password"),
];

/// One node of an outline. Written as JSON, what it does not have is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch<'a> {
    #[serde(serialize_with = "write_id")]
    id: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Only at the top of a page, when the parent was on an earlier one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_id")]
    pub(super) parent: Option<NodeId>,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    native_role: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Held<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Rect>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_states")]
    states: Option<Flags>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    actions: &'a [Box<str>],
    pub(super) child_count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<Self>,
}

/// A value, written as the JSON type it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Held<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Checked(bool),
}

impl<'a> Branch<'a> {
    /// The node without its children. `attributes` are all when not given.
    pub(super) fn new(node: &'a Node, child_count: usize, attributes: Option<&[Attribute]>) -> Self {
        let wants = |attribute| attributes.is_none_or(|wanted| wanted.contains(&attribute));
        // What a field holds is its value, not its title.
        let text_is_value = node.value.is_none() && node.is(Flags::EDITABLE);
        let text = |attribute, text: Option<&'a str>| text.filter(|_| wants(attribute)).and_then(cut);
        let value = node.value.as_ref().filter(|_| wants(Attribute::Value));
        let (minimum, maximum) = match value {
            Some(Value::Number { minimum, maximum, .. }) => (*minimum, *maximum),
            _ => (None, None),
        };
        let held_text = node.text.as_deref().filter(|_| text_is_value);
        Self {
            id: node.id,
            path: None,
            parent: None,
            role: node.role,
            native_role: text(Attribute::NativeRole, node.class.as_deref()),
            title: text(Attribute::Title, node.text.as_deref().filter(|_| !text_is_value)),
            value: value.and_then(held).or_else(|| text(Attribute::Value, held_text).map(Held::Text)),
            minimum,
            maximum,
            description: text(Attribute::Description, compact::description(node)),
            identifier: text(Attribute::Identifier, node.resource_id.as_deref()),
            bounds: wants(Attribute::Bounds).then_some(node.bounds),
            states: wants(Attribute::States).then_some(node.flags),
            actions: if wants(Attribute::Actions) { &node.actions } else { &[] },
            child_count,
            children: Vec::new(),
        }
    }

    /// Adds the path, if it is asked for.
    pub(super) fn add_path(
        &mut self,
        snapshot: &Snapshot,
        index: NodeIndex,
        attributes: Option<&[Attribute]>,
    ) {
        if attributes.is_some_and(|wanted| wanted.contains(&Attribute::Path)) {
            self.path = Some(path::of(snapshot, index).to_string());
        }
    }
}

fn held(value: &Value) -> Option<Held<'_>> {
    match value {
        Value::Text(text) => cut(text).map(Held::Text),
        Value::Number { current, .. } => Some(Held::Number(*current)),
        Value::Checked(checked) => Some(Held::Checked(*checked)),
    }
}

fn cut(text: &str) -> Option<Cow<'_, str>> {
    if text.is_empty() {
        return None;
    }
    Some(match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => Cow::Owned(format!("{}{TRUNCATED}", &text[..end])),
        None => Cow::Borrowed(text),
    })
}

fn write_id<S: Serializer>(id: &Option<NodeId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
}

fn write_states<S: Serializer>(flags: &Option<Flags>, serializer: S) -> Result<S::Ok, S::Error> {
    let flags = flags.unwrap_or_default();
    serializer.collect_seq(STATES.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, name)| name))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn outlined(node: &Node, attributes: Option<&[Attribute]>) -> Json {
        json!(Branch::new(node, 0, attributes))
    }

    #[test]
    fn a_node_is_written_with_all_it_has() {
        let node = Node {
            id: NodeId::new(0xa1),
            actions: ["press".into()].into(),
            ..Node::new("push button")
                .role(Role::Button)
                .text("Save")
                .description("Saves the file")
                .resource_id("save")
                .bounds(1, 2, 30, 40)
                .with(Flags::CLICKABLE)
        };
        assert_eq!(
            outlined(&node, None),
            json!({
                "id": "node_00a1",
                "role": "button",
                "nativeRole": "push button",
                "title": "Save",
                "description": "Saves the file",
                "identifier": "save",
                "bounds": {"left": 1, "top": 2, "right": 30, "bottom": 40},
                "states": ["visible", "enabled", "clickable"],
                "actions": ["press"],
                "childCount": 0,
            })
        );
    }

    #[test]
    fn only_the_attributes_asked_for_are_written() {
        let node = Node::new("label").role(Role::Label).text("Hello");
        let json = outlined(&node, Some(&[Attribute::Title]));
        assert_eq!(json, json!({"id": null, "role": "label", "title": "Hello", "childCount": 0}));
    }

    #[test]
    fn what_a_field_holds_is_its_value() {
        let field = Node::new("entry").text("Hello").hint("Greeting").with(Flags::EDITABLE);
        let json = outlined(&field, None);
        assert_eq!(json["value"], "Hello");
        assert_eq!(json["description"], "Greeting");
        assert!(!json.as_object().unwrap().contains_key("title"));
    }

    #[test]
    fn a_number_has_its_range_beside_it() {
        let number = Value::Number { current: 4.0, minimum: Some(0.0), maximum: None };
        let json = outlined(&Node { value: Some(number), ..Node::new("slider").text("Volume") }, None);
        assert_eq!(json["value"], 4.0);
        assert_eq!(json["minimum"], 0.0);
        assert_eq!(json["title"], "Volume");
        assert!(!json.as_object().unwrap().contains_key("maximum"));
    }

    #[test]
    fn a_number_json_cannot_write_is_null() {
        let number = Value::Number { current: f64::NAN, minimum: None, maximum: None };
        assert_eq!(outlined(&Node { value: Some(number), ..Node::default() }, None)["value"], Json::Null);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let node = Node::new("label").text(&"ä".repeat(MAX_TEXT + 1));
        let expected = format!("{}...truncated", "ä".repeat(MAX_TEXT));
        assert_eq!(outlined(&node, None)["title"], expected);
        let node = Node::new("label").text(&"ä".repeat(MAX_TEXT));
        assert_eq!(outlined(&node, None)["title"], "ä".repeat(MAX_TEXT));
    }

    #[test]
    fn names_read_back() {
        for attribute in Attribute::ALL {
            assert_eq!(Attribute::parse(attribute.name()), Some(attribute));
        }
    }
}
