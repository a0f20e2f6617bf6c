//! The fonts of the phone, and the glyphs already turned into pixels.
//!
//! Letters come from Noto Sans, regular and bold (crate `notosans`), emoji from Noto Emoji (crate
//! `epaint_default_fonts`). The font files are under the SIL Open Font License 1.1, which permits embedding them in a
//! program; the second crate also names the Ubuntu font licence for a font that is not used here. In terms of a licence
//! check: `notosans` is `MIT OR Apache-2.0` by its manifest and OFL-1.1 by `fonts/LICENSE_OFL.txt`,
//! `epaint_default_fonts` is `(MIT OR Apache-2.0) AND OFL-1.1 AND Ubuntu-font-1.0`. Together the three files used take
//! 0.8 MB of the binary.
//!
//! Rasterising a letter costs far more than stamping it, and a screen repeats its letters, so each is kept by font and
//! size. What a glyph looks like never depends on what was drawn before it.

use std::sync::{Arc, LazyLock};

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont};

use crate::draw::kept::Kept;
use crate::phone::metrics;

/// Glyphs kept at most. One screen needs about two hundred.
const MAX_KEPT_GLYPHS: usize = 4096;

/// The smallest and the largest text, in pixels per em.
const TEXT_SIZES: std::ops::RangeInclusive<f32> = 4.0..=400.0;

static FONTS: LazyLock<[FontRef<'static>; 3]> = LazyLock::new(|| {
    [notosans::REGULAR_TTF, notosans::BOLD_TTF, epaint_default_fonts::NOTO_EMOJI_REGULAR]
        .map(|file| FontRef::try_from_slice(file).expect("the embedded fonts are well formed"))
});

/// By font, glyph, and the bits of the size.
static KEPT: LazyLock<Kept<(Face, GlyphId, u32), Glyph>> = LazyLock::new(|| Kept::new(MAX_KEPT_GLYPHS));

/// One of the embedded fonts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Face {
    Regular,
    Bold,
    Emoji,
}

impl Face {
    fn font(self) -> &'static FontRef<'static> {
        &FONTS[self as usize]
    }

    /// How far a glyph moves the pen, as a part of the em.
    fn advance(self, id: GlyphId) -> f32 {
        let font = self.font();
        font.h_advance_unscaled(id) / font.units_per_em().unwrap_or(1000.0) * self.squeeze()
    }

    /// How much narrower than designed letters are drawn: the model measures by a slightly narrower font.
    fn squeeze(self) -> f32 {
        match self {
            Self::Regular => 0.97,
            Self::Bold => 0.92,
            Self::Emoji => 1.0,
        }
    }
}

/// A letter as pixels, placed relative to the pen on the baseline.
pub(super) struct Glyph {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) mask: Vec<u8>,
}

/// A font at a size: measures characters and hands out their pixels.
#[derive(Debug, Clone, Copy)]
pub(in crate::draw) struct Type {
    face: Face,
    size: f32,
}

impl Type {
    /// Letters of `size` pixels per em. Sizes out of range are brought into it.
    pub(in crate::draw) fn new(size: f32, bold: bool) -> Self {
        let size = if size.is_nan() { *TEXT_SIZES.start() } else { size };
        Self {
            face: if bold { Face::Bold } else { Face::Regular },
            size: size.clamp(*TEXT_SIZES.start(), *TEXT_SIZES.end()),
        }
    }

    /// Pixels per em.
    pub(super) fn size(self) -> f32 {
        self.size
    }

    /// How far a character moves the pen: letters as the font has it, all else as the model does. Marks that only steer
    /// others, such as variation selectors, do not move it.
    pub(super) fn advance(self, character: char) -> f32 {
        match self.find(character) {
            _ if is_invisible(character) => 0.0,
            Some((face, id)) if face == self.face => face.advance(id) * self.size,
            _ => metrics::advance(character) * self.size,
        }
    }

    /// The pixels of a character, or a hollow box when no font has it. `None` for blanks.
    pub(super) fn glyph(self, character: char) -> Option<Arc<Glyph>> {
        if is_invisible(character) || character.is_whitespace() {
            return None;
        }
        let Some((face, id)) = self.find(character) else {
            return Some(Arc::new(self.hollow_box(self.advance(character))));
        };
        // Emoji are made as small as the room the model gives them.
        let size = if face == self.face { self.size } else { self.advance(character) / face.advance(id) };
        Some(KEPT.get((face, id, size.to_bits()), || rasterise(face, id, size)))
    }

