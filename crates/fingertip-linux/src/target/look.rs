//! How the target looks at the session: what the display shows, what is in front, and one application read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::target::{App, AppRef, Part, Scope, SearchPage, SearchRequest};
use fingertip_core::{Deadline, Error, Reason, Rect, Result, Screen, Snapshot};
use fingertip_desktop::apps::pick;
use fingertip_desktop::assemble::{AppTree, Reading, Setting, assemble};
use fingertip_desktop::searches::{self, Remainder};
use fingertip_desktop::{ListedWindow, RunningApp, windows};

use super::{LinuxTarget, Session};
use crate::apps::{self, Running};
use crate::display::Offers;
use crate::events::Events;
use crate::place::Placing;
use crate::read::{self, Look, Wanted};
use crate::seen_tree::SeenTree;
use crate::snapshot_cache::{Followed, Recalled};
use crate::treeless;

/// Dots per inch where nothing else is known: what X and the toolkits take for one pixel a point.
const DENSITY: u32 = 96;
/// How long the display server may take to list its windows.
const WINDOWS_WITHIN: Duration = Duration::from_secs(1);

/// What to do about it.
const USE_PICTURES: &str = "Use a screenshot (get_screen_state with include_screenshot), tap and input_text.";

/// What is done when an application is read, for errors.
const READING: &str = "reading its user interface";
/// Where the kernel's flags of a process stand behind its state in `/proc/PID/stat`.
const FLAGS: usize = 6;
/// The flag of a process that is being taken down (`PF_EXITING`).
const EXITING: u32 = 4;

/// The screen of this area.
pub(super) fn screen(area: Rect) -> Screen {
    let side = |length: i32| u32::try_from(length).unwrap_or_default();
    Screen { width: side(area.width()), height: side(area.height()), density: DENSITY }
}

/// What the display shows.
pub(super) struct Display {
    screen: Screen,
    pub(super) windows: Vec<ListedWindow>,
}

/// The session at one moment: what the display shows, and who runs.
pub(super) struct Desktop<'a> {
    session: &'a Session,
    /// `None` where the display server does not list its windows.
    pub(super) display: Option<Display>,
    placing: Placing,
    /// Whether nothing can be placed without what the display server tells, which did not tell it this time.
    is_lost: bool,
    pub(super) running: Vec<Arc<Running>>,
    deadline: Deadline,
}

