//! What can go wrong between here and the phone, in words a user can act on.
//!
//! The adb server answers with sentences; this is the only place that reads them.

use std::io;

use fingertip_core::{Error, Reason};

use crate::quote::quoted;

/// Why a conversation with the adb server ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AdbError {
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(#[from] io::Error),
    /// The server said no.
    #[error("the adb server refused: {0}")]
    Refused(String),
    /// What came is not the adb protocol.
    #[error("not the adb protocol: {0}")]
    Nonsense(&'static str),
}

/// The result of one step of a conversation.
pub(crate) type Answer<T> = Result<T, AdbError>;

impl AdbError {
    /// As an error about the server itself.
    pub(crate) fn of_server(self) -> Error {
        match self {
            Self::Broken(_) => Error::new(Reason::Disconnected, "The adb server closed the connection.")
                .with_guidance("It may be restarting; try again."),
            Self::Refused(message) => {
                Error::new(Reason::ActionFailed, format!("The adb server refused: {}.", quoted(&message)))
            }
            Self::Nonsense(_) => {
                Error::new(Reason::ActionFailed, "What answers on the port of the adb server is not one.")
                    .with_guidance("Stop the other program, or set ANDROID_ADB_SERVER_PORT.")
            }
        }
    }

    /// As an error about the phone with this serial.
    pub(crate) fn into_error(self, serial: &str) -> Error {
        match self {
            Self::Broken(_) => gone(serial),
            Self::Refused(message) => refusal(serial, &message),
            Self::Nonsense(what) => {
                Error::new(Reason::ActionFailed, format!("The answer of '{serial}' makes no sense: {what}."))
                    .with_guidance("Try again; if it stays so, unplug the phone and plug it in again.")
            }
        }
    }
}

/// The phone went away in the middle of a call.
pub(crate) fn gone(serial: &str) -> Error {
    Error::new(Reason::Disconnected, format!("The phone '{serial}' went away during the call."))
        .with_guidance("Check its cable or network; the call works again once the phone is back.")
}

/// The phone waits for its user to allow this computer.
pub(crate) fn unauthorized(serial: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("The phone '{serial}' has not allowed this computer yet."))
        .with_guidance("Unlock the phone and accept the dialog \"Allow USB debugging?\" on it.")
}

/// The phone is known and does not answer.
pub(crate) fn offline(serial: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("The phone '{serial}' is offline."))
        .with_guidance("Wait while it starts; else plug it in again, or run `adb reconnect offline`.")
}

/// The phone is not there.
pub(crate) fn absent(serial: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("The phone '{serial}' is not connected."))
        .with_guidance("Plug it in and switch on USB debugging, or connect it with `adb connect`.")
}

/// This computer may not open the phone's USB device.
pub(crate) fn no_permissions(serial: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("This computer may not open the phone '{serial}' over USB."))
        .with_guidance("Install the udev rules for Android (package android-sdk-platform-tools-common).")
}

/// The phone is in a state without a user interface.
pub(crate) fn not_running(serial: &str, state: &str) -> Error {
    Error::new(Reason::PermissionDenied, format!("The phone '{serial}' is in the state '{}'.", quoted(state)))
        .with_guidance("Let it start Android first.")
}

fn refusal(serial: &str, message: &str) -> Error {
    let says = |words: &str| message.contains(words);
    if says("unauthorized") || says("authorizing") {
        unauthorized(serial)
    } else if says("offline") {
        offline(serial)
    } else if says("not found") || says("no devices") || says("unknown transport") {
        absent(serial)
    } else if says("no permissions") {
        no_permissions(serial)
    } else if says("closed") {
        gone(serial)
    } else {
        Error::new(Reason::ActionFailed, format!("The phone '{serial}' refused: {}.", quoted(message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentences_of_adb_become_reasons() {
        for (message, reason, word) in [
            (
                "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
                Reason::PermissionDenied,
                "accept",
            ),
            ("device still authorizing", Reason::PermissionDenied, "accept"),
            ("device offline", Reason::PermissionDenied, "offline"),
            ("device 'X' not found", Reason::PermissionDenied, "not connected"),
            ("no devices/emulators found", Reason::PermissionDenied, "not connected"),
            ("closed", Reason::Disconnected, "went away"),
            ("something new", Reason::ActionFailed, "something new"),
        ] {
            let error = AdbError::Refused(message.to_owned()).into_error("X");
            assert_eq!(error.reason(), reason, "{message}");
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
