//! The thread that keeps the clipboard.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::oneshot;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, Window, WindowClass,
};

use super::offer::Offer;
use super::transfer::{Answer, Transfer};
use crate::display::error::late;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, SERVER};

/// What a call wants of the clipboard.
pub(super) enum Work {
    Read { answer: Answer, deadline: Deadline },
    Write { text: String, answer: oneshot::Sender<Result<()>> },
}

/// The way to the thread: a queue, and the connection on which to wake it. The thread alone reads events.
pub(super) struct Link {
    queue: Option<Sender<Work>>,
    own: Arc<Own>,
}

/// A connection with a hidden window.
pub(super) struct Own {
    pub(super) display: Display,
    pub(super) window: Window,
}

impl Link {
    /// Connects, and starts the thread.
    pub(super) async fn open(name: Option<Arc<str>>, deadline: Deadline) -> Result<Self> {
        let (opened, arrived) = oneshot::channel();
        let body = move || {
            let own = match Own::open(name.as_deref()) {
                Ok(own) => Arc::new(own),
                Err(error) => {
                    let _ = opened.send(Err(error.into_error(SERVER)));
                    return;
                }
            };
            let (queue, work) = channel();
            let link = Self { queue: Some(queue), own: Arc::clone(&own) };
            if opened.send(Ok(link)).is_ok()
                && let Err(error) = keep(&own, &work)
            {
                tracing::debug!(?error, "the clipboard is not kept any more");
            }
        };
        thread::Builder::new()
            .name("x11-clipboard".to_owned())
            .spawn(body)
            .map_err(|error| Error::new(Reason::Internal, format!("No thread could be started: {error}.")))?;
        match tokio::time::timeout_at(deadline.instant().into(), arrived).await {
            Ok(Ok(link)) => link,
            Ok(Err(_)) => Err(Error::new(Reason::Internal, "The clipboard's thread ended before it began.")),
            Err(_) => Err(late(SERVER)),
        }
    }

    /// Gives work to the thread; gives it back when the thread has ended.
    pub(super) fn send(&self, work: Work) -> std::result::Result<(), Work> {
        let Some(queue) = &self.queue else { return Err(work) };
        queue.send(work).map_err(|unsent| unsent.0)?;
        // If this fails the connection is lost, which the thread notices too; it then drops the work.
        let _ = self.own.wake();
        Ok(())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.queue = None;
        let _ = self.own.wake();
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").finish_non_exhaustive()
    }
}

impl Own {
    fn open(name: Option<&str>) -> Outcome<Self> {
        let display = Display::open(name)?;
        let window = display.conn.generate_id()?;
        let attributes = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let kind = WindowClass::INPUT_ONLY;
        let root = display.root;
        display.conn.create_window(
            0,
            window,
            root,
            -1,
            -1,
            1,
            1,
            0,
            kind,
            x11rb::COPY_FROM_PARENT,
            &attributes,
        )?;
        display.conn.flush()?;
        Ok(Self { display, window })
    }

    /// Wakes the thread: a message without a mask goes to the window's own client.
    fn wake(&self) -> Outcome<()> {
        let atoms = &self.display.atoms;
        let message = ClientMessageEvent::new(32, self.window, atoms.FINGERTIP_SELECTION, [0; 5]);
        self.display.conn.send_event(false, self.window, EventMask::NO_EVENT, message)?;
        Ok(self.display.conn.flush()?)
    }
}

/// Serves until the other end of the queue is dropped, or the server goes away.
fn keep(own: &Own, queue: &Receiver<Work>) -> Outcome<()> {
    let mut offer: Option<Offer> = None;
    let mut transfer: Option<Transfer> = None;
    loop {
        match own.display.conn.wait_for_event()? {
            Event::SelectionRequest(request) => Offer::answer(own, offer.as_mut(), &request)?,
            Event::SelectionClear(_) => {
                // Pieces that are under way are still wanted; only new requests go to the new owner.
                if let Some(offer) = &mut offer {
                    offer.withdraw();
                }
            }
            Event::PropertyNotify(notice) if notice.window == own.window => {
                Transfer::piece(own, &mut transfer, &notice)?;
            }
            Event::PropertyNotify(notice) => {
                if let Some(offer) = &mut offer {
                    offer.next_piece(own, &notice)?;
                }
            }
            Event::SelectionNotify(notice) => Transfer::arrived(own, &mut transfer, &notice)?,
            Event::ClientMessage(_) => loop {
                match queue.try_recv() {
                    Ok(Work::Read { answer, deadline }) => match offer.as_ref().and_then(Offer::text) {
                        Some(text) => drop(answer.send(Ok(Some(text.to_owned())))),
                        None => Transfer::ask(own, &mut transfer, answer, deadline)?,
                    },
                    Ok(Work::Write { text, answer }) => {
                        let made = Offer::make(own, text)?;
                        let taken = made.is_some();
                        offer = made;
                        let _ = answer.send(if taken { Ok(()) } else { Err(not_ours()) });
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
            },
            _ => {}
        }
    }
}

fn not_ours() -> Error {
    Error::new(Reason::ActionFailed, "Another program took the clipboard at the same moment.")
        .with_guidance("Try again; a clipboard manager may be at work.")
}
