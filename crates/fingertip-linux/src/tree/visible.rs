//! Which children of a long list can be seen, without asking for all of them.
//!
//! A table of a hundred thousand rows shows thirty. Its scroll bar shows about where these are ([`scrolled_to`]), or a few
//! points of it are asked for the child that lies there, few because toolkits may search all rows for one; the children
//! from the first to the last of those are read, and more at both ends until they are off screen. The header of a
//! scrolled table is far from its first visible row, so there can be several such ranges. Where no point is answered, all
//! children are asked where they are.
//!
//! Ranges take it that neighbours in the list are neighbours on the screen: a page that places its many
//! children in no order may show one that is not read.

use std::ops::{Range, RangeInclusive};

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::Source;
use super::source::Bar;
use super::walk::IN_FLIGHT;
use crate::bus::{Answer, Answered, CallError};
use crate::handle::Handle;
use crate::place::{is_nowhere, unwrapped};
use crate::roles;

/// How far below the top the first row of a table with a header is sought, in pixels.
const HEADER: i32 = 40;
/// How many ancestors of a list are asked what part of it they show.
const ANCESTORS: usize = 3;
/// How far from its edges a list is probed, in pixels.
pub(super) const INSET: i32 = 6;
/// How many children beyond the outermost ones that were hit are read: rows cut off at the edges.
const MARGIN: i32 = 4;
/// How many children are asked at once where they are: as many calls as when [`IN_FLIGHT`] objects are read.
const PLACES_IN_FLIGHT: usize = 4 * IN_FLIGHT;
/// How many children are read without asking each whether it is visible.
const FEW: usize = 150;
/// How many children more are taken at a time while the outermost one is still visible.
const STEP: i32 = 8;
/// How many children are asked first.
const SAMPLES: usize = 16;
/// How far from the row that the bar points to others are tried, each time twice as far.
const NEAR: [i32; 3] = [0, 16, 256];
/// Children nearer to each other than this are read with all between them.
const BRIDGE: i32 = 256;

/// The visible children; `None` when the toolkit does not report what lies where.
pub(super) async fn rows(source: &dyn Source, list: &Handle, count: i32) -> Answer<Option<Vec<Handle>>> {
    let asked = async {
        let area = area(source, list).await?;
        let indices = match scrolled_to(source, list, area, count).await? {
            // The header of a table comes first and stays visible.
            Some(index) if is_in(source, &source.child_at(list, 0).await?, area).await? => vec![0, index],
            Some(index) => vec![index],
            None => {
                let hits = probe(source, list, area).await?;
                let Some(indices) = confirmed(source, list, area, hits).await? else { return Ok(None) };
                indices
            }
        };
        let mut parts = Vec::new();
        for part in ranges(indices, count) {
            parts.push(grown(source, list, area, part, count).await?);
        }
        Ok(Some(merged(parts)))
    };
    let Some(parts) = asked.await.missing_ok()?.flatten() else { return Ok(None) };
    let mut children = Vec::new();
    for part in parts {
        children.extend(range(source, list, part).await?);
    }
    Ok(Some(children))
}

/// Those children that lie in the part of the list that is visible, as they report it. Where they stand in no order
/// that is one call for each, a fraction of what reading a child takes. What does not report its place is kept.
pub(super) async fn inside(source: &dyn Source, list: &Handle, children: Vec<Handle>) -> Answer<Vec<Handle>> {
    let area = area(source, list).await.missing_ok()?.filter(|area| !area.is_empty());
    let Some(area) = area else { return Ok(children) };
    let children = match span(source, &children, area).await? {
        Some(span) if span.len() <= FEW => return Ok(children[span].to_vec()),
        Some(span) => children[span].to_vec(),
        None => children,
    };
    let asked = stream::iter(children).map(|child| async move {
        let is_in = is_in(source, &child, area).await.missing_ok()?.unwrap_or(true);
        Ok(is_in.then_some(child))
    });
    asked.buffered(PLACES_IN_FLIGHT).try_filter_map(async |child| Ok(child)).try_collect().await
}

/// The children from this index to that one.
pub(super) async fn range(
    source: &dyn Source,
    list: &Handle,
    indices: RangeInclusive<i32>,
) -> Answer<Vec<Handle>> {
    let asked = stream::iter(indices).map(|index| source.child_at(list, index)).buffered(IN_FLIGHT);
    let present = |child: Answer<Handle>| async move {
        match child {
            Ok(child) => Ok((!child.is_nothing()).then_some(child)),
            Err(error) if error.says_no() => Ok(None),
            Err(error) => Err(error),
        }
    };
    asked.then(present).try_filter_map(async |child| Ok(child)).try_collect().await
}

