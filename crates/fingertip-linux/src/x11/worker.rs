//! A thread with a connection to the X server, and jobs for it.
//!
//! Waiting for a reply of the X server blocks, and a server may be frozen or grabbed for any time. So jobs run
//! on a thread of their own, one after another; the caller waits no longer than its deadline, and a job whose
//! caller gave up before it began is never begun. A job that takes time rests on its [`Leash`], which tells it
//! at once when nobody waits any more.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::oneshot;

use super::display::Display;
use super::error::{Outcome, X11Error, late};

/// How long dropping a worker waits for its last job to let go of buttons and keys.
const FAREWELL: Duration = Duration::from_millis(250);

type Job = Box<dyn FnOnce(&mut Option<Display>) + Send>;

/// A thread of jobs, started by the first one.
pub(super) struct Worker {
    name: &'static str,
    display: Option<Arc<str>>,
    thread: Mutex<Option<Thread>>,
}

struct Thread {
    jobs: Sender<Job>,
    /// Ends, without a message, when the thread does.
    ended: Receiver<()>,
}

/// Ties a job to the call that waits for it.
pub(super) struct Leash {
    held: Receiver<()>,
    deadline: Deadline,
}

impl Leash {
    /// Sleeps until that moment; over when the deadline comes first or the caller is gone.
    pub(super) fn rest_until(&self, moment: Instant) -> Outcome<()> {
        let wake = moment.min(self.deadline.instant());
        match self.held.recv_timeout(wake.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) if moment <= self.deadline.instant() => Ok(()),
            _ => Err(X11Error::Over),
        }
    }

    /// Sleeps that long.
    pub(super) fn rest(&self, span: Duration) -> Outcome<()> {
        self.rest_until(Instant::now() + span)
    }

    /// The deadline of the call.
    pub(super) fn deadline(&self) -> Deadline {
        self.deadline
    }
}

impl Worker {
    /// A worker with this name for its thread, on this display or the one that `DISPLAY` names.
    pub(super) fn new(name: &'static str, display: Option<&str>) -> Self {
        Self { name, display: display.map(Arc::from), thread: Mutex::new(None) }
    }

    /// Asks what changes nothing. It is asked again on a new connection when the old one turns out to be lost, which
    /// saves asking first whether it is.
    pub(super) async fn ask<T, F>(&self, deadline: Deadline, question: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&Display) -> Outcome<T> + Send + 'static,
    {
        self.submit(deadline, move |slot, name, _| {
            match slot.as_ref().map(&question) {
                None | Some(Err(X11Error::Lost(_))) => {}
                Some(answer) => return answer,
            }
            *slot = None;
            question(slot.insert(Display::connect(name)?))
        })
        .await
    }

    /// Runs a job on a live connection and waits for its answer. Dropping this ends the job at its next rest.
    pub(super) async fn run<T, F>(&self, deadline: Deadline, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Display, &Leash) -> Outcome<T> + Send + 'static,
    {
        self.submit(deadline, |slot, name, leash| job(live(slot, name)?, leash)).await
    }

    async fn submit<T, F>(&self, deadline: Deadline, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Option<Display>, Option<&str>, &Leash) -> Outcome<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let (_hold, held) = channel();
        let leash = Leash { held, deadline };
        let name = self.display.clone();
        self.send(Box::new(move |slot| {
            if answer.is_closed() {
                return;
            }
            let result = job(slot, name.as_deref(), &leash);
            if matches!(result, Err(X11Error::Lost(_))) {
                *slot = None;
            }
            // The caller may have given up meanwhile; then nobody wants to know.
            let _ = answer.send(result.map_err(X11Error::into_error));
        }))?;
        match tokio::time::timeout_at(deadline.instant().into(), answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => {
                Err(Error::new(Reason::Internal, "The thread of the X server ended in the middle of a job."))
            }
            Err(_) => Err(late()),
        }
    }

    fn send(&self, job: Job) -> Result<()> {
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
fn live<'a>(slot: &'a mut Option<Display>, name: Option<&str>) -> Outcome<&'a Display> {
    if !slot.as_ref().is_some_and(Display::is_alive) {
        *slot = None;
    }
    match slot {
        Some(display) => Ok(display),
        None => Ok(slot.insert(Display::connect(name)?)),
    }
}

fn start(name: &str) -> Result<Thread> {
    let (jobs, queue) = channel::<Job>();
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

impl Drop for Worker {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, ended }) = thread {
            drop(jobs);
            let _ = ended.recv_timeout(FAREWELL);
        }
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leash(span: Duration) -> (Sender<()>, Leash) {
        let (hold, held) = channel();
        (hold, Leash { held, deadline: Deadline::after(span) })
    }

    #[test]
    fn a_rest_ends_when_its_time_has_come() {
        let (_hold, leash) = leash(Duration::from_secs(60));
        let moment = Instant::now() + Duration::from_millis(5);
        assert!(leash.rest_until(moment).is_ok());
        assert!(Instant::now() >= moment);
    }

    #[test]
    fn a_rest_is_over_as_soon_as_nobody_waits() {
        let (hold, leash) = leash(Duration::from_secs(60));
        drop(hold);
        let begun = Instant::now();
        assert!(matches!(leash.rest(Duration::from_secs(30)), Err(X11Error::Over)));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_rest_ends_by_the_deadline() {
        let (_hold, leash) = leash(Duration::from_millis(5));
        assert!(matches!(leash.rest(Duration::from_secs(30)), Err(X11Error::Over)));
    }
}
