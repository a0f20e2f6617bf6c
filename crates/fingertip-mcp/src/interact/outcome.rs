//! What became of an act, looked at again and put into a sentence.
//!
//! Toolkits answer an action before they have drawn its effect. So the application is looked at until something is
//! different and no further change was reported during the look, or until it is clear that nothing will be.

use std::time::Duration;

use fingertip_core::diff::{self, ChangedFields, Changes};
use fingertip_core::target::Scope;
use fingertip_core::{Error, Flags, NodeIndex, Reason, Result, Role, Snapshot, WindowKind};

use crate::call::Call;

/// How often it is looked at where changes are not reported.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The most names in a sentence.
const MAX_NAMED: usize = 12;

/// The state after an act.
pub(crate) enum ActionOutcome {
    /// What was seen; what only a full look showed may be `older` than the act.
    Seen { snapshot: Box<Snapshot>, changes: Box<Changes>, older: bool },
    /// The application is not there any more.
    Quit,
    /// It was done, but could not be looked at in time.
    Unseen,
}

/// Whether what was seen before and is seen now, and what changed, is all there is to wait for.
pub(crate) type Enough = fn(&Snapshot, &Snapshot, &Changes) -> bool;

/// Any change of elements or windows is.
pub(crate) fn any_change(_: &Snapshot, _: &Snapshot, changes: &Changes) -> bool {
    !changes.is_empty()
}

/// The tooltips that came up.
pub(crate) fn new_tooltips<'a>(
    before: &'a Snapshot,
    now: &'a Snapshot,
) -> impl Iterator<Item = &'a str> + use<'a> {
    now.tooltips.iter().filter(|tip| !before.tooltips.contains(tip)).map(|tip| &**tip)
}

/// Looks at what became of what was seen `before`, until that is `enough`; `seen` is the target's activity then.
pub(crate) async fn look_after(
    call: &Call,
    scope: &Scope,
    before: &Snapshot,
    mut seen: u64,
    within: Duration,
    enough: Enough,
) -> Result<ActionOutcome> {
    let limit = call.deadline().slice(within);
    let reports = call.target().changes().is_some();
    loop {
        // Asked before the first look too: an effect that shows while the wait runs out is not missed.
        let last_look = limit.passed();
        seen = seen.max(call.activity());
        // That nothing changed is said only after all was read again.
        let looked = if last_look {
            call.look_at(scope, call.deadline()).await
        } else {
            call.incremental_look_at(scope).await
        };
        let snapshot = match looked {
            Ok(snapshot) => snapshot,
            Err(error) => return unseen(error),
        };
        let mut changes = changes_between(before, &snapshot);
        leave_out_open(call, before, &mut changes).await;
        let quiet = !reports || call.activity() <= seen;
        if last_look || (quiet && enough(before, &snapshot, &changes)) {
            let older = last_look && before.recalled && !changes.is_empty();
            return Ok(ActionOutcome::Seen {
                snapshot: Box::new(snapshot),
                changes: Box::new(changes),
                older,
            });
        }
        call.woken(seen, limit, LOOK_EVERY).await?;
    }
}

/// Leaves windows out that are not closed but lie no longer above the application: a desktop's snapshot of one application
/// shows others only as far as they cover it.
async fn leave_out_open(call: &Call, before: &Snapshot, changes: &mut Changes) {
    if changes.windows_closed.is_empty() || call.kind().reads_whole_screen() {
        return;
    }
    // Where the windows cannot be listed what was seen is all that is known.
    let Ok(open) = call.target().survey().windows(call.deadline()).await else { return };
    changes.windows_closed.retain(|window| {
        let handle = &before.windows()[*window].handle;
        handle.is_none() || !open.iter().any(|other| other.handle == *handle)
    });
}

/// The act was done: what keeps it from being looked at is no failure of the act.
fn unseen(error: Error) -> Result<ActionOutcome> {
    match error.reason() {
        Reason::NotRunning | Reason::NotFound => Ok(ActionOutcome::Quit),
        Reason::Timeout => Ok(ActionOutcome::Unseen),
        _ => Err(error),
    }
}

/// What changed, without mere moves: most of what moves says nothing.
pub(crate) fn changes_between(before: &Snapshot, after: &Snapshot) -> Changes {
    let mut changes = diff::between(before, after);
    let moves = ChangedFields::BOUNDS | ChangedFields::STACKING;
    changes.changed.retain(|change| !(change.fields - moves).is_empty());
    changes.windows_changed.retain(|change| !(change.fields - moves).is_empty());
    changes
}

