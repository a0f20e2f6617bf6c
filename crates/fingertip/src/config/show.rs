//! `fingertip config --show`: what is in force, as a file that would say the same, each value with its source.

use std::fmt::Write;

use super::Config;

/// Where the sources stand, in columns; longer values push theirs out.
const COLUMN: usize = 44;

impl Config {
    /// All settings with their sources.
    pub(crate) fn show(&self) -> String {
        let there = if self.file_exists { "" } else { " (not there)" };
        let mut text = format!("# {}{there}\n", self.file.display());
        let mut section = "";
        for setting in self.settings.all() {
            let own = setting.key().parts().0;
            if own != section {
                let _ = writeln!(text, "\n[{own}]");
                section = own;
            }
            let _ = writeln!(text, "{:COLUMN$} # {}", setting.shown(), setting.source());
        }
        text
    }
}
