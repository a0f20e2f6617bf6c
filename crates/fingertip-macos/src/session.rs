//! What all parts of the desktop share: the running applications, what they report, and where calls block.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::{Deadline, Result, Screen};
use fingertip_desktop::ListedWindow;

use crate::apps::{Apps, Running};
use crate::attributes::{self, Batches};
use crate::element::{self, Element};
use crate::events::Events;
use crate::failure::Failure;
use crate::input::Input;
use crate::permissions;
use crate::value::Value;
use crate::window_list::{self, ScreenWindow};
use crate::worker::Workers;

/// How long one message may take. An application that needs longer is busy, and what was read of it by then is reported.
const PATIENCE: Duration = Duration::from_secs(1);

/// The desktop of the user who runs this program.
pub(crate) struct Session {
    pub(crate) apps: Apps,
    pub(crate) events: Events,
    pub(crate) input: Input,
    pub(crate) workers: Workers,
}

/// What is on the screen at one moment, and the running applications.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) screen: Screen,
    pub(crate) windows: Vec<ListedWindow>,
    pub(crate) running: Vec<Arc<Running>>,
    /// The process of the application in front.
    pub(crate) front: Option<i32>,
}

impl Session {
    /// A session that has sent no message yet.
    pub(crate) fn new() -> Self {
        let workers = Workers::default();
        // Needs no permission, which may be granted later.
        if let Err(failure) = element::set_patience(PATIENCE) {
            tracing::debug!(%failure, "the messaging timeout could not be set");
        }
        Self {
            apps: Apps::new(Arc::new(Batches::new()), workers.clone()),
            events: Events::new(),
            input: Input::default(),
            workers,
        }
    }

    /// What is on the screen now.
    ///
    /// # Errors
    /// When the accessibility API is not allowed, or the window server takes too long.
    pub(crate) async fn shown(self: &Arc<Self>, deadline: Deadline) -> Result<Shown> {
        let session = Arc::clone(self);
        let shown = self.workers.run(deadline, move |_| {
            if !permissions::is_trusted() {
                return Err(Failure::NotTrusted);
            }
            Ok(session.look())
        });
        shown.await.map_err(|failure| failure.into_error("The window server", "listing the windows"))
    }

    /// What is on the screen now. Blocks.
    pub(crate) fn look(&self) -> Shown {
        let screen_windows = window_list::windows();
        let display = window_list::main_display();
        let front = front(&screen_windows);
        let windows = window_list::listed(&screen_windows, front, display);
        let running = self.apps.list(&screen_windows);
        Shown { screen: window_list::screen(), windows, running, front }
    }
}

/// The process of the application in front: the one that the system says has the focus, else the owner of the topmost window.
pub(crate) fn front(windows: &[ScreenWindow]) -> Option<i32> {
    focused_application().or_else(|| window_list::topmost_owner(windows))
}

/// The process that the system says has the focus.
pub(crate) fn focused_application() -> Option<i32> {
    let system = Element::system_wide();
    match system.get(attributes::FOCUSED_APPLICATION) {
        Ok(Value::Element(app)) => app.pid().ok(),
        _ => None,
    }
}

impl Shown {
    /// The listed windows of an application, and those of others.
    pub(crate) fn sides(&self, app: &Running) -> (Vec<ListedWindow>, Vec<ListedWindow>) {
        let pid = u32::try_from(app.pid).ok();
        self.windows.iter().cloned().partition(|window| window.pid == pid)
    }

    /// The application of a process.
    pub(crate) fn app_of(&self, pid: Option<u32>) -> Option<&Arc<Running>> {
        let pid = i32::try_from(pid?).ok()?;
        self.running.iter().find(|app| app.pid == pid)
    }
}
