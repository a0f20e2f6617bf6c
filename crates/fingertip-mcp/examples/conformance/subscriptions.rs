//! Changes of the lists, from the tools that trigger them to the streams that listen for them.

use rmcp::model::ErrorData;
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use tokio::sync::broadcast;

/// How many changes a slow listener may fall behind; the suite triggers one at a time.
const BACKLOG: usize = 16;

/// A list that changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    Tools,
    Prompts,
}

/// Where changes are announced.
#[derive(Clone)]
pub(crate) struct Changes(broadcast::Sender<Change>);

impl Changes {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(BACKLOG))
    }

    /// Notifies every open stream, if there is one.
    pub(crate) fn announce(&self, change: Change) {
        let _no_listener_is_fine = self.0.send(change);
    }
}

/// Passes on what the client asked for until it goes away.
pub(crate) async fn listen(changes: &Changes, context: SubscriptionContext) -> Result<(), ErrorData> {
    let mut changes = changes.0.subscribe();
    loop {
        let change = tokio::select! {
            () = context.cancelled() => return Ok(()),
            change = changes.recv() => change,
        };
        let sink = context.sink();
        let sent = match change {
            Ok(Change::Tools) => sink.notify_tool_list_changed().await,
            Ok(Change::Prompts) => sink.notify_prompt_list_changed().await,
            Err(broadcast::error::RecvError::Lagged(_)) => continue,
            Err(broadcast::error::RecvError::Closed) => return Ok(()),
        };
        match sent {
            Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
            Err(_) => return Ok(()),
        }
    }
}
