//! Waiting for the window of what was opened.
//!
//! A window is its if its process is in the session that was started, or is called like it: many programs hand over to one
//! that runs already and end. Windows of others that happen to open meanwhile are not taken for it, but named at the end.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use fingertip_core::target::{LaunchPlan, Launched, Survey};
use fingertip_core::{Deadline, Error, Reason, Result, Window, WindowKind};

use super::run::Started;
use crate::apps::program;

/// How often the windows are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(60);
/// How long a window must stay to be more than a flash.
const STAYS_FOR: Duration = Duration::from_millis(180);
/// How long a program that handed over and ended is given to bring a window to the front.
const HANDED_OVER_WITHIN: Duration = Duration::from_millis(1500);
/// What is kept of the deadline for the answer.
const ANSWER: Duration = Duration::from_millis(500);
/// The most processes on the way up from a window that are looked at.
const MAX_ANCESTORS: usize = 32;

/// What was there before.
pub(crate) struct Before {
    windows: HashSet<Key>,
    front: Option<Key>,
}

/// What distinguishes one window from another.
type Key = (Option<Box<str>>, Option<u32>, Option<Box<str>>);

fn key(window: &Window) -> Key {
    match &window.handle {
        Some(handle) => (Some(handle.clone()), None, None),
        None => (None, window.pid, window.title.clone()),
    }
}

impl Before {
    /// What these windows are.
    pub(crate) fn new(windows: &[Window]) -> Self {
        let front = windows.iter().find(|window| window.focused).map(key);
        Self { windows: windows.iter().map(key).collect(), front }
    }
}

/// By what the windows of an application are known.
pub(crate) struct Known {
    names: Vec<String>,
}

impl Known {
    /// The names an application goes by.
    pub(crate) fn new(plan: &LaunchPlan) -> Self {
        let program = plan.programs.first().into_iter();
        let ids = [&plan.id, &plan.name].into_iter().chain(&plan.aliases).chain(program);
        let last = plan.id.rsplit('.').next().unwrap_or_default();
        let real = plan.programs.get(1).into_iter();
        let names = ids.chain(real).map(|name| name.to_lowercase()).chain([last.to_lowercase()]);
        Self { names: names.filter(|name| name.len() > 1).collect() }
    }

    /// Whether a window is of a process called so.
    pub(crate) fn is_called(&self, window: &Window) -> bool {
        let own = window.app.as_deref().map(str::to_lowercase);
        let program = window.pid.and_then(program).map(|name| name.to_lowercase());
        // The system cuts the names of programs; some add a word, as "soffice.bin" does.
        let alike = |name: &str| {
            self.names.iter().any(|known| known == name || is_longer(known, name) || is_longer(name, known))
        };
        own.is_some_and(|name| alike(&name)) || program.is_some_and(|name| alike(&name))
    }
}

/// Whether one is the other with something after a separator, or cut after 15 letters.
fn is_longer(long: &str, short: &str) -> bool {
    let Some(rest) = long.strip_prefix(short).filter(|_| short.len() > 3) else { return false };
    rest.starts_with(['.', '-', '_', ' ']) || short.len() == 15
}

/// Waits for the window.
pub(crate) async fn wait(
    target: &dyn Survey,
    plan: &LaunchPlan,
    started: &Started,
    before: &Before,
    was_running: bool,
    deadline: Deadline,
) -> Result<Launched> {
    let known = Known::new(plan);
    let limit = deadline.earlier(ANSWER);
    let mut ended: Option<Instant> = None;
    let mut seen: Option<(Key, Instant)> = None;
    loop {
        let windows = target.windows(deadline).await?;
        // What is shown while a program starts goes by itself, and is not what was opened.
        let is_lasting = |window: &Window| !matches!(window.kind, WindowKind::System | WindowKind::Popup);
        let is_new = |window: &&Window| !before.windows.contains(&key(window)) && is_lasting(window);
        let its = |window: &&Window| is_in_session(window, started.pid) || known.is_called(window);
        let mut new = windows.iter().filter(is_new).filter(its);
        if let Some(window) = new.clone().find(|window| window.focused).or_else(|| new.next()) {
            let key = key(window);
            match &seen {
                Some((known, since)) if *known == key && since.elapsed() >= STAYS_FOR => {
                    return Ok(Launched { window: Some(window.clone()), was_running, note: None });
                }
                Some((known, _)) if *known == key => {}
                _ => seen = Some((key, Instant::now())),
            }
        } else {
            let front = windows.iter().find(|window| window.focused);
            let came = front.filter(|window| its(window) && before.front.as_ref() != Some(&key(window)));
            if let Some(window) = came.filter(|_| was_running) {
                return Ok(Launched { window: Some(window.clone()), was_running, note: None });
            }
        }
        if started.ended().is_some() {
            let since = *ended.get_or_insert_with(Instant::now);
            if seen.is_none() && since.elapsed() >= HANDED_OVER_WITHIN {
                return handed_over(plan, started, &windows, &known, was_running);
            }
        }
        if limit.passed() {
            let new = |window: &&Window| !before.windows.contains(&key(window));
            let (own, others) = windows.iter().filter(new).partition::<Vec<_>, _>(its);
            return Ok(late(&own, &others, was_running));
        }
        tokio::time::sleep_until(limit.slice(LOOK_EVERY).instant().into()).await;
    }
}

