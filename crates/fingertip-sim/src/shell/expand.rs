//! Turns words into arguments: variables, splitting at blanks, and file name patterns.

use std::collections::HashMap;

use super::lexer::{Piece, Word};
use crate::files::Files;

/// Variables by name.
pub(super) type Variables = HashMap<String, String>;

/// The value of a variable; unset ones are empty.
fn value<'a>(name: &str, variables: &'a Variables) -> &'a str {
    variables.get(name).map_or("", String::as_str)
}

/// A word as one text: for assignments and redirects, which are not split.
pub(super) fn text(word: &Word, variables: &Variables) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text { text, .. } => text.clone(),
        Piece::Variable { name, .. } => value(name, variables).to_owned(),
    };
    word.iter().map(piece).collect()
}

/// A word as the arguments it stands for: none, one or several.
pub(super) fn arguments(word: &Word, variables: &Variables, files: &Files) -> Vec<String> {
    let mut fields: Vec<Field> = Vec::new();
    let mut open = false;
    for piece in word {
        match piece {
            Piece::Text { text, quoted } => append(&mut fields, &mut open, text, *quoted),
            Piece::Variable { name, quoted: true } => {
                append(&mut fields, &mut open, value(name, variables), true);
            }
            Piece::Variable { name, quoted: false } => split(&mut fields, &mut open, value(name, variables)),
        }
    }
    fields.into_iter().flat_map(|field| field.names(files)).collect()
}

/// An argument in the making.
#[derive(Debug, Default)]
struct Field {
    text: String,
    /// Whether an unquoted `*` or `?` makes it a pattern.
    is_pattern: bool,
}

impl Field {
    /// The files it matches; itself when it is no pattern or nothing matches.
    fn names(self, files: &Files) -> Vec<String> {
        if !self.is_pattern {
            return vec![self.text];
        }
        let (folder, pattern) = match self.text.rsplit_once('/') {
            Some((folder, pattern)) => (format!("{folder}/"), pattern),
            None => (String::new(), self.text.as_str()),
        };
        let listed = files.list(&folder).unwrap_or_default();
        let hidden = pattern.starts_with('.');
        let matching = listed.iter().filter(|(name, _)| hidden || !name.starts_with('.'));
        let names: Vec<String> = matching
            .filter(|(name, _)| matches(pattern.as_bytes(), name.as_bytes()))
            .map(|(name, _)| format!("{folder}{name}"))
            .collect();
        if names.is_empty() { vec![self.text] } else { names }
    }
}

fn append(fields: &mut Vec<Field>, open: &mut bool, text: &str, quoted: bool) {
    if !*open {
        fields.push(Field::default());
        *open = true;
    }
    if let Some(field) = fields.last_mut() {
        field.text.push_str(text);
        field.is_pattern |= !quoted && text.contains(['*', '?']);
    }
}

/// The value of an unquoted variable: blanks in it end arguments.
fn split(fields: &mut Vec<Field>, open: &mut bool, value: &str) {
    if value.is_empty() {
        return;
    }
    let blank = |character: char| character.is_ascii_whitespace();
    if value.starts_with(blank) {
        *open = false;
    }
    for part in value.split_ascii_whitespace() {
        append(fields, open, part, false);
        *open = false;
    }
    // What follows the variable sticks to its last part unless a blank stood between.
    *open = !value.ends_with(blank);
}

/// Whether a name fits a pattern of `*`, `?` and plain bytes, in time linear in both for each star.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p + 1, n));
                p += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((after, taken)) = star else { return false };
                star = Some((after, taken + 1));
                (p, n) = (after, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::super::lexer::{Token, tokens};
    use super::*;

    fn expanded(line: &str) -> Vec<String> {
        let mut files = Files::default();
        for name in ["a.jar", "b.jar", "c.txt", ".hidden"] {
            files.write(&format!("/data/local/tmp/{name}"), "x".into(), 0o644, 0).unwrap();
        }
        let variables =
            [("X", "one two"), ("Y", "end")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let variables = Variables::from(variables);
        let words = tokens(line).unwrap().into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        });
        words.flat_map(|word| arguments(&word, &variables, &files)).collect()
    }

    #[test]
    fn quotes_decide_whether_a_value_is_split() {
        assert_eq!(expanded("$X"), ["one", "two"]);
        assert_eq!(expanded("\"$X\""), ["one two"]);
        assert_eq!(expanded("a${X}b"), ["aone", "twob"]);
        assert_eq!(expanded("'$X' \\$X"), ["$X", "$X"]);
        assert_eq!(expanded("$X$Y"), ["one", "twoend"]);
    }

    #[test]
    fn an_unset_variable_is_no_argument_and_a_quoted_one_is_an_empty_argument() {
        assert_eq!(expanded("$NONE"), [""; 0]);
        assert_eq!(expanded("\"$NONE\" '' \"\""), ["", "", ""]);
        assert_eq!(expanded("a$NONE a${NONE}b"), ["a", "ab"]);
    }

    #[test]
    fn quoting_keeps_what_it_should() {
        assert_eq!(expanded(r#"a\ b "c \"d\" \x" 'e\f' g"h"'i'"#), ["a b", "c \"d\" \\x", "e\\f", "ghi"]);
        assert_eq!(expanded("costs 5$ a#b"), ["costs", "5$", "a#b"]);
    }

    #[test]
    fn patterns_name_files_and_stay_when_nothing_fits() {
        assert_eq!(expanded("/data/local/tmp/*.jar"), ["/data/local/tmp/a.jar", "/data/local/tmp/b.jar"]);
        assert_eq!(expanded("/data/local/tmp/?.txt"), ["/data/local/tmp/c.txt"]);
        assert_eq!(expanded("'/data/local/tmp/*.jar'"), ["/data/local/tmp/*.jar"]);
        assert_eq!(expanded("/data/local/tmp/*.apk *:S"), ["/data/local/tmp/*.apk", "*:S"]);
    }
}
