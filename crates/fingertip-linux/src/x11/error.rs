//! What goes wrong between here and the X server, and what the caller is told of it.

use fingertip_core::{Error, Reason};
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};

/// How a job on the X server ends.
pub(super) type Outcome<T> = std::result::Result<T, X11Error>;

/// Why a job on the X server did not end well.
#[derive(Debug)]
pub(super) enum X11Error {
    /// The connection is no good any more.
    Lost(String),
    /// The server refused a request.
    Refused(String),
    /// The deadline passed, or nobody waits for the answer any more.
    Over,
    /// Something the caller can act on.
    Reported(Error),
}

impl X11Error {
    /// The error for the caller.
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Lost(cause) => {
                Error::new(Reason::Disconnected, format!("The X server went away during the call ({cause})."))
                    .with_guidance(
                        "Try again: the next call connects anew. Whether this one took effect is not known.",
                    )
            }
            Self::Refused(cause) => {
                Error::new(Reason::ActionFailed, format!("The X server refused the request ({cause})."))
                    .with_guidance("The window may have closed meanwhile; look again.")
            }
            Self::Over => late(),
            Self::Reported(error) => error,
        }
    }
}

/// The error of a call that the X server did not answer in time.
pub(super) fn late() -> Error {
    Error::new(Reason::Timeout, "The X server did not finish in time.")
        .with_guidance("Try again with a longer timeout; if it stays so, the display is frozen.")
}

impl From<ConnectionError> for X11Error {
    fn from(error: ConnectionError) -> Self {
        Self::Lost(error.to_string())
    }
}

impl From<ReplyError> for X11Error {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => Self::Refused(format!("{:?}", error.error_kind)),
        }
    }
}

impl From<ReplyOrIdError> for X11Error {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::IdsExhausted => Self::Lost("no resource ids left".to_owned()),
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => Self::Refused(format!("{:?}", error.error_kind)),
        }
    }
}

impl From<Error> for X11Error {
    fn from(error: Error) -> Self {
        Self::Reported(error)
    }
}
