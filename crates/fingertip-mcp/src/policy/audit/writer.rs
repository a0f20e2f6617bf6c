//! Writes the log. Where that takes no waiting, which is nearly always, a call does it itself: the file is open, its lock
//! is free, and the line goes into the system's memory. Everything else (another server's lock, a file that has to be
//! opened or made again, room that is missing, a disk that was slow the last time) is left to a thread, so that neither
//! calls nor the rest of the server are held up.
//!
//! How an act ended must not get lost: a line of that kind that cannot be written is tried again and again, and until
//! it is there no other act may begin.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use tokio::sync::oneshot;

use super::file::{About, LogFile};
use super::refusals::Refusals;
use super::{Line, WITHIN};

/// How often a line that could not be written is tried again.
const RETRY: Duration = Duration::from_millis(500);
/// A line that took longer than this shows a slow disk.
const SLOW: Duration = Duration::from_millis(20);
/// How long all lines are left to the thread after that.
const LEFT_ALONE: Duration = Duration::from_secs(10);
/// How long the thread sleeps while there is nothing to do.
const IDLE: Duration = Duration::from_secs(3600);

/// Called once a line is on disk, or with why it is not.
pub(super) type Done = oneshot::Sender<io::Result<()>>;

/// What the thread is asked to do.
pub(super) enum Order {
    /// Write down that a call is about to act, by this moment.
    Begin(Line, Instant, Done),
    /// Write down how a call that acted ended.
    End(Line, Done),
    /// Write down a call that did not act.
    Refused(Line, Done),
    /// Put files aside at this size, and keep so many.
    Rotate(u64, u32),
}

#[derive(Debug)]
pub(super) struct Writer {
    file: LogFile,
    refusals: Arc<Mutex<Refusals>>,
    unwritten: VecDeque<Line>,
    slow_until: Option<Instant>,
}

/// Follows orders until all senders are gone; then writes what is left, within a bounded time.
pub(super) fn run(writer: &Mutex<Writer>, orders: &Receiver<Order>) {
    let writer = || lock(writer);
    loop {
        let wait = writer().until_due();
        match orders.recv_timeout(wait) {
            Ok(order) => writer().follow(order),
            Err(RecvTimeoutError::Timeout) => writer().catch_up(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    writer().finish();
}

impl Writer {
    pub(super) fn new(file: LogFile, refusals: Arc<Mutex<Refusals>>) -> Self {
        Self { file, refusals, unwritten: VecDeque::new(), slow_until: None }
    }

    /// Writes a line if that takes no waiting; false when it is to be left to the thread.
    pub(super) fn write_now(&mut self, line: &Line, about: About) -> bool {
        let now = Instant::now();
        let waits = !self.unwritten.is_empty() || !self.file.is_open();
        if waits || self.slow_until.is_some_and(|until| now < until) {
            return false;
        }
        let written = self.write(line, about, now).is_ok();
        if now.elapsed() > SLOW {
            self.slow_until = Some(now + LEFT_ALONE);
        }
        written
    }

    fn finish(&mut self) {
        let until = Instant::now() + WITHIN / 2;
        if let Err(error) = self.write_unwritten(until) {
            tracing::error!(%error, "the audit log lacks how some calls ended");
        }
        let counted = self.refusals().take(Instant::now(), true);
        for line in counted {
            if let Err(error) = self.write(&line, About::LastCount, until) {
                tracing::warn!(%error, "the audit log lacks some calls that did nothing");
                break;
            }
        }
    }

    fn follow(&mut self, order: Order) {
        match order {
            // The caller has given up, and does not act.
            Order::Begin(_, _, done) if done.is_closed() => {}
            // One that is given up meanwhile says itself how it ended.
            Order::Begin(line, until, done) => {
                let begun =
                    self.write_unwritten(until).and_then(|()| self.write(&line, About::Intent, until));
                let _ = done.send(begun);
            }
            Order::End(line, done) => {
                let ended = self.end(line);
                let _ = done.send(ended);
            }
            Order::Refused(line, done) => {
                if let Err(error) = self.write(&line, About::Refusal, Instant::now()) {
                    tracing::debug!(%error, "a call that did nothing is counted only");
                    self.refusals().keep(vec![line], Instant::now());
                }
                let _ = done.send(Ok(()));
            }
            Order::Rotate(max_bytes, kept) => (self.file.max_bytes, self.file.kept) = (max_bytes, kept),
        }
    }

    fn end(&mut self, line: Line) -> io::Result<()> {
        self.unwritten.push_back(line);
        let ended = self.write_unwritten(Instant::now() + WITHIN);
        if let Err(error) = &ended {
            tracing::error!(%error, "how a call ended cannot be written to the audit log; nothing is done until it can");
        }
        ended
    }

    /// What is to be done without an order.
    fn catch_up(&mut self) {
        // Calls wait for the thread, so the thread does not wait for a lock here.
        let now = Instant::now();
        let _ = self.write_unwritten(now);
        let mut counted = self.refusals().take(now, false).into_iter();
        while let Some(line) = counted.next() {
            if self.write(&line, About::Refusal, now).is_err() {
                self.refusals().keep(std::iter::once(line).chain(counted).collect(), now);
                break;
            }
        }
    }

    fn write_unwritten(&mut self, until: Instant) -> io::Result<()> {
        while let Some(line) = self.unwritten.pop_front() {
            if let Err(error) = self.write(&line, About::End, until) {
                self.unwritten.push_front(line);
                return Err(error);
            }
        }
        Ok(())
    }

    fn write(&mut self, line: &Line, about: About, until: Instant) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.append(&text, about, until)
    }

    fn until_due(&self) -> Duration {
        if !self.unwritten.is_empty() {
            return RETRY;
        }
        self.refusals().due().map_or(IDLE, |due| due.saturating_duration_since(Instant::now()))
    }

    fn refusals(&self) -> std::sync::MutexGuard<'_, Refusals> {
        lock(&self.refusals)
    }
}
