//! The configuration file: TOML, each value with the line it stands in.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use fingertip_mcp::nearest::nearest;
use fingertip_mcp::transport::private_file::{self, Guard};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, KEYS, Key};
use super::value::{Kind, Value};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// What a file sets: the key, its value, the line.
type Settings = Vec<(&'static Key, Value, usize)>;

/// Reads the file; `None` when there is none and none was named.
pub(super) fn read(path: &Path, named: bool) -> anyhow::Result<Option<Settings>> {
    let shown = path.display();
    // Whoever can change it can switch every protection off.
    let content = match private_file::read(path, Guard::Settings, MAX_BYTES) {
        Err(missing) if missing.is_missing() && !named => return Ok(None),
        content => content.context("the configuration cannot be used")?,
    };
    let text =
        String::from_utf8(content).with_context(|| format!("the configuration {shown} is not a text"))?;
    settings(&text).map(Some).map_err(|Wrong { line, why }| anyhow::anyhow!("{shown}:{line}: {why}"))
}

/// Something wrong at a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    line: usize,
    why: String,
}

pub(super) fn settings(text: &str) -> Result<Settings, Wrong> {
    let at = |span: Range<usize>, why: String| Wrong { line: line_of(text, span.start), why };
    let document = DeTable::parse(text)
        .map_err(|error| at(error.span().unwrap_or_default(), error.message().to_owned()))?;
    let mut settings = Vec::new();
    for (section, content) in document.get_ref() {
        let name: &str = section.get_ref();
        if !keys::sections().contains(&name) {
            let why = unknown("section", name, keys::sections().into_iter());
            return Err(at(section.span(), why));
        }
        let DeValue::Table(table) = content.get_ref() else {
            return Err(at(content.span(), format!("'{name}' must be a section: [{name}]")));
        };
        for (key, value) in table {
            let full = format!("{name}.{}", key.get_ref());
            let known = keys::find(&full)
                .ok_or_else(|| at(key.span(), unknown("setting", &full, KEYS.iter().map(|key| key.name))))?;
            let value =
                read_value(known.kind, value).map_err(|why| at(value.span(), format!("{full} {why}")))?;
            settings.push((known, value, line_of(text, key.span().start)));
        }
    }
    Ok(settings)
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = nearest(name, known, 1).first().copied().unwrap_or_default();
    format!("there is no {what} '{name}'; did you mean '{nearest}'?")
}

fn read_value(kind: Kind, value: &Spanned<DeValue<'_>>) -> Result<Value, String> {
    let text = |value: &Cow<'_, str>| value.clone().into_owned();
    let value = match value.get_ref() {
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::String(string) => Value::Text(text(string)),
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
            .map(Value::Count)
            .map_err(|_| kind.expected(number.as_str()))?,
        DeValue::Array(items) => {
            let texts = items.iter().map(|item| match item.get_ref() {
                DeValue::String(string) => Ok(text(string)),
                _ => Err(kind.expected("a list with something else in it")),
            });
            Value::List(texts.collect::<Result<_, _>>()?)
        }
        DeValue::Float(_) => return Err(kind.expected("a number with a fraction")),
        DeValue::Datetime(_) => return Err(kind.expected("a date")),
        DeValue::Table(_) => return Err(kind.expected("a section")),
    };
    kind.check(&value)?;
    Ok(value)
}

/// Lines count from one.
fn line_of(text: &str, position: usize) -> usize {
    text.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (usize, String) {
        let Wrong { line, why } = settings(text).expect_err("wrong");
        (line, why)
    }

    #[test]
    fn every_kind_of_value_is_read_with_its_line() {
        let text = "[policy]\nread_only = true\ntools = [\"tap\", \"device\"]\n\n[audit]\nkept = 5\nfile = \"log\"\n";
        let read: Vec<_> =
            settings(text).unwrap().into_iter().map(|(key, value, line)| (key.name, value, line)).collect();
        assert!(read.contains(&("policy.read_only", Value::Flag(true), 2)));
        assert!(read.contains(&("policy.tools", Value::List(vec!["tap".into(), "device".into()]), 3)));
        assert!(read.contains(&("audit.kept", Value::Count(5), 6)));
        assert!(read.contains(&("audit.file", Value::Text("log".into()), 7)));
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line_and_the_nearest() {
        let (line, why) = wrong("# safety\n[policy]\nread_onyl = true\n");
        assert_eq!(line, 3);
        assert!(why.contains("'policy.read_onyl'") && why.contains("'policy.read_only'"), "{why}");
        let (line, why) = wrong("\n[polcy]\n");
        assert_eq!(line, 2);
        assert!(why.contains("'policy'"), "{why}");
        assert_eq!(wrong("read_only = true\n").0, 1);
    }

    #[test]
    fn a_bad_value_is_an_error_with_its_line_and_what_it_must_be() {
        for value in ["0", "-1", "1001", "1.5", "\"10\"", "true", "[10]", "1979-05-27", "{}"] {
            let (line, why) = wrong(&format!("[policy]\n\nwrites_per_second = {value}\n"));
            assert_eq!(line, 3, "{value}");
            assert!(why.contains("must be a whole number from 1 to 1000"), "{value}: {why}");
        }
        assert!(wrong("[policy]\ntools = [\"tap\", 5]").1.contains("must be a list of texts"));
        assert!(wrong("[policy]\nread_only = \"yes\"").1.contains("must be true or false"));
    }

    #[test]
    fn what_is_no_toml_is_an_error_with_its_line() {
        assert_eq!(wrong("[policy]\nread_only = \n").0, 2);
        assert_eq!(wrong("[policy]\nread_only = true\nread_only = false\n").0, 3);
    }
}