    /// The font that has the character, the chosen one first, or else a character that looks nearly the same.
    fn find(self, character: char) -> Option<(Face, GlyphId)> {
        let places = [(self.face, character), (Face::Emoji, stand_in(character))];
        places.into_iter().find_map(|(face, character)| {
            let id = face.font().glyph_id(character);
            (id != GlyphId(0)).then_some((face, id))
        })
    }

    /// Stands for a character no font has, in the middle of its room.
    fn hollow_box(self, room: f32) -> Glyph {
        let (width, height) = ((room * 0.7).ceil() as usize, (self.size * 0.7).ceil() as usize);
        let edge = (self.size / 16.0).ceil() as usize;
        let on_edge = |at: usize, length: usize| at < edge || at + edge >= length;
        let is_ink = |pixel: usize| on_edge(pixel % width, width) || on_edge(pixel / width, height);
        let mask = (0..width * height).map(|pixel| if is_ink(pixel) { u8::MAX } else { 0 }).collect();
        Glyph { left: (room * 0.15) as i32, top: -(height as i32), width, mask }
    }
}

fn rasterise(face: Face, id: GlyphId, size: f32) -> Glyph {
    let font = face.font();
    // ab_glyph scales by the height of the font, phones by its em.
    let height = font.height_unscaled() / font.units_per_em().unwrap_or(1000.0) * size;
    let scale = PxScale { x: height * face.squeeze(), y: height };
    let Some(outline) = font.as_scaled(scale).outline_glyph(id.with_scale(scale)) else {
        return Glyph { left: 0, top: 0, width: 0, mask: Vec::new() };
    };
    let bounds = outline.px_bounds();
    let (width, height) = (bounds.width() as usize, bounds.height() as usize);
    let mut mask = vec![0; width * height];
    outline.draw(|x, y, coverage| {
        if let Some(pixel) = mask.get_mut(y as usize * width + x as usize) {
            *pixel = (coverage.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        }
    });
    Glyph { left: bounds.min.x as i32, top: bounds.min.y as i32, width, mask }
}

/// The emoji for a sign that only exists as one in the fonts.
fn stand_in(character: char) -> char {
    match character {
        '★' | '☆' => '⭐',
        '✓' => '✔',
        other => other,
    }
}

/// Characters that show nothing themselves: controls, joiners, variation selectors, direction marks, skin tones (the emoji
/// have only one colour).
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{1f3fb}'..='\u{1f3ff}')
        || matches!(character, '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(kind: Type, character: char) -> usize {
        kind.glyph(character).map_or(0, |glyph| glyph.mask.iter().filter(|pixel| **pixel > 0).count())
    }

    #[test]
    fn letters_digits_signs_and_emoji_have_glyphs() {
        let kind = Type::new(40.0, false);
        for character in "Aä9ßЖΩ×÷−…•·—😀★✓👋".chars() {
            assert!(kind.find(character).is_some(), "{character}");
            assert!(ink(kind, character) > 20, "{character}");
        }
    }

    #[test]
    fn a_missing_character_is_a_box_with_room() {
        let kind = Type::new(40.0, false);
        assert!(kind.find('漢').is_none());
        assert!(ink(kind, '漢') > 50);
        assert!(kind.advance('漢') > 10.0);
    }

    #[test]
    fn emoji_and_signs_fit_the_room_the_model_gives_them() {
        let kind = Type::new(40.0, false);
        for character in ['😀', '★', '✓', '漢'] {
            let glyph = kind.glyph(character).unwrap();
            let room = metrics::advance(character) * 40.0;
            assert!(
                glyph.left >= -1 && (glyph.left + glyph.width as i32) as f32 <= room + 1.0,
                "{character}"
            );
        }
    }

    #[test]
    fn blanks_draw_nothing_and_joiners_take_no_room() {
        let kind = Type::new(40.0, true);
        assert!(kind.glyph(' ').is_none() && kind.advance(' ') > 0.0);
        for mark in ['\u{fe0f}', '\u{200d}', '\u{1f3fd}', '\u{7}'] {
            assert!(kind.glyph(mark).is_none() && kind.advance(mark) == 0.0, "{mark:?}");
        }
    }

    #[test]
    fn bold_letters_carry_more_ink() {
        assert!(ink(Type::new(40.0, true), 'm') > ink(Type::new(40.0, false), 'm'));
    }

    #[test]
    fn absurd_sizes_are_brought_into_range() {
        for size in [f32::NAN, f32::INFINITY, -3.0, 0.0] {
            let kind = Type::new(size, false);
            assert!(TEXT_SIZES.contains(&kind.size), "{size}");
            assert!(ink(kind, 'A') > 0);
        }
    }
}
