//! The search of the desktop tools: several criteria that must all be met.

use super::{Needle, Unread};
use crate::{Node, NodeIndex, Role, Snapshot, Value, compact};

/// What a node must be and say. A criterion that is not given is met by every node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementQuery {
    /// Its role, or one that this one stands for; see [`Role::kinds`].
    pub role: Option<Role>,
    /// Part of its text or description, in any case.
    pub title: Option<String>,
    /// Part of its value or text, in any case; of a number or a state, all of it.
    pub value: Option<String>,
    /// Its resource id, exactly.
    pub identifier: Option<String>,
}

impl ElementQuery {
    /// The nodes that meet all criteria, in pre-order.
    pub fn find<'a>(&self, snapshot: &'a Snapshot) -> impl Iterator<Item = NodeIndex> + use<'a> {
        let prepared = Prepared::new(self);
        snapshot.indices().filter(move |&index| prepared.matches(snapshot.node(index)))
    }

    /// Whether the node meets all criteria. For many nodes [`Self::find`] is faster.
    #[must_use]
    pub fn matches(&self, node: &Node) -> bool {
        Prepared::new(self).matches(node)
    }
}

/// A query whose texts are prepared to be compared with many.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) role: Option<Role>,
    title: Option<Needle>,
    value: Option<Needle>,
    identifier: Option<Needle>,
}

impl Prepared {
    pub(super) fn new(query: &ElementQuery) -> Self {
        let needle = |value: &Option<String>| value.as_deref().map(Needle::new);
        Self {
            role: query.role,
            title: needle(&query.title),
            value: needle(&query.value),
            identifier: needle(&query.identifier),
        }
    }

    fn matches(&self, node: &Node) -> bool {
        self.admits(node, Unread::empty())
    }

    /// Whether the node can meet all criteria, whatever is in what was not read of it.
    pub(super) fn admits(&self, node: &Node, unread: Unread) -> bool {
        let within = |needle: &Needle, text: Option<&str>| text.is_some_and(|text| needle.is_within(text));
        self.role.is_none_or(|role| role.finds(node.role))
            && self.identifier.as_ref().is_none_or(|identifier| {
                unread.contains(Unread::RESOURCE_ID)
                    || node.resource_id.as_deref().is_some_and(|text| identifier.equals(text))
            })
            && self.title.as_ref().is_none_or(|title| {
                unread.intersects(Unread::TEXT | Unread::DESCRIPTION)
                    || within(title, node.text.as_deref())
                    || within(title, compact::description(node))
            })
            && self.value.as_ref().is_none_or(|value| {
                unread.intersects(Unread::TEXT | Unread::VALUE)
                    || within(value, node.text.as_deref())
                    || node.value.as_ref().is_some_and(|held| has_value(held, value))
            })
    }
}

fn has_value(held: &Value, wanted: &Needle) -> bool {
    match held {
        Value::Text(text) => wanted.is_within(text),
        Value::Number { current, .. } => wanted.as_str().parse() == Ok(*current),
        Value::Checked(checked) => wanted.equals(if *checked { "true" } else { "false" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slider() -> Node {
        let value = Value::Number { current: 40.0, minimum: None, maximum: Some(100.0) };
        Node {
            value: Some(value),
            ..Node::new("AXSlider")
                .role(Role::Slider)
                .text("Volume")
                .description("Loudness")
                .resource_id("vol")
        }
    }

    fn title(title: &str) -> ElementQuery {
        ElementQuery { title: Some(title.into()), ..ElementQuery::default() }
    }

    fn value(value: &str) -> ElementQuery {
        ElementQuery { value: Some(value.into()), ..ElementQuery::default() }
    }

    #[test]
    fn all_criteria_must_be_met() {
        let query = ElementQuery {
            role: Some(Role::Slider),
            title: Some("vol".into()),
            value: Some("40".into()),
            identifier: Some("vol".into()),
        };
        assert!(query.matches(&slider()));
        assert!(!ElementQuery { role: Some(Role::Button), ..query.clone() }.matches(&slider()));
        assert!(!ElementQuery { title: Some("base".into()), ..query.clone() }.matches(&slider()));
        assert!(!ElementQuery { value: Some("41".into()), ..query.clone() }.matches(&slider()));
        assert!(!ElementQuery { identifier: Some("vo".into()), ..query }.matches(&slider()));
    }

    #[test]
    fn a_title_is_a_text_or_a_description() {
        assert!(title("VOLUME").matches(&slider()));
        assert!(title("loud").matches(&slider()));
        assert!(!title("vol.").matches(&slider()));
    }

    #[test]
    fn a_value_is_compared_by_its_kind() {
        assert!(value("40.0").matches(&slider()));
        assert!(!value("4").matches(&slider()));
        let ticked = Node { value: Some(Value::Checked(true)), ..Node::new("AXCheckBox") };
        assert!(value("true").matches(&ticked));
        assert!(!value("false").matches(&ticked));
        let field = Node { value: Some(Value::Text("Hello".into())), ..Node::new("AXTextField") };
        assert!(value("hell").matches(&field));
    }

    #[test]
    fn no_criterion_is_met_by_every_node() {
        assert!(ElementQuery::default().matches(&Node::new("View")));
    }
}
