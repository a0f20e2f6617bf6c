//! One of a few words, each with what it means.

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, Optional, Param, wrong};

/// One of a few words, each with what it means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<T: 'static> {
    name: &'static str,
    description: &'static str,
    words: &'static [(&'static str, T)],
    default: Option<&'static str>,
}

impl<T: Copy> Choice<T> {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(
        name: &'static str,
        description: &'static str,
        words: &'static [(&'static str, T)],
    ) -> Self {
        Self { name, description, words, default: None }
    }

    /// With what a call means that leaves it out; one of the words.
    #[must_use]
    pub(crate) const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// One that a call may leave out, and that then has no value.
    #[must_use]
    pub(crate) const fn or_nothing(self) -> Optional<Self> {
        Optional(self)
    }

    /// What this call chose.
    ///
    /// # Errors
    /// When it is missing or not one of the words.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<T> {
        let default = self.default.map(Value::from);
        let value = match (arguments.value(self.name), &default) {
            (None, Some(default)) => default,
            _ => arguments.required(self.name)?,
        };
        let chosen = self.words.iter().find(|(word, _)| value.as_str() == Some(word));
        chosen
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| wrong(self.name, &format!("one of {}", self.word_list().join(", ")), value))
    }

    fn word_list(&self) -> Vec<&'static str> {
        self.words.iter().map(|(word, _)| *word).collect()
    }
}

impl<T: Copy + Send + Sync> Param for Choice<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        self.default.is_none()
    }

    fn schema(&self) -> Value {
        let mut schema =
            json!({ "type": "string", "enum": self.word_list(), "description": self.description });
        if let Some(default) = self.default {
            schema["default"] = json!(default);
        }
        schema
    }
}

impl<T: Copy> Optional<Choice<T>> {
    /// What this call chose, if it did.
    ///
    /// # Errors
    /// When it is not one of the words.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<T>> {
        arguments.value(self.0.name).map(|_| self.0.read(arguments)).transpose()
    }
}

/// Some of a few words; a call may leave it out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choices<T: 'static>(Choice<T>);

impl<T: Copy> Choices<T> {
    /// One of these words.
    #[must_use]
    pub(crate) const fn optional(
        name: &'static str,
        description: &'static str,
        words: &'static [(&'static str, T)],
    ) -> Self {
        Self(Choice::required(name, description, words))
    }

    /// What this call chose, if it did.
    ///
    /// # Errors
    /// When it is no list, empty, or holds something else than these words.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<Vec<T>>> {
        let Some(value) = arguments.value(self.0.name) else { return Ok(None) };
        let words = self.0.words;
        let meaning = |item: &Value| {
            words.iter().find(|(word, _)| item.as_str() == Some(word)).map(|(_, meaning)| *meaning)
        };
        let items = value.as_array().filter(|items| (1..=words.len()).contains(&items.len()));
        let chosen = items.and_then(|items| items.iter().map(meaning).collect::<Option<Vec<T>>>());
        let wanted = || format!("a list of 1 to {} of {}", words.len(), self.0.word_list().join(", "));
        chosen.map(Some).ok_or_else(|| wrong(self.0.name, &wanted(), value))
    }
}

impl<T: Copy + Send + Sync> Param for Choices<T> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn is_required(&self) -> bool {
        false
    }

    fn schema(&self) -> Value {
        json!({
            "type": "array",
            "items": { "type": "string", "enum": self.0.word_list() },
            "minItems": 1,
            "maxItems": self.0.words.len(),
            "description": self.0.description,
        })
    }
}
