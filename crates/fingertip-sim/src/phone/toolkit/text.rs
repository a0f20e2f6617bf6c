//! Text in a box: broken into lines, with the way from bytes to pixels and back.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::editor::Editor;
use super::view::Align;
use crate::phone::geometry::{Point, Rect};
use crate::phone::metrics::{LINE_HEIGHT, advance, text_width};

/// What stands for a character of a secret.
const DOT: &str = "•";

/// Measured and placed widths differ by a fraction of a pixel; it must not make a line break.
const ROUNDING: f32 = 1.0;

/// One line: which bytes, and how wide.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) range: Range<usize>,
    pub(crate) width: f32,
}

/// Breaks a text at line breaks, between words, and inside words that are wider than the box.
pub(crate) fn break_lines(text: &str, size: f32, width: f32) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for paragraph in text.split('\n') {
        break_paragraph(paragraph, start, size, width, &mut lines);
        start += paragraph.len() + 1;
    }
    lines
}

fn break_paragraph(paragraph: &str, offset: usize, size: f32, width: f32, lines: &mut Vec<Line>) {
    // Most texts are short or ASCII: finding the characters' boundaries would be most of the work of a layout.
    let whole = text_width(paragraph, size);
    if whole <= width {
        return lines.push(Line { range: offset..offset + paragraph.len(), width: whole });
    }
    let add =
        |start: usize, end: usize, width| lines.push(Line { range: offset + start..offset + end, width });
    if paragraph.is_ascii() {
        let characters = (0..paragraph.len()).map(|at| (at, &paragraph[at..=at]));
        fill_lines(characters, paragraph.len(), size, width, add);
    } else {
        fill_lines(paragraph.grapheme_indices(true), paragraph.len(), size, width, add);
    }
}

fn fill_lines<'a>(
    clusters: impl Iterator<Item = (usize, &'a str)>,
    length: usize,
    size: f32,
    width: f32,
    mut add: impl FnMut(usize, usize, f32),
) {
    let mut start = 0;
    let mut pen = 0.0;
    // Where the line may be broken, and the pen there.
    let mut gap = None;
    for (at, cluster) in clusters {
        let step = text_width(cluster, size);
        if pen + step > width && at > start {
            let (end, used) = gap.unwrap_or((at, pen));
            add(start, end, used);
            start = end;
            pen -= used;
            gap = None;
        }
        pen += step;
        if cluster == " " {
            gap = Some((at + 1, pen));
        }
    }
    add(start, length, pen);
}

/// A text laid out in a box.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextBox {
    /// The characters to draw: dots for a secret, an ellipsis where it was cut.
    pub(crate) shown: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) size: f32,
    bounds: Rect,
    align: Align,
    /// How far a single line is moved to the left to keep its cursor visible.
    shift: f32,
}

impl TextBox {
    /// Text to read, of at most `limit` lines, in the middle of the height of its box.
    pub(crate) fn label(text: &str, size: f32, bounds: Rect, align: Align, limit: usize) -> Self {
        let width = bounds.width() as f32 + ROUNDING;
        let mut lines = break_lines(text, size, width);
        let mut shown = text.to_owned();
        if lines.len() > limit {
            lines.truncate(limit);
            if let Some(last) = lines.last_mut() {
                shorten(&mut shown, last, size, width);
            }
        }
        let free = bounds.height() - (lines.len() as f32 * size * LINE_HEIGHT).ceil() as i32;
        Self { shown, lines, size, bounds: bounds.inset(0, free / 2, 0, 0), align, shift: 0.0 }
    }

    /// Text to edit.
    pub(crate) fn field(editor: &Editor, size: f32, bounds: Rect, multiline: bool) -> Self {
        let shown = display(editor);
        let lines = if multiline {
            break_lines(&shown, size, bounds.width() as f32)
        } else {
            vec![Line { range: 0..shown.len(), width: text_width(&shown, size) }]
        };
        let mut laid = Self { shown, lines, size, bounds, align: Align::Start, shift: 0.0 };
        if !multiline {
            let caret = laid.position(to_shown(editor, editor.cursor())).x - bounds.left as f32;
            laid.shift = (caret - bounds.width() as f32 + size / 8.0).max(0.0);
        }
        laid
    }

    pub(crate) fn line_height(&self) -> f32 {
        self.size * LINE_HEIGHT
    }

