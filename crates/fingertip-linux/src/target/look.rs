//! How the target looks at the session: what the X server shows, what is in front, and one application read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::target::{App, AppRef, Part, Scope, SearchPage, SearchRequest};
use fingertip_core::{Deadline, Error, Reason, Result, Screen, Snapshot};
use fingertip_desktop::apps::pick;
use fingertip_desktop::assemble::{AppTree, Reading, Setting, assemble};
use fingertip_desktop::searches::{self, Rest};
use fingertip_desktop::{ListedWindow, RunningApp, windows};

use super::{LinuxTarget, Session};
use crate::apps::{self, Running};
use crate::events::Events;
use crate::read::{self, Look, Wanted};
use crate::seen_tree::SeenTree;
use crate::snapshot_cache::{Followed, Recalled};
use crate::treeless;

/// Dots per inch where nothing else is known: what X and the toolkits take for one pixel a point.
pub(super) const DENSITY: u32 = 96;
/// How long the X server may take to tell its windows.
const WINDOWS_WITHIN: Duration = Duration::from_secs(1);

/// What to do about it.
const BY_SIGHT: &str = "Use a screenshot (get_screen_state with include_screenshot), tap and input_text.";

/// What is done when an application is read, for errors.
const READING: &str = "reading its user interface";
/// Where the kernel's flags of a process stand behind its state in `/proc/PID/stat`.
const FLAGS: usize = 6;
/// The flag of a process that is being taken down (`PF_EXITING`).
const EXITING: u32 = 4;

/// What the X server shows.
pub(super) struct Display {
    pub(super) screen: Screen,
    pub(super) windows: Vec<ListedWindow>,
}

