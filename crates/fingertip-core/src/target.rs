//! What every platform offers: to be looked at, and to be acted on.
//!
//! Every target can be looked at. What else it can do are traits of their own, from [`Changes`] to [`WindowManager`], which it hands out where it
//! ever can: what a platform or a session lacks is `None`, and its tools are not listed. What it cannot do just now is an
//! error of the call.
//!
//! Rules for implementations: each method ends by its deadline with [`Reason::Timeout`], frozen application or not; an effect that can be checked by the driver alone (a panel that opened) is checked before
//! `Ok`. A call that is dropped half-way must leave no finger down and no key held. What takes several steps holds on to
//! its receiver ([`Expected`]): a step that another application would get is not taken, and the error says how far it
//! came. Looking nodes up again,
//! checks for cover and reading text back are done by the caller.

mod action;
mod app;
mod capabilities;
mod ending;
mod expected;
mod key;
mod launch;
mod log;
mod parts;
mod pixels;
mod pointing;
mod search;
mod watch;
mod window_action;

use async_trait::async_trait;

pub use action::{Direction, NodeAction, SystemAction};
pub use app::{App, AppRef, Part};
pub use capabilities::Capabilities;
pub use ending::Ending;
pub use expected::{Expected, diverted};
pub use key::{Key, KeyPress, Modifiers};
pub use launch::{ClosedApp, Installed, InstalledApps, LaunchPlan, LaunchRequest, Launched, MOST_INSTALLED};
pub use log::{LogLevel, LogPage, LogQuery, LogTime};
pub use parts::{
    AppCloser, Applications, Changes, Clipboard, Elements, Endings, Keyboard, Logs, Pictures, Pointer,
    SystemKeys, TextFields, Touch, Values, Watching, WindowManager,
};
pub use pixels::{PixelFormat, Pixels, Screenshot, ScreenshotRequest};
pub use pointing::{Drag, Pointing};
pub use search::{SearchPage, SearchRequest};
pub use watch::{UiEvent, UiEventKind, Watch};
pub use window_action::WindowAction;

use crate::{Deadline, Error, Node, Reason, Result, Screen, Snapshot, Window};

/// What sort of thing a target is. Whoever acts differently on the two asks for the trait that makes the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// A phone or tablet.
    Phone,
    /// A desktop session.
    Desktop,
}

impl TargetKind {
    /// One look reads all that is on the screen, and nothing else can be read. Else applications are read one by one,
    /// each in front or not.
    #[must_use]
    pub const fn reads_whole_screen(self) -> bool {
        matches!(self, Self::Phone)
    }

    /// An application is a process with windows, and what is done to its elements is sent to it. Else an application is a
    /// package, and its elements may have to be touched where they lie.
    #[must_use]
    pub const fn addresses_processes(self) -> bool {
        matches!(self, Self::Desktop)
    }

    /// Keys go to the window with the focus, whatever an element in another says of itself.
    #[must_use]
    pub const fn keys_follow_window(self) -> bool {
        matches!(self, Self::Desktop)
    }

    /// Windows report their layer, and the order of those on one layer is not known.
    #[must_use]
    pub const fn layers_windows(self) -> bool {
        matches!(self, Self::Phone)
    }

    /// Keyboard and navigation bar are windows on the screen, and a touch there is meant for the application in front.
    #[must_use]
    pub const fn has_keys_on_screen(self) -> bool {
        matches!(self, Self::Phone)
    }
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

/// Reading a user interface.
#[async_trait]
pub trait Look: Send + Sync {
    /// Reads windows and nodes. A user interface that never settles is still read, and marked unsettled.
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot>;

    /// Like [`Self::snapshot`], for a look right before or after an action. What was read a moment ago, and what the
    /// platform would have reported a change of, need not be read again; the snapshot then says that it is recalled.
    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot>;
}

/// What is there, without all of its nodes. Where the platform offers no cheaper way, the answer is taken from a snapshot.
#[async_trait]
pub trait Survey: Look {
    /// Looks for nodes, those off screen included. Where there is too much to read in one call, the page names where to
    /// go on ([`SearchPage::next`]); a search that is not kept any more is [`Reason::Stale`].
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
    /// touches as their bounds. Cheaper than a snapshot where the platform allows, and never waits for the screen to settle.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.windows(deadline).await
    }

    /// The application that would carry out what is asked of a node: of one that shows a part of another, that other.
    /// `None` where a node is always its window's own.
    async fn owner(&self, _node: &Node, _deadline: Deadline) -> Result<Option<App>> {
        Ok(None)
    }
}

/// One thing with a user interface: what can be done to it is what it hands out.
///
/// Nodes are passed as a snapshot and an index into it; the snapshot is the caller's newest, so its handles
/// are fresh.
pub trait Target: Look {
    /// Who it is, now.
    fn info(&self) -> TargetInfo;

    /// What sort of thing it is.
    fn kind(&self) -> TargetKind;

    /// What every program of this user on this machine can call it by; `None` for a target that only this program has.
    /// Servers count their writes on it together by this name.
    fn machine_name(&self) -> Option<String>;

    /// Why it lacks what others of its kind can do, where there is a reason that its user should know.
    fn shortcoming(&self) -> Option<Error>;

    /// All that it ever hands out, as a set.
    fn capabilities(&self) -> Capabilities {
        Capabilities::of(self)
    }

    /// What is there, without all of its nodes.
    fn survey(&self) -> &dyn Survey;

    /// Changes as they happen.
    fn changes(&self) -> Option<&dyn Changes>;

    /// Each change with the node it happened to.
    fn watching(&self) -> Option<&dyn Watching>;

    /// Actions on nodes themselves.
    fn elements(&self) -> Option<&dyn Elements>;

    /// Numbers and checked states of nodes.
    fn values(&self) -> Option<&dyn Values>;

    /// The text of editable nodes.
    fn text_fields(&self) -> Option<&dyn TextFields>;

    /// Keys, and text by keys.
    fn keyboard(&self) -> Option<&dyn Keyboard>;

    /// Back, home, and the panels of the system.
    fn system_keys(&self) -> Option<&dyn SystemKeys>;

    /// Fingers, or a pointer that stands for one.
    fn touch(&self) -> Option<&dyn Touch>;

    /// A pointer of a desktop.
    fn pointer(&self) -> Option<&dyn Pointer>;

    /// Pictures of the screen.
    fn pictures(&self) -> Option<&dyn Pictures>;

    /// The clipboard.
    fn clipboard(&self) -> Option<&dyn Clipboard>;

    /// Log lines.
    fn logs(&self) -> Option<&dyn Logs>;

    /// How applications ended.
    fn endings(&self) -> Option<&dyn Endings>;

    /// The applications that can be opened.
    fn applications(&self) -> Option<&dyn Applications>;

    /// Closing applications.
    fn app_closer(&self) -> Option<&dyn AppCloser>;

    /// Windows that can be acted on.
    fn window_manager(&self) -> Option<&dyn WindowManager>;
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
                let (pid, focused) = (window.pid, window.focused);
                apps.push(App { name: name.clone(), id: None, pid, focused, background: false });
            }
        }
    }
    apps.sort_by_key(|app| !app.focused);
    apps
}
