//! What the program says of itself: always on standard error, never on standard output.
//!
//! Much of it is quoted from outside: device labels, client names, window titles. All of it goes through here, and what a
//! terminal would obey or not show is escaped: an escape sequence, a turned direction, a forged line of the log.

use std::io::{self, Write};

use fingertip_core::visible;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Chooses what is logged, as `FINGERTIP_LOG=debug`.
pub(crate) const VARIABLE: &str = "FINGERTIP_LOG";
/// What is logged unless the owner chooses.
const DEFAULT: &str = "warn";
/// The SDK warns of each JSON-RPC error a client causes, and below that logs whole messages, passwords to be typed
/// included. It is logged only where it is named.
const SDK: &str = "rmcp";

/// Starts logging.
pub(crate) fn start() {
    let chosen = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT.to_owned());
    let filter: Targets = quiet(&chosen).parse().or_else(|_| quiet(DEFAULT).parse()).unwrap_or_default();
    // Without colours: then every escape sequence in a line is foreign.
    let format =
        tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| OneLine(io::stderr())).compact();
    tracing_subscriber::registry().with(format.with_filter(filter)).init();
}

/// The filter, without what the SDK has to say unless it is named.
fn quiet(filter: &str) -> String {
    if filter.contains(SDK) { filter.to_owned() } else { format!("{filter},{SDK}=error") }
}

/// Writes one event as one line: each write of the subscriber is a whole event with its line end.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = visible::escape(text.trim_end_matches('\n'));
        self.0.write_all(format!("{line}\n").as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints for the person at the terminal. A closed terminal is no reason to end the server.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible::escape_lines(text));
}

/// Prints what a command was asked for.
pub(crate) fn print(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", visible::escape_lines(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_that_a_terminal_only_shows() {
        let mut out = Vec::new();
        let event = " WARN client=\"a\u{202e}\u{1b}[2J\nERROR forged\u{2028}\u{e0041}\"\n";
        OneLine(&mut out).write_all(event.as_bytes()).unwrap();
        let shown = " WARN client=\"a\\u{202e}\\u{1b}[2J\\nERROR forged\\u{2028}\\u{e0041}\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), shown);
    }

    #[test]
    fn the_sdk_is_quiet_unless_it_is_named() {
        assert_eq!(quiet("trace"), "trace,rmcp=error");
        assert_eq!(quiet("warn,rmcp=debug"), "warn,rmcp=debug");
    }
}
