//! An async client of the adb server.
//!
//! Rules: one connection a request, no process a call (the `adb` program is run only to start its server);
//! every operation takes an absolute deadline and ends by it; what is read is bounded by named limits; errors
//! are [`fingertip_core::Error`]s that say what to do. Non-goals: speaking to phones without the server,
//! installing packages, pairing.

mod address;
mod connection;
mod device;
pub(crate) mod error;
mod process;
pub mod program;
mod prompt;
mod sync;
#[cfg(test)]
mod tests;
mod track;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::io::DuplexStream;
use tokio::sync::Mutex;

pub use address::ServerAddress;
use connection::Connection;
use device::AdbDevice;
use error::AdbError;
pub(crate) use track::Tracker;

use crate::channel::Device;
use crate::parse::devices::{self, Listed};
use crate::within;

/// The least time between two attempts to start the server.
const START_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// A client of one adb server. Clones share what is remembered.
#[derive(Debug, Clone)]
pub struct Adb(Arc<Inner>);

/// Opens a connection to a server inside this process.
type Connect = dyn Fn() -> DuplexStream + Send + Sync;

/// How the server is reached.
enum Way {
    /// Over TCP.
    Tcp {
        address: ServerAddress,
        /// Whether the server may be started here.
        starts: bool,
    },
    /// In this process, where no other program reaches it.
    InProcess(Box<Connect>),
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { address, .. } => address.fmt(f),
            Self::InProcess(_) => f.write_str("this process"),
        }
    }
}

#[derive(Debug)]
struct Inner {
    way: Way,
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
        Ok(Self::new(Way::Tcp { address, starts }))
    }

    /// The server at this address on this machine; started when it does not run.
    #[must_use]
    pub fn starting(address: ServerAddress) -> Self {
        Self::new(Way::Tcp { address, starts: true })
    }

    /// The server at this address; never started here.
    #[must_use]
    pub fn at(address: ServerAddress) -> Self {
        Self::new(Way::Tcp { address, starts: false })
    }

    /// A server in this process; each call of `connect` is a new connection to it.
    #[must_use]
    pub fn in_process(connect: impl Fn() -> DuplexStream + Send + Sync + 'static) -> Self {
        Self::new(Way::InProcess(Box::new(connect)))
    }

    fn new(way: Way) -> Self {
        Self(Arc::new(Inner { way, started: Mutex::default() }))
    }

    /// Where the server listens; `None` when it is in this process and listens nowhere.
    #[must_use]
    pub fn address(&self) -> Option<&ServerAddress> {
        match &self.0.way {
            Way::Tcp { address, .. } => Some(address),
            Way::InProcess(_) => None,
        }
    }

    /// Where the server is, in words.
    pub(crate) fn place(&self) -> impl fmt::Display {
        &self.0.way
    }

    /// The phone with this serial, there or not.
    #[must_use]
    pub fn device(&self, serial: &str) -> Device {
        Device::new(AdbDevice::new(self.clone(), serial))
    }

    /// The version of the server's protocol.
    ///
    /// # Errors
    /// When there is no server, or another program answers.
    pub async fn version(&self, deadline: Deadline) -> Result<u32> {
        let version = self.ask("host:version", deadline).await?;
        u32::from_str_radix(&version, 16)
            .map_err(|_| AdbError::Nonsense("the version is no number").of_server())
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
    pub(crate) async fn track(&self, deadline: Deadline) -> Result<Tracker> {
        within(deadline, "asking adb for its devices", async {
            let mut connection = self.connect(deadline).await?;
            connection.request("host:track-devices").await.map_err(AdbError::of_server)?;
            Ok(Tracker::new(connection))
        })
        .await
    }

    /// Asks the server something it answers with one text.
    pub(crate) async fn ask(&self, service: &str, deadline: Deadline) -> Result<String> {
        within(deadline, "asking the adb server", async {
            let mut connection = self.connect(deadline).await?;
            connection.request(service).await.map_err(AdbError::of_server)?;
            connection.text().await.map_err(AdbError::of_server)
        })
        .await
    }

    /// Connects, starting the server when it does not run.
    pub(crate) async fn connect(&self, deadline: Deadline) -> Result<Connection> {
        let (address, starts) = match &self.0.way {
            Way::Tcp { address, starts } => (address, *starts),
            Way::InProcess(connect) => return Ok(Connection::over(connect())),
        };
        match Connection::open(address).await {
            Ok(connection) => return Ok(connection),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && starts => {}
            Err(_) => return Err(unreachable(address)),
        }
        self.start(address, deadline).await?;
        Connection::open(address).await.map_err(|_| unreachable(address))
    }

    async fn start(&self, address: &ServerAddress, deadline: Deadline) -> Result<()> {
        let mut started = self.0.started.lock().await;
        if started.is_some_and(|when| when.elapsed() < START_AGAIN_AFTER) {
            return Ok(());
        }
        *started = Some(Instant::now());
        program::start_server(address, deadline).await
    }
}

fn unreachable(address: &ServerAddress) -> Error {
    if address.is_local() && program::find().is_none() {
        return program::missing();
    }
    Error::new(Reason::PermissionDenied, format!("No adb server answers at {address}."))
        .with_guidance("Run `adb start-server`, or name the right server with ANDROID_ADB_SERVER_PORT.")
}
