//! Opening and closing applications, and acting on windows.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, ClosedApp, Installed, InstalledApps, LaunchPlan, LaunchRequest, Launched, MOST_INSTALLED,
    WindowAction,
};
use fingertip_core::{Candidate, Deadline, Error, Reason, Rect, Result, Window};
use fingertip_desktop::{closing, windows};

use super::Desktop;
use crate::actions::bring_to_front;
use crate::apps::is_running;
use crate::attributes::{CLOSE_BUTTON, FULL_SCREEN, MAIN, MINIMIZED, POSITION, SIZE};
use crate::bindings::services::{self, InstalledApplication};
use crate::client::Client;
use crate::element::{Element, Setting};
use crate::failure::{Answer, Failure};
use crate::permissions;
use crate::read;
use crate::roles::action;
use crate::value::Value;
use crate::window_list;

/// How long a window may take to do what it was asked.
const SHOWN_WITHIN: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long windows may take to close, and what they ask to come up.
const CLOSED_WITHIN: Duration = Duration::from_secs(3);
/// How far a window may be from where it was put, in points: some snap to a grid.
const NEAR: i32 = 4;
/// What is kept of the deadline for the answer.
const ANSWER: Duration = Duration::from_millis(500);
/// The most applications that are named when none is called so.
const MOST_NAMED: usize = 5;

