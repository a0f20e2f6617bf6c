//! `fingertip config --show`: what is in force, as a file that would say the same, each value with its source.

use std::fmt::Write;

use super::Config;
use super::keys::KEYS;

/// Where the sources stand, in columns; longer values push theirs out.
const COLUMN: usize = 44;

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
            let _ = writeln!(text, "{:COLUMN$} # {source}", format!("{name} = {value}"));
        }
        text
    }
}
