//! Shapes as distances from their edge, and the shapes a screen is made of.
//!
//! A shape is a function from a point to a signed distance in pixels: negative inside, positive outside. That gives soft
//! edges, outlines and shadows from one description, with no path rasteriser. Large shapes are cut so that only their
//! borders are computed per pixel; the inside is a plain fill.

use crate::phone::Rect;

use super::canvas::{Canvas, Rgba};

/// Distance from a rectangle with rounded corners.
pub(super) fn rounded(area: Rect, radius: f32) -> impl Fn(f32, f32) -> f32 + Copy {
    let (left, top) = (area.left as f32, area.top as f32);
    let half = (area.width() as f32 / 2.0, area.height() as f32 / 2.0);
    let radius = fitting(area, radius);
    move |x, y| rounded_box((x - left - half.0, y - top - half.1), half, radius)
}

/// Distance of a point, seen from the middle of a box with rounded corners.
pub(super) fn rounded_box(point: (f32, f32), half: (f32, f32), radius: f32) -> f32 {
    let (x, y) = (point.0.abs() - half.0 + radius, point.1.abs() - half.1 + radius);
    length(x.max(0.0), y.max(0.0)) + x.max(y).min(0.0) - radius
}

/// Distance from the origin. `f32::hypot` guards against overflow that pixels never reach, at many times the cost.
pub(super) fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// Distance from the line between two points.
pub(super) fn segment(point: (f32, f32), from: (f32, f32), to: (f32, f32)) -> f32 {
    let (along, across) = (to.0 - from.0, to.1 - from.1);
    let (x, y) = (point.0 - from.0, point.1 - from.1);
    let square = along * along + across * across;
    let share = if square > 0.0 { ((x * along + y * across) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(x - along * share, y - across * share)
}

/// Distance from a polygon, whichever way its corners run.
pub(super) fn polygon(point: (f32, f32), corners: &[(f32, f32)]) -> f32 {
    let Some(mut from) = corners.last().copied() else { return f32::MAX };
    let (mut nearest, mut inside) = (f32::MAX, false);
    for &to in corners {
        nearest = nearest.min(segment(point, from, to));
        // A ray to the right crosses the edge: once more means the other side.
        if (from.1 > point.1) != (to.1 > point.1)
            && point.0 < (to.0 - from.0) * (point.1 - from.1) / (to.1 - from.1) + from.0
        {
            inside = !inside;
        }
        from = to;
    }
    if inside { -nearest } else { nearest }
}

impl Canvas {
    /// Fills a rectangle with rounded corners; a radius over half a side gives a pill or a disc.
    pub(super) fn fill_rounded(&mut self, area: Rect, radius: f32, color: Rgba) {
        let radius = fitting(area, radius);
        let depth = radius.ceil() as i32;
        let distance = rounded(area, radius);
        for corner in corners(area, depth) {
            self.fill_shape(corner, color, distance);
        }
        for part in cross(area, depth) {
            self.fill(part, color);
        }
    }

    /// Draws the border of a rounded rectangle, `thickness` wide and inside it.
    pub(super) fn outline_rounded(&mut self, area: Rect, radius: f32, thickness: f32, color: Rgba) {
        let outer = rounded(area, radius);
        let depth = fitting(area, radius).max(thickness).ceil() as i32;
        let middle = thickness / 2.0;
        for part in frame(area, depth) {
            self.fill_shape(part, color, |x, y| (outer(x, y) + middle).abs() - middle);
        }
    }

    /// Darkens what surrounds a rounded rectangle, fading over `blur` pixels and dropped a little downwards.
    pub(super) fn shadow(&mut self, area: Rect, radius: f32, blur: i32, color: Rgba) {
        let blur = blur.max(1);
        let drop = blur / 4;
        let dropped = area.moved(0, drop);
        let distance = rounded(dropped, radius);
        let reach = blur as f32;
        // What casts the shadow hides it: only what sticks out, and what shows behind its corners, is drawn.
        let depth = blur + drop + fitting(area, radius).ceil() as i32;
        for part in frame(dropped.inset(-blur, -blur, -blur, -blur), depth) {
            self.shade(part, color, |x, y| {
                let left = (1.0 - distance(x, y) / reach).clamp(0.0, 1.0);
                left * left
            });
        }
    }
}

/// The radius cut to what the rectangle has room for.
fn fitting(area: Rect, radius: f32) -> f32 {
    radius.clamp(0.0, area.width().min(area.height()) as f32 / 2.0)
}

/// The inner edges at `depth` from the outer ones; they meet in the middle, never cross.
fn inner(area: Rect, depth: i32) -> Rect {
    let (middle_x, middle_y) = (area.left + area.width() / 2, area.top + area.height() / 2);
    Rect::new(
        (area.left + depth).min(middle_x),
        (area.top + depth).min(middle_y),
        (area.right - depth).max(middle_x),
        (area.bottom - depth).max(middle_y),
    )
}

/// The four squares at the corners.
fn corners(area: Rect, depth: i32) -> [Rect; 4] {
    let inner = inner(area, depth);
    [
        Rect::new(area.left, area.top, inner.left, inner.top),
        Rect::new(inner.right, area.top, area.right, inner.top),
        Rect::new(area.left, inner.bottom, inner.left, area.bottom),
        Rect::new(inner.right, inner.bottom, area.right, area.bottom),
    ]
}

/// What the corners leave.
fn cross(area: Rect, depth: i32) -> [Rect; 3] {
    let inner = inner(area, depth);
    [
        Rect::new(inner.left, area.top, inner.right, inner.top),
        Rect::new(area.left, inner.top, area.right, inner.bottom),
        Rect::new(inner.left, inner.bottom, inner.right, area.bottom),
    ]
}

/// The band of `depth` along the four sides, without overlap.
fn frame(area: Rect, depth: i32) -> [Rect; 4] {
    let inner = inner(area, depth);
    [
        Rect::new(area.left, area.top, area.right, inner.top),
        Rect::new(area.left, inner.top, inner.left, inner.bottom),
        Rect::new(inner.right, inner.top, area.right, inner.bottom),
        Rect::new(area.left, inner.bottom, area.right, area.bottom),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::bitmap::Bitmap;

    const BLUE: Rgba = [0, 0, 255, 255];

    fn drawn(draw: impl FnOnce(&mut Canvas)) -> Bitmap {
        let mut canvas = Canvas::new(40, 40);
        draw(&mut canvas);
        canvas.into_bitmap()
    }

    fn alpha(bitmap: &Bitmap, x: u32, y: u32) -> u8 {
        bitmap.pixel(x, y).map_or(0, |pixel| pixel[3])
    }

    #[test]
    fn rounded_corners_are_transparent_soft_and_then_full() {
        let bitmap = drawn(|canvas| canvas.fill_rounded(Rect::new(4, 4, 36, 36), 10.0, BLUE));
        for (x, y) in [(4, 4), (35, 4), (4, 35), (35, 35)] {
            assert_eq!(alpha(&bitmap, x, y), 0, "corner {x},{y}");
        }
        for (x, y) in [(4, 20), (20, 4), (35, 20), (20, 35), (20, 20)] {
            assert_eq!(alpha(&bitmap, x, y), 255, "{x},{y}");
        }
        assert!(
            bitmap.rgba.iter().skip(3).step_by(4).any(|alpha| (1..255).contains(alpha)),
            "edges are soft"
        );
    }

    #[test]
    fn a_rounded_rectangle_is_the_same_as_its_distance_drawn_pixel_by_pixel() {
        for (area, radius) in
            [(Rect::new(3, 5, 30, 29), 9.0), (Rect::new(0, 0, 7, 40), 99.0), (Rect::new(2, 2, 9, 9), 0.0)]
        {
            let fast = drawn(|canvas| canvas.fill_rounded(area, radius, BLUE));
            let slow = drawn(|canvas| canvas.fill_shape(area, BLUE, rounded(area, radius)));
            assert_eq!(fast, slow, "{area:?} {radius}");
        }
    }

    #[test]
    fn an_outline_leaves_the_inside_alone() {
        let bitmap = drawn(|canvas| canvas.outline_rounded(Rect::new(4, 4, 36, 36), 6.0, 2.0, BLUE));
        assert_eq!(alpha(&bitmap, 4, 20), 255);
        assert_eq!(alpha(&bitmap, 20, 20), 0);
        assert_eq!(alpha(&bitmap, 7, 20), 0);
    }

    #[test]
    fn a_shadow_fades_outwards() {
        let bitmap = drawn(|canvas| canvas.shadow(Rect::new(12, 12, 28, 28), 2.0, 8, [0, 0, 0, 200]));
        let column: Vec<u8> = (30..38).map(|y| alpha(&bitmap, 20, y)).collect();
        assert!(column[0] > 60 && column.is_sorted_by(|near, far| near >= far), "{column:?}");
        assert_eq!(alpha(&bitmap, 20, 0), 0);
    }

    #[test]
    fn a_polygon_is_inside_in_both_directions() {
        let clockwise = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        let mut other = clockwise;
        other.reverse();
        for corners in [clockwise, other] {
            assert_eq!(polygon((5.0, 2.0), &corners), -2.0);
            assert_eq!(polygon((5.0, -3.0), &corners), 3.0);
        }
    }
}
