//! Which running application a call means: exactly one, or an error that lists what is there.
//!
//! A name, a package or bundle id, or a process id. What matches to the letter is preferred to what matches in
//! another case, and that to what has its version in its name, as "gimp-2.10" has; several that match alike are never
//! chosen from.

use fingertip_core::target::{App, Part, Scope, Survey, TargetKind, apps_of};
use fingertip_core::{Candidate, Deadline, Error, Reason, Result, Window};

use crate::call::{Call, within};
use crate::nearest::nearest;
use crate::params::WantedApp;

/// How many running applications an error names.
const MOST_NAMED: usize = 5;

/// The running application that is meant. On a phone those that show a window are running.
pub(crate) async fn find(call: &Call, wanted: &WantedApp, deadline: Deadline) -> Result<App> {
    pick(&all(call, deadline).await?, wanted, call.kind())
}

/// All running applications, the one in front first.
pub(crate) async fn all(call: &Call, deadline: Deadline) -> Result<Vec<App>> {
    within(deadline, "listing the applications", call.target().survey().apps(deadline)).await
}

/// The scope of a call that names an application.
pub(crate) async fn scope(call: &Call, wanted: &WantedApp) -> Result<Scope> {
    let app = find(call, wanted, call.deadline()).await?;
    Ok(Scope::App { app: app.reference(), part: Part::Visible })
}

/// The application that is meant where these are all windows there are; they have processes only where those are what
/// is addressed.
pub(crate) async fn owner_among(
    windows: &[Window],
    survey: &dyn Survey,
    wanted: &WantedApp,
    kind: TargetKind,
    deadline: Deadline,
) -> Result<App> {
    if kind.addresses_processes() {
        pick(&within(deadline, "listing the applications", survey.apps(deadline)).await?, wanted, kind)
    } else {
        among(windows, wanted, kind)
    }
}

/// The application in these windows that is meant.
pub(crate) fn among(windows: &[Window], wanted: &WantedApp, kind: TargetKind) -> Result<App> {
    pick(&apps_of(windows), wanted, kind)
}

/// The one of these applications that is meant.
pub(crate) fn pick(apps: &[App], wanted: &WantedApp, kind: TargetKind) -> Result<App> {
    let ways = [is_exactly, is_in_any_case, is_with_version];
    let mut found = ways.iter().map(|is_meant| matching(apps, |app| is_meant(app, wanted)));
    let found = found.find(|found| !found.is_empty()).unwrap_or_default();
    match found.as_slice() {
        [app] => Ok((*app).clone()),
        [] => Err(not_running(apps, wanted, kind)),
        several => Err(ambiguous(several, wanted)),
    }
}

fn matching(apps: &[App], is_meant: impl Fn(&App) -> bool) -> Vec<&App> {
    apps.iter().filter(|app| is_meant(app)).collect()
}

fn is_exactly(app: &App, wanted: &WantedApp) -> bool {
    match wanted {
        WantedApp::Pid(pid) => app.pid == Some(*pid),
        WantedApp::Named(name) => {
            *app.name == **name
                || app.id.as_deref() == Some(name)
                || (app.pid.is_some() && app.pid == wanted.pid())
        }
    }
}

fn is_in_any_case(app: &App, wanted: &WantedApp) -> bool {
    let WantedApp::Named(name) = wanted else { return false };
    let same = |text: &str| text.to_lowercase() == name.to_lowercase();
    same(&app.name) || app.id.as_deref().is_some_and(same)
}

