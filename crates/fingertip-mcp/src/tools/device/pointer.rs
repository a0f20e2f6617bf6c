//! What the tools have in common that point at an element or a place: their parameters, and looking at what they did.

use std::time::Duration;

use fingertip_core::diff::Changes;
use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::target::{Direction, Drag, Pointing, Scope};
use fingertip_core::{
    Error, Flags, NodeIndex, Point, Reason, Rect, Result, Role, Snapshot, fingerprint, hit,
};

use super::shared::{coordinate, must_be_on_screen};
use crate::call::{Call, within};
use crate::interact::{ActionOutcome, Aimed, Enough, Needs, Spot, any_change, look_after, new_tooltips};
use crate::params::{Arguments, ElementId, OptionalElementId, OptionalNumber, Param};
use crate::reply::Reply;

/// The element that is pointed at.
pub(super) const ELEMENT_ID: OptionalElementId =
    ElementId::optional("element_id", "Element id or selector; or give x and y");
/// Where is pointed at.
pub(super) const X: OptionalNumber = coordinate("x", "X in pixels").as_x().or_nothing();
/// Where is pointed at.
pub(super) const Y: OptionalNumber = coordinate("y", "Y in pixels").as_y().or_nothing();
/// The element something is dropped on.
pub(super) const TO_ELEMENT_ID: OptionalElementId =
    ElementId::optional("to_element_id", "Element id or selector to drop on; or give to_x and to_y")
        .dropped_on();
/// Where something is dropped.
pub(super) const TO_X: OptionalNumber = coordinate("to_x", "X in pixels").as_x().or_nothing();
/// Where something is dropped.
pub(super) const TO_Y: OptionalNumber = coordinate("to_y", "Y in pixels").as_y().or_nothing();

/// The place that is pointed at.
pub(super) const FROM: Where = Where { element: &ELEMENT_ID, x: &X, y: &Y };
/// The place something is dropped at.
pub(super) const TO: Where = Where { element: &TO_ELEMENT_ID, x: &TO_X, y: &TO_Y };

/// How long an effect may take to show.
const EFFECT_WITHIN: Duration = Duration::from_millis(700);
/// How long a menu may take to open.
const MENU_WITHIN: Duration = Duration::from_millis(1500);
/// How long a tooltip may take to come: toolkits wait half a second and more.
const TIP_WITHIN: Duration = Duration::from_millis(1500);
/// How often a scrolled view is looked at where changes are not reported.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How far one notch of the wheel goes at the most, in pixels, in any toolkit.
const NOTCH_PIXELS: f64 = 100.0;
/// The most notches of one scroll.
const MAX_NOTCHES: f64 = 30.0;

/// The parameters that name a place: an element, or both coordinates.
pub(super) struct Where {
    element: &'static OptionalElementId,
    x: &'static OptionalNumber,
    y: &'static OptionalNumber,
}

impl Where {
    /// The place, if one is named.
    ///
    /// # Errors
    /// Names the parameter that is wrong, missing or too many.
    pub(super) fn read(&self, arguments: Arguments<'_>) -> Result<Option<Spot>> {
        let (element, x, y) =
            (self.element.read(arguments)?, self.x.read(arguments)?, self.y.read(arguments)?);
        match (element, x, y) {
            (Some(id), None, None) => Ok(Some(Spot::Element(id))),
            (None, Some(x), Some(y)) => Ok(Some(Spot::At(Point::new(x, y)))),
            (None, None, None) => Ok(None),
            (Some(_), ..) => Err(Error::invalid(format!("{}, not both.", self.either()))),
            (None, Some(_), None) => Err(missing(self.y)),
            (None, None, Some(_)) => Err(missing(self.x)),
        }
    }

    /// The place that must be named.
    ///
    /// # Errors
    /// Names the parameter that is wrong, missing or too many.
    pub(super) fn required(&self, arguments: Arguments<'_>) -> Result<Spot> {
        self.read(arguments)?.ok_or_else(|| Error::invalid(format!("{}.", self.either())))
    }

