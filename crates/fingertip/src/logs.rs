//! What the program says of itself: always on standard error, never on standard output.

use std::io::Write;

use tracing_subscriber::EnvFilter;

/// Chooses what is logged, as `FINGERTIP_LOG=debug`.
const VARIABLE: &str = "FINGERTIP_LOG";
/// What is logged unless the owner chooses.
const DEFAULT: &str = "warn";
/// The SDK warns of each JSON-RPC error a client causes, and below that logs whole messages, passwords to be typed
/// included. Who wants that must name it.
const SDK: &str = "rmcp";

/// Starts logging.
pub(crate) fn start() {
    let chosen = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT.to_owned());
    let filter = EnvFilter::try_new(quiet(&chosen)).unwrap_or_else(|_| EnvFilter::new(quiet(DEFAULT)));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).compact().init();
}

/// The filter, without what the SDK has to say unless it is named.
fn quiet(filter: &str) -> String {
    if filter.contains(SDK) { filter.to_owned() } else { format!("{filter},{SDK}=error") }
}

/// Tells the person at the terminal. A closed terminal is no reason to end the server.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints what a command was asked for.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdk_is_quiet_unless_it_is_named() {
        assert_eq!(quiet("trace"), "trace,rmcp=error");
        assert_eq!(quiet("warn,rmcp=debug"), "warn,rmcp=debug");
    }
}
