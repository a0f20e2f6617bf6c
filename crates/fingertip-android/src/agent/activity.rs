//! How many changes of the screen the phone has reported, and the short messages it showed.
//!
//! One count for a phone, whichever agent reports: it outlives agents, and never goes back.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Mutex;

use fingertip_core::{Deadline, Result, Toast};
use serde::Deserialize;
use tokio::sync::watch;

use crate::{lock, within};

/// The most short messages that are kept, and how long each may be, in characters.
const MAX_TOASTS: usize = 16;
const MAX_TOAST: usize = 500;

/// The count, who waits for it to grow, and the newest short messages.
#[derive(Debug)]
pub(crate) struct Activity {
    count: watch::Sender<u64>,
    toasts: Mutex<Toasts>,
}

#[derive(Debug, Default)]
struct Toasts {
    shown: u64,
    newest: VecDeque<Toast>,
}

impl Default for Activity {
    fn default() -> Self {
        Self { count: watch::Sender::new(0), toasts: Mutex::default() }
    }
}

#[derive(Debug, Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    event: Cow<'a, str>,
    #[serde(borrow, default)]
    package: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

impl Activity {
    /// The count now.
    pub(crate) fn count(&self) -> u64 {
        *self.count.borrow()
    }

    /// Something may have changed.
    pub(crate) fn bump(&self) {
        self.count.send_modify(|count| *count += 1);
    }

    /// Takes an event of the agent; changes and short messages count. Anything else is ignored: the next look shows it.
    pub(super) fn take(&self, object: &[u8]) {
        let Ok(event) = serde_json::from_slice::<Event<'_>>(object) else { return };
        match &*event.event {
            "change" => self.bump(),
            "toast" => {
                // Stored before a waiter wakes up to look for it.
                lock(&self.toasts).add(event.package.as_deref(), event.text.as_deref().unwrap_or_default());
                self.bump();
            }
            _ => {}
        }
    }

    /// The short messages that were shown last, oldest first.
    pub(crate) fn toasts(&self) -> Vec<Toast> {
        lock(&self.toasts).newest.iter().cloned().collect()
    }

    /// The count once it exceeds `seen`.
    ///
    /// # Errors
    /// When it does not by the deadline.
    pub(crate) async fn beyond(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        let mut counts = self.count.subscribe();
        within(deadline, "waiting for a change", async {
            // The sender lives in `self`, so the wait cannot end for lack of one.
            let count = counts.wait_for(|count| *count > seen).await.map(|count| *count);
            Ok(count.unwrap_or(seen))
        })
        .await
    }
}

impl Toasts {
    fn add(&mut self, app: Option<&str>, text: &str) {
        self.shown += 1;
        if self.newest.len() == MAX_TOASTS {
            self.newest.pop_front();
        }
        let text: String = text.chars().take(MAX_TOAST).collect();
        let app = app.filter(|app| !app.is_empty()).map(Into::into);
        self.newest.push_back(Toast { number: self.shown, app, text: text.into() });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fingertip_core::Reason;

    use super::*;

    #[tokio::test]
    async fn only_changes_count_and_wake() {
        let activity = Activity::default();
        activity.take(br#"{"event":"released"}"#);
        activity.take(b"{}");
        activity.take(b"\xff");
        assert_eq!(activity.count(), 0);
        let error = activity.beyond(0, Deadline::after(Duration::from_millis(10))).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
        activity.take(br#"{"event":"change","count":3}"#);
        assert_eq!(activity.beyond(0, Deadline::after(Duration::from_secs(5))).await.unwrap(), 1);
    }
    #[test]
    fn the_newest_short_messages_are_kept_in_order() {
        let activity = Activity::default();
        for number in 0..MAX_TOASTS + 2 {
            let event = format!(r#"{{"event":"toast","package":"com.app","text":"Saved {number}"}}"#);
            activity.take(event.as_bytes());
        }
        activity.take(br#"{"event":"toast","package":"","text":null}"#);
        let toasts = activity.toasts();
        let last = toasts.last().expect("a message");
        assert_eq!((toasts.len(), last.number, last.app.clone()), (MAX_TOASTS, 19, None));
        assert_eq!((&*toasts[0].text, toasts[0].app.as_deref()), ("Saved 3", Some("com.app")));
        assert_eq!(activity.count(), 19, "each wakes who waits");
    }
}
