//! Asking for log lines.

/// How grave a line must be at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Everything.
    Verbose,
    /// Debug and up.
    Debug,
    /// Information and up.
    Info,
    /// Warnings and up.
    Warning,
    /// Errors and up.
    Error,
    /// Fatal errors only.
    Fatal,
}

impl LogLevel {
    /// All levels, least grave first.
    pub const ALL: [Self; 6] =
        [Self::Verbose, Self::Debug, Self::Info, Self::Warning, Self::Error, Self::Fatal];

    /// Its letter in tool parameters and in logcat.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Verbose => "V",
            Self::Debug => "D",
            Self::Info => "I",
            Self::Warning => "W",
            Self::Error => "E",
            Self::Fatal => "F",
        }
    }
}

/// A moment as the caller wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogTime {
    /// With a zone: milliseconds since 1970 UTC.
    Absolute(i64),
    /// Without one: milliseconds since 1970 on the wall clock of the target.
    WallClock(i64),
}

/// Which log lines are wanted; all conditions hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogQuery {
    /// At most so many, the newest.
    pub limit: usize,
    /// Not before.
    pub since: Option<LogTime>,
    /// Not after.
    pub until: Option<LogTime>,
    /// With exactly this tag.
    pub tag: Option<String>,
    /// At least this grave.
    pub level: LogLevel,
    /// Of this application's processes.
    pub package: Option<String>,
}

/// The newest lines that matched, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogPage {
    /// The lines.
    pub lines: Vec<String>,
    /// Whether more matched than are here.
    pub truncated: bool,
    /// What the caller should know, such as that the application is not running.
    pub note: Option<String>,
}
