//! Whether a call may run, and what it then works with.
//!
//! Admission ends with a call that only waits for its turn: its input was checked, its target chosen, its user asked. What is
//! admitted is executed once it has the turn of its target and the rate limit has room for it.
//!
//! What few calls need is boxed, so that the others do not carry the room for it along.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::fair::{Claim, Pass};
use fingertip_core::target::LaunchRequest;
use fingertip_core::{Deadline, Error, Reason, Result};
use rmcp::model::JsonObject;

use super::selectors::{self, Resolved, Selectors};
use super::steps::StepsRun;
use super::{CallError, Dispatcher};
use crate::apps;
use crate::attached::Attached;
use crate::call::{Call, within};
use crate::page::Did;
use crate::params::{Arguments, ElementRef, OptionalText, Param, Text};
use crate::policy::audit::{AuditContext, Record};
use crate::policy::confirm::{Answer, Place, Question};
use crate::policy::guard::changed_since_asked;
use crate::policy::place::{self, Intent};
use crate::policy::rate_limit::SharedLimit;
use crate::policy::{Caller, Guard};
use crate::registry::Interface;
use crate::reply::Reply;
use crate::secrets::{Said, Secrets};
use crate::see::{self, Before, SEE};
use crate::tool::{Definition, Entry, Prepare, Prepared, Subject};
use crate::tools::device::run_steps;
use crate::view::See;

/// Names the target of a call; listed only while there is more than one.
pub(crate) const DEVICE: OptionalText =
    Text::optional("device", "Which device to use, by its name from list_devices").not_empty();

/// A call as it came.
pub(super) struct Request<'a> {
    pub(super) interface: Interface,
    pub(super) entry: Entry,
    pub(super) arguments: &'a JsonObject,
    pub(super) caller: &'a Caller,
    pub(super) context: &'a Arc<AuditContext>,
    /// What is written down before the target is acted on.
    pub(super) record: Option<Arc<Record>>,
    /// The run it is a step of.
    pub(super) run: Option<&'a StepsRun>,
}

/// A call that may run.
pub(super) struct Admitted<'a> {
    definition: &'static Definition,
    attached: Arc<Attached>,
    prepared: Prepared,
    call: Call,
    claim: Claim,
    intent: Intent,
    /// What the user was asked about and agreed to.
    agreed: Option<Place>,
    see: See,
    context: &'a AuditContext,
    arguments: &'a JsonObject,
    caller: &'a Caller,
    /// Whether the run it is a step of holds its target's turn.
    in_turn: bool,
}

