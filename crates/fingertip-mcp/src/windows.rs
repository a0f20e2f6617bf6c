//! Which window a call means: exactly one, or an error that lists what is there.
//!
//! A window is named by its id or path from `list_windows`, or by its title; its application alone is enough where that
//! has one window. What matches to the letter is preferred; several that match alike are never chosen from.

use fingertip_core::path::{ElementPath, Which};
use fingertip_core::target::{App, Survey, TargetKind};
use fingertip_core::{Candidate, Deadline, Error, Reason, Result, Target, Window};

use crate::apps;
use crate::params::WantedApp;

/// How many windows an error names.
const MOST_NAMED: usize = 5;

/// The window a call names.
#[derive(Debug, Clone, Default)]
pub(crate) struct WantedWindow {
    /// By its id, path or title.
    pub(crate) name: Option<String>,
    /// By its application.
    pub(crate) app: Option<WantedApp>,
}

impl WantedWindow {
    /// The one window that is meant.
    pub(crate) async fn one(&self, target: &dyn Target, deadline: Deadline) -> Result<Window> {
        let found = self.all(target.survey(), target.kind(), deadline).await?;
        match <[Window; 1]>::try_from(found) {
            Ok([window]) => Ok(window),
            Err(several) => Err(ambiguous(&several)),
        }
    }

    /// All windows that are meant, the topmost first; never none.
    pub(crate) async fn all(
        &self,
        survey: &dyn Survey,
        kind: TargetKind,
        deadline: Deadline,
    ) -> Result<Vec<Window>> {
        let windows = survey.windows(deadline).await?;
        let app = match &self.app {
            None => None,
            Some(app) => Some(apps::owner_among(&windows, survey, app, kind, deadline).await?),
        };
        self.among(windows, app.as_ref())
    }

    fn among(&self, windows: Vec<Window>, app: Option<&App>) -> Result<Vec<Window>> {
        let own: Vec<Window> = windows
            .into_iter()
            .filter(|window| app.is_none_or(|app| app.reference().owns(window) || app_is(app, window)))
            .collect();
        let Some(name) = &self.name else {
            return if own.is_empty() { Err(none_of(app)) } else { Ok(own) };
        };
        let exact: Vec<Window> = own.iter().filter(|window| is_exactly(window, name)).cloned().collect();
        if !exact.is_empty() {
            return Ok(exact);
        }
        let lower = name.to_lowercase();
        let titled =
            |window: &&Window| window.title.as_deref().is_some_and(|title| title.to_lowercase() == lower);
        let found: Vec<Window> = own.iter().filter(titled).cloned().collect();
        if found.is_empty() { Err(missing(name, &own)) } else { Ok(found) }
    }
}

/// A window without a process belongs to the application whose name or program it bears.
fn app_is(app: &App, window: &Window) -> bool {
    window.pid.is_none() && window.app.as_deref().is_some_and(|name| *name == *app.name)
}

fn is_exactly(window: &Window, name: &str) -> bool {
    window.handle.as_deref() == Some(name)
        || window.title.as_deref() == Some(name)
        || name.parse::<ElementPath>().is_ok_and(|path| is_at(window, &path))
}

/// Whether a path names this window. A place among siblings says nothing of the place in a list of windows.
fn is_at(window: &Window, path: &ElementPath) -> bool {
    path.app.owns(window)
        && path.steps.is_empty()
        && matches!(&path.window, Which::Title(title) if window.title.as_deref() == Some(title))
}

/// A window in words.
pub(crate) fn label(window: &Window) -> String {
    let title = window.title.as_deref().unwrap_or("without a title");
    let app = window.app.as_deref().unwrap_or("an unknown application");
    match window.pid {
        Some(pid) => format!("'{title}' of {app} (PID {pid})"),
        None => format!("'{title}' of {app}"),
    }
}

fn candidates<'a>(windows: impl IntoIterator<Item = &'a Window>) -> Vec<Candidate> {
    let named = windows.into_iter().take(MOST_NAMED);
    named
        .map(|window| Candidate {
            id: window.handle.as_deref().or(window.title.as_deref()).unwrap_or_default().to_owned(),
            label: label(window),
        })
        .collect()
}

fn ambiguous(several: &[Window]) -> Error {
    Error::new(Reason::Ambiguous, format!("{} windows could be meant; nothing was done.", several.len()))
        .with_guidance("Say which one by its id.")
        .with_candidates(candidates(several))
}

fn missing(name: &str, there: &[Window]) -> Error {
    let name: String = name.chars().take(100).collect();
    let error = Error::new(Reason::NotFound, format!("There is no window '{name}'; it may have closed."));
    if there.is_empty() {
        return error.with_guidance("No window is open.");
    }
    error.with_guidance("list_windows lists the windows.").with_candidates(candidates(there))
}

fn none_of(app: Option<&App>) -> Error {
    match app {
        Some(app) => Error::new(Reason::NotFound, format!("'{}' runs and shows no window.", app.name))
            .with_app(&*app.name),
        None => Error::new(Reason::NotFound, "No window is open."),
    }
}
