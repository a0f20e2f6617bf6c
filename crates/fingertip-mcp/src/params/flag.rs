//! Yes or no.

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, Param, wrong};

/// Yes or no; a call may leave it out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flag {
    name: &'static str,
    description: &'static str,
    default: bool,
}

impl Flag {
    /// One with this default.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str, default: bool) -> Self {
        Self { name, description, default }
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is there and neither true nor false.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<bool> {
        let Some(value) = arguments.value(self.name) else { return Ok(self.default) };
        value.as_bool().ok_or_else(|| wrong(self.name, "true or false", value))
    }
}

impl Param for Flag {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        false
    }

    fn schema(&self) -> Value {
        json!({ "type": "boolean", "description": self.description, "default": self.default })
    }
}
