//! The one way every tool call takes, whatever transport it came by.
//!
//! Order matters: policy, then input (nothing has reached a target), then the target, then its turn, then
//! the run. One deadline covers everything from the turn on; a panic ends the call, not the server.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::{Deadline, Error, NodeId, Reason, Result};
use futures_util::FutureExt;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, JsonObject, Tool as WireTool};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::attached::Attached;
use crate::call::{Call, within};
use crate::params::{Arguments, OptionalText, Param, Text};
use crate::policy::Policy;
use crate::registry::{Interface, Registry};
use crate::reply::{Reply, failure};
use crate::targets::Targets;
use crate::tool::{Entry, Toolset};
use crate::tools::server::list_devices;

/// How long the first calls, and the first list of tools, wait for the targets that are looked for at the start.
const SETTLED_WITHIN: Duration = Duration::from_secs(6);

/// Names the target of a call; listed only while there is more than one.
pub const DEVICE: OptionalText =
    Text::optional("device", "Which device to use, by its name from list_devices").not_empty();

/// Why a call has no reply.
#[derive(Debug)]
pub enum Unanswered {
    /// No tool of this name exists for this client.
    UnknownTool,
    /// The tool could not do it; whoever called should read why.
    Failed(Error),
    /// The client took the call back.
    Cancelled,
    /// The tool ran into a defect of ours.
    Panicked,
}

/// Tools, targets and policy, together.
pub struct Dispatcher {
    registry: Registry,
    v1: Registry,
    targets: Arc<Targets>,
    policy: Policy,
}

impl Dispatcher {
    /// Dispatches calls of all tools to these targets.
    #[must_use]
    pub fn new(targets: Arc<Targets>, policy: Policy) -> Self {
        let (registry, v1) = (Registry::of(Interface::Current), Registry::of(Interface::V1));
        Self { registry, v1, targets, policy }
    }

    /// The targets calls go to.
    #[must_use]
    pub fn targets(&self) -> &Arc<Targets> {
        &self.targets
    }

    /// Waits, for a bounded time, until the targets looked for at the start are attached. Running into the limit
    /// is no error: whatever is attached by then is what there is.
    pub async fn settled(&self) {
        let _ = tokio::time::timeout(SETTLED_WITHIN, self.targets.settled()).await;
    }

    fn registry(&self, interface: Interface) -> &Registry {
        match interface {
            Interface::Current => &self.registry,
            Interface::V1 => &self.v1,
        }
    }

    /// The tools a client may call now: allowed, and within what an attached target can ever do.
    #[must_use]
    pub fn tools(&self) -> Vec<WireTool> {
        self.tools_of(Interface::Current)
    }

    /// As [`Self::tools`], for clients of this interface.
    #[must_use]
    pub fn tools_of(&self, interface: Interface) -> Vec<WireTool> {
        let all = self.targets.all();
        let offered = self.registry(interface).tools().filter(|tool| self.offers(&tool.entry, &all));
        offered.map(|tool| tool.wire(all.len() > 1).clone()).collect()
    }

    /// The tool of this name, if a client may call it now.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<WireTool> {
        let all = self.targets.all();
        let offered = self.registry.find(name).filter(|tool| self.offers(&tool.entry, &all));
        offered.map(|tool| tool.wire(all.len() > 1).clone())
    }

    fn offers(&self, entry: &Entry, all: &[Arc<Attached>]) -> bool {
        let definition = entry.definition;
        let possible = match definition.toolset {
            Toolset::Server => all.len() > 1,
            Toolset::Device => all.is_empty() || all.iter().any(|known| known.can(definition.needs)),
        };
        possible && self.policy.offers(definition)
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// Only what is wrong with the protocol, not with the tool: an unknown tool, or a defect of ours.
    /// Everything a model should read is an `isError` result.
    pub async fn call(
        &self,
        name: &str,
        arguments: &JsonObject,
        cancelled: CancellationToken,
    ) -> std::result::Result<CallToolResult, ErrorData> {
        match self.answer(Interface::Current, name, arguments, cancelled).await {
            Ok(reply) => Ok(reply.into()),
            Err(Unanswered::Failed(error)) => Ok(failure(name, &error)),
            Err(Unanswered::UnknownTool) => {
                Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None))
            }
            Err(Unanswered::Cancelled) => Err(ErrorData::internal_error("The call was cancelled.", None)),
            Err(Unanswered::Panicked) => Err(ErrorData::internal_error(defect(name), None)),
        }
    }

    /// Runs a tool for a client of this interface. Every call, of whatever interface, comes through here.
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn answer(
        &self,
        interface: Interface,
        name: &str,
        arguments: &JsonObject,
        cancelled: CancellationToken,
    ) -> std::result::Result<Reply, Unanswered> {
        let known = self.registry(interface).find(name).map(|tool| tool.entry);
        let Some(entry) = known.filter(|entry| self.policy.offers(entry.definition)) else {
            return Err(Unanswered::UnknownTool);
        };
        let run = AssertUnwindSafe(self.run(entry, arguments)).catch_unwind();
        let outcome = tokio::select! {
            outcome = run => outcome,
            () = cancelled.cancelled() => return Err(Unanswered::Cancelled),
        };
        match outcome {
            Ok(result) => result.map_err(Unanswered::Failed),
            Err(_) => {
                tracing::error!(tool = name, "a tool panicked");
                Err(Unanswered::Panicked)
            }
        }
    }

    async fn run(&self, entry: Entry, arguments: &JsonObject) -> Result<Reply> {
        let definition = entry.definition;
        if definition.toolset == Toolset::Server {
            Arguments::new(arguments, definition.params)?;
            self.settled().await;
            return Ok(list_devices::run(&self.targets));
        }
        let (device, own) = split_device(arguments)?;
        let prepared = entry.prepare(&own)?;
        self.settled().await;
        let element = arguments.get("element_id").and_then(Value::as_str);
        let element = element.and_then(|text| text.parse::<NodeId>().ok());
        let attached = self.targets.choose(definition, device.as_deref(), element)?;

        let deadline = Deadline::after(prepared.time_limit);
        let call = Arc::new(Call::new(Arc::clone(&attached), deadline));
        let _turn = if definition.is_read() {
            None
        } else {
            let turn = tokio::time::timeout_at(deadline.instant().into(), attached.turn()).await;
            Some(turn.map_err(|_| busy())?)
        };
        within(deadline, &format!("in '{}'", definition.name), prepared.run(call)).await
    }
}

/// Takes `device` out of the arguments: it is ours, not the tool's. They are copied only when it is there.
fn split_device(arguments: &JsonObject) -> Result<(Option<String>, Cow<'_, JsonObject>)> {
    if !arguments.contains_key(DEVICE.name()) {
        return Ok((None, Cow::Borrowed(arguments)));
    }
    let mut own = arguments.clone();
    let mut alone = JsonObject::new();
    alone.extend(own.remove_entry(DEVICE.name()));
    let device = DEVICE.read(Arguments::new(&alone, &[&DEVICE])?)?;
    Ok((device, Cow::Owned(own)))
}

/// What is said of a tool that panicked.
pub(crate) fn defect(name: &str) -> String {
    format!("Tool '{name}' failed because of a defect in the server.")
}

fn busy() -> Error {
    Error::new(Reason::Timeout, "Timed out waiting for an earlier action on this device to end.")
        .with_guidance("Nothing was done; try again.")
}
