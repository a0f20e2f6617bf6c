//! Running many calls as one: each admitted, paced, asked about and written down by itself, all in one turn of their target.
//!
//! Nothing runs before all of them were checked as far as that can be known then: the tools exist, the input is right, the
//! user can be asked. Whatever the policy decides by what is on the screen it decides again for each step, at its moment.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fingertip_core::fair::Pass;
use fingertip_core::lean::Verdict;
use fingertip_core::{Deadline, Error, NodeId, Reason, Result};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::admission::{Common, take_turn};
use super::selectors::Selectors;
use super::{CallError, Dispatcher, defect};
use crate::attached::Attached;
use crate::call::Call;
use crate::conditions::{Condition, Judged};
use crate::params::{Arguments, ElementRef, Meaning, Param, shorten};
use crate::policy::audit::AuditContext;
use crate::policy::confirm::ANSWER_WITHIN;
use crate::policy::place::Intent;
use crate::policy::{Caller, Guard};
use crate::registry::Interface;
use crate::reply::{Reply, Seen, error_text};
use crate::see::{self, Before, SEE};
use crate::tool::{Definition, Entry, Run};
use crate::tools::device::run_steps::{self, DEFINITION, StopOn, in_step};
use crate::tools::device::wait_for_element::POLL;
use crate::view::See;

/// How long all steps together may take, without the time the user takes to answer.
const TIME: Duration = Duration::from_secs(55);
/// How long what is expected after a step may take to come.
const EXPECT_WITHIN: Duration = Duration::from_secs(2);

/// What the steps of one run share.
pub(super) struct StepsRun {
    /// Where they act; its turn is held until the last has ended.
    pub(super) attached: Arc<Attached>,
    /// When the last must have ended.
    pub(super) deadline: Deadline,
    /// What is looked at around each step that acts.
    pub(super) see: See,
    /// The row that the run has in the log of calls.
    pub(super) row: Option<u64>,
}

/// A step that was checked.
struct Checked {
    entry: Entry,
    arguments: JsonObject,
    expect: Vec<Condition>,
    intent: Intent,
}

/// A run that may begin.
struct Admitted {
    attached: Arc<Attached>,
    steps: Vec<Checked>,
    see: Option<See>,
    stop_on: StopOn,
    /// How long it may take, and until when.
    time: Duration,
    deadline: Deadline,
    /// Held until the last step has ended.
    turn: Option<Pass>,
}

/// Why a run ended before its last step.
enum Stop {
    Failed(Error),
    Unmet(String),
    Surprise(String),
    OutOfTime,
}

impl Dispatcher {
    pub(super) async fn run_steps(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
        row: Option<u64>,
    ) -> std::result::Result<Reply, CallError> {
        // Steps that run leave lines of their own; a run that comes to none, or is taken back before, leaves this one.
        let context = Arc::new(AuditContext::default());
        let log = self.policy.log(DEFINITION, arguments, caller, &context);
        let noted = AtomicBool::new(false);
        let admitted = self.admit_steps(arguments, caller, &noted).await;
        match (log, &admitted) {
            (Some(log), Err(error)) if !noted.into_inner() => log.end(error.outcome()).await,
            (Some(log), _) => log.forget(),
            (None, _) => {}
        }
        let Admitted { attached, steps, see, stop_on, time, deadline, turn: _turn } = admitted?;
        let see = see.unwrap_or(self.view.see);
        let guard = Guard::new(Arc::clone(&self.policy.blocklist), Arc::new(AuditContext::default()));
        let ends = Deadline::after(time + see::time(self.view.waits));
        let around = Call::new(Arc::clone(&attached), guard, None, ends).in_view(self.view);
        let before = match see {
            See::None => None,
            _ => Some(Before::look(&around, &first_act(&steps)).await),
        };
        let run = StepsRun {
            attached,
            deadline,
            see: if stop_on == StopOn::Surprise { See::Changes } else { See::None },
            row,
        };
        let mut report = Report::new(&steps, see != See::None);
        let mut focus = None;
        for step in &steps {
            match self.step(step, &run, &around, caller, &mut focus).await? {
                (reply, None) => report.done(reply),
                (reply, Some(stop)) => {
                    report.stopped(reply, &stop);
                    break;
                }
            }
        }
        // A client that got what it expected needs no reminder of what can be pressed.
        let got_it = report.stopped.is_none() && steps.last().is_some_and(|last| !last.expect.is_empty());
        let reply = report.reply();
        Ok(match before {
            Some(before) if got_it => before.without_reminder().add_to(&around, see, reply).await,
            Some(before) => before.add_to(&around, see, reply).await,
            None => reply,
        })
    }

