//! The applications on the accessibility bus: who they are, and how to talk to them.
//!
//! What does not change while an application lives (its process, toolkit and way to be talked to) is asked once
//! and kept by its name on the bus, which is never given twice. An application that does not say its name in
//! time is known by its program until it does, so that one that hangs delays no call.

use std::io::Read;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;
use fingertip_core::target::App;
use fingertip_core::{Deadline, Result};
use fingertip_desktop::RunningApp;
use futures_util::future::join_all;
use rustc_hash::FxHashMap;
use tokio::sync::OnceCell;
use zbus::zvariant::OwnedObjectPath;

use crate::bus::{self, Answer, Answered, Bus, CallError, interface};
use crate::client::Client;
use crate::connection::{self, AppConnection};
use crate::handle::Handle;
use crate::snapshot_cache::SnapshotCache;
use crate::toolkit::Toolkit;
use crate::tree::Source;
use crate::tree::read_strategy::ReadStrategy;

/// How long an application may take to say its name; later it is known by its program.
const NAME_WITHIN: Duration = Duration::from_millis(250);
/// How long an application that did not say its name is left alone.
const PATIENCE: Duration = Duration::from_secs(2);
/// Linux keeps so many bytes of a program's name.
const SHORT_NAME: usize = 15;
/// How many words of a command line a program's name is looked for in, and in how many bytes: as many as four paths can have.
const MAX_WORDS: usize = 4;
const MOST_OF_LINE: u64 = 16 * 1024;
/// The service that lists the applications.
const REGISTRY: &str = "org.a11y.atspi.Registry";
/// The bus itself.
const BUS: (&str, &str, &str) = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus");

/// One running application.
#[derive(Debug)]
pub(crate) struct Running {
    /// Its own object.
    pub(crate) root: Handle,
    /// Its process.
    pub(crate) pid: Option<u32>,
    /// The program it runs.
    program: Option<Box<str>>,
    /// The quicker way to what can be seen of it.
    pub(crate) strategy: ReadStrategy,
    /// What was read of it last.
    pub(crate) cache: SnapshotCache,
    /// Whether it is known to have built its tree.
    pub(crate) is_built: AtomicBool,
    name: Mutex<Named>,
    connected: OnceCell<(AppConnection, Toolkit)>,
}

#[derive(Debug, Clone)]
enum Named {
    As(Box<str>),
    NotSince(Instant),
}

impl Running {
    fn new(root: Handle, name: &str, program: Option<Box<str>>, pid: Option<u32>) -> Self {
        Self {
            root,
            pid,
            program,
            strategy: ReadStrategy::default(),
            cache: SnapshotCache::default(),
            is_built: AtomicBool::new(false),
            name: Mutex::new(Named::As(name.into())),
            connected: OnceCell::new(),
        }
    }

    /// As an application of all platforms.
    pub(crate) fn app(&self, focused: bool) -> App {
        let name = self.name();
        let id = self.program.clone().filter(|program| *program != name);
        App { name, id, pid: self.pid, focused, background: false }
    }

    /// Whether it has no element at all. One that does not answer in time may have some.
    pub(crate) async fn is_empty(&self, bus: &Arc<Bus>, deadline: Deadline) -> bool {
        let count = async {
            let client = self.client(bus, deadline.slice(NAME_WITHIN)).await?;
            client.child_count(&self.root).await
        };
        count.await.is_ok_and(|count| count == 0)
    }

