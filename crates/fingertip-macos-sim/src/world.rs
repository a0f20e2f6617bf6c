//! The desktop behind the interfaces: applications with their nodes, the order of windows, the user's permissions, and the
//! faults that a test switches on.
//!
//! One lock guards all of it and is held for moments only: waiting for an application happens outside (`message`). What
//! changes is reported in notifications that are collected here and handed out after the lock is gone.

mod act;
mod app;
mod attribute;
mod focus;
mod geometry;
mod kept;
mod menu;
mod node;
mod read;
mod rows;
mod text;
mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use act::Ended;
pub use app::{App, Chromium, Notifications};
pub use attribute::Attribute;
pub use geometry::Rect;
pub use menu::Item;
pub use node::{Action, Effect, Kind, Node, NodeId};
pub(crate) use read::SYSTEM_WIDE;
pub use rows::LazyRows;
pub(crate) use text::Edit;

use crate::ledger::lock;

/// The node of the application itself.
pub const ROOT: NodeId = NodeId(0);
/// The size of the only display, in points.
pub const DISPLAY: Rect = Rect { x: 0.0, y: 0.0, width: 1440.0, height: 900.0 };
/// How high the menu bar is.
pub const MENU_BAR_HEIGHT: f64 = 24.0;

/// The codes of `AXError`.
pub mod ax_error {
    #![allow(missing_docs, reason = "the names are Apple's")]
    pub const FAILURE: i32 = -25200;
    pub const ILLEGAL_ARGUMENT: i32 = -25201;
    pub const INVALID_UI_ELEMENT: i32 = -25202;
    pub const INVALID_OBSERVER: i32 = -25203;
    pub const CANNOT_COMPLETE: i32 = -25204;
    pub const ATTRIBUTE_UNSUPPORTED: i32 = -25205;
    pub const ACTION_UNSUPPORTED: i32 = -25206;
    pub const NOTIFICATION_UNSUPPORTED: i32 = -25207;
    pub const NOTIFICATION_ALREADY_REGISTERED: i32 = -25209;
    pub const NOTIFICATION_NOT_REGISTERED: i32 = -25210;
    pub const API_DISABLED: i32 = -25211;
    pub const NO_VALUE: i32 = -25212;
    pub const PARAMETERIZED_ATTRIBUTE_UNSUPPORTED: i32 = -25213;
}

/// Something an application sends to those who observe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) pid: i32,
    pub(crate) node: NodeId,
    pub(crate) name: String,
}

/// An application that can be opened.
pub struct Installed {
    /// What it is called.
    pub name: String,
    /// Its bundle id.
    pub bundle_id: String,
    /// Where its bundle lies.
    pub path: String,
    /// Makes it, when it is opened.
    pub make: fn() -> App,
}

/// An input event that was posted, for tests to look at.
#[derive(Debug, Clone, PartialEq)]
pub enum Posted {
    /// A button, the wheel or a movement.
    Pointer {
        /// Its `CGEventType`.
        kind: u32,
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
        /// How many clicks came in a row.
        clicks: i64,
    },
    /// A key that went down.
    Key {
        /// Its virtual key code.
        code: u16,
        /// Modifier keys.
        flags: u64,
        /// The text that the event carries.
        text: String,
    },
}

/// How many input events are kept.
const MOST_POSTED: usize = 10_000;

/// The whole Mac.
pub struct World {
    /// Applications by process id.
    pub apps: BTreeMap<i32, App>,
    /// Windows on the screen, the topmost first.
    pub stack: Vec<(i32, NodeId)>,
    /// The application in front.
    pub frontmost: i32,
    /// What can be opened.
    pub installed: Vec<Installed>,
    /// Whether the accessibility permission is granted.
    pub trusted: bool,
    /// The accessibility permission is withdrawn after so many more messages.
    pub untrusted_after: Option<u64>,
    /// Whether the screen recording permission is granted.
    pub screen_recording: bool,
    /// How often a permission prompt was asked for. A tool call must never do that.
    pub prompts: u64,
    /// Whether another program keeps the keyboard to itself.
    pub secure_input: bool,
    /// The text on the clipboard.
    pub clipboard: Option<String>,
    /// The version of macOS.
    pub os_version: [u32; 3],
    /// The application that this process's permissions are looked up for.
    pub responsible: Option<String>,
    /// Why no picture can be taken.
    pub picture_problem: Option<String>,
    /// Messages sent to applications so far.
    pub messages: u64,
    /// The attributes that were read so far, whatever of.
    pub attributes_read: BTreeSet<String>,
    /// What the system-wide element answers in the place of what is so.
    pub system_wide: BTreeMap<String, Attribute>,
    /// Input events so far.
    pub posted: Vec<Posted>,
    /// The timeout for all messages of this process, once it was set.
    pub(crate) global_timeout: Option<f32>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) next_window_number: u32,
    pub(crate) next_pid: i32,
    pub(crate) pointer: crate::input::Pointer,
    kept: kept::Answers,
}

