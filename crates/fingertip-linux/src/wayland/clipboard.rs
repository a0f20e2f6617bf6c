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
use tokio::sync::{Notify, oneshot};
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
/// The kind by which password managers ask clipboard managers to keep nothing of it, and what it says.
const FORGET: (&str, &str) = ("x-kde-passwordManagerHint", "secret");
/// How long other programs may take to hand over what is kept.
const KEPT_WITHIN: Duration = Duration::from_secs(3);
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
    Keep(oneshot::Sender<Result<Whole>>),
    Write(Arc<Content>, oneshot::Sender<Result<()>>),
    Clear(oneshot::Sender<Result<()>>),
}

/// What the clipboard holds.
enum Held {
    Nothing,
    Own(Arc<Content>),
    /// The end of a pipe into which another program writes it.
    Others(OwnedFd),
}

/// All kinds of what the clipboard holds.
enum Whole {
    Nothing,
    Own(Arc<Content>),
    /// For each kind the end of a pipe into which another program writes it.
    Others(Vec<(String, OwnedFd)>),
}

/// What we put there.
#[derive(Debug)]
struct Content {
    kinds: Vec<(String, Arc<[u8]>)>,
    /// Told of each program that has read it as text.
    read: Notify,
}

impl Content {
    fn text(text: &str) -> Self {
        let bytes: Arc<[u8]> = text.as_bytes().into();
        Self { kinds: TEXT.map(|kind| (kind.to_owned(), Arc::clone(&bytes))).into(), read: Notify::new() }
    }

    /// What is there as this kind.
    fn bytes(&self, kind: &str) -> Option<&Arc<[u8]>> {
        self.kinds.iter().find(|(known, _)| known == kind).map(|(_, bytes)| bytes)
    }
}

/// What was on the clipboard, kept while something else is there; `None` for nothing.
#[derive(Debug)]
pub(super) struct Kept(Option<Arc<Content>>);

/// A text that is there for a moment, for one program to read.
#[derive(Debug)]
pub(super) struct Lent(Arc<Content>);

