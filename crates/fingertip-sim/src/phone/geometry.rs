//! Points and rectangles in screen pixels, in the current rotation.

/// A place on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the top edge.
    pub y: f32,
}

impl Point {
    /// The point at `x`, `y`.
    #[must_use]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// How far `other` is from here.
    #[must_use]
    pub fn distance(self, other: Self) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// A rectangle by its edges; right and bottom are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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

    /// The rectangle at `left`, `top` of this size.
    #[must_use]
    pub const fn sized(left: i32, top: i32, width: i32, height: i32) -> Self {
        Self::new(left, top, left + width, top + height)
    }

    /// Its width; zero when the edges are crossed.
    #[must_use]
    pub fn width(self) -> i32 {
        (self.right - self.left).max(0)
    }

    /// Its height; zero when the edges are crossed.
    #[must_use]
    pub fn height(self) -> i32 {
        (self.bottom - self.top).max(0)
    }

    /// Whether it covers no pixel.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// Its middle.
    #[must_use]
    pub fn center(self) -> Point {
        Point::new((self.left + self.right) as f32 / 2.0, (self.top + self.bottom) as f32 / 2.0)
    }

    /// Whether the point lies inside.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        point.x >= self.left as f32
            && point.x < self.right as f32
            && point.y >= self.top as f32
            && point.y < self.bottom as f32
    }

    /// Whether `other` lies wholly inside.
    #[must_use]
    pub fn encloses(self, other: Self) -> bool {
        self.intersection(other) == other
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

    /// The same rectangle, moved.
    #[must_use]
    pub const fn moved(self, dx: i32, dy: i32) -> Self {
        Self::new(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)
    }

    /// Smaller by these distances at each edge.
    #[must_use]
    pub const fn inset(self, left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self::new(self.left + left, self.top + top, self.right - right, self.bottom - bottom)
    }
}
