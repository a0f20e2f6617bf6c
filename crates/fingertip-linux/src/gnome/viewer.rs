//! Looks at the session: at the shell and at the windows of all applications.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fingertip_core::{Deadline, Error, Reason};
use futures_util::future::join_all;
use rustc_hash::FxHashMap;

use super::Shared;
use super::layout::{Layout, Told};
use super::shell::{Scene, silent};
use crate::apps::{Apps, Running};
use crate::bus::Bus;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::Connect;
use crate::handle::Handle;
use crate::read::{ToldWindow, tops_of};

/// How long connecting to the accessibility bus may take.
const CONNECTED_WITHIN: Duration = Duration::from_secs(2);
/// How long a look may take.
const LOOKED_WITHIN: Duration = Duration::from_secs(2);
/// How long an application may take to tell its windows; without them, its surfaces are of nobody known.
const TOLD_WITHIN: Duration = Duration::from_millis(800);

/// The numbers of windows, the same for all who look.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    known: FxHashMap<Handle, u32>,
    last: u32,
}

impl Numbers {
    /// The number of a window; those that are gone are forgotten.
    fn of(&mut self, windows: &[Handle]) -> Vec<u32> {
        self.known.retain(|handle, _| windows.contains(handle));
        let mut number = |handle: &Handle| {
            *self.known.entry(handle.clone()).or_insert_with(|| {
                self.last += 1;
                self.last
            })
        };
        windows.iter().map(&mut number).collect()
    }

    /// The window of this number.
    pub(super) fn handle(&self, number: u32) -> Option<Handle> {
        self.known.iter().find(|(_, known)| **known == number).map(|(handle, _)| handle.clone())
    }
}

/// A connection that looks.
pub(super) struct Viewer {
    shared: Arc<Shared>,
    pub(super) bus: Arc<Bus>,
    apps: Apps,
}

impl Connect for Viewer {
    type Address = Arc<Shared>;
    const SERVER: &'static str = super::SERVER;

    fn connect(shared: &Arc<Shared>) -> Outcome<Self> {
        let connecting = Bus::connect(&shared.environment, Deadline::after(CONNECTED_WITHIN));
        let bus = Arc::new(shared.runtime.wait_for(connecting)?);
        Ok(Self { shared: Arc::clone(shared), bus, apps: Apps::default() })
    }

    fn is_alive(&mut self) -> bool {
        !self.bus.is_closed()
    }
}

impl Viewer {
    /// What is on the screen now.
    pub(super) fn layout(&mut self) -> Outcome<Layout> {
        let looking = self.looked(Deadline::after(LOOKED_WITHIN));
        self.shared.runtime.wait_for(looking)
    }

    async fn looked(&self, deadline: Deadline) -> Outcome<Layout> {
        let running = self.running(deadline).await?;
        let is_shell = |app: &&Arc<Running>| app.pid == Some(self.shared.compositor);
        let shell = running.iter().find(is_shell).ok_or_else(no_shell)?;
        let others = running.iter().filter(|app| !is_shell(app));
        let soon = deadline.slice(TOLD_WITHIN);
        let telling = join_all(others.map(async |app| (app.pid, tops_of(&self.bus, app, soon).await)));
        let (scene, told) = tokio::join!(Scene::look(&self.bus, shell, deadline), telling);
        let scene = scene.map_err(|error| Failure::Reported(silent(error)))?;
        let told: Vec<(Option<u32>, ToldWindow)> =
            told.into_iter().flat_map(|(pid, told)| told.into_iter().map(move |told| (pid, told))).collect();
        let shown: Vec<(Option<u32>, ToldWindow)> =
            told.into_iter().filter(|(_, told)| is_shown(told)).collect();
        let handles: Vec<Handle> = shown.iter().map(|(_, told)| told.handle.clone()).collect();
        let ids = self.shared.numbers.lock().unwrap_or_else(PoisonError::into_inner).of(&handles);
        let told: Vec<Told> = shown
            .into_iter()
            .zip(ids)
            .map(|((pid, told), id)| Told { id, pid, toolkit: told.toolkit, top: told.top })
            .collect();
        Ok(Layout::new(scene, &told))
    }

    /// The application of this process, by what it is reached.
    pub(super) async fn app(&self, pid: u32, deadline: Deadline) -> Outcome<Option<Arc<Running>>> {
        Ok(self.running(deadline).await?.into_iter().find(|app| app.pid == Some(pid)))
    }

    async fn running(&self, deadline: Deadline) -> Outcome<Vec<Arc<Running>>> {
        self.apps.list(&self.bus, deadline).await.map_err(Failure::from)
    }
}

/// Whether a window may be on the screen: some are kept ready and are nowhere.
fn is_shown(told: &ToldWindow) -> bool {
    let says_so = !told.toolkit.tells_showing() || told.states.is_showing();
    says_so && !told.top.reported.is_empty() && !told.top.tooltip
}

fn no_shell() -> Failure {
    Failure::Reported(
        Error::new(Reason::PermissionDenied, "GNOME Shell does not tell which windows there are and where.")
            .with_guidance(
                "Switch accessibility on for good (gsettings set org.gnome.desktop.interface toolkit-accessibility true); \
                 the elements' own actions still work.",
            ),
    )
}

/// Numbers that all who look share.
pub(super) type SharedNumbers = Mutex<Numbers>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_keeps_its_number_and_nobody_gets_it_again() {
        let mut numbers = Numbers::default();
        let [one, two, three] = ["/1", "/2", "/3"].map(|path| Handle::new(":1.1", path));
        assert_eq!(numbers.of(&[one.clone(), two.clone()]), [1, 2]);
        assert_eq!(numbers.of(&[two.clone(), three.clone()]), [2, 3]);
        assert_eq!(numbers.of(&[one, two]), [4, 2]);
    }
}
