//! Bringing an object into view: by asking it, else by its scroll bars, else by the focus.
//!
//! Browsers do what `ScrollTo` asks; GTK and Qt say no, but their scroll bars can be set. How far a number
//! moves the content differs (pixels, rows), so each move is measured and the next one corrected by it. GTK 3
//! does not say where something out of view is; then its place in its list shows about how far to go.

use std::time::Duration;

use fingertip_core::{Error, Flags, Node, Reason, Rect, Result, Role};

use super::effect;
use super::verified::VerifiedObject;
use crate::bus::{Answer, Command};
use crate::client::{Client, MOST_IN_PANE, Origin};
use crate::handle::Handle;
use crate::place;
use crate::roles::number::SCROLL_BAR;
use crate::states::state;
use crate::tree::Source;

/// `ScrollTo`: anywhere in view.
const ANYWHERE: u32 = 6;
/// How often a scroll bar is moved at the most.
const MOVES: usize = 8;
/// Longer than toolkits take from a moved scroll bar to new places.
const FRAME: Duration = Duration::from_millis(60);
/// The most ancestors looked at for scroll bars.
const DEPTH: usize = 64;

/// Whether something in this node can be out of view.
pub(super) fn scrolls(node: &Node) -> bool {
    node.is(Flags::SCROLLABLE) || matches!(node.role, Role::ScrollArea | Role::Document | Role::WebView)
}

/// Brings it into view, and sees that it is.
pub(super) async fn show(object: &VerifiedObject<'_>) -> Result<()> {
    match object.command(Command::ScrollTo(ANYWHERE)).await {
        Ok(true) if effect::shows(object, |states| states.has(state::SHOWING)).await? => return Ok(()),
        Ok(true) => return Err(not_shown(object)),
        Ok(false) => {}
        Err(error) if error.says_no() => {}
        Err(error) => return Err(object.error_of(error, "scrolling to it")),
    }
    let VerifiedObject { client, handle, .. } = object;
    let pane = pane_of(client, handle)
        .await
        .map_err(|error| object.error_of(error, "looking for its scroll bars"))?;
    let Some((pane, bars)) = pane else {
        return Err(object
            .error(Reason::Unsupported, format!("{} is in nothing that scrolls.", object.node().summary())));
    };
    match move_bars(client, handle, &pane, &bars).await {
        Ok(true) => Ok(()),
        Ok(false) if object.node().is(Flags::FOCUSABLE) => follow_focus(object).await,
        Ok(false) => Err(not_shown(object)),
        Err(error) => Err(object.error_of(error, "moving its scroll bars")),
    }
}

/// The last resort: toolkits bring into view what gets the focus.
async fn follow_focus(object: &VerifiedObject<'_>) -> Result<()> {
    match object.command(Command::GrabFocus).await {
        Ok(true) if effect::shows(object, |states| states.has(state::SHOWING)).await? => Ok(()),
        Ok(_) => Err(not_shown(object)),
        Err(error) if error.says_no() => Err(not_shown(object)),
        Err(error) => Err(object.error_of(error, "giving it the focus")),
    }
}

fn not_shown(object: &VerifiedObject<'_>) -> Error {
    object
        .error(Reason::ActionFailed, format!("{} did not come into view.", object.node().summary()))
        .with_guidance("Scroll its list with the scroll tool and look again.")
}

/// The nearest ancestor with scroll bars, and these.
async fn pane_of(client: &Client<'_>, object: &Handle) -> Answer<Option<(Handle, Vec<Handle>)>> {
    let mut ancestor = client.parent_anywhere(object).await?;
    for _ in 0..DEPTH {
        if ancestor.is_nothing() {
            break;
        }
        let bars = bars_of(client, &ancestor).await?;
        if !bars.is_empty() {
            return Ok(Some((ancestor, bars)));
        }
        ancestor = client.parent_anywhere(&ancestor).await?;
    }
    Ok(None)
}

/// The scroll bars among the children of an object; Qt wraps each in a container.
async fn bars_of(client: &Client<'_>, pane: &Handle) -> Answer<Vec<Handle>> {
    let mut bars = Vec::new();
    for child in few_children(client, pane, MOST_IN_PANE).await? {
        if client.role(&child).await? == SCROLL_BAR {
            bars.push(child);
            continue;
        }
        for inner in few_children(client, &child, 1).await? {
            if client.role(&inner).await? == SCROLL_BAR {
                bars.push(inner);
            }
        }
    }
    Ok(bars)
}

/// The children of an object where there are at most so many, else none.
async fn few_children(client: &Client<'_>, object: &Handle, most: i32) -> Answer<Vec<Handle>> {
    match client.child_count(object).await? {
        count if (1..=most).contains(&count) => client.children(object).await,
        _ => Ok(Vec::new()),
    }
}

