//! Names of tools and toolsets as an owner writes them: known ones only, since a name with a typo in it would
//! silently protect nothing.

use std::collections::BTreeSet;

use crate::nearest::nearest;
use crate::tool::Definition;
use crate::tools;

/// A choice of tools that does everything at the least cost of tokens, by its own name.
const CORE: (&str, [&str; 9]) = (
    "core",
    [
        "get_screen_state",
        "click_element",
        "set_text",
        "press_key",
        "press_back",
        "scroll",
        "tap",
        "open_app",
        "run_steps",
    ],
);

/// A name that no tool and no toolset has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tool or toolset '{name}'; did you mean '{nearest}'?")]
pub struct UnknownName {
    /// What was written.
    pub name: String,
    /// The known name most like it.
    pub nearest: &'static str,
}

/// A set of tools, written as names of tools and toolsets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(BTreeSet<&'static str>);

impl Names {
    /// Reads names; each must be that of a tool or a toolset of any interface.
    ///
    /// # Errors
    /// The first unknown name, with the nearest known one.
    pub fn read<T: AsRef<str>>(texts: &[T]) -> Result<Self, UnknownName> {
        let known = known();
        let mut names = BTreeSet::new();
        for text in texts {
            match find(&known, text.as_ref())? {
                name if name == CORE.0 => names.extend(CORE.1),
                name => _ = names.insert(name),
            }
        }
        Ok(Self(names))
    }

    /// Whether this tool is among them, by its own name or by that of its toolset.
    #[must_use]
    pub fn contain(&self, definition: &Definition) -> bool {
        self.0.contains(definition.name) || self.0.contains(definition.toolset.name)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn known() -> BTreeSet<&'static str> {
    let entries = tools::all().into_iter().chain(tools::v1::all());
    let names = entries.flat_map(|entry| [entry.definition.name, entry.definition.toolset.name]);
    names.chain([CORE.0]).collect()
}

fn find(known: &BTreeSet<&'static str>, text: &str) -> Result<&'static str, UnknownName> {
    if let Some(name) = known.get(text) {
        return Ok(name);
    }
    let nearest = nearest(text, known.iter().copied(), 1).first().copied().unwrap_or_default();
    Err(UnknownName { name: text.to_owned(), nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_refused_with_what_was_meant() {
        for (typo, meant) in [("tapp", "tap"), ("Device", "device"), ("get_screenstate", "get_screen_state")]
        {
            let error = Names::read(&[typo]).unwrap_err();
            assert_eq!((error.name.as_str(), error.nearest), (typo, meant));
        }
        assert!(Names::read(&[""]).is_err());
    }

    #[test]
    fn the_core_is_tools_that_exist() {
        let core = Names::read(&[CORE.0]).expect("a preset");
        let all = tools::all().into_iter().map(|entry| entry.definition);
        assert_eq!(all.filter(|definition| core.contain(definition)).count(), CORE.1.len());
    }

    #[test]
    fn tools_of_both_interfaces_and_toolsets_are_known() {
        assert!(Names::read(&["tap", "device", "server", "capture_screenshot", "list_devices"]).is_ok());
    }
}
