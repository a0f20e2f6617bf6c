//! The clipboard (`wlr-data-control`): reading what other programs put there, and answering those that want ours.
//!
//! As on X, who copied must answer everyone who pastes, for as long as it lives. So a thread of its own reads all events of
//! a connection, and is woken when a call has work for it. Texts go through pipes, which others may read or fill slowly or
//! never: each is served beside the thread, for a limited time.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result};
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::sync::oneshot;
use wayland_client::backend::{ObjectId, WaylandError};
use wayland_client::globals::GlobalListContents;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, Dispatch, Proxy, QueueHandle, delegate_noop, event_created_child};
use wayland_protocols_wlr::data_control::v1::client::zwlr_data_control_device_v1::{
    self, ZwlrDataControlDeviceV1,
};
use wayland_protocols_wlr::data_control::v1::client::zwlr_data_control_manager_v1::ZwlrDataControlManagerV1;
use wayland_protocols_wlr::data_control::v1::client::zwlr_data_control_offer_v1::{
    self, ZwlrDataControlOfferV1,
};
use wayland_protocols_wlr::data_control::v1::client::zwlr_data_control_source_v1::{
    self, ZwlrDataControlSourceV1,
};

use super::SERVER;
use super::link::{Link, span};
use crate::display::error::{Failure, Outcome, late};

/// The most bytes of text read from another program.
const LARGEST: usize = 32 << 20;
/// The names of text, the best first.
const TEXT: [&str; 5] = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT"];
/// The most kinds of one thing that are remembered.
const MOST_KINDS: usize = 256;
/// How long one who pastes may take to read.
const READ_WITHIN: Duration = Duration::from_secs(30);
/// How many may read at once.
const MOST_READERS: usize = 16;

/// The clipboard of one session; connected to by the first call.
#[derive(Debug)]
pub(super) struct Clipboard {
    socket: PathBuf,
    keeper: Mutex<Option<Keeper>>,
}

/// What a call wants of the clipboard.
enum Work {
    Read(oneshot::Sender<Result<Held>>),
    Write(Arc<str>, oneshot::Sender<Result<()>>),
}

/// What the clipboard holds.
enum Held {
    Nothing,
    Own(Arc<str>),
    /// The end of a pipe into which another program writes it.
    Others(OwnedFd),
}

impl Clipboard {
    pub(super) fn new(socket: &Path) -> Self {
        Self { socket: socket.to_owned(), keeper: Mutex::new(None) }
    }

