//! The phone this program runs on: commands are its own processes, files its own files, sockets its own sockets.
//!
//! Rules: a command is run by the phone's shell in a process group of its own, and the whole group ends when its caller
//! stops waiting, as adbd ends what it started; errors are kept up to the bound of the channel through adb. Only
//! Android's shell user (or root) may read the screen and touch it, so an app gets an error before it tries.
//! Not here: deadlines and queues, which [`Device`] keeps for every channel.

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use async_trait::async_trait;
use fingertip_core::{Deadline, Error, Reason, Result};
use rustix::process::{Pid, Signal, getuid, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStdin, Command};

use crate::channel::{CHUNK, Device, DeviceChannel, MAX_ERROR_TEXT, MAX_PULL, Output, Process, Sink, Stream};

/// What it is called in messages, where a serial stands otherwise.
const SERIAL: &str = "here";
/// The phone's shell, below the root of its files.
const SHELL: &str = "system/bin/sh";
/// The first user id of apps; users of the phone are a hundred thousand apart.
const FIRST_APP: u32 = 10_000;
/// See [`FIRST_APP`].
const USER_RANGE: u32 = 100_000;
/// What a shell adds to the number of the signal that ended a command.
const KILLED: i32 = 128;

impl Device {
    /// The phone this program runs on.
    ///
    /// # Errors
    /// When this machine is no Android phone, or this program runs as an app.
    pub fn here() -> Result<Self> {
        let Some(root) = test_root() else {
            return Self::below(Path::new("/"))
                .and_then(|device| may_drive(getuid().as_raw()).map(|()| device));
        };
        Self::below(&root)
    }

    /// The phone whose files are below this folder, for tests.
    ///
    /// # Errors
    /// When there is no shell below it.
    #[cfg(feature = "test-support")]
    pub fn here_below(root: &Path) -> Result<Self> {
        Self::below(root)
    }

    fn below(root: &Path) -> Result<Self> {
        if !root.join(SHELL).exists() {
            return Err(super::no_phone_here());
        }
        Ok(Self::new(LocalDevice { root: root.to_owned() }))
    }
}

/// Where a test keeps the files of the phone that it stands in for.
#[cfg(feature = "test-support")]
fn test_root() -> Option<PathBuf> {
    std::env::var_os("FINGERTIP_PHONE_ROOT").map(PathBuf::from)
}

#[cfg(not(feature = "test-support"))]
fn test_root() -> Option<PathBuf> {
    None
}

/// Whether this user may drive the screen.
fn may_drive(user: u32) -> Result<()> {
    if user % USER_RANGE < FIRST_APP {
        return Ok(());
    }
    let message =
        format!("This program runs as an app (user {user}), which may not drive the phone's screen.");
    Err(Error::new(Reason::PermissionDenied, message).with_guidance(
        "Start it as Android's shell user: `fingertip phone start` from a computer; or, in Termux, pair its adb with the \
         phone's own wireless debugging and use `--target android`.",
    ))
}

/// The phone this program runs on.
#[derive(Debug)]
struct LocalDevice {
    /// Below it are the phone's files; `/` unless a test says otherwise.
    root: PathBuf,
}

impl LocalDevice {
    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }
}

#[async_trait]
impl DeviceChannel for LocalDevice {
    fn serial(&self) -> &str {
        SERIAL
    }

    fn machine_name(&self) -> Option<String> {
        Some(format!("android:{SERIAL}"))
    }

    async fn spawn(&self, command: &str, _: Deadline) -> Result<Box<dyn Process>> {
        let mut child = Command::new(self.root.join(SHELL))
            .args(["-c", command])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed("The phone's shell did not start", &error))?;
        Ok(Box::new(LocalProcess { input: child.stdin.take(), child }))
    }

    async fn push(&self, path: &str, mode: u32, content: &[u8], _: Deadline) -> Result<()> {
        let (path, content) = (self.path(path), content.to_vec());
        blocking("The file could not be written", move || write(&path, mode, &content)).await
    }

    async fn pull(&self, path: &str, _: Deadline) -> Result<Vec<u8>> {
        let path = self.path(path);
        blocking("The file could not be read", move || read(&path)).await
    }

    async fn connect(&self, socket: &str, _: Deadline) -> Result<Box<dyn Stream>> {
        let connected = UnixStream::connect(format!("\0{socket}")).await;
        let stream = connected.map_err(|error| failed("Nothing answers at the socket", &error))?;
        Ok(Box::new(stream))
    }
}