impl LinuxTarget {
    /// What the X server shows; `None` when there is none, as under Wayland.
    pub(super) async fn display(&self, deadline: Deadline) -> Option<Display> {
        let side = |length: i32| u32::try_from(length).unwrap_or_default();
        match self.x11.look(deadline.slice(WINDOWS_WITHIN)).await {
            Ok((area, windows)) => {
                let screen =
                    Screen { width: side(area.width()), height: side(area.height()), density: DENSITY };
                Some(Display { screen, windows })
            }
            Err(error) => {
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
        let part = match scope {
            Scope::App { part, .. } => *part,
            _ => Part::Visible,
        };
        let candidates = match self.meant(session, &running, display, scope, deadline).await? {
            Meant::Apps(candidates) => candidates,
            Meant::Bare(snapshot) => return Ok(*snapshot),
        };
        let mut last = None;
        for app in &candidates {
            let recalled = match events.filter(|_| part == Part::Visible) {
                Some(events) => Some(recall(session, app, events, deadline).await?),
                None => None,
            };
            let look = Look { part, windows: None, deadline };
            let (snapshot, is_empty) = read(session, app, &running, display, look, recalled).await?;
            if !is_empty {
                return Ok(snapshot);
            }
            last = Some(snapshot);
        }
        last.ok_or_else(|| Error::new(Reason::NotFound, "No application was given to read."))
    }

    /// The applications that a scope means, several where a process has more than one; or what can be told without any.
    async fn meant(
        &self,
        session: &Session,
        running: &[Arc<Running>],
        display: Option<&Display>,
        scope: &Scope,
        deadline: Deadline,
    ) -> Result<Meant> {
        if let Scope::App { app, .. } = scope {
            let picked = pick(running, app);
            return picked.map(Meant::Apps).map_err(|error| has_no_tree(error, app, display, running));
        }
        let front = self.front(session, running, display, deadline).await;
        Ok(match front {
            Some(front) if !front.of_it.is_empty() => Meant::Apps(front.of_it),
            Some(front) => Meant::Bare(Box::new(bare(display, running, Some(&front)))),
            None => Meant::Bare(Box::new(bare(display, running, None))),
        })
    }

    /// Looks for something in an application, from the start or where an earlier call ended.
    pub(super) async fn look_for(
        &self,
        session: &Session,
        request: SearchRequest<'_>,
        deadline: Deadline,
    ) -> Result<SearchPage> {
        let (display, running) =
            tokio::join!(self.display(deadline), session.apps.list(&session.bus, deadline));
        let running = running?;
        let display = display.as_ref();
        let rest = request.from.map(|number| self.searches.find(number, Instant::now())).transpose()?;
        let candidates = match &rest {
            Some(rest) => {
                let is_its = |app: &&Arc<Running>| app.root.bus_name == rest.owner;
                vec![Arc::clone(running.iter().find(is_its).ok_or_else(searches::gone)?)]
            }
            None => match self.meant(session, &running, display, request.scope, deadline).await? {
                Meant::Apps(candidates) => candidates,
                Meant::Bare(snapshot) => return Ok(SearchPage { snapshot: *snapshot, next: None }),
            },
        };
        let mut last = SearchPage::default();
        for app in &candidates {
            let (own, others) = sides(app, display);
            let look = Look { part: Part::Whole, windows: display.is_some().then_some(&own[..]), deadline };
            let rest = rest.as_ref().map(|rest| &rest.search);
            let wanted = Wanted { sought: request.sought, most: request.most, rest };
            let searched = read::search(&session.bus, app, look, wanted).await;
            let (reading, left) = searched.map_err(|error| error.into_error(&app.name(), READING))?;
            let is_empty = reading.tree.windows().is_empty();
            let owner = Arc::clone(&app.root.bus_name);
            let next = left.map(|search| self.searches.keep(Rest { owner, search }, Instant::now()));
            let snapshot = put_together(reading, app, &running, display, (own, others), Part::Whole);
            last = SearchPage { snapshot, next };
            if !is_empty {
                break;
            }
        }
        Ok(last)
    }

    /// Looks at an application that is known to run, without asking who else does; `None` when all must be asked.
    pub(super) async fn look_at_known(
        &self,
        session: &Session,
        scope: &Scope,
        deadline: Deadline,
    ) -> Result<Option<Snapshot>> {
        let Scope::App { app, part: Part::Visible } = scope else { return Ok(None) };
        // Another one may have the same name by now, but not the same process.
        if app.pid.is_none() {
            return Ok(None);
        }
        let known = session.apps.known();
        let [app] = &pick(&known, app).unwrap_or_default()[..] else { return Ok(None) };
        let (display, recalled) =
            tokio::join!(self.display(deadline), recall(session, app, &session.events, deadline));
        let look = Look { part: Part::Visible, windows: None, deadline };
        let read = read(session, app, &known, display.as_ref(), look, Some(recalled?));
        let (snapshot, is_empty) = read.await?;
        Ok((!is_empty).then_some(snapshot))
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
            return Some(Front { of_it, title: active.title.clone(), pid: active.pid });
        }
        let active = read::active(&session.bus, running, deadline).await?;
        Some(Front { of_it: vec![active], title: String::new(), pid: None })
    }
}

/// What is remembered of an application, brought up to date.
async fn recall(session: &Session, app: &Running, events: &Events, deadline: Deadline) -> Result<Recalled> {
    let recalled = async {
        let client = app.client(&session.bus, deadline).await?;
        app.cache.recall(&Followed { client: &client, app, events }).await
    };
    recalled.await.map_err(|error| error.into_error(&app.name(), READING))
}

/// Reads an application; also tells whether it has no window at all.
async fn read(
    session: &Session,
    app: &Running,
    all: &[Arc<Running>],
    display: Option<&Display>,
    look: Look<'_>,
    recalled: Option<Recalled>,
) -> Result<(Snapshot, bool)> {
    let (own, others) = sides(app, display);
    let windows = display.is_some().then_some(&own[..]);
    let read = read::read(&session.bus, app, Look { windows, ..look }, recalled).await;
    let reading = read.map_err(|error| error.into_error(&app.name(), READING))?;
    let is_empty = reading.tree.windows().is_empty();
    Ok((put_together(reading, app, all, display, (own, others), look.part), is_empty))
}

/// The X windows of an application, and those of others.
type Sides<'a> = (Vec<&'a ListedWindow>, Vec<&'a ListedWindow>);

fn sides<'a>(app: &Running, display: Option<&'a Display>) -> Sides<'a> {
    let windows = display.map(|display| &display.windows[..]).unwrap_or_default();
    windows.iter().partition(|window| window.pid.is_none() || window.pid == app.pid)
}

/// The snapshot of an application that was read, with the windows around it.
fn put_together(
    reading: Reading<SeenTree>,
    app: &Running,
    all: &[Arc<Running>],
    display: Option<&Display>,
    (own, others): Sides<'_>,
    part: Part,
) -> Snapshot {
    let setting = Setting {
        app: &app.name(),
        pid: app.pid,
        screen: display.map_or_else(Screen::default, |display| display.screen),
        others: others.into_iter().map(|window| (window, owner(window, all))).collect(),
        own,
        only_visible: part == Part::Visible,
    };
    assemble(reading, &setting)
}

