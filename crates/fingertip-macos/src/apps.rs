//! The applications that run, and what is kept of each while it does.
//!
//! The list of the workspace is brought up to date by the run loop of a main thread, which a server has not; so the owners of
//! windows are asked for by themselves. Our own process is left out: asking oneself from another thread than the main one
//! breaks toolkits.

use std::sync::{Arc, Mutex};

use fingertip_core::Deadline;
use fingertip_core::sync::lock;
use fingertip_core::target::App;
use fingertip_core::{Error, Reason, Result};
use fingertip_desktop::RunningApp;

use crate::attributes::Batches;
use crate::bindings::services::{self, RunningApplication};
use crate::chromium::Waking;
use crate::client::Client;
use crate::element::Element;
use crate::failure::{Answer, Failure};
use crate::handle::Handles;
use crate::snapshot_cache::SnapshotCache;
use crate::window_list::ScreenWindow;
use crate::worker::{Turn, Workers};

/// The most applications that are known at a time.
const MOST: usize = 500;

/// An application that runs.
pub(crate) struct Running {
    pub(crate) pid: i32,
    name: Box<str>,
    pub(crate) bundle_id: Option<Box<str>>,
    /// The element that stands for it.
    pub(crate) root: Element,
    pub(crate) handles: Handles,
    pub(crate) cache: SnapshotCache,
    pub(crate) waking: Waking,
    batches: Arc<Batches>,
    turn: Turn,
}

impl RunningApp for Running {
    fn name(&self) -> Box<str> {
        self.name.clone()
    }

    fn program(&self) -> Option<&str> {
        self.bundle_id.as_deref()
    }

    fn pid(&self) -> Option<u32> {
        u32::try_from(self.pid).ok()
    }
}

impl Running {
    /// How callers know it.
    pub(crate) fn app(&self, focused: bool) -> App {
        App {
            name: self.name.clone(),
            id: self.bundle_id.clone(),
            pid: self.pid(),
            focused,
            background: false,
        }
    }

    /// Asks it something, when it is its turn: the job runs where it may block.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        deadline: Deadline,
        job: impl FnOnce(&Client<'_>) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let app = Arc::clone(self);
        let asked = self.turn.run(self.pid, deadline, move |cancel| {
            job(&Client { app: &app, batches: &app.batches, cancel: cancel.clone() })
        });
        asked.await
    }

    /// The error of a question that was not answered: one that has ended says so.
    pub(crate) fn error(&self, failure: Failure, what: &str) -> Error {
        let has_ended = failure == Failure::NoAnswer && !is_running(self.pid);
        if has_ended {
            return Error::new(Reason::NotRunning, format!("'{}' has quit; {what}.", self.name))
                .with_guidance("Start it again, or use another application.")
                .with_app(&*self.name);
        }
        failure.into_error(&self.name, what)
    }
}

/// Whether a process still runs.
pub(crate) fn is_running(pid: i32) -> bool {
    services::running_application(pid).is_some_and(|app| !app.is_terminated)
}

/// The applications that were seen to run.
pub(crate) struct Apps {
    known: Mutex<Vec<Arc<Running>>>,
    batches: Arc<Batches>,
    workers: Workers,
}

impl Apps {
    /// No application is known yet.
    pub(crate) fn new(batches: Arc<Batches>, workers: Workers) -> Self {
        Self { known: Mutex::default(), batches, workers }
    }

    /// Those that were known to run when they were last listed.
    pub(crate) fn known(&self) -> Vec<Arc<Running>> {
        lock(&self.known).clone()
    }

    /// The one of this process, if it is known.
    pub(crate) fn of_pid(&self, pid: i32) -> Option<Arc<Running>> {
        lock(&self.known).iter().find(|app| app.pid == pid).cloned()
    }

    /// Those that run now and have a user interface. Blocks.
    pub(crate) fn list(&self, windows: &[ScreenWindow]) -> Vec<Arc<Running>> {
        let own = i32::try_from(std::process::id()).unwrap_or_default();
        let mut pids: Vec<i32> = windows.iter().map(|window| window.pid).collect();
        pids.extend(services::running_applications().iter().map(|app| app.pid));
        pids.sort_unstable();
        pids.dedup();
        let shows = |pid: i32| {
            windows
                .iter()
                .any(|window| window.pid == pid && window.on_screen && window.level == 0 && window.is_drawn)
        };
        let is_wanted = |app: &RunningApplication| !app.is_terminated && (app.is_regular || shows(app.pid));
        let running = pids.into_iter().filter(|&pid| pid != own && pid > 0);
        let running = running.filter_map(services::running_application).filter(is_wanted).take(MOST);
        let mut known = lock(&self.known);
        let listed: Vec<Arc<Running>> = running
            .map(|found| {
                let same = |app: &&Arc<Running>| app.pid == found.pid && *app.name == *found.name;
                known.iter().find(same).cloned().unwrap_or_else(|| Arc::new(self.running(&found)))
            })
            .collect();
        known.clone_from(&listed);
        listed
    }

    fn running(&self, found: &RunningApplication) -> Running {
        Running {
            pid: found.pid,
            name: found.name.as_str().into(),
            bundle_id: found.bundle_id.as_deref().map(Into::into),
            root: Element::application(found.pid),
            handles: Handles::default(),
            cache: SnapshotCache::default(),
            waking: Waking::default(),
            batches: Arc::clone(&self.batches),
            turn: Turn::new(self.workers.clone()),
        }
    }

    /// The application an element belongs to.
    ///
    /// # Errors
    /// When it is not known to run any more.
    pub(crate) fn owner(&self, pid: i32, app: &str) -> Result<Arc<Running>> {
        self.of_pid(pid).ok_or_else(|| {
            Error::new(Reason::NotRunning, format!("'{app}' has quit; nothing was done."))
                .with_guidance("Start it again, or use another application.")
                .with_app(app)
        })
    }
}
