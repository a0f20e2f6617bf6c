//! The log: a bounded ring of lines as `logcat` would print them.

use std::collections::VecDeque;

/// How many lines are kept; the oldest go first.
pub const LOG_CAPACITY: usize = 4000;

/// Log level, in logcat's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `V`.
    Verbose,
    /// `D`.
    Debug,
    /// `I`.
    Info,
    /// `W`.
    Warn,
    /// `E`.
    Error,
    /// `F`.
    Fatal,
}

impl Level {
    /// The letter logcat prints.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Verbose => 'V',
            Self::Debug => 'D',
            Self::Info => 'I',
            Self::Warn => 'W',
            Self::Error => 'E',
            Self::Fatal => 'F',
        }
    }
}

/// Which buffer a line is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogBuffer {
    /// Apps.
    Main,
    /// The system's own services.
    System,
    /// Crashes.
    Crash,
    /// Binary events.
    Events,
}

impl LogBuffer {
    /// The name `logcat -b` takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::System => "system",
            Self::Crash => "crash",
            Self::Events => "events",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Counts up by one for each line ever written.
    pub sequence: u64,
    /// Milliseconds since 1970.
    pub epoch_ms: i64,
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
    /// User.
    pub uid: u32,
    /// Level.
    pub level: Level,
    /// Tag.
    pub tag: String,
    /// Message, one line.
    pub message: String,
    /// Buffer.
    pub buffer: LogBuffer,
}

/// The ring.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    lines: VecDeque<LogLine>,
    written: u64,
}

impl Log {
    pub(crate) fn lines(&self) -> &VecDeque<LogLine> {
        &self.lines
    }

    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    /// Appends a line; its sequence number is given here.
    pub(crate) fn push(&mut self, mut line: LogLine) {
        if self.lines.len() == LOG_CAPACITY {
            self.lines.pop_front();
        }
        line.sequence = self.written;
        self.written += 1;
        self.lines.push_back(line);
    }
}
