//! Files only their owner may read, chosen once per platform.
//!
//! On Unix the mode is set when the file is created, never afterwards, so there is no moment in which others could
//! open it. Elsewhere the user's own directory is what keeps others out.

pub use platform::{append, create_directory, is_private, only_owner_writes, write};

#[cfg(unix)]
mod platform {
    use std::{
        fs::{self, DirBuilder, File, OpenOptions},
        io::{self, Write},
        os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
        path::Path,
    };

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

    /// Opens the file to add to its end, creating it for the owner alone.
    pub fn append(path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).mode(OWNER_ONLY_FILE).open(path)
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
        fs::{self, File, OpenOptions},
        io,
        path::Path,
    };

    /// Creates the directory and its parents.
    pub fn create_directory(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// Writes the file.
    pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        fs::write(path, content)
    }

    /// Opens the file to add to its end, creating it where it is missing.
    pub fn append(path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(path)
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
