//! How foreign values are shown in the question a user is asked: in one line, in quotes, nothing invisible, and a cut is
//! marked.
//!
//! An agent chooses these values, and applications choose the names of what they show. Neither may hide a part of a value
//! behind its length, nor turn the sentence round with a character that cannot be seen.

use std::fmt::Write;

/// How much of the beginning of a value is shown, in characters.
const HEAD: usize = 60;
/// How much of the end of a value that is cut is shown, in characters.
const TAIL: usize = 20;
/// Characters that print as nothing or as a space, beside those that Rust escapes: fillers, joiners, selectors, tags.
const BLANKS: [std::ops::RangeInclusive<char>; 14] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2000}'..='\u{200f}',
    '\u{2028}'..='\u{202f}',
    '\u{205f}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{16fe4}'..='\u{16fe4}',
    '\u{1d159}'..='\u{1d159}',
    '\u{e0000}'..='\u{e0fff}',
];

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    cut(text, |part| format!("\"{}\"", escaped(part, true)))
}

/// A text as it is, for what has quotes of its own: JSON, and names of classes.
pub(super) fn plain(text: &str) -> String {
    cut(text, |part| escaped(part, false))
}

/// Beginning and end of a text that is too long, and how long it is.
fn cut(text: &str, show: impl Fn(&str) -> String) -> String {
    let length = text.chars().count();
    if length <= HEAD + TAIL {
        return show(text);
    }
    let at = |position: usize| text.char_indices().nth(position).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (&text[..at(HEAD)], &text[at(length - TAIL)..]);
    format!("{}…({} characters in all)…{}", show(head), grouped(length), show(tail))
}

fn escaped(text: &str, quotes: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' if !quotes => shown.push(letter),
            // Rust leaves an apostrophe alone in a text, not as a single character.
            '\'' => shown.push(letter),
            _ if BLANKS.iter().any(|range| range.contains(&letter)) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
            }
            _ => shown.extend(letter.escape_debug()),
        }
    }
    shown
}

/// A number with its thousands apart.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_says_so_and_shows_its_end() {
        let text = format!("{}{}; rm -rf ~", "a".repeat(60), " ".repeat(7_942));
        let shown = quoted(&text);
        assert!(
            shown.starts_with(&format!("\"{}\"…(8,012 characters in all)…\"", "a".repeat(60))),
            "{shown}"
        );
        assert!(shown.ends_with("; rm -rf ~\""), "{shown}");
        assert_eq!(quoted(&"b".repeat(80)), format!("\"{}\"", "b".repeat(80)));
    }

    #[test]
    fn nothing_invisible_and_no_line_end_is_shown_as_it_is() {
        for hidden in [
            '\n',
            '\r',
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{2028}',
            '\u{e0041}',
            '\u{3164}',
            '\u{2800}',
            '\u{ffa0}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ad}',
            '\u{1b}',
            '\u{a0}',
        ] {
            for shown in [quoted(&format!("a{hidden}b")), plain(&format!("a{hidden}b"))] {
                assert!(!shown.contains(hidden), "U+{:04X}: {shown}", u32::from(hidden));
            }
        }
        assert_eq!(quoted("it's \"é\" 日本 \\"), r#""it's \"é\" 日本 \\""#);
        assert_eq!(plain(r#"{"a":"b"}"#), r#"{"a":"b"}"#);
    }

    #[test]
    fn no_character_without_ink_is_shown_as_it_is() {
        let all = ('\u{21}'..=char::MAX).filter(|letter| !fingertip_core::visible::leaves_ink(*letter));
        let hidden: Vec<String> = all
            .filter(|letter| *letter != '\u{fffd}' && quoted(&format!("a{letter}b")).contains(*letter))
            .map(|letter| format!("U+{:04X}", u32::from(letter)))
            .collect();
        assert_eq!(hidden, Vec::<String>::new());
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