/// The program ended without a window of its own: it failed, or another process took over.
fn handed_over(
    plan: &LaunchPlan,
    started: &Started,
    windows: &[Window],
    known: &Known,
    was_running: bool,
) -> Result<Launched> {
    if started.was_not_run() {
        return Err(Error::new(Reason::ActionFailed, format!("'{}' could not be run.", plan.id))
            .with_guidance("Its program may be broken or missing."));
    }
    let failed = started.ended().is_some_and(|status| !status.success());
    let its = windows.iter().filter(|window| known.is_called(window));
    let window =
        its.clone().find(|window| window.focused).or_else(|| its.clone().find(|window| !window.minimized));
    match window.filter(|_| was_running && !failed) {
        Some(window) => {
            let note = if window.focused {
                "It ran already and was in front."
            } else {
                "It ran already and brought no window to the front; window_action can."
            };
            Ok(Launched { window: Some(window.clone()), was_running, note: Some(note.to_owned()) })
        }
        None => {
            let how = match started.ended().and_then(|status| status.code()) {
                Some(0) => "without an error".to_owned(),
                Some(code) => format!("with the exit code {code}"),
                None => "by a signal".to_owned(),
            };
            Err(Error::new(
                Reason::ActionFailed,
                format!("'{}' was started and ended {how}; no window came.", plan.id),
            )
            .with_guidance("Look at the windows: another program may have taken over. Trying again may help.")
            .with_app(&*plan.id))
        }
    }
}

/// No window came in time that stays: what it shows meanwhile, and what others opened.
fn late(own: &[&Window], others: &[&Window], was_running: bool) -> Launched {
    let named = |windows: &[&Window]| {
        let titles =
            windows.iter().take(3).map(|window| window.title.as_deref().unwrap_or("without a title"));
        titles.map(|title| format!("'{title}'")).collect::<Vec<_>>().join(", ")
    };
    let note = match (own, others) {
        ([], []) => "It was started, and no window came in time; look again later.".to_owned(),
        ([], others) => {
            let others = named(others);
            format!("It was started, and no window of its own came in time; others opened: {others}.")
        }
        (own, _) => {
            format!("It was started and is not ready yet: it shows {} so far; look again later.", named(own))
        }
    };
    Launched { window: None, was_running, note: Some(note) }
}

/// Whether the process of a window is in this session, or was started from within it.
fn is_in_session(window: &Window, session: u32) -> bool {
    let mut pid = window.pid;
    for _ in 0..MAX_ANCESTORS {
        let Some(own) = pid.filter(|pid| *pid > 1) else { return false };
        if own == session {
            return true;
        }
        let Some((parent, its_session)) = parent_and_session(own) else { return false };
        if its_session == session {
            return true;
        }
        pid = Some(parent);
    }
    false
}

fn parent_and_session(pid: u32) -> Option<(u32, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before is in brackets, and may hold any character; then state, parent, group, session.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(1);
    let parent = fields.next()?.parse().ok()?;
    Some((parent, fields.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use fingertip_core::Rect;

    use super::*;

    #[test]
    fn the_parent_and_session_of_a_process_are_read() {
        let mut child = std::process::Command::new("setsid").args(["sleep", "60"]).spawn().expect("a child");
        // The child makes its own session a moment after it was started.
        let limit = Instant::now() + Duration::from_secs(10);
        let own = (std::process::id(), child.id());
        while parent_and_session(child.id()) != Some(own) && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(5));
        }
        let read = parent_and_session(child.id());
        let _ = child.kill();
        let _ = child.wait();
        assert_eq!(read, Some(own));
    }

    #[test]
    fn what_is_not_ready_in_time_differs_from_what_others_open() {
        let splash = Window::new("gimp", Rect::default()).title("GIMP Startup");
        let other = Window::new("mail", Rect::default()).title("News");
        let note = |own: &[&Window], others: &[&Window]| late(own, others, false).note.unwrap_or_default();
        assert!(note(&[&splash], &[&other]).contains("is not ready yet: it shows 'GIMP Startup' so far"));
        assert!(note(&[], &[&other]).contains("others opened: 'News'"));
        assert!(note(&[], &[]).contains("no window came in time"));
    }

    #[test]
    fn a_window_is_known_by_its_program_also_when_that_is_cut_or_longer() {
        let plan = LaunchPlan {
            id: "libreoffice-writer".into(),
            name: "LibreOffice Writer".into(),
            programs: vec!["soffice".into()],
            ..LaunchPlan::default()
        };
        let known = Known::new(&plan);
        let of = |app: &str| known.is_called(&Window::new(app, Rect::default()));
        assert!(of("soffice") && of("soffice.bin") && of("libreoffice-wri"));
        assert!(!of("xterm") && !of("so") && !of("softmaker"));
    }
}
