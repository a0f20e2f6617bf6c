//! Which children of a long list can be seen, without asking for all of them.
//!
//! A table of a hundred thousand rows shows thirty. A few points of it are asked for the child that lies there,
//! few because toolkits may search all rows for one; the children from the first to the last of those are read,
//! and some more at both ends. The header of a scrolled table is far from its first row in sight, so there can
//! be several such ranges.

use std::ops::RangeInclusive;

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::Source;
use super::walk::IN_FLIGHT;
use crate::bus::CallError;
use crate::handle::Handle;

/// How far below the top the first row of a table with a header is sought, in pixels.
const HEADER: i32 = 40;
/// How many ancestors of a list are asked what part of it they show.
const ANCESTORS: usize = 3;
/// How far from its edges a list is probed, in pixels.
const INSET: i32 = 6;
/// How many children beyond the outermost ones that were hit are read: rows cut off at the edges.
const MARGIN: i32 = 4;
/// Children nearer to each other than this are read with all between them.
const BRIDGE: i32 = 256;

/// The children in sight; `None` when the toolkit does not tell what lies where.
pub(super) async fn rows(
    source: &dyn Source,
    list: &Handle,
    count: i32,
) -> Result<Option<Vec<Handle>>, CallError> {
    let hits = match probe(source, list).await {
        Ok(hits) => hits,
        Err(CallError::Missing(_) | CallError::Refused(_) | CallError::Malformed(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !is_confirmed(source, list, &hits).await? {
        return Ok(None);
    }
    let mut children = Vec::new();
    for part in ranges(hits.iter().map(|(_, index)| *index).collect(), count) {
        children.extend(range(source, list, part).await?);
    }
    Ok(Some(children))
}

/// The children from this index to that one.
pub(super) async fn range(
    source: &dyn Source,
    list: &Handle,
    indices: RangeInclusive<i32>,
) -> Result<Vec<Handle>, CallError> {
    let asked = stream::iter(indices).map(|index| source.child_at(list, index)).buffered(IN_FLIGHT);
    let present = |child: Result<Handle, CallError>| async move {
        match child {
            Ok(child) => Ok((!child.is_nothing()).then_some(child)),
            Err(CallError::Missing(_) | CallError::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    };
    asked.then(present).try_filter_map(async |child| Ok(child)).try_collect().await
}

async fn probe(source: &dyn Source, list: &Handle) -> Result<Vec<(Handle, i32)>, CallError> {
    let area = area(source, list).await?;
    let (width, height) = (area.width() - 2 * INSET, area.height() - 2 * INSET);
    if width <= 0 || height <= 0 {
        return Ok(Vec::new());
    }
    let (left, top) = (area.left + INSET, area.top + INSET);
    let heights = [0, HEADER.min(height), height / 2, height];
    let points = heights.map(|down| (left, top + down)).into_iter().chain([(left + width, top + height)]);
    let asked = stream::iter(points).map(|(x, y)| source.child_at_point(list, x, y)).buffered(IN_FLIGHT);
    asked.try_filter_map(async |hit| Ok(hit)).try_collect().await
}

/// The part of a list that is in sight: it may be longer than what it is scrolled in.
async fn area(source: &dyn Source, list: &Handle) -> Result<Rect, CallError> {
    let mut area = source.extents(list).await?;
    let mut inner = list.clone();
    for _ in 0..ANCESTORS {
        let Some(outer) = source.parent(&inner).await? else { break };
        match source.extents(&outer).await {
            Ok(extents) if extents.is_empty() => {}
            Ok(extents) => area = area.intersection(extents),
            Err(CallError::Missing(_) | CallError::Refused(_)) => break,
            Err(error) => return Err(error),
        }
        inner = outer;
    }
    Ok(area)
}

/// Whether the indices are those of children of the list itself: a toolkit may answer with what is in a child.
async fn is_confirmed(source: &dyn Source, list: &Handle, hits: &[(Handle, i32)]) -> Result<bool, CallError> {
    let (Some(first), Some(last)) = (hits.first(), hits.last()) else { return Ok(false) };
    for (handle, index) in [first, last] {
        if *index < 0 || source.child_at(list, *index).await? != *handle {
            return Ok(false);
        }
    }
    Ok(true)
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
    let mut ranges: Vec<RangeInclusive<i32>> = Vec::new();
    for range in clusters.into_iter().map(widened) {
        match ranges.last_mut() {
            Some(before) if range.start() <= before.end() => *before = *before.start()..=*range.end(),
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
