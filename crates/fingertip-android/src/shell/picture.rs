//! Pictures of the screen, unpacked: packing one on the phone takes longer than sending it.

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{Screenshot, ScreenshotRequest};
use fingertip_core::{Deadline, Error, Reason, Result};

use super::ShellDriver;
use crate::parse::screencap::{self, ScreencapError};
use crate::quote::quoted;

/// Warnings go nowhere: on a phone that mixes them into the output they would spoil the picture.
const COMMAND: &str = "screencap 2>/dev/null";

#[async_trait]
impl Pictures for ShellDriver {
    /// Takes a picture; `screencap` knows no parts of the screen.
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        let output = self.device.run(COMMAND, screencap::MAX_BYTES, deadline).await?;
        if output.cut {
            return Err(failed("it is larger than any that is read"));
        }
        let said = quoted(&String::from_utf8_lossy(&output.stdout[..output.stdout.len().min(200)]));
        match screencap::parse(output.stdout) {
            Ok(pixels) => match request.region {
                None => Ok(Screenshot::Raw(pixels)),
                Some(part) => {
                    let part = pixels.part(part).ok_or_else(|| failed("it does not show that part"))?;
                    Ok(Screenshot::Raw(part))
                }
            },
            Err(error @ ScreencapError::UnknownFormat(_)) => {
                Err(Error::new(Reason::Unsupported, format!("There is no picture: {error}."))
                    .with_guidance("Switch off HDR or wide colours on the phone, or use get_screen_state."))
            }
            Err(ScreencapError::NoPicture) => Err(failed(&said)),
            Err(error) => Err(failed(&error.to_string())),
        }
    }
}

fn failed(why: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("There is no picture: {why}."))
        .with_guidance("Wake the phone and try again.")
}
