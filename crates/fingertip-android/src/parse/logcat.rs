//! Log lines, as `logcat -v threadtime -v epoch` prints them, and choosing among them.
//!
//! Times are read since 1970, so neither a year nor a time zone is guessed; they are shown on the phone's own
//! clock. The newest matching lines are kept while reading, so that a log of any length takes little memory.

use std::collections::{BTreeSet, VecDeque};

use fingertip_core::target::{LogLevel, LogPage, LogQuery, LogTime};
use jiff::Timestamp;
use jiff::tz::Offset;

/// The longest line that is kept, in bytes; Android itself cuts messages at about 4,000.
pub(crate) const MAX_LINE: usize = 16 * 1024;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Milliseconds since 1970 UTC.
    pub(crate) time: i64,
    /// The process that wrote it.
    pub(crate) pid: u32,
    /// The thread.
    pub(crate) tid: u32,
    /// How grave it is.
    pub(crate) level: LogLevel,
    /// Its tag.
    pub(crate) tag: &'a str,
    /// What it says.
    pub(crate) message: &'a str,
}

impl<'a> Line<'a> {
    /// Reads `1700000000.123  1234  1235 I Tag     : message`; `None` for dividers and rubbish.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let (time, rest) = word(line)?;
        let (pid, rest) = word(rest)?;
        let (tid, rest) = word(rest)?;
        let (level, rest) = word(rest)?;
        let (tag, message) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
        Some(Self {
            time: milliseconds(time)?,
            pid: pid.parse().ok()?,
            tid: tid.parse().ok()?,
            level: level_of(level)?,
            tag: tag.trim(),
            message,
        })
    }

    /// The line with its time on a clock that is ahead of UTC by `offset`.
    pub(crate) fn shown(&self, offset: Offset) -> String {
        let time = Timestamp::from_millisecond(self.time).unwrap_or_default();
        let time = offset.to_datetime(time).strftime("%Y-%m-%d %H:%M:%S%.3f");
        let Self { pid, tid, level, tag, message, .. } = self;
        format!("{time} {pid:>5} {tid:>5} {} {tag}: {message}", level.letter())
    }
}

/// Reads `+0530`, as `date +%z` prints it.
pub(crate) fn offset(text: &str) -> Option<Offset> {
    let text = text.trim();
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2).filter(|_| digits.len() == 4)?;
    let seconds = hours.parse::<i32>().ok()? * 3600 + minutes.parse::<i32>().ok()? * 60;
    Offset::from_seconds(sign * seconds).ok()
}

/// A moment on the phone's clock as milliseconds since 1970 UTC.
pub(crate) fn absolute(time: LogTime, offset: Offset) -> i64 {
    match time {
        LogTime::Absolute(time) => time,
        LogTime::WallClock(time) => time.saturating_sub(i64::from(offset.seconds()) * 1000),
    }
}

/// Takes output as it comes and keeps the newest lines that match.
#[derive(Debug)]
pub(crate) struct Collector {
    query: LogQuery,
    since: i64,
    until: i64,
    offset: Offset,
    processes: Option<BTreeSet<u32>>,
    partial: Vec<u8>,
    kept: VecDeque<(i64, String)>,
    more: bool,
}

impl Collector {
    /// Keeps what the query asks for; of these processes, when they are given.
    pub(crate) fn new(query: &LogQuery, offset: Offset, processes: Option<BTreeSet<u32>>) -> Self {
        let bound = |time: Option<LogTime>, open| time.map_or(open, |time| absolute(time, offset));
        Self {
            query: query.clone(),
            since: bound(query.since, i64::MIN),
            until: bound(query.until, i64::MAX),
            offset,
            processes,
            partial: Vec::new(),
            kept: VecDeque::new(),
            more: false,
        }
    }

    /// Takes the next bytes; they may end in the middle of a line.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        let unfinished = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            self.extend(piece);
            self.line();
        }
        self.extend(unfinished);
    }

    /// The lines kept, oldest first.
    pub(crate) fn finish(mut self) -> LogPage {
        self.line();
        let lines = self.kept.into_iter().map(|(_, line)| line).collect();
        LogPage { lines, truncated: self.more, note: None }
    }

    fn extend(&mut self, piece: &[u8]) {
        let room = MAX_LINE - self.partial.len().min(MAX_LINE);
        self.partial.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn line(&mut self) {
        let bytes = std::mem::take(&mut self.partial);
        let text = String::from_utf8_lossy(&bytes);
        if let Some(line) = Line::parse(text.trim_end_matches('\r')).filter(|line| self.matches(line)) {
            self.kept.push_back((line.time, line.shown(self.offset)));
            if self.kept.len() > self.query.limit {
                self.kept.pop_front();
                self.more = true;
            }
        }
        self.partial = bytes;
        self.partial.clear();
    }

    fn matches(&self, line: &Line<'_>) -> bool {
        line.level >= self.query.level
            && (self.since..=self.until).contains(&line.time)
            && self.query.tag.as_deref().is_none_or(|tag| tag == line.tag)
            && self.processes.as_ref().is_none_or(|processes| processes.contains(&line.pid))
    }
}

