//! Pictures of the screen by KWin's `ScreenShot2`: it says how large one is, and writes the pixels into a pipe.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use fingertip_core::target::{PixelFormat, Pixels};
use fingertip_core::{Deadline, Error, Reason, Rect, Result};
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use zbus::zvariant::{Fd, OwnedValue, Value};

use super::report::Layout;
use super::script::{Script, answer, failed, within};
use crate::display::canvas::outside;

const SERVICE: &str = "org.kde.KWin.ScreenShot2";
const PATH: &str = "/org/kde/KWin/ScreenShot2";
/// Bytes a pixel, in the layouts that are read here.
const PIXEL: usize = 4;
/// The most bytes of a picture: a wall of screens.
const LARGEST: usize = 512 << 20;
/// How long KWin may take to draw one and to hand it over.
const DRAWN_WITHIN: Duration = Duration::from_secs(3);

/// Whether KWin lets us take pictures: it gives one pixel, or says why it does not.
pub(super) async fn are_given(script: &Script, deadline: Deadline) -> Result<()> {
    capture(script, (0, 0), (1, 1), deadline.slice(DRAWN_WITHIN)).await.map(drop)
}

/// A picture of this part of the screen; what lies outside is cut off.
pub(super) async fn shoot(script: &Script, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
    let Layout { screen, corner: (across, down), .. } = script.layout(deadline).await?;
    let area = area.map_or(screen, |area| area.intersection(screen));
    if area.is_empty() {
        return Err(outside());
    }
    let size = (area.width().unsigned_abs(), area.height().unsigned_abs());
    capture(script, (area.left + across, area.top + down), size, deadline.slice(DRAWN_WITHIN)).await
}

async fn capture(
    script: &Script,
    (x, y): (i32, i32),
    (width, height): (u32, u32),
    deadline: Deadline,
) -> Result<Pixels> {
    let (bus, kwin) = script.bus(deadline).await?;
    // Both ends are ours; ours alone must not block.
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| no_pipe(&error.into()))?;
    let pipe = pipe::Receiver::from_owned_fd(read).map_err(|error| no_pipe(&error))?;
    // Places are in the units of windows, and so are pictures: a screen with a scale is drawn smaller.
    let options: HashMap<&str, Value<'_>> =
        [("include-cursor", false), ("native-resolution", false)].map(|(name, is)| (name, is.into())).into();
    let body = (x, y, width, height, options, Fd::from(write));
    let asked = bus.call_method(Some(kwin.as_str()), PATH, Some(SERVICE), "CaptureArea", &body);
    let reply = within(deadline, asked).await?.map_err(failed)?;
    drop(body);
    let told: HashMap<String, OwnedValue> = answer(&reply)?;
    let frame = Frame::read(|name| u32::try_from(told.get(name)?).ok())?;
    if (frame.width, frame.height) != (width, height) {
        return Err(not_drawn(&format!("{} by {} pixels", frame.width, frame.height)));
    }
    let mut data = Vec::new();
    let whole = within(deadline, pipe.take(frame.bytes as u64).read_to_end(&mut data)).await?;
    let whole = whole.map_err(|error| no_pipe(&error))?;
    if whole < frame.bytes {
        return Err(not_drawn(&format!("{whole} of {} bytes", frame.bytes)));
    }
    let Frame { stride, format, .. } = frame;
    Ok(Pixels { width, height, stride, format, data })
}

/// How a picture is written.
#[derive(Debug, PartialEq, Eq)]
struct Frame {
    width: u32,
    height: u32,
    stride: usize,
    format: PixelFormat,
    bytes: usize,
}

impl Frame {
    /// From the numbers that KWin tells of it.
    fn read(number: impl Fn(&str) -> Option<u32>) -> Result<Self> {
        let needed = |name: &str| number(name).ok_or_else(|| not_drawn(&format!("no {name}")));
        let (width, height) = (needed("width")?, needed("height")?);
        let stride = needed("stride")? as usize;
        // The numbers of QImage: 32 bits in the order of the machine, or bytes in their order.
        let format = match needed("format")? {
            4..=6 => PixelFormat::Bgra,
            16..=18 => PixelFormat::Rgba,
            other => return Err(not_drawn(&format!("pixels of an unknown layout, {other}"))),
        };
        let bytes = stride.saturating_mul(height as usize);
        let is_odd = stride < (width as usize).saturating_mul(PIXEL);
        if is_odd || bytes == 0 || bytes > LARGEST {
            return Err(not_drawn(&format!("{bytes} bytes for {width} by {height}")));
        }
        Ok(Self { width, height, stride, format, bytes })
    }
}

fn not_drawn(what: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("KWin drew no picture of the screen ({what})."))
        .with_guidance("The screen may be switched off, or its scale may not fit; try another part of it.")
}

fn no_pipe(error: &io::Error) -> Error {
    Error::new(Reason::ActionFailed, format!("The picture cannot be read: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(width: u32, height: u32, stride: u32, format: u32) -> Result<Frame> {
        let told = [("width", width), ("height", height), ("stride", stride), ("format", format)];
        Frame::read(|name| told.iter().find(|(known, _)| *known == name).map(|(_, number)| *number))
    }

    #[test]
    fn a_picture_is_read_as_kwin_describes_it() {
        let read = frame(1280, 800, 5120, 6).unwrap();
        assert_eq!((read.format, read.bytes), (PixelFormat::Bgra, 4_096_000));
        assert_eq!(frame(2, 1, 16, 17).unwrap().format, PixelFormat::Rgba);
    }

    #[test]
    fn a_picture_that_claims_too_much_or_nonsense_is_refused() {
        for (width, height, stride, format) in [
            (2, 1, 7, 6),
            (2, 0, 8, 6),
            (1 << 16, 1 << 16, 1 << 18, 6),
            (2, 1, 8, 3),
            (u32::MAX, u32::MAX, u32::MAX, 6),
        ] {
            assert!(frame(width, height, stride, format).is_err(), "{width} {height} {stride} {format}");
        }
        assert!(Frame::read(|_| None).is_err());
    }
}
