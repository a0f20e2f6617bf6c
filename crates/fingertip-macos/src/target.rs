//! This Mac as a target.
//!
//! A part whose permission is missing is not provided, and comes back by itself once it is granted: both are asked for
//! each time.

mod look;
mod opening;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    App, AppRef, Drag, Expected, KeyPress, NodeAction, Pointing, Scope, Screenshot, ScreenshotRequest,
    TargetInfo, TargetKind, Watch,
};
use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Screen, Snapshot, Value, Window};
use fingertip_desktop::acting::must_not_wait;
use fingertip_desktop::apps;

use crate::actions::{self, Meant, VerifiedElement};
use crate::bindings::services;
use crate::events::MacWatch;
use crate::failure::Failure;
use crate::input::{self, Aim};
use crate::permissions;
use crate::screen;
use crate::session::Session;
use crate::text;
use crate::window_list;

/// What this target is called.
pub const NAME: &str = "desktop";
/// How long the front application may take to say that it reports its changes.
const OBSERVED_WITHIN: Duration = Duration::from_secs(1);

/// The desktop of the Mac this program runs on.
pub struct Desktop {
    session: Arc<Session>,
}

impl Default for Desktop {
    fn default() -> Self {
        Self::new()
    }
}

impl Desktop {
    /// The desktop of this Mac. No message is sent yet.
    #[must_use]
    pub fn new() -> Self {
        Self { session: Arc::new(Session::new()) }
    }

    /// Does something to the element of a node, in the turn of its application.
    async fn on_element(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        deadline: Deadline,
        act: impl FnOnce(&VerifiedElement<'_>) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        permissions::must_be_trusted()?;
        let meant = Meant::new(snapshot, node)?;
        let app = self.session.apps.owner(meant.handle.pid, meant.app())?;
        let session = Arc::clone(&self.session);
        let asked = app.ask(deadline, move |client| {
            Ok(VerifiedElement::take(&session, client, &meant).and_then(|element| act(&element)))
        });
        let acted = asked.await;
        // Labels change without a word, so all is read again after an act.
        app.cache.forget();
        let acted = acted.map_err(|failure| app.error(failure, "it may have been done in part")).flatten();
        permissions::unless_withdrawn(acted)
    }

    /// Uses pointer or keyboard, whichever application gets it.
    async fn with_input<T: Send + 'static>(
        &self,
        to: &Expected,
        deadline: Deadline,
        act: impl FnOnce(&Aim<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        permissions::must_be_trusted()?;
        let (session, to) = (Arc::clone(&self.session), to.clone());
        let acted = self.session.workers.run(deadline, move |cancel| {
            let _turn = session.input.take();
            let acted = act(&Aim { session: &session, to: &to, cancel });
            session.apps.known().iter().for_each(|app| app.cache.forget());
            Ok(acted)
        });
        permissions::unless_withdrawn(acted.await.map_err(input::over).flatten())
    }
}

impl Target for Desktop {
    fn kind(&self) -> TargetKind {
        TargetKind::Desktop
    }

    fn machine_name(&self) -> Option<String> {
        Some("desktop:mac".to_owned())
    }

    fn info(&self) -> TargetInfo {
        let (major, minor, _) = services::os_version();
        TargetInfo {
            name: NAME.to_owned(),
            kind: TargetKind::Desktop,
            label: format!("macOS {major}.{minor}"),
            driver: "ax".to_owned(),
            state: if permissions::is_trusted() { "ready" } else { "not allowed" }.to_owned(),
        }
    }

    fn shortcoming(&self) -> Option<Error> {
        if !permissions::is_trusted() {
            return Some(permissions::not_trusted());
        }
        (!permissions::may_see_screen()).then(permissions::not_seeing)
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        permissions::is_trusted().then_some(self)
    }

    fn watching(&self) -> Option<&dyn Watching> {
        permissions::is_trusted().then_some(self)
    }

    fn elements(&self) -> Option<&dyn Elements> {
        permissions::is_trusted().then_some(self)
    }

    fn values(&self) -> Option<&dyn Values> {
        permissions::is_trusted().then_some(self)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        permissions::is_trusted().then_some(self)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        permissions::is_trusted().then_some(self)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        None
    }

    fn touch(&self) -> Option<&dyn Touch> {
        permissions::is_trusted().then_some(self)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        permissions::is_trusted().then_some(self)
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        permissions::may_see_screen().then_some(self)
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        Some(self)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        None
    }

    // A Mac lets other programs know only that an application ended, not how.
    fn endings(&self) -> Option<&dyn Endings> {
        None
    }

    fn applications(&self) -> Option<&dyn Applications> {
        Some(self)
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        permissions::is_trusted().then_some(self)
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        permissions::is_trusted().then_some(self)
    }
}

#[async_trait]
impl Look for Desktop {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        look::look(&self.session, scope, false, deadline).await
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        look::look(&self.session, scope, true, deadline).await
    }
}