/// The timeout where none was set. Apple documents none.
pub(crate) const DEFAULT_TIMEOUT: f32 = 6.0;

impl Default for World {
    fn default() -> Self {
        Self {
            apps: BTreeMap::new(),
            stack: Vec::new(),
            frontmost: 0,
            installed: Vec::new(),
            trusted: true,
            untrusted_after: None,
            screen_recording: true,
            prompts: 0,
            secure_input: false,
            clipboard: None,
            os_version: [15, 1, 0],
            responsible: Some("Terminal".to_owned()),
            picture_problem: None,
            messages: 0,
            attributes_read: BTreeSet::new(),
            system_wide: BTreeMap::new(),
            posted: Vec::new(),
            global_timeout: None,
            notifications: Vec::new(),
            next_window_number: 100,
            next_pid: FIRST_PID,
            pointer: crate::input::Pointer::default(),
            kept: kept::Answers::default(),
        }
    }
}

/// Process ids begin where no process of the machine that runs the simulation can be.
pub const FIRST_PID: i32 = 5_000_001;

impl World {
    /// Starts an application behind all others; its process id.
    pub fn start(&mut self, mut app: App) -> i32 {
        let pid = self.next_pid;
        self.next_pid += 1;
        app.number_windows(&mut self.next_window_number);
        let windows = app.windows.clone();
        self.apps.insert(pid, app);
        self.stack.extend(windows.into_iter().map(|window| (pid, window)));
        if self.frontmost == 0 {
            self.activate(pid);
        }
        pid
    }

    /// Starts an application and brings it to the front.
    pub fn with(mut self, app: App) -> Self {
        let pid = self.start(app);
        self.activate(pid);
        self
    }

    /// The process id of a running application.
    ///
    /// # Panics
    /// When none has that name.
    #[must_use]
    pub fn pid(&self, name: &str) -> i32 {
        *self.apps.iter().find(|(_, app)| app.name == name).expect("an application of that name").0
    }

    /// A running application.
    ///
    /// # Panics
    /// When none has that name.
    #[must_use]
    pub fn app(&self, name: &str) -> &App {
        &self.apps[&self.pid(name)]
    }

    /// A running application, to be changed.
    ///
    /// # Panics
    /// When none has that name.
    pub fn app_mut(&mut self, name: &str) -> &mut App {
        let pid = self.pid(name);
        self.apps.get_mut(&pid).expect("found a moment ago")
    }

    /// Ends an application, as a crash would: its windows are gone, without a notification.
    pub fn quit(&mut self, pid: i32) {
        self.apps.remove(&pid);
        self.stack.retain(|(owner, _)| *owner != pid);
        if self.frontmost == pid {
            self.frontmost = self.stack.first().map_or(0, |(owner, _)| *owner);
        }
    }

    /// Says that something happened to a node.
    pub fn notify(&mut self, pid: i32, node: NodeId, name: &str) {
        self.notifications.push(Notification { pid, node, name: name.to_owned() });
    }

    pub(crate) fn record(&mut self, posted: Posted) {
        if self.posted.len() < MOST_POSTED {
            self.posted.push(posted);
        }
    }
}

static WORLD: Mutex<Option<World>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();

pub(crate) fn install(world: World) {
    *lock(&WORLD) = Some(world);
    CHANGED.notify_all();
}

/// Looks at the world or changes it; what happened is reported afterwards.
pub(crate) fn with<T>(act: impl FnOnce(&mut World) -> T) -> T {
    let (result, notices) = {
        let mut guard = lock(&WORLD);
        let world = guard.get_or_insert_default();
        let result = act(world);
        let notices: Vec<_> = std::mem::take(&mut world.notifications)
            .into_iter()
            .filter_map(|note| {
                let manner = world.apps.get(&note.pid).map_or(Notifications::Prompt, |app| app.notifications);
                let copies = manner.copies();
                (copies > 0).then(|| (note, copies, manner.delay()))
            })
            .collect();
        (result, notices)
    };
    CHANGED.notify_all();
    for (note, copies, delay) in notices {
        crate::accessibility::deliver_all(&note, copies, delay);
    }
    result
}

/// Waits until `done` holds or the time is over, and says whether it does.
pub(crate) fn wait_until(limit: Duration, mut done: impl FnMut(&mut World) -> bool) -> bool {
    let guard = lock(&WORLD);
    let (mut guard, _): (MutexGuard<'_, Option<World>>, _) = CHANGED
        .wait_timeout_while(guard, limit, |world| !done(world.get_or_insert_default()))
        .unwrap_or_else(PoisonError::into_inner);
    done(guard.get_or_insert_default())
}
