//! One application to talk to: by its own socket where it offers one, else by the bus.
//!
//! An application's own socket saves the way through the bus daemon, which halves the cost of a call. It is
//! given up permanently at the first sign of trouble; the bus then carries the same calls.
//!
//! Questions and commands go by lines of their own there. A command must never share its line, nor go by the bus where
//! there is a socket: see [`acting`]. Every call that changes something is therefore a [`Command`].

mod acting;
mod socket;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use fingertip_core::Deadline;
use fingertip_core::sync::lock;
use zbus::connection::Builder;
use zbus::message::Message;

use crate::bus::{Answer, Answered, Body, Bus, CallError, Command, Line, interface};
use crate::handle::Handle;
use crate::tree::known_cells::KnownCells;
use acting::Acting;
use socket::Socket;

/// How long an application may take to open its own socket; one that takes longer is asked by the bus.
const SOCKET_WITHIN: Duration = Duration::from_millis(300);
/// An application that answers nothing for this long hangs; a cache of many thousand objects takes seconds on a
/// busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// One application on the accessibility bus.
#[derive(Debug)]
pub(crate) struct AppConnection {
    bus: Arc<Bus>,
    bus_name: Arc<str>,
    direct: RwLock<Option<Arc<Line>>>,
    acting: Option<Acting>,
    /// When it last answered.
    last_answer: Mutex<Instant>,
    /// The cells of its sheets that it reported a moment ago.
    pub(crate) cells: KnownCells,
}

impl AppConnection {
    /// The application of this bus name and process, by its own socket if it has one.
    ///
    /// Asking for the socket is also what makes GTK 3 and Chromium set up their cache for this client.
    pub(crate) async fn open(
        bus: Arc<Bus>,
        bus_name: &Arc<str>,
        pid: Option<u32>,
        deadline: Deadline,
    ) -> Answer<Self> {
        let address = address(&bus, bus_name, deadline).await.missing_ok()?;
        let socket = address.and_then(|address| Socket::of(&address, pid));
        let direct = match &socket {
            Some(socket) => connect(socket, bus.counter(), deadline).await,
            None => None,
        };
        let acting = socket.map(|socket| Acting::new(socket, bus.counter()));
        Ok(Self {
            bus,
            bus_name: Arc::clone(bus_name),
            direct: RwLock::new(direct),
            acting,
            last_answer: Mutex::new(Instant::now()),
            cells: KnownCells::default(),
        })
    }

    /// Its name on the bus.
    pub(crate) fn bus_name(&self) -> &Arc<str> {
        &self.bus_name
    }

    /// Calls a method of one of its objects, or of an object it embeds from another application.
    pub(crate) async fn call<B: Body>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
        deadline: Deadline,
    ) -> Answer<Message> {
        let by_bus = self.bus.call(handle, interface, member, body, deadline);
        let Some(line) = self.line().filter(|_| handle.bus_name == self.bus_name) else {
            return self.patiently(by_bus).await;
        };
        match self.patiently(line.call(None, &handle.path, interface, member, body, deadline)).await {
            Err(CallError::Closed) => {
                self.hang_up();
                self.patiently(by_bus).await
            }
            Err(CallError::Timeout) => {
                self.hang_up();
                Err(CallError::Timeout)
            }
            answer => answer,
        }
    }

    /// Whether it can be commanded without the risk that it hangs; see [`acting`].
    pub(crate) async fn accepts_commands(&self, deadline: Deadline) -> bool {
        match &self.acting {
            Some(acting) => acting.is_reachable(deadline).await,
            None => true,
        }
    }

    /// Commands an object to do something; `false` when it refused.
    ///
    /// Given up early, it goes on: what was asked for cannot be taken back.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] when the application has a socket that cannot be reached: by the bus the command
    /// could hang it.
    pub(crate) async fn command(
        &self,
        handle: &Handle,
        command: Command<'_>,
        deadline: Deadline,
    ) -> Answer<bool> {
        let reply = match self.acting.as_ref().filter(|_| handle.bus_name == self.bus_name) {
            Some(acting) => acting.send(&handle.path, command, deadline).await?,
            None => {
                let message = command.compose(Some(&handle.bus_name), &handle.path, None);
                self.bus.calls().begin(message.map_err(CallError::malformed)?)?.answer(deadline).await?
            }
        };
        command.answer(&reply)
    }

    /// Waits for an answer for as long as the application answers anything: with many questions under way, the
    /// last one of a slow application is late without it being hung.
    async fn patiently<T>(&self, answer: impl Future<Output = Answer<T>>) -> Answer<T> {
        let asked = Instant::now();
        let mut answer = std::pin::pin!(answer);
        loop {
            let quiet_until = asked.max(self.last_answer()) + PATIENCE;
            match tokio::time::timeout_at(quiet_until.into(), &mut answer).await {
                Ok(answer) => {
                    *lock(&self.last_answer) = Instant::now();
                    return answer;
                }
                Err(_) if asked.max(self.last_answer()) + PATIENCE <= Instant::now() => {
                    return Err(CallError::Timeout);
                }
                Err(_) => {}
            }
        }
    }

    fn last_answer(&self) -> Instant {
        *lock(&self.last_answer)
    }

    fn line(&self) -> Option<Arc<Line>> {
        self.direct.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hang_up(&self) {
        self.direct.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}

async fn address(bus: &Bus, bus_name: &str, deadline: Deadline) -> Answer<String> {
    let root = Handle::root(bus_name);
    let reply = bus.call(&root, interface::APPLICATION, "GetApplicationBusAddress", &(), deadline).await?;
    reply.body().deserialize().map_err(CallError::malformed)
}

async fn connect(socket: &Socket, round_trips: Arc<AtomicU64>, deadline: Deadline) -> Option<Arc<Line>> {
    let building = async { Builder::unix_stream(socket.connect().await?).p2p().build().await };
    match tokio::time::timeout_at(deadline.slice(SOCKET_WITHIN).instant().into(), building).await {
        Ok(Ok(connection)) => Some(Arc::new(Line::new(connection, round_trips))),
        Ok(Err(error)) => {
            tracing::debug!(%error, "an application's own socket does not work; the bus is used");
            None
        }
        Err(_) => None,
    }
}
