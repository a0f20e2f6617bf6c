//! Messages and lines as functions of any bytes; see [`crate::fuzzing`].

use super::envelope;
use super::lines::{Line, LineReader};
use super::stdio;

/// One message.
pub(crate) fn message(bytes: &[u8]) -> String {
    match envelope::inspect(bytes) {
        Ok(envelope) => {
            let known = stdio::parse(bytes, true).is_ok();
            format!("{:?} {} {:?} {known}", envelope.kind, envelope.method, envelope.id.is_some())
        }
        Err(refusal) => String::from_utf8_lossy(&refusal.to_json()).into_owned(),
    }
}

/// Lines, none longer than `limit`.
pub(crate) fn lines(bytes: &[u8], limit: usize) -> String {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return String::new() };
    let mut reader = LineReader::new(bytes, limit);
    let mut seen = String::new();
    while let Ok(Some(line)) = runtime.block_on(reader.next()) {
        match line {
            Line::Whole(line) => {
                assert!(line.len() <= limit + 1, "a line of {} bytes", line.len());
                seen.push_str(&message(&line));
            }
            Line::TooLong => seen.push('!'),
        }
    }
    seen
}
