//! `fingertip audit`: the log of what clients did, for people.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use fingertip_core::visible;
use fingertip_mcp::policy::audit::{Digest, Line, Outcome};
use fingertip_mcp::transport::private_file::{self, Guard};

use crate::logs;

/// How often a log that is followed is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Prints the newest lines, and goes on with what is added where that is asked for.
pub(crate) async fn show(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    let mut reader = Reader::new(path);
    let lines = reader.added().with_context(|| format!("cannot read {}", path.display()))?;
    for line in &lines[lines.len().saturating_sub(count)..] {
        logs::print(&readable(line))?;
    }
    if !follow {
        return Ok(());
    }
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        for line in reader.added().with_context(|| format!("cannot read {}", path.display()))? {
            logs::print(&readable(&line))?;
        }
    }
}

/// Reads a file that grows, and starts anew when it was put aside.
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
        let size = match fs::metadata(self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(lines),
            now => now?.len(),
        };
        // A file smaller than what was read of it is another one: the old one was put aside.
        if self.file.is_none() || size < self.read {
            self.file = Some(private_file::open(self.path, Guard::Public)?);
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
            let mut line = String::new();
            let length = reader.read_line(&mut line)?;
            // Half a line is still being written.
            if !line.ends_with('\n') {
                return Ok(lines);
            }
            self.read += length as u64;
            lines.push(line);
        }
    }
}

/// One line for people. What is no line of ours is shown as it is, with escapes for what cannot be seen.
fn readable(text: &str) -> String {
    let Ok(line) = serde_json::from_str::<Line>(text) else {
        return visible::escape(text.trim_end()).into_owned();
    };
    let outcome = match &line.outcome {
        Outcome::Ok => "ok".to_owned(),
        Outcome::Asked => "asked".to_owned(),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Panicked => "panicked".to_owned(),
        Outcome::Failed(reason) => reason.to_uppercase(),
    };
    let rule = line.rule.map(|rule| format!(" by {rule}")).unwrap_or_default();
    let written = match line.text {
        Some(Digest::Open { characters, sha256 }) => format!("  text of {characters} characters, {sha256}"),
        Some(Digest::Secret { .. }) => "  text into a password field".to_owned(),
        None => String::new(),
    };
    let said = format!(
        "{}  {}  {} in {}  {outcome}{rule}  {} ms{written}  ({} over {})",
        line.time,
        line.target.as_deref().unwrap_or("-"),
        line.tool,
        line.app.as_deref().unwrap_or("-"),
        line.duration_ms,
        line.client.as_deref().unwrap_or("unnamed client"),
        line.transport,
    );
    visible::escape(&said).into_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const LINE: &str = r#"{"time":"2026-01-02T03:04:05.678+01:00","client":"a\u001b[2Jb","transport":"http","target":"demo","tool":"set_text","app":"com.x","outcome":"refused","rule":"blocklist com.*","duration_ms":12,"text":{"characters":5,"sha256":"2cf24dba5fb0"}}"#;

    #[test]
    fn a_line_is_readable_and_moves_no_cursor() {
        assert_eq!(
            readable(LINE),
            "2026-01-02T03:04:05.678+01:00  demo  set_text in com.x  REFUSED by blocklist com.*  12 ms  text of 5 \
             characters, 2cf24dba5fb0  (a\\u{1b}[2Jb over http)"
        );
        assert_eq!(readable("no line\u{202e} of\u{2028} ours\n"), "no line\\u{202e} of\\u{2028} ours");
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
