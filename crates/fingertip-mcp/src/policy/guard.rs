//! Decides, for each single write, whether the application that would receive it may be acted on.
//!
//! The decision is made on windows read for it, right before the write. A look the same call has just taken is as good
//! when it shows all windows (that of a phone does) and nothing happened since: a look of the guard's own would be no
//! younger when the write arrives. Where nothing is blocked and no user was asked, nothing is read.
//!
//! The receivers found go down to the driver with the write ([`Expected`]): an act of several steps is stopped when
//! another application would receive the rest. With the user's consent a write passes only to those the user agreed to.
//!
//! Not protected against: a window that opens in the instant between the look and the first touch, where the driver
//! cannot exclude that itself.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::target::{App, Expected, LaunchPlan, TargetKind};
use fingertip_core::{Deadline, Error, Flags, Point, Reason, Result, Snapshot, Target, Window};

use super::audit::AuditContext;
use super::blocklist::{Blocklist, Rule};
use super::receiver::{self, Aim};

mod opening;

/// How long a look of the call's own is as fresh as one taken by the guard: what a tool computes between its look
/// and its write takes less, and a look itself takes longer.
const AS_FRESH: Duration = Duration::from_millis(20);
/// How long finding out who would receive a write may take.
const FOUND_WITHIN: Duration = Duration::from_secs(5);

/// The keys that may leave a field.
const LEAVING: [char; 3] = ['\t', '\n', '\r'];

/// Guards the writes of one call.
pub struct Guard {
    blocklist: Arc<Blocklist>,
    context: Arc<AuditContext>,
    seen: Mutex<Option<Seen>>,
    /// What the field with the focus was, as seen last.
    focus: Mutex<Option<Flags>>,
    agreed: Option<Agreed>,
    commands: bool,
}

/// What the user agreed to: what was on the screen when the question was asked.
#[derive(Debug, Clone, Default)]
pub struct Agreed {
    /// The windows that would have received a touch or a key then, topmost first; `None` when they could not be read.
    pub windows: Option<Vec<Window>>,
    /// Those that the question named.
    pub named: Vec<Window>,
    /// What the question said would be started.
    pub launch: Option<LaunchPlan>,
}

impl Agreed {
    /// The owners this write would have reached when the user was asked, and those named.
    fn reached_by(&self, aim: &Aim<'_>, kind: TargetKind) -> Result<Expected> {
        let then = match &self.windows {
            // A window that is not under any finger was agreed to only where the question named it.
            _ if matches!(aim, Aim::Window(_)) => Vec::new(),
            Some(windows) => receivers(aim, kind, windows).unwrap_or_default(),
            None => Vec::new(),
        };
        let expected = Expected::owners(then.into_iter().chain(&self.named));
        if expected.is_anyone() { Err(undetermined()) } else { Ok(expected) }
    }
}

/// What a look of the call's own showed.
struct Seen {
    at: Instant,
    windows: Vec<Window>,
}

impl Guard {
    /// Guards writes by this list; what it learns goes into the context.
    #[must_use]
    pub fn new(blocklist: Arc<Blocklist>, context: Arc<AuditContext>) -> Self {
        Self {
            blocklist,
            context,
            seen: Mutex::default(),
            focus: Mutex::default(),
            agreed: None,
            commands: false,
        }
    }

    /// Lets only those be acted on that the user agreed to.
    #[must_use]
    pub fn agreed(mut self, agreed: Option<Agreed>) -> Self {
        self.agreed = agreed;
        self
    }

    /// Lets programs be started that only the user vouches for.
    #[must_use]
    pub fn allowing_commands(mut self, allowed: bool) -> Self {
        self.commands = allowed;
        self
    }

    /// Whether it does.
    pub(super) fn lets_commands_run(&self) -> bool {
        self.commands
    }

    /// Notes a look at everything that target shows.
    pub(super) fn saw(&self, kind: TargetKind, snapshot: &Snapshot) {
        if kind.reads_whole_screen() {
            let mut windows = snapshot.windows().to_vec();
            windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
            *self.seen() = Some(Seen { at: Instant::now(), windows });
        }
    }

    /// Notes the field with the focus, as a look at whatever part shows it: what is typed next goes there.
    pub(super) fn saw_focus(&self, snapshot: &Snapshot) {
        let focused = snapshot.focused_node().map(|index| snapshot.node(index).flags);
        *lock(&self.focus) = focused;
    }

