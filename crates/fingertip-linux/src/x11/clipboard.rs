//! The clipboard: reading what other programs put there, and answering those that want ours.
//!
//! On X the clipboard is not a place but a promise: the program that copied must answer every paste, for as long as
//! it lives. So a thread of its own owns a hidden window, reads all its events, and is woken by a message to
//! that window when a call has work for it. Texts too large for one request go in pieces (INCR), both ways.

mod keeper;
mod offer;
mod transfer;

use std::sync::{Arc, Mutex};

use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::oneshot;

use keeper::{Link, Work};

/// The most bytes of text read from another program.
const LARGEST: usize = 32 << 20;

/// The clipboard of one display; connected to by the first call.
#[derive(Debug)]
pub(super) struct Clipboard {
    display: Option<Arc<str>>,
    link: Mutex<Option<Link>>,
}

impl Clipboard {
    pub(super) fn new(display: Option<&str>) -> Self {
        Self { display: display.map(Arc::from), link: Mutex::new(None) }
    }

    /// The text on the clipboard; `None` when there is none.
    pub(super) async fn read(&self, deadline: Deadline) -> Result<Option<String>> {
        let (answer, answered) = oneshot::channel();
        self.ask(Work::Read { answer, deadline }, answered, deadline, "read").await
    }

    /// Puts a text there, and answers for it while this lives.
    pub(super) async fn write(&self, text: &str, deadline: Deadline) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.ask(Work::Write { text: text.to_owned(), answer }, answered, deadline, "set").await
    }

    async fn ask<T>(
        &self,
        work: Work,
        answered: oneshot::Receiver<Result<T>>,
        deadline: Deadline,
        what: &str,
    ) -> Result<T> {
        self.hand_over(work, deadline).await?;
        match tokio::time::timeout_at(deadline.instant().into(), answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Error::new(
                Reason::Disconnected,
                "The X server went away while the clipboard was in use.",
            )
            .with_guidance("Try again: the next call connects anew.")),
            Err(_) => Err(Error::new(Reason::Timeout, format!("The clipboard could not be {what} in time."))
                .with_guidance("The program that holds it may be hung; copy something else, or try again.")),
        }
    }

    /// Gives the work to the thread; starts one, and connects, where there is none that lives.
    async fn hand_over(&self, work: Work, deadline: Deadline) -> Result<()> {
        let work = match &*lock(&self.link) {
            Some(link) => match link.send(work) {
                Ok(()) => return Ok(()),
                Err(work) => work,
            },
            None => work,
        };
        let link = Link::open(self.display.clone(), deadline).await?;
        let sent = link.send(work);
        *lock(&self.link) = Some(link);
        sent.map_err(|_| {
            Error::new(Reason::Disconnected, "The X server went away as soon as it was reached.")
        })
    }
}
