//! Writing: our text, sent to every program that asks.

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask, PropMode, Property,
    PropertyNotifyEvent, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window,
};
use x11rb::wrapper::ConnectionExt as _;

use super::keeper::Own;
use crate::x11::error::Outcome;

/// What a request carries beside the data.
const REQUEST_HEAD: usize = 1024;
/// The most bytes handed over at once, so that no program waits long behind a large text.
const PIECE: usize = 256 << 10;

/// A text we answer for.
pub(super) struct Offer {
    text: String,
    withdrawn: bool,
    under_way: Vec<Parcel>,
}

/// A text that goes to one program in pieces.
struct Parcel {
    to: Window,
    property: Atom,
    target: Atom,
    bytes: Vec<u8>,
    sent: usize,
}

impl Offer {
    /// Takes the clipboard; `None` when another program got it first.
    pub(super) fn make(own: &Own, text: String) -> Outcome<Option<Self>> {
        let (conn, clipboard) = (&own.display.conn, own.display.atoms.CLIPBOARD);
        conn.set_selection_owner(own.window, clipboard, x11rb::CURRENT_TIME)?;
        let ours = conn.get_selection_owner(clipboard)?.reply()?.owner == own.window;
        Ok(ours.then_some(Self { text, withdrawn: false, under_way: Vec::new() }))
    }

    /// The text, while the clipboard is ours.
    pub(super) fn text(&self) -> Option<&str> {
        (!self.withdrawn).then_some(&self.text)
    }

    /// Another program has the clipboard now.
    pub(super) fn withdraw(&mut self) {
        self.withdrawn = true;
    }

    /// Answers a request; one we cannot fulfil is refused, so that the program does not wait for it.
    pub(super) fn answer(
        own: &Own,
        offer: Option<&mut Self>,
        request: &SelectionRequestEvent,
    ) -> Outcome<()> {
        // The oldest clients leave the property out and mean the target.
        let property = if request.property == x11rb::NONE { request.target } else { request.property };
        let given = match offer.filter(|offer| !offer.withdrawn) {
            Some(offer) => offer.give(own, request, property)?,
            None => false,
        };
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: if given { property } else { x11rb::NONE },
        };
        own.display.conn.send_event(false, request.requestor, EventMask::NO_EVENT, notice)?;
        Ok(own.display.conn.flush()?)
    }

    fn give(&mut self, own: &Own, request: &SelectionRequestEvent, property: Atom) -> Outcome<bool> {
        let (conn, atoms, to) = (&own.display.conn, &own.display.atoms, request.requestor);
        if request.target == atoms.TARGETS {
            let targets = [atoms.TARGETS, atoms.UTF8_STRING, atoms.TEXT_PLAIN_UTF8, AtomEnum::STRING.into()];
            conn.change_property32(PropMode::REPLACE, to, property, AtomEnum::ATOM, &targets)?;
            return Ok(true);
        }
        let Some(bytes) = self.bytes_as(own, request.target) else { return Ok(false) };
        let largest = conn.maximum_request_bytes().saturating_sub(REQUEST_HEAD).min(PIECE);
        if bytes.len() <= largest {
            conn.change_property8(PropMode::REPLACE, to, property, request.target, &bytes)?;
            return Ok(true);
        }
        conn.change_window_attributes(
            to,
            &ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE),
        )?;
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        conn.change_property32(PropMode::REPLACE, to, property, atoms.INCR, &[length])?;
        self.under_way.retain(|parcel| (parcel.to, parcel.property) != (to, property));
        self.under_way.push(Parcel { to, property, target: request.target, bytes, sent: 0 });
        Ok(true)
    }

    /// The text in the wanted form. Latin-1 is given only of what fits into it: half a text is no text.
    fn bytes_as(&self, own: &Own, target: Atom) -> Option<Vec<u8>> {
        let atoms = &own.display.atoms;
        if target == atoms.UTF8_STRING || target == atoms.TEXT_PLAIN_UTF8 {
            return Some(self.text.clone().into_bytes());
        }
        if target == Atom::from(AtomEnum::STRING) {
            return self.text.chars().map(|character| u8::try_from(character).ok()).collect();
        }
        None
    }

    /// Sends the next piece to a program that took the last one; an empty one ends it.
    pub(super) fn next_piece(&mut self, own: &Own, notice: &PropertyNotifyEvent) -> Outcome<()> {
        if notice.state != Property::DELETE {
            return Ok(());
        }
        let wanted = |parcel: &Parcel| (parcel.to, parcel.property) == (notice.window, notice.atom);
        let Some(position) = self.under_way.iter().position(wanted) else { return Ok(()) };
        let conn = &own.display.conn;
        let Parcel { to, property, target, bytes, sent } = &mut self.under_way[position];
        let end =
            bytes.len().min(*sent + PIECE.min(conn.maximum_request_bytes().saturating_sub(REQUEST_HEAD)));
        let piece = &bytes[*sent..end];
        conn.change_property8(PropMode::REPLACE, *to, *property, *target, piece)?;
        let done = piece.is_empty();
        *sent = end;
        if done {
            conn.change_window_attributes(
                *to,
                &ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT),
            )?;
            self.under_way.swap_remove(position);
        }
        Ok(conn.flush()?)
    }
}