    /// The text on the clipboard; `None` when there is none.
    pub(super) async fn read(&self, deadline: Deadline) -> Result<Option<String>> {
        let (answer, answered) = oneshot::channel();
        match self.ask(Work::Read(answer), answered, deadline).await? {
            Held::Nothing => Ok(None),
            Held::Own(text) => Ok(Some(text.to_string())),
            Held::Others(pipe) => {
                let read = tokio::task::spawn_blocking(move || receive(pipe, deadline)).await;
                let read = read.map_err(|_| Error::new(Reason::Internal, "Reading the clipboard failed."))?;
                read.map(|bytes| Some(String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }

    /// Puts a text there, and answers for it while this lives.
    pub(super) async fn write(&self, text: &str, deadline: Deadline) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.ask(Work::Write(text.into(), answer), answered, deadline).await
    }

    async fn ask<T>(
        &self,
        work: Work,
        answered: oneshot::Receiver<Result<T>>,
        deadline: Deadline,
    ) -> Result<T> {
        self.hand_over(work, deadline).await?;
        match tokio::time::timeout_at(deadline.instant().into(), answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(lost()),
            Err(_) => Err(late(SERVER)),
        }
    }

    /// Gives the work to the thread; starts one, and connects, where there is none that lives.
    async fn hand_over(&self, work: Work, deadline: Deadline) -> Result<()> {
        let work = match &*lock(&self.keeper) {
            Some(keeper) => match keeper.send(work) {
                Ok(()) => return Ok(()),
                Err(work) => work,
            },
            None => work,
        };
        let keeper = Keeper::open(self.socket.clone(), deadline).await?;
        let sent = keeper.send(work);
        *lock(&self.keeper) = Some(keeper);
        sent.map_err(|_| lost())
    }
}

/// The way to the thread: a queue, and what wakes it.
struct Keeper {
    queue: Option<Sender<Work>>,
    bell: Arc<OwnedFd>,
}

impl Keeper {
    /// Connects, and starts the thread.
    async fn open(socket: PathBuf, deadline: Deadline) -> Result<Self> {
        let failed = |error: std::io::Error| {
            Error::new(Reason::Internal, format!("No thread could be started: {error}."))
        };
        let (opened, arrived) = oneshot::channel();
        let (queue, work) = channel();
        let bell = Arc::new(
            eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
                .map_err(|error| failed(error.into()))?,
        );
        let rung = Arc::clone(&bell);
        let body = move || match Desk::open(&socket) {
            Ok(mut desk) => {
                if opened.send(Ok(())).is_ok()
                    && let Err(error) = desk.keep(&work, &rung)
                {
                    tracing::debug!(?error, "the clipboard is not kept any more");
                }
            }
            Err(failure) => drop(opened.send(Err(failure.into_error(SERVER)))),
        };
        thread::Builder::new().name("wayland-clipboard".to_owned()).spawn(body).map_err(failed)?;
        let keeper = Self { queue: Some(queue), bell };
        match tokio::time::timeout_at(deadline.instant().into(), arrived).await {
            Ok(Ok(opened)) => opened.map(|()| keeper),
            Ok(Err(_)) => Err(lost()),
            Err(_) => Err(late(SERVER)),
        }
    }

    /// Gives work to the thread; gives it back when the thread has ended.
    fn send(&self, work: Work) -> std::result::Result<(), Work> {
        let Some(queue) = &self.queue else { return Err(work) };
        queue.send(work).map_err(|unsent| unsent.0)?;
        self.ring();
        Ok(())
    }

    fn ring(&self) {
        // It fails only when it has been rung more often than anybody can count.
        let _ = rustix::io::write(&*self.bell, &1_u64.to_ne_bytes());
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.queue = None;
        self.ring();
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").finish_non_exhaustive()
    }
}

/// The connection of the thread.
struct Desk {
    link: Link<Selection>,
    manager: ZwlrDataControlManagerV1,
    device: ZwlrDataControlDeviceV1,
}

/// What the events have told.
#[derive(Default)]
struct Selection {
    /// The kinds of each thing that was offered lately.
    kinds: HashMap<ObjectId, Vec<String>>,
    current: Option<ZwlrDataControlOfferV1>,
    /// Ours, while it is on the clipboard.
    own: Option<(ZwlrDataControlSourceV1, Arc<str>)>,
    readers: Arc<()>,
    has_ended: bool,
}

impl Desk {
    fn open(socket: &Path) -> Outcome<Self> {
        let mut link = Link::open(socket, Selection::default())?;
        let manager: ZwlrDataControlManagerV1 = link.bind(1)?;
        let seat: WlSeat = link.bind(1)?;
        let device = manager.get_data_device(&seat, &link.handle(), ());
        // Tells what is on the clipboard already.
        link.sync()?;
        Ok(Self { link, manager, device })
    }

    /// Serves until nobody holds the other end of the queue, or the compositor goes away.
    fn keep(&mut self, work: &Receiver<Work>, bell: &OwnedFd) -> Outcome<()> {
        loop {
            self.link.queue.dispatch_pending(&mut self.link.state)?;
            if self.link.state.has_ended {
                return Err(Failure::Lost("the seat is gone".to_owned()));
            }
            loop {
                match work.try_recv() {
                    Ok(Work::Read(answer)) => {
                        // What was copied a moment ago may be on its way still.
                        self.link.sync()?;
                        let _ = answer.send(self.read().map_err(|failure| failure.into_error(SERVER)));
                    }
                    Ok(Work::Write(text, answer)) => {
                        let _ = answer.send(self.write(text).map_err(|failure| failure.into_error(SERVER)));
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
            }
            self.link.flush()?;
            let Some(guard) = self.link.queue.prepare_read() else { continue };
            let fd = guard.connection_fd();
            let mut waiting = [PollFd::new(&fd, PollFlags::IN), PollFd::new(bell, PollFlags::IN)];
            match poll(&mut waiting, None) {
                Err(Errno::INTR) => continue,
                Err(error) => return Err(Failure::Lost(error.to_string())),
                Ok(_) => {}
            }
            let [has_events, is_rung] = [&waiting[0], &waiting[1]].map(|fd| !fd.revents().is_empty());
            if is_rung {
                // Nothing to read means that it was read already.
                let _ = rustix::io::read(bell, &mut [0; 8]);
            }
            if has_events {
                match guard.read() {
                    Err(WaylandError::Io(error)) if error.kind() == ErrorKind::WouldBlock => {}
                    read => drop(read?),
                }
            }
        }
    }

    /// What the clipboard holds now.
    fn read(&mut self) -> Outcome<Held> {
        let Selection { own, current, kinds, .. } = &self.link.state;
        if let Some((_, text)) = own {
            return Ok(Held::Own(Arc::clone(text)));
        }
        let Some(offer) = current else { return Ok(Held::Nothing) };
        let offered = kinds.get(&offer.id()).map(Vec::as_slice).unwrap_or_default();
        let Some(kind) = TEXT.iter().find(|kind| offered.iter().any(|other| other == *kind)) else {
            return Ok(Held::Nothing);
        };
        let (read, write) =
            pipe_with(PipeFlags::CLOEXEC).map_err(|error| Failure::Refused(format!("no pipe: {error}")))?;
        offer.receive((*kind).to_owned(), write.as_fd());
        self.link.flush()?;
        Ok(Held::Others(read))
    }

    /// Puts a text on the clipboard; `Ok` once the compositor has taken it.
    fn write(&mut self, text: Arc<str>) -> Outcome<()> {
        let source = self.manager.create_data_source(&self.link.handle(), ());
        for kind in TEXT {
            source.offer(kind.to_owned());
        }
        self.device.set_selection(Some(&source));
        if let Some((old, _)) = self.link.state.own.replace((source, text)) {
            old.destroy();
        }
        self.link.sync()?;
        match self.link.state.own {
            Some(_) => Ok(()),
            None => Err(Failure::Reported(
                Error::new(Reason::ActionFailed, "Another program took the clipboard at the same moment.")
                    .with_guidance("Try again; a clipboard manager may be at work."),
            )),
        }
    }
}

/// Reads a text from another program.
fn receive(pipe: OwnedFd, deadline: Deadline) -> Result<Vec<u8>> {
    let hung = || {
        Error::new(Reason::Timeout, "The clipboard could not be read in time.")
            .with_guidance("The program that holds it may be hung; copy something else, or try again.")
    };
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let mut file = File::from(pipe);
    loop {
        if !is_ready(&file, PollFlags::IN, deadline.instant()) {
            return Err(hung());
        }
        match file.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(Error::new(
                    Reason::ActionFailed,
                    format!("The clipboard cannot be read: {error}."),
                ));
            }
        }
        if bytes.len() > LARGEST {
            let message = format!("The clipboard holds more than {} MiB of text.", LARGEST >> 20);
            return Err(Error::new(Reason::ActionFailed, message)
                .with_guidance("Copy less, or read it in the program it comes from."));
        }
    }
}

/// Writes our text to one who pastes.
fn hand_out(pipe: OwnedFd, text: &str) {
    let limit = Instant::now() + READ_WITHIN;
    if fcntl_setfl(&pipe, OFlags::NONBLOCK).is_err() {
        return;
    }
    let mut file = File::from(pipe);
    let mut rest = text.as_bytes();
    while !rest.is_empty() && is_ready(&file, PollFlags::OUT, limit) {
        match file.write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            // Who pasted has enough.
            Err(_) => return,
        }
    }
}

/// Waits until a pipe can be read or written; false when the time is up.
fn is_ready(pipe: &File, how: PollFlags, limit: Instant) -> bool {
    loop {
        let left = limit.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        match poll(&mut [PollFd::new(pipe, how)], Some(&span(left))) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
}

fn lost() -> Error {
    Error::new(Reason::Disconnected, "The Wayland compositor went away while the clipboard was in use.")
        .with_guidance("Try again: the next call connects anew.")
}

impl Dispatch<WlRegistry, GlobalListContents> for Selection {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

impl Dispatch<ZwlrDataControlDeviceV1, ()> for Selection {
    fn event(
        selection: &mut Self,
        _: &ZwlrDataControlDeviceV1,
        event: zwlr_data_control_device_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        use zwlr_data_control_device_v1::Event;
        match event {
            Event::DataOffer { id } => drop(selection.kinds.insert(id.id(), Vec::new())),
            Event::Selection { id } => {
                let old = std::mem::replace(&mut selection.current, id);
                if let Some(old) = old.filter(|old| Some(old) != selection.current.as_ref()) {
                    selection.kinds.remove(&old.id());
                    old.destroy();
                }
            }
            Event::Finished => selection.has_ended = true,
            _ => {}
        }
    }

    event_created_child!(Selection, ZwlrDataControlDeviceV1, [
        zwlr_data_control_device_v1::EVT_DATA_OFFER_OPCODE => (ZwlrDataControlOfferV1, ()),
    ]);
}

impl Dispatch<ZwlrDataControlOfferV1, ()> for Selection {
    fn event(
        selection: &mut Self,
        offer: &ZwlrDataControlOfferV1,
        event: zwlr_data_control_offer_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let zwlr_data_control_offer_v1::Event::Offer { mime_type } = event
            && let Some(kinds) = selection.kinds.get_mut(&offer.id())
            && kinds.len() < MOST_KINDS
        {
            kinds.push(mime_type);
        }
    }
}

impl Dispatch<ZwlrDataControlSourceV1, ()> for Selection {
    fn event(
        selection: &mut Self,
        source: &ZwlrDataControlSourceV1,
        event: zwlr_data_control_source_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        use zwlr_data_control_source_v1::Event;
        match event {
            Event::Send { fd, .. } => {
                let Some((_, text)) = selection.own.as_ref().filter(|(own, _)| own == source) else { return };
                if Arc::strong_count(&selection.readers) > MOST_READERS {
                    return;
                }
                let (text, reader) = (Arc::clone(text), Arc::clone(&selection.readers));
                let body = move || {
                    hand_out(fd, &text);
                    drop(reader);
                };
                if let Err(error) = thread::Builder::new().name("wayland-paste".to_owned()).spawn(body) {
                    tracing::warn!(%error, "nothing could be pasted");
                }
            }
            Event::Cancelled => {
                if selection.own.as_ref().is_some_and(|(own, _)| own == source) {
                    selection.own = None;
                }
                source.destroy();
            }
            _ => {}
        }
    }
}

delegate_noop!(Selection: ignore WlSeat);
delegate_noop!(Selection: ZwlrDataControlManagerV1);

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe() -> (OwnedFd, OwnedFd) {
        pipe_with(PipeFlags::CLOEXEC).unwrap()
    }

    #[test]
    fn a_text_larger_than_a_pipe_goes_through_it() {
        let (read, write) = pipe();
        let text = "ü".repeat(1 << 20);
        let given = text.clone();
        let giving = thread::spawn(move || hand_out(write, &given));
        let bytes = receive(read, Deadline::after(Duration::from_secs(10))).unwrap();
        giving.join().unwrap();
        assert!(bytes == text.as_bytes());
    }

    #[test]
    fn a_program_that_writes_nothing_is_waited_for_until_the_deadline() {
        let (read, _write) = pipe();
        let error = receive(read, Deadline::after(Duration::from_millis(30))).unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
    }

    #[test]
    fn one_who_has_enough_ends_the_giving() {
        let (read, write) = pipe();
        drop(read);
        hand_out(write, &"x".repeat(1 << 20));
    }
}
