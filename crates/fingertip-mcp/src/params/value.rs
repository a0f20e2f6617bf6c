//! A value of any simple type.

use fingertip_core::{Error, Result};
use serde_json::{Value, json};

use super::{Arguments, MAX_CHARACTERS, Meaning, Param, wrong};
use crate::surroundings::Surroundings;

/// A text, a number, or yes or no.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    /// A text.
    Text(String),
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// A value of any simple type that a call must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnyScalar {
    name: &'static str,
    description: &'static str,
}

impl AnyScalar {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing, of another type, or too long.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Scalar> {
        match arguments.required(self.name)? {
            Value::String(text) => match text.chars().nth(MAX_CHARACTERS) {
                None => Ok(Scalar::Text(text.clone())),
                Some(_) => Err(Error::invalid(format!(
                    "Parameter '{}' must be a text of at most {MAX_CHARACTERS} characters, got {}.",
                    self.name,
                    text.chars().count()
                ))),
            },
            Value::Bool(flag) => Ok(Scalar::Flag(*flag)),
            other => match other.as_f64().filter(|number| number.is_finite()) {
                Some(number) => Ok(Scalar::Number(number)),
                None => Err(wrong(self.name, "a text, a number, true or false", other)),
            },
        }
    }
}

impl Param for AnyScalar {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        json!({
            "type": ["string", "number", "boolean"],
            "description": self.description,
            "maxLength": MAX_CHARACTERS,
        })
    }

    fn schema_in(&self, surroundings: Surroundings) -> Value {
        let mut schema = self.schema();
        if surroundings.secrets {
            schema["type"] = json!(["string", "number", "boolean", "object"]);
        }
        schema
    }

    fn meaning(&self) -> Meaning {
        Meaning::Text
    }
}
