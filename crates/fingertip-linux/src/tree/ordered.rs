//! Which children can be seen of a list that has them one below the other, by halving.
//!
//! A browser tells where each of a thousand rows is, in sight or not. Some of them, evenly spread, show whether the rows
//! stand in order; then those at both ends of the view are found in a few steps, instead of asking all where they are.

use std::ops::Range;

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::Source;
use super::walk::IN_FLIGHT;
use crate::bus::{Answer, Answered};
use crate::handle::Handle;
use crate::place::is_nowhere;

/// How many children are asked first.
const SAMPLES: usize = 16;

/// The children in sight, by their positions; `None` when they do not stand in order or do not tell their places.
pub(super) async fn span(
    source: &dyn Source,
    children: &[Handle],
    area: Rect,
) -> Answer<Option<Range<usize>>> {
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
    let told = samples.iter().all(|(_, place)| !place.is_empty() && !is_nowhere(*place));
    let descends = |pair: &[(usize, Rect)]| {
        let (before, after) = (pair[0].1, pair[1].1);
        before.top <= after.top && before.bottom <= after.bottom
    };
    Ok((told && samples.windows(2).all(descends)).then_some(samples))
}

/// The first child of which this holds, as it does of all after it; their number when it holds of none.
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
