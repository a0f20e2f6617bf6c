//! This desktop session as a target.
//!
//! A target outlives what it talks to: the accessibility bus is connected to by the first call that needs it,
//! and again when it went away. The display server gives the places of windows and what lies above them; where it
//! does not, the tree is still read, and the windows are where their applications say.

mod look;
mod opening;

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    App, AppRef, Drag, Expected, KeyPress, NodeAction, Pointing, Scope, Screenshot, ScreenshotRequest,
    SearchPage, SearchRequest, TargetInfo, TargetKind, Watch,
};
use fingertip_core::{Deadline, Error, Node, NodeIndex, Reason, Result, Screen, Snapshot, Value, Window};
use fingertip_desktop::acting::must_not_wait;
use fingertip_desktop::searches::Searches;
use fingertip_desktop::{ListedWindow, RunningApp, apps, windows};
use futures_util::future::join_all;
use tokio::sync::Mutex;

use crate::actions;
use crate::apps::{Apps, Running};
use crate::bus::Bus;
use crate::client::Client;
use crate::display::{self, DisplayServer, Offers};
use crate::environment::Environment;
use crate::events::{Events, LinuxWatch, SessionReader};
use crate::handle::Handle;
use crate::keys::must_answer;
use crate::launch;
use crate::read;
use crate::text::Change;
use crate::tree::search::Search;
use look::{Desktop, owner, screen};

/// What this target is called.
pub const NAME: &str = "desktop";
/// The desktop of the session this program runs in.
#[derive(Debug)]
pub struct LinuxTarget {
    environment: Environment,
    session: Mutex<Option<Arc<Session>>>,
    display: Arc<dyn DisplayServer>,
    searches: Searches<Search>,
    opened: launch::Opened,
}

/// A connection to the accessibility bus, and the applications on it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) bus: Arc<Bus>,
    pub(crate) apps: Apps,
    pub(crate) events: Events,
}

impl Session {
    /// The application an object belongs to.
    async fn owner(&self, snapshot: &Snapshot, node: NodeIndex, deadline: Deadline) -> Result<Arc<Running>> {
        let handle = Handle::of(snapshot.node(node))?;
        let app = snapshot.windows()[snapshot.window_of(node)].app.as_deref().unwrap_or("The application");
        let owner = self.apps.owner(&self.bus, &handle.bus_name, deadline).await;
        owner.map_err(|error| error.into_error(app, "nothing was done"))
    }

    /// The way to talk to an application.
    pub(crate) async fn client<'a>(&self, app: &'a Running, deadline: Deadline) -> Result<Client<'a>> {
        let client = app.client(&self.bus, deadline).await;
        client.map_err(|error| error.into_error(&app.name(), "nothing was done"))
    }
}

impl LinuxTarget {
    /// The desktop of this session. No bus is connected to yet; in a Wayland session it is asked for a moment what the
    /// compositor gives, and whether the X server, if there is one, shows a screen.
    #[must_use]
    pub fn new(environment: Environment) -> Self {
        let display = display::open(&environment);
        Self {
            environment,
            session: Mutex::new(None),
            display,
            searches: Searches::default(),
            opened: launch::Opened::default(),
        }
    }

    /// The desktop of this session, once it let us in.
    ///
    /// # Errors
    /// When there is no session bus or no accessibility bus; says what to do.
    pub async fn connect(environment: Environment, deadline: Deadline) -> Result<Self> {
        let target = Self::new(environment);
        target.session(deadline).await?;
        Ok(target)
    }

    /// How many calls were made on the accessibility bus since it was connected to.
    pub async fn round_trips(&self) -> u64 {
        self.session.lock().await.as_ref().map_or(0, |session| session.bus.round_trips())
    }

    /// The display server.
    pub(crate) fn display(&self) -> &dyn DisplayServer {
        &*self.display
    }

    /// This, where the display server gives what is needed.
    fn with(&self, needed: Offers) -> Option<&Self> {
        self.display.offers().contains(needed).then_some(self)
    }

    /// The windows on the screen that pass, the topmost first.
    async fn shown(&self, passes: fn(&ListedWindow) -> bool, deadline: Deadline) -> Result<Vec<Window>> {
        let session = self.session(deadline).await?;
        let Desktop { display, running, .. } = self.desktop(&session, deadline).await?;
        let Some(display) = display else {
            return Ok(read::windows(&session.bus, &running, deadline).await);
        };
        let shown = display.windows.iter().filter(|window| passes(window));
        let mut windows: Vec<Window> =
            shown.map(|window| windows::window(window, owner(window, &running).as_deref())).collect();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        Ok(windows)
    }

