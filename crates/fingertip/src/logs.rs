//! What the program says of itself: always on standard error, never on standard output.

use std::io::Write;

use tracing_subscriber::EnvFilter;

/// Chooses what is logged, as `FINGERTIP_LOG=debug`.
const VARIABLE: &str = "FINGERTIP_LOG";
/// The SDK warns of each JSON-RPC error a client causes; that is not the owner's concern.
const DEFAULT: &str = "warn,rmcp=error";

/// Starts logging.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(DEFAULT));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).compact().init();
}

/// Tells the person at the terminal. A closed terminal is no reason to end the server.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints what a command was asked for.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")
}
