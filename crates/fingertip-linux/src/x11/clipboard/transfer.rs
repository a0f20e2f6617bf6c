//! Reading: the text another program promises, in one piece or in many.

use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::oneshot;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt, GetPropertyReply, Property, PropertyNotifyEvent, SelectionNotifyEvent,
};

use super::LARGEST;
use super::keeper::Own;
use crate::x11::error::Outcome;

/// Where the text of the clipboard is to be sent.
pub(super) type Answer = oneshot::Sender<Result<Option<String>>>;

/// The clipboard's text on its way to us.
pub(super) struct Transfer {
    answers: Vec<Answer>,
    deadline: Deadline,
    target: Atom,
    /// The pieces so far, once the owner said that there will be several.
    pieces: Option<Vec<u8>>,
}

impl Transfer {
    /// Asks the owner for its text. A call while an answer is under way gets that answer, too.
    pub(super) fn ask(
        own: &Own,
        current: &mut Option<Self>,
        answer: Answer,
        deadline: Deadline,
    ) -> Outcome<()> {
        if let Some(running) = current.as_mut().filter(|running| !running.deadline.passed()) {
            running.answers.push(answer);
            running.deadline = running.deadline.max(deadline);
            return Ok(());
        }
        let target = own.display.atoms.UTF8_STRING;
        *current = Some(Self { answers: vec![answer], deadline, target, pieces: None });
        convert(own, target)
    }

    /// The owner has answered.
    pub(super) fn arrived(
        own: &Own,
        current: &mut Option<Self>,
        notice: &SelectionNotifyEvent,
    ) -> Outcome<()> {
        let Some(transfer) = current.as_mut().filter(|transfer| transfer.target == notice.target) else {
            return Ok(());
        };
        if notice.property == x11rb::NONE {
            // The oldest programs know Latin-1 only; one that refuses both holds no text.
            if transfer.target == own.display.atoms.UTF8_STRING {
                transfer.target = AtomEnum::STRING.into();
                return convert(own, transfer.target);
            }
            finish(current, || Ok(None));
            return Ok(());
        }
        let reply = take(own)?;
        if reply.type_ == own.display.atoms.INCR {
            transfer.pieces = Some(Vec::new());
        } else {
            let text = decoded(own, &reply.value, reply.type_);
            finish(current, || Ok(Some(text.clone())));
        }
        Ok(())
    }

    /// A piece has come; an empty one is the end.
    pub(super) fn piece(own: &Own, current: &mut Option<Self>, notice: &PropertyNotifyEvent) -> Outcome<()> {
        if notice.state != Property::NEW_VALUE || notice.atom != own.display.atoms.FINGERTIP_SELECTION {
            return Ok(());
        }
        let Some(Self { pieces: Some(pieces), target, .. }) = current else { return Ok(()) };
        let reply = take(own)?;
        if reply.value.is_empty() {
            let text = decoded(own, pieces, *target);
            finish(current, || Ok(Some(text.clone())));
            return Ok(());
        }
        pieces.extend_from_slice(&reply.value);
        if pieces.len() > LARGEST {
            finish(current, || Err(too_large()));
        }
        Ok(())
    }
}

fn convert(own: &Own, target: Atom) -> Outcome<()> {
    let atoms = &own.display.atoms;
    own.display.conn.delete_property(own.window, atoms.FINGERTIP_SELECTION)?;
    own.display.conn.convert_selection(
        own.window,
        atoms.CLIPBOARD,
        target,
        atoms.FINGERTIP_SELECTION,
        x11rb::CURRENT_TIME,
    )?;
    Ok(own.display.conn.flush()?)
}

/// Reads what was put on our window and removes it, which asks for the next piece.
fn take(own: &Own) -> Outcome<GetPropertyReply> {
    let property = own.display.atoms.FINGERTIP_SELECTION;
    let units = u32::try_from(LARGEST / 4).unwrap_or(u32::MAX);
    Ok(own.display.conn.get_property(true, own.window, property, AtomEnum::ANY, 0, units)?.reply()?)
}

fn decoded(own: &Own, bytes: &[u8], kind: Atom) -> String {
    if kind == own.display.atoms.UTF8_STRING {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        bytes.iter().map(|byte| char::from(*byte)).collect()
    }
}

/// Answers everyone who waits.
fn finish(current: &mut Option<Transfer>, result: impl Fn() -> Result<Option<String>>) {
    for answer in current.take().into_iter().flat_map(|transfer| transfer.answers) {
        let _ = answer.send(result());
    }
}

fn too_large() -> Error {
    Error::new(Reason::ActionFailed, format!("The clipboard holds more than {} MiB of text.", LARGEST >> 20))
        .with_guidance("Copy less, or read it in the program it comes from.")
}
