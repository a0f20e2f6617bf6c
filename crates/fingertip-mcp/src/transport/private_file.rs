//! Private files: made for the owner alone, and read only if no other user can have written them.
//!
//! On Unix the mode is set when a file is created, never afterwards, so there is no moment in which others could open it.
//! What is read is judged by the open descriptor, not by its path: a regular file of bounded size that belongs to the
//! user fingertip runs as, or to root, in a folder that not everybody can change. Links are followed, as tools that manage
//! secrets and configurations make them; what they lead to is judged alike. Opening never waits for the other end of
//! a pipe. Elsewhere the user's own directory is what keeps others out.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use platform::{
    Identity, check, create, create_directory, is_private, open, open_log, reserve, still_at, write,
};
#[cfg(unix)]
pub use platform::{open_shared, own_directory};

/// Who besides its owner may use a file that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// No other user may read or change it: a token, a key.
    Secret,
    /// No other user may change it: a configuration.
    Settings,
    /// It protects nothing, as a certificate; it must only be a file.
    Public,
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system does not give it.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder, a pipe, a socket or a device.
    #[error("{0} is not a regular file; name a file, or remove what is there")]
    NotAFile(PathBuf),
    /// It is larger than such a file can sensibly be.
    #[error("{path} is larger than {limit} bytes; it cannot be the file that is meant")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most it may have.
        limit: u64,
    },
    /// It belongs to another user, who can change it at any time.
    #[error(
        "{path} belongs to user {owner}, and fingertip runs as user {user}; if you trust what it holds, make it yours with: \
         chown {user} {path}"
    )]
    Foreign {
        /// The file or folder.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who asks.
        user: u32,
    },
    /// Others could read a secret.
    #[error("others can read or change {0}; make it yours alone with: chmod 600 {0}")]
    Readable(PathBuf),
    /// Others could change it.
    #[error("others can change {0}; make it yours alone with: chmod go-w {0}")]
    Writable(PathBuf),
    /// Everybody can replace what is in its folder.
    #[error("everybody can replace the files in {0}; change that with: chmod o-w {0}")]
    OpenFolder(PathBuf),
}

/// As the system would say it: what is wrong, not where. While a server runs, replies and its log say so.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        let what = match error {
            FileError::Io { source, .. } => return source,
            FileError::NotAFile(_) => "it is not a regular file".to_owned(),
            FileError::TooLarge { limit, .. } => format!("it is larger than {limit} bytes"),
            FileError::Foreign { owner, user, .. } => {
                format!("it belongs to user {owner}, and fingertip runs as user {user}")
            }
            FileError::Readable(_) => "others can read or change it".to_owned(),
            FileError::Writable(_) => "others can change it".to_owned(),
            FileError::OpenFolder(_) => "everybody can replace the files in its folder".to_owned(),
        };
        Self::new(io::ErrorKind::PermissionDenied, what)
    }
}

impl FileError {
    /// Whether there simply is no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// Reads a whole file.
///
/// # Errors
/// When it is not there, is no file, is larger than `limit` bytes, or is not guarded as it must be.
pub fn read(path: &Path, guard: Guard, limit: u64) -> Result<Vec<u8>, FileError> {
    read_open(&open(path, guard)?, path, limit)
}

fn read_open(file: &File, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let mut content = Vec::new();
    // One byte more shows whether a file is too large or just fits, whatever its size was said to be.
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut content);
    read.map_err(|source| FileError::Io { path: path.to_owned(), source })?;
    if content.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(content)
}

#[cfg(unix)]
mod platform {
    use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
    use std::io::{self, Write};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
    use rustix::process::geteuid;

    use super::{FileError, Guard};

    const OWNER_ONLY_DIRECTORY: u32 = 0o700;
    const OWNER_ONLY_FILE: u32 = 0o600;
    const GROUP_AND_OTHERS: u32 = 0o077;
    const WRITTEN_BY_OTHERS: u32 = 0o022;
    const WRITTEN_BY_EVERYBODY: u32 = 0o002;
    /// In such a folder only the owner of a file can replace it.
    const STICKY: u32 = 0o1000;
    const ROOT: u32 = 0;