    /// Notes the field a text goes to.
    pub(super) fn writes_to(&self, field: Flags) {
        if field.contains(Flags::PASSWORD) {
            self.context.is_secret();
        } else if field.contains(Flags::EDITABLE) {
            self.context.is_plain();
        }
    }

    /// Notes a text that is typed: it goes to the field with the focus, and after a tab or a line end the rest perhaps to
    /// another.
    pub(super) fn types(&self, text: &str) {
        if let Some(field) = *lock(&self.focus) {
            self.writes_to(field);
        }
        if text.trim_end_matches(LEAVING).contains(LEAVING) {
            self.context.is_secret();
        }
    }

    /// Notes a text that goes to no field.
    pub(super) fn writes_to_no_field(&self) {
        self.context.is_plain();
    }

    /// Lets a write pass, and returns its receivers; or the rule that forbids it.
    pub(super) async fn pass(
        &self,
        target: &dyn Target,
        aim: Aim<'_>,
        deadline: Deadline,
    ) -> Result<Expected> {
        let kind = target.kind();
        // Whatever was seen before this write may be different after it.
        let seen = self.seen().take();
        if matches!(aim, Aim::Nobody) {
            return Ok(Expected::anyone());
        }
        if self.blocklist.is_empty(kind) && self.agreed.is_none() {
            self.note_without_looking(&aim, kind, seen.as_ref());
            return Ok(Expected::anyone());
        }
        // What the user agreed to was read as receivers, and is compared with nothing else.
        let fresh = |seen: &Seen| self.agreed.is_none() && seen.at.elapsed() <= AS_FRESH;
        let windows = match seen.filter(fresh) {
            Some(seen) => seen.windows,
            None if matches!(aim, Aim::Window(_)) => Vec::new(),
            // Where a node is addressed by its process, what else is on the screen decides nothing.
            None if kind.addresses_processes() && matches!(aim, Aim::Node { .. }) => Vec::new(),
            None => target
                .survey()
                .receivers(deadline.slice(FOUND_WITHIN))
                .await
                .map_err(|error| unknown(&error))?,
        };
        let apps = if kind.addresses_processes() {
            target.survey().apps(deadline.slice(FOUND_WITHIN)).await.map_err(|error| unknown(&error))?
        } else {
            Vec::new()
        };
        let reached = receivers(&aim, kind, &windows)?;
        for window in &reached {
            self.judge(kind, window, &apps)?;
        }
        if let Aim::Node { window, node } = &aim {
            let owner = target.survey().owner(node, deadline.slice(FOUND_WITHIN)).await;
            // What one application shows of another is that other's.
            match owner.map_err(|error| unknown(&error))? {
                Some(owner) if owner.pid.is_none() || owner.pid != window.pid => {
                    self.judge_app(kind, &owner.name, Some(&owner))?;
                }
                _ => {}
            }
        }
        if let Some(agreed) = &self.agreed {
            let agreed = agreed.reached_by(&aim, kind)?;
            if let Some(other) = reached.iter().find(|window| !agreed.accepts(window)) {
                self.context.refused_by("confirm");
                return Err(changed_since_asked(other.app.as_deref()));
            }
        }
        Ok(Expected::owners(reached))
    }

    /// Refuses a window of a blocked application, and one without an application.
    fn judge(&self, kind: TargetKind, window: &Window, apps: &[App]) -> Result<()> {
        let app = window.app.as_deref().ok_or_else(undetermined)?;
        let owner = apps.iter().find(|known| match (known.pid, window.pid) {
            (Some(known), Some(pid)) => known == pid,
            _ => *known.name == *app,
        });
        self.judge_app(kind, app, owner)
    }

    /// Refuses an application that is blocked by this name, or by one of those it is known to have.
    fn judge_app(&self, kind: TargetKind, app: &str, owner: Option<&App>) -> Result<()> {
        self.context.acted_on(app);
        let mut names = vec![app];
        names.extend(owner.map(|owner| &*owner.name));
        names.extend(owner.and_then(|owner| owner.id.as_deref()));
        match self.blocklist.find(kind, &names) {
            Some(rule) => {
                self.context.refused_by(&format!("blocklist {}", rule.pattern()));
                Err(blocked(app, rule))
            }
            None => Ok(()),
        }
    }

