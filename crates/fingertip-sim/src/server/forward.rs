//! Port forwards: a port of this computer that leads to a socket on a phone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::SimPhone;
use crate::adbd::service;
use crate::lock::lock;

/// All forwards of a server, by local port.
#[derive(Debug, Default)]
pub(super) struct Forwards {
    by_port: Mutex<BTreeMap<u16, Forward>>,
}

#[derive(Debug)]
struct Forward {
    serial: String,
    remote: String,
    task: JoinHandle<()>,
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Forwards {
    /// Listens on a local port (0 for any) and connects each client to the phone's socket; returns the port.
    pub(super) async fn add(
        &self,
        phone: Arc<SimPhone>,
        local: &str,
        remote: &str,
        rebind: bool,
    ) -> Result<u16, String> {
        let port = port(local)?;
        if !remote.starts_with("localabstract:") && !remote.starts_with("tcp:") {
            return Err(format!("unknown socket specification: {remote}"));
        }
        if port != 0 {
            let mut forwards = self.forwards();
            if forwards.contains_key(&port) && !rebind {
                return Err(format!("cannot rebind existing socket: tcp:{port}"));
            }
            forwards.remove(&port);
        }
        let bound = async {
            // The port of a forward that was just replaced is free once its task is gone.
            for _ in 0..BIND_ATTEMPTS {
                match TcpListener::bind(("127.0.0.1", port)).await {
                    Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                        tokio::task::yield_now().await;
                    }
                    result => return result,
                }
            }
            TcpListener::bind(("127.0.0.1", port)).await
        };
        let listener = bound.await.map_err(|error| format!("cannot bind listener: {error}"))?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let serial = phone.profile().serial;
        let task = tokio::spawn(listen(listener, phone, remote.to_owned()));
        self.forwards().insert(port, Forward { serial, remote: remote.to_owned(), task });
        Ok(port)
    }

    /// One line per forward.
    pub(super) fn list(&self) -> String {
        let line =
            |(port, forward): (&u16, &Forward)| format!("{} tcp:{port} {}\n", forward.serial, forward.remote);
        self.forwards().iter().map(line).collect()
    }

    /// Ends one forward.
    pub(super) fn remove(&self, local: &str) -> Result<(), String> {
        let removed = self.forwards().remove(&port(local)?);
        removed.map(drop).ok_or_else(|| format!("listener '{local}' not found"))
    }

    /// Ends all forwards.
    pub(super) fn clear(&self) {
        self.forwards().clear();
    }

    fn forwards(&self) -> MutexGuard<'_, BTreeMap<u16, Forward>> {
        lock(&self.by_port)
    }
}

/// How often a port that is being given up is asked for again.
const BIND_ATTEMPTS: usize = 100;

fn port(local: &str) -> Result<u16, String> {
    local
        .strip_prefix("tcp:")
        .and_then(|port| port.parse().ok())
        .ok_or_else(|| format!("unknown socket specification: {local}"))
}

async fn listen(listener: TcpListener, phone: Arc<SimPhone>, remote: String) {
    let mut clients = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((socket, _)) = accepted else { return };
                let _ = socket.set_nodelay(true);
                let (phone, remote) = (Arc::clone(&phone), remote.clone());
                // A socket without a listener closes the client's connection, as adb does.
                clients.spawn(async move {
                    if let Some(opened) = service::open(&remote, &phone).await {
                        opened.run(socket).await;
                    }
                });
            }
            Some(_) = clients.join_next() => {}
        }
    }
}
