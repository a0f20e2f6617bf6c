//! The driver that needs nothing on the phone: only the commands every Android has.
//!
//! What it cannot do it does not pretend to: no clipboard, no text beyond ASCII, no reading of a screen that
//! never settles. Every call is one stream to the phone, or as few as its effect allows.

pub(crate) mod command;
mod hints;
mod logs;
mod look;
mod picture;
mod receivers;
mod system;
#[cfg(test)]
mod tests;
mod text;
mod touch;
mod uinput;

use std::sync::Mutex;

use fingertip_core::fair::Gate;
use fingertip_core::target::Capabilities;

use crate::channel::Device;
use crate::input::MULTI_TOUCH_SDK;
use crate::parse::getprop::Facts;

/// Drives one phone by shell commands.
#[derive(Debug)]
pub(crate) struct ShellDriver {
    device: Device,
    facts: Facts,
    /// Held while the phone is read, because it lets one reader in at a time.
    reading: Gate,
    /// How this phone can be read.
    form: Mutex<look::Form>,
    hints: hints::Hints,
    /// The last application in front that was seen to have no window.
    faceless: Mutex<Option<Box<str>>>,
}

impl ShellDriver {
    /// Its word in lists.
    pub(crate) const NAME: &'static str = "shell";

    /// Drives this phone.
    pub(crate) fn new(device: Device, facts: Facts) -> Self {
        Self {
            device,
            facts,
            reading: Gate::new(1),
            form: Mutex::default(),
            hints: hints::Hints::default(),
            faceless: Mutex::default(),
        }
    }

    /// What this driver can ever do on a phone of this interface level; zero when it is not known yet.
    pub(crate) fn capabilities_at(sdk: u32) -> Capabilities {
        let everywhere = Capabilities::SNAPSHOT
            | Capabilities::TOUCH
            | Capabilities::SYSTEM_KEYS
            | Capabilities::KEYS
            | Capabilities::TEXT
            | Capabilities::SCREENSHOT
            | Capabilities::LOGS;
        if sdk == 0 || sdk >= MULTI_TOUCH_SDK { everywhere | Capabilities::MULTI_TOUCH } else { everywhere }
    }
}
