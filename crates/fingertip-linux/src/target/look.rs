//! How the target looks at the session: what the X server shows, what is in front, and one application read.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Part, Scope};
use fingertip_core::{Deadline, Error, Reason, Result, Screen, Snapshot};

use super::{LinuxTarget, Session};
use crate::apps::{self, Running};
use crate::assemble::{Setting, assemble};
use crate::events::Events;
use crate::read::{self, Look};
use crate::windows;
use crate::x11::XWindow;

/// Dots per inch where nothing else is known: what X and the toolkits take for one pixel a point.
pub(super) const DENSITY: u32 = 96;
/// How long the X server may take to tell its windows.
const WINDOWS_WITHIN: Duration = Duration::from_secs(1);

/// What the X server shows.
pub(super) struct Display {
    pub(super) screen: Screen,
    pub(super) windows: Vec<XWindow>,
}

impl LinuxTarget {
    /// What the X server shows; `None` when there is none, as under Wayland.
    pub(super) async fn display(&self, deadline: Deadline) -> Option<Display> {
        let soon = deadline.slice(WINDOWS_WITHIN);
        let (area, windows) = tokio::join!(self.x11.screen(soon), self.x11.windows(soon));
        let side = |length: i32| u32::try_from(length).unwrap_or_default();
        match (area, windows) {
            (Ok(area), Ok(windows)) => {
                let screen =
                    Screen { width: side(area.width()), height: side(area.height()), density: DENSITY };
                Some(Display { screen, windows })
            }
            (Err(error), _) | (_, Err(error)) => {
                tracing::debug!(%error, "the X server is not asked for windows");
                None
            }
        }
    }

    /// Looks at the session: at one application, or at what is in front. Where there are `events`, an earlier look
    /// may be brought up to date by them.
    pub(super) async fn look(
        &self,
        session: &Session,
        scope: &Scope,
        events: Option<&Events>,
        deadline: Deadline,
    ) -> Result<Snapshot> {
        let (display, running) =
            tokio::join!(self.display(deadline), session.apps.list(&session.bus, deadline));
        let running = running?;
        let display = display.as_ref();
        let (candidates, part) = match scope {
            Scope::App { app, part } => (apps::pick(&running, app)?, *part),
            _ => match self.front(session, &running, display, deadline).await {
                Some(front) if !front.of_it.is_empty() => (front.of_it, Part::Visible),
                Some(front) => return Ok(bare(display, &running, Some(&front.title))),
                None => return Ok(bare(display, &running, None)),
            },
        };
        let look = Look { part, windows: None, events, deadline };
        self.read(session, &candidates, &running, display, look).await
    }

    /// Reads these objects of one process; the one that has windows is taken.
    async fn read(
        &self,
        session: &Session,
        candidates: &[Arc<Running>],
        all: &[Arc<Running>],
        display: Option<&Display>,
        look: Look<'_>,
    ) -> Result<Snapshot> {
        let mut last = None;
        for app in candidates {
            let name = app.name();
            let (own, others): (Vec<&XWindow>, Vec<&XWindow>) =
                display.map_or_else(Default::default, |display| {
                    display.windows.iter().partition(|window| window.pid.is_none() || window.pid == app.pid)
                });
            let windows = display.is_some().then_some(&own[..]);
            let read = read::read(&session.bus, app, Look { windows, ..look }).await;
            let reading = read.map_err(|error| error.told(&name, "reading its user interface"))?;
            let is_empty = reading.forest.windows.is_empty();
            let owner = |window: &&XWindow| owner(window, all);
            let setting = Setting {
                app: &name,
                pid: app.pid,
                screen: display.map_or_else(Screen::default, |display| display.screen),
                others: others.into_iter().map(|window| (window, owner(&window))).collect(),
                own,
                only_visible: look.part == Part::Visible,
            };
            let snapshot = assemble(reading, &setting);
            if !is_empty {
                return Ok(snapshot);
            }
            last = Some(snapshot);
        }
        last.ok_or_else(|| Error::new(Reason::NotFound, "No application was given to read."))
    }

    /// What is in front, as the X server or else the applications say.
    pub(super) async fn front(
        &self,
        session: &Session,
        running: &[Arc<Running>],
        display: Option<&Display>,
        deadline: Deadline,
    ) -> Option<Front> {
        if let Some(display) = display {
            let active = display.windows.iter().find(|window| window.active)?;
            let of_it: Vec<_> =
                running.iter().filter(|app| app.pid.is_some() && app.pid == active.pid).cloned().collect();
            return Some(Front { of_it, title: active.title.clone() });
        }
        let active = read::active(&session.bus, running, deadline).await?;
        Some(Front { of_it: vec![active], title: String::new() })
    }
}

/// The application in front; of an application without a tree nothing but its title is known.
pub(super) struct Front {
    pub(super) of_it: Vec<Arc<Running>>,
    pub(super) title: String,
}

/// A snapshot of windows without nodes, when what is in front tells nothing of itself.
pub(super) fn bare(display: Option<&Display>, running: &[Arc<Running>], title: Option<&str>) -> Snapshot {
    let mut builder = Snapshot::builder(display.map_or_else(Screen::default, |display| display.screen));
    builder.lasting_handles();
    match title {
        Some(title) => {
            builder.cut(&format!("the application in front, '{title}', has no accessibility tree"))
        }
        None => builder.cut("no application is in front"),
    };
    for window in display.into_iter().flat_map(|display| &display.windows) {
        builder.window(windows::window(window, owner(window, running).as_deref()));
    }
    builder.finish()
}

/// The name of the application a window belongs to.
pub(super) fn owner(window: &XWindow, running: &[Arc<Running>]) -> Option<Box<str>> {
    let pid = window.pid?;
    let known = running.iter().find(|app| app.pid == Some(pid));
    known.map(|app| app.name()).or_else(|| apps::program(pid))
}
