//! The largest free part of a rectangle that others lie over.

use crate::{Point, Rect};

/// How many parts are looked at before giving up: far more than covers on a real screen leave.
const MAX_TRIES: usize = 200;

/// The middle of the rectangle, if no cover holds it; else of the largest part without any cover. `None` when
/// no such part was found.
pub(super) fn free_point(whole: Rect, covers: &[Rect]) -> Option<Point> {
    let is_free = |point: Point| !covers.iter().any(|cover| cover.contains(point));
    let center = pixel_of_center(whole);
    if is_free(center) {
        return Some(center);
    }
    let mut parts = vec![whole];
    let mut makeshift = None;
    for _ in 0..MAX_TRIES {
        let largest = (0..parts.len()).max_by_key(|&position| parts[position].area())?;
        let part = parts.swap_remove(largest);
        let center = pixel_of_center(part);
        let Some(cover) = covers.iter().find(|cover| cover.overlaps(part)) else { return Some(center) };
        if makeshift.is_none() && is_free(center) {
            makeshift = Some(center);
        }
        for piece in around(part, *cover) {
            let known = parts.iter().any(|part| part.intersection(piece) == piece);
            if !piece.is_empty() && !known {
                parts.push(piece);
            }
        }
    }
    makeshift
}

/// The largest parts of a rectangle left, right, above and below of a cover. They overlap each other.
fn around(part: Rect, cover: Rect) -> [Rect; 4] {
    [
        Rect { right: cover.left, ..part },
        Rect { left: cover.right, ..part },
        Rect { bottom: cover.top, ..part },
        Rect { top: cover.bottom, ..part },
    ]
}

/// The pixel in the middle. Whole numbers: rounding by a driver must not leave a narrow part.
pub(super) fn pixel_of_center(rect: Rect) -> Point {
    let center = rect.center();
    Point::new(center.x.floor(), center.y.floor())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_larger_side_is_chosen() {
        let whole = Rect::new(0, 0, 100, 10);
        assert_eq!(free_point(whole, &[Rect::new(20, 0, 60, 10)]), Some(Point::new(80.0, 5.0)));
    }

    #[test]
    fn a_single_free_pixel_is_found() {
        let whole = Rect::new(0, 0, 3, 3);
        let covers = [Rect::new(0, 0, 3, 2), Rect::new(0, 2, 2, 3)];
        assert_eq!(free_point(whole, &covers), Some(Point::new(2.0, 2.0)));
    }

    fn rects() -> impl Strategy<Value = Rect> {
        (-2..12, -2..12, 0..9, 0..9)
            .prop_map(|(left, top, width, height)| Rect::new(left, top, left + width, top + height))
    }

    proptest! {
        #[test]
        fn a_free_pixel_is_found_exactly_when_there_is_one(covers in prop::collection::vec(rects(), 0..8)) {
            let whole = Rect::new(0, 0, 10, 10);
            let free = |x: i32, y: i32| {
                let pixel = Point::new(f64::from(x), f64::from(y));
                !covers.iter().any(|cover| cover.contains(pixel))
            };
            let any = (0..10).any(|x| (0..10).any(|y| free(x, y)));
            match free_point(whole, &covers) {
                None => prop_assert!(!any),
                Some(point) => prop_assert!(free(point.x as i32, point.y as i32) && whole.contains(point)),
            }
        }
    }
}
