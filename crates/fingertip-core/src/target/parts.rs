//! What a target can do beside being read, each a trait of its own.
//!
//! A target hands out the parts it has ([`Target`](super::Target)); none of them has a method that does nothing. The rules of
//! a target hold for each of them.

use std::time::Duration;

use async_trait::async_trait;

use super::{
    AppRef, ClosedApp, Drag, Ending, Expected, InstalledApps, KeyPress, LaunchPlan, LaunchRequest, Launched,
    LogPage, LogQuery, NodeAction, Pointing, Screenshot, ScreenshotRequest, SystemAction, Watch,
    WindowAction,
};
use crate::gesture::Gesture;
use crate::{Deadline, NodeIndex, Result, Snapshot, Value, Window};

/// Changes are reported as they happen.
#[async_trait]
pub trait Changes: Send + Sync {
    /// How many changes of the user interface were noticed so far.
    fn activity(&self) -> u64;

    /// Returns the new count once [`Self::activity`] exceeds `seen`; times out otherwise.
    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64>;
}

/// Each change is reported with the node it happened to.
#[async_trait]
pub trait Watching: Send + Sync {
    /// Starts to watch one application, or all.
    async fn watch(&self, app: Option<&AppRef>, deadline: Deadline) -> Result<Box<dyn Watch>>;
}

/// Actions on nodes themselves.
#[async_trait]
pub trait Elements: Send + Sync {
    /// Whether [`Self::act`] can do this to that node.
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool;

    /// Does something to a node natively.
    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()>;
}

/// Numbers and checked states of nodes.
#[async_trait]
pub trait Values: Send + Sync {
    /// Sets the number or the checked state of a node.
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()>;
}

/// The text of editable nodes.
#[async_trait]
pub trait TextFields: Send + Sync {
    /// Replaces the text of an editable node.
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()>;
}

/// Keys, and text by keys.
#[async_trait]
pub trait Keyboard: Send + Sync {
    /// Types at the cursor of the focused node, as long as those who are meant have the keyboard.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Presses and releases a key as often as asked, if those who are meant have the keyboard and the platform can make
    /// sure of it. Several times are one act: it ends at the first after which another receives keys. The title of the
    /// window that got it, where windows have one and the platform reports it.
    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>>;
}

/// Back, home, and the panels of the system.
#[async_trait]
pub trait SystemKeys: Send + Sync {
    /// Does something system-wide; a panel counts as opened once it is there.
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()>;
}

/// Fingers, or a pointer that stands for one.
#[async_trait]
pub trait Touch: Send + Sync {
    /// Whether several fingers can be down at once.
    fn multi_touch(&self) -> bool;

    /// Plays finger paths; returns when the last finger is up. A finger that comes down after the start does so only on
    /// a window of those who are meant; otherwise all are taken away and the rest is not played.
    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Drags something of those who are meant. It is dropped on those who are meant to receive it, or taken back to where
    /// it was. A finger first stays still until it has picked up what it is on.
    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()>;
}

/// A pointer with more than one button, a wheel, and a place on the screen.
#[async_trait]
pub trait Pointer: Send + Sync {
    /// Does something with the pointer, if those who are meant lie there.
    async fn point(&self, act: &Pointing, to: &Expected, deadline: Deadline) -> Result<()>;
}

/// Pictures of the screen.
#[async_trait]
pub trait Pictures: Send + Sync {
    /// Takes a picture of the screen.
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot>;
}

/// The clipboard.
#[async_trait]
pub trait Clipboard: Send + Sync {
    /// Whether it may be read too: since Android 10 apps may only write it.
    fn is_readable(&self) -> bool;

    /// Reads the clipboard; `None` when it holds no text.
    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>>;

    /// Replaces the clipboard.
    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()>;
}

/// Log lines.
#[async_trait]
pub trait Logs: Send + Sync {
    /// Reads the newest log lines that match.
    async fn read_logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage>;
}

/// How applications ended.
#[async_trait]
pub trait Endings: Send + Sync {
    /// How this application ended within the last moments; `None` where nothing shows that it did.
    async fn ending(&self, app: &AppRef, within: Duration, deadline: Deadline) -> Result<Option<Ending>>;
}

/// The applications that can be opened.
#[async_trait]
pub trait Applications: Send + Sync {
    /// All of them.
    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps>;

    /// What opening an application would run; nothing is started.
    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan>;

    /// Starts exactly what was planned, and waits for its window.
    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched>;
}

/// Closing applications.
#[async_trait]
pub trait AppCloser: Send + Sync {
    /// Closes an application as its user would: on a desktop its windows are asked to, and nothing is killed.
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp>;
}

/// Windows that can be brought to the front, closed, moved and resized.
#[async_trait]
pub trait WindowManager: Send + Sync {
    /// Does something to a window, and looks whether it happened: the window as it is afterwards, `None` when it is gone.
    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>>;
}
