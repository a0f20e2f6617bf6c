//! One line of the audit log.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// How much of a text's hash is kept, in bytes: enough to compare with a text at hand, too little to stand for it.
const HASH_BYTES: usize = 6;
/// The longest name a client is written down by, in characters.
const MAX_CLIENT: usize = 80;

/// What is kept of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When it began: RFC 3339 with the offset of this machine's zone.
    pub time: String,
    /// What the client calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// How it came: `stdio`, `http` or `v1`.
    pub transport: String,
    /// The target, once it was clear which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The tool.
    pub tool: String,
    /// The application acted on, or that would have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// All of them, in order, where there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apps: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// The rule that refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What is kept of the text it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Digest>,
    /// The elements that its selectors meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<Selected>,
    /// Joins the line a call left before it acted with the one it left when it ended. A call that did not act has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// How many calls like this the line stands for, none of which acted; one where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<u64>,
}

/// A selector of a call, and what it meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// The parameter it was given for.
    pub parameter: String,
    /// What is kept of it: it may hold words of the screen.
    pub selector: Digest,
    /// The id of the element; none where it meant none or several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// About to act. How it ended is in the next line of the same call.
    Begun,
    /// Done.
    Ok,
    /// The user is asked first.
    Asked,
    /// The client took it back or went away; part of it may be done.
    Cancelled,
    /// A defect of ours ended it.
    Panicked,
    /// Not done, for this reason.
    #[serde(untagged)]
    Failed(String),
}

/// What is kept of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Digest {
    /// Its length and the beginning of its hash.
    Open {
        /// In characters.
        characters: usize,
        /// The first bytes of its SHA-256, in hex.
        sha256: String,
    },
    /// It went into a password field.
    Secret {
        /// Always true.
        secret: bool,
    },
}

impl Digest {
    /// Of a text that is no secret.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let hash = Sha256::digest(text);
        let sha256 = hash.iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect();
        Self::Open { characters: text.chars().count(), sha256 }
    }

    /// Of a secret: nothing. A short one could be found from its hash by trying all.
    #[must_use]
    pub const fn secret() -> Self {
        Self::Secret { secret: true }
    }
}

/// The name of a client, cut to a length that no client can fill the log with.
pub(super) fn client_name(name: &str) -> String {
    name.chars().take(MAX_CLIENT).collect()
}

#[cfg(test)]
impl Line {
    pub(super) fn sample() -> Self {
        Self {
            time: "2026-01-02T03:04:05.678+01:00".to_owned(),
            client: Some("tester".to_owned()),
            transport: "http".to_owned(),
            target: Some("demo".to_owned()),
            tool: "set_text".to_owned(),
            app: Some("com.example".to_owned()),
            apps: Vec::new(),
            outcome: Outcome::Failed("refused".to_owned()),
            rule: None,
            duration_ms: 12,
            text: Some(Digest::of("hello")),
            selected: Vec::new(),
            call: None,
            repeated: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_no_text_and_reads_back() {
        let line = Line::sample();
        let text = serde_json::to_string(&line).unwrap();
        assert_eq!(
            text,
            "{\"time\":\"2026-01-02T03:04:05.678+01:00\",\"client\":\"tester\",\"transport\":\"http\",\
             \"target\":\"demo\",\"tool\":\"set_text\",\"app\":\"com.example\",\"outcome\":\"refused\",\
             \"duration_ms\":12,\"text\":{\"characters\":5,\"sha256\":\"2cf24dba5fb0\"}}"
        );
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
    }

    #[test]
    fn of_a_secret_neither_length_nor_hash_is_kept() {
        assert_eq!(serde_json::to_string(&Digest::secret()).unwrap(), "{\"secret\":true}");
    }

    #[test]
    fn outcomes_are_words() {
        for (outcome, word) in
            [(Outcome::Ok, "ok"), (Outcome::Begun, "begun"), (Outcome::Failed("stale".to_owned()), "stale")]
        {
            assert_eq!(serde_json::to_value(&outcome).unwrap(), word);
            assert_eq!(serde_json::from_value::<Outcome>(word.into()).unwrap(), outcome);
        }
    }
}
