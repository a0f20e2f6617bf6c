//! The screen of the application in front, which Android's windows do not report.
//!
//! Asking costs a command on the phone, so the answer is kept for as long as the same window is in front: every
//! activity has a window of its own.

use fingertip_core::{Deadline, Result};
use serde::Deserialize;
use serde_json::json;

use super::AgentDriver;
use super::error::AgentError;
use super::snapshot::Front;
use crate::lock;
use crate::roles::SYSTEM_UI;

/// The window in front, and its activity.
#[derive(Debug, Clone)]
pub(super) struct KnownFront {
    front: Front,
    activity: Option<Box<str>>,
}

/// The reply to `foreground`.
#[derive(Debug, Deserialize)]
pub(super) struct Foreground {
    pub(super) package: Option<Box<str>>,
    activity: Option<Box<str>>,
    pub(super) window: Option<Box<str>>,
}

impl AgentDriver {
    /// The activity of the window in front; `None` when the phone does not report it.
    pub(super) async fn activity_of(&self, front: Front, deadline: Deadline) -> Result<Option<Box<str>>> {
        if let Some(known) = lock(&self.front).as_ref().filter(|known| known.front == front) {
            return Ok(known.activity.clone());
        }
        let Some(reply) = self.foreground(deadline).await? else { return Ok(None) };
        // The user may have moved on between the two answers.
        if reply.package.as_ref() != Some(&front.package) {
            return Ok(None);
        }
        let activity = if &*front.package == SYSTEM_UI { reply.window } else { reply.activity };
        *lock(&self.front) = Some(KnownFront { front, activity: activity.clone() });
        Ok(activity)
    }

    /// What is in front; `None` when this phone cannot report it.
    pub(super) async fn foreground(&self, deadline: Deadline) -> Result<Option<Foreground>> {
        match self.link.ask(json!({ "op": "foreground" }), deadline).await {
            Ok(reply) => Ok(Some(reply)),
            Err(error @ AgentError::Refused(_)) if !error.is_busy() && !error.is("timeout") => {
                tracing::debug!(?error, "the phone does not report what is in front");
                Ok(None)
            }
            Err(error) => Err(self.noted(error).into_error("asking what is in front")),
        }
    }
}
