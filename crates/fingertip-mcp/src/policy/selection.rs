//! Which tools a server offers: those that fit its targets, unless its owner chose by name.
//!
//! A phone lists the device tools; a desktop lists the desktop tools, and those device tools it can do. Names of
//! tools and of toolsets choose otherwise: `--tools` exactly those that exist, on every kind of target, `--no-tools`
//! those that do not, and the latter wins. Non-goal: what a target can do, which its capabilities say.

use fingertip_core::target::TargetKind;

use super::names::{Names, UnknownName};
use crate::tool::{Definition, Offered};

/// Which tools exist for clients.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    only: Option<Names>,
    without: Names,
}

impl ToolSelection {
    /// Only the tools named first, what fits where no choice was made, without those named second. An empty choice is
    /// one of nothing: it must never offer everything.
    ///
    /// # Errors
    /// A name that no tool and no toolset has.
    pub fn new<T: AsRef<str>>(only: Option<&[T]>, without: &[T]) -> Result<Self, UnknownName> {
        Ok(Self { only: only.map(Names::read).transpose()?, without: Names::read(without)? })
    }

    /// Whether this tool exists on targets of this kind. Tools about the server itself stay beside any other unless they
    /// are switched off by name: without `list_devices` a client could not name the device it means.
    #[must_use]
    pub fn allows(&self, definition: &Definition, kind: TargetKind) -> bool {
        let chosen = match (&self.only, definition.toolset.offered) {
            (only, Offered::BesideOthers) => only.as_ref().is_none_or(|only| !only.is_empty()),
            (Some(only), _) => only.contain(definition),
            (None, Offered::OnDesktops) => kind == TargetKind::Desktop,
            (None, Offered::Everywhere) => true,
        };
        chosen && !self.without.contain(definition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;

    fn left(only: &[&str], without: &[&str], kind: TargetKind) -> Vec<&'static str> {
        chosen((!only.is_empty()).then_some(only), without, kind)
    }

    fn chosen(only: Option<&[&str]>, without: &[&str], kind: TargetKind) -> Vec<&'static str> {
        let selection = ToolSelection::new(only, without).unwrap();
        let all = tools::all().into_iter().map(|entry| entry.definition);
        all.filter(|definition| selection.allows(definition, kind))
            .map(|definition| definition.name)
            .collect()
    }

    #[test]
    fn without_a_choice_a_phone_has_the_device_tools_and_a_desktop_both() {
        let phone = left(&[], &[], TargetKind::Phone);
        assert!(phone.contains(&"tap") && !phone.contains(&"get_ui_tree"));
        assert_eq!(left(&[], &[], TargetKind::Desktop).len(), tools::all().len());
    }

    #[test]
    fn tools_are_chosen_and_left_out_by_name_and_by_toolset_on_every_kind() {
        for kind in [TargetKind::Phone, TargetKind::Desktop] {
            assert_eq!(left(&["tap", "swipe"], &["swipe"], kind), ["tap", "list_devices"]);
            let both = left(&["desktop", "tap"], &["set_value"], kind);
            assert!(both.contains(&"get_ui_tree") && both.contains(&"tap"));
            assert!(!both.contains(&"set_value") && !both.contains(&"swipe"));
        }
        assert_eq!(left(&[], &["device", "server"], TargetKind::Phone), [""; 0]);
    }

    #[test]
    fn an_empty_choice_offers_nothing() {
        for kind in [TargetKind::Phone, TargetKind::Desktop] {
            assert_eq!(chosen(Some(&[]), &[], kind), [""; 0]);
        }
    }
}
