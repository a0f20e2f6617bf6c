//! Keys of the system, and panels, which count as opened once they are there.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::SystemAction;
use fingertip_core::{Deadline, Result};
use serde_json::json;

use super::error::AgentError;
use super::{AgentDriver, Done};
use crate::actions::{Means, PANEL_WITHIN, Way, means, pause_for_panel};
use crate::parse::focus::is_panel;
use crate::roles::SYSTEM_UI;

/// How often it is looked at meanwhile; each look is a command on the phone.
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[async_trait]
impl SystemKeys for AgentDriver {
    /// Does something system-wide.
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        let Means { global, way } = means(action)?;
        let Way::Panel { name, .. } = way else {
            return self.global(global, deadline).await.map_err(|error| error.into_error("pressing a key"));
        };
        // Both panels are one window: one that is open already is closed first, so that the wanted one is seen
        // to open.
        if self.panel_is_open(deadline).await? {
            match self.global("dismiss_notifications", deadline).await {
                Ok(()) => self.wait_for_panel(false, name, deadline).await?,
                // Before Android 12 only a shell command closes panels, or the back key, which an app has.
                Err(AgentError::Refused(_)) => match &self.shell {
                    Some(shell) => return shell.system(action, deadline).await,
                    None => {
                        let back = self.global("back", deadline).await;
                        back.map_err(|error| error.into_error("closing a panel"))?;
                        self.wait_for_panel(false, name, deadline).await?;
                    }
                },
                Err(error) => return Err(error.into_error("closing a panel")),
            }
        }
        self.global(global, deadline).await.map_err(|error| error.into_error("opening a panel"))?;
        self.wait_for_panel(true, name, deadline).await
    }
}

impl AgentDriver {
    async fn global(&self, word: &str, deadline: Deadline) -> std::result::Result<(), AgentError> {
        let done = self.link.ask(json!({ "op": "global", "action": word }), deadline).await;
        done.map(|Done {}| ()).map_err(|error| self.noted(error))
    }

    async fn panel_is_open(&self, deadline: Deadline) -> Result<bool> {
        let Some(front) = self.foreground(deadline).await? else { return Ok(false) };
        Ok(match front.window {
            Some(window) => is_panel(&window),
            // Android gives apps no names of windows; of the system's own only the panels take the focus.
            None => front.package.as_deref() == Some(SYSTEM_UI),
        })
    }

    async fn wait_for_panel(&self, open: bool, name: &str, deadline: Deadline) -> Result<()> {
        let limit = deadline.slice(PANEL_WITHIN);
        while self.panel_is_open(deadline).await? != open {
            pause_for_panel(open, name, LOOK_EVERY, limit).await?;
        }
        Ok(())
    }
}
