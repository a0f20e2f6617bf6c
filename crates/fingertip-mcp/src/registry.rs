//! All tools by name, with their wire forms made once, when they are first listed: a schema is built of many small
//! pieces, and clients ask for it with every list.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rmcp::model::Tool as WireTool;

use crate::dispatch::DEVICE;
use crate::params::Param;
use crate::see::SEE;
use crate::surroundings::Surroundings;
use crate::timeouts::Timeouts;
use crate::tool::Entry;
use crate::tools;

/// A tool, and how MCP lists it.
pub(crate) struct Registered {
    /// The tool.
    pub entry: Entry,
    interface: Interface,
    /// What its description says of its limit of time.
    limit: Option<String>,
    /// By what is attached, see [`Surroundings`].
    wires: [OnceLock<WireTool>; Surroundings::ALL],
}

impl Registered {
    fn new(interface: Interface, entry: Entry, timeouts: &Timeouts) -> Self {
        let limit = timeouts.sentence(entry.definition);
        Self { entry, interface, limit, wires: Default::default() }
    }

    /// The wire form in these surroundings.
    #[must_use]
    pub(crate) fn wire(&self, surroundings: Surroundings) -> &WireTool {
        self.wires[surroundings.position()].get_or_init(|| self.to_wire(surroundings))
    }

    fn to_wire(&self, surroundings: Surroundings) -> WireTool {
        let definition = self.entry.definition;
        let takes_device = surroundings.several && self.entry.takes_device();
        let takes_see = self.interface == Interface::Current && !definition.is_read();
        let common: [(&dyn Param, bool); 2] = [(&SEE, takes_see), (&DEVICE, takes_device)];
        let common = common.into_iter().filter_map(|(param, taken)| taken.then_some(param));
        let mut tool = definition.to_wire(common, surroundings);
        if let Some(limit) = &self.limit {
            tool.description = Some(format!("{} {limit}", definition.description).into());
        }
        tool
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
pub(crate) struct Registry {
    ordered: Vec<Registered>,
    by_name: BTreeMap<&'static str, usize>,
}

impl Registry {
    /// The tools of this interface, with these limits in their descriptions.
    #[must_use]
    pub(crate) fn new(interface: Interface, timeouts: &Timeouts) -> Self {
        let entries = match interface {
            Interface::Current => tools::all(),
            Interface::V1 => tools::v1::all(),
        };
        let ordered: Vec<Registered> =
            entries.into_iter().map(|entry| Registered::new(interface, entry, timeouts)).collect();
        let named = ordered.iter().enumerate();
        let by_name = named.map(|(position, tool)| (tool.entry.definition.name, position)).collect();
        Self { ordered, by_name }
    }

    /// All tools, in the order of the reference.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &Registered> {
        self.ordered.iter()
    }

    /// The tool of this name.
    #[must_use]
    pub(crate) fn find(&self, name: &str) -> Option<&Registered> {
        self.by_name.get(name).map(|position| &self.ordered[*position])
    }
}
