//! All tools this program knows, whatever is attached and allowed: for callers that must distinguish a typo from a tool that
//! is not offered here, and must know the types of parameters before they call.

use rmcp::model::JsonObject;

use crate::registry::{Interface, Registry};
use crate::surroundings::Surroundings;
use crate::timeouts::Timeouts;

/// Every parameter that a tool may ever have.
const EVERYTHING: Surroundings = Surroundings { several: true, phone: true, desktop: true, secrets: true };

/// The tools of the current interface.
pub struct Catalog(Registry);

impl Default for Catalog {
    fn default() -> Self {
        Self(Registry::new(Interface::Current, &Timeouts::default()))
    }
}

impl Catalog {
    /// The names of all tools, in the order of the reference.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.tools().map(|tool| tool.entry.definition.name)
    }

    /// The schema of what a tool takes.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&JsonObject> {
        self.0.find(name).map(|tool| tool.wire(EVERYTHING).input_schema.as_ref())
    }
}