    /// The way to talk to it by this deadline.
    pub(crate) async fn client(&self, bus: &Arc<Bus>, deadline: Deadline) -> Answer<Client<'_>> {
        let connecting = || async {
            // One that is just starting is busy for seconds.
            let soon = deadline.slice(connection::PATIENCE);
            let connection =
                AppConnection::open(Arc::clone(bus), &self.root.bus_name, self.pid, soon).await?;
            let first = Client { connection: &connection, toolkit: Toolkit::default(), deadline: soon };
            let property = async |interface: &str, name: &str| {
                let asked = first.property::<String>(&self.root, interface, name).await;
                asked.missing_ok().map(Option::unwrap_or_default)
            };
            let (name, version, application) = tokio::try_join!(
                property(interface::APPLICATION, "ToolkitName"),
                property(interface::APPLICATION, "Version"),
                property(interface::ACCESSIBLE, "Name"),
            )?;
            Ok((connection, Toolkit::named(&name, &version, &application)))
        };
        let (connection, toolkit) = self.connected.get_or_try_init(connecting).await?;
        Ok(Client { connection, toolkit: *toolkit, deadline })
    }

    /// Asks for its name, unless that is known or was asked for in vain a moment ago.
    async fn ask_name(&self, bus: &Bus, deadline: Deadline) {
        let known = lock(&self.name).clone();
        match known {
            Named::As(name) if !name.is_empty() => return,
            Named::NotSince(since) if since.elapsed() < PATIENCE => return,
            _ => {}
        }
        let soon = deadline.slice(NAME_WITHIN);
        let body = (interface::ACCESSIBLE, "Name");
        let asked = bus.call(&self.root, interface::PROPERTIES, "Get", &body, soon).await;
        let answer = asked.and_then(|reply| bus::value::<String>(&reply));
        let named = answer.map_or_else(|_| Named::NotSince(Instant::now()), |name| Named::As(name.into()));
        *lock(&self.name) = named;
    }
}

/// All applications, as they come and go.
#[derive(Debug, Default)]
pub(crate) struct Apps {
    known: Mutex<FxHashMap<Handle, Arc<Running>>>,
}

impl Apps {
    /// The applications that run now, in the registry's order.
    pub(crate) async fn list(&self, bus: &Bus, deadline: Deadline) -> Result<Vec<Arc<Running>>> {
        let registry = Handle::root(REGISTRY);
        let failed =
            |error: CallError| error.into_error("The accessibility registry", "listing applications");
        let reply =
            bus.call(&registry, interface::ACCESSIBLE, "GetChildren", &(), deadline).await.map_err(failed)?;
        let children: Vec<(String, OwnedObjectPath)> =
            reply.body().deserialize().map_err(|error| failed(CallError::malformed(error)))?;
        let roots = children
            .into_iter()
            .map(|(bus_name, path)| Handle::new(&bus_name, path.as_str()))
            .filter(|root| !root.is_nothing());
        let running: Vec<_> = join_all(roots.map(|root| self.running(bus, root, deadline)))
            .await
            .into_iter()
            .flatten()
            .collect();
        *lock(&self.known) =
            running.iter().map(|running| (running.root.clone(), Arc::clone(running))).collect();
        Ok(running)
    }

    /// The applications that ran when they were listed last.
    pub(crate) fn known(&self) -> Vec<Arc<Running>> {
        lock(&self.known).values().cloned().collect()
    }

    /// The application that has this name on the bus. One that is embedded in another is in no list.
    pub(crate) async fn owner(&self, bus: &Bus, bus_name: &str, deadline: Deadline) -> Answer<Arc<Running>> {
        let listed = |known: &FxHashMap<Handle, Arc<Running>>| {
            known.values().find(|app| &*app.root.bus_name == bus_name).cloned()
        };
        if let Some(owner) = listed(&lock(&self.known)) {
            return Ok(owner);
        }
        self.running(bus, Handle::root(bus_name), deadline).await.ok_or(CallError::Gone)
    }

    /// The application of this root; `None` when it ended meanwhile.
    async fn running(&self, bus: &Bus, root: Handle, deadline: Deadline) -> Option<Arc<Running>> {
        let known = lock(&self.known).get(&root).cloned();
        let running = match known {
            Some(running) => running,
            None => {
                let pid = match process(bus, &root.bus_name, deadline).await {
                    Err(CallError::Gone) => return None,
                    answer => answer.ok(),
                };
                Arc::new(Running::new(root, "", pid.and_then(program), pid))
            }
        };
        running.ask_name(bus, deadline).await;
        Some(running)
    }
}

