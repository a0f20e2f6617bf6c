//! Ending by the deadline, whatever the other side does.

use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result};

/// The result of `work`, or [`Reason::Timeout`] at the deadline. `doing` ends the sentence "ran out while …".
pub(crate) async fn within<T>(
    deadline: Deadline,
    doing: &str,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    tokio::time::timeout_at(deadline.instant().into(), work).await.unwrap_or_else(|_| Err(late(doing)))
}

/// Sleeps, but not beyond the deadline.
pub(crate) async fn pause(span: Duration, deadline: Deadline) {
    tokio::time::sleep_until(deadline.slice(span).instant().into()).await;
}

/// Sleeps until then; not at all once that has passed, for which the runtime would take a millisecond.
pub(crate) async fn until(moment: Instant) {
    if moment > Instant::now() {
        tokio::time::sleep_until(moment.into()).await;
    }
}

/// The time ran out before it was this call's turn on the phone.
pub(crate) fn crowded(doing: &str, others: usize) -> Error {
    let message = format!(
        "The time ran out while {doing}: earlier requests to this phone had to end first, and {others} others wait too."
    );
    Error::new(Reason::Timeout, message)
        .with_guidance("Nothing was done; try again, with fewer calls at once.")
}

/// The time ran out.
pub(crate) fn late(doing: &str) -> Error {
    Error::new(Reason::Timeout, format!("The time ran out while {doing}."))
}
