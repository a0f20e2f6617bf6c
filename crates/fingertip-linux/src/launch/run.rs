//! Running a program in a session of its own.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use fingertip_core::target::LaunchPlan;
use fingertip_core::{Error, Reason, Result};
use tokio::sync::watch;

use crate::environment::Environment;

/// Starts a program as the leader of a new session, without forking where it can: the number of the process stays.
const SETSID: &str = "setsid";
/// What setsid answers when the program is not there or cannot be run.
const NOT_RUN: [i32; 2] = [126, 127];
/// What begins the names of our own settings, the token among them: they are not passed on.
const OWN: &str = "FINGERTIP_";
/// What a service manager meant for us alone.
const FOR_US: [&str; 5] = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS"];
/// The modules by which GTK 2 exposes its tree; later ones leave them alone.
const GTK_MODULES: [&str; 2] = ["gail", "atk-bridge"];
/// The stack of a thread that only waits.
const STACK: usize = 64 * 1024;

/// A program that was started.
#[derive(Debug)]
pub(crate) struct Started {
    /// Its process, and the number of its session.
    pub(crate) pid: u32,
    ended: watch::Receiver<Option<ExitStatus>>,
}

impl Started {
    /// How it ended; `None` while it runs.
    pub(crate) fn ended(&self) -> Option<ExitStatus> {
        *self.ended.borrow()
    }

    /// Whether it was never run.
    pub(crate) fn was_not_run(&self) -> bool {
        self.ended().and_then(|status| status.code()).is_some_and(|code| NOT_RUN.contains(&code))
    }
}

/// Starts what was planned.
pub(crate) fn start(plan: &LaunchPlan, environment: &Environment) -> Result<Started> {
    let mut command = Command::new(SETSID);
    command.arg("--").args(&plan.words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let own = name.to_str().is_some_and(|name| name.starts_with(OWN) || FOR_US.contains(&name));
        if own {
            command.env_remove(name);
        }
    }
    let session = [("DISPLAY", &environment.display), ("DBUS_SESSION_BUS_ADDRESS", &environment.session_bus)];
    for (name, value) in session {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    // Qt and GTK 2 expose no tree unless they are asked for it at the start.
    command.env("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
    command.env("GTK_MODULES", with_modules(&std::env::var("GTK_MODULES").unwrap_or_default()));
    command.envs(environment.variables.iter().map(|(name, value)| (name, value)));
    // The program must not keep the folder busy that this one was started from.
    let home = std::env::var_os("HOME").filter(|home| Path::new(home).is_dir());
    command.current_dir(home.unwrap_or_else(|| "/".into()));
    let mut child = command.spawn().map_err(|error| {
        Error::new(Reason::ActionFailed, format!("No program can be started: {SETSID}: {}.", error.kind()))
            .with_guidance("It comes with util-linux.")
    })?;
    let pid = child.id();
    let (sender, ended) = watch::channel(None);
    let waiting = std::thread::Builder::new().name("opened-app".to_owned()).stack_size(STACK);
    let waiting = waiting.spawn(move || {
        if let Ok(status) = child.wait() {
            sender.send_replace(Some(status));
        }
    });
    waiting.map_err(|error| Error::new(Reason::Internal, format!("No thread could be started: {error}.")))?;
    Ok(Started { pid, ended })
}

/// The modules that GTK is to load: those it would load anyway, and those by which it exposes its tree.
fn with_modules(given: &str) -> String {
    let given: Vec<&str> = given.split(':').filter(|module| !module.is_empty()).collect();
    let missing = GTK_MODULES.into_iter().filter(|module| !given.contains(module));
    given.iter().copied().chain(missing).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn plan(words: &[&str]) -> LaunchPlan {
        LaunchPlan { words: words.iter().map(|word| (*word).to_owned()).collect(), ..LaunchPlan::default() }
    }

    fn ended(started: &Started) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = started.ended() {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "it never ends");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn words_reach_the_program_as_they_are_and_in_its_own_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let code =
            "import os,sys; open(sys.argv[1],'w').write(repr((sys.argv[2:], os.getsid(0)==os.getpid())))";
        let path = out.to_str().expect("a text");
        let started = start(
            &plan(&["/usr/bin/python3", "-c", code, path, "-rf", "$(id)", "a b"]),
            &Environment::default(),
        )
        .expect("started");
        assert!(ended(&started).success());
        let written = std::fs::read_to_string(out).expect("written");
        assert_eq!(written, "(['-rf', '$(id)', 'a b'], True)");
        // It was waited for: no zombie is left.
        assert!(!Path::new(&format!("/proc/{}", started.pid)).exists());
    }

    #[test]
    fn toolkits_are_asked_to_expose_their_trees() {
        assert_eq!(with_modules(""), "gail:atk-bridge");
        assert_eq!(with_modules("canberra:gail"), "canberra:gail:atk-bridge");
        let asked = "test \"$QT_LINUX_ACCESSIBILITY_ALWAYS_ON\" = 1 && test \"${GTK_MODULES%atk-bridge}\" != \"$GTK_MODULES\"";
        let started = start(&plan(&["/bin/sh", "-c", asked]), &Environment::default()).expect("started");
        assert!(ended(&started).success());
    }

    #[test]
    fn a_program_that_is_not_there_was_not_run() {
        let started = start(&plan(&["/no/such/program"]), &Environment::default()).expect("setsid runs");
        ended(&started);
        assert!(started.was_not_run());
    }
}
