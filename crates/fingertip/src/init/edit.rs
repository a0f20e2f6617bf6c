//! Sets and removes one entry in the text of a configuration, and changes nothing else in it: comments, unknown keys, their
//! order, indentation and line ends stay.
//!
//! What cannot be edited so is refused: a text that does not parse, a key that is there twice or holds something else than a
//! table of servers.

use anyhow::{Context, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::clients::Format;

/// The name of our server in every client.
pub(crate) const NAME: &str = "fingertip";
/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text with our entry under this key.
///
/// # Errors
/// When the text is not what it should be.
pub(crate) fn set(text: &str, format: Format, key: &str, entry: &Value) -> anyhow::Result<String> {
    match format {
        Format::Json => json(text, |root| set_json(root, key, entry)),
        Format::Toml => toml(text, |document| set_toml(document, key, entry)),
    }
}

/// The text without our entry; `None` when it has none. A table of servers that is empty then, and was not there
/// `before`, goes too.
///
/// # Errors
/// When the text is not what it should be.
pub(crate) fn remove(
    text: &str,
    format: Format,
    key: &str,
    before: Option<&str>,
) -> anyhow::Result<Option<String>> {
    let keep_empty = before.is_some_and(|before| has(before, format, key));
    let mut found = false;
    let edited = match format {
        Format::Json => json(text, |root| {
            let Some(servers) = servers_of(root, key)? else { return Ok(()) };
            let Some(ours) = only(&servers, NAME)? else { return Ok(()) };
            ours.remove();
            found = true;
            if servers.properties().is_empty()
                && !keep_empty
                && let Some(servers) = only(root, key)?
            {
                servers.remove();
            }
            Ok(())
        }),
        Format::Toml => toml(text, |document| {
            let Some(servers) = document.get_mut(key).and_then(Item::as_table_like_mut) else {
                return Ok(());
            };
            found = servers.remove(NAME).is_some();
            if found && servers.is_empty() && !keep_empty {
                document.remove(key);
            }
            Ok(())
        }),
    }?;
    Ok(found.then_some(edited))
}

fn has(text: &str, format: Format, key: &str) -> bool {
    match format {
        Format::Json => CstRootNode::parse(text, &ParseOptions::default())
            .ok()
            .and_then(|root| root.object_value())
            .is_some_and(|root| root.get(key).is_some()),
        Format::Toml => text.parse::<DocumentMut>().is_ok_and(|document| document.contains_key(key)),
    }
}

fn json(text: &str, edit: impl FnOnce(&CstObject) -> anyhow::Result<()>) -> anyhow::Result<String> {
    let (mark, text) = text.strip_prefix(BYTE_ORDER_MARK).map_or(("", text), |rest| (BYTE_ORDER_MARK, rest));
    let root = CstRootNode::parse(text, &ParseOptions::default()).context("it is no JSON")?;
    let object = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => value.as_object().context("it holds no JSON object")?,
    };
    edit(&object)?;
    let edited = root.to_string();
    let line_end = if edited.ends_with('\n') || !text.is_empty() { "" } else { "\n" };
    Ok(format!("{mark}{edited}{line_end}"))
}

fn set_json(root: &CstObject, key: &str, entry: &Value) -> anyhow::Result<()> {
    let servers = match servers_of(root, key)? {
        Some(servers) => servers,
        None => {
            root.append(key, CstInputValue::Object(Vec::new()));
            servers_of(root, key)?.context("the servers cannot be added")?
        }
    };
    match only(&servers, NAME)? {
        // As it is: not even its layout changes.
        Some(ours) if ours.value().and_then(|value| value.to_serde_value()).as_ref() == Some(entry) => {}
        Some(ours) => ours.set_value(input(entry)),
        None => drop(servers.append(NAME, input(entry))),
    }
    Ok(())
}

/// The object under this key.
fn servers_of(root: &CstObject, key: &str) -> anyhow::Result<Option<CstObject>> {
    let Some(servers) = only(root, key)? else { return Ok(None) };
    servers.object_value().with_context(|| format!("'{key}' in it is no object")).map(Some)
}

/// The one property of this name: of two a client may take either.
fn only(object: &CstObject, name: &str) -> anyhow::Result<Option<jsonc_parser::cst::CstObjectProp>> {
    let is_named = |one: &jsonc_parser::cst::CstObjectProp| {
        one.name().and_then(|name| name.decoded_value().ok()).is_some_and(|decoded| decoded == name)
    };
    let mut named = object.properties().into_iter().filter(is_named);
    let first = named.next();
    if named.next().is_some() {
        bail!("'{name}' is in it twice");
    }
    Ok(first)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, field)| (name.clone(), input(field))).collect())
        }
    }
}

fn toml(text: &str, edit: impl FnOnce(&mut DocumentMut) -> anyhow::Result<()>) -> anyhow::Result<String> {
    let mut document: DocumentMut = text.parse().context("it is no TOML")?;
    edit(&mut document)?;
    Ok(spliced(text, &document.to_string()))
}

/// The edited text with every line of the other one that stayed as it was, its line end included: the library ends all lines
/// in one way.
fn spliced(text: &str, edited: &str) -> String {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let (old, new) = (lines(text), lines(edited));
    let bare = |line: &str| line.trim_end_matches('\n').trim_end_matches('\r').to_owned();
    let same = |(one, other): &(&&str, &&str)| bare(one) == bare(other);
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(most);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let added = new[head..new.len() - tail].iter().map(|line| format!("{}{end}", bare(line)));
    let all = old[..head].iter().map(|&line| line.to_owned()).chain(added);
    let all: Vec<String> = all.chain(old[old.len() - tail..].iter().map(|&line| line.to_owned())).collect();
    let last = all.len().saturating_sub(1);
    let ended = all.into_iter().enumerate().map(|(number, line)| {
        // The last line of a file may have no end; when it is the last no more, it needs one.
        if number < last && !line.ends_with('\n') { format!("{line}{end}") } else { line }
    });
    ended.collect()
}

