//! One connection to the compositor.

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use fingertip_core::{Error, Reason};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use wayland_client::backend::WaylandError;
use wayland_client::globals::{GlobalList, GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::WlRegistry;
use wayland_client::{Connection, Dispatch, DispatchError, EventQueue, Proxy, QueueHandle};

use crate::display::error::{Failure, Outcome};

/// A connection, what the compositor offers on it, and what its events have told.
pub(super) struct Link<S: 'static> {
    pub(super) connection: Connection,
    pub(super) globals: GlobalList,
    pub(super) queue: EventQueue<S>,
    pub(super) state: S,
    /// The process of the compositor.
    pub(super) peer: Option<u32>,
}

impl<S: Dispatch<WlRegistry, GlobalListContents>> Link<S> {
    /// Connects, and reads what is offered.
    pub(super) fn open(socket: &Path, state: S) -> Outcome<Self> {
        let unreachable = |cause: &dyn std::fmt::Display| Failure::Reported(unreachable(socket, cause));
        let stream = UnixStream::connect(socket).map_err(|error| unreachable(&error))?;
        let peer = peer(&stream);
        let connection = Connection::from_socket(stream).map_err(|error| unreachable(&error))?;
        let (globals, queue) = registry_queue_init(&connection).map_err(|error| unreachable(&error))?;
        Ok(Self { connection, globals, queue, state, peer })
    }

    /// Whether an interface is offered.
    pub(super) fn offers(&self, interface: &str) -> bool {
        self.globals.contents().with_list(|list| list.iter().any(|global| global.interface == interface))
    }

    /// An object of the compositor, of at most this version.
    pub(super) fn bind<I>(&self, most: u32) -> Outcome<I>
    where
        I: Proxy + 'static,
        S: Dispatch<I, ()>,
    {
        let bound = self.globals.bind(&self.handle(), 1..=most, ());
        bound.map_err(|_| Failure::Refused(format!("no {}", I::interface().name)))
    }

    /// The handle that events of new objects come by.
    pub(super) fn handle(&self) -> QueueHandle<S> {
        self.queue.handle()
    }

    /// Waits until the compositor has done everything that was asked before.
    pub(super) fn sync(&mut self) -> Outcome<()> {
        self.queue.roundtrip(&mut self.state)?;
        Ok(())
    }

    /// Sends what is still waiting here.
    pub(super) fn flush(&self) -> Outcome<()> {
        Ok(self.connection.flush()?)
    }

    /// Reads events until something is so; false when it was not by then.
    pub(super) fn until(&mut self, limit: Instant, is_so: impl Fn(&S) -> bool) -> Outcome<bool> {
        loop {
            self.queue.dispatch_pending(&mut self.state)?;
            if is_so(&self.state) {
                return Ok(true);
            }
            self.flush()?;
            let Some(guard) = self.queue.prepare_read() else { continue };
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let fd = guard.connection_fd();
            match poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&span(left))) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => match guard.read() {
                    Err(WaylandError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    read => drop(read?),
                },
                Err(error) => return Err(Failure::Lost(error.to_string())),
            }
        }
    }
}

/// A span for `poll`.
pub(super) fn span(span: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(span.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(span.subsec_nanos()),
    }
}

/// The process at the other end of a socket.
pub(crate) fn peer(stream: impl AsFd) -> Option<u32> {
    let pid = socket_peercred(stream).ok()?.pid;
    u32::try_from(pid.as_raw_nonzero().get()).ok()
}

fn unreachable(socket: &Path, cause: &dyn std::fmt::Display) -> Error {
    let message = format!("The Wayland compositor cannot be reached at {} ({cause}).", socket.display());
    Error::new(Reason::PermissionDenied, message).with_guidance(
        "Check that WAYLAND_DISPLAY and XDG_RUNTIME_DIR name those of a running session of this user.",
    )
}

impl From<WaylandError> for Failure {
    fn from(error: WaylandError) -> Self {
        Self::Lost(error.to_string())
    }
}

impl From<DispatchError> for Failure {
    fn from(error: DispatchError) -> Self {
        Self::Lost(error.to_string())
    }
}
