//! One phone behind the server: opening services on it.
//!
//! What a phone can do (its features) is asked once per transport: a phone that comes back is a new transport
//! to the server, and may have been updated meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fingertip_core::fair::{Gate, Pass};
use fingertip_core::{Deadline, Result};

use super::Adb;
use super::connection::Connection;
use super::fault::Failure;
use crate::wait::crowded;
use crate::within;

/// How many commands and files may be under way on one phone at once. Each is a process there; the memory and the
/// connection of a phone are small.
const MAX_STREAMS: usize = 8;
/// How many of those are kept for calls that act, so that no number of looks holds them up.
const RESERVED_FOR_ACTING: usize = 2;

/// One phone, there or not. Clones share what is remembered.
#[derive(Debug, Clone)]
pub struct AdbDevice {
    adb: Adb,
    serial: Arc<str>,
    remembered: Arc<Remembered>,
    streams: Gate,
}

#[derive(Debug, Default)]
struct Remembered {
    features: Mutex<Option<(u64, Features)>>,
    /// Set once the server turned out to be too old to name transports.
    nameless: AtomicBool,
}

/// What matters here of what a phone can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Features {
    /// Exit codes and a stream of its own for errors.
    pub(super) shell_v2: bool,
}

impl AdbDevice {
    pub(super) fn new(adb: Adb, serial: &str) -> Self {
        let streams = Gate::with_reserve(MAX_STREAMS, RESERVED_FOR_ACTING);
        Self { adb, serial: serial.into(), remembered: Arc::default(), streams }
    }

    /// Its serial, as in `adb devices`.
    #[must_use]
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Opens a service, such as `localabstract:NAME`, and hands over its stream.
    ///
    /// # Errors
    /// When the phone is away, not authorized, or does not offer the service.
    pub async fn open(&self, service: &str, deadline: Deadline) -> Result<Connection> {
        within(deadline, "opening a stream to the phone", async {
            let (mut connection, _) = self.select(deadline).await?;
            connection.request(service).await.map_err(|failure| failure.of_device(&self.serial))?;
            Ok(connection)
        })
        .await
    }

    /// Waits until one more command or file may be under way.
    pub(super) async fn place(&self, deadline: Deadline) -> Result<Pass> {
        let entering = self.streams.enter(deadline.claim());
        tokio::time::timeout_at(deadline.instant().into(), entering)
            .await
            .map_err(|_| crowded("waiting for the phone", self.streams.waiting()))
    }

    /// Opens the service that suits the phone's features.
    pub(super) async fn open_by_features(
        &self,
        choose: impl FnOnce(Features) -> String,
        deadline: Deadline,
    ) -> Result<(Connection, Features)> {
        let (mut connection, transport) = self.select(deadline).await?;
        let features = self.features(transport, deadline).await?;
        connection.request(&choose(features)).await.map_err(|failure| failure.of_device(&self.serial))?;
        Ok((connection, features))
    }

    /// Connects and chooses this phone; says which transport it is, zero from servers that do not tell.
    async fn select(&self, deadline: Deadline) -> Result<(Connection, u64)> {
        let of_device = |failure: Failure| failure.of_device(&self.serial);
        if !self.remembered.nameless.load(Ordering::Relaxed) {
            let mut connection = self.adb.connect(deadline).await?;
            match connection.request(&format!("host:tport:serial:{}", self.serial)).await {
                Ok(()) => {
                    let mut transport = [0; 8];
                    connection.read_exact(&mut transport).await.map_err(of_device)?;
                    return Ok((connection, u64::from_le_bytes(transport)));
                }
                Err(Failure::Refused(message)) if message.contains("unknown host service") => {
                    self.remembered.nameless.store(true, Ordering::Relaxed);
                }
                Err(failure) => return Err(of_device(failure)),
            }
        }
        let mut connection = self.adb.connect(deadline).await?;
        connection.request(&format!("host:transport:{}", self.serial)).await.map_err(of_device)?;
        Ok((connection, 0))
    }

    async fn features(&self, transport: u64, deadline: Deadline) -> Result<Features> {
        let known = *self.remembered.features.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, features)) = known.filter(|(of, _)| *of == transport) {
            return Ok(features);
        }
        let mut connection = self.adb.connect(deadline).await?;
        let service = format!("host-serial:{}:features", self.serial);
        let list = match connection.request(&service).await {
            Ok(()) => connection.text().await.map_err(|failure| failure.of_device(&self.serial))?,
            Err(Failure::Refused(message)) if message.contains("unknown") => String::new(),
            Err(failure) => return Err(failure.of_device(&self.serial)),
        };
        let features = Features { shell_v2: list.split(',').any(|feature| feature.trim() == "shell_v2") };
        *self.remembered.features.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((transport, features));
        Ok(features)
    }
}
