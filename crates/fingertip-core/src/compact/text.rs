//! Makes text of the screen safe to stand in a line of the format.
//!
//! An application decides what its nodes say, so a text could pretend to be another column, row or note, turn the
//! row around it, or hide words in it. Therefore control characters and line separators become spaces, and what
//! cannot be seen is left out or marked (see [`crate::visible`]). All else stays: letters of any script, combining
//! marks, emoji and their joiners. White space around a text is not part of it.

use unicode_segmentation::GraphemeCursor;

use crate::visible::{cleaned, is_blank};

/// Ends a text of which only the beginning is shown.
pub const TRUNCATED: &str = "...truncated";

/// The text without what surrounds it and cannot be seen.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// The characters of the text as they are shown.
pub(crate) fn shown(text: &str) -> impl Iterator<Item = char> {
    cleaned(trim(text))
}

/// Whether anything of the text can be seen.
pub(crate) fn is_seen(text: &str) -> bool {
    shown(text).next().is_some()
}

/// The characters with a letter of their own in a text written out by [`escaped`].
const ESCAPES: [(char, char); 4] = [('\\', '\\'), ('\n', 'n'), ('\r', 'r'), ('\t', 't')];

/// The text with its line ends and tabs written as letters after a backslash, and a backslash as two.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in trim(text).chars() {
        match ESCAPES.iter().find(|(plain, _)| *plain == character) {
            Some((_, letter)) => out.extend(['\\', *letter]),
            None => out.push(character),
        }
    }
    out
}

/// What [`escaped`] was given; `None` when nothing in it is escaped, or when it is not of that form.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            let letter = characters.next()?;
            out.push(ESCAPES.iter().find(|(_, known)| *known == letter)?.0);
        } else {
            out.push(character);
        }
    }
    Some(out)
}

/// Appends the whole text as it is shown; false, and nothing appended, when nothing of it can be seen.
pub(crate) fn push(out: &mut String, text: &str) -> bool {
    let text = trim(text);
    let start = out.len();
    if is_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        out.extend(cleaned(text));
    }
    out.len() > start
}

/// As [`push`], but no more than `limit` characters, and [`TRUNCATED`] where there were more.
///
/// The cut is moved back to where a user-perceived character ends, unless that leaves nothing.
pub(crate) fn push_cut(out: &mut String, text: &str, limit: usize) -> bool {
    let text = trim(text);
    if text.len() <= limit {
        return push(out, text);
    }
    if is_plain(&text.as_bytes()[..=limit]) {
        out.push_str(&text[..limit]);
        out.push_str(TRUNCATED);
        return true;
    }
    let start = out.len();
    let mut characters = cleaned(text);
    out.extend(characters.by_ref().take(limit));
    let end = out.len();
    if let Some(next) = characters.next() {
        // One character of what follows decides whether the cut would part a cluster.
        out.push(next);
        let cut = cluster_boundary(&out[start..], end - start);
        out.truncate(start + cut);
        out.push_str(TRUNCATED);
    }
    out.len() > start
}

/// Whether each byte is a character of its own that stays as it is: true of nearly all texts.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The last boundary between user-perceived characters at or before `offset`; `offset` if there is none.
fn cluster_boundary(text: &str, offset: usize) -> usize {
    let mut cursor = GraphemeCursor::new(offset, text.len(), true);
    if cursor.is_boundary(text, 0) == Ok(true) {
        return offset;
    }
    cursor.prev_boundary(text, 0).ok().flatten().filter(|boundary| *boundary > 0).unwrap_or(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        let mut out = String::new();
        push_cut(&mut out, text, 10);
        out
    }

    fn whole(text: &str) -> String {
        let mut out = String::new();
        push(&mut out, text);
        out
    }

    #[test]
    fn whatever_ends_a_line_somewhere_becomes_a_space() {
        for breaker in "\t\n\r\u{b}\u{c}\u{0}\u{1b}\u{7f}\u{85}\u{9b}\u{2028}\u{2029}".chars() {
            assert_eq!(whole(&format!("a{breaker}b")), "a b", "{breaker:?}");
        }
    }

    #[test]
    fn commands_of_direction_are_removed() {
        for command in
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}"
                .chars()
        {
            assert_eq!(whole(&format!("{command}a{command}b{command}")), "ab", "{command:?}");
        }
    }

    #[test]
    fn scripts_emoji_and_marks_survive() {
        for text in ["שלום עולם", "مرحبا", "👩‍👩‍👧‍👦", "e\u{301}", "नमस्ते", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می\u{200c}خواهم"]
        {
            assert_eq!(whole(text), text);
        }
    }

    #[test]
    fn a_cut_counts_characters_not_bytes() {
        assert_eq!(cut("ääääääääää"), "ääääääääää");
        assert_eq!(cut("äääääääääää"), "ääääääääää...truncated");
    }

    #[test]
    fn what_is_removed_does_not_count() {
        assert_eq!(cut("01234\u{200e}56789"), "0123456789");
        assert_eq!(cut("0123456789 \u{200e}\n"), "0123456789");
    }

    #[test]
    fn a_cut_keeps_user_perceived_characters_whole() {
        assert_eq!(cut("01234567👩‍👩‍👧‍👦 and more"), "01234567...truncated");
        assert_eq!(cut("012345678e\u{301}x"), "012345678...truncated");
        assert_eq!(cut("0123456789e\u{301}"), "0123456789...truncated");
    }

    #[test]
    fn a_cluster_longer_than_the_limit_is_cut_all_the_same() {
        let pile = format!("e{}", "\u{301}".repeat(50));
        assert_eq!(cut(&pile), format!("e{}...truncated", "\u{301}".repeat(9)));
    }

    #[test]
    fn hidden_words_are_marked_at_the_edges_too() {
        assert_eq!(whole("\u{e0041}\u{e0042}OK\u{e0043}"), "\u{fffd}OK\u{fffd}");
        assert_eq!(cut(&format!("OK{}", "\u{e0041}".repeat(500))), "OK\u{fffd}");
    }

    #[test]
    fn nothing_to_see_is_nothing() {
        let mut out = String::from("x");
        assert!(!push(&mut out, "\u{200d}\u{200c}") && !is_seen("\u{200d}"));
        assert!(!push_cut(&mut out, &"\u{200d}".repeat(50), 10));
        assert!(!push(&mut out, " \t\u{202e}\n\u{3000}"));
        assert!(!push_cut(&mut out, "", 10));
        assert_eq!(out, "x");
    }
}
