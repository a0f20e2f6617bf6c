//! Texts.

use fingertip_core::{Error, Result};
use serde_json::{Value, json};

use super::{Arguments, Meaning, Optional, Param, wrong};
use crate::surroundings::Surroundings;

/// The longest text a parameter takes, in characters, unless it says otherwise.
pub(crate) const MAX_CHARACTERS: usize = 10_000;

/// A text that a call must have. [`Text::optional`] gives one that it may leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    name: &'static str,
    description: &'static str,
    not_empty: bool,
    meaning: Meaning,
}

/// A text that a call may leave out.
pub(crate) type OptionalText = Optional<Text>;

impl Text {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self { name, description, not_empty: false, meaning: Meaning::Plain }
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str) -> OptionalText {
        Optional(Self::required(name, description))
    }

    /// At least one character.
    #[must_use]
    pub(crate) const fn not_empty(mut self) -> Self {
        self.not_empty = true;
        self
    }

    /// One that is written into the target, and may be a secret there.
    #[must_use]
    pub(crate) const fn written(mut self) -> Self {
        self.meaning = Meaning::Text;
        self
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing, no text, empty where it must not be, or too long.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<String> {
        self.check(arguments.required(self.name)?)
    }

    fn check(&self, value: &Value) -> Result<String> {
        let wanted = if self.not_empty { "a text that is not empty" } else { "a text" };
        let text = value.as_str().ok_or_else(|| wrong(self.name, wanted, value))?;
        if self.not_empty && text.is_empty() {
            return Err(wrong(self.name, wanted, value));
        }
        let length = text.chars().count();
        if length > MAX_CHARACTERS {
            return Err(Error::invalid(format!(
                "Parameter '{}' must be a text of at most {MAX_CHARACTERS} characters, got {length}.",
                self.name
            )));
        }
        Ok(text.to_owned())
    }
}

impl Optional<Text> {
    /// At least one character, if it is there.
    #[must_use]
    pub(crate) const fn not_empty(self) -> Self {
        Self(self.0.not_empty())
    }

    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// As for [`Text::read`].
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<String>> {
        arguments.value(self.0.name).map(|value| self.0.check(value)).transpose()
    }
}

impl Param for Text {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "string", "description": self.description });
        // No id or name is empty or that long; the check reports one that is.
        if self.meaning == Meaning::Text {
            schema["maxLength"] = json!(MAX_CHARACTERS);
            if self.not_empty {
                schema["minLength"] = json!(1);
            }
        }
        schema
    }

    fn schema_in(&self, surroundings: Surroundings) -> Value {
        let mut schema = self.schema();
        if self.meaning == Meaning::Text && surroundings.secrets {
            schema["type"] = json!(["string", "object"]);
        }
        schema
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }
}
