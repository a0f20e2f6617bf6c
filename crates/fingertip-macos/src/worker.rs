//! Where the blocking calls are made: off the async threads, one at a time for each application.
//!
//! An application answers on its main thread, one message after another, so that more than one call at a time gains nothing;
//! and one that hangs must hold nothing but itself. Each call waits for its turn on its application until its deadline, so
//! that what waits is the calls themselves and no queue of ours. A call without a waiting caller ends between two
//! messages.
//!
//! An application that did not answer is not asked again for a moment, and then by one short question first: ten thousand
//! calls on a dead one cost a few messages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::Deadline;
use fingertip_core::sync::lock;
use tokio::sync::Semaphore;

use crate::attributes;
use crate::element::Element;
use crate::failure::{Answer, Failure};

/// How many calls may be blocked at the same time, on all applications together.
pub(crate) const MOST_AT_ONCE: usize = 32;
/// How long an application that did not answer is left alone.
const LEFT_ALONE: Duration = Duration::from_millis(500);
/// How long it may then take to answer the first question.
const PROBED_WITHIN: Duration = Duration::from_millis(250);

/// How long a job may go on: until its deadline, or until its caller is gone.
#[derive(Debug, Clone)]
pub(crate) struct CancelToken {
    pub(crate) deadline: Deadline,
    dropped: Arc<AtomicBool>,
}

/// Cancels the job when its caller goes away.
struct Caller(Arc<AtomicBool>);

impl Drop for Caller {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl CancelToken {
    /// The token of a job with this deadline.
    fn new(deadline: Deadline) -> (Self, Caller) {
        let dropped = Arc::new(AtomicBool::new(false));
        (Self { deadline, dropped: Arc::clone(&dropped) }, Caller(dropped))
    }

    /// The same with less time.
    pub(crate) fn slice(&self, span: Duration) -> Self {
        Self { deadline: self.deadline.slice(span), dropped: Arc::clone(&self.dropped) }
    }

    /// Whether the job must end.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.passed() || self.dropped.load(Ordering::Acquire)
    }

    /// Goes on unless the job must end.
    pub(crate) fn go_on(&self) -> Answer<()> {
        if self.is_over() { Err(Failure::Over) } else { Ok(()) }
    }

    /// Waits so long, or until the job must end.
    pub(crate) fn pause(&self, span: Duration) -> Answer<()> {
        self.pause_until(Instant::now() + span)
    }

    /// Waits until then, or until the job must end.
    pub(crate) fn pause_until(&self, moment: Instant) -> Answer<()> {
        /// How soon it is noticed that the caller is gone.
        const SLICE: Duration = Duration::from_millis(20);
        loop {
            self.go_on()?;
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(SLICE).min(self.deadline.remaining()));
        }
    }
}

/// The places for calls that block, shared by all applications.
#[derive(Debug, Clone)]
pub(crate) struct Workers(Arc<Semaphore>);

impl Default for Workers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST_AT_ONCE)))
    }
}

impl Workers {
    /// Runs a job that blocks; [`Failure::Over`] when it has not ended by its deadline.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&CancelToken) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let until = deadline.instant().into();
        let waiting = tokio::time::timeout_at(until, Arc::clone(&self.0).acquire_owned());
        let place = waiting.await.map_err(|_| Failure::Over)?.map_err(|_| Failure::Over)?;
        let (cancel, _caller) = CancelToken::new(deadline);
        let blocked = tokio::task::spawn_blocking(move || {
            let _place = place;
            job(&cancel)
        });
        match tokio::time::timeout_at(until, blocked).await {
            Ok(Ok(outcome)) => outcome,
            // A job that panicked says so on standard error; its call ends as one that was not answered.
            Ok(Err(_)) => Err(Failure::NoAnswer),
            Err(_) => Err(Failure::Over),
        }
    }
}

/// The turn to ask one application.
#[derive(Debug)]
pub(crate) struct Turn {
    workers: Workers,
    gate: Arc<Semaphore>,
    /// When it last did not answer, if it has not answered since.
    silent: Arc<Mutex<Option<Instant>>>,
}

impl Turn {
    /// The turn of an application that was not asked yet.
    pub(crate) fn new(workers: Workers) -> Self {
        Self { workers, gate: Arc::new(Semaphore::new(1)), silent: Arc::default() }
    }

    /// Runs a job that asks this application, when it is its turn.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        pid: i32,
        deadline: Deadline,
        job: impl FnOnce(&CancelToken) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        if self.is_left_alone() {
            return Err(Failure::NoAnswer);
        }
        let waiting =
            tokio::time::timeout_at(deadline.instant().into(), Arc::clone(&self.gate).acquire_owned());
        // Calls before this one wait for the same application.
        let turn = waiting.await.map_err(|_| Failure::NoAnswer)?.map_err(|_| Failure::NoAnswer)?;
        if self.is_left_alone() {
            return Err(Failure::NoAnswer);
        }
        let silent = Arc::clone(&self.silent);
        let ran = self.workers.run(deadline, move |cancel| {
            let _turn = turn;
            let outcome = probe(pid, &silent).and_then(|()| job(cancel));
            match outcome {
                Err(Failure::NoAnswer) => *lock(&silent) = Some(Instant::now()),
                Err(Failure::Over) => {}
                _ => *lock(&silent) = None,
            }
            outcome
        });
        match ran.await {
            // The deadline came while a message was under way: the application is what took so long.
            Err(Failure::Over) => Err(Failure::NoAnswer),
            other => other,
        }
    }

    /// Whether it did not answer a moment ago.
    fn is_left_alone(&self) -> bool {
        lock(&self.silent).is_some_and(|since| since.elapsed() < LEFT_ALONE)
    }
}

/// Asks an application that did not answer last time whether it does now.
fn probe(pid: i32, silent: &Mutex<Option<Instant>>) -> Answer<()> {
    if lock(silent).is_none() {
        return Ok(());
    }
    // A reference of its own: its short limit holds for no other message.
    let app = Element::application(pid);
    app.answer_within(PROBED_WITHIN)?;
    match app.get(attributes::ROLE) {
        Err(Failure::NoAnswer) => Err(Failure::NoAnswer),
        _ => Ok(()),
    }
}
