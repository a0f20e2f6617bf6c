//! Changes of the user interface, reported as they happen.

use async_trait::async_trait;

use super::AppRef;
use crate::{Deadline, Node, Result};

/// What sort of thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UiEventKind {
    /// A text, value or state of a node is another.
    ValueChanged,
    /// A node got the input focus.
    FocusChanged,
    /// A window opened.
    WindowCreated,
    /// A window closed.
    WindowDestroyed,
    /// A window has another title.
    TitleChanged,
    /// Children came or went.
    ChildrenChanged,
    /// The application is gone; nothing comes after it.
    AppQuit,
}

/// Something that happened in a user interface.
#[derive(Debug, Clone, PartialEq)]
pub struct UiEvent {
    /// What happened.
    pub kind: UiEventKind,
    /// Where.
    pub app: AppRef,
    /// The node it happened to, as it was read right after, with its handle; a secret is never in it. `None`
    /// when it was gone by then.
    pub node: Option<Node>,
    /// The title of the window, for windows and titles.
    pub title: Option<Box<str>>,
}

/// A running observation; dropping it ends it.
#[async_trait]
pub trait Watch: Send {
    /// The next event; times out when none comes by the deadline.
    async fn next(&mut self, deadline: Deadline) -> Result<UiEvent>;
}
