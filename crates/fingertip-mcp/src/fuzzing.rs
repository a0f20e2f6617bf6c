//! The parsers of what a client sends, each as a function of any bytes.
//!
//! For `fuzz/` only. Each returns what it made of the bytes as text, so that the fuzzer sees when something new
//! happens.

use std::sync::LazyLock;

use crate::params::Arguments;
use crate::registry::{Interface, Registry};
use crate::secrets::{Said, Secrets};
use crate::timeouts::Timeouts;
use crate::tool::Run;
use crate::transport::fuzzing as transport;

/// A short limit, so that lines over it are common.
const LINE_LIMIT: usize = 64;

static TOOLS: LazyLock<[Registry; 2]> = LazyLock::new(|| {
    [Interface::Current, Interface::V1].map(|interface| Registry::new(interface, &Timeouts::default()))
});

/// One message, over HTTP or as a line.
#[must_use]
pub fn message(bytes: &[u8]) -> String {
    transport::message(bytes)
}

/// Lines of a stream.
#[must_use]
pub fn lines(bytes: &[u8]) -> String {
    transport::lines(bytes, LINE_LIMIT)
}

/// The arguments of any tool: selectors, paths, ids, cursors, numbers, gestures.
#[must_use]
pub fn arguments(bytes: &[u8]) -> String {
    let Some((choice, bytes)) = bytes.split_first() else { return String::new() };
    let Ok(arguments) = serde_json::from_slice(bytes) else { return "no object".to_owned() };
    let count: usize = TOOLS.iter().map(|registry| registry.tools().count()).sum();
    let tool = TOOLS.iter().flat_map(Registry::tools).nth(usize::from(*choice) % count.max(1));
    let Some(tool) = tool else { return String::new() };
    let Run::OnTarget(prepare) = tool.entry.run else { return String::new() };
    let params = tool.entry.definition.params;
    match Arguments::new(&arguments, params).and_then(prepare) {
        Ok(prepared) => format!("{} {:?}", tool.entry.definition.name, prepared.time_limit),
        Err(error) => format!("{} {error}", tool.entry.definition.name),
    }
}

/// A file of secrets, and after a NUL a reply that they are taken out of.
#[must_use]
pub fn secrets(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (file, reply) = text.split_once('\0').unwrap_or((&text, &text));
    let mut secrets = Secrets::default();
    if let Err(error) = secrets.add_lines(file) {
        return error;
    }
    let redacted = secrets.redact(reply.to_owned(), &Said::default());
    let mut values =
        file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    // One that stands alone in the file, and cannot be made of what stands for it or of an escape.
    if let (Some((_, value)), None) = (values.next(), values.next())
        && value.chars().filter(char::is_ascii_alphanumeric).count() >= 8
        && !value.contains(['[', ']', '{', '}'])
    {
        assert!(!redacted.contains(value), "a value is in no reply");
    }
    redacted
}
