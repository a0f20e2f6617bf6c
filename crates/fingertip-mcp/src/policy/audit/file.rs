//! The file of the log: checked, locked, added to and put aside.
//!
//! Rules: before each line, under the lock, the file must still be the one at the path, a plain file, the owner's own
//! and private. A line is there as a whole or not at all: what was written of one that failed is cut off again, and one
//! that another process left torn is ended before the next. A line that announces an act has room reserved for the line
//! that reports its end, where the file system can promise that.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::transport::private_file::{self, Identity};

/// How often the newest file is looked for while others put it aside.
const ATTEMPTS: u32 = 100;
/// How often a lock that another process holds is asked for.
const LOCK_EVERY: Duration = Duration::from_millis(5);
/// How much room is kept behind the line of an act for lines that report how acts ended, in bytes.
const RESERVE: u64 = 64 * 1024;
/// Calls that did not act get at most one part of so many of a file, on top of what acts may fill.
const REFUSED_SHARE: u64 = 4;
/// What only the lines of calls that acted hold. Within a JSON string its quotes would be escaped.
const ACTED: &[u8] = b"\"call\":\"";

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// An act that is to begin.
    Intent,
    /// An act that ended.
    End,
    /// A call that did not act.
    Refusal,
    /// Calls that did not act, counted together, when the server ends.
    LastCount,
}

/// The newest file of the log.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    pub(super) max_bytes: u64,
    pub(super) kept: u32,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    identity: Identity,
    /// Up to here it is known to hold whole lines.
    whole: u64,
    /// Up to here there is room for it to grow.
    reserved: u64,
    /// Up to here lines of calls that did not act were counted.
    counted: u64,
    /// Their size, in bytes.
    refused: u64,
}

impl LogFile {
    pub(super) fn new(path: &Path, max_bytes: u64, kept: u32) -> Self {
        Self { path: path.to_owned(), max_bytes, kept, open: None }
    }

    /// Whether it is open; then a line is added without waiting, but for a lock if there is time for that.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Adds one line, which ends with a newline. Gives up when the lock is not to be had by `until`.
    pub(super) fn append(&mut self, line: &[u8], about: About, until: Instant) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => self.open()?,
            };
            lock(&open.file, until)?;
            // Dropped on an error, so that the next line starts with a fresh look at what is there.
            let done = self.locked(&mut open, line, about);
            let unlocked = open.file.unlock();
            if done? {
                unlocked?;
                self.open = Some(open);
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::TimedOut, "it is put aside again and again"))
    }

    /// Adds the line to the file whose lock is held; false when that is not the newest file any more.
    fn locked(&self, open: &mut Open, line: &[u8], about: About) -> io::Result<bool> {
        let Some(found) = private_file::still_at(&open.identity, &self.path)? else { return Ok(false) };
        private_file::check(&self.path, &found)?;
        let size = found.len();
        let added = line.len() as u64;
        match about {
            About::Refusal => {
                open.count_refused(size)?;
                if open.refused + added > self.max_bytes / REFUSED_SHARE {
                    return Err(io::Error::other("calls that did nothing have filled their part of it"));
                }
            }
            // Only acts put a file aside, and lines of refused calls do not count towards that: however many there
            // are, no act leaves the log sooner.
            About::Intent if size + added > self.max_bytes => {
                open.count_refused(size)?;
                if size > open.refused && size - open.refused + added > self.max_bytes {
                    // The room kept behind its end is of no use any more.
                    open.file.set_len(size)?;
                    self.put_aside()?;
                    return Ok(false);
                }
            }
            _ => {}
        }
        if about == About::Intent {
            open.reserve(size, added)?;
        }
        open.add(size, line)?;
        Ok(true)
    }

    fn open(&self) -> io::Result<Open> {
        let file = match private_file::open_log(&self.path) {
            Err(error) if error.is_missing() => {
                if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    private_file::create_directory(folder)?;
                }
                private_file::open_log(&self.path)?
            }
            file => file?,
        };
        let identity = Identity::of(&file)?;
        Ok(Open { file, identity, whole: 0, reserved: 0, counted: 0, refused: 0 })
    }

    /// Makes room for a new file. Done by who holds the lock of the newest file, so by one at a time.
    fn put_aside(&self) -> io::Result<()> {
        if self.kept == 0 {
            return fs::remove_file(&self.path);
        }
        for number in (1..=self.kept).rev() {
            let older = if number == 1 { self.path.clone() } else { numbered(&self.path, number - 1) };
            if older.exists() {
                fs::rename(&older, numbered(&self.path, number))?;
            }
        }
        Ok(())
    }
}

impl Open {
    /// Keeps room behind the next line.
    fn reserve(&mut self, size: u64, added: u64) -> io::Result<()> {
        if self.reserved < size + added + RESERVE / 2 {
            private_file::reserve(&self.file, size, added + RESERVE)?;
            self.reserved = size + added + RESERVE;
        }
        Ok(())
    }

    fn add(&mut self, size: u64, line: &[u8]) -> io::Result<()> {
        let torn = size != self.whole && size > 0 && !self.ends_whole(size)?;
        let ended: Vec<u8>;
        let text = if torn {
            ended = [b"\n", line].concat();
            &ended
        } else {
            line
        };
        if let Err(error) = self.file.write_all(text) {
            self.file.set_len(size)?;
            return Err(error);
        }
        self.whole = size + text.len() as u64;
        Ok(())
    }