impl Lent {
    /// Waits until a program has read it; false when none has by then.
    pub(super) async fn is_read(&self, deadline: Deadline) -> bool {
        tokio::time::timeout_at(deadline.instant().into(), self.0.read.notified()).await.is_ok()
    }
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
            Held::Own(content) => {
                let text = TEXT.iter().find_map(|kind| content.bytes(kind));
                Ok(text.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
            }
            Held::Others(pipe) => {
                let read = tokio::task::spawn_blocking(move || receive(pipe, LARGEST, deadline)).await;
                let read = read.map_err(|_| Error::new(Reason::Internal, "Reading the clipboard failed."))?;
                read.map(|bytes| Some(String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }

    /// Puts a text there, and answers for it while this lives.
    pub(super) async fn write(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.put(Arc::new(Content::text(text)), deadline).await
    }

    /// What is there, all kinds of it, to be given back later.
    ///
    /// # Errors
    /// When it cannot be had whole: then nothing else may be put there.
    pub(super) async fn keep(&self, deadline: Deadline) -> Result<Kept> {
        let (answer, answered) = oneshot::channel();
        let pipes = match self.ask(Work::Keep(answer), answered, deadline).await? {
            Whole::Nothing => return Ok(Kept(None)),
            Whole::Own(content) => return Ok(Kept(Some(content))),
            Whole::Others(pipes) => pipes,
        };
        let limit = deadline.slice(KEPT_WITHIN);
        let read = tokio::task::spawn_blocking(move || {
            let mut left = LARGEST;
            let mut kinds = Vec::new();
            for (kind, pipe) in pipes {
                let bytes = receive(pipe, left, limit)?;
                left -= bytes.len();
                kinds.push((kind, bytes.into()));
            }
            Ok(Kept(Some(Arc::new(Content { kinds, read: Notify::new() }))))
        });
        let kept = read.await.map_err(|_| Error::new(Reason::Internal, "Reading the clipboard failed."))?;
        kept.map_err(|error: Error| {
            let message = format!(
                "What is on the clipboard could not be given back; nothing was pasted. {}",
                error.message()
            );
            Error::new(Reason::ActionFailed, message)
                .with_guidance("Use set_text on the field, or copy something else first.")
        })
    }

    /// Puts a text there for one program to read; clipboard managers are asked to forget it.
    pub(super) async fn lend(&self, text: &str, deadline: Deadline) -> Result<Lent> {
        let mut content = Content::text(text);
        let (kind, value) = FORGET;
        content.kinds.push((kind.to_owned(), value.as_bytes().into()));
        let content = Arc::new(content);
        self.put(Arc::clone(&content), deadline).await?;
        Ok(Lent(content))
    }

    /// Puts back what was kept, also when the call is over.
    pub(super) async fn give_back(&self, kept: Kept) -> Result<()> {
        let deadline = Deadline::after(KEPT_WITHIN);
        match kept.0 {
            Some(content) => self.put(content, deadline).await,
            None => {
                let (answer, answered) = oneshot::channel();
                self.ask(Work::Clear(answer), answered, deadline).await
            }
        }
    }

    async fn put(&self, content: Arc<Content>, deadline: Deadline) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.ask(Work::Write(content, answer), answered, deadline).await
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
    own: Option<(ZwlrDataControlSourceV1, Arc<Content>)>,
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
                    Ok(Work::Keep(answer)) => {
                        self.link.sync()?;
                        let _ = answer.send(self.whole().map_err(|failure| failure.into_error(SERVER)));
                    }
                    Ok(Work::Write(content, answer)) => {
                        let _ =
                            answer.send(self.write(content).map_err(|failure| failure.into_error(SERVER)));
                    }
                    Ok(Work::Clear(answer)) => {
                        self.device.set_selection(None);
                        let done = self.link.sync();
                        let _ = answer.send(done.map_err(|failure| failure.into_error(SERVER)));
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
        if let Some((_, content)) = own {
            return Ok(Held::Own(Arc::clone(content)));
        }
        let Some(offer) = current else { return Ok(Held::Nothing) };
        let offered = kinds.get(&offer.id()).map(Vec::as_slice).unwrap_or_default();
        let Some(kind) = TEXT.iter().find(|kind| offered.iter().any(|other| other == *kind)) else {
            return Ok(Held::Nothing);
        };
        let pipe = ask_for(offer, kind)?;
        self.link.flush()?;
        Ok(Held::Others(pipe))
    }

    /// What the clipboard holds now, of every kind that is content.
    fn whole(&mut self) -> Outcome<Whole> {
        let Selection { own, current, kinds, .. } = &self.link.state;
        if let Some((_, content)) = own {
            return Ok(Whole::Own(Arc::clone(content)));
        }
        let Some(offer) = current else { return Ok(Whole::Nothing) };
        let offered = kinds.get(&offer.id()).map(Vec::as_slice).unwrap_or_default();
        // X clients offer the workings of their clipboard beside what is on it.
        let wanted = offered.iter().filter(|kind| kind.contains('/') || TEXT.contains(&kind.as_str()));
        let pipes: Outcome<Vec<_>> = wanted.map(|kind| Ok((kind.clone(), ask_for(offer, kind)?))).collect();
        let pipes = pipes?;
        self.link.flush()?;
        Ok(Whole::Others(pipes))
    }

    /// Puts this on the clipboard; `Ok` once the compositor has taken it.
    fn write(&mut self, content: Arc<Content>) -> Outcome<()> {
        let source = self.manager.create_data_source(&self.link.handle(), ());
        for (kind, _) in &content.kinds {
            source.offer(kind.clone());
        }
        self.device.set_selection(Some(&source));
        if let Some((old, _)) = self.link.state.own.replace((source, content)) {
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

/// Asks for what is offered as this kind; it comes by a pipe.
fn ask_for(offer: &ZwlrDataControlOfferV1, kind: &str) -> Outcome<OwnedFd> {
    let (read, write) =
        pipe_with(PipeFlags::CLOEXEC).map_err(|error| Failure::Refused(format!("no pipe: {error}")))?;
    offer.receive(kind.to_owned(), write.as_fd());
    Ok(read)
}

/// Reads at most so many bytes from another program.
fn receive(pipe: OwnedFd, largest: usize, deadline: Deadline) -> Result<Vec<u8>> {
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
        if bytes.len() > largest {
            let message = format!("The clipboard holds more than {} MiB.", LARGEST >> 20);
            return Err(Error::new(Reason::ActionFailed, message)
                .with_guidance("Copy less, or read it in the program it comes from."));
        }
    }
}

/// Writes what is ours to one who pastes; whether that one has read it all.
fn hand_out(pipe: OwnedFd, bytes: &[u8]) -> bool {
    let limit = Instant::now() + READ_WITHIN;
    if fcntl_setfl(&pipe, OFlags::NONBLOCK).is_err() {
        return false;
    }
    let mut file = File::from(pipe);
    let mut rest = bytes;
    while !rest.is_empty() && is_ready(&file, PollFlags::OUT, limit) {
        match file.write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            // Who pasted has enough.
            Err(_) => return false,
        }
    }
    rest.is_empty()
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
            Event::Send { fd, mime_type } => {
                let own = selection.own.as_ref().filter(|(own, _)| own == source);
                let Some((_, content)) = own else { return };
                let Some(bytes) = content.bytes(&mime_type).cloned() else { return };
                if Arc::strong_count(&selection.readers) > MOST_READERS {
                    return;
                }
                let (content, reader) = (Arc::clone(content), Arc::clone(&selection.readers));
                let body = move || {
                    if hand_out(fd, &bytes) && TEXT.contains(&mime_type.as_str()) {
                        content.read.notify_one();
                    }
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
        let giving = thread::spawn(move || hand_out(write, given.as_bytes()));
        let bytes = receive(read, LARGEST, Deadline::after(Duration::from_secs(10))).unwrap();
        assert!(giving.join().unwrap());
        assert!(bytes == text.as_bytes());
    }

    #[test]
    fn a_program_that_writes_nothing_is_waited_for_until_the_deadline() {
        let (read, _write) = pipe();
        let error = receive(read, LARGEST, Deadline::after(Duration::from_millis(30))).unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
    }

    #[test]
    fn one_who_has_enough_ends_the_giving() {
        let (read, write) = pipe();
        drop(read);
        assert!(!hand_out(write, &vec![b'x'; 1 << 20]));
    }
}
