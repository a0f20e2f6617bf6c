//! `fingertip config --show`: what is in force, as a file that would say the same, each value with its source.

use std::fmt::Write;

use super::Config;
use super::keys::KEYS;

/// Where the sources stand, in columns; longer values push theirs out.
const COLUMN: usize = 44;

/// The list of which nothing and no choice are two things.
const CHOICE: &str = "policy.tools";

impl Config {
    /// All settings with their sources.
    pub(crate) fn show(&self) -> String {
        let there = if self.file_exists { "" } else { " (not there)" };
        let mut text = format!("# {}{there}\n", self.file.display());
        let mut section = "";
        for key in KEYS {
            let (own, name) = key.name.split_once('.').unwrap_or(("", key.name));
            if own != section {
                let _ = writeln!(text, "\n[{own}]");
                section = own;
            }
            let (value, source) = self.get(key.name);
            // An empty list would offer nothing, so what nobody chose cannot be written as one.
            let line = match key.name {
                CHOICE if self.is_default(CHOICE) => format!("# {name}: all that fit the device"),
                _ => format!("{name} = {value}"),
            };
            let _ = writeln!(text, "{line:COLUMN$} # {source}");
        }
        text
    }
}
