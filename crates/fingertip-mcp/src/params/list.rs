//! Lists.

use fingertip_core::Result;
use serde_json::{Value, json};

use super::{Arguments, Meaning, Optional, Param, wrong};

/// A list that a call must have; what its items are is for the tool to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    name: &'static str,
    description: &'static str,
    least: usize,
    most: usize,
    item: fn() -> Value,
    meaning: Meaning,
}

impl List {
    /// One with `least` to `most` items of this schema.
    #[must_use]
    pub(crate) const fn required(
        name: &'static str,
        description: &'static str,
        least: usize,
        most: usize,
        item: fn() -> Value,
    ) -> Self {
        Self { name, description, least, most, item, meaning: Meaning::Plain }
    }

    /// Paths of fingers over the screen.
    #[must_use]
    pub(crate) const fn as_paths(mut self) -> Self {
        self.meaning = Meaning::Paths;
        self
    }

    /// Its items in this call.
    ///
    /// # Errors
    /// When it is missing, no list, too short or too long.
    pub(crate) fn read<'a>(&self, arguments: Arguments<'a>) -> Result<&'a [Value]> {
        self.check(arguments, "items")
    }

    fn check<'a>(&self, arguments: Arguments<'a>, items: &str) -> Result<&'a [Value]> {
        let value = arguments.required(self.name)?;
        let list = value.as_array().filter(|list| (self.least..=self.most).contains(&list.len()));
        list.map(Vec::as_slice).ok_or_else(|| self.wrong(value, items))
    }

    fn wrong(&self, value: &Value, items: &str) -> fingertip_core::Error {
        wrong(self.name, &format!("a list of {} to {} {items}", self.least, self.most), value)
    }
}

impl Param for List {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        json!({
            "type": "array",
            "items": (self.item)(),
            "minItems": self.least,
            "maxItems": self.most,
            "description": self.description,
        })
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }
}

/// A list of one or more texts that a call must have. [`Strings::optional`] gives one that it may leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strings(List);

/// A list of one or more texts that a call may leave out.
pub(crate) type OptionalStrings = Optional<Strings>;

impl Optional<Strings> {
    /// Its texts in this call, if it is there.
    ///
    /// # Errors
    /// As for [`Strings::read`].
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<Vec<String>>> {
        arguments.value(self.0.0.name).map(|_| self.0.read(arguments)).transpose()
    }
}

impl Strings {
    /// One with at most so many texts.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str, most: usize) -> Self {
        Self(List::required(name, description, 1, most, || json!({ "type": "string" })))
    }

    /// One with at most so many texts, that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(
        name: &'static str,
        description: &'static str,
        most: usize,
    ) -> OptionalStrings {
        Optional(Self::required(name, description, most))
    }

    /// Its texts in this call.
    ///
    /// # Errors
    /// When it is missing, no list, empty, too long, or holds something else than texts.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Vec<String>> {
        let items = self.0.check(arguments, "texts")?;
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
        texts.ok_or_else(|| self.0.wrong(&Value::from(items), "texts"))
    }
}

impl Param for Strings {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        self.0.schema()
    }
}