/// A command with everything it started.
struct LocalProcess {
    child: Child,
    input: Option<ChildStdin>,
}

impl Drop for LocalProcess {
    /// The rest of its group; its own process is ended with `child`. While it was not waited for, its number is not given to another.
    fn drop(&mut self) {
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group
            && let Err(error) = kill_process_group(group, Signal::KILL)
        {
            tracing::debug!(%error, "a command was not ended");
        }
    }
}

#[async_trait]
impl Process for LocalProcess {
    async fn write(&mut self, input: &[u8]) -> Result<()> {
        let Some(pipe) = &mut self.input else {
            return Err(Error::new(Reason::ActionFailed, "The input of the command is closed."));
        };
        let written = pipe.write_all(input).await;
        written.map_err(|error| failed("The command takes no input any more", &error))
    }

    async fn close_input(&mut self) -> Result<()> {
        self.input = None;
        Ok(())
    }

    async fn read(&mut self, sink: Sink<'_>) -> Result<Output> {
        let mut output = Output::default();
        let hand_on = each_chunk(self.child.stdout.as_mut(), sink);
        let mut room = MAX_ERROR_TEXT;
        let keep = &mut |bytes: &[u8]| {
            let kept = &bytes[..bytes.len().min(room)];
            room -= kept.len();
            output.stderr.extend_from_slice(kept);
            ControlFlow::Continue(())
        };
        // Both at once, for a command that waits for its errors to be read; broken off as soon as the sink says so.
        let broken_off = tokio::try_join!(hand_on, each_chunk(self.child.stderr.as_mut(), keep)).is_err();
        if broken_off {
            return Ok(output);
        }
        let ended = self.child.wait().await.map_err(|error| failed("A command was lost", &error))?;
        let code = ended.code().or_else(|| ended.signal().map(|signal| KILLED + signal));
        output.exit = code.and_then(|code| u8::try_from(code).ok());
        Ok(output)
    }
}

/// Set when the reader of some output wants no more.
struct BrokenOff;

/// Hands on what comes until it ends.
async fn each_chunk(
    pipe: Option<&mut (impl AsyncRead + Unpin)>,
    sink: Sink<'_>,
) -> std::result::Result<(), BrokenOff> {
    let Some(pipe) = pipe else { return Ok(()) };
    let mut chunk = vec![0; CHUNK];
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        if sink(&chunk[..read]).is_break() {
            return Err(BrokenOff);
        }
    }
    Ok(())
}

/// A new file in place of whatever was there, as adbd does it; a link is replaced, not followed.
fn write(path: &Path, mode: u32, content: &[u8]) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?.write_all(content)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    std::fs::File::open(path)?.take(MAX_PULL as u64 + 1).read_to_end(&mut content)?;
    if content.len() > MAX_PULL {
        return Err(std::io::Error::other(format!("it is longer than {MAX_PULL} bytes")));
    }
    Ok(content)
}

async fn blocking<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panic| Err(std::io::Error::other(panic))).map_err(|error| failed(what, &error))
}

