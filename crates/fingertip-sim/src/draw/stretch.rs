//! Pictures stretched to the size they are shown in, blended between neighbouring pixels.
//!
//! Meant for making larger: shown smaller, a picture would need a filter that the smooth pictures of the phone can do
//! without. The source is taken as opaque.

use super::bitmap::Bitmap;
use super::canvas::{Canvas, mix};
use crate::phone::Rect;

impl Canvas {
    /// Draws `source` stretched to `area`, smoothly.
    pub(super) fn stretch(&mut self, area: Rect, source: &Bitmap) {
        let visible = area.intersection(self.clip());
        if visible.is_empty() {
            return;
        }
        let columns: Vec<Between> = (visible.left..visible.right)
            .map(|x| Between::new(x - area.left, area.width(), source.width))
            .collect();
        let mut blended = Vec::with_capacity(source.width as usize);
        for y in visible.top..visible.bottom {
            // First down, then across: the source is small, so blending its two rows is nearly free.
            let between = Between::new(y - area.top, area.height(), source.height);
            blended.clear();
            let rows = source.row(between.first).iter().zip(source.row(between.second));
            blended.extend(rows.map(|(upper, lower)| mix(*upper, *lower, between.share)));
            for (pixel, between) in self.row(y, visible.left, visible.right).iter_mut().zip(&columns) {
                if let (Some(left), Some(right)) = (blended.get(between.first), blended.get(between.second)) {
                    *pixel = mix(*left, *right, between.share);
                }
            }
        }
    }
}

/// Where a stretched pixel falls between two pixels of the source.
struct Between {
    first: usize,
    second: usize,
    /// The share of the second, of 256.
    share: u32,
}

impl Between {
    /// For the pixel at `index` of `length`, stretched from `source` pixels.
    fn new(index: i32, length: i32, source: u32) -> Self {
        let last = source.saturating_sub(1);
        let at = ((index as f32 + 0.5) * source as f32 / length as f32 - 0.5).clamp(0.0, last as f32);
        let first = at as u32;
        let share = ((at - first as f32) * 256.0) as u32;
        Self { first: first as usize, second: (first + 1).min(last) as usize, share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretching_blends_neighbouring_pixels() {
        let source = Bitmap { width: 2, height: 1, rgba: vec![0, 0, 0, 255, 200, 200, 200, 255] };
        let mut canvas = Canvas::new(8, 1);
        canvas.stretch(Rect::new(0, 0, 8, 1), &source);
        let reds: Vec<u8> = canvas.into_bitmap().rgba.iter().copied().step_by(4).collect();
        assert!(reds.is_sorted(), "{reds:?}");
        assert_eq!((reds[0], reds[7]), (0, 200));
        assert!(reds[4] > 80 && reds[4] < 160, "{reds:?}");
    }
}
