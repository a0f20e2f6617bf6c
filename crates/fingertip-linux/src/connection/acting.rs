//! The lines on which an application is made to act.
//!
//! atk-bridge (GTK 3, Firefox, LibreOffice, Chromium, Java) runs the handler of a command inside of the dispatch of the
//! connection it came by, and a handler may run a main loop of its own: a dialog that is waited for. If anything more
//! arrives on that connection before the handler returns, be it a message or its end, the application hangs for ever at
//! the next key that a person or we press: the bridge then reports the key to the registry and waits in a second dispatch
//! of the same connection, which libdbus never lets in.
//!
//! So a line carries one command and then neither a byte nor its end until that is over. That is seen by a pipe whose other
//! end travels with the command: the application closes it when it is done with the message, which is after the handler
//! returned. Our own end of the line travels along too, so that the line outlives this process.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use fingertip_core::Deadline;
use fingertip_core::sync::lock;
use tokio::net::unix::pipe;
use zbus::connection::Builder;
use zbus::message::Message;

use super::SOCKET_WITHIN;
use super::socket::Socket;
use crate::bus::{Answer, Attached, CallError, Command, Line};

/// The most commands of one application that are not over, such as dialogs that lie above each other.
const MOST_UNDER_WAY: u64 = 32;
/// The most lines that are kept for later commands.
const MOST_FREE: usize = 2;

/// Where an application can be reached, and the lines that are free.
#[derive(Debug)]
pub(super) struct Acting {
    at: Socket,
    round_trips: Arc<AtomicU64>,
    lines: Arc<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    free: Mutex<Vec<Own>>,
    under_way: AtomicU64,
}

/// A line, and another descriptor of our end of it.
#[derive(Debug)]
struct Own {
    line: Line,
    socket: OwnedFd,
}

impl Acting {
    /// No line is opened before the first command.
    pub(super) fn new(at: Socket, round_trips: Arc<AtomicU64>) -> Self {
        Self { at, round_trips, lines: Arc::default() }
    }

    /// Whether there is a line to send a command on.
    pub(super) async fn is_reachable(&self, deadline: Deadline) -> bool {
        let own = self.line(deadline).await;
        own.map(|own| self.lines.give_back(own)).is_some()
    }

    /// Sends a command on a line of its own, which outlives the caller.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] when there is no line; nothing was done then.
    pub(super) async fn send(&self, path: &str, command: Command<'_>, deadline: Deadline) -> Answer<Message> {
        if self.lines.under_way.load(Ordering::Relaxed) >= MOST_UNDER_WAY {
            return Err(CallError::Refused(format!("{MOST_UNDER_WAY} actions before it are not over")));
        }
        let own = self.line(deadline).await.ok_or(CallError::Unreachable)?;
        let (token, over) = pipe::pipe().map_err(CallError::malformed)?;
        let token = token.into_blocking_fd().map_err(CallError::malformed)?;
        let attached = Attached { token, socket: own.socket.as_fd() };
        let message = command.compose(None, path, Some(attached)).map_err(CallError::malformed)?;
        let waiting = own.line.begin(message)?;
        tokio::spawn(kept(own, over, Arc::clone(&self.lines)));
        match waiting.answer(deadline).await {
            // It is the application's own line: what closes it is its end.
            Err(CallError::Closed) => Err(CallError::Gone),
            answer => answer,
        }
    }

    /// A line that nothing is under way on; `None` when the application opens no more.
    async fn line(&self, deadline: Deadline) -> Option<Own> {
        loop {
            let free = lock(&self.lines.free).pop();
            match free {
                Some(own) if own.line.is_closed() => {}
                Some(own) => return Some(own),
                None => break,
            }
        }
        let opening = open(&self.at, Arc::clone(&self.round_trips));
        let opened = tokio::time::timeout_at(deadline.slice(SOCKET_WITHIN).instant().into(), opening).await;
        match opened {
            Ok(Ok(own)) => Some(own),
            Ok(Err(error)) => {
                tracing::debug!(%error, "an application's own socket does not work");
                None
            }
            Err(_) => None,
        }
    }
}

/// Keeps a line open until the command on it is over. To be dropped would shut the connection down for all who have it
/// open, so that at the end of this program it is left to the system, which only closes our descriptor.
async fn kept(own: Own, over: pipe::Receiver, lines: Arc<Lines>) {
    let own = ManuallyDrop::new(own);
    lines.under_way.fetch_add(1, Ordering::Relaxed);
    let _ = over.readable().await;
    lines.under_way.fetch_sub(1, Ordering::Relaxed);
    lines.give_back(ManuallyDrop::into_inner(own));
}

impl Lines {
    /// Keeps a line that nothing is under way on.
    fn give_back(&self, own: Own) {
        let mut free = lock(&self.free);
        if !own.line.is_closed() && free.len() < MOST_FREE {
            free.push(own);
        }
    }
}

async fn open(at: &Socket, round_trips: Arc<AtomicU64>) -> zbus::Result<Own> {
    let stream = at.connect().await?;
    let socket = stream.as_fd().try_clone_to_owned()?;
    let connection = Builder::unix_stream(stream).p2p().build().await?;
    Ok(Own { line: Line::new(connection, round_trips), socket })
}
