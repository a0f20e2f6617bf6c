//! The configuration file as a function of any bytes, for `fuzz/` only.

/// What the file says, as text.
#[must_use]
pub fn configuration(bytes: &[u8]) -> String {
    crate::config::read_as_text(&String::from_utf8_lossy(bytes))
}