/// What lies at some points of a list.
///
/// Chromium answers with what it found last, wherever the point is inside of that, until it has looked anew. The corner
/// that is most likely to be empty comes first, so that it is not the list itself that was found last.
async fn probe(source: &dyn Source, list: &Handle, area: Rect) -> Answer<Vec<(Handle, i32)>> {
    let (width, height) = (area.width() - 2 * INSET, area.height() - 2 * INSET);
    if width <= 0 || height <= 0 {
        return Ok(Vec::new());
    }
    let (left, top) = (area.left + INSET, area.top + INSET);
    let heights = [0, HEADER.min(height), height / 2, height];
    let column = heights.map(|down| (left, top + down));
    let points = [(left + width, top + height)].into_iter().chain(column);
    let asked = stream::iter(points).map(|(x, y)| source.child_at_point(list, x, y)).buffered(IN_FLIGHT);
    asked.try_filter_map(async |hit| Ok(hit)).try_collect().await
}

/// Whether an object overlaps this area.
async fn is_in(source: &dyn Source, object: &Handle, area: Rect) -> Answer<bool> {
    Ok(placed(source, source.extents(object).await?, area).overlaps(area))
}

/// Where something is that is said to be there and may be seen in this area.
fn placed(source: &dyn Source, reported: Rect, area: Rect) -> Rect {
    if source.wraps_places() { unwrapped(reported, area) } else { reported }
}

/// The part of a list that is visible: it may be longer than what it is scrolled in. What drops down from a combo box is
/// not inside of that, whose child it is.
pub(super) async fn area(source: &dyn Source, list: &Handle) -> Answer<Rect> {
    let own = source.extents(list).await?;
    let mut view: Option<Rect> = None;
    let mut inner = list.clone();
    for _ in 0..ANCESTORS {
        let Some(outer) = source.parent(&inner).await? else { break };
        let (role, extents) = tokio::join!(source.role(&outer), source.extents(&outer));
        if roles::opens_popup(role?) {
            break;
        }
        match extents {
            Ok(extents) if extents.is_empty() || is_nowhere(extents) => {}
            Ok(extents) => view = Some(view.map_or(extents, |view| view.intersection(extents))),
            Err(error) if error.says_no() => break,
            Err(error) => return Err(error),
        }
        inner = outer;
    }
    Ok(view.map_or(own, |view| placed(source, own, view).intersection(view)))
}

/// The indices of those hits that are visible; `None` when there are none, or when one is not of a child of the list
/// itself: a toolkit may answer with what is in a child, or was there before.
async fn confirmed(
    source: &dyn Source,
    list: &Handle,
    area: Rect,
    hits: Vec<(Handle, i32)>,
) -> Answer<Option<Vec<i32>>> {
    let mut indices = Vec::new();
    for (handle, index) in hits {
        if indices.contains(&index) {
            continue;
        }
        if index < 0 || source.child_at(list, index).await? != handle {
            return Ok(None);
        }
        if is_in(source, &handle, area).await? {
            indices.push(index);
        }
    }
    Ok((!indices.is_empty()).then_some(indices))
}

/// A range with more children at its ends, until those are off screen.
async fn grown(
    source: &dyn Source,
    list: &Handle,
    area: Rect,
    part: RangeInclusive<i32>,
    count: i32,
) -> Answer<RangeInclusive<i32>> {
    let is_in_sight = async |index| {
        let child = source.child_at(list, index).await?;
        is_in(source, &child, area).await
    };
    let (mut start, mut end) = part.into_inner();
    while start > 0 && is_in_sight(start).await? {
        start = (start - STEP).max(0);
    }
    while end < count - 1 && is_in_sight(end).await? {
        end = (end + STEP).min(count - 1);
    }
    Ok(start..=end)
}

/// Ranges that hold all these indices and some around them.
fn ranges(mut indices: Vec<i32>, count: i32) -> Vec<RangeInclusive<i32>> {
    indices.sort_unstable();
    indices.dedup();
    let mut clusters: Vec<(i32, i32)> = Vec::new();
    for index in indices {
        match clusters.last_mut() {
            Some((_, end)) if index - *end <= BRIDGE => *end = index,
            _ => clusters.push((index, index)),
        }
    }
    let widened = |(start, end): (i32, i32)| (start - MARGIN).max(0)..=(end + MARGIN).min(count - 1);
    merged(clusters.into_iter().map(widened).collect())
}

/// The same ranges, which are in order, with those that overlap as one.
fn merged(parts: Vec<RangeInclusive<i32>>) -> Vec<RangeInclusive<i32>> {
    let mut ranges: Vec<RangeInclusive<i32>> = Vec::new();
    for range in parts {
        match ranges.last_mut() {
            Some(before) if range.start() <= before.end() => {
                *before = *before.start()..=*range.end().max(before.end());
            }
            _ => ranges.push(range),
        }
    }
    ranges
}

