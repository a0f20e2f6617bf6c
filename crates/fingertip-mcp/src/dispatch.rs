//! The one way every tool call takes, whatever transport it came by.
//!
//! Order matters: policy, then input (nothing has reached a target), then the target, then the elements that selectors mean
//! (`selectors`), then the user's consent where
//! it is asked for (`admission`), then the target's turn and the rate limit, then the run. One deadline covers everything from the
//! turn on; a panic ends the call, not the server.

mod admission;
mod selectors;
mod steps;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Capabilities, TargetKind};
use fingertip_core::{Error, Reason, visible};
use futures_util::FutureExt;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, JsonObject, Tool as WireTool};

use crate::attached::Attached;
use crate::page::{Mode, Oversight, Watched};
use crate::params::{APP, Arguments, shorten};
use crate::policy::audit::{AuditContext, Entry as Log, Outcome};
use crate::policy::{Caller, Policy};
use crate::registry::Registry;
use crate::reply::{Reply, failure};
use crate::secrets::{Said, Secrets};
use crate::surroundings::Surroundings;
use crate::targets::Targets;
use crate::timeouts::Timeouts;
use crate::tool::{Definition, Entry, Run};
use crate::view::View;

use admission::Request;
use steps::StepsRun;

pub(crate) use admission::DEVICE;

pub use crate::registry::Interface;
pub use crate::tool::TIME_LIMIT;

/// How long the first calls, and the first list of tools, wait for the targets that are looked for at the start.
const SETTLED_WITHIN: Duration = Duration::from_secs(6);

/// How much of the application a call named an error repeats.
const MAX_APP_CHARACTERS: usize = 100;

/// Why a call has no reply.
#[derive(Debug)]
pub enum CallError {
    /// No tool of this name exists for this client.
    UnknownTool,
    /// The tool could not do it; the caller should read why.
    Failed(Error),
    /// The user is asked first; the client has the question and calls again.
    Asked,
    /// The client took the call back.
    Cancelled,
    /// The tool ran into a defect of ours.
    Panicked,
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl CallError {
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
    view: View,
    secrets: Secrets,
    oversight: Option<Arc<Oversight>>,
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
            view: View::default(),
            secrets: Secrets::default(),
            oversight: None,
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

    /// With what the owner chose for calls that leave it open.
    #[must_use]
    pub fn with_view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// With the texts that calls can name instead of writing them.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// With a page on which a person watches calls and steers them.
    #[must_use]
    pub fn with_oversight(mut self, oversight: Arc<Oversight>) -> Self {
        self.oversight = Some(oversight);
        self
    }

    /// What the owner allows.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The texts that calls can name instead of writing them.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
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
        offered.map(|tool| tool.wire(self.surroundings(&all)).clone()).collect()
    }

