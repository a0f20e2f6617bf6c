//! A thread with a connection to a display server, and jobs for it.
//!
//! Waiting for a reply of the server blocks, and a server may be frozen or grabbed for any time. So jobs run
//! on a thread of their own, one after another; the caller waits no longer than its deadline, and a job whose
//! caller gave up before it began is never begun. A job that takes time sleeps by its [`CancelToken`], which tells it
//! at once when nobody waits any more.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::oneshot;

use super::error::{Failure, Outcome, late};

/// How long dropping a worker waits for its last job to let go of buttons and keys.
const FAREWELL: Duration = Duration::from_millis(250);

type Job<C> = Box<dyn FnOnce(&mut Option<C>) + Send>;

/// A connection to a display server, made and used by one thread alone.
pub(crate) trait Connect: Sized + 'static {
    /// Where the server is.
    type Address: Send + Sync + 'static;
    /// What the server is called in errors.
    const SERVER: &'static str;

    /// Connects.
    fn connect(address: &Self::Address) -> Outcome<Self>;

    /// Whether the server still answers on this connection.
    fn is_alive(&mut self) -> bool;
}

/// A thread of jobs, started by the first one.
pub(crate) struct Worker<C: Connect> {
    name: &'static str,
    address: Arc<C::Address>,
    thread: Mutex<Option<Thread<C>>>,
}

struct Thread<C> {
    jobs: Sender<Job<C>>,
    /// Ends, without a message, when the thread does.
    ended: Receiver<()>,
}

/// Ties a job to the call that waits for it.
pub(crate) struct CancelToken {
    held: Receiver<()>,
    deadline: Deadline,
}

impl CancelToken {
    /// Sleeps until that moment; over when the deadline comes first or the caller is gone.
    pub(crate) fn rest_until(&self, moment: Instant) -> Outcome<()> {
        let wake = moment.min(self.deadline.instant());
        match self.held.recv_timeout(wake.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) if moment <= self.deadline.instant() => Ok(()),
            _ => Err(Failure::Over),
        }
    }

    /// Sleeps that long.
    pub(crate) fn rest(&self, span: Duration) -> Outcome<()> {
        self.rest_until(Instant::now() + span)
    }

    /// The deadline of the call.
    pub(crate) fn deadline(&self) -> Deadline {
        self.deadline
    }
}

impl<C: Connect> Worker<C> {
    /// A worker with this name for its thread, on the server at this address.
    pub(crate) fn new(name: &'static str, address: C::Address) -> Self {
        Self { name, address: Arc::new(address), thread: Mutex::new(None) }
    }

    /// Connects now, and waits for nothing: what must be there some time before it is used.
    pub(crate) fn connect_early(&self) {
        let address = Arc::clone(&self.address);
        let connect = move |slot: &mut Option<C>| {
            *slot = C::connect(&address).inspect_err(|error| tracing::debug!(?error, "not connected")).ok();
        };
        if let Err(error) = self.send(Box::new(connect)) {
            tracing::debug!(%error, "not connected");
        }
    }

    /// Asks what changes nothing. It is asked again on a new connection when the old one turns out to be lost, which
    /// saves asking first whether it is.
    pub(crate) async fn ask<T, F>(&self, deadline: Deadline, question: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut C) -> Outcome<T> + Send + 'static,
    {
        self.submit(deadline, move |slot, address, _| {
            match slot.as_mut().map(&question) {
                None | Some(Err(Failure::Lost(_))) => {}
                Some(answer) => return answer,
            }
            *slot = None;
            question(slot.insert(C::connect(address)?))
        })
        .await
    }

    /// Runs a job on a live connection and waits for its answer. Dropping this ends the job at its next rest.
    pub(crate) async fn run<T, F>(&self, deadline: Deadline, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut C, &CancelToken) -> Outcome<T> + Send + 'static,
    {
        self.submit(deadline, |slot, address, cancel| job(live(slot, address)?, cancel)).await
    }

    async fn submit<T, F>(&self, deadline: Deadline, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Option<C>, &C::Address, &CancelToken) -> Outcome<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let (_hold, held) = channel();
        let cancel = CancelToken { held, deadline };
        let address = Arc::clone(&self.address);
        self.send(Box::new(move |slot| {
            if answer.is_closed() {
                return;
            }
            let result = job(slot, &address, &cancel);
            if matches!(result, Err(Failure::Lost(_))) {
                *slot = None;
            }
            // The caller may have given up meanwhile; then nobody wants to know.
            let _ = answer.send(result.map_err(|failure| failure.into_error(C::SERVER)));
        }))?;
        match tokio::time::timeout_at(deadline.instant().into(), answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Error::new(
                Reason::Internal,
                format!("The thread of the {} ended in the middle of a job.", C::SERVER),
            )),
            Err(_) => Err(late(C::SERVER)),
        }
    }

    fn send(&self, job: Job<C>) -> Result<()> {
        let mut thread = lock(&self.thread);
        let job = match &*thread {
            Some(running) => match running.jobs.send(job) {
                Ok(()) => return Ok(()),
                Err(unsent) => unsent.0,
            },
            None => job,
        };
        let started = start(self.name)?;
        // The receiver lives in the thread that was started just now and waits for its first job.
        let _ = started.jobs.send(job);
        *thread = Some(started);
        Ok(())
    }
}

/// The connection, made anew when there is none or the server does not answer on it any more.
fn live<'a, C: Connect>(slot: &'a mut Option<C>, address: &C::Address) -> Outcome<&'a mut C> {
    if !slot.as_mut().is_some_and(C::is_alive) {
        *slot = None;
    }
    match slot {
        Some(connection) => Ok(connection),
        None => Ok(slot.insert(C::connect(address)?)),
    }
}

fn start<C: Connect>(name: &str) -> Result<Thread<C>> {
    let (jobs, queue) = channel::<Job<C>>();
    let (ending, ended) = channel::<()>();
    let body = move || {
        let _ending = ending;
        let mut slot = None;
        while let Ok(job) = queue.recv() {
            job(&mut slot);
        }
    };
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map_err(|error| Error::new(Reason::Internal, format!("No thread could be started: {error}.")))?;
    Ok(Thread { jobs, ended })
}

impl<C: Connect> Drop for Worker<C> {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, ended }) = thread {
            drop(jobs);
            let _ = ended.recv_timeout(FAREWELL);
        }
    }
}

impl<C: Connect> fmt::Debug for Worker<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cancel(span: Duration) -> (Sender<()>, CancelToken) {
        let (hold, held) = channel();
        (hold, CancelToken { held, deadline: Deadline::after(span) })
    }

    #[test]
    fn a_rest_ends_when_its_time_has_come() {
        let (_hold, cancel) = cancel(Duration::from_secs(60));
        let moment = Instant::now() + Duration::from_millis(5);
        assert!(cancel.rest_until(moment).is_ok());
        assert!(Instant::now() >= moment);
    }

    #[test]
    fn a_rest_is_over_as_soon_as_nobody_waits() {
        let (hold, cancel) = cancel(Duration::from_secs(60));
        drop(hold);
        let begun = Instant::now();
        assert!(matches!(cancel.rest(Duration::from_secs(30)), Err(Failure::Over)));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_rest_ends_by_the_deadline() {
        let (_hold, cancel) = cancel(Duration::from_millis(5));
        assert!(matches!(cancel.rest(Duration::from_secs(30)), Err(Failure::Over)));
    }
}
