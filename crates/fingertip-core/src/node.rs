//! One UI element of a snapshot, and its two names: the index (good within one snapshot) and the id (stable).

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::{Flags, Rect, Role};

/// The most characters of a label that [`Node::summary`] shows.
const SUMMARY_CHARACTERS: usize = 60;

/// The place of a node in its snapshot's vector. Means nothing in another snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub(crate) u32);

impl NodeIndex {
    /// The position in [`crate::Snapshot::nodes`].
    #[must_use]
    pub const fn position(self) -> usize {
        self.0 as usize
    }
}

/// A node's stable name: `node_` and lower-case hex digits, four at the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) NonZeroU32);

impl NodeId {
    /// What every id begins with.
    pub const PREFIX: &'static str = "node_";

    /// The id with this number; `None` for zero.
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04x}", Self::PREFIX, self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an id that was ever given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an element id is `node_` and hex digits, as given by get_screen_state or find_elements")]
pub struct NotAnId;

impl FromStr for NodeId {
    type Err = NotAnId;

    /// Reads only the canonical spelling, so that one node has one name.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let digits = text.strip_prefix(Self::PREFIX).ok_or(NotAnId)?;
        let number = u32::from_str_radix(digits, 16).map_err(|_| NotAnId)?;
        let id = Self::new(number).ok_or(NotAnId)?;
        if id.to_string() == text { Ok(id) } else { Err(NotAnId) }
    }
}

/// A node's value, with its type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A text, where it is not the node's own text.
    Text(Box<str>),
    /// A position between two ends, as of a slider.
    Number {
        /// Where it is.
        current: f64,
        /// The lower end, if known.
        minimum: Option<f64>,
        /// The upper end, if known.
        maximum: Option<f64>,
    },
    /// On or off.
    Checked(bool),
}

/// One UI element. Links to its relatives are held by the snapshot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Its stable name, once [`crate::id`] has given it one.
    pub id: Option<NodeId>,
    /// What it is, in the vocabulary of all platforms.
    pub role: Role,
    /// What the platform calls it: a class or a native role.
    pub class: Option<Box<str>>,
    /// The text it shows. Never the text of a password field, never a hint.
    pub text: Option<Box<str>>,
    /// What assistive technology says of it.
    pub description: Option<Box<str>>,
    /// The hint shown while it is empty.
    pub hint: Option<Box<str>>,
    /// The name its programmer gave it.
    pub resource_id: Option<Box<str>>,
    /// Its value, where it has one beside its text.
    pub value: Option<Value>,
    /// How many characters a password field holds, where known: all that is kept of its text.
    pub secret_length: Option<u32>,
    /// How many children it says it has, where they were not read.
    pub child_count: Option<u32>,
    /// Where it is on the screen.
    pub bounds: Rect,
    /// Its yes/no properties.
    pub flags: Flags,
    /// Later is drawn above earlier, among siblings; zero where the platform does not say.
    pub drawing_order: i32,
    /// Native actions by name, where the platform names them.
    pub actions: Box<[Box<str>]>,
    /// The driver's own name for it, by which it can be addressed natively.
    pub handle: Option<Box<str>>,
    /// What it is known by where its handle does not last but its place does, as a cell of a sheet.
    pub lasting_name: Option<Box<str>>,
    /// Whether the platform may give it another handle at the next look, though others of its handles last.
    pub passing_handle: bool,
    /// Whether another node stands for it in the screen format; see [`crate::fold`].
    pub folded: bool,
    pub(crate) links: Links,
}

/// Where a node stands in the pre-order vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// Index of the parent plus one; zero for a root.
    pub(crate) parent: u32,
    /// One past the last descendant.
    pub(crate) end: u32,
    /// Index of the window.
    pub(crate) window: u32,
    /// Distance from the root.
    pub(crate) depth: u32,
}

impl Node {
    /// A node of this native class.
    #[must_use]
    pub fn new(class: &str) -> Self {
        Self { class: some(class), flags: Flags::VISIBLE | Flags::ENABLED, ..Self::default() }
    }

