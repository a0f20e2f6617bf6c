//! Builds the structure of a shell line from its tokens.
//!
//! A script is a list of jobs; a job is pipelines joined by `&&` and `||`; a pipeline is commands joined by
//! `|`. There is no nesting, so no line can make this recurse.

use super::lexer::{self, Piece, Token, Word};

/// Why a line is not understood, in the words of the phone's shell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// A quote or brace without its partner.
    #[error("no closing quote")]
    Unclosed(char),
    /// Something that cannot stand where it stands.
    #[error("syntax error: unexpected '{0}'")]
    Unexpected(String),
    /// Longer than [`super::MAX_LINE`].
    #[error("line too long")]
    TooLong,
}

/// What joins a pipeline to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// Always runs.
    Always,
    /// `&&`: runs after success.
    And,
    /// `||`: runs after failure.
    Or,
}

/// Pipelines that depend on each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Job {
    pub(super) pipelines: Vec<(Joint, Pipeline)>,
    /// Whether the shell goes on without waiting.
    pub(super) background: bool,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pipeline {
    /// Whether `!` turns its result around.
    pub(super) negated: bool,
    pub(super) commands: Vec<Command>,
}

/// One command with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Command {
    /// `NAME=value` before the command.
    pub(super) assignments: Vec<(String, Word)>,
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
}

/// One redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) descriptor: u8,
    pub(super) operator: &'static str,
    pub(super) target: Word,
}

/// Builds the jobs of a line.
pub(super) fn parse(line: &str) -> Result<Vec<Job>, SyntaxError> {
    let mut parser = Parser::default();
    let mut tokens = lexer::tokens(line)?.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => parser.word(word),
            Token::Redirect { descriptor, operator } => {
                let Some(Token::Word(target)) = tokens.next() else {
                    return Err(SyntaxError::Unexpected("newline".to_owned()));
                };
                parser.command.redirects.push(Redirect { descriptor, operator, target });
            }
            Token::Operator("|") => parser.end_command("|")?,
            Token::Operator(";") => parser.end_job(false)?,
            Token::Operator("&") => {
                if parser.is_idle() {
                    return Err(SyntaxError::Unexpected("&".to_owned()));
                }
                parser.end_job(true)?;
            }
            Token::Operator(operator) => {
                parser.end_pipeline(operator)?;
                parser.joint = if operator == "&&" { Joint::And } else { Joint::Or };
            }
        }
    }
    parser.end_job(false)?;
    Ok(parser.jobs)
}

#[derive(Debug)]
struct Parser {
    jobs: Vec<Job>,
    job: Job,
    joint: Joint,
    pipeline: Pipeline,
    command: Command,
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            jobs: Vec::new(),
            job: Job::default(),
            joint: Joint::Always,
            pipeline: Pipeline::default(),
            command: Command::default(),
        }
    }
}

impl Parser {
    fn word(&mut self, word: Word) {
        if self.command.words.is_empty() {
            if self.command == Command::default() && is_plain(&word, "!") {
                self.pipeline.negated = !self.pipeline.negated;
                return;
            }
            if let Some(assignment) = as_assignment(&word) {
                self.command.assignments.push(assignment);
                return;
            }
        }
        self.command.words.push(word);
    }

    fn end_command(&mut self, before: &str) -> Result<(), SyntaxError> {
        if self.command == Command::default() {
            return Err(SyntaxError::Unexpected(before.to_owned()));
        }
        self.pipeline.commands.push(std::mem::take(&mut self.command));
        Ok(())
    }

    fn end_pipeline(&mut self, before: &str) -> Result<(), SyntaxError> {
        self.end_command(before)?;
        self.job.pipelines.push((self.joint, std::mem::take(&mut self.pipeline)));
        self.joint = Joint::Always;
        Ok(())
    }

    /// Ends a job. An empty one is a blank line, unless something before it waits for it.
    fn end_job(&mut self, background: bool) -> Result<(), SyntaxError> {
        if self.is_idle() {
            return Ok(());
        }
        self.end_pipeline(";")?;
        self.job.background = background;
        self.jobs.push(std::mem::take(&mut self.job));
        Ok(())
    }

    fn is_idle(&self) -> bool {
        let nothing_waits = self.pipeline == Pipeline::default() && self.job.pipelines.is_empty();
        self.command == Command::default() && nothing_waits
    }
}

fn is_plain(word: &Word, expected: &str) -> bool {
    matches!(word.as_slice(), [Piece::Text { text, quoted: false }] if text == expected)
}

fn as_assignment(word: &Word) -> Option<(String, Word)> {
    let Some(Piece::Text { text, quoted: false }) = word.first() else { return None };
    let (name, value) = text.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !is_name {
        return None;
    }
    let mut rest = word.clone();
    rest[0] = Piece::Text { text: value.to_owned(), quoted: false };
    Some((name.to_owned(), rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shape(line: &str) -> String {
        let jobs = parse(line).unwrap();
        let pipeline = |pipeline: &Pipeline| {
            let words = |command: &Command| command.words.len().to_string();
            pipeline.commands.iter().map(words).collect::<Vec<_>>().join("|")
        };
        let job = |job: &Job| {
            let pipelines: Vec<_> =
                job.pipelines.iter().map(|(joint, p)| format!("{joint:?}:{}", pipeline(p))).collect();
            format!("{}{}", pipelines.join(" "), if job.background { " &" } else { "" })
        };
        jobs.iter().map(job).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn lists_pipes_and_background_jobs_have_their_structure() {
        assert_eq!(shape("a b; c | d e && f || g\nh &"), "Always:2; Always:1|2 And:1 Or:1; Always:1 &");
        assert_eq!(shape(" ;; # nothing\n"), "");
        assert_eq!(shape("a & b"), "Always:1 &; Always:1");
    }

    #[test]
    fn assignments_and_redirects_belong_to_their_command() {
        let jobs = parse("A=1 B='x y' cmd A=2 >out 2>&1 </dev/null").unwrap();
        let command = &jobs[0].pipelines[0].1.commands[0];
        assert_eq!(command.assignments.len(), 2);
        assert_eq!(command.words.len(), 2);
        let redirects: Vec<_> = command.redirects.iter().map(|r| (r.descriptor, r.operator)).collect();
        assert_eq!(redirects, [(1, ">"), (2, ">&"), (0, "<")]);
    }

    #[test]
    fn what_cannot_stand_alone_is_refused() {
        for line in ["a |", "| a", "&& a", "a &&", "a >", "'a", "\"a", "(a)", "a `b`", "${a", "&"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_parsed_or_refused(line in "\\PC{0,80}") {
            let _ = parse(&line);
        }

        #[test]
        fn any_mix_of_operators_is_parsed_or_refused(line in "[ab $'\"\\\\;&|<>(){}=#?!\n0-2]{0,60}") {
            if let Ok(jobs) = parse(&line) {
                let pipelines = jobs.iter().flat_map(|job| &job.pipelines);
                let commands = pipelines.flat_map(|(_, pipeline)| &pipeline.commands);
                let words: usize = commands.map(|command| command.words.len()).sum();
                prop_assert!(words <= line.len());
            }
        }

        #[test]
        fn a_single_quoted_word_keeps_every_character(text in "[^']{0,40}") {
            let jobs = parse(&format!("echo '{text}'")).unwrap();
            let word = &jobs[0].pipelines[0].1.commands[0].words[1];
            prop_assert_eq!(word, &vec![Piece::Text { text, quoted: true }]);
        }
    }
}
