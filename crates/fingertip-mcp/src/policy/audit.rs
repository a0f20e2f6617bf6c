//! What was done, by whom, to what, and how it ended: one JSON object a line, appended to a file of the owner's own.
//!
//! Rules: a call that acts leaves a line before its first touch, key or action, and one with the same `call` when it
//! ends, however it ends. Without the first line it does not act; while the second cannot be written, no other call
//! does. A call that was let near a tool and did not act leaves one line, or is counted in one: see `refusals`. No
//! text is kept, only its length and the beginning of its hash; of what went into a password field not even that.
//! Nothing that was on the screen is kept but the name of the application.
//!
//! Several servers may share a file: a line is one write under the lock of the file, which is put aside only by the
//! holder of that lock. A server that gets the lock of a file another one has put aside meanwhile takes the newest instead.
//!
//! On disk means handed to the file system: it outlives this program, however that ends. It is not forced onto the
//! medium line by line, which would cost milliseconds each; a power cut may lose the last seconds.

mod entry;
mod file;
mod line;
mod refusals;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::clock;
use fingertip_core::sync::lock;
use tokio::sync::oneshot;

pub use entry::{AuditContext, Entry, Record};
pub use line::{Digest, Line, Outcome, Selected};

use crate::transport::private_file::{self, FileError};
use file::{About, LogFile};
use refusals::Refusals;
use writer::{Order, Writer};

/// How large a file grows before it is put aside, in bytes.
pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// How many files put aside are kept.
pub const KEPT: u32 = 3;

/// How long a line may take to be written, the wait for other servers' locks included.
const WITHIN: Duration = Duration::from_secs(2);
/// How much longer a call waits for the confirmation that its line is written.
const WORD_WITHIN: Duration = Duration::from_secs(1);

/// Where writes are written down.
#[derive(Debug)]
pub struct Audit {
    writer: Arc<Mutex<Writer>>,
    orders: Option<Sender<Order>>,
    finished: Mutex<Receiver<()>>,
    refusals: Arc<Mutex<Refusals>>,
    /// Distinguishes the calls of this server from those of others.
    server: u32,
    calls: AtomicU64,
}

/// Why the log cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// It is no plain file, belongs to another user, or others could read or change it.
    #[error("the audit log cannot be used: {0}")]
    Untrusted(FileError),
    /// It cannot be opened or written.
    #[error("the audit log {0} cannot be written: {1}")]
    Io(PathBuf, io::Error),
}