    /// Checks all steps, and takes the turn of their target.
    async fn admit_steps(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
        noted: &AtomicBool,
    ) -> std::result::Result<Admitted, CallError> {
        let Common { device, see, own } = Common::of(arguments, true)?;
        let run_steps::Steps { steps, stop_on } = run_steps::read(Arguments::new(&own, DEFINITION.params)?)?;
        let (attached, steps) = self.check_steps(steps, device.as_deref(), caller, noted).await?;
        let asked = steps.iter().filter(|step| self.asks(step.entry.definition, true)).count();
        let time = TIME + ANSWER_WITHIN * u32::try_from(asked).unwrap_or(u32::MAX);
        let claim = caller.claim(steps.iter().any(|step| !step.entry.definition.is_read()));
        let deadline = Deadline::after(time).on_behalf(claim);
        let turn = match claim.acts {
            true => Some(take_turn(&attached, claim, deadline).await?),
            false => None,
        };
        Ok(Admitted { attached, steps, see, stop_on, time, deadline, turn })
    }

    /// Checks everything about the steps that does not depend on what those before them do. `noted` says whether a refusal
    /// has its line in the audit log.
    async fn check_steps(
        &self,
        steps: Vec<run_steps::Step>,
        device: Option<&str>,
        caller: &Caller,
        noted: &AtomicBool,
    ) -> Result<(Arc<Attached>, Vec<Checked>)> {
        let mut target: Option<Arc<Attached>> = None;
        let mut checked = Vec::with_capacity(steps.len());
        for (index, step) in steps.into_iter().enumerate() {
            let tool = shorten(&step.tool.escape_debug().to_string());
            let checked_step = self.check_step(step, device, caller, noted).await;
            let (attached, step) = checked_step.map_err(|error| in_step(index, Some(&tool), &error))?;
            if target.as_ref().is_some_and(|first| !Arc::ptr_eq(first, &attached)) {
                let error = Error::invalid("It is for another device than the steps before it.");
                return Err(in_step(index, Some(&tool), &error));
            }
            target = Some(attached);
            checked.push(step);
        }
        target.map(|target| (target, checked)).ok_or_else(|| Error::invalid("Parameter 'steps' is empty."))
    }

    async fn check_step(
        &self,
        step: run_steps::Step,
        device: Option<&str>,
        caller: &Caller,
        noted: &AtomicBool,
    ) -> Result<(Arc<Attached>, Checked)> {
        let run_steps::Step { tool, arguments, expect } = step;
        let all = self.targets.all();
        let entry = self.registry.find(&tool).map(|tool| tool.entry);
        let entry = entry.ok_or_else(|| Error::invalid("There is no such tool."))?;
        let definition = entry.definition;
        if !self.exists(definition, &all) {
            noted.store(true, Ordering::Relaxed);
            self.note_refusal(definition, &arguments, caller, "not offered").await;
            return Err(Error::invalid("There is no such tool."));
        }
        let Run::OnTarget(prepare) = entry.run else {
            return Err(Error::invalid(format!("'{}' cannot be a step.", definition.name)));
        };
        for common in [SEE.name(), super::DEVICE.name()] {
            if arguments.contains_key(common) {
                return Err(Error::invalid(format!("'{common}' is for the whole run, not for a step.")));
            }
        }
        let params = definition.params_in(self.surroundings(&all));
        let own = self.secrets.resolve(Cow::Borrowed(&arguments), &params)?;
        let selectors = Selectors::of(&params, &own)?;
        let (_, intent) = self.prepared(prepare, definition, &selectors.checkable(&own), &params)?;
        let id = intent.element.as_ref().and_then(ElementRef::id);
        let attached = self.targets.choose(definition, &self.policy.selection, device, id)?;
        if self.asks(definition, true)
            && let Some(why) = caller.asker.hindrance()
        {
            noted.store(true, Ordering::Relaxed);
            self.note_refusal(definition, &arguments, caller, "confirm").await;
            return Err(why.refusal(definition.name));
        }
        Ok((attached, Checked { entry, arguments, expect, intent }))
    }

