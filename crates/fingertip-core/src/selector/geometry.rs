//! Which way one place lies from another, and how far.

use super::Relation;
use crate::Rect;

/// Places whose distances differ by no more, in pixels, are equally near.
const TIE: i64 = 12;
/// What is near is no farther away than this part of the longer side of the screen.
const NEAR: i64 = 4;

/// How far `place` is from `anchor` in the direction of the relation; `None` when it does not lie there.
///
/// Left and right mean the same line; below and above need no overlap, but what lies sideways is farther.
pub(super) fn distance(relation: Relation, place: Rect, anchor: Rect, screen: Rect) -> Option<i64> {
    if place.is_empty() || anchor.is_empty() {
        return None;
    }
    let across = gap(place.left, place.right, anchor.left, anchor.right);
    let along = gap(place.top, place.bottom, anchor.top, anchor.bottom);
    let after = |start: i32, end: i32| start >= end;
    match relation {
        Relation::Below => after(place.top, anchor.bottom).then_some(across + along),
        Relation::Above => after(anchor.top, place.bottom).then_some(across + along),
        Relation::RightOf => {
            (after(place.left, anchor.right) && shares_line(place, anchor)).then_some(across)
        }
        Relation::LeftOf => (after(anchor.left, place.right) && shares_line(place, anchor)).then_some(across),
        Relation::Near => {
            let far = i64::from(screen.width().max(screen.height())) / NEAR;
            Some(across + along).filter(|distance| *distance <= far)
        }
        Relation::Inside => None,
    }
}

/// Whether something at this distance is as near as the nearest.
pub(super) fn is_nearest(distance: i64, least: i64) -> bool {
    distance <= least + TIE
}

/// How far two ranges are apart; zero when they meet.
fn gap(start: i32, end: i32, other_start: i32, other_end: i32) -> i64 {
    let before = i64::from(other_start) - i64::from(end);
    let after = i64::from(start) - i64::from(other_end);
    before.max(after).max(0)
}

fn shares_line(one: Rect, other: Rect) -> bool {
    one.top.max(other.top) < one.bottom.min(other.bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Rect = Rect::new(0, 0, 1000, 2000);

    fn far(relation: Relation, place: [i32; 4], anchor: [i32; 4]) -> Option<i64> {
        let rect = |[left, top, right, bottom]: [i32; 4]| Rect::new(left, top, right, bottom);
        distance(relation, rect(place), rect(anchor), SCREEN)
    }

    #[test]
    fn directions_are_told_apart() {
        let (middle, right, lower) = ([0, 100, 100, 150], [300, 110, 400, 140], [0, 170, 100, 200]);
        assert_eq!(far(Relation::RightOf, right, middle), Some(200));
        assert_eq!(far(Relation::LeftOf, middle, right), Some(200));
        assert_eq!(far(Relation::Below, lower, middle), Some(20));
        assert_eq!(far(Relation::Above, middle, lower), Some(20));
        for (relation, place) in [
            (Relation::LeftOf, right),
            (Relation::Below, right),
            (Relation::Above, lower),
            (Relation::RightOf, lower),
        ] {
            assert_eq!(far(relation, place, middle), None, "{relation:?}");
        }
    }

    #[test]
    fn what_lies_sideways_is_farther_and_another_line_is_not_beside() {
        let anchor = [0, 0, 100, 50];
        assert_eq!(far(Relation::Below, [400, 60, 500, 90], anchor), Some(310));
        assert_eq!(far(Relation::RightOf, [200, 50, 300, 90], anchor), None);
    }

    #[test]
    fn near_ends_at_a_quarter_of_the_screen() {
        assert_eq!(far(Relation::Near, [0, 550, 100, 600], [0, 0, 100, 50]), Some(500));
        assert_eq!(far(Relation::Near, [0, 551, 100, 600], [0, 0, 100, 50]), None);
    }

    #[test]
    fn extreme_edges_do_not_overflow() {
        let (low, high) =
            ([i32::MIN, i32::MIN, i32::MIN + 1, i32::MIN + 1], [i32::MAX - 1, 0, i32::MAX, i32::MAX]);
        assert!(far(Relation::Below, high, low).is_some_and(|distance| distance > 0));
        assert_eq!(far(Relation::Near, high, low), None);
    }
}
