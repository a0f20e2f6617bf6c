//! The phone's files: a small tree in memory, shared by the shell and by push and pull.
//!
//! Rules: only the two places a shell user may write to are writable; sizes are bounded; errors read as the
//! phone's kernel would say them. Not here: links, owners, and the many files of a real system.

use std::collections::BTreeMap;

use bytes::Bytes;

mod entry;
#[cfg(all(feature = "test-support", target_os = "linux"))]
mod mount;
#[cfg(not(all(feature = "test-support", target_os = "linux")))]
#[path = "files/no_mount.rs"]
mod mount;
mod path;

pub use entry::{Entry, FILE_MODE, FOLDER_MODE, FileError};
use mount::Mount;
pub use path::normalize;

/// The largest file.
pub const MAX_FILE: usize = 64 * 1024 * 1024;

/// The most all files together may hold.
pub const MAX_TOTAL: usize = 256 * 1024 * 1024;

/// The most files and folders.
pub const MAX_ENTRIES: usize = 10_000;

/// The folder for programs of the shell user; in a build for tests it can be one of this computer.
pub const MOUNTED: &str = "/data/local/tmp";

/// Where the shell user may write.
const WRITABLE: [&str; 3] = [MOUNTED, "/sdcard", "/storage/emulated/0"];

/// The folders of a phone fresh from the box.
const FOLDERS: [&str; 14] = [
    "/",
    "/data",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/proc",
    "/sdcard",
    "/sdcard/DCIM",
    "/sdcard/Download",
    "/sdcard/Pictures",
    "/storage",
    "/storage/emulated",
    "/system",
    "/system/bin",
];

/// All files of a phone, by absolute path.
#[derive(Debug, Clone)]
pub struct Files {
    entries: BTreeMap<String, Entry>,
    next_inode: u64,
    mount: Mount,
}

impl Default for Files {
    fn default() -> Self {
        let mut files = Self { entries: BTreeMap::new(), next_inode: 1, mount: Mount::default() };
        for folder in FOLDERS {
            files.insert(folder, None, FOLDER_MODE | 0o771, 0);
        }
        files
    }
}

impl Files {
    /// What is at a path.
    ///
    /// # Errors
    /// [`FileError::Missing`] when nothing is.
    pub fn get(&self, path: &str) -> Result<&Entry, FileError> {
        self.entries.get(&normalize(path)).ok_or(FileError::Missing)
    }

    /// What a file holds.
    ///
    /// # Errors
    /// When there is no such file, or it is a folder.
    pub fn read(&self, path: &str) -> Result<Bytes, FileError> {
        self.get(path)?.data.clone().ok_or(FileError::IsFolder)
    }

