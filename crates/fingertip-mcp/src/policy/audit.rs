//! What was done, by whom, to what, and how it ended: one JSON object a line, appended to a file of the owner's own.
//!
//! Rules: every writing call that was let near a tool leaves exactly one line, however it ended. No text is kept, only
//! its length and the beginning of its hash; of what went into a password field not even that. Nothing that was on the
//! screen is kept but the name of the application. While the file cannot be written, nothing else is done either.
//!
//! Several servers may share a file: a line is one write under the lock of the file, which is put aside only by who
//! holds that lock. A server that gets the lock of a file another one has put aside meanwhile takes the newest instead.

mod entry;
mod line;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub use entry::{Entry, Trail};
pub use line::{Digest, Line, Outcome};

use crate::transport::private_file;

/// How large a file grows before it is put aside, in bytes.
pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// How many files put aside are kept.
pub const KEPT: u32 = 3;

/// How often a server tries to get hold of the newest file while others put it aside.
const ATTEMPTS: u32 = 100;

/// Where writes are written down.
#[derive(Debug)]
pub struct Audit {
    path: PathBuf,
    max_bytes: u64,
    kept: u32,
    broken: AtomicBool,
}

/// Why the log cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// Others could read or change it.
    #[error("others can read or change the audit log {0}; make it yours alone with: chmod 600 {0}")]
    NotPrivate(PathBuf),
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
        drop(private_file::append(path).map_err(failed)?);
        if !private_file::is_private(path).map_err(failed)? {
            return Err(AuditError::NotPrivate(path.to_owned()));
        }
        Ok(Self { path: path.to_owned(), max_bytes: MAX_BYTES, kept: KEPT, broken: AtomicBool::new(false) })
    }

    /// With files of this size at the most, and so many of them kept beside the newest.
    #[must_use]
    pub fn rotated(mut self, max_bytes: u64, kept: u32) -> Self {
        self.max_bytes = max_bytes;
        self.kept = kept;
        self
    }

    /// Whether the next line can be written, as far as the last one tells.
    #[must_use]
    pub fn works(&self) -> bool {
        if self.broken.load(Ordering::Relaxed) {
            self.broken.store(private_file::append(&self.path).is_err(), Ordering::Relaxed);
        }
        !self.broken.load(Ordering::Relaxed)
    }

    /// Appends one line. A failure is logged, and remembered for [`Self::works`].
    pub fn append(&self, line: &Line) {
        if let Err(error) = self.try_append(line) {
            self.broken.store(true, Ordering::Relaxed);
            tracing::error!(%error, "the audit log cannot be written");
        }
    }

    fn try_append(&self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        for _ in 0..ATTEMPTS {
            let mut file = private_file::append(&self.path)?;
            file.lock()?;
            // Another server may have put it aside while this one waited for the lock.
            if !self.is_newest(&file)? {
                continue;
            }
            let size = file.metadata()?.len();
            if size == 0 || size + text.len() as u64 <= self.max_bytes {
                return file.write_all(&text);
            }
            self.put_aside()?;
        }
        Err(io::Error::new(io::ErrorKind::TimedOut, "the log is put aside again and again"))
    }

    /// Whether this is the file that is at the log's path now.
    fn is_newest(&self, file: &File) -> io::Result<bool> {
        let own = same_file::Handle::from_file(file.try_clone()?)?;
        match same_file::Handle::from_path(&self.path) {
            Ok(newest) => Ok(newest == own),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes room for a new file. Done by who holds the lock of the newest file, so by one at a time.
    fn put_aside(&self) -> io::Result<()> {
        if self.kept == 0 {
            return fs::remove_file(&self.path);
        }
        for number in (1..=self.kept).rev() {
            let older = if number == 1 { self.path.clone() } else { self.numbered(number - 1) };
            if older.exists() {
                fs::rename(&older, self.numbered(number))?;
            }
        }
        Ok(())
    }

    fn numbered(&self, number: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &Path) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn lines_are_appended_and_files_put_aside_by_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/audit.jsonl");
        let size = serde_json::to_vec(&Line::sample()).unwrap().len() as u64 + 1;
        let audit = Audit::open(&path).unwrap().rotated(2 * size, 2);
        for _ in 0..9 {
            audit.append(&Line::sample());
        }
        let counts = [path.clone(), audit.numbered(1), audit.numbered(2), audit.numbered(3)];
        assert_eq!(counts.map(|path| lines(&path).len()), [1, 2, 2, 0]);
        assert!(private_file::is_private(&path).unwrap());
        assert!(private_file::is_private(&audit.numbered(2)).unwrap());
    }

    #[test]
    fn servers_that_share_a_file_lose_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let size = serde_json::to_vec(&Line::sample()).unwrap().len() as u64 + 1;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let audit = Audit::open(&path).unwrap().rotated(2 * size, 1000);
                scope.spawn(move || (0..50).for_each(|_| audit.append(&Line::sample())));
            }
        });
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        assert_eq!(files.map(|path| lines(&path).len()).sum::<usize>(), 200);
    }

    #[test]
    fn a_log_that_vanished_is_made_again_and_one_that_cannot_be_is_said_to_be_broken() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        let path = inner.join("audit.jsonl");
        let audit = Audit::open(&path).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        fs::write(&inner, "in the way").unwrap();
        audit.append(&Line::sample());
        assert!(!audit.works());
        fs::remove_file(&inner).unwrap();
        fs::create_dir(&inner).unwrap();
        assert!(audit.works());
        audit.append(&Line::sample());
        assert_eq!(lines(&path).len(), 1);
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
