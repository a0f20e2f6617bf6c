//! The words of a line of [`super::tree`].

use std::iter::Peekable;
use std::str::Chars;

use crate::Rect;

/// One word, by its form.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Without any mark.
    Bare(String),
    /// `"text"`.
    Text(String),
    /// `d"text"`.
    Description(String),
    /// `h"text"`.
    Hint(String),
    /// `#text`.
    Resource(String),
    /// `@text`.
    Handle(String),
    /// `[left,top,right,bottom]`.
    Bounds(Rect),
    /// `name=value`.
    Setting(String, String),
}

/// The words of a line; panics when a quote or bracket is not closed or bounds are not four numbers.
pub(super) fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(first) = rest.find(|letter| !letter.is_whitespace()) {
        let quoted = rest.peek() == Some(&'"');
        words.push(match first {
            '"' => Word::Text(quote(&mut rest, line)),
            'd' if quoted => Word::Description(after_prefix(&mut rest, line)),
            'h' if quoted => Word::Hint(after_prefix(&mut rest, line)),
            '#' => Word::Resource(bare(&mut rest)),
            '@' => Word::Handle(bare(&mut rest)),
            '[' => Word::Bounds(bounds(&bare(&mut rest), line)),
            first => {
                let word = format!("{first}{}", bare(&mut rest));
                match word.split_once('=') {
                    Some((name, value)) => Word::Setting(name.to_owned(), value.to_owned()),
                    None => Word::Bare(word),
                }
            }
        });
    }
    words
}

fn bare(rest: &mut Peekable<Chars<'_>>) -> String {
    std::iter::from_fn(|| rest.next_if(|letter| !letter.is_whitespace())).collect()
}

fn after_prefix(rest: &mut Peekable<Chars<'_>>, line: &str) -> String {
    rest.next();
    quote(rest, line)
}

/// Up to the closing quote; a backslash keeps the letter after it, and `\n` is a new line.
fn quote(rest: &mut Peekable<Chars<'_>>, line: &str) -> String {
    let mut text = String::new();
    loop {
        match rest.next() {
            Some('"') => return text,
            Some('\\') => match rest.next() {
                Some('n') => text.push('\n'),
                Some(escaped) => text.push(escaped),
                None => panic!("a quote is not closed: {line}"),
            },
            Some(letter) => text.push(letter),
            None => panic!("a quote is not closed: {line}"),
        }
    }
}

fn bounds(text: &str, line: &str) -> Rect {
    let edges: Option<Vec<i32>> =
        text.strip_suffix(']').and_then(|edges| edges.split(',').map(|edge| edge.parse().ok()).collect());
    match edges.as_deref() {
        Some(&[left, top, right, bottom]) => Rect::new(left, top, right, bottom),
        _ => panic!("bounds are [left,top,right,bottom] without spaces: {line}"),
    }
}
