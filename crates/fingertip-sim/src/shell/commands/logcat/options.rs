//! The arguments of `logcat`.

use regex_lite::Regex;

use super::format::Format;
use crate::phone::{Level, LogBuffer, LogLine};

const LEVELS: [Level; 6] =
    [Level::Verbose, Level::Debug, Level::Info, Level::Warn, Level::Error, Level::Fatal];

/// From where the log is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// So many lines before its end.
    Lines(usize),
    /// From this moment on.
    Since(i64),
}

/// What the caller asked for.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) buffers: Vec<LogBuffer>,
    pub(super) follow: bool,
    pub(super) clear: bool,
    pub(super) show_size: bool,
    pub(super) tail: Option<Tail>,
    pub(super) format: Format,
    pub(super) max_count: Option<usize>,
    pid: Option<u32>,
    regex: Option<Regex>,
    /// Least grave level by tag; `None` is silence.
    filters: Vec<(String, Option<Level>)>,
    otherwise: Option<Level>,
}

impl Options {
    /// Whether the log daemon would hand the line out at all.
    pub(super) fn takes_source(&self, line: &LogLine) -> bool {
        self.buffers.contains(&line.buffer) && self.pid.is_none_or(|pid| pid == line.pid)
    }

    /// Whether the filters let the line through.
    pub(super) fn takes_content(&self, line: &LogLine) -> bool {
        let by_tag = self.filters.iter().rev().find(|(tag, _)| *tag == line.tag);
        let least = by_tag.map_or(self.otherwise, |(_, level)| *level);
        let grave_enough = least.is_some_and(|least| line.level >= least);
        grave_enough && self.regex.as_ref().is_none_or(|regex| regex.is_match(&line.message))
    }
}

/// Reads the arguments; the error is ready to be printed.
pub(super) fn parse(words: &[&str], offset: i32, now: i64) -> Result<Options, String> {
    let mut options = Options {
        buffers: Vec::new(),
        follow: true,
        clear: false,
        show_size: false,
        tail: None,
        format: Format::default(),
        max_count: None,
        pid: None,
        regex: None,
        filters: Vec::new(),
        otherwise: Some(Level::Verbose),
    };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => match word.split_at_checked(2) {
                Some((flag, value)) if flag.starts_with('-') && flag != "--" && !value.is_empty() => {
                    (flag, Some(value))
                }
                _ => (word, None),
            },
        };
        let mut value = || {
            attached.or_else(|| words.next()).ok_or_else(|| {
                format!("logcat: option requires an argument -- '{}'\n", name.trim_start_matches('-'))
            })
        };
        match name {
            "-d" | "--dump" => options.follow = false,
            "-c" | "--clear" => options.clear = true,
            "-g" | "--buffer-size" => options.show_size = true,
            "-s" => options.otherwise = None,
            "-t" => {
                options.tail = Some(tail(value()?, offset, now)?);
                options.follow = false;
            }
            "-T" => options.tail = Some(tail(value()?, offset, now)?),
            "-v" | "--format" => options.format.add(value()?)?,
            "-b" | "--buffer" => add_buffers(&mut options.buffers, value()?)?,
            "-m" | "--max-count" => options.max_count = Some(number(value()?)?),
            "-e" | "--regex" => {
                let pattern = value()?;
                options.regex =
                    Some(Regex::new(pattern).map_err(|_| format!("logcat: bad regex {pattern}\n"))?);
            }
            "--pid" => options.pid = Some(number(value()?)?),
            "--uid" => {
                value()?;
            }
            "--print" | "-D" | "--dividers" => {}
            _ if name.starts_with('-') => return Err(format!("logcat: unrecognized option '{word}'\n")),
            _ => {
                for filter in word.split_ascii_whitespace() {
                    add_filter(&mut options, filter)?;
                }
            }
        }
    }
    if options.buffers.is_empty() {
        options.buffers = vec![LogBuffer::Main, LogBuffer::System, LogBuffer::Crash];
    }
    Ok(options)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("logcat: {text} is not a number\n"))
}

fn add_buffers(buffers: &mut Vec<LogBuffer>, names: &str) -> Result<(), String> {
    for name in names.split(',') {
        match name {
            "main" => buffers.push(LogBuffer::Main),
            "system" => buffers.push(LogBuffer::System),
            "crash" => buffers.push(LogBuffer::Crash),
            "events" => buffers.push(LogBuffer::Events),
            "default" => buffers.extend([LogBuffer::Main, LogBuffer::System, LogBuffer::Crash]),
            "all" => {
                buffers.extend([LogBuffer::Main, LogBuffer::System, LogBuffer::Crash, LogBuffer::Events]);
            }
            // Buffers that exist and are empty here.
            "radio" | "kernel" | "security" => {}
            unknown => return Err(format!("Unknown buffer '{unknown}'\n")),
        }
    }
    Ok(())
}

/// `TAG:LEVEL`, `TAG` for everything of it, `*:LEVEL` for the rest.
fn add_filter(options: &mut Options, filter: &str) -> Result<(), String> {
    let (tag, letter) = filter.rsplit_once(':').unwrap_or((filter, "V"));
    let level = match letter {
        "*" => Some(Level::Verbose),
        "S" | "s" => None,
        letter => Some(
            LEVELS
                .into_iter()
                .find(|level| letter.eq_ignore_ascii_case(&level.letter().to_string()))
                .ok_or_else(|| format!("Invalid filter expression '{filter}'\n"))?,
        ),
    };
    if tag == "*" {
        options.otherwise = level;
    } else {
        options.filters.push((tag.to_owned(), level));
    }
    Ok(())
}

/// A number of lines, `MM-DD hh:mm:ss.mmm`, the same with a year, or seconds since 1970 with a fraction.
fn tail(text: &str, offset: i32, now: i64) -> Result<Tail, String> {
    if let Ok(count) = text.parse() {
        return Ok(Tail::Lines(count));
    }
    if let Some(moment) = epoch(text) {
        return Ok(Tail::Since(moment));
    }
    let year = super::super::date::civil(now, offset).year();
    let with_year =
        if text.len() > 4 && text.as_bytes()[4] == b'-' { text.to_owned() } else { format!("{year}-{text}") };
    let civil: jiff::civil::DateTime =
        with_year.replacen(' ', "T", 1).parse().map_err(|_| format!("-t \"{text}\" not in time format\n"))?;
    let moment = jiff::tz::Offset::UTC
        .to_timestamp(civil)
        .map_err(|_| format!("-t \"{text}\" not in time format\n"))?;
    Ok(Tail::Since(moment.as_millisecond() - i64::from(offset) * 60_000))
}

fn epoch(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = format!("{fraction:0<3}");
    let milliseconds: i64 = digits.get(..3)?.parse().ok()?;
    seconds.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(milliseconds)
}
