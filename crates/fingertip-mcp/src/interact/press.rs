//! Pressing an element: never another one, never through something that lies over it.

use std::time::Duration;

use fingertip_core::gesture::Gesture;
use fingertip_core::hit::{self, Obstacle};
use fingertip_core::target::{Expected, NodeAction};
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Point, Reason, Result, Role, Snapshot};

use super::element::{Found, Named, find, find_if, must_be_enabled};
use crate::call::{Call, within};

/// How long a finger stays down for a long click.
const LONG_CLICK: Duration = Duration::from_millis(1000);

/// A short or a long press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Press {
    Short,
    Long,
}

/// How it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    Native,
    Pointer,
}

impl Via {
    /// The word for it in replies.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Pointer => "pointer",
        }
    }
}

impl Press {
    fn flag(self) -> Flags {
        match self {
            Self::Short => Flags::CLICKABLE,
            Self::Long => Flags::LONG_CLICKABLE,
        }
    }

    pub(crate) fn action(self) -> NodeAction {
        match self {
            Self::Short => NodeAction::Click,
            Self::Long => NodeAction::LongClick,
        }
    }

    fn adjective(self) -> &'static str {
        match self {
            Self::Short => "clickable",
            Self::Long => "long-clickable",
        }
    }
}

/// Finds the element again and presses it.
pub(crate) async fn press(call: &Call, id: NodeId, press: Press) -> Result<Via> {
    let found = find_if(call, id, |found| is_sure(call, found, press)).await?;
    press_found(call, &found, &id, press).await
}

/// Whether an element found by an incremental look can be pressed for sure: natively, which the driver does to no other
/// element, enabled, and with nothing over it. What is refused, or done with the pointer, takes a proper look.
pub(crate) fn is_sure(call: &Call, found: &Found, press: Press) -> bool {
    let (snapshot, index) = (&found.snapshot, found.index);
    let receiver = reacting(snapshot, index, press)
        .filter(|_| press == Press::Short && snapshot.node(index).is(Flags::ENABLED));
    receiver.is_some_and(|receiver| call.can_act(snapshot, receiver, &press.action()))
        && hit::aim(snapshot, index).is_ok()
}

/// Presses an element that was found for this call.
pub(crate) async fn press_found(call: &Call, found: &Found, id: Named<'_>, press: Press) -> Result<Via> {
    let raised = raise_dialog(call, found).await?;
    let found = raised.as_ref().unwrap_or(found);
    let (snapshot, index) = (&found.snapshot, found.index);
    must_be_enabled(snapshot, index, id)?;
    let receiver = reacting(snapshot, index, press).ok_or_else(|| not_pressable(id, press))?;
    press_at(call, snapshot, index, receiver, id, press).await
}

/// Brings the dialog of an element to the front where it lies under a window that waits for its answer, and finds the
/// element again: the dialog comes first, and could not be answered otherwise.
pub(super) async fn raise_dialog(call: &Call, found: &Found) -> Result<Option<Found>> {
    let (snapshot, index) = (&found.snapshot, found.index);
    let Err(Obstacle::Covered { by }) = hit::aim(snapshot, index) else { return Ok(None) };
    let own = snapshot.window_of(index);
    let waits = by.window != own && snapshot.windows()[by.window].blocked_by.is_some();
    let (true, Some(id)) = (waits, found.node().id) else { return Ok(None) };
    if !call.can_act(snapshot, index, &NodeAction::Raise) {
        return Ok(None);
    }
    call.elements()?.act(snapshot, index, &NodeAction::Raise, call.deadline()).await?;
    find(call, id).await.map(Some)
}

/// The node that reacts when this one is pressed: itself, or the ancestor it is the label of. A tab of GTK 3 holds its whole
/// page, of which it is no part.
pub(crate) fn reacting(snapshot: &Snapshot, index: NodeIndex, press: Press) -> Option<NodeIndex> {
    let own = snapshot.node(index).bounds;
    let is_on_page = |candidate: NodeIndex| {
        let tab = snapshot.node(candidate);
        candidate != index && tab.role == Role::Tab && !tab.bounds.overlaps(own)
    };
    std::iter::once(index)
        .chain(snapshot.ancestors(index))
        .filter(|candidate| !is_on_page(*candidate))
        .find(|candidate| snapshot.node(*candidate).is(press.flag() | Flags::ENABLED))
}

