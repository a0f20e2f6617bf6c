//! A desktop session for one test, and the applications in it.
//!
//! Sessions are used one after another: two cores do not carry several desktops, and one that is slow for lack
//! of them would fail tests for no reason.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_core::{Deadline, Node, Point, Snapshot};
use fingertip_linux::{Environment, LinuxTarget};

/// What must be installed.
const PACKAGES: &str = "apt-get install xvfb dbus at-spi2-core openbox x11-utils xdotool libatk-adaptor mousepad gnome-calculator \
    chromium thunar libreoffice-calc libreoffice-gtk3 python3-pyatspi galculator python3-gi gir1.2-gtk-3.0 gir1.2-gtk-4.0 \
    gir1.2-atspi-2.0 python3-pyqt6 qt6-qpa-plugins python3-pyqt5 firefox-esr default-jdk-headless \
    libatk-wrapper-java-jni xterm python3-tk wmctrl libgtk2.0-0 libgail-common";
/// How long a part of the session, or an application, may take to be there.
const THERE_WITHIN: Duration = Duration::from_secs(60);
/// How often a window manager is started.
const WINDOW_MANAGER_TRIES: u32 = 4;
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The interpreter that has the system's bindings.
const PYTHON: &str = "/usr/bin/python3";

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A process with all it started; ended when dropped.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Sends it a signal, such as `STOP`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.pid().to_string()).status();
        assert!(sent.expect("kill").success());
    }
}

impl Process {
    /// Sends a signal to it and to all it started.
    pub(crate) fn signal_all(&self, name: &str) {
        let group = format!("-{}", self.pid());
        let sent = Command::new("kill").args([&format!("-{name}"), "--", &group]).status();
        assert!(sent.expect("kill").success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = format!("-{}", self.pid());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }
}

/// A desktop session.
pub(crate) struct Session {
    // Ended from the first to the last.
    parts: Vec<Process>,
    pub(crate) environment: Environment,
    directory: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Session {
    /// A session with accessibility switched on.
    pub(crate) fn start() -> Self {
        let mut session = Self::bare();
        session.add_part(Command::new("/usr/libexec/at-spi-bus-launcher").arg("--launch-immediately"));
        session.start_window_manager();
        session.wait_for("the accessibility bus", |session| {
            let set = session
                .command("dbus-send")
                .args([
                    "--session",
                    "--print-reply",
                    "--dest=org.a11y.Bus",
                    "/org/a11y/bus",
                    "org.freedesktop.DBus.Properties.Set",
                    "string:org.a11y.Status",
                    "string:IsEnabled",
                    "variant:boolean:true",
                ])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            set.is_ok_and(|status| status.success())
        });
        session
    }

    /// Starts a window manager, and once more when it gave up: it does when the server is still busy.
    fn start_window_manager(&mut self) {
        for _ in 0..WINDOW_MANAGER_TRIES {
            self.add_part(&mut Command::new("openbox"));
            let start = Instant::now();
            while start.elapsed() < THERE_WITHIN / WINDOW_MANAGER_TRIES {
                let asked = self.command("xprop").args(["-root", "_NET_SUPPORTING_WM_CHECK"]).output();
                let output = asked.unwrap_or_else(|error| panic!("xprop: {error}. Needed: {PACKAGES}"));
                if String::from_utf8_lossy(&output.stdout).contains("window id") {
                    return;
                }
                std::thread::sleep(LOOK_EVERY);
            }
        }
        panic!("the window manager does not start. Needed: {PACKAGES}");
    }

    /// A session with an X server and a session bus that has no services.
    pub(crate) fn bare() -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = tempfile::Builder::new().prefix("fingertip-live").tempdir().expect("a directory");
        let environment = Environment::default();
        let mut session = Self { parts: Vec::new(), environment, directory, _turn: turn };
        let mut server = Command::new("Xvfb");
        server.args(["-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-noreset"]);
        let number = session.add_announced(&mut server);
        session.environment.display = Some(format!(":{number}"));
        let mut bus = Command::new("dbus-daemon");
        bus.args(["--session", "--nofork", "--print-address=1"]);
        session.environment.session_bus = Some(session.add_announced(&mut bus));
        session
    }

    /// A command with the environment of this session.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        self.dress(&mut command);
        command
    }

