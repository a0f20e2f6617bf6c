//! What an action did, reported with its reply, so that a client need not look again.
//!
//! The screen is looked at before the action and after it, once it has settled: no change was reported for a moment, or the
//! wait ran out. Where the application is gone, the target is asked how it ended. An action is never made a failure
//! because its effect could not be seen, nor kept from its time: each of the two looks has its own. The policy learns nothing
//! from them: whether an action may pass is found at its own moment.

use std::time::{Duration, Instant};

use fingertip_core::diff::Changes;
use fingertip_core::lean::{self, Report, Verdict};
use fingertip_core::target::{AppRef, Ending, Part, Scope};
use fingertip_core::{Deadline, Error, Reason, Result, Snapshot, Toast};
use serde_json::{Value, json};

use crate::call::{Call, within};
use crate::interact::{ActionOutcome, look_after};
use crate::params::{Choice, Optional};
use crate::policy::place::{self, Intent};
use crate::reply::{Reply, Seen};
use crate::view::{See, Waits};

/// How long a look before the action may take, and what is looked at after it beside the waits for it.
const BEFORE_WITHIN: Duration = Duration::from_secs(2);
const AFTER_WITHIN: Duration = Duration::from_millis(2_500);
/// How long it may take to find out how an application ended.
const ENDING_WITHIN: Duration = Duration::from_secs(1);

/// What seeing may add to the time of a call.
pub(crate) fn time(waits: Waits) -> Duration {
    BEFORE_WITHIN + after_within(waits)
}

fn after_within(waits: Waits) -> Duration {
    AFTER_WITHIN + waits.navigated.max(waits.in_place)
}

/// Whether the reply of an acting tool reports what it did.
pub(crate) const SEE: Optional<Choice<See>> = Choice::required(
    "see",
    "Tell the effect too",
    &[(See::None.name(), See::None), (See::Changes.name(), See::Changes), (See::Screen.name(), See::Screen)],
)
.or_nothing();

/// What was there before an action.
pub(crate) struct Before {
    looked: Result<(Snapshot, Scope)>,
    activity: u64,
    begun: Instant,
    reminds: bool,
}

/// What became of it.
struct Observed {
    report: Report,
    /// The screen now; `None` where nothing of the application is left.
    after: Option<Snapshot>,
    /// Whether it settled.
    settled: bool,
}

impl Before {
    /// Looks at what an action is for: the screen, or the application it names itself or by an element.
    pub(crate) async fn look(call: &Call, intent: &Intent) -> Self {
        let begun = Instant::now();
        let (attached, limit) = (call.attached(), call.deadline().slice(BEFORE_WITHIN));
        let looking = async {
            let scope = match place::scope(attached, intent, limit).await? {
                Scope::App { app, .. } => Scope::App { app, part: Part::Visible },
                screen => screen,
            };
            Ok((attached.look(&scope, limit).await?, scope))
        };
        let looked = within(limit, "reading the screen", looking).await;
        Self { looked, activity: call.activity(), begun, reminds: true }
    }

    /// Without a reminder of what can be pressed, for a client that got what it expected.
    pub(crate) fn without_reminder(self) -> Self {
        Self { reminds: false, ..self }
    }

    /// The reply with what became of the screen.
    pub(crate) async fn add_to(self, call: &Call, see: See, reply: Reply) -> Reply {
        let limit = call.deadline().slice(after_within(call.view().waits));
        let reminds = self.reminds;
        let (seen, structured) = match within(limit, "reading the screen", self.after(call)).await {
            Ok(mut observed) => {
                if !reminds {
                    observed.report.pressable.clear();
                }
                describe(observed, see)
            }
            Err(error) => unseen(error.message()),
        };
        reply.with_seen(seen, structured)
    }

    async fn after(self, call: &Call) -> Result<Observed> {
        let (waits, acted) = (call.view().waits, Instant::now());
        let (before, scope) = self.looked?;
        let since = self.begun;
        let outcome = look_after(call, &scope, &before, self.activity, waits.in_place, shows).await?;
        let first = match outcome {
            ActionOutcome::Seen { snapshot, .. } => *snapshot,
            ActionOutcome::Quit => return quit(call, &before, since).await,
            ActionOutcome::Unseen => {
                return Err(Error::new(Reason::Timeout, outcome.sentence(&before)));
            }
        };
        let other_screen = first.activity != before.activity;
        let navigated =
            first.app != before.app || other_screen || first.windows().len() != before.windows().len();
        let most = if navigated { waits.navigated } else { waits.in_place };
        let limit = call.deadline().slice(most.saturating_sub(acted.elapsed()));
        let seen = call.activity();
        // How an application ended is found out while the screen settles. What a phone shows behind a screen that
        // crashed may be another one of the same application; a desktop calls the titles of windows so.
        let may_have_ended = first.app != before.app || (other_screen && call.kind().reads_whole_screen());
        let ending = async {
            match may_have_ended {
                true => ending(call, &before, since).await,
                false => None,
            }
        };
        let (settled, ending) = tokio::join!(settle(call, limit), ending);
        let settled = settled?;
        let reports = call.target().changes().is_some();
        let after = if reports && first.settled && call.activity() == seen {
            first
        } else {
            call.look_at(&scope, call.deadline()).await.unwrap_or(first)
        };
        let mut report = lean::between(&before, &after);
        if let Some(ending) = ending {
            report.verdict = ended(&ending);
            let noticed = report.evidence.map(|noticed| format!("{noticed}; ")).unwrap_or_default();
            report.evidence = Some(noticed + &ending.evidence);
        }
        Ok(Observed { report, after: Some(after), settled })
    }
}

