//! What every platform offers: to be looked at, and to be acted on.
//!
//! Rules for implementations: each method ends by its deadline with [`Reason::Timeout`], frozen application
//! or not; what a platform lacks is an absent [`Capabilities`] bit, never a method that does nothing and
//! says it did; an effect that can be checked by the driver alone (a panel that opened) is checked before
//! `Ok`. A call that is dropped half-way must leave no finger down and no key held. Looking nodes up again, checks for cover and reading text back are done by the caller.

mod capabilities;
mod log;
mod pixels;

use async_trait::async_trait;

pub use capabilities::Capabilities;
pub use log::{LogLevel, LogPage, LogQuery, LogTime};
pub use pixels::{PixelFormat, Pixels, Screenshot, ScreenshotRequest};

use crate::gesture::Gesture;
use crate::{Deadline, Error, NodeIndex, Reason, Result, Screen, Snapshot};

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
    App(String),
}

/// A key with a meaning of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// Enter, or the keyboard's action button.
    Enter,
    /// Removes one user-perceived character before the cursor.
    Delete,
    /// The next field, or a tab character.
    Tab,
    /// A space.
    Space,
}

/// A key or panel of the system rather than of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SystemAction {
    /// One step back.
    Back,
    /// The home screen.
    Home,
    /// The recent applications.
    Recents,
    /// The notification shade.
    Notifications,
    /// The quick settings panel.
    QuickSettings,
}

/// The way content moves into view: `Down` shows what is further down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards the top.
    Up,
    /// Towards the bottom.
    Down,
    /// Towards the left.
    Left,
    /// Towards the right.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Its word in tool parameters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The other way.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Something done to a node itself, not to the place where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeAction {
    /// Press it.
    Click,
    /// Hold it, or open its context menu.
    LongClick,
    /// Give it the input focus.
    Focus,
    /// Scroll its content.
    Scroll(Direction),
    /// Bring it into view.
    ShowOnScreen,
    /// A native action by its own name.
    Native(String),
}

/// One thing with a user interface.
///
/// Nodes are passed as a snapshot and an index into it; the snapshot is the caller's newest, so its handles
/// are fresh.
#[async_trait]
pub trait Target: Send + Sync {
    /// Who it is, now.
    fn info(&self) -> TargetInfo;

    /// What it can ever do. What it cannot do just now is an error of the call.
    fn capabilities(&self) -> Capabilities;

    /// Reads windows and nodes. A user interface that never rests is still read, and marked unsettled.
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot>;

    /// The screen's size and density as it is turned now; cheaper than a snapshot where the platform allows.
    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        Ok(self.snapshot(&Scope::Screen, deadline).await?.screen)
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

    /// Types at the cursor of the focused node.
    async fn type_text(&self, _text: &str, _deadline: Deadline) -> Result<()> {
        Err(lacks("type text"))
    }

    /// Presses and releases a key.
    async fn press_key(&self, _key: Key, _deadline: Deadline) -> Result<()> {
        Err(lacks("press keys"))
    }

    /// Does something system-wide; a panel counts as opened once it is there.
    async fn system(&self, _action: SystemAction, _deadline: Deadline) -> Result<()> {
        Err(lacks("press system keys"))
    }

    /// Plays finger paths; returns when the last finger is up.
    async fn gesture(&self, _gesture: &Gesture, _deadline: Deadline) -> Result<()> {
        Err(lacks("be touched"))
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
}

fn lacks(what: &str) -> Error {
    Error::new(Reason::Unsupported, format!("This target cannot {what}."))
}
