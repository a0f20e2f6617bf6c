//! The real agent, run by this computer's JVM on fakes of the Android framework.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::TcpListener;
use tokio::process::Command;

use super::bridge::Bridge;
use super::{Arguments, MAIN, secret, session};
use crate::SimPhone;
use crate::lock::lock;
use crate::shell::Sink;

/// Names the class path of the agent and its fakes.
const VARIABLE: &str = "FINGERTIP_AGENT_JVM";
/// Exit code when there is no JVM to run it.
const NOT_EXECUTABLE: u8 = 126;
/// How much of the program's output is handed on at a time.
const CHUNK: usize = 4096;

/// The class path of the agent, where a JVM is to run it.
pub(crate) struct Jvm(Mutex<Option<String>>);

impl SimPhone {
    /// Lets a JVM run the real agent from this class path; without one the phone serves its protocol itself.
    /// What `FINGERTIP_AGENT_JVM` says is the start.
    pub fn run_agents_on(&self, class_path: Option<String>) {
        *lock(&self.jvm.0) = class_path;
    }
}

impl Jvm {
    pub(crate) fn of_environment() -> Self {
        Self(Mutex::new(std::env::var(VARIABLE).ok().filter(|path| !path.is_empty())))
    }

    /// Runs the agent until it ends; dropped, it is killed.
    pub(super) async fn run(
        &self,
        phone: &Arc<SimPhone>,
        jar: &str,
        arguments: &Arguments,
        stdout: &Sink,
        stderr: &Sink,
    ) -> u8 {
        let Some(class_path) = lock(&self.0).clone() else {
            return session::run(phone, jar, arguments, stdout).await;
        };
        match try_run(phone, jar, &class_path, arguments, stdout, stderr).await {
            Ok(exit) => exit,
            Err(error) => {
                let _ = stderr.write(format!("app_process: {error}\n")).await;
                NOT_EXECUTABLE
            }
        }
    }
}

async fn try_run(
    phone: &Arc<SimPhone>,
    jar: &str,
    class_path: &str,
    arguments: &Arguments,
    stdout: &Sink,
    stderr: &Sink,
) -> std::io::Result<u8> {
    let copy = Copy::make(phone, jar)?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let secret = secret(2);
    let bridge = Bridge::new(Arc::clone(phone), secret.clone(), jar.to_owned(), copy.file.clone());
    let serving = tokio::spawn(Arc::clone(&bridge).serve(listener));
    let mut child = Command::new("java")
        .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", class_path, MAIN])
        .args(&arguments.words)
        .env("FINGERTIP_BRIDGE", address.to_string())
        .env("FINGERTIP_BRIDGE_SECRET", secret)
        .env("CLASSPATH", &copy.file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let end = EndOfBridge(bridge, serving.abort_handle());
    let (said, complained) = (child.stdout.take(), child.stderr.take());
    let (status, (), ()) = tokio::join!(child.wait(), hand_on(said, stdout), hand_on(complained, stderr));
    drop(end);
    Ok(status?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(super::KILLED))
}

/// Ends what the agent left, whether it ended or was killed.
struct EndOfBridge(Arc<Bridge>, tokio::task::AbortHandle);

impl Drop for EndOfBridge {
    fn drop(&mut self) {
        self.1.abort();
        self.0.end();
    }
}

/// A real copy of the pushed file, for the agent to remove.
struct Copy {
    folder: PathBuf,
    file: PathBuf,
}

impl Copy {
    fn make(phone: &SimPhone, jar: &str) -> std::io::Result<Self> {
        let data = phone.files().read(jar).map_err(std::io::Error::other)?;
        let folder = std::env::temp_dir().join(format!("fingertip-sim-{}", secret(1)));
        std::fs::create_dir(&folder)?;
        let file = folder.join(Path::new(jar).file_name().unwrap_or_default());
        let copy = Self { folder, file };
        std::fs::write(&copy.file, data)?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            tracing::debug!(%error, "a temporary folder stays");
        }
    }
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