/// Moves the bars until the middle of the object is in the pane.
async fn move_bars(client: &Client<'_>, object: &Handle, pane: &Handle, bars: &[Handle]) -> Answer<bool> {
    let mut units_per_pixel = 1.0;
    for turn in 0..MOVES {
        for bar in bars {
            let horizontal = client.states(bar).await?.has(state::HORIZONTAL);
            let (outer, inner) = seen_in(client, pane, object).await?;
            if place::is_nowhere(inner) {
                if !horizontal {
                    approach(client, object, outer, bar, turn == 0).await?;
                    laid_out(client).await;
                }
                continue;
            }
            let pixels = distance(outer, inner, horizontal);
            if pixels == 0.0 {
                continue;
            }
            let before = client.number(bar, "CurrentValue").await?;
            client.set_number(bar, before + pixels * units_per_pixel).await?;
            laid_out(client).await;
            let moved = client.number(bar, "CurrentValue").await? - before;
            let (_, now) = seen_in(client, pane, object).await?;
            // One that left the screen reports places at the end of all numbers: these are not subtracted as integers.
            let [from, to] =
                [inner, now].map(|place| f64::from(if horizontal { place.left } else { place.top }));
            if moved != 0.0 && from != to && !place::is_nowhere(now) {
                units_per_pixel = (moved / (from - to)).abs();
            }
        }
        let (outer, inner) = seen_in(client, pane, object).await?;
        let reached = distance(outer, inner, true) == 0.0 && distance(outer, inner, false) == 0.0;
        if reached && !place::is_nowhere(inner) {
            return Ok(!inner.is_empty());
        }
    }
    Ok(false)
}

/// Where a pane and an object in it are. One that is shown, and yet reported elsewhere, is brought back.
async fn seen_in(client: &Client<'_>, pane: &Handle, object: &Handle) -> Answer<(Rect, Rect)> {
    let place = |handle| client.place(handle, Origin::Window);
    let (outer, inner) = tokio::try_join!(place(pane), place(object))?;
    if !outer.overlaps(inner) && client.states(object).await?.has(state::SHOWING) {
        return Ok((outer, place::unwrapped(inner, outer)));
    }
    Ok((outer, inner))
}

/// Waits for the frame in which the application lays its content out anew: until then places are the old ones.
async fn laid_out(client: &Client<'_>) {
    tokio::time::sleep_until(client.deadline.slice(FRAME).instant().into()).await;
}

/// Moves a bar to where an object that does not say its place should be, by its place in its list: at first as if all
/// rows were alike, then from what stands in the middle of the view as many rows on. To find that may take long.
async fn approach(
    client: &Client<'_>,
    object: &Handle,
    view: Rect,
    bar: &Handle,
    is_first: bool,
) -> Answer<()> {
    let Some((list, wanted, count)) = list_of(client, object).await? else { return Ok(()) };
    let number = |name| client.number(bar, name);
    let (minimum, maximum, before) =
        tokio::try_join!(number("MinimumValue"), number("MaximumValue"), number("CurrentValue"))?;
    let content = maximum - minimum + f64::from(view.height());
    let wanted = f64::from(wanted) + 0.5;
    let goal = match count {
        Some(count) if is_first => {
            minimum + wanted / f64::from(count) * content - f64::from(view.height()) / 2.0
        }
        _ => {
            let middle = view.center();
            let child = client.at_point(&list, (middle.x as i32, middle.y as i32), Origin::Window).await?;
            // It may be something deeper.
            if child.is_nothing() || child == list || client.parent_anywhere(&child).await? != list {
                return Ok(());
            }
            let rows = wanted - (f64::from(client.index(&child).await?) + 0.5);
            // A list that does not count its rows: about as high as the one in the middle, each.
            let each = match count {
                Some(count) => content / f64::from(count),
                None => f64::from(client.place(&child, Origin::Window).await?.height()),
            };
            before + rows * each
        }
    };
    client.set_number(bar, goal.clamp(minimum, maximum.max(minimum))).await
}

/// The nearest list an object is in, its place there, and how many there are; GTK 3 does not count the rows of all.
async fn list_of(client: &Client<'_>, object: &Handle) -> Answer<Option<(Handle, i32, Option<i32>)>> {
    let mut item = object.clone();
    for _ in 0..DEPTH {
        let list = client.parent_anywhere(&item).await?;
        if list.is_nothing() {
            break;
        }
        let count = client.child_count(&list).await?;
        if !(0..=MOST_IN_PANE).contains(&count) {
            return Ok(Some((list, client.index(&item).await?, (count > 0).then_some(count))));
        }
        item = list;
    }
    Ok(None)
}

/// How far the content must move to bring the middle of `inner` to the middle of `outer`; nothing when enough
/// of it is to be seen already.
fn distance(outer: Rect, inner: Rect, horizontal: bool) -> f64 {
    let (start, end, middle, goal) = if horizontal {
        (outer.left, outer.right, inner.center().x, outer.center().x)
    } else {
        (outer.top, outer.bottom, inner.center().y, outer.center().y)
    };
    if middle >= f64::from(start) && middle < f64::from(end) { 0.0 } else { middle - goal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_view_need_not_move() {
        let pane = Rect::new(0, 0, 100, 100);
        assert_eq!(distance(pane, Rect::new(0, 90, 10, 105), false), 0.0);
        assert_eq!(distance(pane, Rect::new(0, 200, 10, 220), false), 160.0);
        assert_eq!(distance(pane, Rect::new(0, -40, 10, -20), false), -80.0);
        assert_eq!(distance(pane, Rect::new(150, 0, 170, 10), true), 110.0);
    }
}
