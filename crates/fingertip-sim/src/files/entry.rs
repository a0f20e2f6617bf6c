//! A file or a folder, and why it may not be had.

use bytes::Bytes;

/// Bits of a mode that say what kind of entry it is.
pub const FOLDER_MODE: u32 = 0o040_000;
/// See [`FOLDER_MODE`].
pub const FILE_MODE: u32 = 0o100_000;

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What is in it; `None` for a folder.
    pub data: Option<Bytes>,
    /// Kind and permissions, as in `stat(2)`.
    pub mode: u32,
    /// When it was last changed, in seconds since 1970.
    pub modified: u32,
    /// A number of its own.
    pub inode: u64,
}

impl Entry {
    /// How many bytes it holds; folders count as one page.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.data.as_ref().map_or(4096, |data| data.len() as u64)
    }

    /// Whether it is a folder.
    #[must_use]
    pub const fn is_folder(&self) -> bool {
        self.data.is_none()
    }
}

/// Why a file operation failed, with the number and the words of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// ENOENT
    #[error("No such file or directory")]
    Missing,
    /// EACCES
    #[error("Permission denied")]
    Denied,
    /// EEXIST
    #[error("File exists")]
    Exists,
    /// ENOTDIR
    #[error("Not a directory")]
    NotFolder,
    /// EISDIR
    #[error("Is a directory")]
    IsFolder,
    /// ENOSPC
    #[error("No space left on device")]
    Full,
}

impl FileError {
    /// Its number in `errno.h`.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Missing => 2,
            Self::Denied => 13,
            Self::Exists => 17,
            Self::NotFolder => 20,
            Self::IsFolder => 21,
            Self::Full => 28,
        }
    }
}
