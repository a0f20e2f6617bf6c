//! All tools by name, with their wire forms made once: a schema is built of many small pieces, and clients ask
//! for it with every list.

use std::collections::BTreeMap;

use rmcp::model::Tool as WireTool;

use crate::dispatch::DEVICE;
use crate::tool::Entry;
use crate::tools;

/// A tool, and how MCP lists it.
pub struct Registered {
    /// The tool.
    pub entry: Entry,
    alone: WireTool,
    among_several: WireTool,
}

impl Registered {
    /// The wire form while one target is attached, or several.
    #[must_use]
    pub fn wire(&self, several: bool) -> &WireTool {
        if several { &self.among_several } else { &self.alone }
    }
}

impl From<Entry> for Registered {
    fn from(entry: Entry) -> Self {
        let alone = entry.definition.to_wire(&[]);
        let among_several = if entry.definition.takes_device() {
            entry.definition.to_wire(&[&DEVICE])
        } else {
            alone.clone()
        };
        Self { entry, alone, among_several }
    }
}

/// Which tools a client is offered, by where it came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interface {
    /// MCP, over any transport.
    Current,
    /// The first interface, under `/mcp/v1`.
    V1,
}

/// All tools of an interface, by name.
pub struct Registry {
    ordered: Vec<Registered>,
    by_name: BTreeMap<&'static str, usize>,
}

impl From<Vec<Entry>> for Registry {
    fn from(entries: Vec<Entry>) -> Self {
        let ordered: Vec<Registered> = entries.into_iter().map(Registered::from).collect();
        let named = ordered.iter().enumerate();
        let by_name = named.map(|(position, tool)| (tool.entry.definition.name, position)).collect();
        Self { ordered, by_name }
    }
}

impl Registry {
    /// The tools of this interface.
    #[must_use]
    pub fn of(interface: Interface) -> Self {
        Self::from(match interface {
            Interface::Current => tools::all(),
            Interface::V1 => tools::v1::all(),
        })
    }

    /// All tools, in the order of the reference.
    pub fn tools(&self) -> impl Iterator<Item = &Registered> {
        self.ordered.iter()
    }

    /// The tool of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Registered> {
        self.by_name.get(name).map(|position| &self.ordered[*position])
    }
}
