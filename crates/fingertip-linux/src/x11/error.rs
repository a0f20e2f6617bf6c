//! What goes wrong between here and the X server.

use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};

pub(super) use crate::display::error::{Failure as X11Error, Outcome};

/// What this server is called in errors.
pub(super) const SERVER: &str = "X server";

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
