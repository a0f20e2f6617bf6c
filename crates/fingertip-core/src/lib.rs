//! The platform-free heart of Fingertip: one tree model, and every rule that is the same on all platforms.
//!
//! Rules of this crate: no I/O, no async runtime, no operating-system type. Platform crates build
//! [`Snapshot`]s and implement [`Target`]; the MCP crate asks for them and never knows what is behind.

pub mod clock;
pub mod compact;
pub mod deadline;
pub mod diff;
pub mod error;
pub mod fair;
pub mod finding;
pub mod fingerprint;
pub mod flags;
pub mod fold;
pub mod geometry;
pub mod gesture;
pub mod hit;
pub mod id;
pub mod lean;
pub mod node;
pub mod outline;
pub mod path;
pub mod prelude;
pub mod role;
pub mod select;
pub mod selector;
pub mod snapshot;
pub mod sync;
pub mod target;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
pub mod visible;
pub mod window;

pub use deadline::Deadline;
pub use error::{Candidate, Error, ErrorKind, Reason, Result};
pub use finding::Finding;
pub use flags::Flags;
pub use geometry::{Point, Rect};
pub use id::{IdPool, Identities, Located};
pub use node::{Node, NodeId, NodeIndex, Value, one_line};
pub use role::Role;
pub use selector::Selector;
pub use snapshot::{Builder, Notice, NoticeKind, Orientation, Screen, Snapshot, Toast};
pub use target::Target;
pub use window::{Window, WindowKind};
