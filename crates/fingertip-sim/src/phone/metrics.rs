//! The widths of characters, shared by layout and drawing.
//!
//! The table holds the proportions of a common humanist sans-serif, drawn slightly narrow, as parts of the font
//! size. The drawer starts each word where the advances before it end, so both agree whatever font it has.

/// Height of a line of text, as a part of the font size.
pub const LINE_HEIGHT: f32 = 1.25;

/// Distance from the top of a line to its baseline, as a part of the font size.
pub const ASCENT: f32 = 0.96;

/// The advances of the printable ASCII characters, in thousandths of the font size.
const ASCII: [u16; 95] = [
    252, 261, 396, 627, 555, 806, 710, 218, 291, 291, 534, 555, 260, 312, 260, 361, 555, 555, 555, 555, 555,
    555, 555, 555, 555, 555, 260, 260, 555, 555, 555, 421, 872, 620, 630, 613, 708, 539, 503, 706, 719, 329,
    265, 601, 508, 880, 737, 757, 587, 757, 603, 532, 539, 709, 582, 902, 568, 549, 555, 319, 361, 319, 555,
    431, 563, 544, 597, 466, 597, 547, 334, 597, 600, 250, 250, 518, 250, 907, 600, 587, 597, 597, 401, 465,
    350, 600, 493, 763, 513, 494, 456, 368, 534, 368, 555,
];

/// How far the pen moves after `character`, as a part of the font size.
#[must_use]
pub fn advance(character: char) -> f32 {
    match character {
        ' '..='~' => f32::from(ASCII[character as usize - ' ' as usize]) / 1000.0,
        '\u{0}'..='\u{9f}' => 0.0,
        '…' => 0.77,
        '—' => 0.97,
        '•' => 0.37,
        '·' => 0.26,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{1f3fb}'..='\u{1f3ff}' => 0.0,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' => 1.0,
        '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'..='\u{3ffff}' => 1.0,
        _ => 0.58,
    }
}

/// The width of one line of text in pixels at a font size of `size` pixels.
#[must_use]
pub fn text_width(text: &str, size: f32) -> f32 {
    text.chars().map(advance).sum::<f32>() * size
}
