//! The one way every tool call takes, whatever transport it came by.
//!
//! Order matters: policy, then input (nothing has reached a target), then the target, then the user's consent where
//! it is asked for, then the target's turn and pace, then the run. One deadline covers everything from the turn on; a panic ends the call, not the server.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Capabilities, TargetKind};
use fingertip_core::{Deadline, Error, Reason, Result};
use futures_util::FutureExt;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, JsonObject, Tool as WireTool};

use crate::apps;
use crate::attached::Attached;
use crate::call::{Call, within};
use crate::params::{AppName, Arguments, OptionalAppName, OptionalText, Param, Text, WantedApp};
use crate::policy::audit::{Entry as Log, Outcome, Record, Trail};
use crate::policy::confirm::{Answer, Place, Question};
use crate::policy::guard::changed_since_asked;
use crate::policy::pace::Meeting;
use crate::policy::place::{self, Named, Wanted};
use crate::policy::{Caller, Guard, Policy};
use crate::registry::{Interface, Registry};
use crate::reply::{Reply, failure};
use crate::surroundings::Surroundings;
use crate::targets::Targets;
use crate::timeouts::Timeouts;
use crate::tool::{Definition, Entry, Toolset};
use crate::tools::server::list_devices;

/// How long the first calls, and the first list of tools, wait for the targets that are looked for at the start.
const SETTLED_WITHIN: Duration = Duration::from_secs(6);

/// How much of the application a call named an error repeats.
const MAX_APP_CHARACTERS: usize = 100;

/// Names the target of a call; listed only while there is more than one.
pub const DEVICE: OptionalText =
    Text::optional("device", "Which device to use, by its name from list_devices").not_empty();

/// Names the application a device tool looks at; listed only while a desktop is attached.
pub const APP: OptionalAppName = AppName::optional(
    "Which application to look at: name, PID, or bundle or package id; the one with the input focus by default",
);
/// Why a call has no reply.
#[derive(Debug)]
pub enum Unanswered {
    /// No tool of this name exists for this client.
    UnknownTool,
    /// The tool could not do it; whoever called should read why.
    Failed(Error),
    /// The user is asked first; the client has the question and calls again.
    Asked,
    /// The client took the call back.
    Cancelled,
    /// The tool ran into a defect of ours.
    Panicked,
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Unanswered {
    fn outcome(&self) -> Outcome {
        match self {
            Self::UnknownTool => Outcome::Failed(Reason::Refused.name().to_owned()),
            Self::Failed(error) => Outcome::Failed(error.reason().name().to_owned()),
            Self::Asked => Outcome::Asked,
            Self::Cancelled => Outcome::Cancelled,
            Self::Panicked => Outcome::Panicked,
        }
    }
}

/// Tools, targets and policy, together.
pub struct Dispatcher {
    registry: Registry,
    v1: Registry,
    targets: Arc<Targets>,
    policy: Policy,
    timeouts: Timeouts,
}

impl Dispatcher {
    /// Dispatches calls of all tools to these targets.
    #[must_use]
    pub fn new(targets: Arc<Targets>, policy: Policy) -> Self {
        let timeouts = Timeouts::default();
        let registry = |interface| Registry::new(interface, &timeouts);
        Self {
            registry: registry(Interface::Current),
            v1: registry(Interface::V1),
            targets,
            policy,
            timeouts,
        }
    }

    /// With these limits for the reading desktop tools.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.registry = Registry::new(Interface::Current, &timeouts);
        self.v1 = Registry::new(Interface::V1, &timeouts);
        self.timeouts = timeouts;
        self
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
        offered.map(|tool| tool.wire(surroundings(&all)).clone()).collect()
    }

