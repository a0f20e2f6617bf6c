//! The answer to a call, from a server or from this very process, and what a shell gets of it.
//!
//! Standard output holds the result and nothing else, also in a pipe: text, a picture that is all of a result, or with
//! `--json` the result as MCP has it. What failed is printed on standard error, and by the exit code in any case.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fingertip_core::{Reason, visible};
use serde_json::{Value, json};

use crate::logs;

/// The error code of MCP for a tool that does not exist for this client, among other things that are wrong with a request.
const INVALID_PARAMS: i64 = -32602;

/// How a command ended, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It was done.
    Done = 0,
    /// It was tried and failed, or could not be tried.
    Failed = 1,
    /// The command or its parameters are wrong; nothing was done.
    WrongUse = 2,
    /// The policy forbids it.
    Refused = 3,
    /// What it names is not there, or is not one thing.
    NotFound = 4,
    /// It took too long.
    TimedOut = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        (exit as u8).into()
    }
}

impl Exit {
    /// By the `error_type` of a failed call.
    fn of(error_type: &str) -> Self {
        let is = |reasons: &[Reason]| reasons.iter().any(|reason| reason.name() == error_type);
        if is(&[Reason::InvalidParams]) {
            Self::WrongUse
        } else if is(&[Reason::Refused]) {
            Self::Refused
        } else if is(&[Reason::NotRunning, Reason::NotFound, Reason::Stale, Reason::Ambiguous]) {
            Self::NotFound
        } else if is(&[Reason::Timeout]) {
            Self::TimedOut
        } else {
            Self::Failed
        }
    }
}

/// What is wrong with how a command was written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUse(pub(crate) String);

/// What came back of a call.
#[derive(Debug)]
pub(super) enum Answer {
    /// A result, which may be a failure.
    Result(Value),
    /// An error of the protocol.
    Error {
        /// Its code.
        code: i64,
        /// What it says.
        message: String,
    },
}

impl Answer {
    /// Of a message that holds the one or the other.
    pub(super) fn of(mut message: Value) -> Self {
        match message.get_mut("result").map(Value::take) {
            Some(result) => Self::Result(result),
            None => Self::Error {
                code: message["error"]["code"].as_i64().unwrap_or_default(),
                message: message["error"]["message"].as_str().unwrap_or_default().to_owned(),
            },
        }
    }

    /// Whether no tool of this name was to be had.
    pub(super) fn is_unknown_tool(&self) -> bool {
        matches!(self, Self::Error { code: INVALID_PARAMS, message } if message.starts_with("Unknown tool"))
    }

    fn exit(&self) -> Exit {
        match self {
            Self::Result(result) if result["isError"] == true => Exit::of(error_type(result)),
            // What did not hold, or did not come in time, is a good answer and no good news for a script.
            Self::Result(result) if result["structuredContent"]["satisfied"] == false => Exit::Failed,
            Self::Result(result) if result["structuredContent"]["found"] == false => Exit::TimedOut,
            Self::Result(_) => Exit::Done,
            Self::Error { code: INVALID_PARAMS, .. } => Exit::WrongUse,
            Self::Error { .. } => Exit::Failed,
        }
    }

    /// Prints the answer for the caller.
    ///
    /// # Errors
    /// When a picture cannot be written where it was to go.
    pub(super) fn hand_over(&self, as_json: bool, picture: Option<&Path>) -> anyhow::Result<Exit> {
        let exit = self.exit();
        let printed = match self {
            _ if as_json => print_json(&self.json()),
            Self::Result(result) if result["isError"] != true => show(result, picture)?,
            Self::Result(result) => {
                texts(result).for_each(|text| logs::say(&format!("fingertip: {text}")));
                Ok(())
            }
            Self::Error { message, .. } => {
                logs::say(&format!("fingertip: {message}"));
                Ok(())
            }
        };
        read(printed).map(|()| exit)
    }

    fn json(&self) -> Value {
        match self {
            Self::Result(result) => result.clone(),
            Self::Error { code, message } => json!({"error": {"code": code, "message": message}}),
        }
    }
}

/// What became of printing, where a reader that has seen enough is no failure.
pub(super) fn read(printed: io::Result<()>) -> anyhow::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

