//! What outlives a process: settings, stored data, clipboard, log, and who is running.

use std::collections::BTreeMap;

use super::apps::installed::{self, SYSTEM_UI};
use super::log::{Level, Log, LogBuffer, LogLine};
use super::package::Process;
use super::profile::{Millis, Profile};
use super::provider::Provider;
use super::storage::{Contact, Note, Notification};

/// The process id of the system server.
pub(crate) const SYSTEM_SERVER_PID: u32 = 1187;
/// The process id of the first app process; the next ones count up in steps.
const FIRST_APP_PID: u32 = 2014;
/// How far apart the process ids of two apps are.
const PID_STEP: u32 = 37;

/// Where the user ids of apps begin; those below belong to the system.
const FIRST_APP_UID: u32 = 10_000;

/// Everything apps share.
pub(crate) struct World {
    pub(crate) profile: Profile,
    pub(crate) now: Millis,
    pub(crate) provider: Provider,
    pub(crate) notes: Vec<Note>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) clipboard: Option<String>,
    pub(crate) log: Log,
    /// Packages with a task, the one last used first.
    pub(crate) recents: Vec<&'static str>,
    pids: BTreeMap<&'static str, u32>,
    next_pid: u32,
}

impl World {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            profile,
            now: 0,
            provider: Provider::default(),
            notes: Note::samples(),
            contacts: Contact::samples(),
            notifications: Notification::samples(),
            clipboard: None,
            log: Log::default(),
            recents: Vec::new(),
            pids: BTreeMap::new(),
            next_pid: FIRST_APP_PID,
        }
    }

    /// Milliseconds since 1970.
    pub(crate) fn epoch_ms(&self) -> i64 {
        self.profile.boot_epoch_ms.saturating_add_unsigned(self.now)
    }

    /// Milliseconds since 1970, as if the local clock were UTC.
    pub(crate) fn local_ms(&self) -> i64 {
        self.epoch_ms() + i64::from(self.profile.utc_offset_minutes) * 60_000
    }

    /// Local time of day as hours, minutes, seconds, milliseconds.
    pub(crate) fn time_of_day(&self) -> (i64, i64, i64, i64) {
        let ms = self.local_ms().rem_euclid(86_400_000);
        (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
    }

    /// Gives a package a process, if it has none.
    pub(crate) fn spawn(&mut self, package: &'static str) {
        if self.pids.contains_key(package) {
            return;
        }
        let pid = self.next_pid;
        self.next_pid += PID_STEP;
        self.pids.insert(package, pid);
        let uid = installed::uid_of(package);
        let user = if uid < FIRST_APP_UID { uid.to_string() } else { format!("u0a{}", uid - FIRST_APP_UID) };
        self.log_system("ActivityManager", &format!("Start proc {pid}:{package}/{user} for top-activity"));
        self.log_app(package, Level::Debug, "ActivityThread", "handleBindApplication");
    }

    /// Ends a package's process.
    pub(crate) fn kill(&mut self, package: &str, reason: &str) {
        if let Some(pid) = self.pids.remove(package) {
            self.log_system("ActivityManager", &format!("Killing {pid}:{package} (adj 900): {reason}"));
        }
    }

    pub(crate) fn pid_of(&self, package: &str) -> Option<u32> {
        self.pids.get(package).copied()
    }

    pub(crate) fn processes(&self) -> Vec<Process> {
        let system = Process { pid: SYSTEM_SERVER_PID, uid: 1000, name: "system_server".into() };
        let apps = self.pids.iter().map(|(name, pid)| Process {
            pid: *pid,
            uid: installed::uid_of(name),
            name: (*name).to_owned(),
        });
        let mut all: Vec<_> = std::iter::once(system).chain(apps).collect();
        all.sort_by_key(|process| process.pid);
        all
    }

    /// Writes a line as a running app.
    pub(crate) fn log_app(&mut self, package: &str, level: Level, tag: &str, message: &str) {
        let Some(pid) = self.pid_of(package) else { return };
        let buffer = if package == SYSTEM_UI { LogBuffer::System } else { LogBuffer::Main };
        self.write(pid, pid, installed::uid_of(package), level, tag, message, buffer);
    }

    /// Writes what the runtime says of an app that crashes.
    pub(crate) fn log_crash(&mut self, package: &str, exception: &str) {
        let Some(pid) = self.pid_of(package) else { return };
        let process = format!("Process: {package}, PID: {pid}");
        for message in
            ["FATAL EXCEPTION: main", &process, exception, "\tat android.os.Handler.dispatchMessage"]
        {
            let uid = installed::uid_of(package);
            self.write(pid, pid, uid, Level::Error, "AndroidRuntime", message, LogBuffer::Crash);
        }
    }

    /// Writes a line as the system server.
    pub(crate) fn log_system(&mut self, tag: &str, message: &str) {
        let tid = SYSTEM_SERVER_PID + 24;
        self.write(SYSTEM_SERVER_PID, tid, 1000, Level::Info, tag, message, LogBuffer::System);
    }

    #[allow(clippy::too_many_arguments, reason = "a log line has that many parts, and two callers")]
    fn write(
        &mut self,
        pid: u32,
        tid: u32,
        uid: u32,
        level: Level,
        tag: &str,
        message: &str,
        buffer: LogBuffer,
    ) {
        let epoch_ms = self.epoch_ms();
        let (tag, message) = (tag.to_owned(), message.to_owned());
        self.log.push(LogLine { sequence: 0, epoch_ms, pid, tid, uid, level, tag, message, buffer });
    }
}
