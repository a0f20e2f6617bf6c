//! What a person sees while something takes longer than a moment: one line on standard error, and only on a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// What is over by then is not worth a word.
const AFTER: Duration = Duration::from_secs(1);
/// How often the line is rewritten.
const EVERY: Duration = Duration::from_secs(1);
/// Back to the start of the line, and what stood there is gone.
const CLEAR: &str = "\r\u{1b}[K";

/// Waits for it, and says what is waited for, and for how long, while it is not there.
pub(crate) async fn while_waiting<T>(what: &str, waited: impl Future<Output = T>) -> T {
    if !std::io::stderr().is_terminal() {
        return waited.await;
    }
    tokio::pin!(waited);
    let begun = Instant::now();
    let mut pause = AFTER;
    let mut said = false;
    loop {
        tokio::select! {
            biased;
            done = &mut waited => {
                if said {
                    write(CLEAR);
                }
                return done;
            }
            () = tokio::time::sleep(pause) => {
                write(&format!("{CLEAR}{what} ... {} s", begun.elapsed().as_secs()));
                (pause, said) = (EVERY, true);
            }
        }
    }
}

/// A terminal that is gone is no reason to fail.
fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