impl LinuxTarget {
    /// What the session shows now.
    pub(super) async fn desktop<'a>(&self, session: &'a Session, deadline: Deadline) -> Result<Desktop<'a>> {
        let (display, running) =
            tokio::join!(self.displayed(deadline), session.apps.list(&session.bus, deadline));
        Ok(self.at_one_moment(session, display, running?, deadline))
    }

    fn at_one_moment<'a>(
        &self,
        session: &'a Session,
        display: Option<Display>,
        running: Vec<Arc<Running>>,
        deadline: Deadline,
    ) -> Desktop<'a> {
        let placing = self.display.placing();
        let tells_windows = self.display.offers().contains(Offers::WINDOWS);
        let is_lost = display.is_none() && placing.is_in_surfaces() && tells_windows;
        Desktop { session, display, placing, is_lost, running, deadline }
    }

    async fn displayed(&self, deadline: Deadline) -> Option<Display> {
        match self.display.look(deadline.slice(WINDOWS_WITHIN)).await {
            Ok((area, windows)) => Some(Display { screen: screen(area), windows }),
            Err(error) => {
                tracing::debug!(%error, "the display server lists no windows");
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
        let desktop = self.desktop(session, deadline).await?;
        let part = match scope {
            Scope::App { part, .. } => *part,
            _ => Part::Visible,
        };
        let candidates = match desktop.meant(scope).await? {
            Meant::Apps(candidates) => candidates,
            Meant::Bare(snapshot) => return Ok(*snapshot),
        };
        let mut last = None;
        for app in &candidates {
            let recalled = match events.filter(|_| part == Part::Visible) {
                Some(events) => Some(recall(session, app, events, deadline).await?),
                None => None,
            };
            let (snapshot, is_empty) = desktop.read(app, part, recalled).await?;
            if !is_empty {
                return Ok(snapshot);
            }
            last = Some(snapshot);
        }
        last.ok_or_else(|| Error::new(Reason::NotFound, "No application was given to read."))
    }

    /// Looks for something in an application, from the start or where an earlier call ended.
    pub(super) async fn look_for(
        &self,
        session: &Session,
        request: SearchRequest<'_>,
        deadline: Deadline,
    ) -> Result<SearchPage> {
        let desktop = self.desktop(session, deadline).await?;
        let rest = request.from.map(|number| self.searches.find(number, Instant::now())).transpose()?;
        let candidates = match &rest {
            Some(rest) => {
                let is_its = |app: &&Arc<Running>| app.root.bus_name == rest.owner;
                vec![Arc::clone(desktop.running.iter().find(is_its).ok_or_else(searches::gone)?)]
            }
            None => match desktop.meant(request.scope).await? {
                Meant::Apps(candidates) => candidates,
                Meant::Bare(snapshot) => return Ok(SearchPage { snapshot: *snapshot, next: None }),
            },
        };
        let mut last = SearchPage::default();
        for app in &candidates {
            let sides = desktop.sides(app);
            let windows = desktop.placed_by(&sides);
            let look = Look { part: Part::Whole, windows, placing: desktop.placing, deadline };
            let rest = rest.as_ref().map(|rest| &rest.search);
            let wanted = Wanted { sought: request.sought, most: request.most, rest };
            let searched = read::search(&session.bus, app, look, wanted).await;
            let (reading, left) = searched.map_err(|error| error.into_error(&app.name(), READING))?;
            let is_empty = reading.tree.windows().is_empty();
            let owner = Arc::clone(&app.root.bus_name);
            let next = left.map(|search| self.searches.keep(Remainder { owner, search }, Instant::now()));
            last = SearchPage { snapshot: desktop.put_together(reading, app, sides, Part::Whole), next };
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
        let running = session.apps.known();
        let [app] = &pick(&running, app).unwrap_or_default()[..] else { return Ok(None) };
        let (display, recalled) =
            tokio::join!(self.displayed(deadline), recall(session, app, &session.events, deadline));
        let desktop = self.at_one_moment(session, display, running, deadline);
        let (snapshot, is_empty) = desktop.read(app, Part::Visible, Some(recalled?)).await?;
        Ok((!is_empty).then_some(snapshot))
    }
}

/// The windows of an application, and those of others.
type Sides<'a> = (Vec<&'a ListedWindow>, Vec<&'a ListedWindow>);

impl Desktop<'_> {
    /// The windows on the display.
    fn windows(&self) -> &[ListedWindow] {
        self.display.as_ref().map(|display| &display.windows[..]).unwrap_or_default()
    }

    fn screen(&self) -> Screen {
        self.display.as_ref().map_or_else(Screen::default, |display| display.screen)
    }

    /// What is in front, as the display server or else the applications say.
    pub(super) async fn front(&self) -> Option<Front> {
        if self.display.is_some() {
            let active = self.windows().iter().find(|window| window.active)?;
            let is_its = |app: &&Arc<Running>| app.pid.is_some() && app.pid == active.pid;
            let of_it = self.running.iter().filter(is_its).cloned().collect();
            return Some(Front { of_it, title: active.title.clone(), pid: active.pid });
        }
        let active = read::active(&self.session.bus, &self.running, self.deadline).await?;
        Some(Front { of_it: vec![active], title: String::new(), pid: None })
    }

    /// The applications that a scope means, several where a process has more than one; or what is known without any.
    async fn meant(&self, scope: &Scope) -> Result<Meant> {
        if let Scope::App { app, .. } = scope {
            return pick(&self.running, app).map(Meant::Apps).map_err(|error| self.has_no_tree(error, app));
        }
        Ok(match self.front().await {
            Some(front) if !front.of_it.is_empty() => Meant::Apps(front.of_it),
            front => Meant::Bare(Box::new(self.bare(front.as_ref()))),
        })
    }

    /// Reads an application; also returns whether it has no window at all.
    async fn read(&self, app: &Running, part: Part, recalled: Option<Recalled>) -> Result<(Snapshot, bool)> {
        let sides = self.sides(app);
        let windows = self.placed_by(&sides);
        let look = Look { part, windows, placing: self.placing, deadline: self.deadline };
        let read = read::read(&self.session.bus, app, look, recalled).await;
        let reading = read.map_err(|error| error.into_error(&app.name(), READING))?;
        let is_empty = reading.tree.windows().is_empty();
        Ok((self.put_together(reading, app, sides, part), is_empty))
    }

    /// Whether a window on the display is known to be of this application.
    pub(super) fn shows_a_window_of(&self, app: &Running) -> bool {
        app.pid.is_some() && self.windows().iter().any(|window| window.pid == app.pid)
    }

    /// The windows by which an application is placed; `None` where it is where it says. Where it knows no more than its own
    /// surfaces, and it is not known just now where these are, nothing of it has a place.
    fn placed_by<'s>(&self, (own, _): &'s Sides<'_>) -> Option<&'s [&'s ListedWindow]> {
        (self.display.is_some() || self.is_lost).then_some(&own[..])
    }

    fn sides(&self, app: &Running) -> Sides<'_> {
        self.windows().iter().partition(|window| window.pid.is_none() || window.pid == app.pid)
    }

    /// The snapshot of an application that was read, with the windows around it.
    fn put_together(
        &self,
        reading: Reading<SeenTree>,
        app: &Running,
        (own, others): Sides<'_>,
        part: Part,
    ) -> Snapshot {
        let setting = Setting {
            app: &app.name(),
            pid: app.pid,
            screen: self.screen(),
            others: others.into_iter().map(|window| (window, owner(window, &self.running))).collect(),
            own,
            only_visible: part == Part::Visible,
        };
        assemble(reading, &setting)
    }

    /// The error of an application that is not on the bus: one with a window runs, and exposes no tree.
    fn has_no_tree(&self, error: Error, app: &AppRef) -> Error {
        let is_its = |window: &&ListedWindow| match app.pid {
            Some(pid) => window.pid == Some(pid),
            None => owner(window, &self.running).is_some_and(|name| name.eq_ignore_ascii_case(&app.name)),
        };
        match self.windows().iter().find(is_its) {
            Some(window) if error.reason() == Reason::NotFound && window.pid.is_none_or(is_running) => {
                let message = format!(
                    "'{}' shows a window, '{}', but has no accessibility tree: {}.",
                    app.name,
                    window.title,
                    treeless::reason(window.pid)
                );
                Error::new(Reason::Unsupported, message).with_guidance(USE_PICTURES).with_app(&*app.name)
            }
            _ => error,
        }
    }

    /// The applications that show windows and are not on the accessibility bus: they run, although nothing of them can be
    /// read.
    pub(super) fn without_a_tree(&self) -> Vec<App> {
        let mut apps: Vec<App> = Vec::new();
        for window in self.windows() {
            let is_known = |pid: &u32| self.running.iter().any(|app| app.pid == Some(*pid));
            let Some(pid) = window.pid.filter(|pid| !is_known(pid)) else { continue };
            match apps.iter_mut().find(|app| app.pid == Some(pid)) {
                Some(app) => app.focused |= window.active,
                None if is_running(pid) => {
                    let name = apps::program(pid).unwrap_or_else(|| window.title.as_str().into());
                    let focused = window.active;
                    apps.push(App { name, id: None, pid: Some(pid), focused, background: false });
                }
                None => {}
            }
        }
        apps
    }

    /// A snapshot of windows without nodes, when what is in front exposes no tree.
    fn bare(&self, front: Option<&Front>) -> Snapshot {
        let mut builder = Snapshot::builder(self.screen());
        builder.lasting_handles();
        match front {
            Some(Front { title, pid, .. }) => {
                let why = treeless::reason(*pid);
                builder.cut(&format!(
                    "the application in front, '{title}', has no accessibility tree: {why}. {USE_PICTURES}"
                ))
            }
            None => builder.cut("no application is in front"),
        };
        for window in self.windows().iter().filter(|window| !window.tooltip) {
            builder.window(windows::window(window, owner(window, &self.running).as_deref()));
        }
        builder.finish()
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

/// Whether the process is alive and not about to end: the windows of an ended one stay on the list for a moment.
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
    /// What can be said where no application exposes a tree.
    Bare(Box<Snapshot>),
}

/// The application in front; of an application without a tree nothing but its title is known.
pub(super) struct Front {
    pub(super) of_it: Vec<Arc<Running>>,
    title: String,
    pid: Option<u32>,
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
