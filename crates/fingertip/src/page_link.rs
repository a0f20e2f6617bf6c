//! Links to the page of a running server: made from a private file that the server keeps while it runs.
//!
//! `fingertip ui` reads that file and asks no server, so that it works however the server is reached. Only the user who runs the
//! server can read the file.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fingertip_mcp::page::{Access, LinkKey};
use fingertip_mcp::transport::private_file::{self, Guard};
use serde::{Deserialize, Serialize};

use crate::banner;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 4096;

/// What a link is made of.
#[derive(Debug)]
pub(crate) struct PageLink {
    port: u16,
    /// The address without a path.
    address: String,
    key: LinkKey,
}

/// What is in the file, as JSON.
#[derive(Serialize, Deserialize)]
struct Kept {
    address: String,
    key: String,
}

/// The file of a running server, which is gone with it.
pub(crate) struct PageFile(PathBuf);

impl PageLink {
    /// For the server that listens here.
    pub(crate) fn new(listening: SocketAddr, tls: bool, key: LinkKey) -> Self {
        let url = banner::url(listening, tls);
        let address = url.strip_suffix("/mcp").unwrap_or(&url).to_owned();
        Self { port: listening.port(), address, key }
    }

    /// A link that works once.
    pub(crate) fn make(&self, access: Access) -> anyhow::Result<String> {
        let path = self.key.link(access).context("the system gives no random numbers")?;
        Ok(format!("{}{path}", self.address))
    }

    /// Keeps it in this folder for `fingertip ui`.
    pub(crate) fn keep(&self, folder: &Path) -> anyhow::Result<PageFile> {
        let path = file(folder, self.port);
        let kept = Kept { address: self.address.clone(), key: self.key.to_text() };
        let cannot = || format!("cannot write {}", path.display());
        private_file::create_directory(folder).with_context(cannot)?;
        private_file::write(&path, serde_json::to_string(&kept)?.as_bytes()).with_context(cannot)?;
        Ok(PageFile(path))
    }

    fn read(path: &Path, port: u16) -> anyhow::Result<Self> {
        let content = private_file::read(path, Guard::Secret, MAX_BYTES)?;
        let unusable = || format!("{} is no file of a running server", path.display());
        let kept: Kept = serde_json::from_slice(&content).with_context(unusable)?;
        let key = LinkKey::from_text(&kept.key).with_context(unusable)?;
        Ok(Self { port, address: kept.address, key })
    }
}

impl Drop for PageFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::warn!(%error, "the file that signs links to the page stays");
        }
    }
}

fn file(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!("{port}.json"))
}

/// The link of the server on this port, or of the only one that runs.
pub(crate) fn find(folder: &Path, port: Option<u16>) -> anyhow::Result<PageLink> {
    let port = match port {
        Some(port) => port,
        None => {
            let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let ports = names
                .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".json")?.parse::<u16>().ok());
            let mut ports: Vec<u16> = ports.collect();
            ports.sort_unstable();
            match *ports {
                [only] => only,
                [] => bail!("no server with a page runs for this user; start one with `fingertip serve`"),
                _ => {
                    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
                    bail!("several servers run; name one with --port: {}", ports.join(", "))
                }
            }
        }
    };
    PageLink::read(&file(folder, port), port)
        .with_context(|| format!("no server with a page runs on port {port} for this user"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_made_from_the_file_of_the_only_server_and_else_by_its_port() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("ui");
        assert!(find(&home, None).unwrap_err().to_string().contains("fingertip serve"));
        let link = |port: u16| {
            PageLink::new(SocketAddr::from(([0, 0, 0, 0], port)), false, LinkKey::random().unwrap())
        };
        let first = link(8080).keep(&home).unwrap();
        let made = find(&home, None).unwrap().make(Access::View).unwrap();
        assert!(made.starts_with("http://127.0.0.1:8080/ui/enter?key="), "{made}");
        let second = link(9090).keep(&home).unwrap();
        assert!(find(&home, None).unwrap_err().to_string().contains("8080, 9090"));
        assert_eq!(find(&home, Some(9090)).unwrap().port, 9090);
        drop((first, second));
        assert!(find(&home, Some(9090)).is_err());
    }
}
