//! An element: by its id, or, for the desktop tools, by where it stands as well. A selector is resolved to an id before
//! (see `dispatch/selectors.rs`).

use std::fmt;

use fingertip_core::path::ElementPath;
use fingertip_core::{Error, NodeId, Reason, Result};
use serde_json::Value;

use super::{Arguments, Meaning, Optional, Param, Selects, Text};

const LOOK_AGAIN: &str = "Look again with get_screen_state or find_elements and use an id from there.";

/// An element as a call names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ElementRef {
    /// By its id.
    Id(NodeId),
    /// By where it stands.
    Path(ElementPath),
}

impl ElementRef {
    /// Its id, if that is how it is named.
    #[must_use]
    pub(crate) fn id(&self) -> Option<NodeId> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Path(_) => None,
        }
    }

    /// The element that a checked argument names; what is neither id nor path names nothing.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        text.parse().map(Self::Id).ok().or_else(|| text.parse().map(Self::Path).ok())
    }
}

impl fmt::Display for ElementRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "{id}"),
            Self::Path(path) => write!(f, "{path}"),
        }
    }
}

/// The id of an element that a call must name. [`ElementId::optional`] gives one that it may leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElementId {
    text: Text,
    meaning: Meaning,
    selects: Selects,
}

/// The id of an element that a call may name.
pub(crate) type OptionalElementId = Optional<ElementId>;

impl ElementId {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self {
            text: Text::required(name, description).not_empty(),
            meaning: Meaning::Element,
            selects: Selects::InView,
        }
    }

    /// One that may be out of view.
    #[must_use]
    pub(crate) const fn out_of_view_too(mut self) -> Self {
        self.selects = Selects::OutOfViewToo;
        self
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str) -> OptionalElementId {
        Optional(Self::required(name, description))
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing or no text, and when no element ever had such an id.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<NodeId> {
        known(&self.text.read(arguments)?)
    }
}

impl Optional<ElementId> {
    /// The element that something is dropped on.
    #[must_use]
    pub(crate) const fn dropped_on(mut self) -> Self {
        self.0.meaning = Meaning::DropElement;
        self
    }

    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// As for [`ElementId::read`].
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<NodeId>> {
        arguments.value(self.name()).map(|_| self.0.read(arguments)).transpose()
    }
}

/// The id or the path of an element that a call must name. [`Element::optional`] gives one that it may leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element(Text);

/// The id or the path of an element that a call may name.
pub(crate) type OptionalElement = Optional<Element>;

impl Element {
    /// One that a call must have.
    #[must_use]
    pub(crate) const fn required(name: &'static str, description: &'static str) -> Self {
        Self(Text::required(name, description).not_empty())
    }

    /// One that a call may leave out.
    #[must_use]
    pub(crate) const fn optional(name: &'static str, description: &'static str) -> OptionalElement {
        Optional(Self::required(name, description))
    }

    /// Its value in this call.
    ///
    /// # Errors
    /// When it is missing, neither an id nor a path, and when no element ever had such an id.
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<ElementRef> {
        let text = self.0.read(arguments)?;
        if text.starts_with(NodeId::PREFIX) {
            return known(&text).map(ElementRef::Id);
        }
        text.parse().map(ElementRef::Path).map_err(|error| {
            Error::invalid(format!(
                "Parameter '{}' must be an element's id or a path, got something else: {error}.",
                self.name()
            ))
            .with_guidance("A path looks like app(4711)/window[0]/group[1]/button[\"Save\"].")
        })
    }
}

impl Optional<Element> {
    /// Its value in this call, if it is there.
    ///
    /// # Errors
    /// As for [`Element::read`].
    pub(crate) fn read(&self, arguments: Arguments<'_>) -> Result<Option<ElementRef>> {
        arguments.value(self.name()).map(|_| self.0.read(arguments)).transpose()
    }
}

fn known(text: &str) -> Result<NodeId> {
    text.parse().map_err(|_| {
        let shown = super::shorten(text);
        Error::new(Reason::NotFound, format!("Element '{shown}' was not found: no such id was ever given."))
            .with_guidance(LOOK_AGAIN)
    })
}

impl Param for ElementId {
    fn name(&self) -> &'static str {
        self.text.name()
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        self.text.schema()
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }

    fn selects(&self) -> Option<Selects> {
        Some(self.selects)
    }
}

impl Param for Element {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        self.0.schema()
    }

    fn meaning(&self) -> Meaning {
        Meaning::Element
    }

    fn selects(&self) -> Option<Selects> {
        Some(Selects::InView)
    }
}