/// Whether the application is called so with the number of its version after it.
fn is_with_version(app: &App, wanted: &WantedApp) -> bool {
    let WantedApp::Named(name) = wanted else { return false };
    let own = app.name.to_lowercase();
    let rest = own.strip_prefix(&name.to_lowercase()).unwrap_or_default();
    let version = rest.strip_prefix(['-', '_', ' ']).unwrap_or_default();
    version.starts_with(|first: char| first.is_ascii_digit())
        && version.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

fn not_running(apps: &[App], wanted: &WantedApp, kind: TargetKind) -> Error {
    let message = match wanted {
        WantedApp::Named(name) => format!("Application '{name}' is not running."),
        WantedApp::Pid(pid) => format!("No application with the process id {pid} is running."),
    };
    let names = apps.iter().flat_map(|app| [Some(&*app.name), app.id.as_deref()]).flatten();
    let near = nearest(&wanted.to_string(), names, MOST_NAMED);
    let there = if kind.reads_whole_screen() {
        "Open it first: on a phone only what is on the screen can be read. On the screen"
    } else {
        "Running"
    };
    let guidance = if near.is_empty() {
        "No application with a user interface is running.".to_owned()
    } else {
        format!("{there}: {}.", near.join(", "))
    };
    Error::new(Reason::NotRunning, message).with_app(wanted.to_string()).with_guidance(guidance)
}

fn ambiguous(several: &[&App], wanted: &WantedApp) -> Error {
    let listed: Vec<String> = several.iter().map(|app| label(app)).collect();
    Error::new(
        Reason::Ambiguous,
        format!("Application '{wanted}' is ambiguous: {} are running: {}.", several.len(), listed.join(", ")),
    )
    .with_app(wanted.to_string())
    .with_guidance("Say which one by its PID.")
    .with_candidates(several.iter().map(|app| candidate(app)).collect())
}

fn candidate(app: &App) -> Candidate {
    let id = app.pid.map_or_else(|| app.reference().name.into_string(), |pid| pid.to_string());
    Candidate { id, label: label(app) }
}

fn label(app: &App) -> String {
    let focused = if app.focused { ", focused" } else { "" };
    match app.pid {
        Some(pid) => format!("{} (PID {pid}{focused})", app.name),
        None => app.name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(name: &str, id: Option<&str>, pid: u32) -> App {
        App { name: name.into(), id: id.map(Into::into), pid: Some(pid), focused: false, background: false }
    }

    fn running() -> Vec<App> {
        vec![
            app("Text Editor", Some("org.gnome.gedit"), 10),
            app("text editor", None, 11),
            app("Terminal", None, 12),
            app("Terminal", None, 13),
            app("2048", None, 14),
            app("gimp-2.10", None, 15),
            app("plan-9-from-space", None, 16),
        ]
    }

    fn picked(wanted: impl Into<WantedApp>) -> Result<u32> {
        pick(&running(), &wanted.into(), TargetKind::Desktop).map(|app| app.pid.unwrap_or_default())
    }

    #[test]
    fn an_exact_name_id_or_process_is_found() {
        assert_eq!(picked("Text Editor").unwrap(), 10);
        assert_eq!(picked("text editor").unwrap(), 11);
        assert_eq!(picked("org.gnome.gedit").unwrap(), 10);
        assert_eq!(picked(13).unwrap(), 13);
        assert_eq!(picked("13").unwrap(), 13);
        assert_eq!(picked("2048").unwrap(), 14);
    }

    #[test]
    fn another_case_is_found_when_only_one_is_meant() {
        assert_eq!(picked("ORG.gnome.Gedit").unwrap(), 10);
        let error = picked("TEXT EDITOR").unwrap_err();
        assert_eq!(error.reason(), Reason::Ambiguous);
        assert!(error.message().contains("Text Editor (PID 10), text editor (PID 11)"), "{error}");
    }

    #[test]
    fn the_version_in_a_name_need_not_be_said() {
        assert_eq!(picked("GIMP").unwrap(), 15);
        for other in ["plan", "gim", "gimp-2", ""] {
            assert_eq!(picked(other).unwrap_err().reason(), Reason::NotRunning, "{other}");
        }
    }

    #[test]
    fn several_of_one_name_are_listed_with_their_processes() {
        let error = picked("Terminal").unwrap_err();
        assert_eq!(error.reason(), Reason::Ambiguous);
        let ids: Vec<_> = error.candidates().iter().map(|candidate| candidate.id.as_str()).collect();
        assert_eq!(ids, ["12", "13"]);
    }

    #[test]
    fn what_is_not_running_is_answered_with_the_nearest() {
        let error = picked("Foo").unwrap_err();
        assert_eq!(error.reason(), Reason::NotRunning);
        assert_eq!(error.message(), "Application 'Foo' is not running.");
        let error = picked("gedit").unwrap_err();
        assert!(error.guidance().is_some_and(|text| text.starts_with("Running: org.gnome.gedit")), "{error}");
        assert_eq!(picked(99).unwrap_err().message(), "No application with the process id 99 is running.");
    }
}