/// Presses a node of a fresh snapshot; `receiver` is the node that reacts.
pub(crate) async fn press_at(
    call: &Call,
    snapshot: &Snapshot,
    index: NodeIndex,
    receiver: NodeIndex,
    id: Named<'_>,
    press: Press,
) -> Result<Via> {
    let aim = hit::aim(snapshot, index);
    let action = press.action();
    let in_the_way = matches!(aim, Err(Obstacle::Covered { .. } | Obstacle::Blocked { .. }));
    if !in_the_way && call.can_act(snapshot, receiver, &action) {
        call.elements()?.act(snapshot, receiver, &action, call.deadline()).await?;
        return Ok(Via::Native);
    }
    let point = aim.map_err(|obstacle| unreached(id, snapshot, &obstacle))?;
    if call.target().touch().is_none() {
        let why = call.target().shortcoming().map(|why| format!(" {}", why.message())).unwrap_or_default();
        return Err(Error::new(
            Reason::Unsupported,
            format!("Element '{id}' offers no such action, and there is no pointer here.{why}"),
        ));
    }
    must_be_on_top(call, snapshot, index, point, id).await?;
    let gesture = match press {
        Press::Short => Gesture::tap(point),
        Press::Long => Gesture::long_press(point, LONG_CLICK),
    };
    call.touch()?.gesture(&gesture, &Expected::anyone(), call.deadline()).await?;
    Ok(Via::Pointer)
}

/// The error of an element that the pointer does not reach.
pub(super) fn unreached(id: Named<'_>, snapshot: &Snapshot, obstacle: &Obstacle) -> Error {
    let how = obstacle.describe(snapshot);
    match obstacle {
        Obstacle::Covered { .. } => blocked(id, &how),
        Obstacle::Blocked { .. } => waits(id, &how),
        Obstacle::Unplaced => unplaced(id, &how),
        _ => out_of_reach(id, &how),
    }
}

/// Refuses a point over which another application's window lies: a snapshot of one application does not show it.
pub(super) async fn must_be_on_top(
    call: &Call,
    snapshot: &Snapshot,
    index: NodeIndex,
    point: Point,
    id: Named<'_>,
) -> Result<()> {
    if call.kind().reads_whole_screen() {
        return Ok(());
    }
    let own = &snapshot.windows()[snapshot.window_of(index)];
    // Popups too: what drops down from a window lies above those beside it.
    let windows =
        within(call.deadline(), "listing the windows", call.target().survey().receivers(call.deadline()))
            .await?;
    let top = windows.iter().find(|window| !window.minimized && window.bounds.contains(point));
    match top {
        Some(top) if !top.is_of_same_app(own) => {
            let window = match &top.title {
                Some(title) => format!("window '{title}'"),
                None => "a window without a title".to_owned(),
            };
            let app = top.app.as_deref().unwrap_or("another application");
            Err(blocked(id, &format!("lies under {window} of {app}")))
        }
        _ => Ok(()),
    }
}

fn not_pressable(id: Named<'_>, press: Press) -> Error {
    Error::new(Reason::Unsupported, format!("Element '{id}' is not {}; nothing was done.", press.adjective()))
        .with_guidance("Choose an element that is, or use tap or long_press at its bounds.")
}

fn blocked(id: Named<'_>, how: &str) -> Error {
    Error::new(Reason::Covered, format!("Element '{id}' {how}; nothing was done.")).with_guidance(
        "Close or move what covers it (press_back, on a desktop the key ESCAPE, closes a keyboard, menu or dialog), raise \
         its window, or scroll.",
    )
}

fn waits(id: Named<'_>, how: &str) -> Error {
    Error::new(Reason::Covered, format!("Element '{id}' {how}; nothing was done."))
        .with_guidance("Answer or close the dialog; get_screen_state shows it.")
}

fn unplaced(id: Named<'_>, how: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("Element '{id}' {how}; nothing was done.")).with_guidance(
        "The pointer is not sent there. Use what the element does by itself (perform_action, set_text), or the keyboard: \
         TAB and arrows go to it, ENTER or SPACE press it.",
    )
}

fn out_of_reach(id: Named<'_>, why: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("Element '{id}' {why}; nothing was done."))
        .with_guidance("Bring it into view with scroll_to_element first.")
}
