//! The events of one application since some moment, without a gap: what lets a reading be brought up to date.

use std::sync::Arc;
use std::time::Instant;

use fingertip_core::Deadline;
use tokio::sync::broadcast::{self, error::TryRecvError};
use zbus::message::Sequence;

use super::{Events, Raw};
use crate::bus::{Answer, CallError, interface};
use crate::connection::PATIENCE;
use crate::handle::Handle;

/// Everything that happens from some moment on.
#[derive(Debug)]
pub(crate) struct Following {
    events: broadcast::Receiver<Arc<Raw>>,
    /// Which time applications were telling when it began.
    telling: u64,
    began: Instant,
}

impl Following {
    /// Whether something has happened, in any application.
    pub(crate) fn has_news(&self) -> bool {
        !self.events.is_empty()
    }

    /// When it began.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }
}

impl Events {
    /// Follows what happens from now on. It is whole only while someone listens; see [`Self::listen`].
    pub(crate) fn follow(&self) -> Following {
        Following { events: self.shared.stream.subscribe(), telling: self.telling(), began: Instant::now() }
    }

    /// What an application told since; `None` when some of it may have been missed.
    pub(crate) fn since(&self, following: &mut Following, bus_name: &str) -> Option<Vec<Arc<Raw>>> {
        let is_unbroken = following.telling != 0 && following.telling == self.telling();
        let mut reported = Vec::new();
        loop {
            match following.events.try_recv() {
                Ok(raw) if &*raw.handle.bus_name == bus_name => reported.push(raw),
                Ok(_) => {}
                Err(TryRecvError::Empty) => return is_unbroken.then_some(reported),
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => return None,
            }
        }
    }

    /// Returns once everything was read that an application had told when it was asked.
    ///
    /// An answer comes behind the events on the same connection. It is asked for by the bus, as events come that way
    /// even from applications that have a socket of their own.
    pub(crate) async fn catch_up(&self, bus_name: &str, deadline: Deadline) -> Answer<()> {
        let root = Handle::root(bus_name);
        let (path, connection) = (&*root.path, self.shared.bus.events());
        let asked = connection.call_method(Some(bus_name), path, Some(interface::ACCESSIBLE), "GetRole", &());
        let caught_up = async {
            let position: Sequence = match asked.await {
                Ok(answer) => answer.recv_position(),
                // A refusal is as good an answer.
                Err(zbus::Error::MethodError(_, _, answer)) => answer.recv_position(),
                Err(_) => return Err(CallError::Closed),
            };
            let mut read = self.shared.read.subscribe();
            read.wait_for(|read| *read >= position).await.map(drop).map_err(|_| CallError::Closed)
        };
        let limit = deadline.slice(PATIENCE).instant();
        tokio::time::timeout_at(limit.into(), caught_up).await.map_err(|_| CallError::Timeout)?
    }
}
