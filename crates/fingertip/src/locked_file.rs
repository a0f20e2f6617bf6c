//! What a server says of itself in a file, as long as it lives: a file that it holds locked.
//!
//! The lock is on the file itself, taken before the file gets its name and held for as long as the server lives. So what a
//! locked file says was written by a server that lives now: one that was killed leaves no lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use fingertip_mcp::transport::private_file::{self, Identity};
use serde::Serialize;

/// A file that is locked, and removed when it is dropped.
pub(crate) struct LockedFile {
    path: PathBuf,
    file: File,
}

impl LockedFile {
    /// Writes and locks a new file, and only then gives it the name.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub(crate) fn put(path: &Path, said: &impl Serialize) -> anyhow::Result<Self> {
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        // Of a process that had this number and was killed meanwhile.
        let _ = fs::remove_file(&fresh);
        let mut file = only_owner(OpenOptions::new().write(true).create_new(true)).open(&fresh)?;
        let placed = lock(&file)
            .and_then(|()| file.write_all(serde_json::to_string(said)?.as_bytes()))
            .and_then(|()| fs::rename(&fresh, path));
        placed.inspect_err(|_| drop(fs::remove_file(&fresh)))?;
        Ok(Self { path: path.to_owned(), file })
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        let is_ours = Identity::of(&self.file).and_then(|ours| private_file::still_at(&ours, &self.path));
        let removed = match is_ours {
            Ok(Some(_)) => fs::remove_file(&self.path),
            // Another file has the name by now.
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            tracing::debug!(%error, "the file of the running server stays");
        }
    }
}

/// Whether somebody else holds the file locked.
pub(crate) fn is_locked(file: &File) -> bool {
    // Elsewhere a locked file could not be read by others, and none is locked.
    cfg!(not(unix)) || matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

fn lock(file: &File) -> std::io::Result<()> {
    if cfg!(unix) { file.try_lock().map_err(std::io::Error::from) } else { Ok(()) }
}

#[cfg(unix)]
fn only_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn only_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