    fn ends_whole(&mut self, size: u64) -> io::Result<bool> {
        let mut last = [0];
        self.file.seek(SeekFrom::Start(size - 1))?;
        self.file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }

    /// Counts the lines of calls that did not act, of all servers that share the file.
    fn count_refused(&mut self, size: u64) -> io::Result<()> {
        if size < self.counted {
            (self.counted, self.refused) = (0, 0);
        }
        self.file.seek(SeekFrom::Start(self.counted))?;
        let mut reader = BufReader::new((&self.file).take(size - self.counted));
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            if !line.windows(ACTED.len()).any(|part| part == ACTED) {
                self.refused += line.len() as u64;
            }
            line.clear();
        }
        self.counted = size;
        Ok(())
    }
}

/// Gets the lock, which another process may hold for as long as it likes.
fn lock(file: &File, until: Instant) -> io::Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds its lock"));
            }
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(LOCK_EVERY),
        }
    }
}

/// The path of a file that was put aside.
pub(super) fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACT: &[u8] = b"{\"outcome\":\"ok\",\"call\":\"1\"}\n";
    const NOTHING: &[u8] = b"{\"client\":\"\\\"call\\\":\\\"\"}\n";

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    fn log(max_bytes: u64, kept: u32) -> (tempfile::TempDir, PathBuf, LogFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/audit.jsonl");
        let log = LogFile::new(&path, max_bytes, kept);
        (folder, path, log)
    }

    #[test]
    fn a_torn_line_is_ended_before_the_next_one() {
        let (_folder, path, mut log) = log(1000, 1);
        log.append(ACT, About::Intent, soon()).unwrap();
        let mut other = private_file::open_log(&path).unwrap();
        other.write_all(b"{\"torn").unwrap();
        log.append(ACT, About::End, soon()).unwrap();
        let expected = [ACT, b"{\"torn\n", ACT].concat();
        assert_eq!(fs::read(&path).unwrap(), expected);
    }

    #[test]
    fn calls_that_did_nothing_put_no_act_out_of_the_log() {
        let (_folder, path, mut log) = log(400, 1);
        log.append(ACT, About::Intent, soon()).unwrap();
        let written = (0..1000).take_while(|_| log.append(NOTHING, About::Refusal, soon()).is_ok()).count();
        assert_eq!(written, 100 / NOTHING.len());
        // A second server counts what the first wrote.
        let mut second = LogFile::new(&path, 400, 1);
        assert!(second.append(NOTHING, About::Refusal, soon()).is_err());
        for _ in 1..400 / ACT.len() {
            second.append(ACT, About::Intent, soon()).unwrap();
        }
        assert!(!numbered(&path, 1).exists(), "acts have as much room as without them");
        log.append(ACT, About::Intent, soon()).unwrap();
        assert!(numbered(&path, 1).exists());
        log.append(NOTHING, About::Refusal, soon()).unwrap();
    }

    #[test]
    fn a_file_that_was_removed_or_replaced_is_noticed_at_the_next_line() {
        let (folder, path, mut log) = log(1000, 1);
        log.append(ACT, About::Intent, soon()).unwrap();
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        log.append(ACT, About::Intent, soon()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), ACT, "made again");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        log.append(ACT, About::Intent, soon()).unwrap_err();
        fs::remove_dir(&path).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        #[cfg(unix)]
        for _ in 0..2 {
            std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
            log.append(ACT, About::Intent, soon()).unwrap_err();
            fs::remove_file(&path).unwrap();
            // First dangling, then not.
            fs::write(&elsewhere, "").unwrap();
        }
        assert_eq!(fs::read(&elsewhere).unwrap(), b"", "nothing went where the link led");
        log.append(ACT, About::Intent, soon()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), ACT);
        fs::rename(&path, &elsewhere).unwrap();
        fs::write(&path, "").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(log.append(ACT, About::Intent, soon()).unwrap_err().to_string().contains("others can"));
        }
    }

    #[test]
    fn a_lock_that_another_holds_is_waited_for_only_so_long() {
        let (_folder, path, mut log) = log(1000, 1);
        log.append(ACT, About::Intent, soon()).unwrap();
        let other = private_file::open_log(&path).unwrap();
        other.lock().unwrap();
        assert_eq!(log.append(ACT, About::Intent, soon()).unwrap_err().kind(), io::ErrorKind::TimedOut);
        other.unlock().unwrap();
        log.append(ACT, About::Intent, soon()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [ACT, ACT].concat());
    }

    #[cfg(unix)]
    #[test]
    fn a_log_in_a_folder_that_everybody_can_change_is_refused_whenever_that_becomes_so() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, path, mut log) = log(1000, 1);
        log.append(ACT, About::Intent, soon()).unwrap();
        let opened = |mode| {
            fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(mode)).unwrap();
        };
        for mode in [0o777, 0o703] {
            opened(mode);
            let refused = |log: &mut LogFile| log.append(ACT, About::Intent, soon()).unwrap_err().to_string();
            assert!(refused(&mut log).contains("everybody can replace"), "while it is open");
            let mut other = LogFile::new(&path, 1000, 1);
            assert!(refused(&mut other).contains("everybody can replace"));
        }
        // As the one for temporary files.
        opened(0o1777);
        log.append(ACT, About::Intent, soon()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_no_log() {
        let (_folder, _, mut log) = log(1000, 1);
        log.path = "/dev/null".into();
        assert!(
            log.append(ACT, About::Intent, soon()).unwrap_err().to_string().contains("not a regular file")
        );
    }
}
