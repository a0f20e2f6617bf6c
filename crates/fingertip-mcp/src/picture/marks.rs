//! Boxes and ids on a picture: what can be acted on, as a model that looks sees it.
//!
//! A label is the id without `node_`. No label covers another one; what has no room for its own keeps its box, and is counted.

use fingertip_core::lean::{self, Part};
use fingertip_core::target::{PixelFormat, Pixels};
use fingertip_core::{Rect, Snapshot};
use font8x8::legacy::BASIC_LEGACY;

/// The most marks on a picture; more could not be read.
const MOST: usize = 200;
/// The sides of a letter, in pixels.
const LETTER: i32 = 8;
/// The room around the letters of a label, in pixels.
const MARGIN: i32 = 1;
/// Red, green and blue of boxes that follow each other; white letters can be read on all.
const COLOURS: [[u8; 3]; 6] =
    [[200, 0, 0], [0, 90, 200], [0, 120, 0], [150, 0, 150], [160, 80, 0], [0, 110, 120]];

/// What is marked on a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marks {
    /// What the picture shows, in pixels of the screen.
    area: Rect,
    all: Vec<Mark>,
    /// How many things there were beyond the most.
    left_out: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    /// On the screen, and then on the picture.
    bounds: Rect,
    label: String,
}

impl Marks {
    /// Those of what can be acted on in this area.
    pub(crate) fn of(snapshot: &Snapshot, area: Rect) -> Self {
        let acting = lean::lines(snapshot, Part::Screen, false).into_iter().filter(|line| line.acts);
        let mut all: Vec<Mark> = acting
            .filter_map(|line| {
                let node = snapshot.node(line.node?);
                let id = node.id?.to_string();
                let label = id.strip_prefix("node_").unwrap_or(&id).to_owned();
                Some(Mark { bounds: node.bounds.intersection(area), label })
            })
            .filter(|mark| !mark.bounds.is_empty())
            .collect();
        let left_out = all.len().saturating_sub(MOST);
        all.truncate(MOST);
        Self { area, all, left_out }
    }

    /// Draws them on a picture of the area; how many things have no label there.
    pub(super) fn draw(&self, pixels: &mut Pixels) -> usize {
        let picture = Rect::new(0, 0, side(pixels.width), side(pixels.height));
        let marks: Vec<Mark> = self.all.iter().map(|mark| mark.on(self.area, picture)).collect();
        let labels = placed(&marks, picture);
        let mut canvas = Canvas { pixels, picture };
        for (mark, colour) in marks.iter().zip(COLOURS.iter().cycle()) {
            canvas.frame(mark.bounds, *colour);
        }
        for ((mark, label), colour) in marks.iter().zip(&labels).zip(COLOURS.iter().cycle()) {
            if let Some(label) = label {
                canvas.fill(*label, *colour);
                canvas.write(&mark.label, *label);
            }
        }
        labels.iter().filter(|label| label.is_none()).count() + self.left_out
    }
}

impl Mark {
    fn on(&self, area: Rect, picture: Rect) -> Self {
        let across = |x: i32| scaled(x - area.left, picture.width(), area.width());
        let down = |y: i32| scaled(y - area.top, picture.height(), area.height());
        let Rect { left, top, right, bottom } = self.bounds;
        let bounds = Rect::new(across(left), down(top), across(right), down(bottom));
        Self { bounds, label: self.label.clone() }
    }

    /// Where its label may stand, the best place first.
    fn places(&self) -> impl Iterator<Item = Rect> {
        let letters = i32::try_from(self.label.chars().count()).unwrap_or(i32::MAX / LETTER / 2);
        let (width, height) = (letters * LETTER + 2 * MARGIN, LETTER + 2 * MARGIN);
        let Rect { left, top, right, bottom } = self.bounds;
        let beside = [
            (left, top - height),
            (left, top),
            (right - width, top - height),
            (right - width, top),
            (left, bottom - height),
            (right - width, bottom - height),
            (left, bottom),
            (right - width, bottom),
            (right, top),
            (left - width, top),
        ];
        let rows = (top..bottom - height).step_by(LETTER as usize);
        let inside =
            rows.flat_map(move |y| (left..right - width).step_by(LETTER as usize).map(move |x| (x, y)));
        beside.into_iter().chain(inside).map(move |(x, y)| Rect::new(x, y, x + width, y + height))
    }
}

/// A place for each label that covers no other one. What is small has the first choice, since it has the fewest.
fn placed(marks: &[Mark], picture: Rect) -> Vec<Option<Rect>> {
    let mut order: Vec<usize> = (0..marks.len()).collect();
    order.sort_by_key(|&at| marks[at].bounds.area());
    let mut labels: Vec<Option<Rect>> = vec![None; marks.len()];
    let mut taken: Vec<Rect> = Vec::new();
    for at in order {
        let is_free = |place: &Rect| {
            picture.intersection(*place) == *place && taken.iter().all(|other| !other.overlaps(*place))
        };
        labels[at] = marks[at].places().find(is_free);
        taken.extend(labels[at]);
    }
    labels
}

