//! One phone behind the server: opening services on it.
//!
//! What a phone can do (its features) is asked once per transport: a phone that comes back is a new transport
//! to the server, and may have been updated meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use fingertip_core::{Deadline, Error, Result};

use super::Adb;
use super::connection::Connection;
use super::error::AdbError;
use super::process::AdbProcess;
use super::sync;
use crate::channel::{DeviceChannel, Process, Stream};
use crate::{lock, within};

/// One phone of an adb server, there or not.
#[derive(Debug)]
pub(super) struct AdbDevice {
    adb: Adb,
    serial: String,
    /// Whether the transport with this number knows `shell_v2`.
    shell_v2: Mutex<Option<(u64, bool)>>,
    /// Set once the server turned out to be too old to name transports.
    nameless: AtomicBool,
}

#[async_trait]
impl DeviceChannel for AdbDevice {
    fn serial(&self) -> &str {
        &self.serial
    }

    fn machine_name(&self) -> Option<String> {
        self.adb.address().map(|_| format!("adb:{}", self.serial))
    }

    async fn spawn(&self, command: &str, deadline: Deadline) -> Result<Box<dyn Process>> {
        let (mut connection, transport) = self.select(deadline).await?;
        let shell_v2 = self.knows_shell_v2(transport, deadline).await?;
        let service = if shell_v2 { "shell,v2,raw:" } else { "exec:" };
        self.request(&mut connection, &format!("{service}{command}")).await?;
        Ok(Box::new(AdbProcess { connection, serial: self.serial.clone(), shell_v2 }))
    }

    async fn push(&self, path: &str, mode: u32, content: &[u8], deadline: Deadline) -> Result<()> {
        let mut connection = self.open("sync:", deadline).await?;
        sync::push(&mut connection, path, mode, content).await.map_err(|error| self.failed(error))
    }

    async fn pull(&self, path: &str, deadline: Deadline) -> Result<Vec<u8>> {
        let mut connection = self.open("sync:", deadline).await?;
        sync::pull(&mut connection, path).await.map_err(|error| self.failed(error))
    }

    async fn connect(&self, socket: &str, deadline: Deadline) -> Result<Box<dyn Stream>> {
        Ok(Box::new(self.open(&format!("localabstract:{socket}"), deadline).await?.into_stream()))
    }
}

impl AdbDevice {
    pub(super) fn new(adb: Adb, serial: &str) -> Self {
        Self { adb, serial: serial.to_owned(), shell_v2: Mutex::default(), nameless: AtomicBool::default() }
    }

    /// Opens a service, such as `sync:`.
    async fn open(&self, service: &str, deadline: Deadline) -> Result<Connection> {
        within(deadline, "opening a stream to the phone", async {
            let (mut connection, _) = self.select(deadline).await?;
            self.request(&mut connection, service).await?;
            Ok(connection)
        })
        .await
    }

    async fn request(&self, connection: &mut Connection, service: &str) -> Result<()> {
        connection.request(service).await.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: AdbError) -> Error {
        error.into_error(&self.serial)
    }

    /// Connects and chooses this phone; says which transport it is, zero from servers that do not report it.
    async fn select(&self, deadline: Deadline) -> Result<(Connection, u64)> {
        if !self.nameless.load(Ordering::Relaxed) {
            let mut connection = self.adb.connect(deadline).await?;
            match connection.request(&format!("host:tport:serial:{}", self.serial)).await {
                Ok(()) => {
                    let mut transport = [0; 8];
                    connection.read_exact(&mut transport).await.map_err(|error| self.failed(error))?;
                    return Ok((connection, u64::from_le_bytes(transport)));
                }
                Err(AdbError::Refused(message)) if message.contains("unknown host service") => {
                    self.nameless.store(true, Ordering::Relaxed);
                }
                Err(error) => return Err(self.failed(error)),
            }
        }
        let mut connection = self.adb.connect(deadline).await?;
        self.request(&mut connection, &format!("host:transport:{}", self.serial)).await?;
        Ok((connection, 0))
    }

    /// Whether exit codes and errors come apart from the output.
    async fn knows_shell_v2(&self, transport: u64, deadline: Deadline) -> Result<bool> {
        if let Some((_, known)) = lock(&self.shell_v2).filter(|(of, _)| *of == transport) {
            return Ok(known);
        }
        let mut connection = self.adb.connect(deadline).await?;
        let service = format!("host-serial:{}:features", self.serial);
        let list = match connection.request(&service).await {
            Ok(()) => connection.text().await.map_err(|error| self.failed(error))?,
            Err(AdbError::Refused(message)) if message.contains("unknown") => String::new(),
            Err(error) => return Err(self.failed(error)),
        };
        let shell_v2 = list.split(',').any(|feature| feature.trim() == "shell_v2");
        *lock(&self.shell_v2) = Some((transport, shell_v2));
        Ok(shell_v2)
    }
}
