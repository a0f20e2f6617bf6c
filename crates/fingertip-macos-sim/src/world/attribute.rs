//! What an attribute can hold: every kind of value that real applications answer with, wrong ones included.

use super::NodeId;

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// A string.
    Text(String),
    /// A string with fonts and colours, which is no string to code that does not look at its type.
    Attributed(String),
    /// A URL.
    Url(String),
    /// Bytes.
    Data(Vec<u8>),
    /// Seconds since 2001.
    Date(f64),
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A place on the screen.
    Point(f64, f64),
    /// A size.
    Size(f64, f64),
    /// A frame.
    Frame(super::Rect),
    /// Location and length, in UTF-16 units.
    Range(isize, isize),
    /// An element of the same application.
    Node(NodeId),
    /// An element of another application.
    Foreign(i32, NodeId),
    /// Elements of the same application.
    Nodes(Vec<NodeId>),
    /// An array of anything.
    List(Vec<Attribute>),
    /// A dictionary.
    Pairs(Vec<(String, Attribute)>),
    /// The attribute is listed, but reading it fails with this code.
    Fails(i32),
    /// `CFNull` in the place of a value.
    Null,
}

impl Attribute {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// As a test reads it.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::json;
        match self {
            Self::Text(text) | Self::Attributed(text) | Self::Url(text) => json!(text),
            Self::Data(bytes) => json!(bytes),
            Self::Date(seconds) | Self::Float(seconds) => json!(seconds),
            Self::Bool(value) => json!(value),
            Self::Int(number) => json!(number),
            Self::Point(x, y) | Self::Size(x, y) => json!([x, y]),
            Self::Frame(frame) => json!([frame.x, frame.y, frame.width, frame.height]),
            Self::Range(location, length) => json!([location, length]),
            Self::Node(node) | Self::Foreign(_, node) => json!({ "node": node.0 }),
            Self::Nodes(nodes) => json!(nodes.iter().map(|node| node.0).collect::<Vec<_>>()),
            Self::List(items) => json!(items.iter().map(Self::to_json).collect::<Vec<_>>()),
            Self::Pairs(items) => items
                .iter()
                .map(|(key, value)| (key.clone(), value.to_json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            Self::Fails(code) => json!({ "error": code }),
            Self::Null => json!(null),
        }
    }
}
