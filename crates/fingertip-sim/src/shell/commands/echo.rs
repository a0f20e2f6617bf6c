//! `echo` and `printf`.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(_: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (words, end) = match words {
        ["-n", words @ ..] => (words, ""),
        ["-e", words @ ..] => return Output::success(format!("{}\n", unescape(&words.join(" ")))),
        words => (words, "\n"),
    };
    Output::success(format!("{}{end}", words.join(" ")))
}

/// The few formats scripts use: `%s`, `%d`, `%%` and escapes; arguments beyond the format use it again.
pub(super) fn printf(_: &Arc<SimPhone>, words: &[&str]) -> Output {
    let [format, words @ ..] = words else {
        return Output::failure(1, "printf: Needs 1 argument\n");
    };
    let format = unescape(format);
    let mut words = words.iter();
    let mut text = String::new();
    loop {
        let before = words.len();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            match (character, characters.as_str().chars().next()) {
                ('%', Some('s' | 'd')) => {
                    characters.next();
                    text.push_str(words.next().unwrap_or(&""));
                }
                ('%', Some('%')) => {
                    characters.next();
                    text.push('%');
                }
                _ => text.push(character),
            }
        }
        if words.len() == 0 || words.len() == before {
            return Output::success(text);
        }
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('0') => plain.push('\0'),
            Some('\\') | None => plain.push('\\'),
            Some(other) => plain.extend(['\\', other]),
        }
    }
    plain
}
