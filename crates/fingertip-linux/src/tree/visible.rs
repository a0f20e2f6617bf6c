//! Which children of a long list can be seen, without asking for all of them.
//!
//! A table of a hundred thousand rows shows thirty. Its scroll bar tells about where these are ([`scrolled`]), or a few
//! points of it are asked for the child that lies there, few because toolkits may search all rows for one; the children
//! from the first to the last of those are read, and more at both ends until they are out of sight. The header of a
//! scrolled table is far from its first row in sight, so there can be several such ranges. Where no point tells, all
//! children are asked where they are.
//!
//! Ranges take it that neighbours in the list are neighbours on the screen: a page that places its many
//! children in no order may show one that is not read.

use std::ops::RangeInclusive;

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::walk::IN_FLIGHT;
use super::{Source, ordered, scrolled};
use crate::bus::{Answer, Answered};
use crate::handle::Handle;
use crate::place::{is_nowhere, unwrapped};
use crate::roles;

/// How far below the top the first row of a table with a header is sought, in pixels.
const HEADER: i32 = 40;
/// How many ancestors of a list are asked what part of it they show.
pub(super) const ANCESTORS: usize = 3;
/// How far from its edges a list is probed, in pixels.
pub(super) const INSET: i32 = 6;
/// How many children beyond the outermost ones that were hit are read: rows cut off at the edges.
const MARGIN: i32 = 4;
/// How many children are asked at once where they are: as many calls as when [`IN_FLIGHT`] objects are read.
const PLACES_IN_FLIGHT: usize = 4 * IN_FLIGHT;
/// How many children are read without asking each whether it is in sight.
const FEW: usize = 150;
/// How many children more are taken at a time while the outermost one is still in sight.
const STEP: i32 = 8;
/// Children nearer to each other than this are read with all between them.
const BRIDGE: i32 = 256;

/// The children in sight; `None` when the toolkit does not tell what lies where.
pub(super) async fn rows(source: &dyn Source, list: &Handle, count: i32) -> Answer<Option<Vec<Handle>>> {
    let asked = async {
        let area = area(source, list).await?;
        let indices = match scrolled::row(source, list, area, count).await? {
            // The header of a table comes first and stays in sight.
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

/// Those children that lie in the part of the list that is in sight, by their own word. Where they stand in no order
/// that is one call for each, a fraction of what reading a child takes. What does not tell its place is kept.
pub(super) async fn inside(source: &dyn Source, list: &Handle, children: Vec<Handle>) -> Answer<Vec<Handle>> {
    let area = area(source, list).await.missing_ok()?.filter(|area| !area.is_empty());
    let Some(area) = area else { return Ok(children) };
    let children = match ordered::span(source, &children, area).await? {
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
pub(super) async fn is_in(source: &dyn Source, object: &Handle, area: Rect) -> Answer<bool> {
    Ok(placed(source, source.extents(object).await?, area).overlaps(area))
}

/// Where something is that is told to be there and may be seen in this area.
fn placed(source: &dyn Source, reported: Rect, area: Rect) -> Rect {
    if source.wraps_places() { unwrapped(reported, area) } else { reported }
}

/// The part of a list that is in sight: it may be longer than what it is scrolled in. What drops down from a combo box is
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

/// The indices of those hits that are in sight; `None` when there are none, or when one is not of a child of the list
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

/// A range with more children at its ends, until those are out of sight.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_sight_are_one_range_with_a_margin() {
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
}
