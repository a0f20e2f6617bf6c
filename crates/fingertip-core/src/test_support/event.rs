//! The calls that reached a scripted target.

use crate::gesture::Gesture;
use crate::target::{
    AppRef, Drag, KeyPress, LaunchPlan, LaunchRequest, LogQuery, NodeAction, Pointing, Scope,
    ScreenshotRequest, SystemAction, WindowAction,
};
use crate::{Node, Value};

/// One call. Nodes are named by [`name_of`].
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The tree was read.
    Snapshot(Scope),
    /// An incremental look that showed what was read earlier.
    IncrementalLook(Scope),
    /// The windows were listed.
    Windows,
    /// An observation of changes was started.
    Watch(Option<AppRef>),
    /// Fingers touched the screen.
    Gesture(Gesture),
    /// Something was done with the pointer.
    Point(Pointing),
    /// Something was dragged.
    Drag(Drag),
    /// Something was done to a node natively.
    Act {
        /// The node.
        node: String,
        /// What was done.
        action: NodeAction,
    },
    /// A node's text was replaced.
    SetText {
        /// The node.
        node: String,
        /// The new text.
        text: String,
    },
    /// A node's number or checked state was set.
    SetValue {
        /// The node.
        node: String,
        /// The new value.
        value: Value,
    },
    /// A text was typed.
    TypeText(String),
    /// A key was pressed.
    PressKey(KeyPress),
    /// Something system-wide was done.
    System(SystemAction),
    /// A picture was taken.
    Screenshot(ScreenshotRequest),
    /// The clipboard was read.
    ReadClipboard,
    /// The clipboard was replaced.
    WriteClipboard(String),
    /// How an application ended was asked.
    Ending(AppRef),
    /// Log lines were read.
    Logs(LogQuery),
    /// What can be opened was listed.
    Installed,
    /// It was asked what opening an application would run.
    PlanLaunch(LaunchRequest),
    /// An application was opened.
    Launch(LaunchPlan),
    /// An application was closed.
    CloseApp(AppRef),
    /// Something was done to a window.
    ActOnWindow {
        /// Its title.
        title: String,
        /// What was done.
        action: WindowAction,
    },
}

impl Event {
    /// Whether the call was meant to change something.
    #[must_use]
    pub const fn is_write(&self) -> bool {
        match self {
            Self::Snapshot(_)
            | Self::IncrementalLook(_)
            | Self::Windows
            | Self::Watch(_)
            | Self::Screenshot(_)
            | Self::ReadClipboard
            | Self::Installed
            | Self::PlanLaunch(_)
            | Self::Ending(_)
            | Self::Logs(_) => false,
            Self::Gesture(_)
            | Self::Point(_)
            | Self::Drag(_)
            | Self::Act { .. }
            | Self::SetText { .. }
            | Self::SetValue { .. }
            | Self::TypeText(_)
            | Self::PressKey(_)
            | Self::System(_)
            | Self::Launch(_)
            | Self::CloseApp(_)
            | Self::ActOnWindow { .. }
            | Self::WriteClipboard(_) => true,
        }
    }
}

/// A node's name in events: its simple class and its label in quotes, else its resource id, else its handle;
/// such as `Button "OK"`, `EditText #name`, `View @7`.
#[must_use]
pub fn name_of(node: &Node) -> String {
    let class = node.simple_class().unwrap_or("-");
    if let Some(label) = node.label() {
        format!("{class} {label:?}")
    } else if let Some(resource_id) = &node.resource_id {
        format!("{class} #{resource_id}")
    } else if let Some(handle) = &node.handle {
        format!("{class} @{handle}")
    } else {
        class.to_owned()
    }
}