fn failed(what: &str, error: &std::io::Error) -> Error {
    Error::new(Reason::ActionFailed, format!("{what}: {error}."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::time::{Duration, Instant};

    use super::*;

    /// A phone whose shell is this machine's.
    struct Bench {
        folder: tempfile::TempDir,
        device: Device,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("system/bin")).unwrap();
            symlink("/bin/sh", folder.path().join(SHELL)).unwrap();
            let device = Device::below(folder.path()).unwrap();
            Self { folder, device }
        }
    }

    fn soon() -> Deadline {
        Deadline::after(Duration::from_secs(20))
    }

    /// Whether a process runs, by its number.
    fn runs(pid: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    }

    async fn until(mut reached: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(10);
        while !reached() {
            assert!(Instant::now() < end, "not reached in time");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn outputs_and_the_exit_code_come_apart() {
        let bench = Bench::new();
        let output = bench.device.run("echo said; echo wrong >&2; exit 7", 100, soon()).await.unwrap();
        assert_eq!((output.text().as_str(), output.errors().as_str()), ("said\n", "wrong\n"));
        assert_eq!((output.exit, output.cut), (Some(7), false));
        let killed = bench.device.run("kill -9 $$", 100, soon()).await.unwrap();
        assert_eq!(killed.exit, Some(137));
    }

    #[tokio::test]
    async fn what_says_more_than_is_read_is_cut_and_ended() {
        let bench = Bench::new();
        let output = bench.device.run("while :; do echo spam; done", 1000, soon()).await.unwrap();
        assert!(output.cut && output.stdout.len() == 1000);
        let loud = "i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i+1)); done; echo end";
        let output = bench.device.run(loud, 1000, soon()).await.unwrap();
        assert_eq!((output.text().as_str(), output.stderr.len()), ("end\n", MAX_ERROR_TEXT));
    }

    #[tokio::test]
    async fn a_command_without_a_waiter_ends_with_all_it_started() {
        let bench = Bench::new();
        let note = bench.folder.path().join("pids");
        let command = format!("sleep 600 & echo $! $$ >{}; wait", note.display());
        let soon_over = Deadline::after(Duration::from_millis(500));
        let late = bench.device.run(&command, 100, soon_over).await.unwrap_err();
        assert_eq!(late.reason(), Reason::Timeout);
        let pids = std::fs::read_to_string(note).unwrap();
        for pid in pids.split_whitespace() {
            until(|| !runs(pid)).await;
        }
    }

    #[tokio::test]
    async fn input_reaches_the_command_until_it_is_closed() {
        let bench = Bench::new();
        let mut process = bench.device.spawn("cat", soon()).await.unwrap();
        process.write(b"ab").await.unwrap();
        process.close_input().await.unwrap();
        assert!(process.write(b"c").await.is_err());
        let output = crate::channel::collect(&mut *process, 100).await.unwrap();
        assert_eq!(output.text(), "ab");
    }

    #[tokio::test]
    async fn a_file_is_new_and_has_its_mode() {
        let bench = Bench::new();
        let (kept, path) = (bench.folder.path().join("kept"), bench.folder.path().join("file"));
        std::fs::write(&kept, "others'").unwrap();
        symlink(&kept, &path).unwrap();
        bench.device.push("/file", 0o600, &[7; 100_000], soon()).await.unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(bench.device.pull("/file", soon()).await.unwrap(), [7; 100_000]);
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "others'");
        let missing = bench.device.pull("/none", soon()).await.unwrap_err();
        assert!(missing.message().contains("No such file"), "{missing}");
    }

    #[tokio::test]
    async fn abstract_sockets_are_reached_by_name() {
        let bench = Bench::new();
        let name = format!("fingertip-test-{}", std::process::id());
        assert!(bench.device.connect(&name, soon()).await.is_err());
        let listener = tokio::net::UnixListener::bind(format!("\0{name}")).unwrap();
        let mut near = bench.device.connect(&name, soon()).await.unwrap();
        let (mut far, _) = listener.accept().await.unwrap();
        far.write_all(b"hi").await.unwrap();
        let mut read = [0; 2];
        near.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"hi");
    }

    #[test]
    fn a_machine_without_androids_shell_and_an_app_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let error = Device::below(folder.path()).unwrap_err();
        assert!(error.message().contains("no Android phone"), "{error}");
        for user in [0, 1000, 2000] {
            assert!(may_drive(user).is_ok(), "{user}");
        }
        for user in [10_123, 1_010_123] {
            assert!(may_drive(user).is_err_and(|error| error.message().contains("as an app")), "{user}");
        }
    }
}
