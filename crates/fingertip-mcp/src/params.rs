//! Tool parameters: one constant is both the schema a client sees and the check a call passes.
//!
//! Written by hand instead of derived, because the contract asks for more than a deserializer gives: `5.0`
//! is the integer 5, `5.5` and `"5"` are not; an unknown name is an error that names it; each message names
//! the parameter, the value and the range. A parameter is a constant of one of the types below; its
//! `read` gives the typed value.

mod app;
mod choice;
mod element;
mod flag;
mod key;
mod list;
mod number;
mod text;
mod value;

use fingertip_core::{Error, Result};
use serde_json::{Map, Value, json};

use crate::surroundings::Surroundings;

pub(crate) use app::{APP, AppName, OptionalAppName, WantedApp};
pub(crate) use choice::{Choice, Choices};
pub(crate) use element::{Element, ElementId, ElementRef, OptionalElement, OptionalElementId};
pub(crate) use flag::Flag;
pub(crate) use key::{AnyKey, KeyName};
pub(crate) use key::{is_text, lacking};
pub(crate) use list::{List, OptionalStrings, Strings};
pub(crate) use number::{Integer, Number, OptionalInteger, OptionalNumber};
pub(crate) use text::{MAX_CHARACTERS, OptionalText, Text};
pub(crate) use value::{AnyScalar, Scalar};

/// How much of a wrong value an error message repeats.
const QUOTED_CHARACTERS: usize = 60;

/// What the value of a parameter means to code outside its tool: choosing the target, asking the user, writing the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The tool's own affair.
    Plain,
    /// A text that is written into the target; a secret where that is a password field.
    Text,
    /// A key, which may write a character.
    Key,
    /// The element that is acted on.
    Element,
    /// The element that something is dropped on.
    DropElement,
    /// The application that is meant.
    App,
    /// The application whose part of the screen is looked at; see [`AppName`].
    Scope,
    /// The x of a point on the screen.
    X,
    /// The y of the point whose x is the parameter before.
    Y,
    /// Paths of fingers over the screen.
    Paths,
}

/// What a selector may mean where a parameter takes one instead of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selects {
    /// What is in view.
    InView,
    /// What is out of view too, where nothing in view is meant.
    OutOfViewToo,
}

/// What every parameter can say of itself.
pub trait Param: Send + Sync {
    /// Its name on the wire.
    fn name(&self) -> &'static str;

    /// Whether a call must have it.
    fn is_required(&self) -> bool;

    /// Its JSON Schema.
    fn schema(&self) -> Value;

    /// Its JSON Schema while this is attached.
    fn schema_in(&self, _surroundings: Surroundings) -> Value {
        self.schema()
    }

    /// Whether calls can have it while this is attached.
    fn is_offered(&self, _surroundings: Surroundings) -> bool {
        true
    }

    /// What its value is to others than its tool.
    fn meaning(&self) -> Meaning {
        Meaning::Plain
    }

    /// What a selector in its place may mean; `None` where it takes none. A tool never sees one: it is resolved to an id.
    fn selects(&self) -> Option<Selects> {
        None
    }
}

/// A parameter that a call may leave out, and that then has no value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Optional<P>(P);

impl<P: Param> Param for Optional<P> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is_required(&self) -> bool {
        false
    }

    fn schema(&self) -> Value {
        self.0.schema()
    }

    fn schema_in(&self, surroundings: Surroundings) -> Value {
        self.0.schema_in(surroundings)
    }

    fn is_offered(&self, surroundings: Surroundings) -> bool {
        self.0.is_offered(surroundings)
    }

    fn meaning(&self) -> Meaning {
        self.0.meaning()
    }

    fn selects(&self) -> Option<Selects> {
        self.0.selects()
    }
}

/// The arguments of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Accepts the arguments if every name is one of `params`.
    ///
    /// # Errors
    /// Names the first parameter that is not known; a typo must not be silently ignored.
    pub(crate) fn new(arguments: &'a Map<String, Value>, params: &[&dyn Param]) -> Result<Self> {
        for name in arguments.keys() {
            if !params.iter().any(|param| param.name() == name) {
                let known: Vec<_> = params.iter().map(|param| param.name()).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(Error::invalid(format!(
                    "Unknown parameter '{}'. Known parameters: {known}.",
                    shorten(name)
                )));
            }
        }
        Ok(Self(arguments))
    }

    fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// The value of a parameter that must be there.
    fn required(self, name: &str) -> Result<&'a Value> {
        self.value(name).ok_or_else(|| Error::invalid(format!("Missing required parameter '{name}'.")))
    }
}

