//! An operating system that is not Android's; the same function as `local.rs`.

use fingertip_core::Result;

use crate::channel::Device;

impl Device {
    /// Says that this machine is no phone.
    ///
    /// # Errors
    /// Always.
    pub fn here() -> Result<Self> {
        Err(super::no_phone_here())
    }
}
