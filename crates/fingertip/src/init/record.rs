//! What was in a file before, kept privately in the home folder until it is undone.

use std::path::PathBuf;

use anyhow::Context;
use fingertip_mcp::transport::private_file::{self, Guard};
use serde::{Deserialize, Serialize};

use crate::home::Home;

/// The most bytes of a record: a file and its escapes, twice.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// What was done to a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The file.
    pub(crate) path: PathBuf,
    /// What was in it; `None` when it was not there.
    pub(crate) before: Option<String>,
    /// What was written.
    pub(crate) after: String,
}

impl Record {
    /// What was done under this name, if anything: that of a client, or of a desktop.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn load(home: &Home, name: &str) -> anyhow::Result<Option<Self>> {
        let path = place(home, name);
        match private_file::read(&path, Guard::Secret, MAX_BYTES) {
            Err(missing) if missing.is_missing() => Ok(None),
            content => {
                let unreadable = || format!("{} is not what `fingertip init` writes", path.display());
                serde_json::from_slice(&content?).with_context(unreadable).map(Some)
            }
        }
    }

    /// Keeps it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn save(&self, home: &Home, name: &str) -> anyhow::Result<()> {
        let path = place(home, name);
        let unwritable = || format!("cannot write {}", path.display());
        private_file::create_directory(home.path()).with_context(unwritable)?;
        private_file::create_directory(&home.path().join(FOLDER)).with_context(unwritable)?;
        private_file::write(&path, serde_json::to_string(self)?.as_bytes()).with_context(unwritable)
    }

    /// Forgets it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub(crate) fn forget(home: &Home, name: &str) -> anyhow::Result<()> {
        let path = place(home, name);
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        // Gone with its last record; with others in it, it stays.
        let _ = std::fs::remove_dir(home.path().join(FOLDER));
        Ok(())
    }
}

/// The folder of all records.
const FOLDER: &str = "init";

fn place(home: &Home, name: &str) -> PathBuf {
    home.path().join(FOLDER).join(format!("{name}.json"))
}