    /// With this role.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// With this text.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.text = some(text);
        self
    }

    /// With this description.
    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        self.description = some(description);
        self
    }

    /// With this hint.
    #[must_use]
    pub fn hint(mut self, hint: &str) -> Self {
        self.hint = some(hint);
        self
    }

    /// With this resource id.
    #[must_use]
    pub fn resource_id(mut self, resource_id: &str) -> Self {
        self.resource_id = some(resource_id);
        self
    }

    /// At these bounds.
    #[must_use]
    pub fn bounds(mut self, left: i32, top: i32, right: i32, bottom: i32) -> Self {
        self.bounds = Rect::new(left, top, right, bottom);
        self
    }

    /// With these flags beside the ones it has.
    #[must_use]
    pub fn with(mut self, flags: Flags) -> Self {
        self.flags |= flags;
        self
    }

    /// Without these flags.
    #[must_use]
    pub fn without(mut self, flags: Flags) -> Self {
        self.flags -= flags;
        self
    }

    /// Whether all of these flags are set.
    #[must_use]
    pub fn is(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }

    /// The class without its package: `Button` of `android.widget.Button`.
    #[must_use]
    pub fn simple_class(&self) -> Option<&str> {
        let class = self.class.as_deref()?;
        class.rsplit('.').next().filter(|name| !name.is_empty())
    }

    /// What it is, for messages: `Button "Cancel"`, `ImageView #logo`, `View`. Long labels are cut.
    #[must_use]
    pub fn summary(&self) -> String {
        let class = one_line(self.simple_class().unwrap_or("element"));
        match (self.label(), &self.resource_id) {
            (Some(label), _) => match label.char_indices().nth(SUMMARY_CHARACTERS) {
                Some((end, _)) => format!("{class} {:?}...", &label[..end]),
                None => format!("{class} {label:?}"),
            },
            (None, Some(resource_id)) => format!("{class} #{}", one_line(resource_id)),
            (None, None) => class,
        }
    }

    /// What a person would call it: its text, else its description, else its hint.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.text.as_deref().or(self.description.as_deref()).or(self.hint.as_deref())
    }
}

/// A name without what could end the line it stands in: names, too, are the application's.
#[must_use]
pub fn one_line(name: &str) -> String {
    crate::compact::text::shown(name).collect()
}

fn some(text: &str) -> Option<Box<str>> {
    (!text.is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_as_itself() {
        for number in [1, 0xab, 0xffff, 0x1_0000, u32::MAX] {
            let id = NodeId::new(number).unwrap();
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert_eq!(NodeId::new(0xab).unwrap().to_string(), "node_00ab");
    }

    #[test]
    fn only_the_canonical_spelling_is_an_id() {
        for wrong in [
            "",
            "node_",
            "node_0000",
            "node_ab",
            "node_00AB",
            "node_000ab",
            "node_+0ab",
            "00ab",
            "node_1ffffffff",
        ] {
            assert_eq!(wrong.parse::<NodeId>(), Err(NotAnId), "{wrong}");
        }
    }

    #[test]
    fn a_summary_names_the_node_shortly() {
        assert_eq!(Node::new("android.widget.Button").text("OK").summary(), "Button \"OK\"");
        assert_eq!(Node::new("View").resource_id("a:id/logo").summary(), "View #a:id/logo");
        assert_eq!(Node::new("").summary(), "element");
        assert_eq!(Node::new("a\nb").resource_id("c\td").summary(), "a b #c d");
        assert!(Node::new("Text").text(&"long ".repeat(50)).summary().ends_with("\"..."));
    }

    #[test]
    fn simple_class_drops_the_package() {
        assert_eq!(Node::new("android.widget.Button").simple_class(), Some("Button"));
        assert_eq!(Node::new("push button").simple_class(), Some("push button"));
        assert_eq!(Node::new("").simple_class(), None);
    }
}
