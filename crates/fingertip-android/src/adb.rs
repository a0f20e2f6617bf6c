//! An async client of the adb server.
//!
//! Rules: one connection a request, no process a call (the `adb` program is run only to start its server);
//! every operation takes an absolute deadline and ends by it; what is read is bounded by named limits; errors
//! are [`fingertip_core::Error`]s that say what to do. Non-goals: speaking to phones without the server,
//! installing packages, pairing.

mod address;
mod connection;
mod device;
pub(crate) mod fault;
pub mod program;
mod prompt;
pub(crate) mod service;
mod sync;
#[cfg(test)]
mod tests;
mod track;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::sync::Mutex;

pub use address::{DEFAULT_PORT, ServerAddress};
pub use connection::{Connection, MAX_REQUEST};
pub use device::AdbDevice;
pub use prompt::Prompt;
pub use service::Output;
pub use sync::{MAX_PULL, Stat};
pub use track::Tracker;

use crate::parse::devices::{self, Listed};
use crate::within;

/// The least time between two attempts to start the server.
const START_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// A client of one adb server. Clones share what is remembered.
#[derive(Debug, Clone)]
pub struct Adb(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    address: ServerAddress,
    /// Whether the server may be started here.
    starts: bool,
    /// When it was last tried; held while it is tried, so that others wait for the outcome.
    started: Mutex<Option<Instant>>,
}

impl Adb {
    /// The server the environment names; started when it does not run.
    ///
    /// # Errors
    /// When an environment variable names no address.
    pub fn from_environment() -> Result<Self> {
        let address = ServerAddress::from_environment()?;
        let starts = address.is_local();
        Ok(Self::new(address, starts))
    }

    /// The server at this address on this machine; started when it does not run.
    #[must_use]
    pub fn starting(address: ServerAddress) -> Self {
        Self::new(address, true)
    }

    /// The server at this address; never started here.
    #[must_use]
    pub fn at(address: ServerAddress) -> Self {
        Self::new(address, false)
    }

    fn new(address: ServerAddress, starts: bool) -> Self {
        Self(Arc::new(Inner { address, starts, started: Mutex::default() }))
    }

    /// Where the server is.
    #[must_use]
    pub fn address(&self) -> &ServerAddress {
        &self.0.address
    }

    /// The phone with this serial, there or not.
    #[must_use]
    pub fn device(&self, serial: &str) -> AdbDevice {
        AdbDevice::new(self.clone(), serial)
    }

    /// The version of the server's protocol.
    ///
    /// # Errors
    /// When there is no server, or what answers is none.
    pub async fn version(&self, deadline: Deadline) -> Result<u32> {
        let version = self.ask("host:version", deadline).await?;
        u32::from_str_radix(&version, 16)
            .map_err(|_| fault::Failure::Nonsense("the version is no number").of_server())
    }

    /// The phones the server knows, in any state.
    ///
    /// # Errors
    /// When there is no server.
    pub async fn devices(&self, deadline: Deadline) -> Result<Vec<Listed>> {
        Ok(devices::parse(&self.ask("host:devices-l", deadline).await?))
    }

    /// Follows the list of phones.
    ///
    /// # Errors
    /// When there is no server.
    pub async fn track(&self, deadline: Deadline) -> Result<Tracker> {
        within(deadline, "asking adb for its devices", async {
            let mut connection = self.connect(deadline).await?;
            connection.request("host:track-devices").await.map_err(fault::Failure::of_server)?;
            Ok(Tracker::new(connection))
        })
        .await
    }

    /// Asks the server something it answers with one text.
    pub(crate) async fn ask(&self, service: &str, deadline: Deadline) -> Result<String> {
        within(deadline, "asking the adb server", async {
            let mut connection = self.connect(deadline).await?;
            connection.request(service).await.map_err(fault::Failure::of_server)?;
            connection.text().await.map_err(fault::Failure::of_server)
        })
        .await
    }

    /// Connects, starting the server when it does not run.
    pub(crate) async fn connect(&self, deadline: Deadline) -> Result<Connection> {
        match Connection::open(self.address()).await {
            Ok(connection) => return Ok(connection),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && self.0.starts => {}
            Err(_) => return Err(self.unreachable()),
        }
        self.start(deadline).await?;
        Connection::open(self.address()).await.map_err(|_| self.unreachable())
    }

    async fn start(&self, deadline: Deadline) -> Result<()> {
        let mut started = self.0.started.lock().await;
        if started.is_some_and(|when| when.elapsed() < START_AGAIN_AFTER) {
            return Ok(());
        }
        *started = Some(Instant::now());
        program::start_server(self.address(), deadline).await
    }

    fn unreachable(&self) -> Error {
        if self.address().is_local() && program::find().is_none() {
            return program::missing();
        }
        Error::new(Reason::PermissionDenied, format!("No adb server answers at {}.", self.address()))
            .with_guidance("Run `adb start-server`, or name the right server with ANDROID_ADB_SERVER_PORT.")
    }
}
