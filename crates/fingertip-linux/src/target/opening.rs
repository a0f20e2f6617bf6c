//! Opening and closing applications, and acting on windows.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, ClosedApp, Ending, InstalledApps, LaunchPlan, LaunchRequest, Launched, WindowAction,
};
use fingertip_core::{Deadline, Error, Reason, Result, Window};
use fingertip_desktop::{closing, windows};

use super::LinuxTarget;
use super::look::owner;
use crate::entries::{Entries, Places};
use crate::launch::{self, Before, Known};

/// How long windows may take to close, and what they ask to come up.
const CLOSED_WITHIN: Duration = Duration::from_secs(5);
/// How long nothing may happen before what is left is taken to stay.
const STAYS_FOR: Duration = Duration::from_millis(800);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a process may take to end after its last window.
const ENDED_WITHIN: Duration = Duration::from_millis(500);

#[async_trait]
impl Applications for LinuxTarget {
    async fn installed(&self, _: Deadline) -> Result<InstalledApps> {
        aside(|| {
            let places = Places::current();
            Entries::read(&places).list(&places)
        })
        .await
    }

    async fn plan_launch(&self, request: &LaunchRequest, _: Deadline) -> Result<LaunchPlan> {
        let request = request.clone();
        aside(move || launch::plan(&request, &Places::current())).await?
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        if plan.words.is_empty() {
            return Err(Error::new(Reason::Refused, format!("'{}' is nothing that may be run.", plan.id)));
        }
        let windows = self.windows(deadline).await?;
        let known = Known::new(plan);
        let was_running = windows.iter().any(|window| known.is_called(window));
        let before = Before::new(&windows);
        let started = launch::start(plan, &self.environment)?;
        let launched = launch::wait(self, plan, &started, &before, was_running, deadline).await;
        self.opened.add(started);
        launched
    }
}

#[async_trait]
impl Endings for LinuxTarget {
    /// Only its parent learns how a process ended; of others it is only known that they did.
    async fn ending(&self, app: &AppRef, _within: Duration, deadline: Deadline) -> Result<Option<Ending>> {
        let Some(pid) = app.pid else { return Ok(None) };
        let session = self.session(deadline).await?;
        let listed = session.apps.list(&session.bus, deadline).await?;
        // One that can be read is not about to end.
        if listed.iter().any(|running| running.app(false).pid == Some(pid))
            || runs_on(Some(pid), deadline).await
        {
            return Ok(None);
        }
        let known = self.opened.ending(pid);
        let ended = || Ending { crashed: false, evidence: format!("process {pid} has ended") };
        Ok(Some(known.unwrap_or_else(ended)))
    }
}

#[async_trait]
impl AppCloser for LinuxTarget {
    /// Asks every window of an application to close, and looks what is left.
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let before = closing::to_close(app, self.windows(deadline).await?)?;
        let mut refused = None;
        // From the topmost on: a dialog goes before the window it belongs to.
        for window in &before {
            let Some(id) = windows::id(window) else { continue };
            refused = closing::refusal(self.display.ask_to_close(id, deadline).await).or(refused);
        }
        let limit = deadline.slice(CLOSED_WITHIN);
        let (mut left, mut still) = (before.clone(), deadline.slice(STAYS_FOR));
        loop {
            let now = closing::windows_of(app, self.windows(deadline).await?);
            if now.is_empty() || limit.passed() || still.passed() {
                left = now;
                break;
            }
            if now != left {
                still = deadline.slice(STAYS_FOR);
                left = now;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let closed = closing::closed(app, &before, &left, refused)?;
        let still_running =
            left.is_empty() && runs_on(before.first().and_then(|window| window.pid), deadline).await;
        Ok(ClosedApp { windows: closed, left, still_running })
    }
}

#[async_trait]
impl WindowManager for LinuxTarget {
    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>> {
        let id = windows::id(window).ok_or_else(|| {
            Error::new(
                Reason::Unsupported,
                "This window is not one that the display server lists; it cannot be acted on.",
            )
        })?;
        let after = self.display.act_on(id, action, deadline).await?;
        let running = self.session(deadline).await?.apps.known();
        Ok(after.map(|shown| windows::window(&shown, owner(&shown, &running).as_deref())))
    }
}

/// Whether a process goes on.
async fn runs_on(pid: Option<u32>, deadline: Deadline) -> bool {
    let Some(pid) = pid else { return false };
    let limit = deadline.slice(ENDED_WITHIN);
    while super::look::is_running(pid) {
        if limit.passed() {
            return true;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    false
}

/// Runs what reads many files beside the calls.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::new(Reason::Internal, "Reading the desktop entries failed."))
}