    fn either(&self) -> String {
        format!("Give '{}', or '{}' and '{}'", self.element.name(), self.x.name(), self.y.name())
    }

    /// Refuses a point beyond the screen.
    async fn must_be_on_screen(&self, call: &Call, spot: &Spot) -> Result<()> {
        match spot {
            Spot::At(point) => {
                must_be_on_screen(call, &[(*point, self.x.name(), self.y.name())]).await.map(drop)
            }
            Spot::Element(_) => Ok(()),
        }
    }
}

fn missing(param: &OptionalNumber) -> Error {
    Error::invalid(format!("Missing required parameter '{}'.", param.name()))
}

/// What is done at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    RightClick,
    DoubleClick,
    Hover,
}

/// Does it, and says what became of it.
pub(super) async fn act_at(call: &Call, spot: &Spot, act: Act) -> Result<Reply> {
    FROM.must_be_on_screen(call, spot).await?;
    let needs = if act == Act::Hover { Needs::There } else { Needs::Enabled };
    let aimed = Aimed::find(call, spot, needs).await?;
    let watched = Watched::from(call, &aimed).await?;
    let (deadline, to) = (call.deadline(), aimed.owner());
    let (done, within, enough): (_, _, Enough) = match act {
        Act::RightClick => {
            call.pointer()?.point(&Pointing::RightClick(aimed.point), &to, deadline).await?;
            ("Right click", MENU_WITHIN, opened)
        }
        Act::DoubleClick => {
            call.touch()?.gesture(&Gesture::double_tap(aimed.point), &to, deadline).await?;
            ("Double click", EFFECT_WITHIN, any_change)
        }
        Act::Hover => {
            call.pointer()?.point(&Pointing::Hover(aimed.point), &to, deadline).await?;
            ("Hover", TIP_WITHIN, opened)
        }
    };
    let became = watched.sentence(call, within, enough).await?;
    Ok(Reply::quoting(&format!("{done} performed on {spot}. {became}")))
}

/// Drags from one place to another, and says what became of it at both.
pub(super) async fn drag(call: &Call, from: &Spot, to: &Spot) -> Result<Reply> {
    FROM.must_be_on_screen(call, from).await?;
    TO.must_be_on_screen(call, to).await?;
    let start = Aimed::find(call, from, Needs::Enabled).await?;
    let end = Aimed::find(call, to, Needs::There).await?;
    // To bring one window to the front may have covered the other.
    let start = if end.found.is_some() { Aimed::find(call, from, Needs::Enabled).await? } else { start };
    let (here, there) = (Watched::from(call, &start).await?, Watched::from(call, &end).await?);
    let drag = Drag { from: start.point, to: end.point, onto: end.window() };
    call.touch()?.drag(&drag, &start.owner(), call.deadline()).await?;
    let mut became = there.sentence(call, EFFECT_WITHIN, any_change).await?;
    if here.scope() != there.scope() {
        let at_start = here.sentence(call, Duration::ZERO, any_change).await?;
        became = format!("Where it was dropped: {became} Where it came from: {at_start}");
    }
    Ok(Reply::quoting(&format!("Drag performed from {from} to {to}. {became}")))
}

/// What is looked at before and after.
struct Watched {
    before: Option<(Scope, Snapshot)>,
    seen: u64,
}

impl Watched {
    async fn from(call: &Call, aimed: &Aimed) -> Result<Self> {
        Ok(Self { before: aimed.surroundings(call).await?, seen: call.activity() })
    }

    fn scope(&self) -> Option<&Scope> {
        self.before.as_ref().map(|(scope, _)| scope)
    }

    async fn sentence(&self, call: &Call, within: Duration, enough: Enough) -> Result<String> {
        let Some((scope, before)) = &self.before else {
            return Ok("What it did could not be seen: nothing there can be read.".to_owned());
        };
        let after: ActionOutcome = look_after(call, scope, before, self.seen, within, enough).await?;
        Ok(after.sentence(before))
    }
}

