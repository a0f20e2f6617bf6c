//! What can go wrong, in terms a caller can act on.
//!
//! One error type for all platforms: an exact [`Reason`] (each has its own next step), a coarse
//! [`ErrorKind`] (what the wire protocols know), a sentence, and guidance. A message never holds a path, a
//! secret or a stack trace: it goes to the client as it is.

use std::fmt;

/// The result of everything that can fail here.
pub type Result<T> = std::result::Result<T, Error>;

/// The coarse kinds of the wire contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The call itself is wrong; nothing was done.
    InvalidParams,
    /// No target, no access to it, or a policy forbids it.
    PermissionDenied,
    /// The element is missing, has changed or is ambiguous.
    ElementNotFound,
    /// It was tried, or could not be tried, and did not work.
    ActionFailed,
    /// The deadline passed.
    Timeout,
    /// A defect of this program.
    Internal,
}

/// The exact reason: each one asks the caller for a different next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A parameter is missing, unknown, of the wrong type or out of range.
    InvalidParams,
    /// No target is attached, or it does not let us in.
    PermissionDenied,
    /// A policy of this server forbids it.
    Refused,
    /// No such application is running.
    NotRunning,
    /// No such element is on the screen.
    NotFound,
    /// The element was there and is gone.
    Stale,
    /// Several elements could be meant.
    Ambiguous,
    /// Something else lies over the element.
    Covered,
    /// The element does not react now.
    Disabled,
    /// The target, or this element, cannot do that.
    Unsupported,
    /// It was tried and had no, or another, effect.
    ActionFailed,
    /// The deadline passed.
    Timeout,
    /// The target went away during the call.
    Disconnected,
    /// A defect of this program.
    Internal,
}

impl Reason {
    /// The coarse kind it belongs to.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        match self {
            Self::InvalidParams => ErrorKind::InvalidParams,
            Self::PermissionDenied | Self::Refused => ErrorKind::PermissionDenied,
            Self::NotRunning | Self::NotFound | Self::Stale | Self::Ambiguous => ErrorKind::ElementNotFound,
            Self::Covered | Self::Disabled | Self::Unsupported | Self::ActionFailed | Self::Disconnected => {
                ErrorKind::ActionFailed
            }
            Self::Timeout => ErrorKind::Timeout,
            Self::Internal => ErrorKind::Internal,
        }
    }

    /// The word in `error_type`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidParams => "invalid_params",
            Self::PermissionDenied => "permission_denied",
            Self::Refused => "refused",
            Self::NotRunning => "app_not_running",
            Self::NotFound => "element_not_found",
            Self::Stale => "stale",
            Self::Ambiguous => "ambiguous",
            Self::Covered => "covered",
            Self::Disabled => "disabled",
            Self::Unsupported => "unsupported",
            Self::ActionFailed => "action_failed",
            Self::Timeout => "timeout",
            Self::Disconnected => "disconnected",
            Self::Internal => "internal",
        }
    }
}

/// Something the caller may have meant instead.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Candidate {
    /// How to name it in the next call.
    pub id: String,
    /// What it is, for a reader.
    pub label: String,
}

/// An error with its reason, one sentence, and what to do next.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    reason: Reason,
    message: String,
    guidance: Option<String>,
    app: Option<String>,
    candidates: Vec<Candidate>,
}

impl Error {
    /// An error for this reason. The message is one sentence without guidance.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            reason,
            message: message.into(),
            guidance: None,
            app: None,
            candidates: Vec::new(),
        }))
    }

    /// A parameter is not what it must be.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Reason::InvalidParams, message)
    }

    /// With what to do next.
    #[must_use]
    pub fn with_guidance(mut self, guidance: impl Into<String>) -> Self {
        self.0.guidance = Some(guidance.into());
        self
    }

    /// Concerning this application.
    #[must_use]
    pub fn with_app(mut self, app: impl Into<String>) -> Self {
        self.0.app = Some(app.into());
        self
    }

    /// With what may have been meant.
    #[must_use]
    pub fn with_candidates(mut self, candidates: Vec<Candidate>) -> Self {
        self.0.candidates = candidates;
        self
    }

    /// With every text in it changed, all but ids.
    #[must_use]
    pub fn map_texts(mut self, change: impl Fn(String) -> String) -> Self {
        let inner = &mut *self.0;
        inner.message = change(std::mem::take(&mut inner.message));
        inner.guidance = inner.guidance.take().map(&change);
        inner.app = inner.app.take().map(&change);
        for candidate in &mut inner.candidates {
            candidate.label = change(std::mem::take(&mut candidate.label));
        }
        self
    }

    /// The exact reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// The coarse kind, as the wire protocols know it.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.reason.kind()
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do next.
    #[must_use]
    pub fn guidance(&self) -> Option<&str> {
        self.0.guidance.as_deref()
    }

    /// The application concerned.
    #[must_use]
    pub fn app(&self) -> Option<&str> {
        self.0.app.as_deref()
    }

    /// What may have been meant.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.0.candidates
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(guidance) = &self.0.guidance {
            write!(f, " {guidance}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.0.reason.name())
    }
}

impl std::error::Error for Error {}