    /// Who fingertip runs as. Asked once: each line of the audit log is judged by it.
    fn user() -> u32 {
        static USER: OnceLock<u32> = OnceLock::new();
        *USER.get_or_init(|| geteuid().as_raw())
    }

    /// Opening a pipe or a device must neither wait nor make it this program's terminal.
    fn flags() -> i32 {
        (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed()
    }

    /// Creates the directory and its parents for the owner alone.
    pub fn create_directory(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(OWNER_ONLY_DIRECTORY).create(path)
    }

    /// Opens a file to read it, if it is guarded as it must be.
    pub fn open(path: &Path, guard: Guard) -> Result<File, FileError> {
        if guard != Guard::Public {
            check_folder(path)?;
        }
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).custom_flags(flags()).open(path).map_err(failed)?;
        let found = file.metadata().map_err(failed)?;
        judge(path, &Found::from(&found), guard, user())?;
        // What a link leads to can be replaced by who can change that folder.
        if guard != Guard::Public && fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink()) {
            check_folder(&fs::canonicalize(path).map_err(failed)?)?;
        }
        Ok(file)
    }

    /// Creates the file with this content for the owner alone, unless there is one; true if it was made. It appears
    /// with its whole content, so that of many who try at once one wins and all read the same.
    pub fn create(path: &Path, content: &[u8]) -> io::Result<bool> {
        check_folder(path)?;
        let fresh = temporary(path, content)?;
        // Not every file system has hard links; those that have none can rename without replacing.
        let made = match fs::hard_link(&fresh, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                renameat_with(CWD, &fresh, CWD, path, RenameFlags::NOREPLACE).map_err(io::Error::from)
            }
            linked => linked,
        };
        let _ = fs::remove_file(&fresh);
        match made {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes the file for the owner alone; a reader sees the old content or the new, never half of it.
    pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        check_folder(path)?;
        let fresh = temporary(path, content)?;
        fs::rename(&fresh, path).inspect_err(|_| drop(fs::remove_file(&fresh)))
    }

    /// A new file beside `path` with this content, under a name that cannot be foreseen.
    fn temporary(path: &Path, content: &[u8]) -> io::Result<PathBuf> {
        let mut random = [0_u8; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{:016x}.new", u64::from_ne_bytes(random)));
        let fresh = path.with_file_name(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY_FILE).open(&fresh)?;
        let written = file.write_all(content).and_then(|()| file.sync_all());
        written.inspect_err(|_| drop(fs::remove_file(&fresh)))?;
        Ok(fresh)
    }

    /// Opens a file to read it and to add to its end, creating it for the owner alone. Follows no link: one
    /// made there by another user would have lines added to a file of their choice.
    pub fn open_log(path: &Path) -> Result<File, FileError> {
        open_private(path, OpenOptions::new().read(true).append(true))
    }

    /// Opens a file to read and to write anywhere in it; else as [`open_log`].
    pub fn open_shared(path: &Path) -> Result<File, FileError> {
        open_private(path, OpenOptions::new().read(true).write(true).truncate(false))
    }

    fn open_private(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        let flags = flags() | OFlags::NOFOLLOW.bits().cast_signed();
        // Before the file is made: nothing of ours is left where it must not be.
        check_folder(path)?;
        let file =
            options.create(true).mode(OWNER_ONLY_FILE).custom_flags(flags).open(path).map_err(failed)?;
        check(path, &file.metadata().map_err(failed)?)?;
        Ok(file)
    }

    /// Makes sure that an open file is one that no other user can read or change.
    pub fn check(path: &Path, found: &Metadata) -> Result<(), FileError> {
        check_folder(path)?;
        judge(path, &Found::from(found), Guard::Secret, user())
    }

    /// Makes sure that the directory is the user's own and that no other user can put files into it.
    pub fn own_directory(path: &Path) -> io::Result<()> {
        let found = fs::symlink_metadata(path)?;
        let own = found.is_dir() && found.uid() == user() && found.mode() & WRITTEN_BY_OTHERS == 0;
        if own {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "others can write there"))
        }
    }

    /// Which file an open one is. Its number is given to no other as long as it is open.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Identity {
        device: u64,
        number: u64,
    }

    impl Identity {
        /// Of an open file.
        pub fn of(file: &File) -> io::Result<Self> {
            Ok(Self::from(&file.metadata()?))
        }
    }

    impl From<&Metadata> for Identity {
        fn from(found: &Metadata) -> Self {
            Self { device: found.dev(), number: found.ino() }
        }
    }

    /// What is known of the open file, if it is still the one at this path; `None` when that is another or none.
    pub fn still_at(open: &Identity, path: &Path) -> io::Result<Option<Metadata>> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => Ok(Some(found?).filter(|found| Identity::from(found) == *open)),
        }
    }

    /// Makes sure that the file can grow by so much from there, where the file system can promise it. Its length stays.
    #[cfg(target_os = "linux")]
    pub fn reserve(file: &File, from: u64, length: u64) -> io::Result<()> {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;
        match fallocate(file, FallocateFlags::KEEP_SIZE, from, length) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Promises nothing: this system cannot.
    #[cfg(not(target_os = "linux"))]
    pub fn reserve(_file: &File, _from: u64, _length: u64) -> io::Result<()> {
        Ok(())
    }

    /// Whether only the owner may read or write the file. One that is another user's is an error.
    pub fn is_private(path: &Path) -> io::Result<bool> {
        match open(path, Guard::Secret) {
            Ok(_) => Ok(true),
            Err(FileError::Readable(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// What is known of something that was opened.
    struct Found {
        is_file: bool,
        owner: u32,
        mode: u32,
    }

    impl From<&Metadata> for Found {
        fn from(metadata: &Metadata) -> Self {
            Self { is_file: metadata.is_file(), owner: metadata.uid(), mode: metadata.mode() }
        }
    }

    fn judge(path: &Path, found: &Found, guard: Guard, user: u32) -> Result<(), FileError> {
        if !found.is_file {
            return Err(FileError::NotAFile(path.to_owned()));
        }
        if guard == Guard::Public {
            return Ok(());
        }
        if ![user, ROOT].contains(&found.owner) {
            return Err(FileError::Foreign { path: path.to_owned(), owner: found.owner, user });
        }
        match guard {
            Guard::Secret if found.mode & GROUP_AND_OTHERS != 0 => Err(FileError::Readable(path.to_owned())),
            Guard::Settings if found.mode & WRITTEN_BY_OTHERS != 0 => {
                Err(FileError::Writable(path.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Whoever can change the folder can take the file away, and with it what it protects. A folder that is not there
    /// is left to who opens the file.
    fn check_folder(path: &Path) -> Result<(), FileError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        match fs::metadata(folder) {
            Ok(found) => judge_folder(folder, found.uid(), found.mode(), user()),
            Err(_) => Ok(()),
        }
    }

    fn judge_folder(folder: &Path, owner: u32, mode: u32, user: u32) -> Result<(), FileError> {
        if ![user, ROOT].contains(&owner) {
            return Err(FileError::Foreign { path: folder.to_owned(), owner, user });
        }
        if mode & WRITTEN_BY_EVERYBODY != 0 && mode & STICKY == 0 {
            return Err(FileError::OpenFolder(folder.to_owned()));
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const USER: u32 = 1000;

        #[test]
        fn a_file_is_trusted_by_its_owner_and_mode() {
            let judged = |owner, mode, guard| {
                judge(Path::new("f"), &Found { is_file: true, owner, mode }, guard, USER)
            };
            for guard in [Guard::Secret, Guard::Settings] {
                assert!(judged(USER, 0o600, guard).is_ok() && judged(ROOT, 0o400, guard).is_ok());
                assert!(matches!(judged(1001, 0o600, guard), Err(FileError::Foreign { owner: 1001, .. })));
            }
            assert!(matches!(judged(USER, 0o640, Guard::Secret), Err(FileError::Readable(_))));
            assert!(judged(USER, 0o644, Guard::Settings).is_ok());
            assert!(matches!(judged(USER, 0o664, Guard::Settings), Err(FileError::Writable(_))));
            assert!(judged(1001, 0o666, Guard::Public).is_ok());
        }

        #[test]
        fn a_folder_is_trusted_by_its_owner_and_mode() {
            let judged = |owner, mode| judge_folder(Path::new("d"), owner, mode, USER);
            assert!(judged(USER, 0o755).is_ok() && judged(ROOT, 0o1777).is_ok());
            assert!(matches!(judged(USER, 0o777), Err(FileError::OpenFolder(_))));
            assert!(matches!(judged(1001, 0o755), Err(FileError::Foreign { .. })));
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io::{self, Write};
    use std::path::Path;

    use super::{FileError, Guard};

    /// Creates the directory and its parents.
    pub fn create_directory(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// Opens a file to read it; who may change it is up to its directory.
    pub fn open(path: &Path, _guard: Guard) -> Result<File, FileError> {
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(FileError::NotAFile(path.to_owned()));
        }
        Ok(file)
    }

    /// Creates the file unless there is one; true if it was made.
    pub fn create(path: &Path, content: &[u8]) -> io::Result<bool> {
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(mut file) => file.write_all(content).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes the file.
    pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        fs::write(path, content)
    }

    /// Opens a file to read it and to add to its end, creating it where it is missing.
    pub fn open_log(path: &Path) -> Result<File, FileError> {
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        check(path, &file.metadata().map_err(failed)?)?;
        Ok(file)
    }

    /// Makes sure that it is a file; who may read it is up to its directory.
    pub fn check(path: &Path, found: &Metadata) -> Result<(), FileError> {
        if found.is_file() { Ok(()) } else { Err(FileError::NotAFile(path.to_owned())) }
    }

    /// Which file an open one is.
    #[derive(Debug)]
    pub struct Identity(same_file::Handle);

    impl Identity {
        /// Of an open file.
        pub fn of(file: &File) -> io::Result<Self> {
            same_file::Handle::from_file(file.try_clone()?).map(Self)
        }
    }

    /// What is known of the open file, if it is still the one at this path; `None` when that is another or none.
    pub fn still_at(open: &Identity, path: &Path) -> io::Result<Option<Metadata>> {
        match same_file::Handle::from_path(path) {
            Ok(newest) if newest == open.0 => open.0.as_file().metadata().map(Some),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(None),
        }
    }

    /// Promises nothing: this system cannot.
    pub fn reserve(_file: &File, _from: u64, _length: u64) -> io::Result<()> {
        Ok(())
    }

    /// Whether the file exists; who may read it is up to its directory.
    pub fn is_private(path: &Path) -> io::Result<bool> {
        fs::metadata(path).map(|_| true)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn of_many_who_create_a_file_one_wins_and_all_read_the_same() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let path = folder.path().join(format!("token{round}"));
            let (path, start) = (&path, &Barrier::new(8));
            let outcomes: Vec<(bool, Vec<u8>)> = std::thread::scope(|scope| {
                let run = |number: u8| {
                    start.wait();
                    let made = create(path, &[number; 64]).unwrap();
                    (made, read(path, Guard::Secret, 64).unwrap())
                };
                let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || run(number))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(outcomes.iter().filter(|(made, _)| *made).count(), 1);
            let read: BTreeSet<_> = outcomes.into_iter().map(|(_, content)| content).collect();
            assert_eq!(read.len(), 1);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 50, "no temporary file stays");
    }

    #[test]
    fn what_is_no_file_or_too_large_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR)
            .unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for guard in [Guard::Secret, Guard::Settings, Guard::Public] {
            for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
                assert!(matches!(read(path, guard, 9), Err(FileError::NotAFile(_))), "{}", path.display());
            }
            assert!(read(&socket, guard, 9).is_err());
        }
        assert!(open_log(&pipe).is_err() && open_log(Path::new("/dev/null")).is_err());
        let large = folder.path().join("large");
        assert!(create(&large, b"0123456789").unwrap());
        assert!(matches!(read(&large, Guard::Secret, 9), Err(FileError::TooLarge { .. })));
        assert_eq!(read(&large, Guard::Secret, 10).unwrap(), b"0123456789");
    }

    #[test]
    fn a_link_to_an_own_file_is_followed_and_its_folder_is_judged_too() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        create(&own.join("file"), b"x").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(own.join("file"), &link).unwrap();
        assert_eq!(read(&link, Guard::Secret, 9).unwrap(), b"x");
        fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).unwrap();
        for path in [&link, &own.join("file")] {
            assert!(matches!(read(path, Guard::Settings, 9), Err(FileError::OpenFolder(_))));
        }
        assert!(create(&own.join("new"), b"x").is_err() && write(&own.join("file"), b"x").is_err());
    }
}
