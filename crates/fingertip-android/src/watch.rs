//! Phones that come and go.
//!
//! Follows the list of the adb server for as long as it is let run, through restarts of the server too. A phone
//! is reported in every state: one that waits for its user's consent is a target that says so. The same phone
//! stays the same [`AndroidTarget`] while it comes and goes.
//!
//! A server may claim any number of phones, under ever new serials (wireless debugging has another port each time): so many
//! are served, and of those that left the latest are remembered.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::{Deadline, Error};
use tokio::sync::mpsc;

use crate::adb::{Adb, Tracker};
use crate::choose::Preference;
use crate::parse::devices::{Listed, State};
use crate::target::AndroidTarget;

/// How long a phone that comes online may take to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(10);
/// How long the server may take to answer.
const SERVER_WITHIN: Duration = Duration::from_secs(10);
/// The wait before the server is asked again after it was lost.
const RETRY_FIRST: Duration = Duration::from_millis(500);
/// The longest such wait; it doubles from one to the next.
const RETRY_LONGEST: Duration = Duration::from_secs(10);

/// The most phones that are served at once.
const MOST_PHONES: usize = 128;
/// The most phones that are remembered after they left.
const MOST_ABSENT: usize = 128;

/// Receives what happens to the phones.
pub trait Watcher: Send {
    /// Whether the phone with this serial is to be served. Nothing is asked of others, least of all by an agent on them.
    fn wants(&self, serial: &str) -> bool;

    /// A phone is there, in whatever state.
    fn attached(&mut self, target: &Arc<AndroidTarget>);

    /// A phone that is there changed its state.
    fn changed(&mut self, target: &Arc<AndroidTarget>);

    /// A phone is not there any more. Calls on its target say so.
    fn detached(&mut self, target: &Arc<AndroidTarget>);

    /// There is no server to ask; it will be tried again.
    fn unreachable(&mut self, _error: &Error) {}
}

/// Follows the phones of a server until dropped; each is driven as the user wants it.
pub async fn watch(adb: Adb, driver: Preference, watcher: impl Watcher) {
    let (sender, mut introduced) = mpsc::unbounded_channel();
    let mut phones = Phones { adb: adb.clone(), driver, watcher, known: HashMap::new(), lists: 0, sender };
    let mut wait = RETRY_FIRST;
    loop {
        match adb.track(Deadline::after(SERVER_WITHIN)).await {
            Ok(mut tracker) => {
                wait = RETRY_FIRST;
                let error = phones.follow(&mut tracker, &mut introduced).await;
                tracing::info!(%error, "the list of phones ended");
            }
            Err(error) => {
                tracing::debug!(%error, "no adb server");
                phones.watcher.unreachable(&error);
            }
        }
        phones.update(&[]);
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(RETRY_LONGEST);
    }
}

/// A phone has said who it is, or failed to: its serial, and the change of state it answers to.
type Introduced = (String, u64);

struct Known {
    target: Arc<AndroidTarget>,
    attached: bool,
    /// Counts the changes of its state, so that an old introduction is not taken for a new one.
    changes: u64,
    /// When it was on the list last, in lists.
    listed: u64,
}

struct Phones<W> {
    adb: Adb,
    driver: Preference,
    watcher: W,
    known: HashMap<String, Known>,
    /// How many lists came.
    lists: u64,
    sender: mpsc::UnboundedSender<Introduced>,
}

impl<W: Watcher> Phones<W> {
    async fn follow(
        &mut self,
        tracker: &mut Tracker,
        introduced: &mut mpsc::UnboundedReceiver<Introduced>,
    ) -> Error {
        loop {
            tokio::select! {
                list = tracker.next() => match list {
                    Ok(list) => self.update(&list),
                    Err(error) => return error,
                },
                Some((serial, change)) = introduced.recv() => self.introduce(&serial, change),
            }
        }
    }

    fn update(&mut self, list: &[Listed]) {
        let wanted: Vec<&Listed> = list.iter().filter(|phone| self.watcher.wants(&phone.serial)).collect();
        if wanted.len() > MOST_PHONES {
            tracing::warn!(listed = wanted.len(), served = MOST_PHONES, "not all phones are served");
        }
        self.lists += 1;
        for phone in wanted.into_iter().take(MOST_PHONES) {
            self.note(&phone.serial, &phone.state);
        }
        let is_gone = |known: &Known| known.listed < self.lists;
        let gone: Vec<String> =
            self.known.iter().filter(|(_, known)| is_gone(known)).map(|(serial, _)| serial.clone()).collect();
        for serial in &gone {
            self.leave(serial);
        }
        self.forget(gone);
    }

    /// Forgets those of the absent that were listed longest ago, where there are too many.
    fn forget(&mut self, mut absent: Vec<String>) {
        let too_many = absent.len().saturating_sub(MOST_ABSENT);
        if too_many > 0 {
            absent.sort_by_key(|serial| self.known.get(serial).map(|known| known.listed));
            for serial in &absent[..too_many] {
                self.known.remove(serial);
            }
        }
    }

    fn leave(&mut self, serial: &str) {
        let Some(known) = self.known.get_mut(serial) else { return };
        if known.target.state() != State::Absent {
            known.target.set_state(State::Absent);
            known.changes += 1;
        }
        if std::mem::take(&mut known.attached) {
            self.watcher.detached(&known.target);
        }
    }

    fn note(&mut self, serial: &str, state: &State) {
        let known = self.known.entry(serial.to_owned()).or_insert_with(|| {
            let target = Arc::new(AndroidTarget::new(self.adb.device(serial)).driven_by(self.driver));
            target.set_state(State::Absent);
            Known { target, attached: false, changes: 0, listed: 0 }
        });
        known.listed = self.lists;
        if known.target.state() == *state {
            return;
        }
        known.target.set_state(state.clone());
        known.changes += 1;
        match state {
            State::Absent => self.leave(serial),
            State::Online => {
                let (target, sender) = (Arc::clone(&known.target), self.sender.clone());
                let introduction = (serial.to_owned(), known.changes);
                tokio::spawn(async move {
                    if let Err(error) = target.prepare(Deadline::after(INTRODUCTION)).await {
                        tracing::info!(%error, "a phone did not say who it is");
                    }
                    let _ = sender.send(introduction);
                });
            }
            _ => self.report(serial),
        }
    }

    fn introduce(&mut self, serial: &str, change: u64) {
        if self.known.get(serial).is_some_and(|known| known.changes == change) {
            self.report(serial);
        }
    }

    fn report(&mut self, serial: &str) {
        let Some(known) = self.known.get_mut(serial) else { return };
        if std::mem::replace(&mut known.attached, true) {
            self.watcher.changed(&known.target);
        } else {
            self.watcher.attached(&known.target);
        }
    }
}

#[cfg(test)]
mod tests;
