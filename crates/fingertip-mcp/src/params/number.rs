//! Numbers and whole numbers with a range.

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, Meaning, Optional, Param, wrong};

/// The largest magnitude up to which every whole number is exact in a JSON number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A finite number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    name: &'static str,
    description: &'static str,
    default: Option<f64>,
    minimum: Option<f64>,
    exclusive: bool,
    maximum: Option<f64>,
    meaning: Meaning,
}

impl Number {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            default: None,
            minimum: None,
            exclusive: false,
            maximum: None,
            meaning: Meaning::Plain,
        }
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str, default: f64) -> Self {
        let mut number = Self::required(name, description);
        number.default = Some(default);
        number
    }

    /// One that a call may leave out, and that then has no value.
    #[must_use]
    pub(crate) const fn or_nothing(self) -> OptionalNumber {
        Optional(self)
    }

    /// The x of a point on the screen; its y follows it.
    #[must_use]
    pub(crate) const fn as_x(mut self) -> Self {
        self.meaning = Meaning::X;
        self
    }

    /// The y of the point whose x is the parameter before.
    #[must_use]
    pub(crate) const fn as_y(mut self) -> Self {
        self.meaning = Meaning::Y;
        self
    }

    /// Not below `minimum`.
    #[must_use]
    pub(crate) const fn at_least(mut self, minimum: f64) -> Self {
        self.minimum = Some(minimum);
        self
    }

    /// Above `minimum`.
    #[must_use]
    pub(crate) const fn above(mut self, minimum: f64) -> Self {
        self.minimum = Some(minimum);
        self.exclusive = true;
        self
    }

    /// Not above `maximum`.
    #[must_use]
    pub(crate) const fn at_most(mut self, maximum: f64) -> Self {
        self.maximum = Some(maximum);
        self
    }

    /// From `minimum` to `maximum`, both allowed.
    #[must_use]
    pub(crate) const fn between(self, minimum: f64, maximum: f64) -> Self {
        self.at_least(minimum).at_most(maximum)
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing, no number, or out of range.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<f64> {
        match (arguments.value(self.name), self.default) {
            (None, Some(default)) => Ok(default),
            _ => self.check(arguments.required(self.name)?),
        }
    }

    /// Checks a value that stands elsewhere than among the arguments, such as in a list.
    ///
    /// # Errors
    /// When it is no number or out of range.
    pub(crate) fn check(&self, value: &Value) -> Result<f64> {
        value
            .as_f64()
            .filter(|number| number.is_finite() && self.allows(*number))
            .ok_or_else(|| wrong(self.name, &self.wanted("a number"), value))
    }

    fn allows(&self, number: f64) -> bool {
        let above = match self.minimum {
            Some(minimum) if self.exclusive => number > minimum,
            Some(minimum) => number >= minimum,
            None => true,
        };
        above && self.maximum.is_none_or(|maximum| number <= maximum)
    }

    fn wanted(&self, kind: &str) -> String {
        match (self.minimum, self.maximum) {
            (Some(minimum), Some(maximum)) if self.exclusive => {
                format!("{kind} greater than {minimum} and at most {maximum}")
            }
            (Some(minimum), Some(maximum)) => format!("{kind} from {minimum} to {maximum}"),
            (Some(minimum), None) if self.exclusive => format!("{kind} greater than {minimum}"),
            (Some(minimum), None) => format!("{kind} of at least {minimum}"),
            (None, Some(maximum)) => format!("{kind} of at most {maximum}"),
            (None, None) => kind.to_owned(),
        }
    }

    fn schema_of(&self, kind: &str) -> Value {
        let mut schema = json!({ "type": kind, "description": self.description });
        let lower = if self.exclusive { "exclusiveMinimum" } else { "minimum" };
        for (key, bound) in [(lower, self.minimum), ("maximum", self.maximum), ("default", self.default)] {
            if let Some(bound) = bound {
                schema[key] = plain(bound);
            }
        }
        schema
    }
}

impl Param for Number {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        self.default.is_none()
    }

    fn schema(&self) -> Value {
        self.schema_of("number")
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }
}

/// A number that a call may leave out.
pub(crate) type OptionalNumber = Optional<Number>;

impl Optional<Number> {
    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// When it is no number or out of range.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<f64>> {
        arguments.value(self.0.name).map(|value| self.0.check(value)).transpose()
    }
}

/// A whole number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Integer(Number);

impl Integer {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self(Number::required(name, description))
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str, default: u32) -> Self {
        Self(Number::optional(name, description, default as f64))
    }

    /// From `minimum` to `maximum`, both allowed.
    #[must_use]
    pub(crate) const fn between(self, minimum: u32, maximum: u32) -> Self {
        Self(self.0.between(minimum as f64, maximum as f64))
    }

    /// Its value in this call; `5.0` is 5.
    ///
    /// # Errors
    /// When it is missing, no whole number, or out of range.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<u32> {
        let value = match (arguments.value(self.0.name), self.0.default) {
            (None, Some(default)) => return Ok(default as u32),
            _ => arguments.required(self.0.name)?,
        };
        value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && number.abs() <= EXACT && self.0.allows(*number))
            .map(|number| number as u32)
            .ok_or_else(|| wrong(self.0.name, &self.0.wanted("a whole number"), value))
    }
}

/// A whole number that a call may leave out, which then means something of its own.
pub(crate) type OptionalInteger = Optional<Integer>;

impl Optional<Integer> {
    /// One from `minimum` to `maximum`, both allowed.
    #[must_use]
    pub(crate) const fn between(
        name: &'static str,
        description: &'static str,
        minimum: u32,
        maximum: u32,
    ) -> Self {
        Self(Integer::required(name, description).between(minimum, maximum))
    }

    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// As for [`Integer::read`].
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<u32>> {
        match arguments.value(self.0.0.name) {
            Some(_) => self.0.read(arguments).map(Some),
            None => Ok(None),
        }
    }
}

impl Param for Integer {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn is_required(&self) -> bool {
        self.0.default.is_none()
    }

    fn schema(&self) -> Value {
        self.0.schema_of("integer")
    }
}

/// A number as a schema shows it: `300`, not `300.0`.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= EXACT { json!(number as i64) } else { json!(number) }
}