    /// The accessibility bus, connected to anew when it is gone.
    pub(crate) async fn session(&self, deadline: Deadline) -> Result<Arc<Session>> {
        let waiting = tokio::time::timeout_at(deadline.instant().into(), self.session.lock());
        let mut slot = waiting.await.map_err(|_| busy())?;
        if let Some(session) = slot.as_ref().filter(|session| !session.bus.is_closed()) {
            return Ok(Arc::clone(session));
        }
        let bus = Arc::new(Bus::connect(&self.environment, deadline).await?);
        let events = Events::new(Arc::clone(&bus));
        let session = Arc::new(Session { bus, apps: Apps::default(), events });
        *slot = Some(Arc::clone(&session));
        Ok(session)
    }
}

impl Target for LinuxTarget {
    fn kind(&self) -> TargetKind {
        TargetKind::Desktop
    }

    fn machine_name(&self) -> Option<String> {
        let Environment { display, wayland, session_bus, .. } = &self.environment;
        let socket = wayland.as_ref().and_then(|socket| socket.to_str());
        let session = display.as_deref().or(socket).or(session_bus.as_deref());
        Some(format!("desktop:{}", session.unwrap_or_default()))
    }

    fn info(&self) -> TargetInfo {
        let reached = self
            .session
            .try_lock()
            .is_ok_and(|session| session.as_ref().is_some_and(|session| !session.bus.is_closed()));
        TargetInfo {
            name: NAME.to_owned(),
            kind: TargetKind::Desktop,
            label: label(),
            driver: "atspi".to_owned(),
            state: if reached { "ready" } else { "not connected" }.to_owned(),
        }
    }

    fn shortcoming(&self) -> Option<Error> {
        self.display.shortcoming()
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        Some(self)
    }

    fn watching(&self) -> Option<&dyn Watching> {
        Some(self)
    }

    fn elements(&self) -> Option<&dyn Elements> {
        Some(self)
    }

    fn values(&self) -> Option<&dyn Values> {
        Some(self)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        Some(self)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        self.with(Offers::KEYBOARD).map(|target| target as _)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        None
    }

    fn touch(&self) -> Option<&dyn Touch> {
        self.with(Offers::POINTER).map(|target| target as _)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        self.with(Offers::POINTER).map(|target| target as _)
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        self.with(Offers::PICTURES).map(|target| target as _)
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        self.with(Offers::CLIPBOARD).map(|target| target as _)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        None
    }

    fn endings(&self) -> Option<&dyn Endings> {
        Some(self)
    }

    fn applications(&self) -> Option<&dyn Applications> {
        Some(self)
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        self.with(Offers::WINDOWS).map(|target| target as _)
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        self.with(Offers::WINDOWS).map(|target| target as _)
    }
}

#[async_trait]
impl Look for LinuxTarget {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let session = self.session(deadline).await?;
        self.look(&session, scope, None, deadline).await
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let session = self.session(deadline).await?;
        let _lease = session.events.listen(deadline).await?;
        match self.look_at_known(&session, scope, deadline).await {
            Ok(Some(snapshot)) => Ok(snapshot),
            // It may have ended; a full read reports that.
            Ok(None) => self.look(&session, scope, Some(&session.events), deadline).await,
            Err(error) if error.reason() == Reason::Timeout => Err(error),
            Err(_) => self.look(&session, scope, Some(&session.events), deadline).await,
        }
    }
}

#[async_trait]
impl Survey for LinuxTarget {
    async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        let session = self.session(deadline).await?;
        self.look_for(&session, request, deadline).await
    }

    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        self.display.screen(deadline).await.map(screen)
    }

    async fn apps(&self, deadline: Deadline) -> Result<Vec<App>> {
        let session = self.session(deadline).await?;
        let desktop = self.desktop(&session, deadline).await?;
        let front = desktop.front().await;
        let focused = |app: &Arc<Running>| {
            front.as_ref().is_some_and(|front| front.of_it.iter().any(|other| Arc::ptr_eq(other, app)))
        };
        let told = desktop.running.iter().map(async |app| {
            let background = !desktop.shows_a_window_of(app) && app.is_empty(&session.bus, deadline).await;
            App { background, ..app.app(focused(app)) }
        });
        let mut apps = join_all(told).await;
        apps.extend(desktop.without_a_tree());
        apps.sort_by_key(|app| !app.focused);
        Ok(apps)
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.shown(|window| !window.unmanaged, deadline).await
    }

    /// Menus and other popups too: they lie above everything and take the touch.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.shown(|_| true, deadline).await
    }

    /// Whoever has its object on the bus. An application says itself what is in its windows, and may name objects of any
    /// other.
    async fn owner(&self, node: &Node, deadline: Deadline) -> Result<Option<App>> {
        let handle = Handle::of(node)?;
        let session = self.session(deadline).await?;
        let owner = session.apps.owner(&session.bus, &handle.bus_name, deadline).await;
        let owner = owner.map_err(|error| error.into_error("The application", "nothing was done"))?;
        Ok(Some(owner.app(false)))
    }
}

