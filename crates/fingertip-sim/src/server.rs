//! The host side of adb: an adb server for simulated phones, so that the demo needs no adb installed.
//!
//! It speaks what clients of `127.0.0.1:5037` expect: `request` is the framing, `host` the services of the
//! server itself, `forward` its port forwards; whatever is opened on a phone is the same code the device side
//! runs. Phones may be added and taken away while it runs. Not here: real devices, pairing, starting or
//! stopping by clients.

mod devices;
mod forward;
mod host;
mod request;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use self::devices::Devices;
use self::forward::Forwards;
use crate::SimPhone;

/// The most clients at once.
const MAX_CLIENTS: usize = 256;

/// A running adb server; dropping it ends it.
#[derive(Debug)]
pub struct AdbServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// What all connections of a server know.
#[derive(Debug, Default)]
struct Shared {
    devices: Devices,
    forwards: Forwards,
    /// One more reference for each client that is served.
    clients: Arc<()>,
}

/// How many bytes may be on their way inside this process before the writer waits.
const IN_PROCESS_BUFFER: usize = 256 * 1024;

/// An adb server that only this process reaches: there is no port, so no other program on the machine can use its phones or
/// fill their memory.
#[derive(Debug, Clone, Default)]
pub struct PrivateAdbServer(Arc<Shared>);

impl PrivateAdbServer {
    /// Plugs a phone in; it goes by the serial number of its profile.
    pub fn add(&self, phone: Arc<SimPhone>) {
        self.0.devices.add(phone);
    }

    /// A new connection to the server, which is served until this end of it is dropped.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn connect(&self) -> DuplexStream {
        let (near, far) = tokio::io::duplex(IN_PROCESS_BUFFER);
        tokio::spawn(host::serve(far, Arc::clone(&self.0)));
        near
    }
}

impl AdbServer {
    /// Starts a server without phones. Port 0 takes any free one.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn start(address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let task = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, task })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many clients are served now.
    #[must_use]
    pub fn clients(&self) -> usize {
        Arc::strong_count(&self.shared.clients) - 1
    }

    /// Plugs a phone in; it goes by the serial number of its profile.
    pub fn add(&self, phone: Arc<SimPhone>) {
        self.shared.devices.add(phone);
    }

    /// Unplugs a phone. Streams that are open on it stay; nothing new can be opened.
    pub fn remove(&self, serial: &str) {
        self.shared.devices.remove(serial);
    }
}

impl Drop for AdbServer {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.forwards.clear();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(_) if connections.len() >= MAX_CLIENTS => tracing::warn!("too many clients of the adb server"),
                Ok((socket, _)) => {
                    let _ = socket.set_nodelay(true);
                    connections.spawn(host::serve(socket, Arc::clone(&shared)));
                }
                Err(error) => tracing::warn!("accepting a client of the adb server: {error}"),
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

#[cfg(test)]
mod tests;
