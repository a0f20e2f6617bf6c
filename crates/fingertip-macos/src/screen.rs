//! Pictures of the screen, by ScreenCaptureKit, one pixel a point so that places in a picture are places on the screen.

use std::time::Duration;

use fingertip_core::target::{PixelFormat, Pixels};
use fingertip_core::{Error, Reason, Rect, Result};

use crate::bindings::cf::{CGPoint, CGRect, CGSize};
use crate::bindings::services::{self, Picture};
use crate::failure::Failure;
use crate::window_list;

/// How long taking a picture may last: the system's own service hangs at times.
const TAKEN_WITHIN: Duration = Duration::from_secs(10);

/// A picture of the main display, or of a part of it. Blocks.
pub(crate) fn shoot(region: Option<Rect>, limit: Duration) -> Result<Pixels> {
    let display = window_list::main_display();
    let area = region.map_or(display, |region| region.intersection(display));
    if area.is_empty() {
        return Err(Error::new(Reason::InvalidParams, "That part of the screen is not there."));
    }
    let area = CGRect {
        origin: CGPoint { x: f64::from(area.left), y: f64::from(area.top) },
        size: CGSize { width: f64::from(area.width()), height: f64::from(area.height()) },
    };
    let taken = services::picture(area, limit.min(TAKEN_WITHIN));
    let Picture { width, height, stride, bgra } = taken.map_err(|why| {
        Error::new(Reason::ActionFailed, format!("macOS took no picture: {why}.")).with_guidance(
            "`fingertip doctor --target desktop` says whether this program may see the screen.",
        )
    })?;
    Ok(Pixels { width, height, stride, format: PixelFormat::Bgra, data: bgra })
}

/// The error of a picture that did not come.
pub(crate) fn late(failure: Failure) -> Error {
    tracing::debug!(%failure, "no picture");
    Error::new(Reason::Timeout, "The picture of the screen did not come in time.").with_guidance("Try again.")
}
