//! `fingertip audit`: the log of what clients did, for people; one row a call.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use fingertip_core::visible;
use fingertip_mcp::policy::audit::{Digest, Line, Outcome};
use fingertip_mcp::transport::private_file::{self, Guard, Identity};

use crate::logs;

/// How often a log that is followed is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long a call that has begun is waited for before it is shown without its end.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// Prints the newest calls, and goes on with what is added where that is asked for.
pub(crate) async fn show(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    let mut reader = Reader::new(path);
    let mut calls = Calls::default();
    let mut added = || reader.added().with_context(|| format!("cannot read {}", path.display()));
    let mut rows = calls.rows(added()?, Instant::now());
    if !follow {
        rows.extend(calls.unended(None));
        rows.sort_by_key(|row| row.place);
    }
    for row in &rows[rows.len().saturating_sub(count)..] {
        logs::print(&row.text)?;
    }
    if !follow {
        return Ok(());
    }
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = Instant::now();
        let rows = calls.rows(added()?, now);
        for row in rows.into_iter().chain(calls.unended(now.checked_sub(SHOWN_AFTER))) {
            logs::print(&row.text)?;
        }
    }
}

/// One call for people.
struct Row {
    place: usize,
    text: String,
}

/// Joins the two lines of a call: the one before it acted, and the one that reports how it ended.
#[derive(Default)]
struct Calls {
    lines: usize,
    begun: Vec<Begun>,
}

/// A call whose end was not seen yet.
struct Begun {
    call: String,
    read: Instant,
    row: Row,
}