    /// The tool of this name, if a client may call it now.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<WireTool> {
        let all = self.targets.all();
        let offered = self.registry.find(name).filter(|tool| self.offers(&tool.entry, &all));
        offered.map(|tool| tool.wire(surroundings(&all)).clone())
    }

    fn offers(&self, entry: &Entry, all: &[Arc<Attached>]) -> bool {
        let definition = entry.definition;
        let possible = match definition.toolset {
            Toolset::Server => all.len() > 1,
            // A phone may come, which has no pointer.
            _ if all.is_empty() => !definition.needs.contains(Capabilities::POINTER),
            _ => all.iter().any(|known| known.can(definition.needs)),
        };
        possible && self.exists(definition, all)
    }

    /// Whether clients may know of this tool: allowed on a target that is attached.
    fn exists(&self, definition: &Definition, all: &[Arc<Attached>]) -> bool {
        let allows = |kind| self.policy.offers(definition, kind);
        match all {
            [] => allows(TargetKind::Phone),
            all => all.iter().any(|known| allows(known.target().info().kind)),
        }
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
        caller: impl Into<Caller>,
    ) -> std::result::Result<CallToolResult, ErrorData> {
        match self.answer(Interface::Current, name, arguments, caller).await {
            Ok(reply) => Ok(reply.into()),
            Err(Unanswered::Failed(error)) => Ok(failure(name, &about(error, arguments))),
            Err(Unanswered::Asked) => {
                Err(ErrorData::internal_error("The question was not handed over.", None))
            }
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
        caller: impl Into<Caller>,
    ) -> std::result::Result<Reply, Unanswered> {
        let caller = caller.into();
        let known = self.registry(interface).find(name).map(|tool| tool.entry);
        let entry = known.ok_or(Unanswered::UnknownTool)?;
        let trail = Arc::new(Trail::default());
        let log = self.policy.log(entry.definition, arguments, &caller, &trail);
        // Which tools there are depends on what is attached.
        tokio::select! {
            biased;
            () = caller.cancelled.cancelled() => return Err(Unanswered::Cancelled),
            () = self.settled() => {}
        }
        let answer = if self.exists(entry.definition, &self.targets.all()) {
            self.guarded_run(entry, arguments, &caller, &trail, log.as_ref().and_then(Log::record)).await
        } else {
            trail.refused_by("not offered");
            Err(Unanswered::UnknownTool)
        };
        if let Some(log) = log {
            log.end(answer.as_ref().map_or_else(Unanswered::outcome, |_| Outcome::Ok)).await;
        }
        answer
    }

    /// Runs a tool so that neither a panic nor a client that leaves takes anything else with it.
    async fn guarded_run(
        &self,
        entry: Entry,
        arguments: &JsonObject,
        caller: &Caller,
        trail: &Arc<Trail>,
        record: Option<Arc<Record>>,
    ) -> std::result::Result<Reply, Unanswered> {
        let run = AssertUnwindSafe(self.run(entry, arguments, caller, trail, record)).catch_unwind();
        // In this order: what was taken back does nothing more.
        tokio::select! {
            biased;
            () = caller.cancelled.cancelled() => Err(Unanswered::Cancelled),
            outcome = run => outcome.unwrap_or_else(|_| {
                tracing::error!(tool = entry.definition.name, "a tool panicked");
                Err(Unanswered::Panicked)
            }),
        }
    }

    async fn run(
        &self,
        entry: Entry,
        arguments: &JsonObject,
        caller: &Caller,
        trail: &Arc<Trail>,
        record: Option<Arc<Record>>,
    ) -> std::result::Result<Reply, Unanswered> {
        let definition = entry.definition;
        if definition.toolset == Toolset::Server {
            Arguments::new(arguments, definition.params)?;
            return Ok(list_devices::run(&self.targets));
        }
        let takes_app = definition.takes_app() && surroundings(&self.targets.all()).desktop;
        let Own { device, app, arguments: own } = Own::of(arguments, takes_app)?;
        let prepared = entry.prepare(&own)?;
        let wanted = Wanted::of(arguments, app).for_tool(definition, arguments, self.policy.allow_commands);
        let id = wanted.element.as_ref().and_then(Named::id);
        let attached = self.targets.choose(definition, &self.policy.selection, device.as_deref(), id)?;
        trail.goes_to(&attached.target().info().name);
        let mut asked = None;
        if self.policy.confirm.asks(definition) {
            let mut place = place::find(&attached, &wanted).await;
            if definition.is_read() {
                // What is looked at need not keep still.
                place.bound = Default::default();
            }
            let question = Question::about(definition, arguments, caller.client.as_deref(), &place);
            consent(caller.asker.ask(&question).await, definition.name, trail)?;
            asked = Some(place);
        }

        let limit = self.timeouts.limit(definition.name, attached.target().info().kind);
        let claim = caller.claim(!definition.is_read());
        let deadline = Deadline::after(limit.unwrap_or(prepared.time_limit)).on_behalf(claim);
        let agreed = asked.as_ref().map(|place| place.agreed.clone());
        let guard = Guard::new(Arc::clone(&self.policy.blocklist), Arc::clone(trail))
            .agreed(agreed)
            .allowing_commands(self.policy.allow_commands);
        let mut call = Call::new(Arc::clone(&attached), guard, record, deadline);
        if let Some(app) = &wanted.app {
            let scope = within(deadline, "finding the application", apps::scope(&call, app)).await?;
            call = call.within_scope(scope);
        }
        let call = Arc::new(call);
        let what = format!("in '{}'", definition.name);
        if definition.is_read() {
            return Ok(within(deadline, &what, prepared.run(call)).await?);
        }
        let turn = tokio::time::timeout_at(deadline.instant().into(), attached.turn(claim)).await;
        let _turn = turn.map_err(|_| busy())?;
        let limit = self.policy.writes_per_second;
        let name = attached.target().machine_name();
        let meeting = self.policy.meeting.as_deref().zip(name.as_deref());
        let meeting = meeting.map(|(folder, target)| Meeting { folder, target });
        let paid = attached.pace().keep(limit, &prepared.charge, deadline, meeting).await?;
        if let Some(asked) = &asked {
            within(deadline, &what, still_there(asked, &attached, &wanted, trail)).await?;
        }
        Ok(within(deadline, &what, prepared.run(call)).await?.delayed(paid.delay(), limit.get()))
    }
}

