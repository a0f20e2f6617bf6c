//! The fields of a request: each of its type and in its range, and none that is not known.

use serde_json::{Map, Value};

use super::failure::Failure;

/// The fields that were not read yet.
#[derive(Debug)]
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn new(object: Map<String, Value>) -> Self {
        Self(object)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name)
    }

    /// A text that must be there.
    pub(super) fn text(&mut self, name: &str) -> Result<String, Failure> {
        self.optional_text(name)?.ok_or_else(|| Failure::invalid(name, "a text"))
    }

    /// A text that may be left out.
    pub(super) fn optional_text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::invalid(name, "a text")),
        }
    }

    /// A text or `null`.
    pub(super) fn nullable_text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.take(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::invalid(name, "a text or null")),
        }
    }

    /// A whole number between two others, ends included.
    pub(super) fn number(&mut self, name: &str, least: i64, most: i64) -> Result<i64, Failure> {
        let number = self.optional_number(name, least, most)?;
        number.ok_or_else(|| Failure::invalid(name, &format!("a number from {least} to {most}")))
    }

    /// A whole number that may be left out.
    pub(super) fn optional_number(
        &mut self,
        name: &str,
        least: i64,
        most: i64,
    ) -> Result<Option<i64>, Failure> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| Failure::invalid(name, &format!("a number from {least} to {most}")))
    }

    /// A number that must be there.
    pub(super) fn real(&mut self, name: &str) -> Result<f64, Failure> {
        self.take(name).and_then(|value| value.as_f64()).ok_or_else(|| Failure::invalid(name, "a number"))
    }

    /// Yes or no; no when it is left out.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Failure> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Failure::invalid(name, "true or false")),
        }
    }

    /// A list that must be there.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<Value>, Failure> {
        match self.take(name) {
            Some(Value::Array(list)) => Ok(list),
            _ => Err(Failure::invalid(name, "a list")),
        }
    }

    /// A list that may be left out.
    pub(super) fn optional_list(&mut self, name: &str) -> Result<Option<Vec<Value>>, Failure> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => Err(Failure::invalid(name, "a list")),
        }
    }

    /// Sees that nothing is left.
    pub(super) fn end(self) -> Result<(), Failure> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(Failure::new("invalid", format!("unknown field: {name}"))),
        }
    }
}
