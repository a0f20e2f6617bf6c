//! The text of a field with its cursor and selection.
//!
//! The cursor always stands between user-perceived characters (grapheme clusters), so that one DEL removes
//! what a user calls one character, be it an accented letter, a flag or a family of four.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// How many bytes a field holds at the most; what would go over is dropped.
pub(crate) const FIELD_LIMIT: usize = 200_000;

/// A text, and the selected part of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Editor {
    text: String,
    anchor: usize,
    cursor: usize,
    secret: bool,
}

impl Editor {
    /// A field with this text, the cursor behind it.
    pub(crate) fn new(text: &str) -> Self {
        let mut editor = Self::default();
        editor.set_text(text);
        editor
    }

    /// An empty field whose text is not shown.
    pub(crate) fn secret() -> Self {
        Self { secret: true, ..Self::default() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    /// Where the cursor stands, in bytes.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// What is selected, in bytes; empty for a plain cursor.
    pub(crate) fn selection(&self) -> Range<usize> {
        self.anchor.min(self.cursor)..self.anchor.max(self.cursor)
    }

    /// What is selected, in UTF-16 units as Android counts.
    pub(crate) fn selection_utf16(&self) -> (usize, usize) {
        let count = |end: usize| self.text[..end].encode_utf16().count();
        let selection = self.selection();
        (count(selection.start), count(selection.end))
    }

    pub(crate) fn selected(&self) -> &str {
        &self.text[self.selection()]
    }

    /// Replaces everything; the cursor goes behind it.
    pub(crate) fn set_text(&mut self, text: &str) {
        self.text = cut(text, FIELD_LIMIT).to_owned();
        self.place(self.text.len(), false);
    }

    /// Replaces the selection.
    pub(crate) fn insert(&mut self, text: &str) {
        let selection = self.selection();
        let room = FIELD_LIMIT - (self.text.len() - selection.len());
        let text = cut(text, room);
        self.text.replace_range(selection.clone(), text);
        // The insertion may join its neighbours into one character; the cursor goes behind the whole.
        self.place(self.snap(selection.start + text.len()), false);
    }

    /// Removes the selection, or the character before the cursor.
    pub(crate) fn delete_backward(&mut self) {
        if self.selection().is_empty() {
            self.place(self.before(self.cursor), true);
        }
        self.delete_selection();
    }

    /// Removes the selection, or the character after the cursor.
    pub(crate) fn delete_forward(&mut self) {
        if self.selection().is_empty() {
            self.place(self.after(self.cursor), true);
        }
        self.delete_selection();
    }

    fn delete_selection(&mut self) {
        let selection = self.selection();
        self.text.replace_range(selection.clone(), "");
        self.place(self.snap(selection.start), false);
    }

    /// Moves the cursor by one character; a selection collapses to that side first.
    pub(crate) fn step(&mut self, forward: bool, extend: bool) {
        let selection = self.selection();
        let to = match (forward, extend || selection.is_empty()) {
            (true, true) => self.after(self.cursor),
            (false, true) => self.before(self.cursor),
            (true, false) => selection.end,
            (false, false) => selection.start,
        };
        self.place(to, extend);
    }

    /// Moves the cursor to the start or end of its line, or of the whole text.
    pub(crate) fn jump(&mut self, forward: bool, whole: bool, extend: bool) {
        let to = match (forward, whole) {
            (true, true) => self.text.len(),
            (false, true) => 0,
            (true, false) => self.line_end(self.cursor),
            (false, false) => self.line_start(self.cursor),
        };
        self.place(to, extend);
    }

    /// Moves the cursor one line up or down, keeping its column where the line is long enough.
    pub(crate) fn step_line(&mut self, down: bool, extend: bool) {
        let start = self.line_start(self.cursor);
        let column = self.text[start..self.cursor].graphemes(true).count();
        let end = self.line_end(self.cursor);
        let target = match down {
            true if end < self.text.len() => end + 1,
            true => return self.place(self.text.len(), extend),
            false if start > 0 => self.line_start(start - 1),
            false => return self.place(0, extend),
        };
        let line = &self.text[target..self.line_end(target)];
        let within: usize = line.graphemes(true).take(column).map(str::len).sum();
        self.place(target + within, extend);
    }

    pub(crate) fn select_all(&mut self) {
        self.anchor = 0;
        self.cursor = self.text.len();
    }

    /// Selects the word around the byte `at`.
    pub(crate) fn select_word(&mut self, at: usize) {
        let mut words = self.text.split_word_bound_indices();
        if let Some((start, word)) = words.find(|(start, word)| (*start..=start + word.len()).contains(&at)) {
            let end = start + word.len();
            self.anchor = start;
            self.cursor = end;
        }
    }

    /// Selects by UTF-16 units, each moved to the next character boundary. `false` if they are out of range.
    pub(crate) fn select_utf16(&mut self, start: usize, end: usize) -> bool {
        let length = self.text.encode_utf16().count();
        if start > length || end > length {
            return false;
        }
        self.anchor = self.snap(self.byte_of(start));
        self.cursor = self.snap(self.byte_of(end));
        true
    }

    fn byte_of(&self, utf16: usize) -> usize {
        let mut units = 0;
        for (byte, character) in self.text.char_indices() {
            if units >= utf16 {
                return byte;
            }
            units += character.len_utf16();
        }
        self.text.len()
    }

    /// Puts the cursor to a byte; the selection follows or ends.
    pub(crate) fn place(&mut self, at: usize, extend: bool) {
        self.cursor = at;
        if !extend {
            self.anchor = at;
        }
    }

    fn before(&self, at: usize) -> usize {
        self.text[..at].grapheme_indices(true).next_back().map_or(0, |(start, _)| start)
    }

    fn after(&self, at: usize) -> usize {
        self.text[at..].graphemes(true).next().map_or(at, |first| at + first.len())
    }

    /// The first character boundary at or behind `at`.
    fn snap(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        // With the whole text at hand the cursor has no reason to fail.
        if cursor.is_boundary(&self.text, 0).unwrap_or(true) {
            return at;
        }
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline)
    }
}

/// The longest part of `text` from its start that has no more than `limit` bytes.
fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