/// Whether a menu, a tooltip or another window came.
fn opened(before: &Snapshot, now: &Snapshot, changes: &Changes) -> bool {
    let comes = |index: &NodeIndex| {
        let node = now.node(*index);
        node.is(Flags::VISIBLE) && matches!(node.role, Role::MenuItem | Role::Menu | Role::Tooltip)
    };
    let changed = changes.changed.iter().map(|change| change.new);
    !changes.windows_opened.is_empty()
        || new_tooltips(before, now).next().is_some()
        || changes.added.iter().copied().chain(changed).any(|index| comes(&index))
}

/// Scrolls what is at a place; false when nothing moved.
pub(super) async fn scroll_at(
    call: &Call,
    spot: &Spot,
    direction: Direction,
    amount: Amount,
) -> Result<bool> {
    FROM.must_be_on_screen(call, spot).await?;
    let aimed = Aimed::find(call, spot, Needs::There).await?;
    let before = aimed.surroundings(call).await?;
    let node = match (&aimed.found, &before) {
        (Some(found), _) => Some(found.index),
        (None, Some((_, snapshot))) => hit::receiver(snapshot, aimed.point).and_then(|found| found.node),
        (None, None) => None,
    };
    let area = before.as_ref().zip(node).and_then(|((_, snapshot), node)| scrolled(snapshot, node));
    let (deadline, to) = (call.deadline(), aimed.owner());
    match call.target().pointer() {
        None => {
            let area = area.ok_or_else(|| {
                Error::new(
                    Reason::ActionFailed,
                    format!("Nothing at {spot} can be scrolled; nothing was done."),
                )
                .with_guidance("Choose an element in a list, or leave the place out to scroll the screen.")
            })?;
            call.touch()?.gesture(&Gesture::scroll(area, direction, amount), &to, deadline).await?;
        }
        Some(pointer) => {
            let area = match area {
                Some(area) => area,
                None => window_at(call, aimed.point).await?,
            };
            let notches = notches(area, direction, amount);
            let wheel = Pointing::Wheel { at: aimed.point, direction, notches };
            pointer.point(&wheel, &to, deadline).await?;
        }
    }
    let Some((scope, before)) = before else { return Ok(true) };
    let still = fingerprint::of(&before);
    let limit = deadline.slice(EFFECT_WITHIN);
    let moved = call
        .until(&scope, limit, LOOK_EVERY, |snapshot| (fingerprint::of(&snapshot) != still).then_some(()))
        .await?;
    Ok(moved.is_some())
}

/// The visible part of the nearest thing around a node that scrolls.
fn scrolled(snapshot: &Snapshot, node: NodeIndex) -> Option<Rect> {
    let mut around = std::iter::once(node).chain(snapshot.ancestors(node));
    let scrolls = around.find(|index| snapshot.node(*index).is(Flags::SCROLLABLE))?;
    Some(hit::visible_part(snapshot, scrolls)).filter(|area| !area.is_empty())
}

async fn window_at(call: &Call, point: Point) -> Result<Rect> {
    let deadline = call.deadline();
    let windows = within(deadline, "listing the windows", call.target().survey().receivers(deadline)).await?;
    let top = windows.iter().find(|window| !window.minimized && window.bounds.contains(point));
    Ok(top.map(|window| window.bounds).unwrap_or_default())
}

/// How often the wheel clicks to move a view by its share.
fn notches(area: Rect, direction: Direction, amount: Amount) -> u32 {
    let length = match direction {
        Direction::Up | Direction::Down => area.height(),
        Direction::Left | Direction::Right => area.width(),
    };
    (f64::from(length) * amount.share() / NOTCH_PIXELS).round().clamp(1.0, MAX_NOTCHES) as u32
}
