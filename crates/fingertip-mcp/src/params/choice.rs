//! One of a few words, each with what it means.

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, Param, wrong};

/// One of a few words, each with what it means.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T: 'static> {
    name: &'static str,
    description: &'static str,
    words: &'static [(&'static str, T)],
    default: Option<&'static str>,
}

impl<T: Copy> Choice<T> {
    /// One that a call must have.
    #[must_use]
    pub const fn required(
        name: &'static str,
        description: &'static str,
        words: &'static [(&'static str, T)],
    ) -> Self {
        Self { name, description, words, default: None }
    }

    /// With what a call means that leaves it out; one of the words.
    #[must_use]
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// What this call chose.
    ///
    /// # Errors
    /// When it is missing or not one of the words.
    pub fn read(&self, arguments: Arguments<'_>) -> Result<T> {
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
