//! Standard input line by line, for filters.

use super::super::streams::{MAX_INPUT, Source};

/// Cuts a source into lines as they come.
#[derive(Debug, Default)]
pub(super) struct Lines {
    waiting: Vec<u8>,
}

impl Lines {
    /// The next line without its end; `None` after the last.
    pub(super) async fn next(&mut self, source: &mut Source) -> Option<String> {
        loop {
            if let Some(end) = self.waiting.iter().position(|byte| *byte == b'\n') {
                let rest = self.waiting.split_off(end + 1);
                let line = std::mem::replace(&mut self.waiting, rest);
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            match source.read().await {
                Some(data) if self.waiting.len() < MAX_INPUT => self.waiting.extend_from_slice(&data),
                _ if self.waiting.is_empty() => return None,
                _ => return Some(String::from_utf8_lossy(&std::mem::take(&mut self.waiting)).into_owned()),
            }
        }
    }
}

/// Standard input, or the one file a filter names; the error is ready to be printed.
pub(super) fn open(call: &mut super::Call<'_>, path: Option<&str>, name: &str) -> Result<Source, String> {
    let Some(path) = path.filter(|path| *path != "-") else {
        return Ok(std::mem::replace(call.stdin, Source::empty()));
    };
    let data = call.phone.files().read(path);
    data.map(Source::data).map_err(|error| format!("{name}: {path}: {error}\n"))
}
