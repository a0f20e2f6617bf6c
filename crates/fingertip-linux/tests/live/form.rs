//! Windows with one of each control that write down what happens to them: the second observation of every act.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, NodeAction, Part, Scope};
use fingertip_core::{NodeIndex, Result, Role, Snapshot};
use fingertip_linux::LinuxTarget;

use crate::support::{Process, Session, read_when, scope, soon};

/// How long an effect may take to be written down.
const WRITTEN_WITHIN: Duration = Duration::from_secs(10);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// An application under test, the driver, and what the application wrote down.
pub(crate) struct Form {
    pub(crate) process: Process,
    pub(crate) target: LinuxTarget,
    log: PathBuf,
}

impl Form {
    /// Starts one of the forms and waits until it shows its button.
    pub(crate) async fn open(session: &Session, script: &str) -> Self {
        let log = session.file(&format!("{script}.log"));
        let process = session.script_with(script, &[log.to_str().expect("a path")]);
        let form = Self { process, target: session.target().await, log };
        form.shows("Greet").await;
        form
    }

    /// Starts one whose own socket cannot be reached, as that of a program in a sandbox.
    pub(crate) async fn open_without_socket(session: &Session, script: &str) -> Self {
        let log = session.file(&format!("{script}.log"));
        let process = session.script_with(script, &[log.to_str().expect("a path")]);
        let socket = session.file(&format!("at-spi2-socket-{}", process.pid()));
        let start = Instant::now();
        // It opens its socket when a client asks for it.
        while std::fs::remove_file(&socket).is_err() {
            assert!(start.elapsed() < WRITTEN_WITHIN, "no socket at {}", socket.display());
            session.python(
                "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi\n\
                 desktop = Atspi.get_desktop(0)\n\
                 print([desktop.get_child_at_index(i).get_child_count() for i in range(desktop.get_child_count())])",
            );
        }
        let form = Self { process, target: session.target().await, log };
        form.shows("Greet").await;
        form
    }

    /// Forgets what the application wrote down so far.
    pub(crate) fn forget(&self) {
        std::fs::write(&self.log, "").expect("the log");
    }

    pub(crate) fn app(&self) -> AppRef {
        AppRef { name: "tested".into(), pid: Some(self.process.pid()) }
    }

    fn scope(&self) -> Scope {
        scope(&self.process, Part::Whole)
    }

    /// The application as it is now.
    pub(crate) async fn read(&self) -> Snapshot {
        self.target.snapshot(&self.scope(), soon()).await.expect("the application")
    }

    /// The application once a node has this label.
    pub(crate) async fn shows(&self, label: &str) -> Snapshot {
        read_when(&self.target, &self.scope(), |read| find(read, label).is_some()).await
    }

    /// Does something to the node with this label.
    pub(crate) async fn act(&self, label: &str, action: NodeAction) -> Result<()> {
        let snapshot = self.shows(label).await;
        let index = find(&snapshot, label).expect("just seen");
        self.target.act(&snapshot, index, &action, soon()).await
    }

    pub(crate) async fn set_text(&self, label: &str, text: &str) -> Result<()> {
        let snapshot = self.shows(label).await;
        self.target.set_text(&snapshot, find(&snapshot, label).expect("just seen"), text, soon()).await
    }

    pub(crate) async fn set_value(&self, label: &str, value: fingertip_core::Value) -> Result<()> {
        let snapshot = self.shows(label).await;
        self.target.set_value(&snapshot, find(&snapshot, label).expect("just seen"), &value, soon()).await
    }

    /// What the application last wrote down under this name.
    pub(crate) fn written(&self, name: &str) -> Option<String> {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let entry = |entry: &str| entry.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
        log.split('\0').filter_map(entry).next_back()
    }

    /// How often the application wrote something down under this name.
    pub(crate) fn times_written(&self, name: &str) -> usize {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        log.split('\0').filter(|entry| entry.split_once('=').is_some_and(|(known, _)| known == name)).count()
    }

    /// Waits until the application wrote this down.
    pub(crate) async fn wrote(&self, name: &str, value: &str) {
        let start = Instant::now();
        while self.written(name).as_deref() != Some(value) {
            assert!(start.elapsed() < WRITTEN_WITHIN, "{name} is {:?}, not {value:?}", self.written(name));
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// The node that a person would call so: by its text, or as a field by its name.
pub(crate) fn find(snapshot: &Snapshot, label: &str) -> Option<NodeIndex> {
    let named = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        let words = [node.text.as_deref(), node.description.as_deref()];
        words.contains(&Some(label)) && !matches!(node.role, Role::Label | Role::Group | Role::Unknown)
    };
    let any = |index: &NodeIndex| snapshot.node(*index).text.as_deref() == Some(label);
    snapshot.indices().find(named).or_else(|| snapshot.indices().find(any))
}
