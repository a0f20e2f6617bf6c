//! Programs that were pushed to the phone and run there; by this computer, in a build for tests.
//!
//! [`SimPhone::host_programs`] makes a folder of this computer the phone's files: what is in `/data/local/tmp` is in that
//! folder too (`files/mount.rs`), abstract sockets of the phone are this computer's, and `system/bin/sh` in it stands in for
//! the phone's shell and hands each command to the phone. A program run by the phone is a process of this computer
//! that gets the folder by a variable. Without it a program is of another processor, as on the phone of the product.
//! Not here: the phone's processes that are part of the model.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};

use crate::SimPhone;
use crate::adbd::service;
use crate::files::MOUNTED;
use crate::lock::lock;
use crate::shell::Sink;

/// Names the folder for a phone that is started at a terminal.
const VARIABLE: &str = "FINGERTIP_SIM_PROGRAMS";
/// Gives a program the place of the phone's files.
const ROOT: &str = "FINGERTIP_PHONE_ROOT";
/// What stands in for the phone's shell.
const SHELL: &str = include_str!("programs/sh.py");
/// Where it reaches the phone, beside it.
const SOCKET: &str = "socket";
/// How much of a program's output is handed on at a time.
const CHUNK: usize = 4096;
/// Exit code of a program that was killed.
const KILLED: u8 = 137;
/// Variables that mean something to this computer, or only to the phone's shell.
const NOT_HANDED_ON: [&str; 5] = ["PATH", "USER", "?", "$", "0"];

/// The programs that run.
#[derive(Debug, Default)]
pub(crate) struct Programs(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The phone's files on this computer, once programs are run here.
    root: Option<PathBuf>,
    /// A program of this computer that runs those of another processor.
    runner: Option<String>,
    /// What runs: the path on the phone, by process.
    running: BTreeMap<u32, String>,
}

impl SimPhone {
    /// Lets this computer run programs that are pushed to the phone; its files are then in this folder, which must be empty.
    ///
    /// # Errors
    /// When the folder cannot be filled.
    pub fn host_programs(self: &Arc<Self>, root: &Path) -> io::Result<()> {
        let bin = root.join("system/bin");
        std::fs::create_dir_all(&bin)?;
        std::fs::write(bin.join("sh"), SHELL)?;
        std::fs::set_permissions(bin.join("sh"), std::fs::Permissions::from_mode(0o755))?;
        let listener = UnixListener::bind(bin.join(SOCKET))?;
        self.files().mount(root)?;
        self.listeners().expose();
        self.run_programs_by(None, abi_of_this_computer());
        lock(&self.programs.0).root = Some(root.to_owned());
        let phone = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Some(phone) = phone.upgrade() else { return };
                tokio::spawn(async move {
                    if let Err(error) = serve(&phone, stream).await {
                        tracing::debug!(%error, "a command of a program is lost");
                    }
                });
            }
        });
        Ok(())
    }

    /// Runs programs of this processor, by an emulator where this computer has another.
    pub(crate) fn run_programs_by(&self, runner: Option<&str>, abi: &str) {
        lock(&self.programs.0).runner = runner.map(str::to_owned);
        for name in ["ro.product.cpu.abi", "ro.product.cpu.abilist"] {
            self.properties().insert(name.to_owned(), abi.to_owned());
        }
    }
}

/// Serves one command of the stand-in: the length of a service's name, the name, and then that service.
async fn serve(phone: &Arc<SimPhone>, mut stream: UnixStream) -> io::Result<()> {
    let length = stream.read_u32_le().await? as usize;
    if length > service::MAX_NAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut name = vec![0; length];
    stream.read_exact(&mut name).await?;
    let name = String::from_utf8_lossy(&name).into_owned();
    if let Some(opened) = service::open(&name, phone).await {
        opened.run(stream).await;
    }
    Ok(())
}

/// A program about to run.
pub(crate) struct Start<'a> {
    /// Where it is on the phone.
    pub(crate) path: &'a str,
    /// Its arguments.
    pub(crate) words: &'a [String],
    /// Its variables.
    pub(crate) variables: Vec<(&'a str, &'a str)>,
    /// What it is started by: `nohup`, `setsid`.
    pub(crate) wrappers: &'a [String],
    /// Where its output goes.
    pub(crate) stdout: &'a Sink,
    /// Where its errors go.
    pub(crate) stderr: &'a Sink,
}