    /// With nothing blocked, the context still records the receiver of a write, as far as that is known for free.
    fn note_without_looking(&self, aim: &Aim<'_>, kind: TargetKind, seen: Option<&Seen>) {
        let windows = seen.map(|seen| seen.windows.as_slice()).unwrap_or_default();
        let window = match aim {
            Aim::Node { window, .. } | Aim::Window(window) => Some(*window),
            Aim::Points { downs, .. } => {
                downs.first().and_then(|point| receiver::at(windows, kind, *point).first().copied())
            }
            Aim::Focus => receiver::focused(windows).first().copied(),
            Aim::Nobody => None,
        };
        if let Some(app) = window.and_then(|window| window.app.as_deref()) {
            self.context.acted_on(app);
        }
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Option<Seen>> {
        lock(&self.seen)
    }
}

/// All windows this would reach, and those with the focus where it reaches what acts for them.
fn receivers<'a>(aim: &Aim<'a>, kind: TargetKind, windows: &'a [Window]) -> Result<Vec<&'a Window>> {
    let mut reached = touched(aim, kind, windows)?;
    let is_passed_on = |reached: &[&Window]| {
        reached.iter().any(|window| receiver::passes_on(window, windows))
            || matches!(aim, Aim::Points { downs, ups } if receiver::goes_back(downs, ups, windows))
    };
    if kind.has_keys_on_screen() && is_passed_on(&reached) {
        reached.extend(receiver::focused(windows));
    }
    Ok(reached)
}

fn touched<'a>(aim: &Aim<'a>, kind: TargetKind, windows: &'a [Window]) -> Result<Vec<&'a Window>> {
    match aim {
        Aim::Nobody => Ok(Vec::new()),
        Aim::Window(window) => Ok(vec![*window]),
        Aim::Focus => some(receiver::focused(windows)),
        Aim::Points { downs, ups } => {
            let here = |point: &Point| receiver::at(windows, kind, *point);
            let mut reached = downs.iter().map(|point| some(here(point))).collect::<Result<Vec<_>>>()?;
            for point in ups {
                // A finger may leave the screen of a phone anywhere; a pointer always drops on something.
                reached.push(if kind.reads_whole_screen() { here(point) } else { some(here(point))? });
            }
            Ok(reached.concat())
        }
        Aim::Node { window, node } => {
            let mut reached = vec![*window];
            // The driver may have to touch it where it lies.
            if !kind.addresses_processes() {
                if !windows.iter().any(|known| receiver::same_owner(known, window)) {
                    return Err(undetermined());
                }
                reached.extend(receiver::at(windows, kind, node.bounds.center()));
            }
            Ok(reached)
        }
    }
}

fn some(windows: Vec<&Window>) -> Result<Vec<&Window>> {
    if windows.is_empty() { Err(undetermined()) } else { Ok(windows) }
}

/// The user said yes to something else than what would happen now.
pub(crate) fn changed_since_asked(app: Option<&str>) -> Error {
    let now = app.map(|app| format!(": {app:?} would receive this now")).unwrap_or_default();
    let error = Error::new(
        Reason::Refused,
        format!("Nothing was done: the screen changed since the user agreed{now}."),
    )
    .with_guidance("Look at the screen, and call again if it is still wanted; the user is then asked again.");
    match app {
        Some(app) => error.with_app(app),
        None => error,
    }
}

fn blocked(app: &str, rule: &Rule) -> Error {
    Error::new(
        Reason::Refused,
        format!("Nothing was done: {app:?} would receive this, and the rule {rule} forbids acting on it."),
    )
    .with_guidance(
        "It may be looked at. Only the owner of this server can change that: --allow-app, or allow_apps in its \
        configuration.",
    )
    .with_app(app)
}

fn undetermined() -> Error {
    Error::new(Reason::Refused, "Nothing was done: which application would receive this cannot be determined.")
        .with_guidance(
            "Look at the screen and try again. While applications are blocked, a write without a known receiver is \
            refused; the owner of this server can empty the list with --no-default-blocklist.",
        )
}

/// The windows could not be read. What the driver says about it helps more than that a rule needs them.
fn unknown(error: &Error) -> Error {
    let message = error.message().trim_end_matches('.');
    let refused = Error::new(
        error.reason(),
        format!("Nothing was done: which application would receive this cannot be determined ({message})."),
    );
    match error.guidance() {
        Some(guidance) => refused.with_guidance(guidance),
        None => refused,
    }
}
