//! The values a setting can have, and how they are written in a file, in the environment, and shown.

use std::fmt::{self, Write as _};

use fingertip_core::visible;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Flag(bool),
    Count(u64),
    Text(String),
    List(Vec<String>),
}

impl Value {
    /// A list as the environment would give it: `--tools ""` names nothing. A blank that is not empty stays, so that it
    /// is refused by who reads it.
    pub(super) fn without_blanks(self) -> Self {
        match self {
            Self::List(list) => Self::List(list.into_iter().filter(|part| !part.is_empty()).collect()),
            other => other,
        }
    }
}

/// What a setting may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Flag,
    Count { least: u64, most: u64 },
    Text,
    List,
}

impl Kind {
    /// Reads a value as the environment gives it: lists by commas, flags as words.
    pub(super) fn read(self, text: &str) -> Result<Value, String> {
        let value = match self {
            Self::Flag => match text {
                "true" | "1" | "yes" | "on" => Value::Flag(true),
                "false" | "0" | "no" | "off" => Value::Flag(false),
                _ => return Err(format!("must be true or false, got {text:?}")),
            },
            Self::Count { .. } => {
                Value::Count(text.parse().map_err(|_| self.expected(&format!("{text:?}")))?)
            }
            Self::Text => Value::Text(text.to_owned()),
            Self::List => Value::List(
                text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            ),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// Whether a value is of this kind and within its limits.
    pub(super) fn check(self, value: &Value) -> Result<(), String> {
        let fits = match (self, value) {
            (Self::Count { least, most }, Value::Count(count)) => (least..=most).contains(count),
            (Self::Flag, Value::Flag(_)) | (Self::Text, Value::Text(_)) | (Self::List, Value::List(_)) => {
                true
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.expected(&value.to_string())) }
    }

    /// What it must be, said of what it is.
    pub(super) fn expected(self, got: &str) -> String {
        match self {
            Self::Flag => format!("must be true or false, got {got}"),
            Self::Count { least, most } => {
                format!("must be a whole number from {least} to {most}, got {got}")
            }
            Self::Text => format!("must be a text, got {got}"),
            Self::List => format!("must be a list of texts, got {got}"),
        }
    }
}

impl fmt::Display for Value {
    /// As in a TOML file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(list) => {
                let items: Vec<String> = list.iter().map(|item| quoted(item)).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}

/// A basic string of TOML, which escapes as JSON does. What cannot be seen is escaped too, so that what is shown is
/// what is there.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    visible::escape_with(&json, |out, character| {
        let code = u32::from(character);
        // Writing to a string cannot fail.
        let _ = if code > 0xffff { write!(out, "\\U{code:08x}") } else { write!(out, "\\u{code:04x}") };
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_environment_are_read_by_kind() {
        let count = Kind::Count { least: 1, most: 10 };
        assert_eq!(Kind::Flag.read("yes"), Ok(Value::Flag(true)));
        assert_eq!(count.read("10"), Ok(Value::Count(10)));
        assert_eq!(Kind::List.read("a, b,"), Ok(Value::List(vec!["a".into(), "b".into()])));
        assert_eq!(Kind::List.read(""), Ok(Value::List(Vec::new())));
        for wrong in ["0", "11", "-1", "1.5", "many"] {
            assert!(count.read(wrong).unwrap_err().contains("from 1 to 10"), "{wrong}");
        }
        assert!(Kind::Flag.read("").is_err());
    }

    #[test]
    fn values_are_shown_as_toml() {
        assert_eq!(Value::Text("a\"b\n".into()).to_string(), r#""a\"b\n""#);
        assert_eq!(Value::Text("\u{202e}\u{e0041}".into()).to_string(), r#""\u202e\U000e0041""#);
        assert_eq!(Value::List(vec!["a".into(), "b".into()]).to_string(), r#"["a", "b"]"#);
    }
}