fn set_toml(document: &mut DocumentMut, key: &str, entry: &Value) -> anyhow::Result<()> {
    let servers = document.entry(key).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = servers.as_table_like_mut().with_context(|| format!("'{key}' in it is no table"))?;
    let ours = table(entry)?;
    let is_there = servers.get(NAME).and_then(Item::as_table_like).is_some_and(|there| same(there, &ours));
    if !is_there {
        servers.insert(NAME, Item::Table(ours));
    }
    Ok(())
}

fn table(entry: &Value) -> anyhow::Result<Table> {
    let mut table = Table::new();
    for (name, field) in entry.as_object().context("an entry is an object")? {
        let item = match field {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Array>().into(),
            Value::Bool(value) => (*value).into(),
            field => field.as_str().context("an entry holds texts and lists of them")?.into(),
        };
        table.insert(name, Item::Value(item));
    }
    Ok(table)
}

/// Whether two tables say the same, however they are written.
fn same(one: &dyn TableLike, other: &dyn TableLike) -> bool {
    let plain = |table: &dyn TableLike| {
        let mut all: Vec<String> =
            table.iter().map(|(name, item)| format!("{name}={}", plain(item))).collect();
        all.sort();
        all
    };
    plain(one) == plain(other)
}

/// A value without its layout.
fn plain(item: &Item) -> String {
    match item.as_array() {
        Some(items) => {
            items.iter().map(|item| plain(&Item::Value(item.clone()))).collect::<Vec<_>>().join("\u{0}")
        }
        None => item.as_str().map_or_else(|| item.to_string().trim().to_owned(), str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Value {
        json!({"command": "/bin/f", "args": ["stdio"]})
    }

    #[test]
    fn an_entry_that_is_there_is_left_as_it_is_and_another_replaced() {
        let there =
            "{ \"s\": {\"fingertip\" : { \"args\":[ \"stdio\" ], \"command\":\"/bin/f\" , }, /* end */ } }\n";
        assert_eq!(set(there, Format::Json, "s", &entry()).unwrap(), there);
        let other = there.replace("/bin/f", "/old");
        let replaced = set(&other, Format::Json, "s", &entry()).unwrap();
        assert!(replaced.contains("/bin/f") && !replaced.contains("/old") && replaced.contains("/* end */"));
        let there = "s.fingertip = { args = [ 'stdio', ], command = '/bin/f' } # ours\n";
        assert_eq!(set(there, Format::Toml, "s", &entry()).unwrap(), there);
        let replaced = set(&there.replace("/bin/f", "/old"), Format::Toml, "s", &entry()).unwrap();
        assert!(replaced.contains("/bin/f") && !replaced.contains("/old"), "{replaced}");
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, format, why) in [
            ("{", Format::Json, "no JSON"),
            ("[1]", Format::Json, "no JSON object"),
            ("{\"s\": []}", Format::Json, "'s' in it is no object"),
            ("{\"s\": {}, \"s\": {}}", Format::Json, "'s' is in it twice"),
            ("{\"s\": {\"fingertip\": 1, \"fingertip\": 2}}", Format::Json, "'fingertip' is in it twice"),
            ("a =", Format::Toml, "no TOML"),
            ("s = 1", Format::Toml, "'s' in it is no table"),
        ] {
            let said = set(text, format, "s", &entry()).map_err(|error| format!("{error:#}")).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn line_ends_that_are_not_ours_stay_mixed_as_they_are() {
        let text = "a = \"\"\"\none\ntwo\"\"\"\r\n# end\n[z]\r\nb = 1\r\n";
        for text in [text, text.trim_end()] {
            let with = set(text, Format::Toml, "s", &entry()).unwrap();
            assert!(with.starts_with(text), "{with:?}");
            let ours = with[text.len()..].trim_start();
            assert_eq!(ours, "[s.fingertip]\r\ncommand = \"/bin/f\"\r\nargs = [\"stdio\"]\r\n", "{with:?}");
        }
    }

    #[test]
    fn removing_takes_only_what_was_added() {
        for (text, format) in [
            ("", Format::Json),
            ("{}", Format::Json),
            ("{\n  \"a\": 1, // one\n  \"s\": {\n    \"b\": {}\n  }\n}\n", Format::Json),
            ("\u{feff}{\r\n\t\"a\": [1, 2,],\r\n}\r\n", Format::Json),
            ("{\"s\":{}}", Format::Json),
            ("", Format::Toml),
            ("a = 1 # one\r\n\r\n[s.other]\r\ncommand = \"x\"\r\n", Format::Toml),
            ("s = { other = { command = \"x\" } }\n", Format::Toml),
        ] {
            let with = set(text, format, "s", &entry()).unwrap();
            assert!(with.contains("/bin/f"), "{with}");
            assert_eq!(with.contains('\r'), text.contains('\r'), "{with}");
            let without = remove(&with, format, "s", Some(text)).unwrap().expect("ours was there");
            assert!(!without.contains(NAME), "{without}");
            assert_eq!(remove(&without, format, "s", Some(text)).unwrap(), None);
            for kept in ["\"a\"", "// one", "\"b\"", "# one", "other"] {
                assert_eq!(without.contains(kept), text.contains(kept), "{kept} in {without}");
            }
        }
    }
}
