//! What every platform offers: to be looked at, and to be acted on.
//!
//! Rules for implementations: each method ends by its deadline with [`Reason::Timeout`], frozen application
//! or not; what a platform lacks is an absent [`Capabilities`] bit, never a method that does nothing and
//! says it did; an effect that can be checked by the driver alone (a panel that opened) is checked before
//! `Ok`. A call that is dropped half-way must leave no finger down and no key held. What takes several steps holds on to
//! its receiver ([`Expected`]): a step that another application would get is not taken, and the error says how far it
//! came. Looking nodes up again,
//! checks for cover and reading text back are done by the caller.

mod action;
mod app;
mod capabilities;
mod expected;
mod key;
mod launch;
mod log;
mod pixels;
mod pointing;
mod search;
mod watch;
mod window_action;

use async_trait::async_trait;

pub use action::{Direction, NodeAction, SystemAction};
pub use app::{App, AppRef, Part};
pub use capabilities::Capabilities;
pub use expected::{Expected, diverted};
pub use key::{Key, KeyPress, Modifiers};
pub use launch::{ClosedApp, Installed, InstalledApps, LaunchPlan, LaunchRequest, Launched, MOST_INSTALLED};
pub use log::{LogLevel, LogPage, LogQuery, LogTime};
pub use pixels::{PixelFormat, Pixels, Screenshot, ScreenshotRequest};
pub use pointing::Pointing;
pub use search::{SearchPage, SearchRequest};
pub use watch::{UiEvent, UiEventKind, Watch};
pub use window_action::WindowAction;

use crate::gesture::Gesture;
use crate::{Deadline, Error, NodeIndex, Reason, Result, Screen, Snapshot, Value, Window};

/// What sort of thing a target is; decides which toolset it lists by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// A phone or tablet.
    Phone,
    /// A desktop session.
    Desktop,
}

/// Who a target is, for lists and messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetInfo {
    /// How calls name it: `android:SERIAL`, `desktop`, `demo`.
    pub name: String,
    /// What sort of thing it is.
    pub kind: TargetKind,
    /// What a person calls it, such as its model.
    pub label: String,
    /// How it is reached: `agent`, `shell`, `atspi`, `xa11y`.
    pub driver: String,
    /// Its state in one word, such as `ready` or `unauthorized`.
    pub state: String,
}

/// Which part of a target to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scope {
    /// What the user has in front: all windows of a phone, the focused application of a desktop.
    #[default]
    Screen,
    /// The windows of one application.
    App {
        /// Which one.
        app: AppRef,
        /// How much of it.
        part: Part,
    },
}

/// One thing with a user interface.
///
/// Nodes are passed as a snapshot and an index into it; the snapshot is the caller's newest, so its handles
/// are fresh.
#[async_trait]
pub trait Target: Send + Sync {
    /// Who it is, now.
    fn info(&self) -> TargetInfo;

    /// What every program of this user on this machine can call it by; `None` for a target that only this program has.
    /// Servers count their writes on it together by this name.
    fn machine_name(&self) -> Option<String> {
        None
    }

    /// What it can ever do. What it cannot do just now is an error of the call.
    fn capabilities(&self) -> Capabilities;

    /// Why it lacks what others of its kind can do, where there is a reason that its user should know.
    fn shortcoming(&self) -> Option<Error> {
        None
    }

    /// Reads windows and nodes. A user interface that never rests is still read, and marked unsettled.
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot>;

    /// Like [`Self::snapshot`], for a look right before or after an action. What was read a moment ago, and what the
    /// platform would have told a change of, need not be read again; the snapshot then says that it is recalled.
    async fn glance(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.snapshot(scope, deadline).await
    }

