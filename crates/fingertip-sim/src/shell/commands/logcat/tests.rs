use super::*;
use crate::phone::Level;

/// 2026-03-02 09:30:01.234 UTC.
const MOMENT: i64 = 1_772_443_801_234;

fn line(sequence: u64, tag: &str, level: Level, buffer: LogBuffer) -> LogLine {
    let epoch_ms = MOMENT + i64::try_from(sequence).unwrap() * 1000;
    LogLine {
        sequence,
        epoch_ms,
        pid: 812,
        tid: 2230,
        uid: 10_142,
        level,
        tag: tag.into(),
        message: format!("message {sequence}"),
        buffer,
    }
}

fn lines() -> Vec<LogLine> {
    vec![
        line(0, "App", Level::Info, LogBuffer::Main),
        line(1, "ActivityManager", Level::Debug, LogBuffer::System),
        line(2, "App", Level::Error, LogBuffer::Main),
        LogLine { pid: 99, ..line(3, "Other", Level::Warn, LogBuffer::Main) },
        line(4, "event", Level::Info, LogBuffer::Events),
    ]
}

fn printed(words: &[&str]) -> String {
    let options = options::parse(words, 60, MOMENT).unwrap();
    let mut printer = Printer { options: &options, seen: Vec::new(), printed: 0, next: 0 };
    printer.old(lines().iter(), 60)
}

fn numbers(words: &[&str]) -> Vec<u32> {
    let mut all = words.to_vec();
    all.extend(["-v", "raw"]);
    printed(&all).lines().filter_map(|line| line.strip_prefix("message ")?.parse().ok()).collect()
}

#[test]
fn the_usual_format_has_dividers_and_local_time() {
    let expected = "--------- beginning of main\n\
        03-02 10:30:01.234   812  2230 I App     : message 0\n\
        --------- beginning of system\n\
        03-02 10:30:02.234   812  2230 D ActivityManager: message 1\n";
    assert_eq!(printed(&["-d", "-m", "2"]), expected);
}

#[test]
fn modifiers_change_time_and_user() {
    let first = |words: &[&str]| printed(words).lines().nth(1).unwrap().to_owned();
    assert_eq!(
        first(&["-v", "threadtime", "-v", "epoch", "-v", "uid"]),
        "         1772443801.234 10142   812  2230 I App     : message 0"
    );
    assert_eq!(
        first(&["-v", "year,UTC,zone,usec"]),
        "2026-03-02 09:30:01.234000 +0000   812  2230 I App     : message 0"
    );
    assert_eq!(first(&["-v", "brief"]), "I/App     (  812): message 0");
    assert_eq!(first(&["-v", "time", "-v", "uid"]), "03-02 10:30:01.234 I/App     (10142:  812): message 0");
    assert_eq!(first(&["-v", "long"]), "[ 03-02 10:30:01.234   812: 2230 I/App      ]");
}

#[test]
fn filters_choose_by_tag_level_process_and_buffer() {
    assert_eq!(numbers(&["-d"]), [0, 1, 2, 3]);
    assert_eq!(numbers(&["-d", "*:W"]), [2, 3]);
    assert_eq!(numbers(&["-d", "App:E", "*:S"]), [2]);
    assert_eq!(numbers(&["-d", "-s", "App"]), [0, 2]);
    assert_eq!(numbers(&["-d", "--pid=99"]), [3]);
    assert_eq!(numbers(&["-d", "--pid", "812"]), [0, 1, 2]);
    assert_eq!(numbers(&["-b", "events", "-d"]), [4]);
    assert_eq!(numbers(&["-b", "all", "-d", "-e", "[24]$"]), [2, 4]);
}

#[test]
fn the_newest_lines_are_counted_before_the_tags_are_looked_at() {
    assert_eq!(numbers(&["-t", "2"]), [2, 3]);
    assert_eq!(numbers(&["-t", "2", "App:V", "*:S"]), [2]);
}

#[test]
fn times_are_understood_in_three_forms() {
    assert_eq!(numbers(&["-t", "1772443803.000"]), [2, 3]);
    assert_eq!(numbers(&["-t", "03-02 10:30:03.234"]), [2, 3]);
    assert_eq!(numbers(&["-T", "2026-03-02 10:30:04.000"]), [3]);
    assert!(options::parse(&["-t", "yesterday"], 0, 0).is_err());
}

#[test]
fn nonsense_is_refused() {
    for words in [&["--nope"][..], &["-v", "nope"], &["-b", "nope"], &["App:X"], &["-t"], &["--pid", "x"]] {
        assert!(options::parse(words, 0, 0).is_err(), "{words:?}");
    }
}