#[async_trait]
impl Applications for Desktop {
    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps> {
        let mut found = self.bundles(deadline).await?;
        let truncated = found.len() > MOST_INSTALLED;
        found.truncate(MOST_INSTALLED);
        found.sort_by_key(|app| app.name.to_lowercase());
        let apps = found.into_iter().map(|app| Installed {
            id: app.bundle_id.into(),
            name: app.name.into(),
            programs: vec![app.path.into()],
            closed: None,
        });
        Ok(InstalledApps { apps: apps.collect(), truncated })
    }

    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        let found = self.bundles(deadline).await?;
        let app = choose(&found, &request.app)?;
        let vetted = is_vetted(&app.path);
        if !vetted && !request.unvetted {
            return Err(Error::new(
                Reason::Refused,
                format!("'{}' is in the user's own folders; nothing was started.", app.name),
            )
            .with_guidance("The owner of the server can allow it with --allow-commands."));
        }
        let mut words = vec!["open".to_owned(), "-b".to_owned(), app.bundle_id.clone()];
        words.extend(request.document.clone());
        Ok(LaunchPlan {
            id: app.bundle_id.as_str().into(),
            name: app.name.as_str().into(),
            aliases: Vec::new(),
            programs: vec![app.path.as_str().into()],
            words,
            document: request.document.clone(),
            vetted,
            note: None,
        })
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        permissions::must_be_trusted()?;
        let its = |window: &Window, pid: Option<u32>| match pid {
            Some(pid) => window.pid == Some(pid),
            None => window.app.as_deref() == Some(&plan.name),
        };
        let before = self.windows(deadline).await?;
        let was_running = self.apps(deadline).await?.iter().any(|app| app.id.as_ref() == Some(&plan.id));
        let pid = {
            let (id, document) = (plan.id.to_string(), plan.document.clone());
            let opened = self.session.workers.run(deadline, move |cancel| {
                Ok(services::open_application(&id, document.as_deref(), cancel.deadline.remaining()))
            });
            let opened = opened.await.map_err(|failure| failure.into_error(&plan.name, "opening it"))?;
            opened.map_err(|why| {
                Error::new(Reason::ActionFailed, format!("'{}' could not be opened: {why}.", plan.name))
                    .with_app(&*plan.name)
            })?
        };
        let pid = pid.and_then(|pid| u32::try_from(pid).ok());
        let limit = deadline.earlier(ANSWER);
        loop {
            let now = self.windows(deadline).await?;
            let own: Vec<&Window> =
                now.iter().filter(|window| its(window, pid) && !window.minimized).collect();
            let is_new = |window: &&&Window| !before.iter().any(|old| old.handle == window.handle);
            let came =
                own.iter().find(is_new).or_else(|| own.iter().find(|window| was_running && window.focused));
            if let Some(window) = came {
                return Ok(Launched { window: Some((**window).clone()), was_running, note: None });
            }
            if limit.passed() {
                let note = match own.first() {
                    Some(_) => "It ran already and brought no window to the front; window_action can.",
                    None => "It was started, and no window came in time; look again later.",
                };
                let window = own.first().map(|window| (*window).clone());
                return Ok(Launched { window, was_running, note: Some(note.to_owned()) });
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

impl Desktop {
    /// The applications in the usual folders.
    async fn bundles(&self, deadline: Deadline) -> Result<Vec<InstalledApplication>> {
        let found =
            self.session.workers.run(deadline, |_| Ok(services::installed_applications(MOST_INSTALLED + 1)));
        found.await.map_err(|failure| failure.into_error("The folders of applications", "listing them"))
    }

    /// Does something to the window of the accessibility tree that a window of a snapshot is.
    async fn on_window<T: Send + 'static>(
        &self,
        window: &Window,
        deadline: Deadline,
        act: impl FnOnce(&Client<'_>, &Element) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        permissions::must_be_trusted()?;
        let name = window.app.as_deref().unwrap_or("The application");
        let pid = window.pid.and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        let shown = self.session.shown(deadline).await?;
        let app = self.session.apps.owner(pid, name)?;
        let (own, _) = shown.sides(&app);
        let meant = window.clone();
        let asked = app.ask(deadline, move |client| {
            let reported = read::windows(client)?;
            let tops: Vec<_> = reported.iter().map(|(_, top)| top.clone()).collect();
            let joined = windows::join(&tops, &own.iter().collect::<Vec<_>>());
            let id = windows::id(&meant);
            let by_id =
                joined.iter().position(|listed| id.is_some() && listed.map(|listed| own[listed].id) == id);
            let title = meant.title.as_deref().unwrap_or_default();
            let by_title = || tops.iter().position(|top| id.is_none() && *top.title == *title);
            Ok(by_id.or_else(by_title).map(|found| act(client, &reported[found].0.element)))
        });
        let acted = asked.await.map_err(|failure| app.error(failure, "nothing was done"));
        app.cache.forget();
        permissions::unless_withdrawn(acted)?.unwrap_or_else(|| {
            let title = window.title.as_deref().unwrap_or("without a title");
            Err(Error::new(Reason::Stale, format!("The window '{title}' is not there any more."))
                .with_guidance("Read the windows again.")
                .with_app(name))
        })
    }

    /// The window as it is now; `None` when it is gone.
    async fn again(&self, window: &Window, deadline: Deadline) -> Result<Option<Window>> {
        let now = self.windows(deadline).await?;
        let same = |other: &&Window| match &window.handle {
            Some(handle) => other.handle.as_ref() == Some(handle),
            None => other.pid == window.pid && other.title == window.title,
        };
        let by_title = |other: &&Window| other.pid == window.pid && other.title == window.title;
        Ok(now.iter().find(same).or_else(|| now.iter().find(by_title)).cloned())
    }
}

#[async_trait]
impl AppCloser for Desktop {
    /// Presses the close button of every window of an application, and looks what is left.
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let before = closing::to_close(app, self.windows(deadline).await?)?;
        let mut refused = None;
        for window in &before {
            refused = closing::refusal(self.on_window(window, deadline, close).await).or(refused);
        }
        let limit = deadline.slice(CLOSED_WITHIN);
        let mut left = closing::windows_of(app, self.windows(deadline).await?);
        while !left.is_empty() && !limit.passed() {
            tokio::time::sleep(LOOK_EVERY).await;
            left = closing::windows_of(app, self.windows(deadline).await?);
        }
        let closed = closing::closed(app, &before, &left, refused)?;
        let pid = before.first().and_then(|window| window.pid);
        let pid = pid.and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        let still_running =
            left.is_empty() && tokio::task::spawn_blocking(move || is_running(pid)).await.unwrap_or_default();
        Ok(ClosedApp { windows: closed, left, still_running })
    }
}

#[async_trait]
impl WindowManager for Desktop {
    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>> {
        self.on_window(window, deadline, move |client, element| request(client, element, action)).await?;
        let limit = deadline.slice(SHOWN_WITHIN);
        loop {
            let now = self.again(window, deadline).await?;
            if is_done(now.as_ref(), action) {
                return Ok(now);
            }
            if limit.passed() {
                return match (now, action) {
                    // A dialog that asks whether to save keeps it open.
                    (
                        Some(now),
                        WindowAction::Close | WindowAction::Move { .. } | WindowAction::Resize { .. },
                    ) => Ok(Some(now)),
                    (_, action) => Err(Error::new(
                        Reason::ActionFailed,
                        format!("The window did not {}.", action.name()),
                    )
                    .with_guidance("Look at the windows again; it may refuse that, or ask something first.")),
                };
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// Asks a window to do something.
fn request(client: &Client<'_>, window: &Element, act: WindowAction) -> Result<()> {
    let failed = |failure: Failure| client.app.error(failure, &format!("it was asked to {}", act.name()));
    let set = |name, to| window.set(name, to).map_err(failed);
    match act {
        WindowAction::Activate => {
            if window.get(MINIMIZED) == Ok(Value::Bool(true)) {
                set(MINIMIZED, Setting::Bool(false))?;
            }
            let _main = window.set(MAIN, Setting::Bool(true));
            bring_to_front(client, Some(window), "The application")
        }
        WindowAction::Close => close(client, window),
        WindowAction::Minimize => set(MINIMIZED, Setting::Bool(true)),
        WindowAction::Maximize => client.app.waking.without_enhancement(client, || {
            let area = window_list::main_display();
            place(window, area.left, area.top).map_err(failed)?;
            resize(window, area.width(), area.height()).map_err(failed)
        }),
        WindowAction::Restore => {
            let _full = window.set(FULL_SCREEN, Setting::Bool(false));
            set(MINIMIZED, Setting::Bool(false))
        }
        WindowAction::Move { x, y } => {
            client.app.waking.without_enhancement(client, || place(window, x, y).map_err(failed))
        }
        WindowAction::Resize { width, height } => {
            let [width, height] = [width, height].map(|side| i32::try_from(side).unwrap_or(i32::MAX));
            client.app.waking.without_enhancement(client, || resize(window, width, height).map_err(failed))
        }
        _ => Err(Error::new(Reason::Unsupported, "A window of a Mac cannot do that.")),
    }
}

fn place(window: &Element, x: i32, y: i32) -> Answer<()> {
    window.set(POSITION, Setting::Point(f64::from(x), f64::from(y)))
}

fn resize(window: &Element, width: i32, height: i32) -> Answer<()> {
    window.set(SIZE, Setting::Size(f64::from(width), f64::from(height)))
}

/// Presses the close button of a window. It may ask something first, and answers only then.
fn close(client: &Client<'_>, window: &Element) -> Result<()> {
    let failed = |failure| client.app.error(failure, "closing its window");
    let Value::Element(button) = window.get(CLOSE_BUTTON).map_err(failed)? else {
        return Err(Error::new(Reason::Unsupported, "The window has no close button."));
    };
    match button.perform(action::PRESS) {
        Ok(()) | Err(Failure::NoAnswer) => Ok(()),
        Err(failure) => Err(failed(failure)),
    }
}

fn is_done(now: Option<&Window>, action: WindowAction) -> bool {
    let Some(now) = now else { return action == WindowAction::Close };
    let near = |is: i32, wanted: i32| (is - wanted).abs() <= NEAR;
    let Rect { left, top, .. } = now.bounds;
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    match action {
        WindowAction::Activate => now.focused && !now.minimized,
        WindowAction::Close => false,
        WindowAction::Minimize => now.minimized,
        WindowAction::Restore => !now.minimized,
        WindowAction::Maximize => now.bounds.width() >= window_list::main_display().width() - NEAR,
        WindowAction::Move { x, y } => near(left, x) && near(top, y),
        WindowAction::Resize { width, height } => {
            near(now.bounds.width(), side(width)) && near(now.bounds.height(), side(height))
        }
        _ => true,
    }
}

/// Whether an administrator put it there.
fn is_vetted(path: &str) -> bool {
    ["/Applications/", "/System/", "/Library/"].iter().any(|folder| path.starts_with(folder))
}

/// The application that is meant: by its bundle id, else by its name, exactly before in another case.
fn choose<'a>(found: &'a [InstalledApplication], wanted: &str) -> Result<&'a InstalledApplication> {
    let wanted = wanted.strip_suffix(".app").unwrap_or(wanted);
    let exact = |app: &&InstalledApplication| app.bundle_id == wanted || app.name == wanted;
    let alike = |app: &&InstalledApplication| {
        app.bundle_id.eq_ignore_ascii_case(wanted) || app.name.to_lowercase() == wanted.to_lowercase()
    };
    let chosen: Vec<_> = match found.iter().filter(exact).collect::<Vec<_>>() {
        none if none.is_empty() => found.iter().filter(alike).collect(),
        some => some,
    };
    let candidate =
        |app: &InstalledApplication| Candidate { id: app.bundle_id.clone(), label: app.name.clone() };
    match chosen[..] {
        [app] => Ok(app),
        [] => {
            let near = found.iter().filter(|app| app.name.to_lowercase().contains(&wanted.to_lowercase()));
            Err(Error::new(
                Reason::NotFound,
                format!("No application is called '{wanted}'; nothing was started."),
            )
            .with_guidance("list_apps lists what can be opened.")
            .with_candidates(near.take(MOST_NAMED).map(candidate).collect()))
        }
        _ => Err(Error::new(Reason::Ambiguous, format!("Several applications are called '{wanted}'."))
            .with_guidance("Name it by its bundle id.")
            .with_candidates(chosen.iter().take(MOST_NAMED).map(|app| candidate(app)).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(bundle_id: &str, name: &str) -> InstalledApplication {
        InstalledApplication { bundle_id: bundle_id.into(), name: name.into(), path: String::new() }
    }

    #[test]
    fn an_application_is_chosen_by_id_or_name_and_never_guessed() {
        let found = [app("com.apple.Notes", "Notes"), app("org.other.notes", "notes"), app("a.b", "Safari")];
        assert_eq!(choose(&found, "com.apple.Notes").expect("by id").name, "Notes");
        assert_eq!(choose(&found, "SAFARI").expect("by name").bundle_id, "a.b");
        assert_eq!(choose(&found, "Notes.app").expect("exactly").bundle_id, "com.apple.Notes");
        assert_eq!(choose(&found, "NOTES").unwrap_err().reason(), Reason::Ambiguous);
        let error = choose(&found, "saf").unwrap_err();
        assert_eq!((error.reason(), error.candidates().len()), (Reason::NotFound, 1));
    }

    #[test]
    fn what_the_user_put_there_is_not_vetted() {
        assert!(is_vetted("/Applications/Safari.app"));
        assert!(!is_vetted("/Users/ada/Applications/Tool.app"));
    }
}