impl ActionOutcome {
    /// Whether all was looked at again, and nothing had changed.
    pub(crate) fn is_unchanged(&self) -> bool {
        matches!(self, Self::Seen { changes, .. } if changes.is_empty())
    }

    /// What a person would say happened.
    pub(crate) fn sentence(&self, before: &Snapshot) -> String {
        match self {
            Self::Quit => "The application is not running any more.".to_owned(),
            Self::Unseen => "The application did not answer in time afterwards; look again.".to_owned(),
            Self::Seen { snapshot, changes, .. }
                if changes.is_empty() && new_tooltips(before, snapshot).next().is_none() =>
            {
                "No change was seen in its elements.".to_owned()
            }
            Self::Seen { snapshot, changes, .. } => seen(before, snapshot, changes),
        }
    }
}

fn seen(before: &Snapshot, now: &Snapshot, changes: &Changes) -> String {
    let turned_on = |flag: Flags| {
        let changed = changes
            .changed
            .iter()
            .filter(move |change| now.node(change.new).is(flag) && !before.node(change.old).is(flag));
        changed.map(|change| change.new)
    };
    let came: Vec<NodeIndex> = changes
        .added
        .iter()
        .copied()
        .filter(|index| now.node(*index).is(Flags::VISIBLE))
        .chain(turned_on(Flags::VISIBLE))
        .collect();
    let of =
        |wanted: fn(Role) -> bool| came.iter().copied().filter(move |index| wanted(now.node(*index).role));
    let mut sentences = Vec::new();
    // The menu bar of a window that opened is no menu that did.
    let is_popup = |index: &NodeIndex| {
        let window = now.window_of(*index);
        now.windows()[window].kind == WindowKind::Popup || !changes.windows_opened.contains(&window)
    };
    let items = named(now, of(|role| matches!(role, Role::MenuItem | Role::Menu)).filter(is_popup));
    if !items.is_empty() {
        sentences.push(format!("A menu opened: {items}."));
    }
    for window in changes.windows_opened.iter().take(MAX_NAMED) {
        let window = &now.windows()[*window];
        match (window.kind, window.title.as_deref()) {
            (WindowKind::Popup, _) if !items.is_empty() => {}
            (kind, Some(title)) => sentences.push(format!("{} {title:?} opened.", capital(kind.name()))),
            (kind, None) => {
                let area = window.bounds;
                sentences.push(format!(
                    "{} without a title opened at {},{},{},{}.",
                    capital(kind.name()),
                    area.left,
                    area.top,
                    area.right,
                    area.bottom
                ));
            }
        }
    }
    let tips = named(now, of(|role| role == Role::Tooltip));
    if !tips.is_empty() {
        sentences.push(format!("Tooltip: {tips}."));
    }
    for tip in new_tooltips(before, now).take(MAX_NAMED) {
        sentences.push(match tip {
            "" => "A tooltip came up that exposes nothing; a screenshot shows it.".to_owned(),
            words => format!("Tooltip: {words:?}."),
        });
    }
    for (word, flag) in [("Selected", Flags::SELECTED), ("Checked", Flags::CHECKED)] {
        let names = named(now, turned_on(flag).filter(|index| now.node(*index).role != Role::Menu));
        if !names.is_empty() {
            sentences.push(format!("{word}: {names}."));
        }
    }
    if sentences.is_empty() {
        let count = changes.added.len() + changes.removed.len() + changes.changed.len();
        let windows = changes.windows_closed.len() + changes.windows_changed.len();
        sentences.push(format!("Changed: {count} element(s), {windows} window(s)."));
    }
    sentences.join(" ")
}

/// The labels of some elements, in quotes, as many as a sentence holds.
fn named(snapshot: &Snapshot, nodes: impl Iterator<Item = NodeIndex>) -> String {
    let labels: Vec<&str> = nodes.filter_map(|index| snapshot.node(index).label().map(str::trim)).collect();
    quoted(&labels)
}

/// Some labels in quotes; how many are left out is said.
pub(crate) fn quoted(labels: &[&str]) -> String {
    const LONGEST: usize = 60;
    let shown = labels.iter().take(MAX_NAMED).map(|label| match label.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &label[..end]),
        None => format!("{label:?}"),
    });
    let mut shown = shown.collect::<Vec<_>>().join(", ");
    if labels.len() > MAX_NAMED {
        shown.push_str(&format!(" and {} more", labels.len() - MAX_NAMED));
    }
    shown
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
