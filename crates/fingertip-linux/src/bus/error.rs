//! What can go wrong with one call to an application, and what the user reads about it.

use fingertip_core::{Error, Reason};

/// Why a call got no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    /// The application did not answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The application is not on the bus any more.
    #[error("the application is gone")]
    Gone,
    /// The object, or the interface on it, does not exist.
    #[error("there is no such object or it cannot do that: {0}")]
    Missing(String),
    /// The application answered with another error.
    #[error("the application refused: {0}")]
    Refused(String),
    /// The application answered with something else than the protocol says.
    #[error("the application's answer was not understood: {0}")]
    Malformed(String),
    /// Its own socket cannot be reached, and to act by the bus could hang it; nothing was done.
    #[error("the application cannot be made to act without the risk that it hangs")]
    Unreachable,
    /// The connection to the bus is lost.
    #[error("the accessibility bus is gone")]
    Closed,
}

impl CallError {
    /// What D-Bus calls this error, as one of ours.
    pub(crate) fn named(name: &str, message: &str) -> Self {
        let short = name.strip_prefix("org.freedesktop.DBus.Error.").unwrap_or(name);
        match short {
            "ServiceUnknown" | "NameHasNoOwner" | "NoReply" | "Disconnected" => Self::Gone,
            "UnknownMethod" | "UnknownObject" | "UnknownInterface" | "UnknownProperty" => {
                Self::Missing(format!("{short}: {message}"))
            }
            "Timeout" | "TimedOut" => Self::Timeout,
            _ => Self::Refused(format!("{short}: {message}")),
        }
    }

    /// The answer is not what the protocol says.
    pub(crate) fn malformed(error: impl std::fmt::Display) -> Self {
        Self::Malformed(error.to_string())
    }

    /// Whether the application says that the object, or this part of it, is not there.
    pub(crate) const fn says_no(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Refused(_))
    }

    /// Whether it concerns the one object that was asked, and the application goes on.
    pub(crate) const fn is_local(&self) -> bool {
        self.says_no() || matches!(self, Self::Malformed(_))
    }

    /// As an error of a tool; `app` is what the user calls the application, `what` what was to be done.
    pub(crate) fn into_error(self, app: &str, what: &str) -> Error {
        let (reason, message, guidance) = match self {
            Self::Timeout => (
                Reason::Timeout,
                format!("{app} did not answer in time: {what}."),
                "It may be busy or hung; try again, or with a longer timeout.",
            ),
            Self::Gone => (
                Reason::Disconnected,
                format!("{app} ended or left the accessibility bus: {what}."),
                "List the running applications and start it again.",
            ),
            Self::Missing(detail) => (
                Reason::Stale,
                format!(
                    "{app} does not know that element any more, or it cannot do that: {what} ({detail})."
                ),
                "Read the application again and use what it shows now.",
            ),
            Self::Refused(detail) => (
                Reason::ActionFailed,
                format!("{app} refused: {what} ({detail})."),
                "Read the application again to see its state.",
            ),
            Self::Malformed(detail) => (
                Reason::ActionFailed,
                format!("{app} gave an answer that is not understood: {what} ({detail})."),
                "Its accessibility support may be incomplete; use other elements or the pointer.",
            ),
            Self::Unreachable => (
                Reason::ActionFailed,
                format!(
                    "{app} cannot be made to act: {what} (its own socket cannot be reached). Nothing was done."
                ),
                "Use the pointer or keys instead.",
            ),
            Self::Closed => (
                Reason::Disconnected,
                format!("The accessibility bus went away: {what}."),
                "Try again: the next call connects anew.",
            ),
        };
        Error::new(reason, message).with_guidance(guidance).with_app(app)
    }
}

/// What an object answers.
pub(crate) type Answer<T> = Result<T, CallError>;

/// Answers that an object may be unable to give.
pub(crate) trait Answered<T> {
    /// The answer; `None` from an object that is not there or cannot give it.
    ///
    /// # Errors
    /// When the application does not answer.
    fn missing_ok(self) -> Result<Option<T>, CallError>;
}

impl<T> Answered<T> for Result<T, CallError> {
    fn missing_ok(self) -> Result<Option<T>, CallError> {
        match self {
            Err(error) if error.is_local() => Ok(None),
            answer => answer.map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_bus_are_told_apart() {
        let named = |name: &str| CallError::named(&format!("org.freedesktop.DBus.Error.{name}"), "why");
        assert_eq!(named("ServiceUnknown"), CallError::Gone);
        assert_eq!(named("NoReply"), CallError::Gone);
        assert!(matches!(named("UnknownObject"), CallError::Missing(_)));
        assert!(matches!(named("Failed"), CallError::Refused(_)));
        assert_eq!(named("Failed").into_error("Editor", "reading").reason(), Reason::ActionFailed);
        assert_eq!(CallError::Timeout.into_error("Editor", "reading").reason(), Reason::Timeout);
        assert_eq!(CallError::Gone.into_error("Editor", "reading").app(), Some("Editor"));
    }
}
