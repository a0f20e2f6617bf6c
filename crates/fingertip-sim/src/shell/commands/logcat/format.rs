//! How `logcat` writes a line: the formats of `-v` and what modifies them.

use super::super::date;
use crate::phone::LogLine;

/// The order of the parts of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Layout {
    Brief,
    Long,
    Process,
    Raw,
    Tag,
    Thread,
    #[default]
    ThreadTime,
    Time,
}

/// A layout and its modifiers.
#[derive(Debug, Clone, Default)]
pub(super) struct Format {
    layout: Layout,
    epoch: bool,
    uid: bool,
    year: bool,
    microseconds: bool,
    utc: bool,
    zone: bool,
    printable: bool,
}

impl Format {
    /// Adds what one `-v` says.
    pub(super) fn add(&mut self, words: &str) -> Result<(), String> {
        for word in words.split(',') {
            match word {
                "brief" => self.layout = Layout::Brief,
                "long" => self.layout = Layout::Long,
                "process" => self.layout = Layout::Process,
                "raw" => self.layout = Layout::Raw,
                "tag" => self.layout = Layout::Tag,
                "thread" => self.layout = Layout::Thread,
                "threadtime" => self.layout = Layout::ThreadTime,
                "time" => self.layout = Layout::Time,
                "epoch" => self.epoch = true,
                "uid" => self.uid = true,
                "year" => self.year = true,
                "usec" => self.microseconds = true,
                "UTC" => self.utc = true,
                "zone" => self.zone = true,
                "printable" => self.printable = true,
                // Colours are for terminals, and the others change nothing the phone's lines have.
                "color" | "descriptive" | "monotonic" | "nsec" => {}
                unknown => return Err(format!("Invalid parameter \"{unknown}\" to -v\n")),
            }
        }
        Ok(())
    }

    /// Writes a line with all that belongs to it.
    pub(super) fn push(&self, text: &mut String, line: &LogLine, offset: i32) {
        let time = self.time(line, offset);
        let uid = if self.uid { format!("{:>5}:", user(line.uid)) } else { String::new() };
        let (pid, tid, level, tag) = (line.pid, line.tid, line.level.letter(), &line.tag);
        let message = if self.printable { printable(&line.message) } else { line.message.clone() };
        let written = match self.layout {
            Layout::Brief => format!("{level}/{tag:<8}({uid}{pid:>5}): {message}\n"),
            Layout::Long => format!("[ {time} {uid}{pid:>5}:{tid:>5} {level}/{tag:<8} ]\n{message}\n\n"),
            Layout::Process => format!("{level}({uid}{pid:>5}) {message}  ({tag})\n"),
            Layout::Raw => format!("{message}\n"),
            Layout::Tag => format!("{level}/{tag:<8}: {message}\n"),
            Layout::Thread => format!("{level}({uid}{pid:>5}:{tid:>5}) {message}\n"),
            Layout::ThreadTime => {
                let uid = uid.replace(':', " ");
                format!("{time} {uid}{pid:>5} {tid:>5} {level} {tag:<8}: {message}\n")
            }
            Layout::Time => format!("{time} {level}/{tag:<8}({uid}{pid:>5}): {message}\n"),
        };
        text.push_str(&written);
    }

    fn time(&self, line: &LogLine, offset: i32) -> String {
        let fraction = line.epoch_ms.rem_euclid(1000);
        let fraction = if self.microseconds { format!("{fraction:03}000") } else { format!("{fraction:03}") };
        if self.epoch {
            return format!("{:>19}.{fraction}", line.epoch_ms.div_euclid(1000));
        }
        let offset = if self.utc { 0 } else { offset };
        let pattern = if self.year { "%Y-%m-%d %H:%M:%S" } else { "%m-%d %H:%M:%S" };
        let zone = if self.zone { format!(" {}", date::offset(offset)) } else { String::new() };
        format!("{}.{fraction}{zone}", date::civil(line.epoch_ms, offset).strftime(pattern))
    }
}

/// Short names are shown as such, the others as numbers.
fn user(uid: u32) -> String {
    match uid {
        0 => "root".to_owned(),
        1001 => "radio".to_owned(),
        2000 => "shell".to_owned(),
        _ => uid.to_string(),
    }
}

/// What a terminal could not show, as escapes.
fn printable(message: &str) -> String {
    let escape = |character: char| match character {
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\\' => "\\\\".to_owned(),
        control if control.is_control() => format!("\\x{:02X}", control as u32),
        character => character.to_string(),
    };
    message.chars().map(escape).collect()
}