    /// Looks for nodes, out of sight ones included. Where there is too much to read in one call, the page names the rest
    /// ([`SearchPage::next`]); a rest that is not kept any more is [`Reason::Stale`].
    async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        if request.from.is_some() {
            return Err(Error::new(
                Reason::Stale,
                "This target reads everything at once: no search goes on.",
            ));
        }
        let scope = match request.scope {
            Scope::App { app, .. } => Scope::App { app: app.clone(), part: Part::Whole },
            Scope::Screen => Scope::Screen,
        };
        Ok(SearchPage { snapshot: self.snapshot(&scope, deadline).await?, next: None })
    }

    /// The screen's size and density as it is turned now; cheaper than a snapshot where the platform allows.
    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        Ok(self.snapshot(&Scope::Screen, deadline).await?.screen)
    }

    /// The running applications that have a user interface, the one in front first.
    async fn apps(&self, deadline: Deadline) -> Result<Vec<App>> {
        Ok(apps_of(&self.windows(deadline).await?))
    }

    /// All windows without their nodes, minimized ones included, the topmost first.
    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let snapshot = self.snapshot(&Scope::Screen, deadline).await?;
        let mut windows = snapshot.windows().to_vec();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        Ok(windows)
    }

    /// Who would receive a touch or a key now: windows, the topmost first, with the area in which they take
    /// touches as their bounds. Cheaper than a snapshot where the platform allows, and never waits for rest.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.windows(deadline).await
    }

    /// Starts to watch one application, or all; only with [`Capabilities::WATCH`].
    async fn watch(&self, _app: Option<&AppRef>, _deadline: Deadline) -> Result<Box<dyn Watch>> {
        Err(lacks("tell changes one by one"))
    }

    /// How many changes of the user interface were noticed so far; grows only with [`Capabilities::EVENTS`].
    fn activity(&self) -> u64 {
        0
    }

    /// Returns the new count once [`Self::activity`] exceeds `seen`; times out otherwise.
    async fn changed(&self, _seen: u64, _deadline: Deadline) -> Result<u64> {
        Err(lacks("report changes"))
    }

    /// Whether [`Self::act`] can do this to that node.
    fn can_act(&self, _snapshot: &Snapshot, _node: NodeIndex, _action: &NodeAction) -> bool {
        false
    }

    /// Does something to a node natively.
    async fn act(
        &self,
        _snapshot: &Snapshot,
        _node: NodeIndex,
        _action: &NodeAction,
        _deadline: Deadline,
    ) -> Result<()> {
        Err(lacks("act on elements directly"))
    }

    /// Replaces the text of an editable node.
    async fn set_text(
        &self,
        _snapshot: &Snapshot,
        _node: NodeIndex,
        _text: &str,
        _deadline: Deadline,
    ) -> Result<()> {
        Err(lacks("set text"))
    }

    /// Sets the number or the checked state of a node; only with [`Capabilities::VALUES`].
    async fn set_value(
        &self,
        _snapshot: &Snapshot,
        _node: NodeIndex,
        _value: &Value,
        _deadline: Deadline,
    ) -> Result<()> {
        Err(lacks("set values"))
    }

    /// Types at the cursor of the focused node, as long as those who are meant have the keyboard.
    async fn type_text(&self, _text: &str, _to: &Expected, _deadline: Deadline) -> Result<()> {
        Err(lacks("type text"))
    }

    /// Presses and releases a key as often as asked, if those who are meant have the keyboard and the platform can make
    /// sure of it. Several times are one act: it ends at the first after which another receives keys. The title of the
    /// window that got it, where windows have one and the platform tells.
    async fn press_key(
        &self,
        _press: KeyPress,
        _to: &Expected,
        _deadline: Deadline,
    ) -> Result<Option<String>> {
        Err(lacks("press keys"))
    }

    /// Does something system-wide; a panel counts as opened once it is there.
    async fn system(&self, _action: SystemAction, _deadline: Deadline) -> Result<()> {
        Err(lacks("press system keys"))
    }

    /// Plays finger paths; returns when the last finger is up. A finger that comes down after the start does so only on
    /// a window of those who are meant; otherwise all are taken away and the rest is not played.
    async fn gesture(&self, _gesture: &Gesture, _to: &Expected, _deadline: Deadline) -> Result<()> {
        Err(lacks("be touched"))
    }

    /// Does something with the pointer, if those who are meant lie there; all but a drag only with
    /// [`Capabilities::POINTER`]. What is dragged is dropped on those who are meant, or taken back to where it was.
    async fn point(&self, act: &Pointing, to: &Expected, deadline: Deadline) -> Result<()> {
        match act {
            Pointing::Drag { from, to: end, .. } => {
                self.gesture(&Gesture::drag(*from, *end), to, deadline).await
            }
            _ => Err(lacks("be pointed at")),
        }
    }

    /// Takes a picture of the screen.
    async fn screenshot(&self, _request: ScreenshotRequest, _deadline: Deadline) -> Result<Screenshot> {
        Err(lacks("take screenshots"))
    }

    /// Reads the clipboard; `None` when it holds no text.
    async fn clipboard(&self, _deadline: Deadline) -> Result<Option<String>> {
        Err(lacks("read the clipboard"))
    }

    /// Replaces the clipboard.
    async fn set_clipboard(&self, _text: &str, _deadline: Deadline) -> Result<()> {
        Err(lacks("write the clipboard"))
    }

    /// Reads the newest log lines that match.
    async fn logs(&self, _query: &LogQuery, _deadline: Deadline) -> Result<LogPage> {
        Err(lacks("show logs"))
    }

    /// The applications that can be opened; only with [`Capabilities::APPS`].
    async fn installed(&self, _deadline: Deadline) -> Result<InstalledApps> {
        Err(lacks("list applications"))
    }

    /// What opening an application would run; nothing is started. Only with [`Capabilities::APPS`].
    async fn plan_launch(&self, _request: &LaunchRequest, _deadline: Deadline) -> Result<LaunchPlan> {
        Err(lacks("open applications"))
    }

    /// Starts exactly what was planned, and waits for its window; only with [`Capabilities::APPS`].
    async fn launch(&self, _plan: &LaunchPlan, _deadline: Deadline) -> Result<Launched> {
        Err(lacks("open applications"))
    }

    /// Closes an application as its user would: on a desktop its windows are asked to, and nothing is killed. Only with
    /// [`Capabilities::CLOSE_APPS`].
    async fn close_app(&self, _app: &AppRef, _deadline: Deadline) -> Result<ClosedApp> {
        Err(lacks("close applications"))
    }

    /// Does something to a window, and looks whether it happened: the window as it is afterwards, `None` when it is gone.
    /// Only with [`Capabilities::WINDOWS`].
    async fn act_on_window(
        &self,
        _window: &Window,
        _action: WindowAction,
        _deadline: Deadline,
    ) -> Result<Option<Window>> {
        Err(lacks("act on windows"))
    }
}

fn lacks(what: &str) -> Error {
    Error::new(Reason::Unsupported, format!("This target cannot {what}."))
}

/// The applications that own these windows, the focused one first.
#[must_use]
pub fn apps_of(windows: &[Window]) -> Vec<App> {
    let mut apps: Vec<App> = Vec::new();
    for window in windows {
        let Some(name) = &window.app else { continue };
        match apps.iter_mut().find(|app| app.name == *name && app.pid == window.pid) {
            Some(app) => app.focused |= window.focused,
            None => {
                apps.push(App { name: name.clone(), id: None, pid: window.pid, focused: window.focused });
            }
        }
    }
    apps.sort_by_key(|app| !app.focused);
    apps
}