impl Calls {
    /// The rows of these lines. A call that has only begun has none yet.
    fn rows(&mut self, lines: Vec<String>, now: Instant) -> Vec<Row> {
        let mut rows = Vec::new();
        for text in lines {
            self.lines += 1;
            let row = |text| Row { place: self.lines, text };
            let Ok(line) = serde_json::from_str::<Line>(&text) else {
                rows.push(row(visible::escape(text.trim_end()).into_owned()));
                continue;
            };
            let row = row(readable(&line));
            match line.call {
                Some(call) if line.outcome == Outcome::Begun => {
                    self.begun.push(Begun { call, read: now, row });
                }
                call => {
                    self.begun.retain(|begun| Some(&begun.call) != call.as_ref());
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// The calls whose end is not known, of those read by then or of all; each is given once.
    fn unended(&mut self, read_by: Option<Instant>) -> Vec<Row> {
        let late = |begun: &mut Begun| read_by.is_none_or(|by| begun.read <= by);
        self.begun.extract_if(.., late).map(|begun| begun.row).collect()
    }
}

/// Reads a file that grows, and starts again when it was put aside.
struct Reader<'a> {
    path: &'a Path,
    file: Option<File>,
    read: u64,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path) -> Self {
        Self { path, file: None, read: 0 }
    }

    /// The whole lines added since the last time. A file that is not there yet has none.
    fn added(&mut self) -> std::io::Result<Vec<String>> {
        let mut lines = self.rest()?;
        let known = match &self.file {
            Some(file) => private_file::still_at(&Identity::of(file)?, self.path)?,
            None => None,
        };
        // Another file at this path: the old one was put aside. A smaller one: it was emptied.
        if known.is_none_or(|known| known.len() < self.read) {
            self.file = match private_file::open(self.path, Guard::Public) {
                Err(error) if error.is_missing() => return Ok(lines),
                file => Some(file?),
            };
            self.read = 0;
            lines.extend(self.rest()?);
        }
        Ok(lines)
    }

    fn rest(&mut self) -> std::io::Result<Vec<String>> {
        let Some(file) = &mut self.file else { return Ok(Vec::new()) };
        file.seek(SeekFrom::Start(self.read))?;
        let mut reader = BufReader::new(file);
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            let length = reader.read_until(b'\n', &mut line)?;
            // Half a line is still being written.
            if !line.ends_with(b"\n") {
                return Ok(lines);
            }
            self.read += length as u64;
            lines.push(String::from_utf8_lossy(&line).into_owned());
        }
    }
}

/// One line for people.
fn readable(line: &Line) -> String {
    let outcome = match &line.outcome {
        Outcome::Begun => "begun, no outcome known".to_owned(),
        Outcome::Ok => "ok".to_owned(),
        Outcome::Asked => "asked".to_owned(),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Panicked => "panicked".to_owned(),
        Outcome::Failed(reason) => reason.to_uppercase(),
    };
    let rule = line.rule.as_ref().map(|rule| format!(" by {rule}")).unwrap_or_default();
    let repeated = line.repeated.map(|count| format!("  {count} times")).unwrap_or_default();
    let written = match &line.text {
        Some(Digest::Open { characters, sha256 }) => format!("  text of {characters} characters, {sha256}"),
        Some(Digest::Secret { .. }) => "  text into a password field".to_owned(),
        None => String::new(),
    };
    visible::escape(&format!(
        "{}  {}  {} in {}  {outcome}{rule}{repeated}  {} ms{written}  ({} over {})",
        line.time,
        line.target.as_deref().unwrap_or("-"),
        line.tool,
        line.app.as_deref().unwrap_or("-"),
        line.duration_ms,
        line.client.as_deref().unwrap_or("unnamed client"),
        line.transport,
    ))
    .into_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const LINE: &str = r#"{"time":"2026-01-02T03:04:05.678+01:00","client":"a\u001b[2Jb","transport":"http","target":"demo","tool":"set_text","app":"com.x","outcome":"refused","rule":"blocklist com.*","duration_ms":12,"text":{"characters":5,"sha256":"2cf24dba5fb0"}}"#;

    #[test]
    fn a_line_is_readable_and_moves_no_cursor() {
        assert_eq!(
            row(LINE),
            "2026-01-02T03:04:05.678+01:00  demo  set_text in com.x  REFUSED by blocklist com.*  12 ms  text of 5 \
             characters, 2cf24dba5fb0  (a\\u{1b}[2Jb over http)"
        );
        assert_eq!(row("no line\u{202e} of\u{2028} ours\n"), "no line\\u{202e} of\\u{2028} ours");
        let counted = LINE.replace("\"duration_ms\"", "\"repeated\":1234,\"duration_ms\"");
        assert!(row(&counted).contains("REFUSED by blocklist com.*  1234 times"), "{}", row(&counted));
    }

    fn row(line: &str) -> String {
        let rows = Calls::default().rows(vec![line.to_owned()], Instant::now());
        rows.into_iter().map(|row| row.text).collect()
    }

    fn line(tool: &str, outcome: &str, call: &str) -> String {
        format!(
            "{{\"time\":\"t\",\"transport\":\"http\",\"tool\":\"{tool}\",\"outcome\":\"{outcome}\",\"duration_ms\":1,\"call\":\"{call}\"}}\n"
        )
    }

    #[test]
    fn a_call_is_one_row_and_one_without_an_end_says_so() {
        let now = Instant::now();
        let mut calls = Calls::default();
        let lines = [("swipe", "begun", "a-1"), ("tap", "begun", "a-2"), ("tap", "ok", "a-2")];
        let lines = lines.map(|(tool, outcome, call)| line(tool, outcome, call)).to_vec();
        let rows = calls.rows(lines, now);
        let [row] = rows.as_slice() else { panic!("one row") };
        assert!(row.text.contains("tap in -  ok"), "{}", row.text);
        assert!(calls.unended(now.checked_sub(SHOWN_AFTER)).is_empty(), "it may still run");
        let unended = calls.unended(None);
        assert!(unended[0].text.contains("swipe in -  begun, no outcome known"), "{}", unended[0].text);
        assert!(calls.unended(None).is_empty(), "once");
    }

    #[test]
    fn what_is_no_text_is_shown_as_far_as_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        fs::write(&path, b"{\"torn \xff\n").unwrap();
        assert_eq!(Reader::new(&path).added().unwrap(), ["{\"torn \u{fffd}\n"]);
    }

    #[test]
    fn what_is_added_is_read_once_and_a_new_file_from_its_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut reader = Reader::new(&path);
        assert!(reader.added().unwrap().is_empty());
        let mut file = File::create(&path).unwrap();
        write!(file, "one\ntwo\nhal").unwrap();
        assert_eq!(reader.added().unwrap(), ["one\n", "two\n"]);
        writeln!(file, "f").unwrap();
        assert_eq!(reader.added().unwrap(), ["half\n"]);
        writeln!(file, "last").unwrap();
        fs::rename(&path, folder.path().join("audit.jsonl.1")).unwrap();
        fs::write(&path, "new\n").unwrap();
        assert_eq!(reader.added().unwrap(), ["last\n", "new\n"]);
        assert!(reader.added().unwrap().is_empty());
    }
}
