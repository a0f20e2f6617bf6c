//! The socket that an application says is its own.
//!
//! It may name any: what is asked of it would then be done by whoever listens there, an application that may not be acted on
//! included. So a socket is used only where the process behind it is the one that the bus knows the application by.

use std::io;
use std::path::PathBuf;

use tokio::net::UnixStream;
use zbus::Address;
use zbus::address::transport::{Transport, UnixSocket};

/// A socket of this machine, and the process that must be behind it.
#[derive(Debug)]
pub(super) struct Socket {
    path: PathBuf,
    pid: Option<u32>,
}

impl Socket {
    /// The socket at this address of the process; `None` for another sort of address: an application must not send us to
    /// another machine.
    pub(super) fn of(address: &str, pid: Option<u32>) -> Option<Self> {
        let address: Address = address.parse().ok()?;
        let Transport::Unix(unix) = address.transport() else { return None };
        let path = match unix.path() {
            UnixSocket::File(path) => path.clone(),
            // So are names without a file written.
            UnixSocket::Abstract(name) => {
                let mut path = std::ffi::OsString::from("\0");
                path.push(name);
                PathBuf::from(path)
            }
            _ => return None,
        };
        Some(Self { path, pid })
    }

    /// A connection to it.
    ///
    /// # Errors
    /// When nobody listens there, or another process does.
    pub(super) async fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(&self.path).await?;
        let listening = stream.peer_cred()?.pid().map(i32::cast_unsigned);
        if listening.is_none() || listening != self.pid {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is another process's"));
        }
        Ok(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_socket_of_another_process_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listening = tokio::net::UnixListener::bind(&path).unwrap();
        let connect = async |pid| {
            let socket = Socket::of(&format!("unix:path={}", path.display()), pid).unwrap();
            socket.connect().await.map(drop).map_err(|error| error.kind())
        };
        let own = std::process::id();
        assert_eq!(connect(Some(own)).await, Ok(()));
        for other in [Some(1), None] {
            assert_eq!(connect(other).await, Err(io::ErrorKind::PermissionDenied));
        }
    }

    #[test]
    fn only_sockets_of_this_machine_are_followed() {
        assert!(Socket::of("unix:abstract=/tmp/dbus-a", Some(1)).is_some());
        for other in ["tcp:host=example.org,port=1", "unixexec:path=/bin/sh", "unix:tmpdir=/tmp", "nothing"] {
            assert!(Socket::of(other, Some(1)).is_none(), "{other}");
        }
    }
}
