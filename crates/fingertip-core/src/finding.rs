//! What a check of a platform found: `fingertip doctor` prints one line for each.

use std::fmt;

use crate::Error;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub advice: Option<String>,
}

impl Finding {
    /// All is well.
    #[must_use]
    pub fn fine(what: impl Into<String>) -> Self {
        Self { ok: true, what: what.into(), advice: None }
    }

    /// Something is wrong, and this helps.
    #[must_use]
    pub fn wrong(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { ok: false, what: what.into(), advice: Some(advice.into()) }
    }

    /// The check itself failed.
    #[must_use]
    pub fn failed(subject: &str, error: &Error) -> Self {
        // The advice continues the sentence.
        let what = format!("{subject}: {}", error.message().trim_end_matches('.'));
        Self { ok: false, what, advice: error.guidance().map(str::to_owned) }
    }
}

/// What was found and, in the same line, what to do about it.
impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)?;
        match &self.advice {
            Some(advice) => write!(formatter, "; {advice}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    #[test]
    fn a_finding_is_one_line_with_its_advice() {
        assert_eq!(Finding::fine("adb found").to_string(), "adb found");
        let error = Error::new(Reason::Timeout, "No answer.").with_guidance("Plug it in again.");
        let finding = Finding::failed("phone", &error);
        assert_eq!(
            (finding.ok, finding.to_string().as_str()),
            (false, "phone: No answer; Plug it in again.")
        );
    }
}
