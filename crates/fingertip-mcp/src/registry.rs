//! All tools, by name.

use std::collections::BTreeMap;

use crate::tool::Entry;
use crate::tools;

/// All tools, by name.
pub struct Registry {
    ordered: Vec<Entry>,
    by_name: BTreeMap<&'static str, usize>,
}

impl Default for Registry {
    fn default() -> Self {
        let ordered = tools::all();
        let by_name =
            ordered.iter().enumerate().map(|(position, entry)| (entry.definition.name, position)).collect();
        Self { ordered, by_name }
    }
}

impl Registry {
    /// All tools, in the order of the reference.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.ordered.iter().copied()
    }

    /// The tool of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Entry> {
        self.by_name.get(name).map(|position| self.ordered[*position])
    }
}
