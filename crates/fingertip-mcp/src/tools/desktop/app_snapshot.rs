//! One application, read whole.
//!
//! A desktop reads one application at a time. A phone reads all windows of its screen at once, and an application
//! is some of them; so there one look shows both which applications there are and what they show.

use std::sync::Arc;

use fingertip_core::select::Sought;
use fingertip_core::target::{App, Part, Scope, SearchRequest, TargetKind};
use fingertip_core::{Deadline, NodeIndex, Reason, Result, Snapshot, Window};

use super::cursor::{self, Cursor};
use crate::apps;
use crate::call::Call;
use crate::params::WantedApp;
use crate::timeouts::ANSWER;

/// One application and what it shows. On a phone the snapshot shows others too.
pub(super) struct AppSnapshot {
    pub(super) app: App,
    pub(super) snapshot: Arc<Snapshot>,
}

impl AppSnapshot {
    /// Reads the application that is meant. What a driver has by the time the answer is due is still shown.
    pub(super) async fn read(call: &Call, wanted: &WantedApp) -> Result<Self> {
        Self::read_part(call, wanted, Part::Whole, call.deadline().earlier(ANSWER)).await
    }

    /// Looks for something in the application that is meant, or goes on with an earlier search; also gives what the rest of
    /// the search is called where it is not over.
    pub(super) async fn search(
        call: &Call,
        wanted: &WantedApp,
        sought: &Sought,
        most: usize,
        from: Option<u64>,
    ) -> Result<(Self, Option<u64>)> {
        let deadline = call.deadline().earlier(ANSWER);
        if call.kind().reads_whole_screen() {
            return Ok((Self::read(call, wanted).await?, None));
        }
        let app = apps::find(call, wanted, deadline).await?;
        let scope = scope_of(&app, call.kind(), Part::Whole);
        let request = SearchRequest { scope: &scope, sought, most, from };
        let page = call.search(request, deadline).await.map_err(|error| match error.reason() {
            Reason::Stale if from.is_some() => cursor::expired("search"),
            _ => error,
        })?;
        Ok((Self { app, snapshot: Arc::new(page.snapshot) }, page.next))
    }

    /// Reads so many levels of the application that is meant below its windows, and perhaps more.
    pub(super) async fn read_levels(call: &Call, wanted: &WantedApp, levels: u32) -> Result<Self> {
        Self::read_part(call, wanted, Part::Levels(levels), call.deadline().earlier(ANSWER)).await
    }

    /// Reads part of the application that is meant.
    pub(super) async fn read_part(
        call: &Call,
        wanted: &WantedApp,
        part: Part,
        deadline: Deadline,
    ) -> Result<Self> {
        if call.kind().reads_whole_screen() && wanted.pid().is_none() {
            let snapshot = call.look_at(&Scope::Screen, deadline).await?;
            let app = apps::among(snapshot.windows(), wanted, call.kind())?;
            return Ok(Self { app, snapshot: Arc::new(snapshot) });
        }
        let app = apps::find(call, wanted, deadline).await?;
        let scope = scope_of(&app, call.kind(), part);
        Ok(Self { app, snapshot: Arc::new(call.look_at(&scope, deadline).await?) })
    }

    /// The application and snapshot of an earlier page.
    pub(super) fn kept(call: &Call, cursor: &Cursor) -> Result<Self> {
        let kept = cursor.kept(call)?;
        Ok(Self { app: kept.app.unwrap_or_default(), snapshot: kept.snapshot })
    }

    /// Whether this node belongs to the application.
    pub(super) fn shows(&self, index: NodeIndex) -> bool {
        self.owns(&self.snapshot.windows()[self.snapshot.window_of(index)])
    }

    /// The top nodes of its windows.
    pub(super) fn roots(&self) -> Vec<NodeIndex> {
        let windows = 0..self.snapshot.windows().len();
        let own = windows.filter(|window| self.owns(&self.snapshot.windows()[*window]));
        own.flat_map(|window| self.snapshot.roots_of(window)).collect()
    }

    fn owns(&self, window: &Window) -> bool {
        owns(&self.app, window)
    }
}

/// What to read of an application: the whole screen where that is read at once.
pub(super) fn scope_of(app: &App, kind: TargetKind, part: Part) -> Scope {
    if kind.reads_whole_screen() { Scope::Screen } else { Scope::App { app: app.reference(), part } }
}

/// Whether this window belongs to the application: by process where both are known, else by either name.
pub(super) fn owns(app: &App, window: &Window) -> bool {
    app.reference().owns(window)
        || (window.pid.is_none() || app.pid.is_none()) && window.app.as_deref() == Some(&app.name)
}
