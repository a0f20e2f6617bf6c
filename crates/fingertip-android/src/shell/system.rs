//! Keys and panels.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::SystemAction;
use fingertip_core::{Deadline, Result};

use super::ShellDriver;
use super::command;
use crate::actions::{PANEL_WITHIN, Way, means, pause_for_panel};

/// How often it is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[async_trait]
impl SystemKeys for ShellDriver {
    /// Presses a key of the system, or opens a panel and waits until it is there.
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        match means(action)?.way {
            Way::Key(code) => command::run(&self.device, &format!("input keyevent {code}"), deadline).await,
            Way::Panel { word, name } => self.open_panel(word, name, deadline).await,
        }
    }
}

impl ShellDriver {
    /// Both panels are one window, so one that is open already is closed first: only then does the focus say
    /// that the wanted one has opened.
    async fn open_panel(&self, word: &str, name: &str, deadline: Deadline) -> Result<()> {
        if self.look(deadline).await?.focus.on_panel() {
            command::run(&self.device, "cmd statusbar collapse", deadline).await?;
            self.wait_for_panel(false, name, deadline).await?;
        }
        command::run(&self.device, &format!("cmd statusbar {word}"), deadline).await?;
        self.wait_for_panel(true, name, deadline).await
    }

    async fn wait_for_panel(&self, open: bool, name: &str, deadline: Deadline) -> Result<()> {
        let limit = deadline.slice(PANEL_WITHIN);
        while self.look(deadline).await?.focus.on_panel() != open {
            pause_for_panel(open, name, LOOK_EVERY, limit).await?;
        }
        Ok(())
    }
}