    /// The tool of this name, if a client may call it now.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<WireTool> {
        let all = self.targets.all();
        let offered = self.registry.find(name).filter(|tool| self.offers(&tool.entry, &all));
        offered.map(|tool| tool.wire(self.surroundings(&all)).clone())
    }

    fn surroundings(&self, all: &[Arc<Attached>]) -> Surroundings {
        let any = |kind| all.iter().any(|known| known.kind() == kind);
        Surroundings {
            several: all.len() > 1,
            phone: all.is_empty() || any(TargetKind::Phone),
            desktop: any(TargetKind::Desktop),
            secrets: !self.secrets.is_empty(),
        }
    }

    fn offers(&self, entry: &Entry, all: &[Arc<Attached>]) -> bool {
        let definition = entry.definition;
        let possible = match entry.run {
            Run::InServer(_) => all.len() > 1,
            // A phone may come, which has no pointer.
            Run::OnTarget(_) | Run::Steps if all.is_empty() => {
                !definition.needs.contains(Capabilities::POINTER)
            }
            Run::OnTarget(_) | Run::Steps => all.iter().any(|known| known.can(definition.needs)),
        };
        possible && self.exists(definition, all)
    }

    /// Whether clients may know of this tool: allowed on a target that is attached.
    fn exists(&self, definition: &Definition, all: &[Arc<Attached>]) -> bool {
        let allows = |kind| self.policy.offers(definition, kind);
        match all {
            [] => allows(TargetKind::Phone),
            all => all.iter().any(|known| allows(known.kind())),
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
            Err(CallError::Failed(error)) => Ok(failure(name, &about(error, arguments))),
            Err(CallError::Asked) => {
                Err(ErrorData::internal_error("The question was not handed over.", None))
            }
            Err(CallError::UnknownTool) => Err(ErrorData::invalid_params(
                format!("Unknown tool: {}", shorten(&visible::escape(name))),
                None,
            )),
            Err(CallError::Cancelled) => Err(ErrorData::internal_error("The call was cancelled.", None)),
            Err(CallError::Panicked) => Err(ErrorData::internal_error(defect(name), None)),
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
    ) -> std::result::Result<Reply, CallError> {
        let caller = match &self.oversight {
            Some(oversight) => oversight.askable(caller.into()),
            None => caller.into(),
        };
        let answer = self.answer_in_full(interface, name, arguments, caller).await;
        if self.secrets.is_empty() {
            return answer;
        }
        let said = Said::of(arguments);
        let redact = |text| self.secrets.redact(text, &said);
        match answer {
            Ok(reply) => Ok(reply.map_texts(&redact)),
            Err(CallError::Failed(error)) => Err(CallError::Failed(error.map_texts(redact))),
            Err(other) => Err(other),
        }
    }

    async fn answer_in_full(
        &self,
        interface: Interface,
        name: &str,
        arguments: &JsonObject,
        caller: Caller,
    ) -> std::result::Result<Reply, CallError> {
        let known = self.registry(interface).find(name).map(|tool| tool.entry);
        let entry = known.ok_or(CallError::UnknownTool)?;
        if let Run::Steps = entry.run {
            self.settled_for(&caller).await?;
            // Each step is a call of its own, with lines of its own in the audit log.
            if self.exists(entry.definition, &self.targets.all()) {
                let oversight = self.oversight.as_ref();
                let watched =
                    oversight.map(|oversight| oversight.begin(entry.definition, arguments, &caller, None));
                let row = watched.as_ref().and_then(Watched::number);
                let run = Box::pin(self.run_steps(arguments, &caller, row));
                let answer = unbroken(&caller, entry.definition.name, run).await;
                self.watched(watched, &AuditContext::default(), &answer);
                return answer;
            }
        }
        self.logged(interface, entry, arguments, &caller, None).await
    }

    /// Which tools there are depends on what is attached.
    async fn settled_for(&self, caller: &Caller) -> std::result::Result<(), CallError> {
        if self.targets.is_settled() {
            return Ok(());
        }
        tokio::select! {
            biased;
            () = caller.cancelled.cancelled() => Err(CallError::Cancelled),
            () = self.settled() => Ok(()),
        }
    }

    /// Runs one call, or one step of a run, and writes down what acts.
    async fn logged(
        &self,
        interface: Interface,
        entry: Entry,
        arguments: &JsonObject,
        caller: &Caller,
        run: Option<&StepsRun>,
    ) -> std::result::Result<Reply, CallError> {
        let context = Arc::new(AuditContext::default());
        let log = self.policy.log(entry.definition, arguments, caller, &context);
        let oversight = self.oversight.as_ref();
        let watched = oversight.map(|oversight| {
            oversight.begin(entry.definition, arguments, caller, run.and_then(|run| run.row))
        });
        self.settled_for(caller).await?;
        let answer = if self.exists(entry.definition, &self.targets.all()) {
            let record = log.as_ref().and_then(Log::record);
            let request = Request { interface, entry, arguments, caller, context: &context, record, run };
            let held = async {
                self.held(&request).await?;
                self.run(&request).await
            };
            tokio::select! {
                biased;
                error = self.stopped(&request) => Err(error),
                answer = unbroken(caller, entry.definition.name, held) => answer,
            }
        } else {
            context.refused_by("not offered");
            Err(CallError::UnknownTool)
        };
        if let Some(log) = log {
            log.end(answer.as_ref().map_or_else(CallError::outcome, |_| Outcome::Ok)).await;
        }
        self.watched(watched, &context, &answer);
        answer
    }

    /// Waits where a person holds agents back.
    async fn held(&self, request: &Request<'_>) -> std::result::Result<(), CallError> {
        let Some(oversight) = self.oversight.as_ref().filter(|_| !request.entry.definition.is_read()) else {
            return Ok(());
        };
        oversight.steering.hold(request.caller).await.map_err(|(mode, error)| {
            request.context.refused_by(mode.name());
            error.into()
        })
    }

    /// Returns when a person stops this call.
    async fn stopped(&self, request: &Request<'_>) -> CallError {
        match self.oversight.as_ref().filter(|_| !request.entry.definition.is_read()) {
            Some(oversight) => {
                let error = oversight.steering.stopped().await;
                request.context.refused_by(Mode::Stopped.name());
                error.into()
            }
            None => std::future::pending().await,
        }
    }

    fn watched(
        &self,
        watched: Option<Watched<'_>>,
        context: &AuditContext,
        answer: &std::result::Result<Reply, CallError>,
    ) {
        let Some(watched) = watched else { return };
        let outcome = match answer {
            Ok(reply) if reply.failed => Outcome::Failed("stopped".to_owned()),
            Ok(_) => Outcome::Ok,
            Err(error) => error.outcome(),
        };
        let result = answer.as_ref().map_err(|error| match error {
            CallError::Failed(error) => Some(error),
            _ => None,
        });
        watched.end(context, &outcome, result, &self.secrets);
    }

    async fn run(&self, request: &Request<'_>) -> std::result::Result<Reply, CallError> {
        match request.entry.run {
            Run::InServer(run) => {
                let params = request.entry.definition.params;
                Ok(run(Arguments::new(request.arguments, params)?, &self.targets)?)
            }
            Run::OnTarget(prepare) => {
                let admitted = self.admit(prepare, request).await?;
                Ok(admitted.execute(self).await?)
            }
            Run::Steps => Err(Error::invalid("Steps cannot hold steps.").into()),
        }
    }
}

/// Runs a tool so that neither a panic nor a client that leaves takes anything else with it.
async fn unbroken(
    caller: &Caller,
    tool: &str,
    run: impl Future<Output = std::result::Result<Reply, CallError>>,
) -> std::result::Result<Reply, CallError> {
    // In this order: what was taken back does nothing more.
    tokio::select! {
        biased;
        () = caller.cancelled.cancelled() => Err(CallError::Cancelled),
        outcome = AssertUnwindSafe(run).catch_unwind() => outcome.unwrap_or_else(|_| {
            tracing::error!(tool, "a tool panicked");
            Err(CallError::Panicked)
        }),
    }
}

/// The error with the application the call named, unless it names one itself.
fn about(error: Error, arguments: &JsonObject) -> Error {
    match arguments.get(APP) {
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