impl Dispatcher {
    /// Checks the input, chooses the target, asks the user where that is wanted.
    pub(super) async fn admit<'a>(
        &self,
        prepare: Prepare,
        request: &'a Request<'_>,
    ) -> std::result::Result<Admitted<'a>, CallError> {
        let Request { interface, entry, arguments, caller, context, record, run } = request;
        let definition = entry.definition;
        let takes_see = *interface == Interface::Current && !definition.is_read();
        let Common { device, see, own } = Common::of(arguments, takes_see)?;
        let see = match run {
            _ if !takes_see => See::None,
            Some(run) => run.see,
            None => see.unwrap_or(self.view.see),
        };
        let params = definition.params_in(self.surroundings(&self.targets.all()));
        let own = self.secrets.resolve(own, &params)?;
        let selectors = Selectors::of(&params, &own)?;
        let (mut prepared, mut intent) =
            self.prepared(prepare, definition, &selectors.checkable(&own), &params)?;
        let id = intent.element.as_ref().and_then(ElementRef::id);
        let device = run.map(|run| run.attached.info().name).or(device);
        let attached = self.targets.choose(definition, &self.policy.selection, device.as_deref(), id)?;
        if run.is_some_and(|run| !Arc::ptr_eq(&run.attached, &attached)) {
            return Err(replaced(&attached.info().name).into());
        }
        context.goes_to(&attached.info().name);

        let claim = caller.claim(!definition.is_read());
        let seeing = if see == See::None { Duration::ZERO } else { see::time(self.view.waits) };
        let limit = self.timeouts.limit(definition, attached.kind()).unwrap_or(prepared.time_limit) + seeing;
        let ends = || match run {
            Some(run) => run.deadline.slice(limit),
            None => Deadline::after(limit),
        };
        let mut deadline = ends().on_behalf(claim);
        let mut unresolved = None;
        let mut resolved = Vec::new();
        if !selectors.is_empty() {
            match Box::pin(selectors.resolve(&attached, deadline)).await {
                Ok(all) => {
                    for Resolved { parameter, selector, id } in &all {
                        context.selects(parameter, selector, Some(*id));
                        resolved.push((*parameter, id.to_string()));
                    }
                    (prepared, intent) =
                        self.prepared(prepare, definition, &selectors::with_ids(&own, &all), &params)?;
                }
                Err(error) => {
                    for (parameter, selector) in selectors.written() {
                        context.selects(parameter, &selector, None);
                        resolved.push((parameter, "no single element".to_owned()));
                    }
                    unresolved = Some(error);
                }
            }
        }
        let mut agreed = None;
        if self.asks(definition, run.is_some()) {
            let mut place = match &unresolved {
                None => Box::pin(place::find(&attached, &intent, &self.secrets)).await,
                // What a selector does not match says something of the screen, too: the user is asked first.
                Some(_) => Place { target: attached.info().name, secret: true, ..Place::default() },
            };
            if definition.is_read() {
                // What is looked at need not keep still.
                place.bound = Default::default();
            }
            place.resolved = resolved;
            let mut question = Question::about(definition, arguments, caller.client.as_deref(), &place);
            question.sentence = self.secrets.redact(question.sentence, &Said::default());
            consent(caller.asker.ask(&question).await, definition.name, context)?;
            agreed = Some(place);
            deadline = ends().on_behalf(claim);
        }
        if let Some(error) = unresolved {
            return Err(error.into());
        }

        let guard = Guard::new(Arc::clone(&self.policy.blocklist), Arc::clone(context))
            .agreed(agreed.as_ref().map(|place| place.agreed.clone()))
            .allowing_commands(self.policy.allow_commands);
        let mut call = Call::new(Arc::clone(&attached), guard, record.clone(), deadline).in_view(self.view);
        if let Some(app) = &intent.scope {
            let found = Box::pin(apps::scope(&call, app));
            let scope = within(deadline, "finding the application", found).await?;
            call = call.within_scope(scope);
        }
        let in_turn = run.is_some();
        Ok(Admitted {
            definition,
            attached,
            prepared,
            call,
            claim,
            intent,
            agreed,
            see,
            context,
            arguments,
            caller,
            in_turn,
        })
    }

    /// Whether the user is asked before this tool runs. A user who is asked before many steps is asked before each of them
    /// that acts: only then is it known where it would act.
    pub(super) fn asks(&self, definition: &Definition, in_run: bool) -> bool {
        let confirm = &self.policy.confirm;
        confirm.asks(definition) || (in_run && !definition.is_read() && confirm.asks(run_steps::DEFINITION))
    }

    /// Checks the input, and says what a call with it is for.
    pub(super) fn prepared(
        &self,
        prepare: Prepare,
        definition: &Definition,
        arguments: &JsonObject,
        params: &[&'static dyn Param],
    ) -> Result<(Prepared, Intent)> {
        let mut prepared = prepare(Arguments::new(arguments, params)?)?;
        let mut subject = prepared.subject.take();
        if let Some(Subject::Launch(LaunchRequest { unvetted, .. })) = &mut subject {
            *unvetted = self.policy.allow_commands;
        }
        let intent = Intent::of(definition, arguments, subject)?;
        Ok((prepared, intent))
    }
}

