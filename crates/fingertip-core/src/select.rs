//! Finding nodes by what they say and are.
//!
//! A search means what the screen format shows: a value copied from a row finds its node, exactly or in
//! part, although the row shows a line break as a space, drops characters that command a direction, and
//! shows a class without its package and the hint of an unlabelled field as its description. White space
//! around a value does not count. A value of which nothing can be seen finds nothing.

mod distance;
mod needle;
mod query;
mod sought;

pub use distance::distance;
pub(crate) use needle::Needle;
pub use query::ElementQuery;
pub use sought::{Sought, Unread};

use crate::{Node, NodeIndex, Snapshot, compact};

/// Which property of a node is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// The text it shows.
    Text,
    /// What assistive technology says of it.
    ContentDesc,
    /// The name its programmer gave it.
    ResourceId,
    /// What the platform calls it.
    ClassName,
}

impl By {
    /// Every property.
    pub const ALL: [Self; 4] = [Self::Text, Self::ContentDesc, Self::ResourceId, Self::ClassName];

    /// The word in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::ContentDesc => "content_desc",
            Self::ResourceId => "resource_id",
            Self::ClassName => "class_name",
        }
    }

    /// The property with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }
}

/// One property compared with one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    by: By,
    needle: Needle,
    /// The value as it was before it was written into the details, where it may come from there.
    unescaped: Option<Needle>,
    exact: bool,
}

impl Criterion {
    /// The property equals the value (`exact`), or contains it in any case.
    #[must_use]
    pub fn new(by: By, value: &str, exact: bool) -> Self {
        let unescaped = compact::unescaped(value).map(|value| Needle::new(&value));
        Self { by, needle: Needle::new(value), unescaped, exact }
    }

    /// Whether the node meets it.
    #[must_use]
    pub fn matches(&self, node: &Node) -> bool {
        let meets = |text: Option<&str>| text.is_some_and(|text| self.fits(text));
        match self.by {
            By::Text => meets(node.text.as_deref()),
            By::ContentDesc => meets(compact::description(node)),
            By::ResourceId => meets(node.resource_id.as_deref()),
            By::ClassName => meets(node.class.as_deref()) || (self.exact && meets(node.simple_class())),
        }
    }

    fn fits(&self, text: &str) -> bool {
        let mut needles = std::iter::once(&self.needle).chain(&self.unescaped);
        needles.any(|needle| if self.exact { needle.equals(text) } else { needle.is_within(text) })
    }

    /// The nodes that meet it, in pre-order.
    pub fn find<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = NodeIndex> + use<'a> {
        snapshot.indices().filter(|&index| self.matches(snapshot.node(index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flags, Screen};

    fn finds(by: By, value: &str, exact: bool, node: &Node) -> bool {
        Criterion::new(by, value, exact).matches(node)
    }

    #[test]
    fn names_read_back() {
        for by in By::ALL {
            assert_eq!(By::parse(by.name()), Some(by));
        }
        assert_eq!(By::parse("Text"), None);
    }

    #[test]
    fn each_property_is_compared_with_its_own() {
        let node =
            Node::new("android.widget.Button").text("One").description("Two").resource_id("app:id/three");
        for (by, value) in [
            (By::Text, "One"),
            (By::ContentDesc, "Two"),
            (By::ResourceId, "app:id/three"),
            (By::ClassName, "android.widget.Button"),
        ] {
            for other in By::ALL {
                assert_eq!(finds(other, value, true, &node), other == by, "{value} by {}", other.name());
            }
        }
    }

    #[test]
    fn exact_minds_case_and_contains_does_not() {
        let node = Node::new("Button").text("Save file");
        assert!(finds(By::Text, "Save file", true, &node));
        assert!(!finds(By::Text, "save file", true, &node));
        assert!(!finds(By::Text, "Save", true, &node));
        assert!(finds(By::Text, "SAVE", false, &node));
        assert!(finds(By::Text, "e F", false, &node));
        assert!(!finds(By::Text, "saved", false, &node));
    }

    #[test]
    fn what_a_row_shows_finds_its_node() {
        let node = Node::new("android.widget.EditText").text(" Two\nlines\u{200e} ").hint("Your name");
        assert!(finds(By::Text, "Two lines", true, &node));
        assert!(finds(By::Text, "o L", false, &node));
        assert!(finds(By::ClassName, "EditText", true, &node));
        assert!(!finds(By::ContentDesc, "Your name", true, &node));
        assert!(finds(By::ContentDesc, "Your name", true, &node.with(Flags::EDITABLE)));
    }

    #[test]
    fn an_absent_or_empty_property_is_never_found() {
        let empty = Node { text: Some("".into()), ..Node::new("View") };
        for exact in [true, false] {
            for value in ["", " ", "\u{202e}"] {
                assert!(!finds(By::Text, value, exact, &empty));
                assert!(!finds(By::Text, value, exact, &Node::new("View").text("anything")));
            }
        }
    }

    #[test]
    fn matches_come_in_reading_order() {
        let mut builder = Snapshot::builder(Screen::default());
        builder.open(Node::new("A").text("x")).leaf(Node::new("B")).leaf(Node::new("C").text("X")).close();
        let snapshot = builder.finish();
        let found: Vec<_> = Criterion::new(By::Text, "x", false)
            .find(&snapshot)
            .map(|index| snapshot.node(index).simple_class().unwrap())
            .collect();
        assert_eq!(found, ["A", "C"]);
    }
}