impl RunningApp for Running {
    fn name(&self) -> Box<str> {
        match &*lock(&self.name) {
            Named::As(name) if !name.is_empty() => name.clone(),
            _ => self.program.clone().unwrap_or_else(|| self.root.bus_name.as_ref().into()),
        }
    }

    fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    fn pid(&self) -> Option<u32> {
        self.pid
    }
}

/// Which process is behind a name on the bus.
async fn process(bus: &Bus, bus_name: &str, deadline: Deadline) -> Answer<u32> {
    let (name, path, interface) = BUS;
    let handle = Handle::new(name, path);
    let reply = bus.call(&handle, interface, "GetConnectionUnixProcessID", &bus_name, deadline).await?;
    reply.body().deserialize().map_err(CallError::malformed)
}

/// Which program a process runs.
pub(crate) fn program(pid: u32) -> Option<Box<str>> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    let name = Some(name.trim_end()).filter(|name| !name.is_empty())?;
    if name.len() < SHORT_NAME {
        return Some(name.into());
    }
    Some(whole_name(name, &command_line(pid)).unwrap_or(name).into())
}

/// The beginning of the command line of a process, which can say that it is of any length.
fn command_line(pid: u32) -> Vec<u8> {
    let mut line = Vec::new();
    if let Ok(file) = std::fs::File::open(format!("/proc/{pid}/cmdline")) {
        // Of what cannot be read the rest is unknown.
        let _ = file.take(MOST_OF_LINE).read_to_end(&mut line);
    }
    line
}

/// The name that Linux cut, from the command line: the program, or the script that an interpreter was started with.
fn whole_name<'a>(cut: &str, line: &'a [u8]) -> Option<&'a str> {
    let words = line.split(|byte| *byte == 0).take(MAX_WORDS);
    let mut names = words.filter_map(|word| std::str::from_utf8(word).ok()?.rsplit('/').next());
    names.find(|name| name.starts_with(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(name: &str, program: &str, pid: u32) -> Arc<Running> {
        Arc::new(Running::new(Handle::root(&format!(":1.{pid}")), name, Some(program.into()), Some(pid)))
    }

    #[test]
    fn a_name_that_was_cut_is_found_whole() {
        let keeper = "keeperpasswordmanager";
        let cut = &keeper[..SHORT_NAME];
        for line in [
            format!("/opt/keeper/{keeper}\0--type=main\0"),
            format!("/usr/bin/python3\0-u\0/usr/bin/{keeper}\0"),
        ] {
            assert_eq!(whole_name(cut, line.as_bytes()), Some(keeper), "{line}");
        }
        assert_eq!(whole_name(cut, b"/usr/bin/other\0"), None);
        assert_eq!(whole_name(cut, b""), None);
    }

    #[test]
    fn the_program_of_a_process_has_its_whole_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a-program-with-a-long-name");
        std::os::unix::fs::symlink("/bin/sleep", &path).unwrap();
        let mut process = std::process::Command::new(&path).arg("60").spawn().unwrap();
        // A process that was just started has the name of who started it for a moment.
        let named = || program(process.id()).filter(|name| name.starts_with("a-program"));
        let name = (0..1000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            named()
        });
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(name.as_deref(), Some("a-program-with-a-long-name"));
    }

    #[test]
    fn of_a_command_line_of_any_length_the_beginning_is_read() {
        let mut process = std::process::Command::new("sh");
        let mut process = process.args(["-c", "sleep 60; true", &"x".repeat(100_000)]).spawn().unwrap();
        let line = (0..1000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            Some(command_line(process.id())).filter(|line| line.starts_with(b"sh\0"))
        });
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(line.map(|line| line.len() as u64), Some(MOST_OF_LINE));
    }

    #[test]
    fn a_program_is_an_id_where_it_differs() {
        assert_eq!(running("Calc", "kcalc", 1).app(true).id.as_deref(), Some("kcalc"));
        assert_eq!(running("edit", "edit", 1).app(false).id, None);
        assert_eq!(&*running("", "edit", 1).app(false).name, "edit");
    }
}
