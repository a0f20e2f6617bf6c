//! Small one-coloured icons.
//!
//! An icon is a list of marks on a grid of 24 by 24 units ([`table`]), drawn one after the other into one mask and only
//! then coloured: so marks may overlap without darkening a translucent colour, and a later mark may cut into an earlier
//! one. Every icon of the model has its marks: the compiler insists.

mod table;

#[cfg(test)]
pub(super) use table::ALL;

use std::sync::LazyLock;

use super::canvas::{Canvas, Rgba};
use super::kept::Kept;
use super::shape::{length, polygon, rounded_box, segment};
use crate::phone::Rect;
use crate::phone::scene::Icon;

/// Units along a side of the grid icons are described on.
const GRID: f32 = 24.0;

/// The longest side of an icon in pixels; in a larger box it stays at this size.
const MAX_SIDE: i32 = 512;

/// Icons kept at most, each at one size. One screen needs about thirty.
const MAX_KEPT_ICONS: usize = 256;

/// By icon and side.
static KEPT: LazyLock<Kept<(Icon, i32), Vec<u8>>> = LazyLock::new(|| Kept::new(MAX_KEPT_ICONS));

/// A point on the grid.
type Point = (f32, f32);

/// One stroke or area of an icon, in grid units; angles in degrees, clockwise from the right.
enum Mark {
    /// A line through the points, of the given width, with round ends.
    Line(f32, &'static [Point]),
    /// A filled polygon.
    Area(&'static [Point]),
    /// A filled circle: middle and radius.
    Disc(Point, f32),
    /// A circle's outline: middle, radius and width.
    Ring(Point, f32, f32),
    /// A part of a ring: middle, radius, width, first and last angle.
    Arc(Point, f32, f32, f32, f32),
    /// A filled rectangle: upper left, lower right, corner radius.
    Block(Point, Point, f32),
    /// Takes away what the mark covers.
    Cut(&'static Mark),
}

impl Mark {
    /// Distance of a point from the edge of the mark.
    fn distance(&self, at: Point) -> f32 {
        match *self {
            Self::Line(width, points) => {
                let pieces = points.windows(2).map(|ends| segment(at, ends[0], ends[1]));
                pieces.fold(f32::MAX, f32::min) - width / 2.0
            }
            Self::Area(corners) => polygon(at, corners),
            Self::Disc(middle, radius) => length(at.0 - middle.0, at.1 - middle.1) - radius,
            Self::Ring(middle, radius, width) => {
                (length(at.0 - middle.0, at.1 - middle.1) - radius).abs() - width / 2.0
            }
            Self::Arc(middle, radius, width, first, last) => {
                arc(at, middle, radius, (first, last)) - width / 2.0
            }
            Self::Block(from, to, radius) => {
                let half = ((to.0 - from.0) / 2.0, (to.1 - from.1) / 2.0);
                rounded_box((at.0 - from.0 - half.0, at.1 - from.1 - half.1), half, radius)
            }
            Self::Cut(mark) => mark.distance(at),
        }
    }
}

impl Canvas {
    /// Draws the icon in the middle of `area`, as large as fits.
    pub(super) fn icon(&mut self, area: Rect, icon: Icon, color: Rgba) {
        let side = area.width().min(area.height()).min(MAX_SIDE);
        let left = area.left + (area.width() - side) / 2;
        let top = area.top + (area.height() - side) / 2;
        let mask = KEPT.get((icon, side), || mask(icon, side));
        self.stamp(left, top, side as usize, &mask, color);
    }
}

/// How far the icon covers each pixel of a square.
fn mask(icon: Icon, side: i32) -> Vec<u8> {
    let marks = table::marks(icon);
    let unit = side as f32 / GRID;
    let points = (0..side).flat_map(|y| (0..side).map(move |x| (x as f32 + 0.5, y as f32 + 0.5)));
    let covered = points.map(|(x, y)| {
        let at = (x / unit, y / unit);
        marks.iter().fold(0.0_f32, |covered, mark| {
            let coverage = (0.5 - mark.distance(at) * unit).clamp(0.0, 1.0);
            if let Mark::Cut(_) = mark { covered.min(1.0 - coverage) } else { covered.max(coverage) }
        })
    });
    covered.map(|share| (share * 255.0 + 0.5) as u8).collect()
}

/// Distance from the part of a circle between two angles.
fn arc(at: Point, middle: Point, radius: f32, (first, last): (f32, f32)) -> f32 {
    let (x, y) = (at.0 - middle.0, at.1 - middle.1);
    let angle = y.atan2(x).to_degrees();
    if (angle - first).rem_euclid(360.0) <= last - first {
        return (length(x, y) - radius).abs();
    }
    let to_end = |angle: f32| {
        let (sine, cosine) = angle.to_radians().sin_cos();
        length(x - radius * cosine, y - radius * sine)
    };
    to_end(first).min(to_end(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::bitmap::Bitmap;

    fn drawn(icon: Icon, side: i32) -> Bitmap {
        let mut canvas = Canvas::new(side.cast_unsigned() + 8, side.cast_unsigned() + 8);
        canvas.icon(Rect::sized(4, 4, side, side), icon, [0, 0, 0, 255]);
        canvas.into_bitmap()
    }

    fn ink(bitmap: &Bitmap) -> usize {
        bitmap.rgba.iter().skip(3).step_by(4).filter(|alpha| **alpha > 127).count()
    }

    #[test]
    fn every_icon_draws_something_and_leaves_something_free() {
        for icon in table::ALL {
            for side in [24, 72] {
                let share = ink(&drawn(*icon, side)) as f32 / (side * side) as f32;
                assert!((0.03..0.85).contains(&share), "{icon:?} at {side} covers {share}");
            }
        }
    }

    #[test]
    fn no_two_icons_look_alike() {
        let pictures: Vec<_> = table::ALL.iter().map(|icon| (icon, drawn(*icon, 48))).collect();
        for (index, (icon, picture)) in pictures.iter().enumerate() {
            for (other, other_picture) in &pictures[index + 1..] {
                assert_ne!(picture, other_picture, "{icon:?} looks like {other:?}");
            }
        }
    }

    #[test]
    fn an_icon_stays_in_its_box() {
        for icon in table::ALL {
            let bitmap = drawn(*icon, 24);
            for at in 0..32 {
                for (x, y) in [(at, 3), (at, 28), (3, at), (28, at)] {
                    assert_eq!(bitmap.pixel(x, y).unwrap()[3], 0, "{icon:?} at {x},{y}");
                }
            }
        }
    }

    #[test]
    fn overlapping_marks_do_not_darken_a_translucent_colour() {
        let mut canvas = Canvas::new(48, 48);
        canvas.icon(Rect::new(0, 0, 48, 48), Icon::Add, [0, 0, 0, 100]);
        assert_eq!(canvas.into_bitmap().rgba.iter().max(), Some(&100));
    }

    #[test]
    fn an_arc_ends_where_it_says() {
        let upper = Mark::Arc((12.0, 12.0), 8.0, 2.0, -180.0, 0.0);
        assert!(upper.distance((12.0, 4.0)) < 0.0);
        assert!(upper.distance((12.0, 20.0)) > 5.0);
    }
}