/// Goes on only with the user's yes.
fn consent(answer: Answer, tool: &str, trail: &Trail) -> std::result::Result<(), Unanswered> {
    match answer {
        Answer::Yes => Ok(()),
        Answer::Later => Err(Unanswered::Asked),
        Answer::No(why) => {
            trail.refused_by("confirm");
            Err(why.refusal(tool).into())
        }
    }
}

/// Sees that the call would act where the user was asked about it. Each of its writes is held to who would receive it then.
async fn still_there(asked: &Place, attached: &Attached, wanted: &Wanted, trail: &Trail) -> Result<()> {
    let now = place::find(attached, wanted).await;
    if now.bound == asked.bound {
        return Ok(());
    }
    trail.refused_by("confirm");
    let other = now.reached.into_iter().next().or(now.app);
    Err(changed_since_asked(other.as_deref()))
}

/// The arguments of a call, those apart that are ours and not the tool's.
struct Own<'a> {
    device: Option<String>,
    app: Option<WantedApp>,
    arguments: Cow<'a, JsonObject>,
}

impl<'a> Own<'a> {
    /// The arguments are copied only when one of ours is there.
    fn of(arguments: &'a JsonObject, takes_app: bool) -> Result<Self> {
        let mut own = Cow::Borrowed(arguments);
        let mut ours = JsonObject::new();
        for (param, taken) in [(&DEVICE as &dyn Param, true), (&APP, takes_app)] {
            if taken && arguments.contains_key(param.name()) {
                ours.extend(own.to_mut().remove_entry(param.name()));
            }
        }
        let ours = Arguments::new(&ours, &[&DEVICE, &APP])?;
        Ok(Self { device: DEVICE.read(ours)?, app: APP.read(ours)?, arguments: own })
    }
}

fn surroundings(all: &[Arc<Attached>]) -> Surroundings {
    let any = |kind| all.iter().any(|known| known.target().info().kind == kind);
    Surroundings {
        several: all.len() > 1,
        phone: all.is_empty() || any(TargetKind::Phone),
        desktop: any(TargetKind::Desktop),
    }
}

/// The error with the application the call named, unless it tells of one itself.
fn about(error: Error, arguments: &JsonObject) -> Error {
    match arguments.get(APP.name()) {
        Some(app) if error.app().is_none() => {
            let app = app.as_str().map_or_else(|| app.to_string(), str::to_owned);
            error.with_app(app.chars().take(MAX_APP_CHARACTERS).collect::<String>())
        }
        _ => error,
    }
}

/// What is said of a tool that panicked.
pub(crate) fn defect(name: &str) -> String {
    format!("Tool '{name}' failed because of a defect in the server.")
}

fn busy() -> Error {
    Error::new(Reason::Timeout, "Timed out waiting for an earlier action on this device to end.")
        .with_guidance("Nothing was done; try again.")
}
