//! How an application ended.

/// How an application ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Whether it is known to have crashed; else it may have quit by itself.
    pub crashed: bool,
    /// What shows that, in one line. The application may have chosen its words.
    pub evidence: String,
}
