//! The server that runs for this user, as commands find it: a file in the home folder that the server has locked.
//!
//! The file of a server that was killed is not locked, so that a program that listens at its address later is never sent a
//! token. Of several servers with one home folder the first is the one that is found.

use std::io::Read;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use fingertip_mcp::transport::private_file::{self, Guard};
use serde::{Deserialize, Serialize};

use crate::home::Home;
use crate::locked_file::{LockedFile, is_locked};

/// The most bytes of the file.
const MAX_BYTES: u64 = 4096;

/// How the server is reached from this machine, as JSON in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Running {
    /// Where it is reached.
    pub(crate) address: SocketAddr,
    /// The fingerprint of its certificate, where it serves HTTPS.
    pub(crate) certificate_sha256: Option<String>,
}

impl Running {
    /// A server that listens here: a bind to every address is reached on loopback.
    pub(crate) fn new(listening: SocketAddr, certificate_sha256: Option<String>) -> Self {
        let ip = match listening.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        Self { address: SocketAddr::new(ip, listening.port()), certificate_sha256 }
    }

    /// The server of this home folder, if one runs.
    ///
    /// # Errors
    /// When one runs, and how it is reached cannot be read.
    pub(crate) fn find(home: &Home) -> anyhow::Result<Option<Self>> {
        let path = place(home);
        let mut file = match private_file::open(&path, Guard::Secret) {
            Err(missing) if missing.is_missing() => return Ok(None),
            file => file?,
        };
        if !is_locked(&file) {
            return Ok(None);
        }
        let unreadable = || format!("{} is not what a server writes", path.display());
        let mut content = String::new();
        (&mut file).take(MAX_BYTES).read_to_string(&mut content).with_context(unreadable)?;
        serde_json::from_str(&content).with_context(unreadable).map(Some)
    }
}

/// What makes a server known, until it is dropped.
pub(crate) struct Publication {
    path: PathBuf,
    /// The file that has the name now.
    file: Mutex<LockedFile>,
}

impl Publication {
    /// Makes a server known, unless another one of this home folder is.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub(crate) fn start(home: &Home, running: &Running) -> anyhow::Result<Option<Self>> {
        // Elsewhere a locked file cannot be read by others.
        if cfg!(not(unix)) {
            return Ok(None);
        }
        private_file::create_directory(home.path())?;
        let path = place(home);
        if private_file::open(&path, Guard::Secret).is_ok_and(|file| is_locked(&file)) {
            return Ok(None);
        }
        let file = Mutex::new(LockedFile::put(&path, running)?);
        Ok(Some(Self { path, file }))
    }

    /// Rewrites how the server is reached.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(&self, running: &Running) -> anyhow::Result<()> {
        let fresh = LockedFile::put(&self.path, running)?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }
}

fn place(home: &Home) -> PathBuf {
    home.path().join("running.json")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_server_is_known_for_as_long_as_it_lives_and_the_first_of_several() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("new"));
        assert_eq!(Running::find(&home).unwrap(), None);
        let first = Running::new("0.0.0.0:81".parse().unwrap(), None);
        let known = Publication::start(&home, &first).unwrap().expect("the first");
        assert_eq!(Running::find(&home).unwrap().unwrap().address.to_string(), "127.0.0.1:81");
        let second = Running::new("[::]:82".parse().unwrap(), Some("AB:CD".to_owned()));
        assert!(Publication::start(&home, &second).unwrap().is_none());
        assert_eq!(Running::find(&home).unwrap().as_ref(), Some(&first));
        known.write(&second).unwrap();
        assert_eq!(Running::find(&home).unwrap().as_ref(), Some(&second));
        drop(known);
        assert_eq!(Running::find(&home).unwrap(), None);
        assert!(Publication::start(&home, &second).unwrap().is_some());
    }

    #[test]
    fn what_a_dead_server_left_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let running = Running::new("127.0.0.1:81".parse().unwrap(), None);
        let known = Publication::start(&home, &running).unwrap().expect("the first");
        let content = fs::read(place(&home)).unwrap();
        drop(known);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
        private_file::write(&place(&home), &content).unwrap();
        assert_eq!(Running::find(&home).unwrap(), None);
        // Nor is it believed while the next server begins, nor removed by one that is not its own.
        let next = Publication::start(&home, &running).unwrap().expect("the next");
        private_file::write(&place(&home), &content).unwrap();
        assert_eq!(Running::find(&home).unwrap(), None);
        drop(next);
        assert!(place(&home).exists());
    }
}