#[async_trait]
impl Changes for LinuxTarget {
    fn activity(&self) -> u64 {
        let session = self.session.try_lock().ok();
        session.and_then(|session| session.as_ref().map(|session| session.events.count())).unwrap_or_default()
    }

    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        self.session(deadline).await?.events.changed(seen, deadline).await
    }
}

#[async_trait]
impl Watching for LinuxTarget {
    async fn watch(&self, app: Option<&AppRef>, deadline: Deadline) -> Result<Box<dyn Watch>> {
        let session = self.session(deadline).await?;
        let only = match app {
            Some(app) => {
                let found = apps::pick(&session.apps.list(&session.bus, deadline).await?, app)?;
                let names = found.iter().map(|app| Arc::clone(&app.root.bus_name)).collect();
                found.first().map(|first| (first.app(false).reference(), names))
            }
            None => None,
        };
        let events = session.events.subscribe(deadline).await?;
        Ok(Box::new(LinuxWatch::begin(SessionReader(session), only, events, deadline).await))
    }
}

#[async_trait]
impl Elements for LinuxTarget {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        let node = actions::doer(snapshot, node, action);
        actions::can_act(snapshot, node, action)
            && !(self.with(Offers::POINTER).is_some() && actions::wants_pointer(snapshot, node, action))
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
        let node = actions::doer(snapshot, node, action);
        let session = self.session(deadline).await?;
        let app = session.owner(snapshot, node, deadline).await?;
        let client = session.client(&app, deadline).await?;
        let acted = actions::act(client, self.display(), snapshot, node, action).await;
        app.cache.touch(&Handle::of(snapshot.node(node))?);
        acted
    }
}

#[async_trait]
impl Values for LinuxTarget {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        must_not_wait(snapshot, node)?;
        let session = self.session(deadline).await?;
        let app = session.owner(snapshot, node, deadline).await?;
        let client = session.client(&app, deadline).await?;
        let changed =
            Change { client, display: self.display(), snapshot, index: node }.set_value(value).await;
        app.cache.touch(&Handle::of(snapshot.node(node))?);
        changed
    }
}

#[async_trait]
impl TextFields for LinuxTarget {
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
impl Keyboard for LinuxTarget {
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        must_answer(&*self.session(deadline).await?, self.display(), deadline).await?;
        self.display.type_text(text, to, deadline).await
    }

    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        must_answer(&*self.session(deadline).await?, self.display(), deadline).await?;
        self.display.press(press, to, deadline).await
    }
}

#[async_trait]
impl Touch for LinuxTarget {
    fn multi_touch(&self) -> bool {
        false
    }

    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        self.display.play(gesture, to, deadline).await
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        self.display.drag(&Gesture::drag(drag.from, drag.to), to, &drag.onto, deadline).await
    }
}

#[async_trait]
impl Pointer for LinuxTarget {
    async fn point(&self, act: &Pointing, to: &Expected, deadline: Deadline) -> Result<()> {
        match act {
            Pointing::RightClick(at) => self.display.open_menu(*at, to, deadline).await,
            Pointing::Hover(at) => self.display.hover(*at, to, deadline).await,
            Pointing::Wheel { at, direction, notches } => {
                self.display.scroll(*at, *direction, *notches, to, deadline).await
            }
        }
    }
}

#[async_trait]
impl Pictures for LinuxTarget {
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        self.display.shoot(request.region, deadline).await.map(Screenshot::Raw)
    }
}

#[async_trait]
impl Clipboard for LinuxTarget {
    fn is_readable(&self) -> bool {
        true
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.display.clipboard(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.display.set_clipboard(text, deadline).await
    }
}

fn label() -> String {
    let desktop = std::env::var("XDG_CURRENT_DESKTOP").ok().filter(|name| !name.is_empty());
    format!("Linux desktop{}", desktop.map(|name| format!(" ({name})")).unwrap_or_default())
}

fn busy() -> Error {
    Error::new(Reason::Timeout, "Connecting to the accessibility bus took too long.")
        .with_guidance("Try again; `fingertip doctor` says what is wrong.")
}
