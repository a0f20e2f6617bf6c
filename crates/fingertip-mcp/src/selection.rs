//! Which tools a server offers: those that fit its targets, unless its owner chose by name.
//!
//! A phone lists the device tools; a desktop lists the desktop tools, and those device tools it can do. Names of
//! tools and of toolsets choose otherwise: then exactly the chosen ones are listed, on every kind of target.
//! Tools about the server itself are there unless they are switched off by name. Non-goal: what a target can
//! do, which its capabilities tell.

use fingertip_core::target::TargetKind;

use crate::nearest::nearest;
use crate::tool::{Definition, Toolset};
use crate::tools;

/// How many names an error proposes.
const MOST_PROPOSED: usize = 3;

/// Which tools a server offers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    only: Vec<Chosen>,
    without: Vec<Chosen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    Set(Toolset),
    Tool(&'static str),
}

/// A name that no tool and no toolset has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tool or toolset '{name}'; nearest: {}", .nearest.join(", "))]
pub struct UnknownTool {
    name: String,
    nearest: Vec<&'static str>,
}

impl ToolSelection {
    /// Only the tools and toolsets of the first list, or what fits when it is empty; never those of the second.
    ///
    /// # Errors
    /// Names the first name that no tool and no toolset has, and the nearest that are there.
    pub fn new<S: AsRef<str>>(only: &[S], without: &[S]) -> Result<Self, UnknownTool> {
        let chosen = |names: &[S]| {
            names.iter().map(|name| Chosen::parse(name.as_ref())).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self { only: chosen(only)?, without: chosen(without)? })
    }

    /// Whether this tool is offered on targets of this kind.
    #[must_use]
    pub fn allows(&self, definition: &Definition, kind: TargetKind) -> bool {
        let named = |list: &[Chosen]| list.iter().any(|chosen| chosen.includes(definition));
        if named(&self.without) {
            return false;
        }
        match (definition.toolset, kind) {
            (Toolset::Server, _) => true,
            _ if !self.only.is_empty() => named(&self.only),
            (Toolset::Desktop, TargetKind::Phone) => false,
            (Toolset::Device, _) | (Toolset::Desktop, TargetKind::Desktop) => true,
        }
    }
}

impl Chosen {
    fn parse(name: &str) -> Result<Self, UnknownTool> {
        if let Some(set) = Toolset::ALL.into_iter().find(|set| set.name() == name) {
            return Ok(Self::Set(set));
        }
        let known: Vec<&'static str> = tools::all().iter().map(|entry| entry.definition.name).collect();
        if let Some(tool) = known.iter().find(|tool| **tool == name) {
            return Ok(Self::Tool(tool));
        }
        let names = known.into_iter().chain(Toolset::ALL.map(Toolset::name));
        Err(UnknownTool { name: name.to_owned(), nearest: nearest(name, names, MOST_PROPOSED) })
    }

    fn includes(self, definition: &Definition) -> bool {
        match self {
            Self::Set(set) => set == definition.toolset,
            Self::Tool(tool) => tool == definition.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(selection: &ToolSelection, kind: TargetKind) -> Vec<&'static str> {
        let all = tools::all();
        let definitions = all.iter().map(|entry| entry.definition);
        definitions.filter(|tool| selection.allows(tool, kind)).map(|tool| tool.name).collect()
    }

    #[test]
    fn without_a_choice_a_phone_has_the_device_tools_and_a_desktop_both() {
        let all = ToolSelection::default();
        let phone = offered(&all, TargetKind::Phone);
        assert!(phone.contains(&"tap") && !phone.contains(&"get_ui_tree"));
        let desktop = offered(&all, TargetKind::Desktop);
        assert!(desktop.contains(&"tap") && desktop.contains(&"get_ui_tree"));
    }

    #[test]
    fn names_of_tools_and_sets_choose() {
        let chosen = ToolSelection::new(&["desktop", "tap"], &["set_value"]).unwrap();
        for kind in [TargetKind::Phone, TargetKind::Desktop] {
            let offered = offered(&chosen, kind);
            assert!(offered.contains(&"get_ui_tree") && offered.contains(&"tap"));
            assert!(!offered.contains(&"set_value") && !offered.contains(&"swipe"));
            assert!(offered.contains(&"list_devices"));
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = ToolSelection::new(&["get_ui_tre"], &[]).unwrap_err();
        assert!(
            error.to_string().starts_with("there is no tool or toolset 'get_ui_tre'; nearest: get_ui_tree")
        );
        let error = ToolSelection::new(&["desktops"], &[]).unwrap_err();
        assert!(error.to_string().contains("nearest: desktop"));
    }
}
