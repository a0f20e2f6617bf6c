//! How a running server reports to the program that started it: a small file, `serve --status-file FILE`.
//!
//! It is there as soon as clients are served, is rewritten when the addresses change, and is gone when the server has
//! ended. `fingertip phone` reads it on phones; anything that starts servers can.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use fingertip_mcp::transport::{TlsIdentity, private_file};
use serde::{Deserialize, Serialize};

use crate::{banner, qr};

/// What is in the file, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Status {
    /// The version of the server.
    pub(crate) version: String,
    /// Its process.
    pub(crate) pid: u32,
    /// The port it listens on.
    pub(crate) port: u16,
    /// By what other machines reach it, the likeliest first; what this machine reaches it by when there are none.
    pub(crate) urls: Vec<String>,
    /// The fingerprint of its certificate, where it serves HTTPS.
    pub(crate) certificate_sha256: Option<String>,
    /// A QR code of the first of the addresses, a row of `1` and `0` each, for programs that show it.
    #[serde(default)]
    pub(crate) qr: Vec<String>,
}

impl Status {
    /// The status of a server that listens here and is reached at these addresses.
    pub(crate) fn new(listening: SocketAddr, reached_at: &[IpAddr], identity: Option<&TlsIdentity>) -> Self {
        let urls = banner::urls(listening, reached_at, identity.is_some());
        Self {
            qr: urls.first().map(|url| qr::rows(url)).unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            port: listening.port(),
            urls,
            certificate_sha256: identity.map(TlsIdentity::fingerprint),
        }
    }
}

/// The file, which is gone with its server.
pub(crate) struct StatusFile(PathBuf);

impl StatusFile {
    /// Writes it for the first time.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn create(path: &Path, status: &Status) -> anyhow::Result<Self> {
        let file = Self(path.to_owned());
        file.write(status)?;
        Ok(file)
    }

    /// Rewrites it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, status: &Status) -> anyhow::Result<()> {
        let text = serde_json::to_string(status)?;
        private_file::write(&self.0, format!("{text}\n").as_bytes())
            .with_context(|| format!("cannot write {}", self.0.display()))
    }
}

impl StatusFile {
    /// Whether it is still that of this process: another server may have been started with the same file.
    fn is_own(&self) -> bool {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        serde_json::from_str::<Status>(&text).is_ok_and(|status| status.pid == std::process::id())
    }
}

impl Drop for StatusFile {
    fn drop(&mut self) {
        if !self.is_own() {
            return;
        }
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::warn!(%error, "the status file stays");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_another_server_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("status");
        let own = Status::new(([127, 0, 0, 1], 1).into(), &[], None);
        drop(StatusFile::create(&path, &own).expect("written"));
        assert!(!path.exists());
        let file = StatusFile::create(&path, &own).expect("written");
        let other = serde_json::to_string(&Status { pid: own.pid + 1, ..own }).expect("JSON");
        std::fs::write(&path, other).expect("written");
        drop(file);
        assert!(path.exists());
    }
}
