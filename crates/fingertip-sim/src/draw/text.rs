//! Lines of text in a real font.
//!
//! The model breaks text into lines and places carets by its own table of widths ([`metrics`]), which no real font
//! follows exactly. So each word starts where the table says, and inside a word the letters keep the rhythm of the font,
//! drawn together or apart by the few percent that make the word as wide as the table says: it reads like set text, and
//! the caret is never off by more than a part of a letter.
//!
//! Characters are drawn in logical order, one glyph each: right-to-left scripts are neither reordered nor shaped.

mod glyphs;

use super::canvas::{Canvas, Rgba};
use crate::phone::metrics;
pub(super) use glyphs::Type;

impl Canvas {
    /// Draws one line of text whose first letter starts at `x` and which stands on `baseline`.
    pub(super) fn text(&mut self, text: &str, x: f32, baseline: f32, kind: Type, color: Rgba) {
        let clip = self.clip();
        let (above, below) = (baseline - 2.0 * kind.size(), baseline + kind.size());
        if clip.is_empty() || above > clip.bottom as f32 || below < clip.top as f32 {
            return;
        }
        let mut start = x;
        for piece in text.split_inclusive(char::is_whitespace) {
            if start > clip.right as f32 {
                return;
            }
            let word = piece.trim_end();
            let own_width: f32 = word.chars().map(|character| kind.advance(character)).sum();
            let spread =
                if own_width > 0.0 { metrics::text_width(word, kind.size()) / own_width } else { 1.0 };
            let mut pen = start;
            for character in word.chars() {
                if let Some(glyph) = kind.glyph(character) {
                    let left = pen.round() as i32 + glyph.left;
                    self.stamp(left, baseline.round() as i32 + glyph.top, glyph.width, &glyph.mask, color);
                }
                pen += kind.advance(character) * spread;
            }
            start += metrics::text_width(piece, kind.size());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::bitmap::Bitmap;

    const BLACK: Rgba = [0, 0, 0, 255];

    fn drawn(text: &str, bold: bool) -> Bitmap {
        let mut canvas = Canvas::new(600, 80);
        canvas.text(text, 10.0, 50.0, Type::new(40.0, bold), BLACK);
        canvas.into_bitmap()
    }

    /// First and last column with ink.
    fn ink(bitmap: &Bitmap) -> Option<(u32, u32)> {
        let inked =
            |x: &u32| (0..bitmap.height).any(|y| bitmap.pixel(*x, y).is_some_and(|pixel| pixel[3] > 60));
        Some(((0..bitmap.width).find(inked)?, (0..bitmap.width).rfind(inked)?))
    }

    #[test]
    fn text_fills_the_width_the_model_gives_it() {
        for bold in [false, true] {
            for text in ["Network & internet", "illumination", "MAMMOTH", "12:30"] {
                let (first, last) = ink(&drawn(text, bold)).unwrap();
                let end = 10.0 + metrics::text_width(text, 40.0);
                assert!((8..=16).contains(&first), "{text} starts at {first}");
                assert!((last as f32 - end).abs() < 8.0, "{text} ends at {last}, not {end}");
            }
        }
    }

    #[test]
    fn a_word_starts_where_the_words_before_it_say() {
        let both = drawn("Wi-Fi Hello", false);
        let mut canvas = Canvas::new(600, 80);
        let start = 10.0 + metrics::text_width("Wi-Fi ", 40.0);
        canvas.text("Hello", start, 50.0, Type::new(40.0, false), BLACK);
        let alone = canvas.into_bitmap();
        let from = start as u32;
        let part = |bitmap: &Bitmap| -> Vec<_> {
            (from..600).flat_map(|x| (0..80).map(move |y| (x, y))).map(|(x, y)| bitmap.pixel(x, y)).collect()
        };
        assert!(part(&both) == part(&alone));
    }

    #[test]
    fn different_letters_give_different_pixels() {
        assert_ne!(drawn("Settings", false), drawn("Settinqs", false));
        assert_eq!(drawn("Settings", false), drawn("Settings", false));
    }

    #[test]
    fn text_above_below_and_beside_the_clip_draws_nothing() {
        for (x, baseline) in [(0.0, -50.0), (0.0, 900.0), (700.0, 50.0), (f32::NAN, 900.0)] {
            let mut canvas = Canvas::new(600, 80);
            canvas.text("Hidden", x, baseline, Type::new(40.0, false), BLACK);
            assert_eq!(ink(&canvas.into_bitmap()), None, "{x},{baseline}");
        }
    }
}
