//! Scrolling an element into view: both ways, both directions, and not past the end of the list.

use std::time::Duration;

use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::hit::{self, Obstacle};
use fingertip_core::id::Located;
use fingertip_core::target::{Direction, Expected, NodeAction, Part, Scope};
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Reason, Rect, Result, Snapshot, fingerprint};

use super::element::{find, locate, owner};
use crate::call::Call;

/// How often an element's container is scrolled at the most.
pub(crate) const MAX_SCROLLS: u32 = 5;

/// How long an element may take to come into view natively, and how often it is looked for meanwhile.
const SHOWN_WITHIN: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How it came into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Revealed {
    Already,
    Natively,
    After(u32),
}

/// Brings the element into view: natively where it can, else by scrolling its nearest scrollable ancestor.
pub(crate) async fn reveal(call: &Call, id: NodeId) -> Result<Revealed> {
    match owner(call, id) {
        Some(_) => reveal_in_app(call, id).await,
        None => scroll_until_seen(call, id, call.scope().clone()).await,
    }
}

async fn reveal_in_app(call: &Call, id: NodeId) -> Result<Revealed> {
    let found = find(call, id).await?;
    if in_view(call, &found.snapshot, id) {
        return Ok(Revealed::Already);
    }
    let action = NodeAction::ShowOnScreen;
    if !call.can_act(&found.snapshot, found.index, &action) {
        return scroll_until_seen(call, id, found.scope).await;
    }
    call.elements()?.act(&found.snapshot, found.index, &action, call.deadline()).await?;
    let limit = call.deadline().slice(SHOWN_WITHIN);
    let shown = |snapshot: Snapshot| in_view(call, &snapshot, id).then_some(());
    // What is in view now is in the part that can be seen, and that is quickly read.
    match call.until(&visible(&found.scope), limit, LOOK_EVERY, shown).await? {
        Some(()) => Ok(Revealed::Natively),
        None => match scroll_until_seen(call, id, found.scope).await? {
            Revealed::Already => Ok(Revealed::Natively),
            scrolled => Ok(scrolled),
        },
    }
}

fn visible(scope: &Scope) -> Scope {
    match scope {
        Scope::App { app, .. } => Scope::App { app: app.clone(), part: Part::Visible },
        other => other.clone(),
    }
}

async fn scroll_until_seen(call: &Call, id: NodeId, scope: Scope) -> Result<Revealed> {
    let mut snapshot = call.look_at(&scope, call.deadline()).await?;
    let mut search = Search::default();
    for scrolls in 0..=MAX_SCROLLS {
        if in_view(call, &snapshot, id) {
            return Ok(if scrolls == 0 { Revealed::Already } else { Revealed::After(scrolls) });
        }
        if scrolls == MAX_SCROLLS {
            break;
        }
        let (container, direction) = search.next_step(call, &snapshot, id)?;
        let before = fingerprint::of(&snapshot);
        scroll(call, &snapshot, container, direction).await?;
        snapshot = call.look_at(&scope, call.deadline()).await?;
        if fingerprint::of(&snapshot) == before && !search.turn(direction) {
            return Err(not_reached(id, "the list ends there"));
        }
    }
    Err(not_reached(id, &format!("it is not in view after {MAX_SCROLLS} scrolls")))
}

/// Which way was tried already, so that the end of a list turns the search round once.
#[derive(Default)]
struct Search {
    forced: Option<Direction>,
    turned: bool,
}

impl Search {
    fn next_step(&self, call: &Call, snapshot: &Snapshot, id: NodeId) -> Result<(NodeIndex, Direction)> {
        let (container, wanted) = match locate(call, snapshot, id) {
            Ok(index) => beside(snapshot, index, id)?,
            Err(error) => remembered(call, snapshot, id).ok_or(error)?,
        };
        Ok((container, self.forced.unwrap_or(wanted)))
    }

    /// At an end of the list: the other way, once. False when both ends were seen.
    fn turn(&mut self, direction: Direction) -> bool {
        self.forced = Some(direction.opposite());
        !std::mem::replace(&mut self.turned, true)
    }
}

/// Whether enough of the element can be reached to act on it. One that is only covered is in view: scrolling
/// would not help.
fn in_view(call: &Call, snapshot: &Snapshot, id: NodeId) -> bool {
    let Ok(index) = locate(call, snapshot, id) else { return false };
    match hit::aim(snapshot, index) {
        Ok(_) | Err(Obstacle::Covered { .. }) => true,
        Err(_) => false,
    }
}

/// The container of an element that is in the tree but out of view, and the way to it.
fn beside(snapshot: &Snapshot, index: NodeIndex, id: NodeId) -> Result<(NodeIndex, Direction)> {
    let container = snapshot.ancestors(index).find(|ancestor| snapshot.node(*ancestor).is(Flags::SCROLLABLE));
    let container = container.ok_or_else(|| {
        Error::new(Reason::ActionFailed, format!("No scrollable container found for element '{id}'."))
    })?;
    let (outer, inner) = (snapshot.node(container).bounds, snapshot.node(index).bounds);
    Ok((container, way(outer, inner)))
}

/// The container in which an element was seen before it went out of view, and the way back to it.
fn remembered(call: &Call, snapshot: &Snapshot, id: NodeId) -> Option<(NodeIndex, Direction)> {
    let Located::Gone { .. } = call.attached().locate(snapshot, id) else { return None };
    let hint = call.attached().scroll_hint(snapshot, id)?;
    Some((hint.container, hint.direction))
}

/// Where `inner` lies as seen from `outer`; the axis on which it is further out decides.
fn way(outer: Rect, inner: Rect) -> Direction {
    let below = i64::from(inner.bottom) - i64::from(outer.bottom);
    let above = i64::from(outer.top) - i64::from(inner.top);
    let right = i64::from(inner.right) - i64::from(outer.right);
    let left = i64::from(outer.left) - i64::from(inner.left);
    [(below, Direction::Down), (above, Direction::Up), (right, Direction::Right), (left, Direction::Left)]
        .into_iter()
        .max_by_key(|(distance, _)| *distance)
        .map_or(Direction::Down, |(_, direction)| direction)
}

async fn scroll(call: &Call, snapshot: &Snapshot, container: NodeIndex, direction: Direction) -> Result<()> {
    let action = NodeAction::Scroll(direction);
    if call.can_act(snapshot, container, &action) {
        return call.elements()?.act(snapshot, container, &action, call.deadline()).await;
    }
    let area = snapshot.node(container).bounds.intersection(snapshot.screen.bounds());
    call.touch()?
        .gesture(&Gesture::scroll(area, direction, Amount::Large), &Expected::anyone(), call.deadline())
        .await
}

fn not_reached(id: NodeId, why: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("Could not scroll to element '{id}': {why}."))
        .with_guidance("Scroll on with the scroll tool and look again.")
}