/// The JSON Schema of an object with these parameters and no others, while this is attached.
#[must_use]
pub(crate) fn object_schema(params: &[&dyn Param], surroundings: Surroundings) -> Map<String, Value> {
    let properties: Map<String, Value> =
        params.iter().map(|param| (param.name().to_owned(), param.schema_in(surroundings))).collect();
    let required: Vec<_> =
        params.iter().filter(|param| param.is_required()).map(|param| param.name()).collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The error for a value that is not what the parameter asks for.
pub(crate) fn wrong(name: &str, wanted: &str, got: &Value) -> Error {
    Error::invalid(format!("Parameter '{name}' must be {wanted}, got {}.", quote(got)))
}

/// A wrong value as an error message shows it: as JSON, cut.
fn quote(value: &Value) -> String {
    shorten(&value.to_string())
}

/// A text of the caller's as an error message repeats it.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Number = Number::required("x", "X coordinate").at_least(0.0);
    const DURATION: Number = Number::optional("duration", "How long", 300.0).between(1.0, 60_000.0);
    const SCALE: Number = Number::required("scale", "Factor").above(0.0);
    const LINES: Integer = Integer::optional("lines", "How many", 100).between(1, 1000);
    const LEVEL: Choice<u8> = Choice::required("level", "Least level", &[("V", 1), ("D", 2)]).or("D");
    const SHOT: Flag = Flag::optional("shot", "Picture", false);
    const IDS: Strings = Strings::required("ids", "Which", 3);
    const NAME: Text = Text::required("name", "Name");
    const TAG: OptionalText = Text::optional("tag", "Tag").not_empty();

    fn arguments(value: &Value) -> &Map<String, Value> {
        value.as_object().expect("an object")
    }

    macro_rules! read {
        ($param:expr, $value:tt) => {
            $param.read(Arguments::new(arguments(&json!($value)), &[&$param])?)
        };
    }

    #[test]
    fn good_values_are_read() -> Result<()> {
        assert_eq!(read!(X, {"x": 5})?, 5.0);
        assert_eq!(read!(X, {"x": 0.5})?, 0.5);
        assert_eq!(read!(DURATION, {})?, 300.0);
        assert_eq!(read!(LINES, {"lines": 5.0})?, 5);
        assert_eq!(read!(LINES, {})?, 100);
        assert_eq!(read!(LEVEL, {})?, 2);
        assert_eq!(read!(LEVEL, {"level": "V"})?, 1);
        assert!(read!(SHOT, {"shot": true})?);
        assert_eq!(read!(IDS, {"ids": ["a", "b"]})?, ["a", "b"]);
        assert_eq!(read!(NAME, {"name": ""})?, "");
        assert_eq!(read!(TAG, {})?, None);
        Ok(())
    }

    #[test]
    fn wrong_values_name_parameter_value_and_range() {
        let message = |result: Result<()>| result.expect_err("must fail").message().to_owned();
        let check = |param: &str, value: Value, wanted: &str| {
            let held = json!({ param: value });
            let result = (|| {
                let all: [&dyn Param; 9] = [&X, &DURATION, &SCALE, &LINES, &LEVEL, &SHOT, &IDS, &NAME, &TAG];
                let arguments = Arguments::new(arguments(&held), &all)?;
                match param {
                    "x" => X.read(arguments).map(drop),
                    "duration" => DURATION.read(arguments).map(drop),
                    "scale" => SCALE.read(arguments).map(drop),
                    "lines" => LINES.read(arguments).map(drop),
                    "level" => LEVEL.read(arguments).map(drop),
                    "shot" => SHOT.read(arguments).map(drop),
                    "ids" => IDS.read(arguments).map(drop),
                    "name" => NAME.read(arguments).map(drop),
                    _ => TAG.read(arguments).map(drop),
                }
            })();
            assert_eq!(message(result), format!("Parameter '{param}' must be {wanted}, got {value}."));
        };
        check("x", json!(-1), "a number of at least 0");
        check("x", json!("5"), "a number of at least 0");
        check("x", json!(null), "a number of at least 0");
        check("duration", json!(0), "a number from 1 to 60000");
        check("duration", json!(60001), "a number from 1 to 60000");
        check("scale", json!(0), "a number greater than 0");
        check("lines", json!(5.5), "a whole number from 1 to 1000");
        check("lines", json!(0), "a whole number from 1 to 1000");
        check("lines", json!(1e300), "a whole number from 1 to 1000");
        check("level", json!("X"), "one of V, D");
        check("shot", json!("true"), "true or false");
        check("ids", json!("a"), "a list of 1 to 3 texts");
        check("ids", json!([]), "a list of 1 to 3 texts");
        check("ids", json!(["a", "b", "c", "d"]), "a list of 1 to 3 texts");
        check("ids", json!(["a", 1]), "a list of 1 to 3 texts");
        check("name", json!(7), "a text");
        check("tag", json!(""), "a text that is not empty");
    }

    #[test]
    fn unknown_and_missing_parameters_are_named() {
        let unknown = json!({"y": 1});
        let error = Arguments::new(arguments(&unknown), &[&X]).expect_err("must fail");
        assert_eq!(error.message(), "Unknown parameter 'y'. Known parameters: x.");
        let empty = json!({});
        let error = X.read(Arguments::new(arguments(&empty), &[&X]).expect("known")).expect_err("must fail");
        assert_eq!(error.message(), "Missing required parameter 'x'.");
    }

    #[test]
    fn a_long_value_is_not_repeated_whole() {
        let held = json!({"x": "a".repeat(5000)});
        let error = X.read(Arguments::new(arguments(&held), &[&X]).expect("known")).expect_err("must fail");
        assert!(error.message().len() < 200, "{}", error.message());
    }

    #[test]
    fn the_schema_tells_the_same_ranges() {
        let surroundings = Surroundings { several: false, phone: true, desktop: false, secrets: false };
        let schema =
            Value::Object(object_schema(&[&X, &DURATION, &SCALE, &LINES, &LEVEL, &SHOT, &IDS], surroundings));
        assert_eq!(schema["required"], json!(["x", "scale", "ids"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        let properties = &schema["properties"];
        assert_eq!(properties["x"]["minimum"], json!(0));
        assert_eq!(properties["duration"]["maximum"], json!(60000));
        assert_eq!(properties["duration"]["default"], json!(300));
        assert_eq!(properties["scale"]["exclusiveMinimum"], json!(0));
        assert_eq!(properties["lines"]["type"], "integer");
        assert_eq!(properties["level"]["enum"], json!(["V", "D"]));
        assert_eq!(properties["shot"]["default"], json!(false));
        assert_eq!(properties["ids"]["maxItems"], json!(3));
    }
}