impl Programs {
    /// Begins to run programs where the environment says so.
    pub(crate) fn begin(phone: &Arc<SimPhone>) {
        if let Some(root) = std::env::var_os(VARIABLE)
            && let Err(error) = phone.host_programs(Path::new(&root))
        {
            tracing::error!(%error, "programs are not run on this computer");
        }
    }

    /// Runs a program until it ends; `None` where this computer runs none. When who started it is gone it is hung up, as
    /// adbd does, unless it has a session of its own.
    pub(crate) async fn run(&self, start: Start<'_>) -> Option<io::Result<u8>> {
        let (root, runner) = {
            let state = lock(&self.0);
            (state.root.clone()?, state.runner.clone())
        };
        Some(self.run_below(&root, runner.as_deref(), start).await)
    }

    async fn run_below(&self, root: &Path, runner: Option<&str>, start: Start<'_>) -> io::Result<u8> {
        let here = |text: &str| match text.strip_prefix(MOUNTED) {
            Some(_) => format!("{}{text}", root.display()),
            None => text.to_owned(),
        };
        let wrappers = start.wrappers.iter().map(String::as_str);
        let mut line = wrappers.chain(runner).map(str::to_owned).collect::<Vec<_>>();
        line.push(here(start.path));
        line.extend(start.words.iter().map(|word| here(word)));
        let mut command = Command::new(&line[0]);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FINGERTIP_")) {
            command.env_remove(name);
        }
        let handed_on = start.variables.iter().filter(|(name, _)| !NOT_HANDED_ON.contains(name));
        command.envs(handed_on.map(|(name, value)| (*name, here(value)))).env(ROOT, root);
        command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;
        let running = Running::new(self, &child, start.path);
        let (said, complained) = (child.stdout.take(), child.stderr.take());
        let ended = async {
            tokio::join!(child.wait(), hand_on(said, start.stdout), hand_on(complained, start.stderr)).0
        };
        let own_session = start.wrappers.iter().any(|wrapper| wrapper == "setsid");
        let hang_up = async {
            start.stdout.closed().await;
            if !own_session {
                signal("HUP", running.pid);
            }
            std::future::pending::<()>().await;
        };
        let status = tokio::select! {
            status = ended => status?,
            () = hang_up => return Ok(KILLED),
        };
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(KILLED))
    }

    /// What runs: processes and paths on the phone.
    pub(crate) fn running(&self) -> Vec<(u32, String)> {
        lock(&self.0).running.iter().map(|(pid, path)| (*pid, path.clone())).collect()
    }

    /// Sends a signal; false when no program is that process.
    pub(crate) fn signal(&self, name: &str, pid: u32) -> bool {
        let runs = lock(&self.0).running.contains_key(&pid);
        runs && signal(name, pid)
    }

    /// Ends all, as the end of the phone's session does.
    pub(crate) fn end_all(&self) {
        for (pid, _) in self.running() {
            signal("KILL", pid);
        }
    }
}

/// The note that a program runs.
struct Running<'a> {
    programs: &'a Programs,
    pid: u32,
}

impl<'a> Running<'a> {
    fn new(programs: &'a Programs, child: &Child, path: &str) -> Self {
        let pid = child.id().unwrap_or_default();
        lock(&programs.0).running.insert(pid, path.to_owned());
        Self { programs, pid }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        lock(&self.programs.0).running.remove(&self.pid);
    }
}

fn signal(name: &str, pid: u32) -> bool {
    let sent = std::process::Command::new("kill").args(["-s", name, &pid.to_string()]).status();
    sent.is_ok_and(|status| status.success())
}

const fn abi_of_this_computer() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64-v8a" } else { "x86_64" }
}

async fn hand_on(from: Option<impl AsyncRead + Unpin>, to: &Sink) {
    let Some(mut from) = from else { return };
    let mut chunk = vec![0; CHUNK];
    while let Ok(read @ 1..) = from.read(&mut chunk).await {
        if to.write(chunk[..read].to_vec()).await.is_err() {
            return;
        }
    }
}
