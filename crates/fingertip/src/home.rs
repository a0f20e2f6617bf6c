//! The folder in which fingertip keeps its configuration, token, certificate and audit log.

use std::path::{Path, PathBuf};

use anyhow::Context;
use directories::ProjectDirs;

/// Names another folder, as for tests or several servers on one machine.
pub(crate) const VARIABLE: &str = "FINGERTIP_HOME";

/// The folder in which fingertip keeps its files.
#[derive(Debug, Clone)]
pub(crate) struct Home(PathBuf);

impl Home {
    /// The folder of this user.
    pub(crate) fn find() -> anyhow::Result<Self> {
        if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
            return Ok(Self(folder.into()));
        }
        let folders = ProjectDirs::from("", "", "fingertip")
            .with_context(|| format!("this user has no home folder; name one with {VARIABLE}"))?;
        Ok(Self(folders.config_dir().to_owned()))
    }

    /// This folder.
    #[cfg(test)]
    pub(crate) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Where the token is kept.
    pub(crate) fn token(&self) -> PathBuf {
        self.0.join("token")
    }

    /// Where writes are logged by default.
    pub(crate) fn audit(&self) -> PathBuf {
        self.0.join("audit.jsonl")
    }

    /// Where running servers keep what signs the links to their pages.
    pub(crate) fn pages(&self) -> PathBuf {
        self.0.join("ui")
    }

    /// Where the certificate and its key are kept.
    pub(crate) fn tls(&self) -> PathBuf {
        self.0.join("tls")
    }
}

/// The folder in which all servers of this user meet, whatever their own folder is.
#[cfg(unix)]
pub(crate) fn runtime() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
    let user = rustix::process::geteuid().as_raw();
    Some(given.map_or_else(
        || std::env::temp_dir().join(format!("fingertip-{user}")),
        |folder| folder.join("fingertip"),
    ))
}

/// Nothing is shared between servers here.
#[cfg(not(unix))]
pub(crate) fn runtime() -> Option<PathBuf> {
    None
}
