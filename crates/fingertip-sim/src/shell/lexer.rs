//! Cuts a shell line into words and operators.
//!
//! Quoting is settled here: each piece of a word remembers whether it was quoted, because only unquoted pieces
//! are split and globbed later. Nothing is expanded yet.

use super::parser::SyntaxError;

/// The longest line taken, in bytes.
pub const MAX_LINE: usize = 256 * 1024;

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Characters as they are.
    Text {
        /// The characters.
        text: String,
        /// Whether they were quoted.
        quoted: bool,
    },
    /// The value of a variable.
    Variable {
        /// Its name; `?` is the last exit code.
        name: String,
        /// Whether it stood in double quotes.
        quoted: bool,
    },
}

/// One word: pieces side by side. A word without pieces cannot be; `''` is a quoted empty piece.
pub(super) type Word = Vec<Piece>;

/// What a line is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word.
    Word(Word),
    /// One of `;`, `&`, `&&`, `||`, `|`; a line break counts as `;`.
    Operator(&'static str),
    /// A redirect of a descriptor: `2>`, `>>`, `<`, `>&`.
    Redirect {
        /// Which descriptor.
        descriptor: u8,
        /// What is done with it.
        operator: &'static str,
    },
}

/// Cuts the line.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, SyntaxError> {
    if line.len() > MAX_LINE {
        return Err(SyntaxError::TooLong);
    }
    let mut lexer = Lexer { rest: line, tokens: Vec::new(), word: Vec::new() };
    while !lexer.rest.is_empty() {
        lexer.step()?;
    }
    lexer.end_word();
    Ok(lexer.tokens)
}

const OPERATORS: [&str; 6] = ["&&", "||", ";", "|", "&", "\n"];
const REDIRECTS: [&str; 5] = [">>", ">&", "<&", ">", "<"];

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    word: Word,
}

impl<'a> Lexer<'a> {
    fn step(&mut self) -> Result<(), SyntaxError> {
        if let Some(rest) = self.rest.strip_prefix("&>") {
            self.rest = rest;
            self.end_word();
            self.tokens.push(Token::Redirect { descriptor: BOTH, operator: ">" });
            return Ok(());
        }
        if let Some(operator) = REDIRECTS.into_iter().find(|operator| self.rest.starts_with(operator)) {
            self.rest = &self.rest[operator.len()..];
            let default = u8::from(operator.starts_with('>'));
            let descriptor = self.take_descriptor().unwrap_or(default);
            self.end_word();
            self.tokens.push(Token::Redirect { descriptor, operator });
            return Ok(());
        }
        if let Some(operator) = OPERATORS.into_iter().find(|operator| self.rest.starts_with(operator)) {
            self.rest = &self.rest[operator.len()..];
            self.end_word();
            self.tokens.push(Token::Operator(if operator == "\n" { ";" } else { operator }));
            return Ok(());
        }
        let mut characters = self.rest.chars();
        let Some(character) = characters.next() else { return Ok(()) };
        let after = characters.as_str();
        match character {
            ' ' | '\t' | '\r' => self.end_word(),
            '#' if self.word.is_empty() => {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
                return Ok(());
            }
            '\'' => return self.single_quoted(after),
            '"' => return self.double_quoted(after),
            '\\' => {
                if let Some(escaped) = characters.next().filter(|escaped| *escaped != '\n') {
                    self.push(escaped, true);
                }
                self.rest = characters.as_str();
                return Ok(());
            }
            '$' => return self.variable(after, false),
            '(' | ')' | '`' => return Err(SyntaxError::Unexpected(character.to_string())),
            _ => self.push(character, false),
        }
        self.rest = after;
        Ok(())
    }

    /// A digit right before a redirect names its descriptor.
    fn take_descriptor(&mut self) -> Option<u8> {
        let [Piece::Text { text, quoted: false }] = self.word.as_slice() else { return None };
        let descriptor = text.parse().ok().filter(|number| *number <= 2)?;
        self.word.clear();
        Some(descriptor)
    }

    fn single_quoted(&mut self, after: &'a str) -> Result<(), SyntaxError> {
        let end = after.find('\'').ok_or(SyntaxError::Unclosed('\''))?;
        self.push_text(&after[..end], true);
        self.rest = &after[end + 1..];
        Ok(())
    }

    fn double_quoted(&mut self, mut after: &'a str) -> Result<(), SyntaxError> {
        self.push_text("", true);
        loop {
            let mut characters = after.chars();
            match characters.next().ok_or(SyntaxError::Unclosed('"'))? {
                '"' => {
                    self.rest = characters.as_str();
                    return Ok(());
                }
                '\\' => {
                    let escaped = characters.next().ok_or(SyntaxError::Unclosed('"'))?;
                    if !matches!(escaped, '"' | '\\' | '$' | '`' | '\n') {
                        self.push('\\', true);
                    }
                    if escaped != '\n' {
                        self.push(escaped, true);
                    }
                    after = characters.as_str();
                }
                '$' => {
                    self.variable(characters.as_str(), true)?;
                    after = self.rest;
                }
                '`' => return Err(SyntaxError::Unexpected("`".to_owned())),
                character => {
                    self.push(character, true);
                    after = characters.as_str();
                }
            }
        }
    }

    /// A variable whose name starts at `after`; leaves `rest` behind it.
    fn variable(&mut self, after: &'a str, quoted: bool) -> Result<(), SyntaxError> {
        let (name, length) = if let Some(braced) = after.strip_prefix('{') {
            let end = braced.find('}').ok_or(SyntaxError::Unclosed('{'))?;
            (&braced[..end], end + 2)
        } else if after.starts_with(['?', '$', '#', '0', '@', '!']) {
            (&after[..1], 1)
        } else if after.starts_with('(') {
            return Err(SyntaxError::Unexpected("$(".to_owned()));
        } else {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            (&after[..end], end)
        };
        if name.is_empty() {
            self.push('$', quoted);
        } else {
            self.word.push(Piece::Variable { name: name.to_owned(), quoted });
        }
        self.rest = &after[length..];
        Ok(())
    }

    fn push(&mut self, character: char, quoted: bool) {
        self.push_text(character.encode_utf8(&mut [0; 4]), quoted);
    }

    fn push_text(&mut self, added: &str, quoted: bool) {
        match self.word.last_mut() {
            Some(Piece::Text { text, quoted: same }) if *same == quoted => text.push_str(added),
            _ => self.word.push(Piece::Text { text: added.to_owned(), quoted }),
        }
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            self.tokens.push(Token::Word(std::mem::take(&mut self.word)));
        }
    }
}

/// The descriptor that stands for both outputs, in `&>`.
pub(super) const BOTH: u8 = 3;
