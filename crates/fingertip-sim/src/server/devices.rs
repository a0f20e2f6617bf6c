//! The phones a server knows, and how a client names one.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::lock::lock;
use crate::{Presence, SimPhone};

/// A phone and the number the server gave it.
#[derive(Debug, Clone)]
pub(super) struct Device {
    pub(super) phone: Arc<SimPhone>,
    pub(super) transport: u64,
}

impl Device {
    pub(super) fn serial(&self) -> String {
        self.phone.profile().serial
    }

    pub(super) fn presence(&self) -> Presence {
        self.phone.faults().plan().presence
    }
}

/// How a client names a phone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selector {
    /// The only one there is.
    Any,
    /// By its serial number.
    Serial(String),
    /// By the server's number.
    Transport(u64),
}

/// All phones of a server.
#[derive(Debug, Default)]
pub(super) struct Devices {
    known: Mutex<Known>,
    /// Grows whenever the list a client would see may have changed.
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Known {
    devices: Vec<(Device, Watcher)>,
    last_transport: u64,
}

/// Ends the watching of a phone when the phone is taken away.
#[derive(Debug)]
struct Watcher(JoinHandle<()>);

impl Drop for Watcher {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Devices {
    pub(super) fn add(&self, phone: Arc<SimPhone>) {
        let (watched, changes) = (Arc::clone(&phone), self.changes.clone());
        let mut presence = phone.faults().plan().presence;
        let watcher = Watcher(tokio::spawn(async move {
            loop {
                watched
                    .faults()
                    .until(|plan| std::mem::replace(&mut presence, plan.presence) != presence)
                    .await;
                changes.send_modify(|count| *count += 1);
            }
        }));
        let mut known = self.known();
        known.last_transport += 1;
        let transport = known.last_transport;
        known.devices.push((Device { phone, transport }, watcher));
        drop(known);
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn remove(&self, serial: &str) {
        self.known().devices.retain(|(device, _)| device.serial() != serial);
        self.changes.send_modify(|count| *count += 1);
    }

    /// Notifies of possible changes of the list.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The list as `adb devices` shows it, with or without details.
    pub(super) fn list(&self, long: bool) -> String {
        let line = |(device, _): &(Device, Watcher)| {
            let state = device.presence().state()?;
            let profile = device.phone.profile();
            if !long {
                return Some(format!("{}\t{state}\n", profile.serial));
            }
            // A phone that has not introduced itself has no names yet.
            let names = if state == "device" {
                let underscores = |text: &str| {
                    text.replace(
                        |character: char| !character.is_ascii_alphanumeric() && character != '-',
                        "_",
                    )
                };
                format!(
                    " product:{} model:{} device:{}",
                    underscores(&profile.product),
                    underscores(&profile.model),
                    underscores(&profile.device)
                )
            } else {
                String::new()
            };
            Some(format!("{:<22} {state}{names} transport_id:{}\n", profile.serial, device.transport))
        };
        self.known().devices.iter().filter_map(line).collect()
    }

    /// The phone a client means; the error is what adb says.
    pub(super) fn find(&self, selector: &Selector) -> Result<Device, String> {
        let known = self.known();
        let mut present = known
            .devices
            .iter()
            .map(|(device, _)| device)
            .filter(|device| device.presence() != Presence::Away);
        match selector {
            Selector::Any => match (present.next(), present.next()) {
                (Some(device), None) => Ok(device.clone()),
                (None, _) => Err("no devices/emulators found".to_owned()),
                (Some(_), Some(_)) => Err("more than one device/emulator".to_owned()),
            },
            Selector::Serial(serial) => {
                let found = present.find(|device| device.serial() == *serial);
                found.cloned().ok_or_else(|| format!("device '{serial}' not found"))
            }
            Selector::Transport(transport) => {
                let found = present.find(|device| device.transport == *transport);
                found.cloned().ok_or_else(|| format!("no device with transport id '{transport}'"))
            }
        }
    }

    /// The same, and it must be willing to talk.
    pub(super) fn find_online(&self, selector: &Selector) -> Result<Device, String> {
        let device = self.find(selector)?;
        match device.presence() {
            Presence::Online => Ok(device),
            Presence::Unauthorized => Err("device unauthorized.\n\
                This adb server's $ADB_VENDOR_KEYS is not set\n\
                Try 'adb kill-server' if that seems wrong.\n\
                    Otherwise check for a confirmation dialog on your device."
                .to_owned()),
            Presence::Offline | Presence::Away => Err("device offline".to_owned()),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }
}
