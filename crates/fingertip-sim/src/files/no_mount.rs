//! All files are the phone's own. The same functions as `mount.rs`.

use super::{Entry, FileError, Files};

/// No folder.
#[derive(Debug, Clone, Default)]
pub(super) struct Mount {}

impl Files {
    pub(crate) const fn refresh(&mut self) {}
}

impl Mount {
    pub(super) const fn put(&self, _: &str, _: &Entry) -> Result<(), FileError> {
        Ok(())
    }

    pub(super) const fn remove(&self, _: &str) -> Result<(), FileError> {
        Ok(())
    }

    pub(super) const fn set_mode(&self, _: &str, _: u32) -> Result<(), FileError> {
        Ok(())
    }
}
