//! Files only their owner may read, chosen once per platform.
//!
//! On Unix the mode is set when the file is created, never afterwards, so there is no moment in which others could
//! open it. Elsewhere the user's own directory is what keeps others out.

pub use platform::{
    create_directory, fault, is_private, only_owner_writes, open_log, reserve, still_at, write,
};
#[cfg(unix)]
pub use platform::{open_shared, own_directory};

/// Why a file cannot be trusted with what others must neither read nor change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is a folder, a pipe, a device or a link.
    NotAFile,
    /// It belongs to another user.
    NotOwn,
    /// Others can read or change it.
    NotPrivate,
}

#[cfg(unix)]
mod platform {
    use std::{
        fs::{self, DirBuilder, File, Metadata, OpenOptions},
        io::{self, Write},
        os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
        path::Path,
    };

    use rustix::fs::OFlags;

    use super::Fault;

    const OWNER_ONLY_DIRECTORY: u32 = 0o700;
    const OWNER_ONLY_FILE: u32 = 0o600;
    const GROUP_AND_OTHERS: u32 = 0o077;
    const WRITTEN_BY_OTHERS: u32 = 0o022;

    /// Creates the directory and its parents for the owner alone.
    pub fn create_directory(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(OWNER_ONLY_DIRECTORY).create(path)
    }

    /// Writes the file for the owner alone; a reader sees the old content or the new, never half of it.
    pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let fresh = path.with_file_name(name);
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(OWNER_ONLY_FILE).open(&fresh)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&fresh, path)
    }

    /// Opens a file to read it and to add to its end, creating it for the owner alone. Follows no link, and does not
    /// wait for the other end of a pipe; what was opened is to be checked with [`fault`].
    pub fn open_log(path: &Path) -> io::Result<File> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(OWNER_ONLY_FILE).custom_flags(flags);
        options.open(path)
    }

    /// Opens a file to read and to write anywhere in it; else as [`open_log`].
    pub fn open_shared(path: &Path) -> io::Result<File> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(OWNER_ONLY_FILE).custom_flags(flags);
        options.open(path)
    }

    /// Makes sure that the directory is the user's own and that nobody else can put files into it.
    pub fn own_directory(path: &Path) -> io::Result<()> {
        let found = fs::symlink_metadata(path)?;
        let own = found.is_dir()
            && found.uid() == rustix::process::geteuid().as_raw()
            && found.permissions().mode() & WRITTEN_BY_OTHERS == 0;
        if own {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "others can write there"))
        }
    }

    /// Why the file cannot be trusted.
    pub fn fault(found: &Metadata) -> Option<Fault> {
        if !found.is_file() {
            Some(Fault::NotAFile)
        } else if found.uid() != rustix::process::geteuid().as_raw() {
            Some(Fault::NotOwn)
        } else {
            (found.permissions().mode() & GROUP_AND_OTHERS != 0).then_some(Fault::NotPrivate)
        }
    }

    /// What is known of the open file, if it is still the one at this path; `None` when that is another or none.
    pub fn still_at(file: &File, path: &Path) -> io::Result<Option<Metadata>> {
        let found = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        let own = file.metadata()?;
        Ok(((found.dev(), found.ino()) == (own.dev(), own.ino())).then_some(own))
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

    /// Whether nobody but the owner may read or write the file.
    pub fn is_private(path: &Path) -> io::Result<bool> {
        Ok(fs::metadata(path)?.permissions().mode() & GROUP_AND_OTHERS == 0)
    }

    /// Whether nobody but the owner may change the file.
    pub fn only_owner_writes(path: &Path) -> io::Result<bool> {
        Ok(fs::metadata(path)?.permissions().mode() & WRITTEN_BY_OTHERS == 0)
    }
}

#[cfg(not(unix))]
mod platform {
    use std::{
        fs::{self, File, Metadata, OpenOptions},
        io,
        path::Path,
    };

    use super::Fault;

    /// Creates the directory and its parents.
    pub fn create_directory(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// Writes the file.
    pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        fs::write(path, content)
    }

    /// Opens a file to read it and to add to its end, creating it where it is missing.
    pub fn open_log(path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).append(true).create(true).open(path)
    }

    /// Why the file cannot be trusted; who may read it is up to its directory.
    pub fn fault(found: &Metadata) -> Option<Fault> {
        (!found.is_file()).then_some(Fault::NotAFile)
    }

    /// What is known of the open file, if it is still the one at this path; `None` when that is another or none.
    pub fn still_at(file: &File, path: &Path) -> io::Result<Option<Metadata>> {
        let own = same_file::Handle::from_file(file.try_clone()?)?;
        match same_file::Handle::from_path(path) {
            Ok(newest) if newest == own => file.metadata().map(Some),
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

    /// Whether the file exists; who may change it is up to its directory.
    pub fn only_owner_writes(path: &Path) -> io::Result<bool> {
        fs::metadata(path).map(|_| true)
    }
}
