//! A folder of this computer as the phone's [`MOUNTED`] folder: what either side changes, both have.
//!
//! What the phone changes is written through; what programs changed meanwhile is read before the phone looks. Only plain files
//! and folders count, and what is as it was is not read again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;

use super::{Entry, FILE_MODE, FOLDER_MODE, FileError, Files, MOUNTED};

/// How a file was when it was read: length, time of the last change, permissions.
type Seen = (u64, SystemTime, u32);

/// The folder, where there is one.
#[derive(Debug, Clone, Default)]
pub(super) struct Mount {
    root: Option<PathBuf>,
    seen: BTreeMap<String, Seen>,
}

impl Files {
    /// Keeps the phone's [`MOUNTED`] folder below this folder from now on.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn mount(&mut self, root: &Path) -> io::Result<()> {
        fs::create_dir_all(root.join(&MOUNTED[1..]))?;
        self.mount.root = Some(root.to_owned());
        self.refresh();
        Ok(())
    }

    /// Takes over what was changed in the folder.
    pub(crate) fn refresh(&mut self) {
        let Some(root) = self.mount.root.clone() else { return };
        let mut there = BTreeSet::new();
        let mut folders = vec![MOUNTED.to_owned()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(below(&root, &folder)) else { continue };
            for entry in entries.flatten() {
                let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else {
                    continue;
                };
                let path = format!("{folder}/{name}");
                if about.is_dir() {
                    folders.push(path.clone());
                } else if !about.is_file() {
                    continue;
                }
                there.insert(path.clone());
                self.take(&path, &entry.path(), &about);
            }
        }
        let inside = format!("{MOUNTED}/");
        self.entries.retain(|path, _| !path.starts_with(&inside) || there.contains(path));
        self.mount.seen.retain(|path, _| there.contains(path));
    }

    fn take(&mut self, path: &str, file: &Path, about: &Metadata) {
        let modified = about.modified().unwrap_or(UNIX_EPOCH);
        let seen = (about.len(), modified, about.permissions().mode());
        if self.entries.contains_key(path) && self.mount.seen.get(path) == Some(&seen) {
            return;
        }
        let data = if about.is_dir() { None } else { fs::read(file).ok().map(Bytes::from) };
        let kind = if data.is_none() { FOLDER_MODE } else { FILE_MODE };
        let seconds = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.insert(path, data, kind | (seen.2 & 0o777), u32::try_from(seconds).unwrap_or_default());
        self.mount.seen.insert(path.to_owned(), seen);
    }
}

impl Mount {
    /// Where a path of the phone is on this computer; `None` when it is only the phone's.
    fn place(&self, path: &str) -> Option<PathBuf> {
        let inside = path.strip_prefix(MOUNTED).is_some_and(|rest| rest.starts_with('/'));
        self.root.as_deref().filter(|_| inside).map(|root| below(root, path))
    }

    pub(super) fn put(&self, path: &str, entry: &Entry) -> Result<(), FileError> {
        let Some(place) = self.place(path) else { return Ok(()) };
        let put = || match &entry.data {
            Some(data) => {
                // A program that runs keeps its file; as for adbd, the new one is another.
                let _ = fs::remove_file(&place);
                fs::write(&place, data)?;
                fs::set_permissions(&place, Permissions::from_mode(entry.mode & 0o777))
            }
            None => fs::create_dir_all(&place),
        };
        put().map_err(|_| FileError::Denied)
    }

    pub(super) fn remove(&self, path: &str) -> Result<(), FileError> {
        let Some(place) = self.place(path) else { return Ok(()) };
        let removed = if place.is_dir() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) };
        removed.map_err(|_| FileError::Denied)
    }

    pub(super) fn set_mode(&self, path: &str, mode: u32) -> Result<(), FileError> {
        let Some(place) = self.place(path) else { return Ok(()) };
        fs::set_permissions(place, Permissions::from_mode(mode & 0o777)).map_err(|_| FileError::Denied)
    }
}

fn below(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}