/// Four bytes a pixel, without padding.
struct Canvas<'a> {
    pixels: &'a mut Pixels,
    picture: Rect,
}

impl Canvas<'_> {
    fn dot(&mut self, x: i32, y: i32, [red, green, blue]: [u8; 3]) {
        if x < 0 || y < 0 || x >= self.picture.right || y >= self.picture.bottom {
            return;
        }
        let at = y.unsigned_abs() as usize * self.pixels.stride + x.unsigned_abs() as usize * 4;
        let colour = match self.pixels.format {
            PixelFormat::Bgra => [blue, green, red],
            _ => [red, green, blue],
        };
        if let Some(bytes) = self.pixels.data.get_mut(at..at + 3) {
            bytes.copy_from_slice(&colour);
        }
    }

    fn fill(&mut self, area: Rect, colour: [u8; 3]) {
        for y in area.top..area.bottom {
            for x in area.left..area.right {
                self.dot(x, y, colour);
            }
        }
    }

    /// The border of an area, a pixel wide.
    fn frame(&mut self, area: Rect, colour: [u8; 3]) {
        let Rect { left, top, right, bottom } = area;
        for border in [
            Rect::new(left, top, right, top + 1),
            Rect::new(left, bottom - 1, right, bottom),
            Rect::new(left, top, left + 1, bottom),
            Rect::new(right - 1, top, right, bottom),
        ] {
            self.fill(border, colour);
        }
    }

    fn write(&mut self, text: &str, label: Rect) {
        for (position, letter) in (0..).zip(text.chars()) {
            let Some(rows) = BASIC_LEGACY.get(letter as usize) else { continue };
            for (y, row) in (0..).zip(rows) {
                for x in (0..LETTER).filter(|x| row >> x & 1 == 1) {
                    let left = label.left + MARGIN + position * LETTER;
                    self.dot(left + x, label.top + MARGIN + y, [255; 3]);
                }
            }
        }
    }
}

fn side(length: u32) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

/// A length of the screen on the picture.
fn scaled(length: i32, picture: i32, screen: i32) -> i32 {
    let scaled = i64::from(length) * i64::from(picture) / i64::from(screen.max(1));
    i32::try_from(scaled).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mark(left: i32, top: i32, right: i32, bottom: i32) -> Mark {
        Mark { bounds: Rect::new(left, top, right, bottom), label: "00a1".to_owned() }
    }

    fn blank(width: u32, height: u32) -> Pixels {
        let stride = width as usize * 4;
        let data = vec![255; stride * height as usize];
        Pixels { width, height, stride, format: PixelFormat::Rgba, data }
    }

    #[test]
    fn a_mark_is_a_box_where_the_thing_is_on_the_picture() {
        let area = Rect::new(0, 0, 1080, 2400);
        let marks = Marks { area, all: vec![mark(108, 240, 540, 480)], left_out: 0 };
        let mut pixels = blank(270, 600);
        assert_eq!(marks.draw(&mut pixels), 0);
        let at = |x: usize, y: usize| &pixels.data[y * pixels.stride + x * 4..][..3];
        for (x, y) in [(27, 119), (134, 60), (134, 119), (27, 100)] {
            assert_eq!(at(x, y), COLOURS[0], "{x},{y}");
        }
        assert_eq!(at(80, 90), [255; 3], "its inside is left as it is");
        assert_eq!(at(28, 51), COLOURS[0], "the label stands above it");
    }

    #[test]
    fn what_has_no_room_for_its_label_is_counted() {
        let picture = Rect::new(0, 0, 40, 12);
        let same = vec![mark(0, 0, 40, 12), mark(0, 0, 40, 12), mark(0, 0, 40, 12)];
        assert_eq!(placed(&same, picture).iter().flatten().count(), 1);
    }

    proptest! {
        #[test]
        fn no_label_covers_another_or_leaves_the_picture(
            boxes in prop::collection::vec((0..300_i32, 0..600_i32, 1..200_i32, 1..200_i32), 0..60)
        ) {
            let picture = Rect::new(0, 0, 315, 700);
            let marks: Vec<Mark> = boxes
                .iter()
                .map(|(x, y, width, height)| mark(*x, *y, (x + width).min(315), (y + height).min(700)))
                .collect();
            let labels: Vec<Rect> = placed(&marks, picture).into_iter().flatten().collect();
            for (at, label) in labels.iter().enumerate() {
                prop_assert_eq!(picture.intersection(*label), *label);
                prop_assert!(labels[at + 1..].iter().all(|other| !other.overlaps(*label)));
            }
        }
    }
}