    /// Where line number `index` starts (top left).
    pub(crate) fn line_origin(&self, index: usize) -> Point {
        let free = self.bounds.width() as f32 - self.lines[index].width;
        let left = match self.align {
            Align::Start => 0.0,
            Align::Center => free / 2.0,
            Align::End => free,
        };
        let y = self.bounds.top as f32 + index as f32 * self.line_height();
        Point::new(self.bounds.left as f32 + left - self.shift, y)
    }

    /// Where the character at a byte of the shown text starts (top left of its line).
    pub(crate) fn position(&self, byte: usize) -> Point {
        let index = self.lines.iter().rposition(|line| line.range.start <= byte).unwrap_or(0);
        let line = &self.lines[index].range;
        let origin = self.line_origin(index);
        let before = &self.shown[line.start..byte.clamp(line.start, line.end)];
        Point::new(origin.x + text_width(before, self.size), origin.y)
    }

    /// The byte of the shown text nearest to a point.
    pub(crate) fn byte_at(&self, point: Point) -> usize {
        let row = (point.y - self.bounds.top as f32) / self.line_height();
        let index = (row.max(0.0) as usize).min(self.lines.len() - 1);
        let line = self.lines[index].range.clone();
        let mut pen = self.line_origin(index).x;
        for (at, cluster) in self.shown[line.clone()].grapheme_indices(true) {
            let step = text_width(cluster, self.size);
            if point.x < pen + step / 2.0 {
                return line.start + at;
            }
            pen += step;
        }
        line.end
    }
}

/// Cuts the text within its last line so that an ellipsis fits.
fn shorten(shown: &mut String, last: &mut Line, size: f32, width: f32) {
    let mut end = last.range.end;
    let mut used = text_width(&shown[last.range.clone()], size) + advance('…') * size;
    while used > width && end > last.range.start {
        let cluster = shown[last.range.start..end].graphemes(true).next_back().unwrap_or_default();
        used -= text_width(cluster, size);
        end -= cluster.len();
    }
    shown.truncate(end);
    shown.push('…');
    *last = Line { range: last.range.start..shown.len(), width: used };
}

/// What a field shows of its text.
pub(crate) fn display(editor: &Editor) -> String {
    if editor.is_secret() {
        DOT.repeat(editor.text().graphemes(true).count())
    } else {
        editor.text().to_owned()
    }
}

/// The byte of the shown text for a byte of the real one.
pub(crate) fn to_shown(editor: &Editor, byte: usize) -> usize {
    if editor.is_secret() { editor.text()[..byte].graphemes(true).count() * DOT.len() } else { byte }
}

/// The byte of the real text for a byte of the shown one.
pub(crate) fn to_real(editor: &Editor, byte: usize) -> usize {
    if !editor.is_secret() {
        return byte;
    }
    editor.text().graphemes(true).take(byte / DOT.len()).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_lose_nothing() {
        let text = "one two three\nfour";
        let lines = break_lines(text, 10.0, 50.0);
        let parts: Vec<&str> = lines.iter().map(|line| &text[line.range.clone()]).collect();
        assert_eq!(parts, ["one two ", "three", "four"]);
    }

    #[test]
    fn a_long_word_breaks_inside() {
        let lines = break_lines(&"x".repeat(100), 10.0, 60.0);
        assert!(lines.len() >= 9);
        assert!(lines.iter().all(|line| line.width <= 60.0));
    }

    #[test]
    fn what_does_not_fit_becomes_an_ellipsis() {
        let bounds = Rect::new(0, 0, 60, 20);
        let laid = TextBox::label("a rather long title", 10.0, bounds, Align::Start, 1);
        assert!(laid.shown.ends_with('…'));
        assert!(laid.lines[0].width <= 61.0);
    }

    #[test]
    fn bytes_and_points_agree() {
        let editor = Editor::new("first line\nsecond 😀 line");
        let laid = TextBox::field(&editor, 20.0, Rect::new(10, 10, 400, 200), true);
        for (byte, _) in editor.text().grapheme_indices(true) {
            let place = laid.position(byte);
            assert_eq!(laid.byte_at(Point::new(place.x + 0.1, place.y + 1.0)), byte);
        }
    }

    #[test]
    fn a_secret_shows_one_dot_a_character() {
        let mut editor = Editor::secret();
        editor.insert("pä😀");
        assert_eq!(display(&editor), "•••");
        assert_eq!(to_real(&editor, to_shown(&editor, 3)), 3);
    }
}
