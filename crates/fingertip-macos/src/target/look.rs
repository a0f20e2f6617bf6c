//! How the target looks at the Mac: what the window server shows, what is in front, and one application read.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Part, Scope};
use fingertip_core::{Deadline, Result, Snapshot, Window};
use fingertip_desktop::apps::pick;
use fingertip_desktop::assemble::{AppTree, Setting, assemble};
use fingertip_desktop::{ListedWindow, RunningApp, windows};
use futures_util::future::join_all;

use crate::apps::Running;
use crate::read::{self, Read};
use crate::session::{Session, Shown};

/// What is done when an application is read, for errors.
const READING: &str = "its user interface could not be read";
/// How long one application may take to report its windows, so that others need not wait for it.
const LISTED_WITHIN: Duration = Duration::from_millis(600);

/// Looks at one application, or at the one in front. An incremental look may bring an earlier one up to date.
pub(super) async fn look(
    session: &Arc<Session>,
    scope: &Scope,
    incremental: bool,
    deadline: Deadline,
) -> Result<Snapshot> {
    let shown = session.shown(deadline).await?;
    let (app, part) = match scope {
        Scope::App { app, part } => (pick(&shown.running, app)?.into_iter().next(), *part),
        _ => (shown.front.and_then(|pid| session.apps.of_pid(pid)), Part::Visible),
    };
    let Some(app) = app else { return Ok(bare(&shown)) };
    let (own, others) = shown.sides(&app);
    let read = {
        let (session, reader) = (Arc::clone(session), Arc::clone(&app));
        app.ask(deadline, move |client| {
            let events = (incremental && part == Part::Visible).then_some(&session.events);
            read::read(client, &reader, part, own, events)
        })
        .await
    };
    let Read { mut reading, own } = read.map_err(|failure| app.error(failure, READING))?;
    if reading.tree.windows().is_empty()
        && reading.cut.is_none()
        && own.iter().any(|window| !window.minimized)
    {
        // One that shows windows and reports none.
        reading.cut = Some("the application shows windows but exposes nothing of what is in them".to_owned());
    }
    let setting = Setting {
        app: &app.name(),
        pid: app.pid(),
        screen: shown.screen,
        own: own.iter().collect(),
        others: others.iter().map(|window| (window, owner(window, &shown))).collect(),
        only_visible: part == Part::Visible,
    };
    Ok(assemble(reading, &setting))
}

/// A snapshot of windows without nodes, when no application is in front.
fn bare(shown: &Shown) -> Snapshot {
    let mut builder = Snapshot::builder(shown.screen);
    builder.lasting_handles().cut("no application is in front");
    for window in &shown.windows {
        builder.window(windows::window(window, owner(window, shown).as_deref()));
    }
    builder.finish()
}

/// The name of the application a window belongs to.
fn owner(window: &ListedWindow, shown: &Shown) -> Option<Box<str>> {
    shown.app_of(window.pid).map(|app| app.name())
}

/// All windows, the topmost first: those of the list, with what their applications report of them. An application that does
/// not answer is listed as the window server knows it.
pub(super) async fn windows(session: &Arc<Session>, deadline: Deadline) -> Result<Vec<Window>> {
    let shown = session.shown(deadline).await?;
    let own = |app: &Arc<Running>| shown.sides(app).0;
    let asked = shown.running.iter().map(|app| {
        let (app, own, is_front) = (Arc::clone(app), own(app), Some(app.pid) == shown.front);
        async move { windows_of(&app, &own, is_front, deadline).await }
    });
    let mut all: Vec<Window> = join_all(asked).await.into_iter().flatten().collect();
    all.sort_by_key(|window| (window.minimized, std::cmp::Reverse(window.layer)));
    Ok(all)
}

/// The windows of one application.
async fn windows_of(
    app: &Arc<Running>,
    own: &[ListedWindow],
    is_front: bool,
    deadline: Deadline,
) -> Vec<Window> {
    let managed: Vec<&ListedWindow> = own.iter().filter(|window| !window.unmanaged).collect();
    let reported = match app.ask(deadline.slice(LISTED_WITHIN), read::windows).await {
        Ok(reported) if !reported.is_empty() => reported,
        other => {
            if let Err(failure) = other {
                tracing::debug!(%failure, app = %app.name(), "an application does not list its windows");
            }
            let shown = managed.iter().filter(|window| !window.minimized);
            return shown.map(|window| windows::window(window, Some(&app.name()))).collect();
        }
    };
    let tops: Vec<_> = reported.iter().map(|(_, top)| top.clone()).collect();
    let joined = windows::join(&tops, &managed);
    reported
        .iter()
        .zip(joined)
        .map(|((object, top), listed)| {
            let is_minimized = object.window.is_some_and(|window| window.minimized);
            let mut window = match listed {
                Some(listed) => windows::window(managed[listed], Some(&app.name())),
                None => windows::lone(top, &app.name(), app.pid(), 0),
            };
            if window.title.is_none() {
                window = window.title(&top.title);
            }
            window.kind = top.kind;
            // What a hidden application has is on no screen either, and says nothing of it.
            window.minimized = is_minimized || listed.is_some_and(|listed| managed[listed].minimized);
            window.pid = app.pid();
            window.focused = is_front && listed.map_or(top.active, |listed| managed[listed].active);
            window
        })
        .collect()
}

/// The receivers of a touch or a key, the topmost first.
pub(super) async fn receivers(session: &Arc<Session>, deadline: Deadline) -> Result<Vec<Window>> {
    let shown = session.shown(deadline).await?;
    let on_screen = shown.windows.iter().filter(|window| !window.minimized);
    Ok(on_screen.map(|window| windows::window(window, owner(window, &shown).as_deref())).collect())
}
