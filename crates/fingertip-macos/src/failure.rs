//! Why an application gave no answer, in the few words that make a difference to us.

use fingertip_core::{Error, Reason};

use crate::bindings::ax::AXError;

/// The result of one question to an application.
pub(crate) type Answer<T> = Result<T, Failure>;

/// Why a question was not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// The user has not allowed this process to use the accessibility API.
    #[error("the accessibility API is not allowed")]
    NotTrusted,
    /// The element is no more.
    #[error("the element is gone")]
    Gone,
    /// The application did not answer in time, or has ended.
    #[error("the application did not answer")]
    NoAnswer,
    /// The element does not know the attribute, action or notification.
    #[error("the element does not know that")]
    Unsupported,
    /// The attribute has no value.
    #[error("there is no value")]
    NoValue,
    /// The call ran out of time, or its caller went away, before the question was asked.
    #[error("the call is over")]
    Over,
    /// The application refused, with this code.
    #[error("the application refused (error {0})")]
    Refused(i32),
}

impl Failure {
    /// Whether the element answered, and the answer is no: asking again changes nothing.
    pub(crate) fn says_no(self) -> bool {
        matches!(self, Self::Unsupported | Self::NoValue | Self::Refused(_))
    }

    /// The error for the caller: which application it concerns, and what was being done.
    pub(crate) fn into_error(self, app: &str, what: &str) -> Error {
        match self {
            Self::NotTrusted => crate::permissions::not_trusted(),
            Self::Gone => Error::new(Reason::Stale, format!("The element is gone; {what}."))
                .with_guidance("Read the application again and use what it shows now."),
            Self::NoAnswer => Error::new(Reason::Timeout, format!("'{app}' does not answer; {what}."))
                .with_guidance("It may be busy or hang; try again later, or use another application."),
            Self::Over => Error::new(Reason::Timeout, format!("The time was up for '{app}'; {what}."))
                .with_guidance("Ask for less, or try again."),
            Self::Unsupported | Self::NoValue => {
                Error::new(Reason::Unsupported, format!("The element does not offer that; {what}."))
            }
            Self::Refused(code) => {
                Error::new(Reason::ActionFailed, format!("'{app}' refused (error {code}); {what}."))
            }
        }
        .with_app(app)
    }
}

/// The outcome that an error code stands for.
pub(crate) fn check(code: AXError) -> Answer<()> {
    Err(match code {
        AXError::Success => return Ok(()),
        AXError::APIDisabled => Failure::NotTrusted,
        AXError::InvalidUIElement => Failure::Gone,
        AXError::CannotComplete => Failure::NoAnswer,
        AXError::AttributeUnsupported
        | AXError::ActionUnsupported
        | AXError::NotificationUnsupported
        | AXError::ParameterizedAttributeUnsupported
        | AXError::NotImplemented => Failure::Unsupported,
        AXError::NoValue => Failure::NoValue,
        AXError(code) => Failure::Refused(code),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_one_failure() {
        assert_eq!(check(AXError::Success), Ok(()));
        assert_eq!(check(AXError::APIDisabled), Err(Failure::NotTrusted));
        assert_eq!(check(AXError::InvalidUIElement), Err(Failure::Gone));
        assert_eq!(check(AXError::CannotComplete), Err(Failure::NoAnswer));
        assert_eq!(check(AXError::ActionUnsupported), Err(Failure::Unsupported));
        assert_eq!(check(AXError(-25200)), Err(Failure::Refused(-25200)));
    }

    #[test]
    fn a_caller_can_distinguish_them() {
        let reason = |failure: Failure| failure.into_error("Notes", "nothing was done").reason();
        assert_eq!(reason(Failure::Gone), Reason::Stale);
        assert_eq!(reason(Failure::NoAnswer), Reason::Timeout);
        assert_eq!(reason(Failure::NotTrusted), Reason::PermissionDenied);
        assert_eq!(reason(Failure::Refused(-25200)), Reason::ActionFailed);
    }
}