/// The error of an application that is not on the bus: one with a window runs, and tells nothing of itself.
fn has_no_tree(error: Error, app: &AppRef, display: Option<&Display>, running: &[Arc<Running>]) -> Error {
    let is_its = |window: &&ListedWindow| match app.pid {
        Some(pid) => window.pid == Some(pid),
        None => owner(window, running).is_some_and(|name| name.eq_ignore_ascii_case(&app.name)),
    };
    let windows = display.map(|display| &display.windows[..]).unwrap_or_default();
    match windows.iter().find(is_its) {
        Some(window) if error.reason() == Reason::NotFound && window.pid.is_none_or(is_running) => {
            let message = format!(
                "'{}' shows a window, '{}', but has no accessibility tree: {}.",
                app.name,
                window.title,
                treeless::reason(window.pid)
            );
            Error::new(Reason::Unsupported, message).with_guidance(BY_SIGHT).with_app(&*app.name)
        }
        _ => error,
    }
}

/// The applications that show windows and are not on the accessibility bus: they run, although nothing of them can be read.
pub(super) fn without_a_tree(display: Option<&Display>, running: &[Arc<Running>]) -> Vec<App> {
    let mut apps: Vec<App> = Vec::new();
    for window in display.iter().flat_map(|display| &display.windows) {
        let Some(pid) = window.pid.filter(|pid| !running.iter().any(|app| app.pid == Some(*pid))) else {
            continue;
        };
        match apps.iter_mut().find(|app| app.pid == Some(pid)) {
            Some(app) => app.focused |= window.active,
            None if is_running(pid) => {
                let name = apps::program(pid).unwrap_or_else(|| window.title.as_str().into());
                apps.push(App { name, id: None, pid: Some(pid), focused: window.active });
            }
            None => {}
        }
    }
    apps
}

/// Whether the process has not ended, nor is about to: the windows of one that has stay on the list for a moment.
pub(super) fn is_running(pid: u32) -> bool {
    is_alive(&std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default())
}

/// Whether a line of `/proc/PID/stat` is of a process that runs.
fn is_alive(stat: &str) -> bool {
    // The name before the state is in brackets, and may hold any character.
    let Some((_, rest)) = stat.rsplit_once(") ") else { return false };
    let mut fields = rest.split(' ');
    let has_ended = fields.next().is_none_or(|state| state.starts_with(['Z', 'X']));
    let flags: u32 = fields.nth(FLAGS - 1).and_then(|flags| flags.parse().ok()).unwrap_or_default();
    !has_ended && flags & EXITING == 0
}

/// What a scope means.
enum Meant {
    Apps(Vec<Arc<Running>>),
    /// What can be told where no application tells of itself.
    Bare(Box<Snapshot>),
}

/// The application in front; of an application without a tree nothing but its title is known.
pub(super) struct Front {
    pub(super) of_it: Vec<Arc<Running>>,
    pub(super) title: String,
    pub(super) pid: Option<u32>,
}

/// A snapshot of windows without nodes, when what is in front tells nothing of itself.
pub(super) fn bare(display: Option<&Display>, running: &[Arc<Running>], front: Option<&Front>) -> Snapshot {
    let mut builder = Snapshot::builder(display.map_or_else(Screen::default, |display| display.screen));
    builder.lasting_handles();
    match front {
        Some(Front { title, pid, .. }) => {
            let why = treeless::reason(*pid);
            builder.cut(&format!(
                "the application in front, '{title}', has no accessibility tree: {why}. {BY_SIGHT}"
            ))
        }
        None => builder.cut("no application is in front"),
    };
    let windows = display.into_iter().flat_map(|display| &display.windows);
    for window in windows.filter(|window| !window.tooltip) {
        builder.window(windows::window(window, owner(window, running).as_deref()));
    }
    builder.finish()
}

/// The name of the application a window belongs to.
pub(super) fn owner(window: &ListedWindow, running: &[Arc<Running>]) -> Option<Box<str>> {
    let pid = window.pid?;
    let known = running.iter().find(|app| app.pid == Some(pid));
    known.map(|app| app.name()).or_else(|| apps::program(pid))
}

#[cfg(test)]
mod tests {
    use super::is_alive;

    #[test]
    fn a_process_that_is_being_taken_down_runs_no_more() {
        for (line, alive) in [
            ("7 (a) b) S 1 7 7 0 -1 4194304 1 0", true),
            ("7 (a) R 1 7 7 0 -1 4194308 1 0", false),
            ("7 (a) Z 1 7 7 0 -1 4194304 1 0", false),
            ("7 (a) S", true),
            ("", false),
        ] {
            assert_eq!(is_alive(line), alive, "{line}");
        }
    }
}
