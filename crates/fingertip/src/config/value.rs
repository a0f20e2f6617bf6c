//! The types a setting can have, and how they are written in a file, in the environment, and shown.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use fingertip_core::visible;
use toml::de::{DeInteger, DeValue};

/// A value as it was written.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// In a variable: lists by commas, flags as words.
    Variable(&'a str),
    File(&'a DeValue<'a>),
}

/// A type a setting can have.
pub(crate) trait Value: Sized {
    /// What it must be; the limits are those of numbers.
    fn expected(limits: &RangeInclusive<u64>) -> String;
    fn read(written: Written<'_>) -> Option<Self>;
    /// As in a TOML file.
    fn shown(&self) -> String;

    fn fits(&self, _limits: &RangeInclusive<u64>) -> bool {
        true
    }
}

impl Value for bool {
    fn expected(_: &RangeInclusive<u64>) -> String {
        "true or false".to_owned()
    }

    fn read(written: Written<'_>) -> Option<Self> {
        match written {
            Written::Variable("true" | "1" | "yes" | "on") => Some(true),
            Written::Variable("false" | "0" | "no" | "off") => Some(false),
            Written::File(DeValue::Boolean(flag)) => Some(*flag),
            _ => None,
        }
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for u64 {
    fn expected(limits: &RangeInclusive<u64>) -> String {
        format!("a whole number from {} to {}", limits.start(), limits.end())
    }

    fn read(written: Written<'_>) -> Option<Self> {
        match written {
            Written::Variable(text) => text.parse().ok(),
            Written::File(value) => value.as_integer().and_then(count),
        }
    }

    fn shown(&self) -> String {
        self.to_string()
    }

    fn fits(&self, limits: &RangeInclusive<u64>) -> bool {
        limits.contains(self)
    }
}

impl Value for String {
    fn expected(_: &RangeInclusive<u64>) -> String {
        "a text".to_owned()
    }

    fn read(written: Written<'_>) -> Option<Self> {
        match written {
            Written::Variable(text) => Some(text.to_owned()),
            Written::File(value) => value.as_str().map(str::to_owned),
        }
    }

    fn shown(&self) -> String {
        quoted(self)
    }
}

impl Value for Vec<String> {
    fn expected(_: &RangeInclusive<u64>) -> String {
        "a list of texts".to_owned()
    }

    fn read(written: Written<'_>) -> Option<Self> {
        match written {
            Written::Variable(text) => Some(
                text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            ),
            Written::File(value) => {
                value.as_array()?.iter().map(|item| String::read(Written::File(item.get_ref()))).collect()
            }
        }
    }

    fn shown(&self) -> String {
        format!("[{}]", self.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "))
    }
}

fn count(number: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// What was written, for the error that asks for something else.
pub(super) fn described(written: Written<'_>) -> String {
    match written {
        Written::Variable(text) => format!("{text:?}"),
        Written::File(DeValue::Boolean(flag)) => flag.to_string(),
        Written::File(DeValue::String(text)) => quoted(text),
        Written::File(DeValue::Integer(number)) => {
            count(number).map_or(number.as_str().to_owned(), |count| count.to_string())
        }
        Written::File(DeValue::Array(_)) => Vec::read(written)
            .map_or_else(|| "a list with something else in it".to_owned(), |list: Vec<String>| list.shown()),
        Written::File(DeValue::Float(_)) => "a number with a fraction".to_owned(),
        Written::File(DeValue::Datetime(_)) => "a date".to_owned(),
        Written::File(DeValue::Table(_)) => "a section".to_owned(),
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
    use super::super::setting::{Layered, Setting, Source};
    use super::*;

    #[test]
    fn values_of_the_environment_are_read_by_their_type() {
        let lists = |text| Vec::<String>::read(Written::Variable(text)).unwrap();
        assert_eq!(bool::read(Written::Variable("yes")), Some(true));
        assert_eq!(bool::read(Written::Variable("")), None);
        assert_eq!((lists("a, b,"), lists("")), (vec!["a".to_owned(), "b".to_owned()], vec![]));
        let mut count = Setting::new("a.b", "B", 1_u64).within(1..=10);
        let mut read = |text| count.take(Written::Variable(text), Source::Environment("B"));
        read("10").unwrap();
        for wrong in ["0", "11", "-1", "1.5", "many"] {
            assert!(read(wrong).unwrap_err().contains("from 1 to 10"), "{wrong}");
        }
        assert_eq!((count.value, count.shown()), (10, "b = 10".to_owned()));
    }

    #[test]
    fn values_are_shown_as_toml() {
        assert_eq!("a\"b\n".to_owned().shown(), r#""a\"b\n""#);
        assert_eq!("\u{202e}\u{e0041}".to_owned().shown(), r#""\u202e\U000e0041""#);
        assert_eq!(vec!["a".to_owned(), "b".to_owned()].shown(), r#"["a", "b"]"#);
    }
}