    /// What applications of this session get that the tests themselves have otherwise.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let ours = self.surroundings().into_iter();
        ours.filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect()
    }

    fn surroundings(&self) -> [(&'static str, Option<&str>); 9] {
        [
            ("DISPLAY", self.environment.display.as_deref()),
            ("DBUS_SESSION_BUS_ADDRESS", self.environment.session_bus.as_deref()),
            ("XDG_RUNTIME_DIR", self.directory.path().to_str()),
            ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", Some("1")),
            ("GSK_RENDERER", Some("cairo")),
            ("GDK_BACKEND", Some("x11")),
            ("GSETTINGS_BACKEND", Some("memory")),
            ("LANG", Some("C.UTF-8")),
            ("HOME", self.directory.path().to_str()),
        ]
    }

    fn dress(&self, command: &mut Command) {
        for (name, value) in self.surroundings() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        for other in ["AT_SPI_BUS_ADDRESS", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP"] {
            command.env_remove(other);
        }
    }

    fn add_part(&mut self, command: &mut Command) {
        self.dress(command);
        command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        self.parts.insert(0, spawned(command));
    }

    /// Starts a part that prints one line once it is there.
    fn add_announced(&mut self, command: &mut Command) -> String {
        self.dress(command);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null());
        let mut process = spawned(command);
        let output = process.0.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("a line");
        self.parts.insert(0, process);
        assert!(!line.trim().is_empty(), "{command:?} did not start");
        line.trim().to_owned()
    }

    /// Starts a program and leaves it to itself.
    pub(crate) fn launch(&self, program: &str, arguments: &[&str]) -> Process {
        let mut command = self.command(program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        spawned(&mut command)
    }

    /// Starts one of the test applications, in Python.
    pub(crate) fn script(&self, name: &str) -> Process {
        self.script_with(name, &[])
    }

    /// Starts one of the test applications with arguments.
    pub(crate) fn script_with(&self, name: &str, arguments: &[&str]) -> Process {
        let file = app_file(name);
        let all: Vec<&str> =
            [file.to_str().expect("a path")].into_iter().chain(arguments.iter().copied()).collect();
        self.launch(PYTHON, &all)
    }

    /// Starts Chromium on one of the test pages.
    pub(crate) fn page(&self, name: &str) -> Process {
        let profile = format!("--user-data-dir={}", self.directory.path().join("chromium").display());
        let page = format!("file://{}", app_file(name).display());
        // A keyring of the system, where there is one, asks for a password in a dialog.
        let switches = [
            "--no-sandbox",
            "--force-renderer-accessibility",
            "--no-first-run",
            "--disable-gpu",
            "--password-store=basic",
        ];
        let arguments: Vec<&str> = switches.into_iter().chain([&*profile, &*page]).collect();
        self.launch("chromium", &arguments)
    }

    /// Clicks there, with the pointer of the X server.
    pub(crate) fn click(&self, point: Point) {
        let place = [point.x, point.y].map(|pixels| format!("{pixels:.0}"));
        let mut click = self.command("xdotool");
        let done = click.arg("mousemove").args(place).args(["click", "1"]).status();
        assert!(done.is_ok_and(|status| status.success()), "xdotool. Needed: {PACKAGES}");
    }

    /// Types letters into whatever has the keyboard.
    pub(crate) fn type_keys(&self, text: &str) {
        let done = self.command("xdotool").args(["type", text]).status();
        assert!(done.is_ok_and(|status| status.success()), "xdotool. Needed: {PACKAGES}");
    }

    /// The X window a process shows.
    pub(crate) fn window_of(&self, pid: u32) -> Option<String> {
        let pid = pid.to_string();
        let output =
            self.command("xdotool").args(["search", "--onlyvisible", "--pid", &pid]).output().ok()?;
        let number = String::from_utf8_lossy(&output.stdout).lines().next()?.parse::<u32>().ok()?;
        Some(format!("{number:#x}"))
    }

    /// The X window under the pointer once it is there, as the X server says.
    pub(crate) fn window_at(&self, point: Point) -> String {
        let place = [point.x, point.y].map(|pixels| format!("{pixels:.0}"));
        let mut look = self.command("xdotool");
        let output = look.arg("mousemove").args(place).args(["getmouselocation", "--shell"]).output();
        let output = output.expect("xdotool");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = text.lines().find_map(|line| line.strip_prefix("WINDOW=")?.parse::<u32>().ok());
        format!("{:#x}", number.unwrap_or_else(|| panic!("{text}")))
    }

    /// The X server.
    pub(crate) fn server(&self) -> &Process {
        self.parts.last().expect("it is started first")
    }

    /// A place for a file that ends with the session.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// What Python prints when it runs this in the session.
    pub(crate) fn python(&self, code: &str) -> String {
        let output = self.command(PYTHON).args(["-c", code]).output().expect(PYTHON);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{complaint}\nNeeded: {PACKAGES}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The desktop, as the driver has it.
    pub(crate) async fn target(&self) -> LinuxTarget {
        LinuxTarget::connect(self.environment.clone(), soon()).await.expect("the accessibility bus")
    }

    fn wait_for(&self, what: &str, mut there: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !there(self) {
            assert!(start.elapsed() < THERE_WITHIN, "{what} is not there. Needed: {PACKAGES}");
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // In this order: the window manager and the buses before the X server they talk to.
        self.parts.drain(..).for_each(drop);
    }
}

fn spawned(command: &mut Command) -> Process {
    // A group of its own, so that what it starts ends with it.
    let child = command.process_group(0).spawn();
    Process(child.unwrap_or_else(|error| panic!("{command:?}: {error}. Needed: {PACKAGES}")))
}

pub(crate) fn app_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apps").join(name)
}

/// A deadline that only a hang misses.
pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

/// One part of the application of this process.
pub(crate) fn scope(process: &Process, part: Part) -> Scope {
    Scope::App { app: AppRef { name: "tested".into(), pid: Some(process.pid()) }, part }
}

/// Reads an application once it shows what is waited for.
pub(crate) async fn read_when(
    target: &LinuxTarget,
    scope: &Scope,
    there: impl Fn(&Snapshot) -> bool,
) -> Snapshot {
    let start = Instant::now();
    loop {
        let answer = target.snapshot(scope, soon()).await;
        match &answer {
            Ok(snapshot) if there(snapshot) => return answer.expect("just read"),
            _ if start.elapsed() > THERE_WITHIN => panic!("never there: {answer:?}"),
            _ => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}

/// The only node that this is true of.
pub(crate) fn only<'a>(snapshot: &'a Snapshot, what: &str, test: impl Fn(&Node) -> bool) -> &'a Node {
    let found: Vec<_> = snapshot.nodes().iter().filter(|node| test(node)).collect();
    assert_eq!(found.len(), 1, "{what}: {found:#?}");
    found[0]
}

/// Whether some node has this text.
pub(crate) fn shows(snapshot: &Snapshot, text: &str) -> bool {
    snapshot.nodes().iter().any(|node| node.text.as_deref() == Some(text))
}
