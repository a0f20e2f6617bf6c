//! Finding the element a call names, in a snapshot taken for this call.

use std::fmt::Display;

use fingertip_core::id::Located;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_core::{Error, Flags, Node, NodeId, NodeIndex, Reason, Result, Snapshot};

use super::describe::candidates;
use crate::call::Call;

/// What to do when an id leads nowhere.
const LOOK_AGAIN: &str = "Look again with get_screen_state or find_elements and use an id from there.";
/// The same, where the desktop tools are offered too.
const LOOK_AGAIN_AT_DESKTOP: &str =
    "Look again with get_screen_state, find_elements or find_element and use an id from there.";

/// How a call names an element, for messages.
pub(crate) type Named<'a> = &'a (dyn Display + Sync);

/// Where the node of an id is, or why there is none.
pub(crate) fn locate(call: &Call, snapshot: &Snapshot, id: NodeId) -> Result<NodeIndex> {
    let (reason, what, near) = match call.attached().locate(snapshot, id) {
        Located::Found(index) => return Ok(index),
        Located::Gone { nearest } => (Reason::Stale, "is no longer on the screen", nearest),
        Located::Ambiguous { candidates } => {
            (Reason::Ambiguous, "cannot be told apart from others like it any more", candidates)
        }
        Located::Unknown { nearest } => {
            (Reason::NotFound, "was not found: no such id was ever given", nearest)
        }
    };
    Err(Error::new(reason, format!("Element '{id}' {what}."))
        .with_guidance(look_again(call))
        .with_candidates(candidates(snapshot, &near)))
}

fn look_again(call: &Call) -> &'static str {
    if call.kind().reads_whole_screen() { LOOK_AGAIN } else { LOOK_AGAIN_AT_DESKTOP }
}

/// An element in a snapshot taken for this call.
pub(crate) struct Found {
    /// What was read.
    pub(crate) scope: Scope,
    pub(crate) snapshot: Snapshot,
    pub(crate) index: NodeIndex,
}

impl Found {
    pub(crate) fn node(&self) -> &Node {
        self.snapshot.node(self.index)
    }
}

/// Looks where the element was seen, and finds it.
pub(crate) async fn find(call: &Call, id: NodeId) -> Result<Found> {
    find_anew(call, id, Part::Visible).await
}

/// Finds the element by an incremental look where that is enough to act on it, which `is_sure` decides; else by a full one.
pub(crate) async fn find_if(call: &Call, id: NodeId, is_sure: impl Fn(&Found) -> bool) -> Result<Found> {
    let Some(app) = owner(call, id) else { return find(call, id).await };
    let scope = Scope::App { app, part: Part::Visible };
    let snapshot = call.incremental_look_at(&scope).await.map_err(|error| of_owner(error, id))?;
    let was_read = !snapshot.recalled;
    match locate(call, &snapshot, id) {
        Ok(index) => {
            let found = Found { scope, snapshot, index };
            if was_read || is_sure(&found) { Ok(found) } else { find(call, id).await }
        }
        Err(_) => find_anew(call, id, if was_read { Part::Whole } else { Part::Visible }).await,
    }
}

/// Looks for an element in this part of its application, and then in all of it.
async fn find_anew(call: &Call, id: NodeId, part: Part) -> Result<Found> {
    let Some(app) = owner(call, id) else {
        let (scope, snapshot) = (call.scope().clone(), call.look().await?);
        let index = locate(call, &snapshot, id)?;
        return Ok(Found { scope, snapshot, index });
    };
    if part == Part::Visible {
        let scope = Scope::App { app: app.clone(), part };
        let snapshot = look_at_owner(call, &scope, id).await?;
        if let Ok(index) = locate(call, &snapshot, id) {
            return Ok(Found { scope, snapshot, index });
        }
    }
    // Out of view is not gone.
    let scope = Scope::App { app, part: Part::Whole };
    let snapshot = look_at_owner(call, &scope, id).await?;
    let index = locate(call, &snapshot, id)?;
    Ok(Found { scope, snapshot, index })
}

/// The application an element belongs to, where elements of several can be read.
pub(crate) fn owner(call: &Call, id: NodeId) -> Option<AppRef> {
    call.attached().app_of(id)
}

async fn look_at_owner(call: &Call, scope: &Scope, id: NodeId) -> Result<Snapshot> {
    call.look_at(scope, call.deadline()).await.map_err(|error| of_owner(error, id))
}

/// An application that is gone has taken its elements with it.
fn of_owner(error: Error, id: NodeId) -> Error {
    match error.reason() {
        Reason::NotRunning | Reason::NotFound => Error::new(
            Reason::Stale,
            format!("Element '{id}' is gone: its application is not running any more."),
        )
        .with_guidance("Start the application, then look again."),
        _ => error,
    }
}

/// The editable element that has the input focus.
pub(crate) fn focused_editable(snapshot: &Snapshot) -> Result<NodeIndex> {
    snapshot.focused_node().filter(|index| snapshot.node(*index).is(Flags::EDITABLE)).ok_or_else(|| {
        Error::new(Reason::NotFound, "No focused editable element found.")
            .with_guidance("Name the field with 'element_id', or click it first.")
    })
}

/// Refuses an element that does not react to the user now.
pub(crate) fn must_be_enabled(snapshot: &Snapshot, index: NodeIndex, id: Named<'_>) -> Result<()> {
    if snapshot.node(index).is(Flags::ENABLED) {
        return Ok(());
    }
    Err(Error::new(Reason::Disabled, format!("Element '{id}' is disabled; nothing was done."))
        .with_guidance("Wait until it is enabled, or do first what it waits for."))
}

/// Refuses an element whose text cannot be changed.
pub(crate) fn must_be_editable(snapshot: &Snapshot, index: NodeIndex, id: Named<'_>) -> Result<()> {
    must_be_enabled(snapshot, index, id)?;
    if snapshot.node(index).is(Flags::EDITABLE) {
        return Ok(());
    }
    Err(Error::new(Reason::Unsupported, format!("Element '{id}' is not editable; nothing was done."))
        .with_guidance("Choose an element that get_screen_state shows as editable."))
}