/// The report on an application that is not there any more.
async fn quit(call: &Call, before: &Snapshot, since: Instant) -> Result<Observed> {
    let Some(ending) = ending(call, before, since).await else {
        return Err(Error::new(Reason::NotRunning, ActionOutcome::Quit.sentence(before)));
    };
    let front = call.look_at(&Scope::Screen, call.deadline()).await.ok();
    let mut report = Report::of(ended(&ending));
    report.evidence = Some(ending.evidence);
    report.screen = front.as_ref().map(lean::whole);
    Ok(Observed { report, after: front, settled: true })
}

fn ended(ending: &Ending) -> Verdict {
    if ending.crashed { Verdict::Crashed } else { Verdict::Ended }
}

/// How the application that was acted on ended, if it did. That this cannot be found out is no failure of the action.
async fn ending(call: &Call, before: &Snapshot, since: Instant) -> Option<Ending> {
    let endings = call.target().endings()?;
    let name = before.app.clone()?;
    let pid = before.windows().iter().find(|window| window.app.as_ref() == Some(&name))?.pid;
    let limit = call.deadline().slice(ENDING_WITHIN);
    let app = AppRef { name, pid };
    let found = endings.ending(&app, since.elapsed(), limit);
    within(limit, "finding out how an application ended", found).await.ok().flatten()
}

/// Whether there is anything to report: elements also change in ways that are not shown.
fn shows(before: &Snapshot, now: &Snapshot, _: &Changes) -> bool {
    !matches!(lean::between(before, now).verdict, Verdict::NoVisibleChange | Verdict::CannotBeSeen)
}

/// Waits until no change is reported for a moment; false where it ran out of time.
async fn settle(call: &Call, limit: Deadline) -> Result<bool> {
    let quiet = call.view().waits.quiet;
    while call.woken(call.activity(), limit.slice(quiet), quiet).await? {
        if limit.passed() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn describe(observed: Observed, see: See) -> (Seen, Value) {
    let Observed { mut report, after, settled } = observed;
    if let Some(after) = after.as_ref().filter(|_| see == See::Screen && report.screen.is_none()) {
        report.screen = Some(lean::whole(after));
    }
    let mut text = report.text();
    if !settled {
        text.push_str("\nnote:the screen is still changing");
    }
    let (verdict, headline) = (Some(report.verdict), report.headline());
    let counts = [report.added.len(), report.changed.len(), report.removed.len()];
    let counts = report.screen.is_none().then_some(counts);
    let mut structured = json!({ "verdict": report.verdict.name(), "settled": settled });
    if let Some(evidence) = report.evidence {
        structured["evidence"] = json!(evidence);
    }
    if !report.toasts.is_empty() {
        let toast = |toast: &Toast| json!({ "text": toast.text, "app": toast.app });
        structured["toasts"] = report.toasts.iter().map(toast).collect();
    }
    if !report.opened.is_empty() {
        structured["opened"] = json!(report.opened);
    }
    match report.screen {
        Some(screen) => structured["screen"] = json!(screen),
        None => {
            structured["added"] = json!(report.added);
            structured["changed"] = json!(report.changed);
            structured["removed"] = json!(report.removed);
            structured["pressable"] = json!(report.pressable);
            if let Some(focus) = &report.focus {
                structured["focus"] = focus.iter().map(|id| json!(id.to_string())).collect();
            }
        }
    }
    let focused = |after: &Snapshot| after.focused_node().and_then(|node| after.node(node).id);
    let focus = after.as_ref().and_then(focused);
    (Seen { text, verdict, headline, counts, focus }, structured)
}

fn unseen(why: &str) -> (Seen, Value) {
    let text = format!("done, but not seen: {why}");
    let seen = Seen { headline: text.clone(), text, verdict: None, counts: None, focus: None };
    (seen, json!({ "verdict": "not seen", "reason": why }))
}
