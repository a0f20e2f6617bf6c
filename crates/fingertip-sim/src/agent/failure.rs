//! The errors of the protocol.

use serde_json::{Map, Value, json};

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    kind: &'static str,
    message: String,
    detail: Map<String, Value>,
}

impl Failure {
    pub(super) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), detail: Map::new() }
    }

    pub(super) fn invalid(name: &str, wanted: &str) -> Self {
        Self::new("invalid", format!("{name} must be {wanted}"))
    }

    pub(super) fn gone(message: impl Into<String>) -> Self {
        Self::new("gone", message)
    }

    /// With a field that a program can read; a missing value adds none.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() {
            self.detail.insert(name.to_owned(), value);
        }
        self
    }

    /// As the payload of an error frame.
    pub(super) fn to_json(&self) -> Value {
        let mut json = json!({ "kind": self.kind, "message": self.message });
        if !self.detail.is_empty() {
            json["detail"] = Value::Object(self.detail.clone());
        }
        json
    }
}