    /// Leaves the line in the audit log that a call of this tool by itself would, which a rule refused.
    async fn note_refusal(
        &self,
        definition: &Definition,
        arguments: &JsonObject,
        caller: &Caller,
        rule: &str,
    ) {
        let context = Arc::new(AuditContext::default());
        context.refused_by(rule);
        if let Some(log) = self.policy.log(definition, arguments, caller, &context) {
            log.end(CallError::UnknownTool.outcome()).await;
        }
    }

    /// Runs one step: what it answered, and why it is the last, if it is.
    async fn step(
        &self,
        step: &Checked,
        run: &StepsRun,
        around: &Call,
        caller: &Caller,
        focus: &mut Option<NodeId>,
    ) -> std::result::Result<(Option<Reply>, Option<Stop>), CallError> {
        if run.deadline.passed() {
            return Ok((None, Some(Stop::OutOfTime)));
        }
        if let Some(stop) = focus_moved(step, run, around, *focus).await {
            return Ok((None, Some(stop)));
        }
        let answer = self.logged(Interface::Current, step.entry, &step.arguments, caller, Some(run)).await;
        let reply = match answer {
            Ok(reply) => reply,
            Err(CallError::Failed(error)) => return Ok((None, Some(Stop::Failed(error)))),
            Err(CallError::Panicked) => {
                let error = Error::new(Reason::ActionFailed, defect(step.entry.definition.name));
                return Ok((None, Some(Stop::Failed(error))));
            }
            Err(CallError::UnknownTool) => {
                let error = Error::new(Reason::Refused, "The tool is not offered any more.");
                return Ok((None, Some(Stop::Failed(error))));
            }
            Err(other @ (CallError::Asked | CallError::Cancelled)) => return Err(other),
        };
        let seen = reply.seen.as_ref();
        if let Some(seen) = seen {
            *focus = seen.focus;
        }
        let surprise = seen.filter(|seen| is_surprise(seen, step.entry.definition));
        let stop = match surprise {
            Some(seen) => Some(Stop::Surprise(seen.headline.clone())),
            None => expected(&step.expect, around).await,
        };
        Ok((Some(reply), stop))
    }
}

/// Whether the plan of a step like this does not expect its outcome.
fn is_surprise(seen: &Seen, definition: &Definition) -> bool {
    match seen.verdict {
        Some(Verdict::Crashed | Verdict::NotResponding | Verdict::AskedPermission) => true,
        Some(Verdict::LeftApp | Verdict::OpenedDialog | Verdict::Ended) => !definition.leads_away,
        _ => false,
    }
}

/// What the run acts on first, which is what is looked at before and after it.
fn first_act(steps: &[Checked]) -> Intent {
    let first = steps.iter().find(|step| !step.entry.definition.is_read());
    first.map(|step| step.intent.clone()).unwrap_or_default()
}

/// Whether what is typed would go elsewhere than where the step before left the focus.
async fn focus_moved(step: &Checked, run: &StepsRun, around: &Call, focus: Option<NodeId>) -> Option<Stop> {
    let types = |param: &&dyn Param| matches!(param.meaning(), Meaning::Text | Meaning::Key);
    let expected = focus.filter(|_| run.see != See::None && step.intent.element.is_none())?;
    step.entry.definition.params.iter().copied().find(types)?;
    let snapshot = around.attached().look(around.scope(), run.deadline).await.ok()?;
    let now = snapshot.focused_node().and_then(|node| snapshot.node(node).id);
    (now != Some(expected)).then(|| {
        let now = now.map_or_else(|| "nothing".to_owned(), |id| id.to_string());
        Stop::Surprise(format!("the focus was on {expected} and is on {now}"))
    })
}

