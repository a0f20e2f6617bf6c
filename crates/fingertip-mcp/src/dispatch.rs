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
use crate::registry::Registry;
use crate::reply::{Reply, failure};
use crate::targets::Targets;
use crate::tool::{Entry, Toolset};
use crate::tools::server::list_devices;

/// How long the first calls, and the first list of tools, wait for the targets that are looked for at the start.
const SETTLED_WITHIN: Duration = Duration::from_secs(6);

/// Names the target of a call; listed only while there is more than one.
pub const DEVICE: OptionalText =
    Text::optional("device", "Which device to use, by its name from list_devices").not_empty();

/// Tools, targets and policy, together.
pub struct Dispatcher {
    registry: Registry,
    targets: Arc<Targets>,
    policy: Policy,
}

impl Dispatcher {
    /// Dispatches calls of all tools to these targets.
    #[must_use]
    pub fn new(targets: Arc<Targets>, policy: Policy) -> Self {
        Self { registry: Registry::default(), targets, policy }
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

    /// The tools a client may call now: allowed, and within what an attached target can ever do.
    #[must_use]
    pub fn tools(&self) -> Vec<WireTool> {
        let all = self.targets.all();
        let offered = self.registry.tools().filter(|tool| self.offers(&tool.entry, &all));
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
        let known = self.registry.find(name).map(|tool| tool.entry);
        let Some(entry) = known.filter(|entry| self.policy.offers(entry.definition)) else {
            return Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None));
        };
        let run = AssertUnwindSafe(self.run(entry, arguments)).catch_unwind();
        let outcome = tokio::select! {
            outcome = run => outcome,
            () = cancelled.cancelled() => {
                return Err(ErrorData::internal_error("The call was cancelled.", None));
            }
        };
        match outcome {
            Ok(Ok(reply)) => Ok(reply.into()),
            Ok(Err(error)) => Ok(failure(name, &error)),
            Err(_) => {
                tracing::error!(tool = name, "a tool panicked");
                Err(ErrorData::internal_error(
                    format!("Tool '{name}' failed because of a defect in the server."),
                    None,
                ))
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

fn busy() -> Error {
    Error::new(Reason::Timeout, "Timed out waiting for an earlier action on this device to end.")
        .with_guidance("Nothing was done; try again.")
}
