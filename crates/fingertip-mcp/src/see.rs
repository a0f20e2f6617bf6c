//! What an action did, told with its reply, so that a client need not look again.
//!
//! The screen is looked at before the action and after it, once it rests: until no change was reported for a moment, for so
//! long at the most. An action is never made a failure because its effect could not be seen, nor kept from its time: each of
//! the two looks has its own. The policy learns nothing from them: whether an action may pass is found at its own moment.

use std::time::{Duration, Instant};

use fingertip_core::diff::Changes;
use fingertip_core::lean::{self, Report, Verdict};
use fingertip_core::target::{Part, Scope};
use fingertip_core::{Deadline, Error, Reason, Result, Snapshot};
use serde_json::{Value, json};

use crate::call::{Call, within};
use crate::interact::{ActionOutcome, look_after};
use crate::params::{Choice, Optional};
use crate::policy::place::{self, Intent};
use crate::reply::{Reply, Seen};
use crate::view::See;

/// For how long no change is reported once a screen rests.
const QUIET: Duration = Duration::from_millis(150);
/// How long an effect may take to show and to come to rest, on the same screen and on another.
const IN_PLACE: Duration = Duration::from_millis(500);
const NAVIGATED: Duration = Duration::from_millis(1500);
/// How long a look before the action may take, and all that is looked at after it.
const BEFORE_WITHIN: Duration = Duration::from_secs(2);
const AFTER_WITHIN: Duration = Duration::from_secs(4);
/// What seeing may add to the time of a call.
pub(crate) const TIME: Duration = BEFORE_WITHIN.saturating_add(AFTER_WITHIN);

/// Whether the reply of an acting tool tells what it did.
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
}

impl Before {
    /// Looks at what an action is for: the screen, or the application it names itself or by an element.
    pub(crate) async fn look(call: &Call, intent: &Intent) -> Self {
        let (attached, limit) = (call.attached(), call.deadline().slice(BEFORE_WITHIN));
        let looking = async {
            let scope = match place::scope(attached, intent, limit).await? {
                Scope::App { app, .. } => Scope::App { app, part: Part::Visible },
                screen => screen,
            };
            Ok((attached.look(&scope, limit).await?, scope))
        };
        let looked = within(limit, "reading the screen", looking).await;
        Self { looked, activity: call.activity() }
    }

    /// The reply with what became of the screen.
    pub(crate) async fn told(self, call: &Call, see: See, reply: Reply) -> Reply {
        let limit = call.deadline().slice(AFTER_WITHIN);
        let (seen, structured) = match within(limit, "reading the screen", self.after(call)).await {
            Ok((before, after, settled)) => describe(&before, &after, settled, see),
            Err(error) => unseen(error.message()),
        };
        reply.with_seen(seen, structured)
    }

    /// Both looks, and whether the screen came to rest.
    async fn after(self, call: &Call) -> Result<(Snapshot, Snapshot, bool)> {
        let begun = Instant::now();
        let (before, scope) = self.looked?;
        let first = match look_after(call, &scope, &before, self.activity, IN_PLACE, shows).await? {
            ActionOutcome::Seen { snapshot, .. } => *snapshot,
            other => return Err(Error::new(Reason::NotRunning, other.sentence(&before))),
        };
        let navigated = first.app != before.app
            || first.activity != before.activity
            || first.windows().len() != before.windows().len();
        let most = if navigated { NAVIGATED } else { IN_PLACE };
        let limit = call.deadline().slice(most.saturating_sub(begun.elapsed()));
        let seen = call.activity();
        let settled = rest(call, limit).await?;
        let reports = call.target().changes().is_some();
        if reports && first.settled && call.activity() == seen {
            return Ok((before, first, settled));
        }
        let after = call.look_at(&scope, call.deadline()).await.unwrap_or(first);
        Ok((before, after, settled))
    }
}

/// Whether there is anything to tell: elements also change in ways that nobody reads.
fn shows(before: &Snapshot, now: &Snapshot, _: &Changes) -> bool {
    lean::between(before, now).verdict != Verdict::NoVisibleChange
}

/// Waits until no change is reported for a moment; false where it ran out of time.
async fn rest(call: &Call, limit: Deadline) -> Result<bool> {
    while call.woken(call.activity(), limit.slice(QUIET), QUIET).await? {
        if limit.passed() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn describe(before: &Snapshot, after: &Snapshot, settled: bool, see: See) -> (Seen, Value) {
    let mut report: Report = lean::between(before, after);
    if see == See::Screen && report.screen.is_none() {
        report.screen = Some(lean::whole(after));
    }
    let mut text = report.text();
    if !settled {
        text.push_str("\nnote:the screen is still changing");
    }
    let mut structured = json!({ "verdict": report.verdict.name(), "settled": settled });
    let verdict = Some(report.verdict);
    match report.screen {
        Some(screen) => structured["screen"] = json!(screen),
        None => {
            structured["added"] = json!(report.added);
            structured["changed"] = json!(report.changed);
            structured["removed"] = json!(report.removed);
            structured["pressable"] = json!(report.pressable);
        }
    }
    let focus = after.focused_node().and_then(|node| after.node(node).id);
    (Seen { text, verdict, focus }, structured)
}

fn unseen(why: &str) -> (Seen, Value) {
    let seen = Seen { text: format!("done, but not seen: {why}"), verdict: None, focus: None };
    (seen, json!({ "verdict": "not seen", "reason": why }))
}
