//! `key=value` from a shell, as the JSON that a tool takes: typed by the tool's own schema.
//!
//! Only the form is decided here. Whether a parameter exists and a value is in range is for the tool to say, as for every
//! other client: a value that fits none of the types is handed on as text, and the tool's error names it.

use std::io::Read;
use std::path::Path;

use serde_json::{Map, Value};

use super::answer::WrongUse;

/// The most bytes of a file of parameters.
const MAX_INPUT_BYTES: u64 = 4 * 1024 * 1024;

/// The parameters of a call: those of the file, overridden by those of the command line.
pub(super) fn read(
    pairs: &[String],
    input: Option<&Path>,
    schema: &Map<String, Value>,
) -> Result<Map<String, Value>, WrongUse> {
    let mut arguments = input.map(file).transpose()?.unwrap_or_default();
    let mut seen = Vec::new();
    for pair in pairs {
        let (key, value) = pair
            .split_once('=')
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| WrongUse(format!("'{pair}' is no parameter; write KEY=VALUE")))?;
        if seen.contains(&key) {
            return Err(WrongUse(format!("parameter '{key}' is given twice")));
        }
        seen.push(key);
        let kinds = kinds(&schema["properties"][key]["type"]);
        arguments.insert(key.to_owned(), typed(value, &kinds));
    }
    Ok(arguments)
}

fn file(path: &Path) -> Result<Map<String, Value>, WrongUse> {
    let unusable = |why: String| WrongUse(format!("--input {}: {why}", path.display()));
    let mut content = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_end(&mut content)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_INPUT_BYTES + 1).read_to_end(&mut content))
    };
    read.map_err(|error| unusable(error.to_string()))?;
    if content.len() as u64 > MAX_INPUT_BYTES {
        return Err(unusable(format!("more than {MAX_INPUT_BYTES} bytes")));
    }
    match serde_json::from_slice(&content) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(unusable("holds no JSON object".to_owned())),
        Err(error) => Err(unusable(error.to_string())),
    }
}

/// The types a schema allows.
fn kinds(kind: &Value) -> Vec<&str> {
    match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    }
}

/// The value as the first of these types that it can be; text comes last, because everything can be that.
fn typed(text: &str, kinds: &[&str]) -> Value {
    let parsed: Option<Value> = serde_json::from_str(text).ok();
    let fits = |value: &Value| match value {
        Value::Bool(_) => kinds.contains(&"boolean"),
        Value::Number(_) => kinds.contains(&"integer") || kinds.contains(&"number"),
        Value::Array(_) => kinds.contains(&"array"),
        Value::Object(_) => kinds.contains(&"object"),
        Value::Null => kinds.contains(&"null"),
        Value::String(_) => false,
    };
    parsed.filter(fits).unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(pairs: &[&str]) -> Result<Value, WrongUse> {
        let schema = json!({"properties": {
            "x": {"type": "number"}, "count": {"type": "integer"}, "all": {"type": "boolean"},
            "text": {"type": "string"}, "secret": {"type": ["string", "object"]}, "steps": {"type": "array"},
        }});
        let pairs: Vec<String> = pairs.iter().map(|&pair| pair.to_owned()).collect();
        read(&pairs, None, schema.as_object().unwrap()).map(Value::Object)
    }

    #[test]
    fn values_have_the_types_of_the_schema() {
        let read = of(&["x=1.5", "count=2", "all=true", "text=12", r#"steps=[{"tool":"tap"}]"#]).unwrap();
        assert_eq!(
            read,
            json!({"x": 1.5, "count": 2, "all": true, "text": "12", "steps": [{"tool": "tap"}]})
        );
        assert_eq!(of(&[r#"secret={"secret":"PIN"}"#]).unwrap(), json!({"secret": {"secret": "PIN"}}));
        assert_eq!(of(&["secret={}x", "text="]).unwrap(), json!({"secret": "{}x", "text": ""}));
        assert_eq!(of(&["text=a=b", "text2={}"]).unwrap(), json!({"text": "a=b", "text2": "{}"}));
        assert_eq!(of(&["text=\"quoted\"", "all=yes"]).unwrap(), json!({"text": "\"quoted\"", "all": "yes"}));
    }

    #[test]
    fn what_is_no_parameter_or_comes_twice_is_wrong() {
        for wrong in [&["tap"][..], &["=1"], &["x=1", "x=2"]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }
}
