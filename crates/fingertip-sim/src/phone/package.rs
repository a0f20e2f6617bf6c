//! Installed packages, running processes, and starting them.

/// An installed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// What users call it.
    pub label: &'static str,
    /// The user id of its processes.
    pub uid: u32,
    /// Its version for humans.
    pub version_name: &'static str,
    /// Its version for machines.
    pub version_code: u32,
    /// The class (fully qualified) the launcher starts, if the launcher shows it.
    pub launcher_activity: Option<&'static str>,
    /// All activities `start` accepts, fully qualified.
    pub activities: &'static [&'static str],
}

/// A running process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its process id.
    pub pid: u32,
    /// Its user id.
    pub uid: u32,
    /// Its name: the package, for an app.
    pub name: String,
}

/// Where the input focus is, in the words of `dumpsys`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Focus {
    /// The package of the resumed activity.
    pub package: String,
    /// The class of the resumed activity, fully qualified.
    pub activity: String,
    /// The name of the focused window (`package/class`, `NotificationShade`, `PopupWindow:1a2b3c`).
    pub window: String,
    /// The number of the task the activity belongs to.
    pub task: u32,
}

/// Why an activity could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The text is no component.
    #[error("`{0}` is not a component; write package/class")]
    NotAComponent(String),
    /// Nothing installed has this name.
    #[error("Activity class {{{0}}} does not exist.")]
    NotFound(String),
}

/// Which activity came to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Its package.
    pub package: &'static str,
    /// Its class, fully qualified.
    pub activity: &'static str,
    /// Whether its task was already there and only came to the front.
    pub brought_to_front: bool,
}