fn word(text: &str) -> Option<(&str, &str)> {
    text.trim_start().split_once(' ')
}

fn milliseconds(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.')?;
    let fraction = fraction.get(..3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    seconds.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(fraction.parse().ok()?)
}

fn level_of(letter: &str) -> Option<LogLevel> {
    LogLevel::ALL
        .into_iter()
        .find(|level| level.letter() == letter)
        .or((letter == "A").then_some(LogLevel::Fatal))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "--------- beginning of main\r\n\
           1700000000.123  1234  1235 I ActivityManager: Start proc 77:com.a\r\n\
           1700000001.000  4321  4321 D MCP:ServerService: with: colons\n\
           1700000002.500  4321  4400 E AndroidRuntime: FATAL EXCEPTION: main\n\
         --------- beginning of crash\n\
           1700000003.000  1234  1300 W Tag     : \n\
         rubbish\n\
           1700000004.999  4321  4321 F libc    : gone";

    fn query() -> LogQuery {
        LogQuery { limit: 100, since: None, until: None, tag: None, level: LogLevel::Verbose, package: None }
    }

    fn collected(
        query: &LogQuery,
        offset: Offset,
        processes: Option<BTreeSet<u32>>,
        chunk: usize,
    ) -> LogPage {
        let mut collector = Collector::new(query, offset, processes);
        LOG.as_bytes().chunks(chunk).for_each(|bytes| collector.push(bytes));
        collector.finish()
    }

    #[test]
    fn lines_are_read_and_shown_on_the_phones_clock() {
        let page = collected(&query(), offset("+0530").unwrap(), None, 7);
        assert_eq!(page.lines.len(), 5);
        assert_eq!(
            page.lines[0],
            "2023-11-15 03:43:20.123  1234  1235 I ActivityManager: Start proc 77:com.a"
        );
        assert_eq!(page.lines[1], "2023-11-15 03:43:21.000  4321  4321 D MCP:ServerService: with: colons");
        assert_eq!(page.lines[3], "2023-11-15 03:43:23.000  1234  1300 W Tag: ");
        assert!(!page.truncated);
    }

    #[test]
    fn all_conditions_hold_together() {
        let asked = LogQuery {
            since: Some(LogTime::Absolute(1_700_000_001_000)),
            until: Some(LogTime::WallClock(1_700_000_004_000 + 3_600_000)),
            level: LogLevel::Debug,
            ..query()
        };
        let page = collected(&asked, offset("+0100").unwrap(), Some(BTreeSet::from([4321])), 1000);
        assert_eq!(page.lines.len(), 2, "{page:?}");
        let tagged = LogQuery { tag: Some("MCP:ServerService".into()), ..asked.clone() };
        assert_eq!(collected(&tagged, Offset::UTC, None, 3).lines.len(), 1);
        let grave = LogQuery { level: LogLevel::Error, ..asked };
        assert_eq!(collected(&grave, offset("+0100").unwrap(), None, 3).lines.len(), 1);
    }

    #[test]
    fn the_newest_are_kept_and_the_rest_is_said_to_be_missing() {
        let page = collected(&LogQuery { limit: 2, ..query() }, Offset::UTC, None, 11);
        assert!(page.truncated);
        assert!(page.lines[0].contains("W Tag") && page.lines[1].contains("F libc"));
        assert!(!collected(&LogQuery { limit: 5, ..query() }, Offset::UTC, None, 11).truncated);
    }

    #[test]
    fn zones_are_read_as_date_prints_them() {
        assert_eq!(offset("-0330\r\n").map(Offset::seconds), Some(-12_600));
        for wrong in ["", "0100", "+1", "+99999", "UTC", "+éé"] {
            assert_eq!(offset(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_line_without_end_is_bounded() {
        let mut collector = Collector::new(&query(), Offset::UTC, None);
        collector.push(b"1700000000.123 1 2 I Tag: ");
        (0..100).for_each(|_| collector.push(&[b'x'; MAX_LINE]));
        assert!(collector.finish().lines[0].len() <= MAX_LINE + 20);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_survived(text in "([0-9.]{1,25}| |[VDIWEFA] |: |\n|\\PC){0,60}", chunk in 1_usize..50) {
            let mut collector = Collector::new(&query(), Offset::UTC, None);
            text.as_bytes().chunks(chunk).for_each(|bytes| collector.push(bytes));
            let _ = collector.finish();
        }
    }
}
