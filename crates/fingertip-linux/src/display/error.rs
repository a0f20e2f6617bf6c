//! What goes wrong between here and a display server, and what the caller reads about it.

use fingertip_core::{Error, Reason};

/// How a job on a display server ends.
pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// Why a job on a display server did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The connection is no good any more.
    Lost(String),
    /// The server refused a request.
    Refused(String),
    /// The deadline passed, or nobody waits for the answer any more.
    Over,
    /// Something the caller can act on.
    Reported(Error),
}

impl Failure {
    /// The error for the caller, of the server that is called this.
    pub(crate) fn into_error(self, server: &str) -> Error {
        match self {
            Self::Lost(cause) => {
                Error::new(Reason::Disconnected, format!("The {server} went away during the call ({cause})."))
                    .with_guidance(
                        "Try again: the next call connects anew. Whether this one took effect is not known.",
                    )
            }
            Self::Refused(cause) => {
                Error::new(Reason::ActionFailed, format!("The {server} refused the request ({cause})."))
                    .with_guidance("The window may have closed meanwhile; look again.")
            }
            Self::Over => late(server),
            Self::Reported(error) => error,
        }
    }
}

/// The error of a call that the server did not answer in time.
pub(crate) fn late(server: &str) -> Error {
    Error::new(Reason::Timeout, format!("The {server} did not finish in time."))
        .with_guidance("Try again with a longer timeout; if it stays so, the display is frozen.")
}

/// The error of a text with a character that is a command and not part of a text.
pub(crate) fn untypeable(character: char) -> Error {
    let code = u32::from(character);
    Error::new(
        Reason::InvalidParams,
        format!("The control character U+{code:04X} cannot be typed; nothing was."),
    )
    .with_guidance("Leave it out; line ends and tabs are allowed.")
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Reported(error)
    }
}
