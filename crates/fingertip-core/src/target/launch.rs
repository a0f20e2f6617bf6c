//! Applications that can be opened, and what opening one would run.
//!
//! Opening takes two steps, so that what was judged is what is run: [`plan_launch`](super::Target::plan_launch) finds out
//! word by word what would be started and touches nothing; [`launch`](super::Target::launch) starts exactly that.

use crate::Window;

/// The most applications a platform lists.
pub const MOST_INSTALLED: usize = 2000;

/// An application that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Installed {
    /// How it is named in a call: the id of its desktop entry, or its package.
    pub id: Box<str>,
    /// What a person calls it; its id where the platform reports no name.
    pub name: Box<str>,
    /// The programs that opening it runs, as far as that is written down.
    pub programs: Vec<Box<str>>,
    /// Why it cannot be opened now, such as that it is switched off.
    pub closed: Option<Box<str>>,
}

/// What can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstalledApps {
    /// The applications, sorted by name.
    pub apps: Vec<Installed>,
    /// Whether there are more than [`MOST_INSTALLED`].
    pub truncated: bool,
}

/// What a call wants opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchRequest {
    /// The application, by its id or name; a program by its path.
    pub app: String,
    /// The file or URL to open with it.
    pub document: Option<String>,
    /// Whether the owner allows programs that are not installed for all users: by their path, or by an entry in the user's
    /// own folders.
    pub unvetted: bool,
}

/// What opening an application would run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchPlan {
    /// The application's id.
    pub id: Box<str>,
    /// What a person calls it.
    pub name: Box<str>,
    /// Further names it goes by, such as the class of its windows.
    pub aliases: Vec<Box<str>>,
    /// The programs it runs, each to be judged by itself: a wrapper is no cover for what it starts.
    pub programs: Vec<Box<str>>,
    /// What is run, word by word.
    pub words: Vec<String>,
    /// The file or URL among them.
    pub document: Option<String>,
    /// Whether it was not put there by the user alone: an entry of the system, or a package of a phone.
    pub vetted: bool,
    /// What the caller should know, such as that another entry was passed over.
    pub note: Option<String>,
}

/// What came of opening an application.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Launched {
    /// The window that came, or came to the front; `None` when none did in time.
    pub window: Option<Window>,
    /// Whether the application ran before.
    pub was_running: bool,
    /// What the caller should know.
    pub note: Option<String>,
}

/// What came of closing an application.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClosedApp {
    /// How many of its windows went.
    pub windows: usize,
    /// Its windows that are still there, the topmost first: a dialog that asks whether to save is among them.
    pub left: Vec<Window>,
    /// Whether its process goes on without a window.
    pub still_running: bool,
}
