//! Opening and closing applications, and acting on windows, as a plain desktop would.

use super::super::edit::{add_windows, keep_windows, map_windows};
use super::State;
use crate::target::{
    AppRef, ClosedApp, Installed, InstalledApps, LaunchPlan, LaunchRequest, Launched, WindowAction,
};
use crate::{Error, Reason, Rect, Result, Snapshot, Window};

/// Where the window of an application that is opened comes up.
const NEW_WINDOW: Rect = Rect::new(300, 300, 700, 600);

/// What can be opened.
pub(super) fn list(state: &State) -> InstalledApps {
    let apps = state.installed.iter().map(|plan| Installed {
        id: plan.id.clone(),
        name: plan.name.clone(),
        programs: plan.programs.clone(),
        closed: None,
    });
    InstalledApps { apps: apps.collect(), truncated: false }
}

/// What opening the application of this id or name would run.
pub(super) fn plan(state: &State, request: &LaunchRequest) -> Result<LaunchPlan> {
    let found = state.installed.iter().find(|plan| *plan.id == *request.app || *plan.name == *request.app);
    let missing = || Error::new(Reason::NotFound, format!("'{}' is not installed.", request.app));
    let mut plan = found.cloned().ok_or_else(missing)?;
    plan.document.clone_from(&request.document);
    plan.words.extend(request.document.clone());
    Ok(plan)
}

/// A window of the program that is run comes up in front.
pub(super) fn launch(state: &mut State, plan: &LaunchPlan) -> Launched {
    let program = plan.words.first().and_then(|word| word.rsplit('/').next()).unwrap_or(&plan.id);
    let top = state.snapshot.windows().iter().map(|window| window.layer).max().unwrap_or_default();
    let mut window = Window::new(program, NEW_WINDOW).title(&plan.name).layer(top + 1).focused();
    window.pid = Some(1000 + u32::try_from(state.snapshot.windows().len()).unwrap_or_default());
    let was_running = state.snapshot.windows().iter().any(|known| known.app == window.app);
    let mut builder = Snapshot::builder(state.snapshot.screen);
    builder.window(window.clone());
    let behind = map_windows(&state.snapshot, |window| window.focused = false);
    state.snapshot = add_windows(&behind, &builder.finish());
    Launched { window: Some(window), was_running, note: None }
}

/// All windows of it go.
pub(super) fn close(state: &mut State, app: &AppRef) -> ClosedApp {
    let before = state.snapshot.windows().len();
    state.snapshot = keep_windows(&state.snapshot, |window| !app.owns(window));
    ClosedApp { windows: before - state.snapshot.windows().len(), ..ClosedApp::default() }
}

/// Does it to the window.
pub(super) fn act_on(state: &mut State, window: &Window, action: WindowAction) -> Result<Option<Window>> {
    let same = |other: &Window| {
        (&other.title, &other.app, other.pid, other.layer)
            == (&window.title, &window.app, window.pid, window.layer)
    };
    if !state.snapshot.windows().iter().any(same) {
        return Err(Error::new(Reason::Stale, "The window is gone."));
    }
    if action == WindowAction::Close {
        state.snapshot = keep_windows(&state.snapshot, |other| !same(other));
        return Ok(None);
    }
    let screen = state.snapshot.screen.bounds();
    let mut after = None;
    state.snapshot = map_windows(&state.snapshot, |other| {
        if !same(other) {
            other.focused &= action != WindowAction::Activate;
            return;
        }
        let Rect { left, top, right, bottom } = other.bounds;
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        match action {
            WindowAction::Activate => (other.focused, other.minimized) = (true, false),
            WindowAction::Minimize => (other.focused, other.minimized) = (false, true),
            WindowAction::Maximize => other.bounds = screen,
            WindowAction::Move { x, y } => other.bounds = Rect::new(x, y, x + right - left, y + bottom - top),
            WindowAction::Resize { width, height } => {
                other.bounds = Rect::new(left, top, left + side(width), top + side(height));
            }
            WindowAction::Restore | WindowAction::Close => other.minimized = false,
        }
        after = Some(other.clone());
    });
    Ok(after)
}
