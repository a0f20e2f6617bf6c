//! Sockets in the phone's abstract namespace, for programs that stand in for ones running on it.
//!
//! A program listens under a name; a client that opens `localabstract:NAME` through adb is connected to it. The
//! name is free again when the listener is dropped.

#[cfg(all(feature = "test-support", target_os = "linux"))]
mod exposure;
#[cfg(not(all(feature = "test-support", target_os = "linux")))]
#[path = "listeners/no_exposure.rs"]
mod exposure;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use tokio::io::DuplexStream;
use tokio::sync::mpsc;

use crate::lock::lock;
use exposure::Exposure;

/// Connections waiting to be accepted, as in `listen(2)`.
const BACKLOG: usize = 8;

/// Bytes buffered in each direction of a connection.
const BUFFER: usize = 64 * 1024;

/// All listeners of one phone.
#[derive(Debug, Default)]
pub struct Listeners {
    by_name: Mutex<HashMap<String, mpsc::Sender<DuplexStream>>>,
    exposure: Exposure,
}

impl Listeners {
    /// Listens under a name, in place of an earlier listener.
    #[must_use]
    pub fn listen(&self, name: &str) -> Listener {
        let (sender, incoming) = mpsc::channel(BACKLOG);
        self.exposure.listen(name, &sender);
        self.names().insert(name.to_owned(), sender);
        Listener { incoming }
    }

    /// Connects to a name; `None` without a listener.
    #[must_use]
    pub fn connect(&self, name: &str) -> Option<DuplexStream> {
        let (near, far) = tokio::io::duplex(BUFFER);
        let mut names = self.names();
        let accepted = names.get(name)?.try_send(far).is_ok();
        if !accepted && names[name].is_closed() {
            names.remove(name);
        }
        accepted.then_some(near)
    }

    fn names(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<DuplexStream>>> {
        lock(&self.by_name)
    }
}

/// One listening program.
#[derive(Debug)]
pub struct Listener {
    incoming: mpsc::Receiver<DuplexStream>,
}

impl Listener {
    /// The next connection; `None` once another program took the name.
    pub async fn accept(&mut self) -> Option<DuplexStream> {
        self.incoming.recv().await
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn both_ends_of_a_connection_talk() {
        let listeners = Listeners::default();
        let mut listener = listeners.listen("agent");
        let mut client = listeners.connect("agent").unwrap();
        let mut program = listener.accept().await.unwrap();
        client.write_all(b"ping").await.unwrap();
        let mut read = [0; 4];
        program.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"ping");
    }

    #[test]
    fn nobody_answers_an_unknown_or_abandoned_name() {
        let listeners = Listeners::default();
        assert!(listeners.connect("agent").is_none());
        drop(listeners.listen("agent"));
        assert!(listeners.connect("agent").is_none());
    }

    #[test]
    fn a_full_backlog_refuses() {
        let listeners = Listeners::default();
        let _listener = listeners.listen("busy");
        let kept: Vec<_> = (0..=BACKLOG).filter_map(|_| listeners.connect("busy")).collect();
        assert_eq!(kept.len(), BACKLOG);
    }
}