impl Admitted<'_> {
    /// Runs it; what acts waits for its turn and for the rate limit.
    pub(super) async fn execute(self, dispatcher: &Dispatcher) -> Result<Reply> {
        let Dispatcher { policy, oversight, .. } = dispatcher;
        let deadline = self.call.deadline();
        let what = format!("in '{}'", self.definition.name);
        if self.definition.is_read() {
            return within(deadline, &what, self.prepared.run(Arc::new(self.call))).await;
        }
        let _turn = match self.in_turn {
            true => None,
            false => Some(take_turn(&self.attached, self.claim, deadline).await?),
        };
        let limit = policy.writes_per_second;
        let name = self.attached.machine_name();
        let shared_limits = policy.shared_limits.as_deref().zip(name.as_deref());
        let shared_limits = shared_limits.map(|(folder, target)| SharedLimit { folder, target });
        let paid = self
            .attached
            .rate_limiter()
            .acquire(limit, &self.prepared.charge, deadline, shared_limits)
            .await?;
        let call = Arc::new(self.call);
        let mut recorded = None;
        if let Some(oversight) = oversight {
            recorded = Box::pin(oversight.recorder.before(&call)).await;
            // Whoever waited for the turn may have to wait for a person now; it was held back at no point that it knows of.
            oversight.steering.check(self.caller).inspect_err(|_| {
                self.context.refused_by(oversight.steering.mode().name());
            })?;
        }
        let before = match self.see {
            See::None => None,
            _ => Some(Box::pin(Before::look(&call, &self.intent)).await),
        };
        // Last of all: nothing comes between this and the act.
        if let Some(agreed) = &self.agreed {
            let still_there = Box::pin(still_there(
                agreed,
                &self.attached,
                &self.intent,
                &dispatcher.secrets,
                self.context,
            ));
            within(deadline, &what, still_there).await?;
        }
        let reply = within(deadline, &what, self.prepared.run(Arc::clone(&call))).await?;
        if let (Some(oversight), Some(recorded)) = (oversight, recorded) {
            let did = Did { definition: self.definition, arguments: self.arguments, intent: &self.intent };
            oversight.recorder.add(recorded, &did, self.context, &dispatcher.secrets);
            oversight.tell_recording();
        }
        let reply = match before {
            Some(before) => Box::pin(before.add_to(&call, self.see, reply)).await,
            None => reply,
        };
        Ok(reply.delayed(paid.delay(), limit.get()))
    }
}

/// Waits for the turn of the target, until the deadline.
pub(super) async fn take_turn(attached: &Attached, claim: Claim, deadline: Deadline) -> Result<Pass> {
    let turn = tokio::time::timeout_at(deadline.instant().into(), attached.turn(claim)).await;
    turn.map_err(|_| busy())
}

/// Goes on only with the user's yes.
fn consent(answer: Answer, tool: &str, context: &AuditContext) -> std::result::Result<(), CallError> {
    match answer {
        Answer::Yes => Ok(()),
        Answer::Later => Err(CallError::Asked),
        Answer::No(why) => {
            context.refused_by("confirm");
            Err(why.refusal(tool).into())
        }
    }
}

/// Sees that the call would act where the user was asked about it. Each of its writes is held to the receiver found then.
async fn still_there(
    asked: &Place,
    attached: &Attached,
    intent: &Intent,
    secrets: &Secrets,
    context: &AuditContext,
) -> Result<()> {
    let now = place::find(attached, intent, secrets).await;
    if now.bound == asked.bound {
        return Ok(());
    }
    context.refused_by("confirm");
    let other = now.reached.into_iter().next().or(now.app);
    Err(changed_since_asked(other.as_deref()))
}

/// The arguments of a call, those apart that every tool takes.
pub(super) struct Common<'a> {
    pub(super) device: Option<String>,
    pub(super) see: Option<See>,
    pub(super) own: Cow<'a, JsonObject>,
}

impl<'a> Common<'a> {
    /// The arguments are copied only where one of these is among them.
    pub(super) fn of(arguments: &'a JsonObject, takes_see: bool) -> Result<Self> {
        let mut own = Cow::Borrowed(arguments);
        let mut common = JsonObject::new();
        for (param, taken) in [(&DEVICE as &dyn Param, true), (&SEE, takes_see)] {
            if taken && arguments.contains_key(param.name()) {
                common.extend(own.to_mut().remove_entry(param.name()));
            }
        }
        let common = Arguments::new(&common, &[&DEVICE, &SEE])?;
        Ok(Self { device: DEVICE.read(common)?, see: SEE.read(common)?, own })
    }
}

fn replaced(name: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("Device '{name}' was detached and came back meanwhile."))
        .with_guidance("Nothing was done by this step; look again.")
}

fn busy() -> Error {
    Error::new(Reason::Timeout, "Timed out waiting for an earlier action on this device to end.")
        .with_guidance("Nothing was done; try again.")
}