#[async_trait]
impl Survey for Desktop {
    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        let asked = self.session.workers.run(deadline, |_| Ok(window_list::screen()));
        asked.await.map_err(|failure| failure.into_error("The window server", "asking for the screen"))
    }

    async fn apps(&self, deadline: Deadline) -> Result<Vec<App>> {
        let shown = self.session.shown(deadline).await?;
        let mut apps: Vec<App> =
            shown.running.iter().map(|app| app.app(Some(app.pid) == shown.front)).collect();
        apps.sort_by_key(|app| !app.focused);
        Ok(apps)
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        look::windows(&self.session, deadline).await
    }

    /// Menus and other popups too: they lie above everything and take the touch.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        look::receivers(&self.session, deadline).await
    }
}

#[async_trait]
impl Changes for Desktop {
    fn activity(&self) -> u64 {
        self.session.events.count()
    }

    /// Of what is observed: the application in front, and those that were looked at a moment ago.
    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        let shown = self.session.shown(deadline).await?;
        if let Some(app) = shown.front.and_then(|pid| self.session.apps.of_pid(pid)) {
            let session = Arc::clone(&self.session);
            let limit = deadline.slice(OBSERVED_WITHIN);
            if let Err(failure) = app.ask(limit, move |client| session.events.observe(client)).await {
                tracing::debug!(%failure, "the application in front is not observed");
            }
        }
        self.session.events.changed(seen, deadline).await
    }
}

#[async_trait]
impl Watching for Desktop {
    async fn watch(&self, app: Option<&AppRef>, deadline: Deadline) -> Result<Box<dyn Watch>> {
        let shown = self.session.shown(deadline).await?;
        let only = match app {
            Some(app) => apps::pick(&shown.running, app)?.into_iter().next(),
            None => None,
        };
        Ok(Box::new(MacWatch::begin(Arc::clone(&self.session), only, deadline).await?))
    }
}

#[async_trait]
impl Elements for Desktop {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        actions::can_act(snapshot, node, action)
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        // Raising a window does nothing to what is in it.
        if *action != NodeAction::Raise {
            must_not_wait(snapshot, node)?;
        }
        let action = action.clone();
        self.on_element(snapshot, node, deadline, move |element| actions::act(element, &action)).await
    }
}

#[async_trait]
impl Values for Desktop {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        must_not_wait(snapshot, node)?;
        let value = value.clone();
        self.on_element(snapshot, node, deadline, move |element| text::set_value(element, &value)).await
    }
}

#[async_trait]
impl TextFields for Desktop {
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        self.set_value(snapshot, node, &Value::Text(text.into()), deadline).await
    }
}

#[async_trait]
impl Keyboard for Desktop {
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let text = text.to_owned();
        self.with_input(to, deadline, move |aim| input::type_text(aim, &text)).await
    }

    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        self.with_input(to, deadline, move |aim| input::press(aim, press)).await
    }
}

#[async_trait]
impl Touch for Desktop {
    fn multi_touch(&self) -> bool {
        false
    }

    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        let gesture = gesture.clone();
        self.with_input(to, deadline, move |aim| input::play(aim, &gesture, &Expected::anyone())).await
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        let drag = drag.clone();
        self.with_input(to, deadline, move |aim| input::drag(aim, drag.from, drag.to, &drag.onto)).await
    }
}

#[async_trait]
impl Pointer for Desktop {
    async fn point(&self, act: &Pointing, to: &Expected, deadline: Deadline) -> Result<()> {
        let act = act.clone();
        self.with_input(to, deadline, move |aim| match act {
            Pointing::RightClick(at) => input::open_menu(aim, at),
            Pointing::Hover(at) => input::hover(aim, at),
            Pointing::Wheel { at, direction, notches } => input::scroll(aim, at, direction, notches),
        })
        .await
    }
}

#[async_trait]
impl Pictures for Desktop {
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        if !permissions::may_see_screen() {
            return Err(permissions::not_seeing());
        }
        let taken = self
            .session
            .workers
            .run(deadline, move |cancel| Ok(screen::shoot(request.region, cancel.deadline.remaining())));
        taken.await.map_err(screen::late)?.map(Screenshot::Raw)
    }
}

#[async_trait]
impl Clipboard for Desktop {
    fn is_readable(&self) -> bool {
        true
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        let read = self.session.workers.run(deadline, |_| Ok(services::read_clipboard()));
        read.await.map_err(|failure| failure.into_error("The clipboard", "reading it"))
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        let text = text.to_owned();
        let written = self.session.workers.run(deadline, move |_| {
            if services::write_clipboard(&text) { Ok(()) } else { Err(Failure::Refused(0)) }
        });
        written.await.map_err(|_| {
            Error::new(Reason::ActionFailed, "macOS did not take the text for the clipboard.")
                .with_guidance("Try again; another program may hold it.")
        })
    }
}