/// A row that overlaps this area, by how far the scroll bar is: rows are mostly of one height, so that the bar shows which
/// one is in the middle of the view, and where they are not, one visible is near it. `None` without a bar, or if it is not so.
async fn scrolled_to(source: &dyn Source, list: &Handle, area: Rect, count: i32) -> Answer<Option<i32>> {
    let Some(bar) = bar_of(source, list).await? else { return Ok(None) };
    let likely = middle(bar, area.height(), count);
    let mut tried = 0;
    for reach in NEAR {
        // The nearest come first, and none again.
        let around = (tried..=reach)
            .flat_map(|step| [likely - step, likely + step].into_iter().skip(usize::from(step == 0)));
        let around = around.filter(|index| (0..count).contains(index));
        let looked = stream::iter(around).map(async |index| {
            let child = source.child_at(list, index).await?;
            Ok::<_, CallError>(is_in(source, &child, area).await?.then_some(index))
        });
        let mut seen = std::pin::pin!(looked.buffered(IN_FLIGHT).try_filter_map(async |index| Ok(index)));
        if let Some(index) = seen.try_next().await? {
            return Ok(Some(index));
        }
        tried = reach + 1;
    }
    Ok(None)
}

/// The scroll bar of the nearest ancestor that has one.
async fn bar_of(source: &dyn Source, list: &Handle) -> Answer<Option<Bar>> {
    let mut inner = list.clone();
    for _ in 0..ANCESTORS {
        let Some(pane) = source.parent(&inner).await? else { break };
        if let Some(bar) = source.scroll_bar(&pane).await? {
            return Ok(Some(bar));
        }
        inner = pane;
    }
    Ok(None)
}

/// The row in the middle of a view of this height, were all rows alike.
fn middle(bar: Bar, height: i32, count: i32) -> i32 {
    let height = f64::from(height);
    let share = (bar.at + height / 2.0) / (bar.length + height);
    if !share.is_finite() {
        return 0;
    }
    ((share * f64::from(count)) as i32).clamp(0, count - 1)
}

/// The visible children of a list that has them one below the other, by halving: a browser reports where each of a thousand
/// rows is, visible or not. Some, evenly spread, show whether they stand in order; then those at both ends of the view are
/// found in a few steps. `None` when they do not stand in order or do not report their places.
async fn span(source: &dyn Source, children: &[Handle], area: Rect) -> Answer<Option<Range<usize>>> {
    let found = async {
        let Some(samples) = samples(source, children).await? else { return Ok(None) };
        let start = edge(source, children, &samples, |place| place.bottom > area.top);
        let end = edge(source, children, &samples, |place| place.top >= area.bottom);
        let (start, end) = tokio::try_join!(start, end)?;
        Ok(Some(start..end.max(start)))
    };
    Ok(found.await.missing_ok()?.flatten())
}

/// Some children and where they are, when these are in order.
async fn samples(source: &dyn Source, children: &[Handle]) -> Answer<Option<Vec<(usize, Rect)>>> {
    let Some(last) = children.len().checked_sub(1) else { return Ok(None) };
    let mut positions: Vec<usize> = (0..SAMPLES).map(|sample| sample * last / (SAMPLES - 1)).collect();
    positions.dedup();
    let asked = stream::iter(positions)
        .map(async |position| source.extents(&children[position]).await.map(|place| (position, place)));
    let samples: Vec<(usize, Rect)> = asked.buffered(IN_FLIGHT).try_collect().await?;
    let reported = samples.iter().all(|(_, place)| !place.is_empty() && !is_nowhere(*place));
    let descends = |pair: &[(usize, Rect)]| {
        let (before, after) = (pair[0].1, pair[1].1);
        before.top <= after.top && before.bottom <= after.bottom
    };
    Ok((reported && samples.windows(2).all(descends)).then_some(samples))
}

/// The first child for which this holds, as it does for all after it; the number of children when it holds for none.
async fn edge(
    source: &dyn Source,
    children: &[Handle],
    samples: &[(usize, Rect)],
    holds: impl Fn(Rect) -> bool,
) -> Answer<usize> {
    let after = samples.partition_point(|(_, place)| !holds(*place));
    let mut low = after.checked_sub(1).map_or(0, |before| samples[before].0 + 1);
    let mut high = samples.get(after).map_or(children.len(), |(position, _)| *position);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(source.extents(&children[middle]).await?) { high = middle } else { low = middle + 1 }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_view_are_one_range_with_a_margin() {
        assert_eq!(ranges(vec![100, 104, 110, 122], 2000), [96..=126]);
    }

    #[test]
    fn a_header_far_above_is_a_range_of_its_own() {
        assert_eq!(ranges(vec![0, 1, 1000, 1030], 2000), [0..=5, 996..=1034]);
    }

    #[test]
    fn ranges_stay_inside_the_list_and_apart() {
        assert_eq!(ranges(vec![0, 10], 11), [0..=10]);
        assert_eq!(ranges(vec![], 10), []);
    }

    #[test]
    fn a_bar_shows_the_row_in_the_middle() {
        // 4,500 rows of 24 pixels in a view of 640.
        let bar = |at: f64| Bar { at, length: 107_360.0 };
        assert_eq!(middle(bar(0.0), 640, 4500), 13);
        assert_eq!(middle(bar(103_680.0), 640, 4500), 4333);
        assert_eq!(middle(bar(107_360.0), 640, 4500), 4486);
        assert_eq!(middle(Bar { at: 0.0, length: 0.0 }, 0, 10), 0);
    }
}
