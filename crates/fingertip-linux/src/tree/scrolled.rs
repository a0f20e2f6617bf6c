//! Which row of a long list can be seen, by how far its scroll bar is.
//!
//! Rows are mostly of one height, so that the bar tells which one is in the middle of the view. Where they are not, one
//! in sight is near it.

use fingertip_core::Rect;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::Source;
use super::source::Bar;
use super::visible::{ANCESTORS, is_in};
use super::walk::IN_FLIGHT;
use crate::bus::{Answer, CallError};
use crate::handle::Handle;

/// How far from the row that the bar tells others are tried, each time twice as far.
const NEAR: [i32; 3] = [0, 16, 256];

/// A row that overlaps this area, by its index; `None` when no bar tells, or it is not so.
pub(super) async fn row(source: &dyn Source, list: &Handle, area: Rect, count: i32) -> Answer<Option<i32>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_tells_the_row_in_the_middle() {
        // 4,500 rows of 24 pixels in a view of 640.
        let bar = |at: f64| Bar { at, length: 107_360.0 };
        assert_eq!(middle(bar(0.0), 640, 4500), 13);
        assert_eq!(middle(bar(103_680.0), 640, 4500), 4333);
        assert_eq!(middle(bar(107_360.0), 640, 4500), 4486);
        assert_eq!(middle(Bar { at: 0.0, length: 0.0 }, 0, 10), 0);
    }
}
