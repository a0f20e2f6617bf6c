//! Which tools exist: `--tools` names those that do, `--no-tools` those that do not, and the latter wins.

use super::names::{Names, UnknownName};
use crate::tool::{Definition, Toolset};

/// Which tools exist for clients.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    only: Option<Names>,
    without: Names,
}

impl ToolSelection {
    /// Only the tools named first (all, where none is named), without those named second.
    ///
    /// # Errors
    /// A name that no tool and no toolset has.
    pub fn new<T: AsRef<str>>(only: &[T], without: &[T]) -> Result<Self, UnknownName> {
        let only = Names::read(only)?;
        Ok(Self { only: (!only.is_empty()).then_some(only), without: Names::read(without)? })
    }

    /// Whether this tool exists. Tools about the server itself stay unless they are named: without `list_devices` a
    /// client could not name the device it means.
    #[must_use]
    pub fn allows(&self, definition: &Definition) -> bool {
        let chosen = match &self.only {
            Some(only) => only.contain(definition) || definition.toolset == Toolset::Server,
            None => true,
        };
        chosen && !self.without.contain(definition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;

    fn left(only: &[&str], without: &[&str]) -> Vec<&'static str> {
        let selection = ToolSelection::new(only, without).unwrap();
        let all = tools::all().into_iter().map(|entry| entry.definition);
        all.filter(|definition| selection.allows(definition)).map(|definition| definition.name).collect()
    }

    #[test]
    fn nothing_said_is_everything() {
        assert_eq!(left(&[], &[]).len(), tools::all().len());
    }

    #[test]
    fn tools_are_chosen_and_left_out_by_name_and_by_toolset() {
        assert_eq!(left(&["tap", "swipe"], &["swipe"]), ["tap", "list_devices"]);
        assert!(left(&["device"], &["tap"]).contains(&"swipe"));
        assert!(!left(&["device"], &["tap"]).contains(&"tap"));
        assert_eq!(left(&[], &["device", "server"]), [""; 0]);
    }
}
