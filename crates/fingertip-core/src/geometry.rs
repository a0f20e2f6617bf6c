//! Points and rectangles in screen pixels.

use serde::Serialize;

/// A place on the screen. Fractions are kept; drivers round when they inject.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f64,
    /// Pixels from the top edge.
    pub y: f64,
}

impl Point {
    /// The point at `x`, `y`.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

/// A rectangle by its edges; right and bottom are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge, exclusive.
    pub right: i32,
    /// Bottom edge, exclusive.
    pub bottom: i32,
}

impl Rect {
    /// The rectangle with these edges.
    #[must_use]
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Its width; zero when the edges are crossed.
    #[must_use]
    pub const fn width(self) -> i32 {
        let width = self.right.saturating_sub(self.left);
        if width > 0 { width } else { 0 }
    }

    /// Its height; zero when the edges are crossed.
    #[must_use]
    pub const fn height(self) -> i32 {
        let height = self.bottom.saturating_sub(self.top);
        if height > 0 { height } else { 0 }
    }

    /// Whether it covers no pixel.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The number of pixels it covers.
    #[must_use]
    pub const fn area(self) -> i64 {
        self.width() as i64 * self.height() as i64
    }

    /// Its middle.
    #[must_use]
    pub fn center(self) -> Point {
        Point::new(
            f64::midpoint(f64::from(self.left), f64::from(self.right)),
            f64::midpoint(f64::from(self.top), f64::from(self.bottom)),
        )
    }

    /// Whether the point lies inside.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        point.x >= f64::from(self.left)
            && point.x < f64::from(self.right)
            && point.y >= f64::from(self.top)
            && point.y < f64::from(self.bottom)
    }

    /// What both cover; empty when they do not touch.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self::new(
            self.left.max(other.left),
            self.top.max(other.top),
            self.right.min(other.right),
            self.bottom.min(other.bottom),
        )
    }

    /// Whether they share a pixel.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossed_edges_are_empty_not_negative() {
        let crossed = Rect::new(10, 10, 5, 5);
        assert!(crossed.is_empty());
        assert_eq!(crossed.area(), 0);
    }

    #[test]
    fn extreme_edges_do_not_overflow() {
        let whole = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        assert!(whole.width() > 0);
        assert_eq!(whole.intersection(Rect::new(1, 2, 3, 4)), Rect::new(1, 2, 3, 4));
    }

    #[test]
    fn right_and_bottom_are_outside() {
        let rect = Rect::new(0, 0, 10, 10);
        assert!(rect.contains(Point::new(0.0, 9.5)));
        assert!(!rect.contains(Point::new(10.0, 5.0)));
        assert_eq!(rect.center(), Point::new(5.0, 5.0));
    }
}
