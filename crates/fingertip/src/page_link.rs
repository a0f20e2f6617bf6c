//! Links to the page of a running server: made from a private file that the server keeps while it runs.
//!
//! `fingertip ui` reads that file and asks no server, so that it works however the server is reached. Only the user who runs the
//! server can read the file. What a killed server left behind is passed over: see [`LockedFile`].

use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fingertip_mcp::page::{Access, LinkKey};
use fingertip_mcp::transport::private_file::{self, Guard};
use serde::{Deserialize, Serialize};

use crate::banner;
use crate::locked_file::{LockedFile, is_locked};

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

    /// Keeps it in this folder for `fingertip ui`, until that is dropped.
    pub(crate) fn keep(&self, folder: &Path) -> anyhow::Result<LockedFile> {
        let path = file(folder, self.port);
        let kept = Kept { address: self.address.clone(), key: self.key.to_text() };
        let cannot = || format!("cannot write {}", path.display());
        private_file::create_directory(folder).with_context(cannot)?;
        LockedFile::put(&path, &kept).with_context(cannot)
    }

    /// The link of the server on this port, where one runs.
    fn read(folder: &Path, port: u16) -> anyhow::Result<Option<Self>> {
        let path = file(folder, port);
        let mut file = match private_file::open(&path, Guard::Secret) {
            Err(missing) if missing.is_missing() => return Ok(None),
            file => file?,
        };
        if !is_locked(&file) {
            return Ok(None);
        }
        let unusable = || format!("{} is no file of a running server", path.display());
        let mut content = String::new();
        (&mut file).take(MAX_BYTES).read_to_string(&mut content).with_context(unusable)?;
        let kept: Kept = serde_json::from_str(&content).with_context(unusable)?;
        let key = LinkKey::from_text(&kept.key).with_context(unusable)?;
        Ok(Some(Self { port, address: kept.address, key }))
    }
}

fn file(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!("{port}.json"))
}

/// The link of the server on this port, or of the only one that runs.
pub(crate) fn find(folder: &Path, port: Option<u16>) -> anyhow::Result<PageLink> {
    if let Some(port) = port {
        return PageLink::read(folder, port)?
            .with_context(|| format!("no server with a page runs on port {port} for this user"));
    }
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let ports =
        names.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".json")?.parse::<u16>().ok());
    let running = ports.filter_map(|port| PageLink::read(folder, port).transpose());
    let mut running = running.collect::<anyhow::Result<Vec<PageLink>>>()?;
    running.sort_unstable_by_key(|link| link.port);
    match running.len() {
        0 => bail!("no server with a page runs for this user; start one with `fingertip serve`"),
        1 => Ok(running.remove(0)),
        _ => {
            let ports: Vec<String> = running.iter().map(|link| link.port.to_string()).collect();
            bail!("several servers run; name one with --port: {}", ports.join(", "))
        }
    }
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

    #[test]
    fn what_a_server_left_that_was_killed_is_passed_over() {
        let home = tempfile::tempdir().unwrap();
        let link = |port: u16| {
            PageLink::new(SocketAddr::from(([127, 0, 0, 1], port)), false, LinkKey::random().unwrap())
        };
        let killed = link(8080).keep(home.path()).unwrap();
        let left = std::fs::read(file(home.path(), 8080)).unwrap();
        drop(killed);
        private_file::write(&file(home.path(), 8080), &left).unwrap();
        assert!(find(home.path(), None).unwrap_err().to_string().contains("fingertip serve"));
        assert!(find(home.path(), Some(8080)).unwrap_err().to_string().contains("no server"));
        let _running = link(9090).keep(home.path()).unwrap();
        assert_eq!(find(home.path(), None).unwrap().port, 9090);
    }
}