/// Waits a moment for what is expected; why that did not come.
async fn expected(conditions: &[Condition], around: &Call) -> Option<Stop> {
    if conditions.is_empty() {
        return None;
    }
    let mut last = "the screen could not be read".to_owned();
    let limit = around.deadline().slice(EXPECT_WITHIN);
    let come = around
        .until(around.scope(), limit, POLL, |snapshot| {
            let judged = Judged::by(conditions, around.attached(), &snapshot);
            last = judged.unmet();
            judged.all_satisfied().then_some(())
        })
        .await;
    match come {
        Ok(Some(())) => None,
        Ok(None) => Some(Stop::Unmet(last)),
        // The step was done: what keeps it from being looked at is no failure of it.
        Err(error) => Some(Stop::Unmet(error.message().to_owned())),
    }
}

/// What became of each step.
struct Report<'a> {
    steps: &'a [Checked],
    /// Whether what became of the screen follows, so that what each step did need not be reported as well.
    brief: bool,
    done: Vec<Value>,
    text: String,
    reply: Reply,
    stopped: Option<String>,
}

impl<'a> Report<'a> {
    fn new(steps: &'a [Checked], brief: bool) -> Self {
        Self { steps, brief, done: Vec::new(), text: String::new(), reply: Reply::default(), stopped: None }
    }

    fn tool(&self) -> &'static str {
        self.steps[self.done.len()].entry.definition.name
    }

    /// The next step was done.
    fn done(&mut self, reply: Option<Reply>) {
        let Some(reply) = reply else { return };
        let (number, tool) = (self.done.len() + 1, self.tool());
        let said = reply.text.unwrap_or_default();
        let acted = !self.steps[self.done.len()].entry.definition.is_read();
        let is_counted_only = acted && (self.brief || reply.says_done_only) && reply.note.is_none();
        if !is_counted_only {
            let _ = write!(self.text, "\n{number} {tool}: {said}");
        }
        let mut step = json!({ "tool": tool, "outcome": "done", "done": true, "text": said });
        if let Some(structured) = reply.structured {
            step["result"] = structured;
        }
        if let Some(note) = reply.note {
            let _ = write!(self.text, " ({note})");
            step["note"] = json!(note);
        }
        self.done.push(step);
        self.reply.pictures.extend(reply.pictures);
        self.reply.meta.extend(reply.meta);
    }

    /// The next step was the last, whether it was done or not.
    fn stopped(&mut self, reply: Option<Reply>, stop: &Stop) {
        let (tool, ran) = (self.tool(), reply.is_some());
        if !ran {
            self.done.push(json!({ "tool": tool, "done": false }));
        }
        self.done(reply);
        let (outcome, why) = match stop {
            Stop::Failed(error) => ("failed", error_text(error, error.guidance())),
            Stop::Unmet(why) => ("expectation not met", why.clone()),
            Stop::Surprise(why) => ("surprise", why.clone()),
            Stop::OutOfTime => ("not started", "the time of the run is over".to_owned()),
        };
        let place = if ran { "after" } else { "at" };
        self.stopped = Some(format!("stopped {place} step {} ({tool}), {outcome}: {why}", self.done.len()));
        if let Some(step) = self.done.last_mut() {
            step["outcome"] = json!(outcome);
            step["why"] = json!(why);
            if let Stop::Failed(error) = stop {
                step["error_type"] = json!(error.reason().name());
            }
        }
    }

    fn reply(mut self) -> Reply {
        let (all, ran) = (self.steps.len(), self.done.len());
        for step in &self.steps[ran..] {
            let tool = step.entry.definition.name;
            self.done.push(json!({ "tool": tool, "outcome": "not started", "done": false }));
        }
        let done = self.done.iter().filter(|step| step["done"] == true).count();
        let mut text = format!("{done} of {all} steps done");
        if let Some(stopped) = &self.stopped {
            let _ = write!(text, "; {stopped}");
        }
        if ran < all {
            let _ = write!(
                text,
                "; not started: {}",
                (ran + 1..=all).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
            );
        }
        text.push_str(&self.text);
        let structured = json!({ "done": done, "steps": self.done, "stopped": self.stopped });
        let reply = Reply { pictures: self.reply.pictures, meta: self.reply.meta, ..Reply::text(text) };
        let reply = reply.with_structured(structured);
        if self.stopped.is_some() { reply.untrusted().failed() } else { reply }
    }
}
