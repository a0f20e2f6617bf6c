//! The element a call names, by id or by path, found in a snapshot taken for this call.
//!
//! A path counts siblings, so it is only read in a whole application: rows that scrolled off screen count too.

use fingertip_core::path::{self, ElementPath, PathApp, Which};
use fingertip_core::target::{App, Part};
use fingertip_core::{Error, NodeIndex, Reason, Result};

use super::app_snapshot::{AppSnapshot, owns, scope_of};
use crate::apps;
use crate::call::Call;
use crate::interact::{self, Found};
use crate::params::{ElementRef, WantedApp};

const LOOK_AGAIN: &str =
    "Look again with get_ui_tree or find_element. An id follows its element, a path does not.";

/// Finds the element; it must belong to `app` if one is named. An incremental look is enough where `is_sure` says so.
pub(super) async fn find(
    call: &Call,
    element: &ElementRef,
    app: Option<&WantedApp>,
    is_sure: impl Fn(&Found) -> bool,
) -> Result<Found> {
    let found = match element {
        ElementRef::Id(id) => interact::find_if(call, *id, is_sure).await?,
        ElementRef::Path(path) => {
            let wanted = match &path.app {
                PathApp::Pid(pid) => WantedApp::Pid(*pid),
                PathApp::Named(name) => WantedApp::Named(name.to_string()),
            };
            let app_snapshot = AppSnapshot::read_part(call, &wanted, Part::Whole, call.deadline()).await?;
            let scope = scope_of(&app_snapshot.app, call.kind(), Part::Whole);
            let index = follow(&app_snapshot, path)?;
            let snapshot = std::sync::Arc::unwrap_or_clone(app_snapshot.snapshot);
            Found { scope, snapshot, index }
        }
    };
    if let Some(wanted) = app {
        let named = if call.kind().reads_whole_screen() && wanted.pid().is_none() {
            apps::among(found.snapshot.windows(), wanted, call.kind())?
        } else {
            apps::find(call, wanted, call.deadline()).await?
        };
        must_belong(&found, &named, element)?;
    }
    Ok(found)
}

/// Finds the element in an application that was read already.
pub(super) fn find_in(call: &Call, app_snapshot: &AppSnapshot, element: &ElementRef) -> Result<NodeIndex> {
    let index = match element {
        ElementRef::Id(id) => interact::locate(call, &app_snapshot.snapshot, *id)?,
        ElementRef::Path(path) => follow(app_snapshot, path)?,
    };
    if app_snapshot.shows(index) { Ok(index) } else { Err(foreign(&app_snapshot.app, element)) }
}

fn follow(app_snapshot: &AppSnapshot, path: &ElementPath) -> Result<NodeIndex> {
    let snapshot = &app_snapshot.snapshot;
    let counts = |which: &Which| matches!(which, Which::Index(_));
    let counted = counts(&path.window) || path.steps.iter().any(|step| counts(&step.which));
    if let Some(cut) = snapshot.cut.as_deref().filter(|_| counted) {
        return Err(Error::new(
            Reason::ActionFailed,
            format!("'{path}' cannot be followed: not all of the application could be read ({cut})."),
        )
        .with_guidance("Name the element by its id."));
    }
    let mut path = path.clone();
    if snapshot.windows().iter().all(|window| window.pid.is_none()) {
        // A phone's windows have no processes.
        path.app = PathApp::Named(app_snapshot.app.reference().name);
    }
    path::resolve(snapshot, &path).map_err(|error| error.with_guidance(LOOK_AGAIN))
}

fn must_belong(found: &Found, app: &App, element: &ElementRef) -> Result<()> {
    let window = &found.snapshot.windows()[found.snapshot.window_of(found.index)];
    if owns(app, window) { Ok(()) } else { Err(foreign(app, element)) }
}

fn foreign(app: &App, element: &ElementRef) -> Error {
    Error::invalid(format!("Element '{element}' does not belong to application '{}'.", app.name))
        .with_guidance("Leave 'app' out, or name the application the element was found in.")
}