impl Audit {
    /// Opens the log, making it where there is none, and makes sure that it can be written.
    ///
    /// # Errors
    /// When it cannot be written, or when others could read it.
    pub fn open(path: &Path) -> Result<Self, AuditError> {
        let failed = |error| AuditError::Io(path.to_owned(), error);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            private_file::create_directory(folder).map_err(failed)?;
        }
        private_file::open_log(path).map_err(|error| match error {
            FileError::Io { source, .. } => failed(source),
            untrusted => AuditError::Untrusted(untrusted),
        })?;
        let server = getrandom::u32().map_err(|error| failed(io::Error::other(error)))?;
        let (orders, given) = mpsc::channel();
        let (done, finished) = mpsc::channel();
        let refusals = Arc::<Mutex<Refusals>>::default();
        let file = LogFile::new(path, MAX_BYTES, KEPT);
        let writer = Arc::new(Mutex::new(Writer::new(file, Arc::clone(&refusals))));
        let shared = Arc::clone(&writer);
        let thread = std::thread::Builder::new().name("audit".to_owned());
        let started = thread.spawn(move || {
            writer::run(&shared, &given);
            drop(done);
        });
        started.map_err(failed)?;
        Ok(Self {
            writer,
            orders: Some(orders),
            finished: Mutex::new(finished),
            refusals,
            server,
            calls: AtomicU64::new(0),
        })
    }

    /// With files of this size at the most, and so many of them kept beside the newest.
    #[must_use]
    pub fn rotated(self, max_bytes: u64, kept: u32) -> Self {
        self.give(Order::Rotate(max_bytes, kept));
        self
    }

    /// A name for a call that no other one of this log has.
    fn next_call(&self) -> String {
        format!("{:08x}-{}", self.server, self.calls.fetch_add(1, Ordering::Relaxed))
    }

    /// Writes down that a call is about to act.
    ///
    /// # Errors
    /// Then it must not.
    async fn begin(&self, line: Line) -> io::Result<()> {
        if self.write_now(&line, About::Intent) {
            return Ok(());
        }
        self.ask(|done| Order::Begin(line, Instant::now() + WITHIN, done)).await
    }

    /// Writes down how a call ended that acted. The line is sure to be written, if not now then before the next act.
    async fn end(&self, line: Line) {
        if !self.write_now(&line, About::End) {
            let _ = self.ask(|done| Order::End(line, done)).await;
        }
    }

    /// Writes down, or counts, a call that did not act.
    async fn refused(&self, line: Line) {
        if let Some(line) = self.admit(line) {
            let _ = self.ask(|done| Order::Refused(line, done)).await;
        }
    }

    /// As [`Self::end`] and [`Self::refused`], for a call without a waiting caller.
    fn dropped(&self, line: Line, acted: bool) {
        let (done, _) = oneshot::channel();
        if acted {
            if !self.write_now(&line, About::End) {
                self.give(Order::End(line, done));
            }
        } else if let Some(line) = self.admit(line) {
            self.give(Order::Refused(line, done));
        }
    }

    /// Writes a line at once where that takes no waiting.
    fn write_now(&self, line: &Line, about: About) -> bool {
        // While the thread is at it, it may be waiting.
        self.writer.try_lock().is_ok_and(|mut writer| writer.write_now(line, about))
    }

    fn admit(&self, line: Line) -> Option<Line> {
        lock(&self.refusals).admit(line, Instant::now())
    }

    /// Whether a line may have been written though this was said of it.
    fn may_be_written(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(inner) if inner.is::<NoWord>())
    }

    async fn ask(&self, order: impl FnOnce(writer::Done) -> Order) -> io::Result<()> {
        let _disk = clock::hold();
        let (done, word) = oneshot::channel();
        self.give(order(done));
        match tokio::time::timeout(WITHIN + WORD_WITHIN, word).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(io::Error::other("its writer has ended")),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, NoWord)),
        }
    }

    fn give(&self, order: Order) {
        // The receiver lives as long as the thread, which ends only with the sender; should it have panicked, the
        // order is dropped and the caller gets an error.
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

/// The thread that writes has not said in time what became of a line.
#[derive(Debug, thiserror::Error)]
#[error("its disk does not answer")]
struct NoWord;

impl Drop for Audit {
    /// Lets the thread write what is left, within a bounded time.
    fn drop(&mut self) {
        self.orders = None;
        let finished = self.finished.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = finished.recv_timeout(WITHIN);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::file::numbered;
    use super::*;

    fn lines(path: &Path) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    fn act() -> Line {
        Line { call: Some("00000000-1".to_owned()), ..Line::sample() }
    }

    fn size() -> u64 {
        serde_json::to_vec(&act()).unwrap().len() as u64 + 1
    }

    #[tokio::test]
    async fn lines_are_appended_and_files_put_aside_by_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/audit.jsonl");
        let audit = Audit::open(&path).unwrap().rotated(2 * size(), 2);
        for _ in 0..9 {
            audit.begin(act()).await.unwrap();
        }
        let counts = [path.clone(), numbered(&path, 1), numbered(&path, 2), numbered(&path, 3)];
        assert_eq!(counts.map(|path| lines(&path).len()), [1, 2, 2, 0]);
        assert!(private_file::is_private(&path).unwrap());
        assert!(private_file::is_private(&numbered(&path, 2)).unwrap());
    }

    #[test]
    fn servers_that_share_a_file_lose_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let audit = Audit::open(&path).unwrap().rotated(2 * size(), 1000);
                scope.spawn(move || {
                    let runtime =
                        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
                    runtime.block_on(async {
                        for _ in 0..25 {
                            audit.begin(act()).await.unwrap();
                            audit.end(act()).await;
                        }
                    });
                });
            }
        });
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        assert_eq!(files.map(|path| lines(&path).len()).sum::<usize>(), 200);
    }

    #[tokio::test]
    async fn while_the_end_of_a_call_cannot_be_written_no_other_begins() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        let path = inner.join("audit.jsonl");
        let audit = Audit::open(&path).unwrap();
        audit.begin(act()).await.unwrap();
        fs::remove_dir_all(&inner).unwrap();
        fs::write(&inner, "in the way").unwrap();
        audit.end(act()).await;
        audit.begin(act()).await.unwrap_err();
        fs::remove_file(&inner).unwrap();
        audit.begin(act()).await.unwrap();
        assert_eq!(lines(&path).len(), 2, "the end that was missing, and the new begin");
    }

    #[tokio::test]
    async fn what_was_counted_is_written_when_the_server_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let audit = Audit::open(&path).unwrap();
        for _ in 0..1000 {
            audit.refused(Line::sample()).await;
        }
        assert!(lines(&path).len() < 100);
        drop(audit);
        let calls = lines(&path).iter().map(|line| line["repeated"].as_u64().unwrap_or(1)).sum::<u64>();
        assert_eq!(calls, 1000);
    }

    #[cfg(unix)]
    #[test]
    fn a_log_that_others_can_read_is_refused_with_the_fix() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Audit::open(&path).unwrap_err().to_string().contains("chmod 600"));
    }
}
