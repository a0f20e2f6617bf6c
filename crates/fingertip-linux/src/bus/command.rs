//! Commands to an application, as opposed to questions.
//!
//! Kept apart from questions because the handler behind a command may run for as long as it likes: it opens a dialog
//! and waits for it. [`crate::connection`] says how such calls are sent.

use std::os::fd::{BorrowedFd, OwnedFd};

use zbus::message::Message;
use zbus::zvariant::{Fd, Value};

use super::{Body, interface, line};

/// A call that changes something in an application.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Command<'a> {
    /// Does the action of this number.
    DoAction(i32),
    /// Takes the keyboard.
    GrabFocus,
    /// Comes into view; the number is AT-SPI's word for where.
    ScrollTo(u32),
    /// Selects the child of this number.
    SelectChild(i32),
    /// Replaces the text.
    SetText(&'a str),
    /// Sets the number of the Value interface.
    SetNumber(f64),
}

/// Descriptors that travel with a command; the receiver closes them when it is done with the message.
pub(crate) struct Attached<'a> {
    /// Closed with the message, which is how its end is seen.
    pub(crate) token: OwnedFd,
    /// Our end of the connection, so that it stays open until then even if this process ends.
    pub(crate) socket: BorrowedFd<'a>,
}

impl Command<'_> {
    /// The message for an object of the application at the other end, or of `destination` on a bus.
    pub(crate) fn compose(
        self,
        destination: Option<&str>,
        path: &str,
        attached: Option<Attached<'_>>,
    ) -> zbus::Result<Message> {
        let (interface, member) = match self {
            Self::DoAction(_) => (interface::ACTION, "DoAction"),
            Self::GrabFocus => (interface::COMPONENT, "GrabFocus"),
            Self::ScrollTo(_) => (interface::COMPONENT, "ScrollTo"),
            Self::SelectChild(_) => (interface::SELECTION, "SelectChild"),
            Self::SetText(_) => (interface::EDITABLE_TEXT, "SetTextContents"),
            Self::SetNumber(_) => (interface::PROPERTIES, "Set"),
        };
        let place = Place { destination, path, interface, member };
        let fds = attached.map(|attached| (Fd::from(attached.token), Fd::from(attached.socket)));
        // Receivers read the arguments they know of and leave those behind them alone.
        match (self, fds) {
            (Self::DoAction(number) | Self::SelectChild(number), None) => place.message(&number),
            (Self::DoAction(number) | Self::SelectChild(number), Some((token, socket))) => {
                place.message(&(number, token, socket))
            }
            (Self::GrabFocus, None) => place.message(&()),
            (Self::GrabFocus, Some(fds)) => place.message(&fds),
            (Self::ScrollTo(kind), None) => place.message(&kind),
            (Self::ScrollTo(kind), Some((token, socket))) => place.message(&(kind, token, socket)),
            (Self::SetText(text), None) => place.message(&text),
            (Self::SetText(text), Some((token, socket))) => place.message(&(text, token, socket)),
            (Self::SetNumber(number), None) => {
                place.message(&(interface::VALUE, NUMBER, Value::from(number)))
            }
            (Self::SetNumber(number), Some((token, socket))) => {
                place.message(&(interface::VALUE, NUMBER, Value::from(number), token, socket))
            }
        }
    }

    /// What the answer says; setting a property has no answer but an error.
    pub(crate) fn answer(self, reply: &Message) -> Result<bool, super::CallError> {
        match self {
            Self::SetNumber(_) => Ok(true),
            _ => reply.body().deserialize().map_err(super::CallError::malformed),
        }
    }
}

/// The property that is set.
const NUMBER: &str = "CurrentValue";

/// Where a message goes.
struct Place<'a> {
    destination: Option<&'a str>,
    path: &'a str,
    interface: &'a str,
    member: &'a str,
}

impl Place<'_> {
    fn message<B: Body>(&self, body: &B) -> zbus::Result<Message> {
        line::compose(self.destination, self.path, self.interface, self.member, body)
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn what_travels_along_stands_behind_the_arguments() {
        let file = || std::fs::File::open("/dev/null").expect("a file");
        let socket = file();
        for (command, alone, with) in [
            (Command::DoAction(1), "i", "ihh"),
            (Command::GrabFocus, "", "hh"),
            (Command::ScrollTo(6), "u", "uhh"),
            (Command::SelectChild(1), "i", "ihh"),
            (Command::SetText("a"), "s", "shh"),
            (Command::SetNumber(1.0), "ssv", "ssvhh"),
        ] {
            let signature = |attached| {
                let message = command.compose(None, "/a", attached).expect("a message");
                message.body().signature().to_string_no_parens()
            };
            assert_eq!(signature(None), alone, "{command:?}");
            let attached = Attached { token: file().into(), socket: socket.as_fd() };
            assert_eq!(signature(Some(attached)), with, "{command:?}");
        }
    }
}
