//! Pictures of the screen: through shared memory, which the server fills without sending a byte.
//!
//! A server on another machine cannot share memory; then the pixels come over the wire, and the log says why.
//! The memory is a file without a name; reading it as a file costs a copy and needs no mapping of our own.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;

use fingertip_core::sync::lock;
use fingertip_core::target::{PixelFormat, Pixels};
use fingertip_core::{Error, Reason, Rect};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, ImageOrder};

use super::display::Display;
use super::error::{Outcome, X11Error};
use crate::display::canvas::outside;

/// Bytes a pixel, in the only layout that screens of today have.
const PIXEL: u32 = 4;
/// All bits of a pixel.
const ALL_PLANES: u32 = !0;

/// A picture of this part of the screen; what lies outside is cut off.
pub(super) fn shoot(display: &Display, area: Option<Rect>) -> Outcome<Pixels> {
    let screen = display.screen()?;
    let area = area.map_or(screen, |area| area.intersection(screen));
    if area.is_empty() {
        return Err(X11Error::Reported(outside()));
    }
    must_be_true_colour(display)?;
    let data = match shared(display, area) {
        Ok(data) => data,
        Err(X11Error::Refused(cause)) => {
            tracing::info!(cause, "no shared memory with the X server; the picture comes over the wire");
            wired(display, area)?
        }
        Err(error) => return Err(error),
    };
    let (width, height) = size(area);
    let stride = (width * PIXEL) as usize;
    if data.len() < stride * height as usize {
        return Err(X11Error::Refused("a picture shorter than the screen".to_owned()));
    }
    Ok(Pixels { width, height, stride, format: PixelFormat::Bgra, data })
}

/// Lets the server write the picture into memory that both have.
fn shared(display: &Display, area: Rect) -> Outcome<Vec<u8>> {
    let (width, height) = size(area);
    let bytes = (width * height * PIXEL) as usize;
    let mut kept = lock(&display.memory);
    let memory = match kept.take() {
        Some(memory) if memory.bytes >= bytes => memory,
        too_small => {
            if let Some(memory) = too_small {
                display.conn.shm_detach(memory.segment)?;
            }
            Memory::share(display, bytes)?
        }
    };
    let image = display.conn.shm_get_image(
        display.root,
        coordinate(area.left),
        coordinate(area.top),
        clipped(width),
        clipped(height),
        ALL_PLANES,
        ImageFormat::Z_PIXMAP.into(),
        memory.segment,
        0,
    )?;
    image.reply()?;
    let mut data = vec![0; bytes];
    memory.file.read_exact_at(&mut data, 0).map_err(|error| X11Error::Refused(error.to_string()))?;
    *kept = Some(memory);
    Ok(data)
}

/// Memory that the server writes pictures into; kept, since making it costs more than a picture.
pub(super) struct Memory {
    file: File,
    segment: u32,
    bytes: usize,
}

impl Memory {
    fn share(display: &Display, bytes: usize) -> Outcome<Self> {
        let refused = |cause: &dyn std::fmt::Display| X11Error::Refused(cause.to_string());
        if display.conn.extension_information(shm::X11_EXTENSION_NAME)?.is_none() {
            return Err(refused(&"the server has no MIT-SHM"));
        }
        let own = memfd_create("fingertip-screen", MemfdFlags::CLOEXEC).map_err(|error| refused(&error))?;
        ftruncate(&own, bytes as u64).map_err(|error| refused(&error))?;
        let theirs: OwnedFd = own.as_fd().try_clone_to_owned().map_err(|error| refused(&error))?;
        let segment = display.conn.generate_id()?;
        display.conn.shm_attach_fd(segment, theirs, false)?.check()?;
        Ok(Self { file: File::from(own), segment, bytes })
    }
}

fn wired(display: &Display, area: Rect) -> Outcome<Vec<u8>> {
    let (width, height) = size(area);
    let (left, top) = (coordinate(area.left), coordinate(area.top));
    let format = ImageFormat::Z_PIXMAP;
    let image = display.conn.get_image(
        format,
        display.root,
        left,
        top,
        clipped(width),
        clipped(height),
        ALL_PLANES,
    )?;
    Ok(image.reply()?.data)
}

/// Other layouts are of another time; a picture of them would be wrong, not merely odd.
fn must_be_true_colour(display: &Display) -> Outcome<()> {
    let setup = display.conn.setup();
    let screen = setup.roots.iter().find(|screen| screen.root == display.root);
    let depth = screen.map_or(0, |screen| screen.root_depth);
    let bits =
        setup.pixmap_formats.iter().find(|format| format.depth == depth).map(|format| format.bits_per_pixel);
    if matches!(depth, 24 | 32) && bits == Some(32) && setup.image_byte_order == ImageOrder::LSB_FIRST {
        return Ok(());
    }
    Err(X11Error::Reported(
        Error::new(Reason::Unsupported, format!("Screens of {depth} bits a pixel cannot be pictured."))
            .with_guidance("Run the display with 24 bits, such as Xvfb -screen 0 1920x1080x24."),
    ))
}

fn size(area: Rect) -> (u32, u32) {
    (area.width().unsigned_abs(), area.height().unsigned_abs())
}

/// A place on the screen is never beyond this range: the protocol has no more bits for it.
fn coordinate(value: i32) -> i16 {
    i16::try_from(value).unwrap_or(i16::MAX)
}

fn clipped(value: u32) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}