    /// The names in a folder and what they stand for, sorted.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn list(&self, path: &str) -> Result<Vec<(&str, &Entry)>, FileError> {
        let path = normalize(path);
        if !self.get(&path)?.is_folder() {
            return Err(FileError::NotFolder);
        }
        let prefix = if path == "/" { path } else { format!("{path}/") };
        let inside = self.entries.range(prefix.clone()..).take_while(|(name, _)| name.starts_with(&prefix));
        let children = inside.filter_map(|(name, entry)| Some((name.strip_prefix(&prefix)?, entry)));
        Ok(children.filter(|(name, _)| !name.is_empty() && !name.contains('/')).collect())
    }

    /// Writes a whole file, in place of what was there.
    ///
    /// # Errors
    /// When the folder is missing or not writable, the path is a folder, or there is no room.
    pub fn write(&mut self, path: &str, data: Bytes, mode: u32, now: u32) -> Result<(), FileError> {
        let path = normalize(path);
        self.check_writable(&path)?;
        let old = match self.entries.get(&path) {
            Some(entry) if entry.is_folder() => return Err(FileError::IsFolder),
            Some(entry) => entry.size(),
            None => 0,
        };
        let others: u64 =
            self.entries.values().filter_map(|entry| entry.data.as_ref()).map(|data| data.len() as u64).sum();
        if data.len() > MAX_FILE || others - old + data.len() as u64 > MAX_TOTAL as u64 {
            return Err(FileError::Full);
        }
        self.insert_bounded(&path, Some(data), FILE_MODE | (mode & 0o777), now)
    }

    /// Makes a folder; with `parents`, the ones above it too, and an existing one is no error.
    ///
    /// # Errors
    /// When it exists, or cannot be made there.
    pub fn make_folder(&mut self, path: &str, parents: bool, now: u32) -> Result<(), FileError> {
        let path = normalize(path);
        match self.entries.get(&path) {
            Some(entry) if parents && entry.is_folder() => return Ok(()),
            Some(_) => return Err(FileError::Exists),
            None => {}
        }
        if parents && let Some((above, _)) = path.rsplit_once('/').filter(|(above, _)| !above.is_empty()) {
            self.make_folder(above, true, now)?;
        }
        self.check_writable(&path)?;
        self.insert_bounded(&path, None, FOLDER_MODE | 0o770, now)
    }

    /// Removes a file, or with `recursive` a folder and all in it.
    ///
    /// # Errors
    /// When it is missing, not writable, or a folder and not `recursive`.
    pub fn remove(&mut self, path: &str, recursive: bool) -> Result<(), FileError> {
        let path = normalize(path);
        let entry = self.get(&path)?;
        if entry.is_folder() && !recursive {
            return Err(FileError::IsFolder);
        }
        self.check_writable(&path)?;
        self.mount.remove(&path)?;
        let below = format!("{path}/");
        self.entries.retain(|name, _| *name != path && !name.starts_with(&below));
        Ok(())
    }

    /// Moves a file or a folder with all in it; into the target when that is a folder.
    ///
    /// # Errors
    /// When the source is missing, or either place is not writable.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), FileError> {
        let (from, mut to) = (normalize(from), normalize(to));
        self.get(&from)?;
        if self.get(&to).is_ok_and(Entry::is_folder) {
            let name = from.rsplit('/').next().unwrap_or_default();
            to = normalize(&format!("{to}/{name}"));
        }
        self.check_writable(&from)?;
        self.check_writable(&to)?;
        let below = format!("{from}/");
        let moved: Vec<String> =
            self.entries.keys().filter(|name| **name == from || name.starts_with(&below)).cloned().collect();
        for name in moved {
            if let Some(entry) = self.entries.remove(&name) {
                let new = format!("{to}{}", &name[from.len()..]);
                self.mount.put(&new, &entry)?;
                self.entries.insert(new, entry);
            }
        }
        self.mount.remove(&from)
    }

    /// Changes the permissions of an entry.
    ///
    /// # Errors
    /// When it is missing or not the shell user's.
    pub fn set_mode(&mut self, path: &str, mode: u32) -> Result<(), FileError> {
        let path = normalize(path);
        self.get(&path)?;
        self.check_writable(&path)?;
        self.mount.set_mode(&path, mode)?;
        if let Some(entry) = self.entries.get_mut(&path) {
            entry.mode = (entry.mode & !0o777) | (mode & 0o777);
        }
        Ok(())
    }

    fn check_writable(&self, path: &str) -> Result<(), FileError> {
        let above =
            path.rsplit_once('/').map_or("/", |(above, _)| if above.is_empty() { "/" } else { above });
        match self.entries.get(above) {
            None => return Err(FileError::Missing),
            Some(entry) if !entry.is_folder() => return Err(FileError::NotFolder),
            Some(_) => {}
        }
        let inside = |place: &str| above == place || above.starts_with(&format!("{place}/"));
        if WRITABLE.into_iter().any(inside) { Ok(()) } else { Err(FileError::Denied) }
    }

    fn insert_bounded(
        &mut self,
        path: &str,
        data: Option<Bytes>,
        mode: u32,
        now: u32,
    ) -> Result<(), FileError> {
        if self.entries.len() >= MAX_ENTRIES && !self.entries.contains_key(path) {
            return Err(FileError::Full);
        }
        self.mount.put(path, &Entry { data: data.clone(), mode, modified: now, inode: 0 })?;
        self.insert(path, data, mode, now);
        Ok(())
    }

    fn insert(&mut self, path: &str, data: Option<Bytes>, mode: u32, modified: u32) {
        let inode = self.entries.get(path).map_or(self.next_inode, |entry| entry.inode);
        self.next_inode += 1;
        self.entries.insert(path.to_owned(), Entry { data, mode, modified, inode });
    }
}

#[cfg(test)]
mod tests;
