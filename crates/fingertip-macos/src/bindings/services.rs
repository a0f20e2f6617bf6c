//! What macOS offers outside of the C interfaces: running and installed applications, the clipboard, pictures, versions.
//!
//! On macOS these are Objective-C calls ([`objective_c`](platform)); elsewhere functions of the simulated Mac. Both have exactly
//! the functions re-exported here. They block, so they are never called on an async thread. What may wait takes a limit.

#[cfg(target_os = "macos")]
#[path = "services/objective_c.rs"]
mod platform;
#[cfg(not(target_os = "macos"))]
#[path = "services/simulated.rs"]
mod platform;

pub(crate) use platform::{
    installed_applications, open_application, os_version, picture, read_clipboard, responsible_program,
    running_application, running_applications, secure_event_input_enabled, write_clipboard,
};

/// A process that the window server knows as an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunningApplication {
    pub(crate) pid: i32,
    /// The name shown to the user, in the user's language.
    pub(crate) name: String,
    pub(crate) bundle_id: Option<String>,
    /// It has a place in the Dock. Others (menu bar extras, agents) may still show windows.
    pub(crate) is_regular: bool,
    /// It has ended since it was listed.
    pub(crate) is_terminated: bool,
}

/// An application bundle in one of the usual folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InstalledApplication {
    pub(crate) bundle_id: String,
    pub(crate) name: String,
    pub(crate) path: String,
}

/// A picture in rows of blue, green, red and alpha bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Bytes from one row to the next.
    pub(crate) stride: usize,
    pub(crate) bgra: Vec<u8>,
}
