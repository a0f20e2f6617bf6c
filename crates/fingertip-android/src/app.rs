//! The phone this program runs on, as the app that started it has it: an accessibility service.
//!
//! The app answers the agent's protocol over the standard input and output of this program, which no other has
//! (`agent/PROTOCOL.md`, section 7). Rules: an app has no shell, so logs, crashes, applications and processes are parts this
//! target does not have, and the clipboard is written and not read; while the user has not switched the service on, every
//! call says so. The target ends with its app, and this program with the target.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{Scope, TargetInfo, TargetKind};
use fingertip_core::{Deadline, Error, Result, Screen, Snapshot, Window};

use crate::agent::{Activity, AgentDriver, Hello};
use crate::channel::Stream;
use crate::driver::Driver;
use crate::{notices, tree};

/// What it is called.
const NAME: &str = "phone";
/// Its word in lists.
const DRIVER: &str = "app";

/// One phone through its app.
#[derive(Debug)]
pub struct AppTarget {
    agent: AgentDriver,
    activity: Arc<Activity>,
}

impl AppTarget {
    /// How calls name it.
    pub const NAME: &'static str = NAME;

    /// Speaks with the app at the other end of this stream.
    ///
    /// # Errors
    /// When it does not answer in time, or is of another version.
    pub async fn connect(stream: impl Stream + 'static, deadline: Deadline) -> Result<Self> {
        let activity = Arc::<Activity>::default();
        let agent = AgentDriver::of_app(stream, Arc::clone(&activity), deadline).await?;
        Ok(Self { agent, activity })
    }

    /// What the app said of itself and of the phone.
    pub(crate) fn hello(&self) -> &Hello {
        self.agent.hello()
    }

    /// Waits until the app is gone.
    pub fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        self.agent.ended()
    }
}

impl Target for AppTarget {
    fn kind(&self) -> TargetKind {
        TargetKind::Phone
    }

    /// No other program reaches the phone through this app.
    fn machine_name(&self) -> Option<String> {
        None
    }

    fn info(&self) -> TargetInfo {
        let hello = self.hello();
        TargetInfo {
            name: NAME.to_owned(),
            kind: TargetKind::Phone,
            label: format!("{}, Android {}", hello.model, hello.release),
            driver: DRIVER.to_owned(),
            state: if self.agent.has_ended() { "offline" } else { "ready" }.to_owned(),
        }
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        Some(self)
    }

    fn watching(&self) -> Option<&dyn Watching> {
        None
    }

    fn elements(&self) -> Option<&dyn Elements> {
        Some(&self.agent)
    }

    fn values(&self) -> Option<&dyn Values> {
        Some(&self.agent)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        Some(&self.agent)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        Some(&self.agent)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        Some(&self.agent)
    }

    fn touch(&self) -> Option<&dyn Touch> {
        Some(&self.agent)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        None
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        Some(&self.agent)
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        Some(&self.agent)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        None
    }

    fn endings(&self) -> Option<&dyn Endings> {
        None
    }

    fn applications(&self) -> Option<&dyn Applications> {
        None
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        None
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        None
    }
}

#[async_trait]
impl Look for AppTarget {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.agent.expect_changes_from_now(deadline).await?;
        let snapshot = self.agent.snapshot(deadline).await?;
        let notice = notices::notice(&snapshot);
        let mut snapshot = tree::narrowed(snapshot, scope)?;
        (snapshot.notice, snapshot.toasts) = (notice, self.activity.toasts());
        Ok(snapshot)
    }

    /// A phone is read as a whole, and fast.
    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.snapshot(scope, deadline).await
    }
}

#[async_trait]
impl Survey for AppTarget {
    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        self.agent.screen(deadline).await
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.agent.receivers(deadline).await
    }

    /// Without process ids, which Android hides from apps.
    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let mut windows = self.snapshot(&Scope::Screen, deadline).await?.windows().to_vec();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        Ok(windows)
    }
}

#[async_trait]
impl Changes for AppTarget {
    fn activity(&self) -> u64 {
        self.activity.count()
    }

    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        if self.activity.count() > seen {
            return Ok(self.activity.count());
        }
        self.agent.expect_changes(deadline).await?;
        self.activity.beyond(seen, deadline).await
    }
}
