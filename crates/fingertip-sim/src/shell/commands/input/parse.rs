//! The arguments of `input`, read as Android reads them.

use std::time::Duration;

use super::keys;
use crate::phone::{KeyCode, TouchAction};

/// How long a swipe takes when nothing is said.
const DEFAULT_SWIPE: Duration = Duration::from_millis(300);

/// The longest swipe.
const LONGEST_SWIPE: u64 = 60_000;

/// Input devices that may be named first; all lead to the same screen here.
const SOURCES: [&str; 11] = [
    "keyboard",
    "dpad",
    "gamepad",
    "touchscreen",
    "mouse",
    "stylus",
    "trackball",
    "touchpad",
    "touchnavigation",
    "joystick",
    "rotaryencoder",
];

pub(super) const USAGE: &str = "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\n\
    The sources are: \n      dpad\n      keyboard\n      \
    mouse\n      touchpad\n      gamepad\n      touchnavigation\n      joystick\n      touchscreen\n\
        \x20     stylus\n      trackball\n\n\
    -d: specify the display ID.\n      (Default: -1 for key event, 0 for motion event if not specified.)\n\
    The commands and default sources are:\n      text <string> (Default: keyboard)\n      \
    keyevent [--longpress|--doubletap|--async|--delay <duration between keycodes in ms>] <key code number or name> ... (Default: keyboard)\n      \
    tap <x> <y> (Default: touchscreen)\n\
        \x20     swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n      \
    draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n\
        \x20     press (Default: trackball)\n      \
    roll <dx> <dy> (Default: trackball)\n\
        \x20     motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)\n      \
    keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard, the key order is important here.)\n";

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Tap(f32, f32),
    Swipe {
        from: (f32, f32),
        to: (f32, f32),
        duration: Duration,
        hold: bool,
    },
    Motion(TouchAction, f32, f32),
    Text(String),
    Keys {
        codes: Vec<KeyCode>,
        long: bool,
        times: u8,
        delay: Duration,
    },
    Combination(Vec<KeyCode>),
    Press,
    /// A trackball turns, and the phone has none.
    Nothing,
}

/// Why nothing is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// No command, or a call for help.
    Usage,
    /// An unknown command.
    Unknown(String),
    /// Arguments that make the real command throw.
    Exception { command: String, text: String },
}

/// Reads the arguments.
pub(super) fn parse(words: &[&str]) -> Result<Step, Failure> {
    let (command, arguments) = match without_source(words) {
        ["-d", _, command, arguments @ ..] => (*command, arguments),
        [command, arguments @ ..] => (*command, arguments),
        [] => return Err(Failure::Usage),
    };
    let reader = Reader { command, arguments };
    match command {
        "tap" => Ok(Step::Tap(reader.number(0)?, reader.number(1)?)),
        "swipe" | "draganddrop" => reader.swipe(command == "draganddrop"),
        "motionevent" => reader.motion(),
        "text" => reader.text(),
        "keyevent" => reader.keys(),
        "keycombination" => reader.combination(),
        "press" => Ok(Step::Press),
        "roll" => {
            reader.number(0)?;
            reader.number(1)?;
            Ok(Step::Nothing)
        }
        "help" | "-h" => Err(Failure::Usage),
        unknown => Err(Failure::Unknown(unknown.to_owned())),
    }
}

/// The words without the input device, where one is named before the command.
fn without_source<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    match words {
        [source, rest @ ..] if SOURCES.contains(source) => rest,
        words => words,
    }
}

struct Reader<'a> {
    command: &'a str,
    arguments: &'a [&'a str],
}

impl Reader<'_> {
    fn exception(&self, text: impl Into<String>) -> Failure {
        Failure::Exception { command: self.command.to_owned(), text: text.into() }
    }

    fn word(&self, index: usize) -> Result<&str, Failure> {
        self.arguments.get(index).copied().ok_or_else(|| {
            let previous = index
                .checked_sub(1)
                .and_then(|before| self.arguments.get(before))
                .copied()
                .unwrap_or(self.command);
            self.exception(format!(
                "java.lang.IllegalArgumentException: Argument expected after \"{previous}\""
            ))
        })
    }

    fn number(&self, index: usize) -> Result<f32, Failure> {
        let word = self.word(index)?;
        let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| {
            self.exception(format!("java.lang.NumberFormatException: For input string: \"{word}\""))
        })
    }

    fn swipe(&self, hold: bool) -> Result<Step, Failure> {
        let from = (self.number(0)?, self.number(1)?);
        let to = (self.number(2)?, self.number(3)?);
        let duration = match self.arguments.get(4) {
            Some(text) => match text.parse::<i64>() {
                // A negative duration means the usual one.
                Ok(milliseconds) => u64::try_from(milliseconds)
                    .map_or(DEFAULT_SWIPE, |value| Duration::from_millis(value.min(LONGEST_SWIPE))),
                Err(_) => {
                    return Err(self.exception(format!(
                        "java.lang.NumberFormatException: For input string: \"{text}\""
                    )));
                }
            },
            None => DEFAULT_SWIPE,
        };
        Ok(Step::Swipe { from, to, duration, hold })
    }

    fn motion(&self) -> Result<Step, Failure> {
        let action = match self.word(0)?.to_uppercase().as_str() {
            "DOWN" => TouchAction::Down,
            "MOVE" => TouchAction::Move,
            "UP" => TouchAction::Up,
            "CANCEL" => return Ok(Step::Motion(TouchAction::Cancel, 0.0, 0.0)),
            other => {
                return Err(
                    self.exception(format!("java.lang.IllegalArgumentException: Unknown action: {other}"))
                );
            }
        };
        Ok(Step::Motion(action, self.number(1)?, self.number(2)?))
    }

    fn text(&self) -> Result<Step, Failure> {
        // Arguments beyond the first are ignored, as by the real command.
        let text = self.word(0)?.replace("%s", " ");
        if text.chars().all(|character| (' '..='~').contains(&character)) {
            Ok(Step::Text(text))
        } else {
            Err(self.exception("java.lang.NullPointerException: Attempt to get length of null array"))
        }
    }

    fn keys(&self) -> Result<Step, Failure> {
        let (mut long, mut times, mut delay) = (false, 1, Duration::ZERO);
        let mut codes = Vec::new();
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            match *word {
                "--longpress" => long = true,
                "--doubletap" => times = 2,
                "--async" => {}
                "--delay" => {
                    let milliseconds = words.next().and_then(|text| text.parse().ok()).unwrap_or(0);
                    delay = Duration::from_millis(u64::min(milliseconds, LONGEST_SWIPE));
                }
                name => codes.push(keys::code(name)),
            }
        }
        if codes.is_empty() {
            self.word(self.arguments.len())?;
        }
        Ok(Step::Keys { codes, long, times, delay })
    }

    fn combination(&self) -> Result<Step, Failure> {
        let names = match self.arguments {
            ["-t", _, names @ ..] => names,
            names => names,
        };
        if names.len() < 2 {
            return Err(self.exception(
                "java.lang.IllegalArgumentException: keycombination requires at least 2 keycodes",
            ));
        }
        Ok(Step::Combination(names.iter().map(|name| keys::code(name)).collect()))
    }
}

#[cfg(test)]
mod tests;