/// Prints a value in a line that both a program and a terminal can take: what a terminal would obey or not show is escaped as
/// JSON has it.
pub(super) fn print_json(value: &Value) -> io::Result<()> {
    let mut line = String::new();
    for character in value.to_string().chars() {
        // A backslash is the terminal's concern in a sentence, and JSON's own here.
        let is_plain =
            character == '\\' || matches!(visible::escape(&character.to_string()), Cow::Borrowed(_));
        if is_plain {
            line.push(character);
        } else {
            let mut units = [0; 2];
            line.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    writeln!(io::stdout().lock(), "{line}")
}

/// Why a call failed: of many steps the one that did.
fn error_type(result: &Value) -> &str {
    let content = &result["structuredContent"];
    let steps = content["steps"].as_array().into_iter().flatten();
    let mut types = std::iter::once(content).chain(steps).filter_map(|part| part["error_type"].as_str());
    types.next().unwrap_or_default()
}

fn blocks<'a>(result: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    result["content"].as_array().into_iter().flatten().filter(move |block| block["type"] == kind)
}

fn texts(result: &Value) -> impl Iterator<Item = &str> {
    blocks(result, "text").filter_map(|block| block["text"].as_str())
}

/// Prints the texts of a result, and puts its picture where it is wanted.
fn show(result: &Value, file: Option<&Path>) -> anyhow::Result<io::Result<()>> {
    let picture = blocks(result, "image").next().and_then(|block| block["data"].as_str());
    let picture = picture.map(|data| STANDARD.decode(data)).transpose()?;
    let mut printed = texts(result).try_for_each(logs::print);
    match (picture, file) {
        (Some(picture), Some(file)) => {
            std::fs::write(file, picture)
                .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", file.display()))?;
        }
        (None, Some(file)) => anyhow::bail!("the result has no picture for {}", file.display()),
        (Some(picture), None) if texts(result).next().is_none() && !io::stdout().is_terminal() => {
            printed = printed.and_then(|()| io::stdout().lock().write_all(&picture));
        }
        (Some(picture), None) => {
            logs::say(&format!(
                "fingertip: a picture of {} bytes is left out; --output FILE keeps it",
                picture.len()
            ));
        }
        (None, None) => {}
    }
    Ok(printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_exit_code() {
        let exit = |error_type: &str| {
            let result = json!({"isError": true, "structuredContent": {"error_type": error_type}});
            Answer::of(json!({"result": result})).exit() as u8
        };
        let expected = [
            (Reason::InvalidParams, 2),
            (Reason::PermissionDenied, 1),
            (Reason::Refused, 3),
            (Reason::NotRunning, 4),
            (Reason::NotFound, 4),
            (Reason::Stale, 4),
            (Reason::Ambiguous, 4),
            (Reason::Covered, 1),
            (Reason::Disabled, 1),
            (Reason::Unsupported, 1),
            (Reason::ActionFailed, 1),
            (Reason::Timeout, 5),
            (Reason::Disconnected, 1),
            (Reason::Internal, 1),
        ];
        for (reason, code) in expected {
            assert_eq!(exit(reason.name()), code, "{reason:?}");
        }
        assert_eq!(Answer::of(json!({"result": {"content": []}})).exit(), Exit::Done);
        let steps = json!({"steps": [{"done": true}, {"error_type": "element_not_found"}, {"done": false}]});
        let run = json!({"result": {"isError": true, "structuredContent": steps}});
        assert_eq!(Answer::of(run).exit(), Exit::NotFound);
        let judged = json!({"result": {"isError": false, "structuredContent": {"satisfied": false}}});
        assert_eq!(Answer::of(judged).exit(), Exit::Failed);
        let waited = json!({"result": {"isError": false, "structuredContent": {"found": false}}});
        assert_eq!(Answer::of(waited).exit(), Exit::TimedOut);
        assert_eq!(Answer::of(json!({"error": {"code": -32603, "message": "m"}})).exit(), Exit::Failed);
        assert_eq!(Answer::of(json!({"error": {"code": -32602, "message": "m"}})).exit(), Exit::WrongUse);
    }
}
