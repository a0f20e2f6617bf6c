//! The lines on which an application is told to act.
//!
//! A line is taken for one action and given back when that is over. GTK 3 answers before it acts, so an action is over
//! when a second question on its line is answered. That is kept back for as long as a dialog is open that the action
//! opened; the line stays taken until then, and the next action goes by a new one.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fingertip_core::Deadline;
use tokio::sync::oneshot;
use zbus::message::Message;

use super::{DO_ACTION, connect};
use crate::bus::{CallError, Line, interface};

/// How long a line is kept for an answer that nobody waits for any more: a dialog may stay open for long.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// A question that every D-Bus connection answers by itself.
const PING: (&str, &str) = ("org.freedesktop.DBus.Peer", "Ping");

type Free = Arc<Mutex<Vec<Arc<Line>>>>;

/// Where an application can be reached, and the lines that are free.
#[derive(Debug)]
pub(super) struct Acting {
    address: Box<str>,
    round_trips: Arc<AtomicU64>,
    free: Free,
}

impl Acting {
    /// No line is opened before the first action.
    pub(super) fn new(address: &str, round_trips: Arc<AtomicU64>) -> Self {
        Self { address: address.into(), round_trips, free: Free::default() }
    }

    /// A line that nothing is under way on; `None` when the application opens no more.
    pub(super) async fn line(&self, deadline: Deadline) -> Option<Arc<Line>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free.filter(|line| !line.is_closed()) {
            Some(line) => Some(line),
            None => connect(&self.address, Arc::clone(&self.round_trips), deadline).await,
        }
    }

    /// Does an action on this line. The line outlives who waits for the answer, until the action is over.
    pub(super) async fn act(
        &self,
        line: Arc<Line>,
        path: &str,
        number: i32,
        deadline: Deadline,
    ) -> Result<Message, CallError> {
        let (path, free): (Box<str>, _) = (path.into(), Arc::clone(&self.free));
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            let patience = Deadline::after(KEPT);
            let (of, member) = PING;
            // Written one after the other, without waiting in between. Nobody may wait for the answer any more.
            let acting = async {
                let acted = line.call(None, &path, interface::ACTION, DO_ACTION, &number, patience).await;
                let _ = answer.send(acted);
            };
            let ((), over) = tokio::join!(acting, line.call(None, &path, of, member, &(), patience));
            if !matches!(over, Err(CallError::Timeout | CallError::Closed)) {
                free.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
        let answered = tokio::time::timeout_at(deadline.instant().into(), answered).await;
        match answered.map_err(|_| CallError::Timeout)?.map_err(|_| CallError::Closed)? {
            // It is the application's own line: what closes it is its end.
            Err(CallError::Closed) => Err(CallError::Gone),
            answer => answer,
        }
    }
}
