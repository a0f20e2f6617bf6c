//! How many changes of the screen the phone has told of.
//!
//! One count for a phone, whichever agent tells: it outlives agents, and never goes back.

use fingertip_core::{Deadline, Result};
use serde::Deserialize;
use tokio::sync::watch;

use crate::within;

/// The count, and who waits for it to grow.
#[derive(Debug)]
pub(crate) struct Activity(watch::Sender<u64>);

impl Default for Activity {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

#[derive(Debug, Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    event: std::borrow::Cow<'a, str>,
}

impl Activity {
    /// The count now.
    pub(crate) fn count(&self) -> u64 {
        *self.0.borrow()
    }

    /// Something may have changed.
    pub(crate) fn bump(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    /// Takes an event of the agent; only changes count. What is no event is passed over: the next look tells.
    pub(super) fn take(&self, object: &[u8]) {
        if serde_json::from_slice::<Event<'_>>(object).is_ok_and(|event| event.event == "change") {
            self.bump();
        }
    }

    /// The count once it exceeds `seen`.
    ///
    /// # Errors
    /// When it does not by the deadline.
    pub(crate) async fn beyond(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        let mut counts = self.0.subscribe();
        within(deadline, "waiting for a change", async {
            // The sender lives in `self`, so the wait cannot end for lack of one.
            let count = counts.wait_for(|count| *count > seen).await.map(|count| *count);
            Ok(count.unwrap_or(seen))
        })
        .await
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
        activity.take(br#"{"event":"toast","text":"Saved"}"#);
        activity.take(b"{}");
        activity.take(b"\xff");
        assert_eq!(activity.count(), 0);
        let error = activity.beyond(0, Deadline::after(Duration::from_millis(10))).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
        activity.take(br#"{"event":"change","count":3}"#);
        assert_eq!(activity.beyond(0, Deadline::after(Duration::from_secs(5))).await.unwrap(), 1);
    }
}
