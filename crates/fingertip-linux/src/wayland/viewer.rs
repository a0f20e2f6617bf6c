//! The screens: how large they are, and pictures of them through shared memory (`wlr-screencopy`).
//!
//! A picture is in the units of places, as windows and elements are: a screen with a scale has more pixels than that, and is
//! made smaller. Screens are asked for anew each time, since they come and go.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::target::Pixels;
use fingertip_core::{Error, Reason, Rect};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use wayland_client::globals::GlobalListContents;
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_output::{self, Transform, WlOutput};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_shm::{Format, WlShm};
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::{Connection, Dispatch, QueueHandle, WEnum, delegate_noop};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1::{self, ZxdgOutputV1};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_frame_v1::{
    self, Flags, ZwlrScreencopyFrameV1,
};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1;

use super::link::Link;
use super::sway::Sway;
use super::{SERVER, runtime_of};
use crate::display::canvas::{Canvas, LARGEST, PIXEL, Shot, outside};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Connect};

/// The most screens.
const MOST_SCREENS: usize = 32;
/// How long a compositor may take to draw.
const DRAWN_WITHIN: Duration = Duration::from_secs(2);

/// A connection to look by.
pub(super) struct Viewer {
    link: Link<Seen>,
    /// Where memory is shared; kept, since it cannot be given back.
    shm: Option<WlShm>,
    /// `None` where the compositor is none that tells its windows.
    pub(super) sway: Option<Sway>,
}

/// What events have told.
#[derive(Default)]
pub(super) struct Seen {
    outputs: Vec<Output>,
    buffer: Option<Buffer>,
    is_inverted: bool,
    is_ready: bool,
    has_failed: bool,
}

/// A screen: where it is, in the units of places.
#[derive(Debug, Clone, Copy, Default)]
struct Output {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    is_turned: bool,
}

impl Output {
    fn area(self) -> Rect {
        Rect::new(self.left, self.top, self.left + self.width, self.top + self.height)
    }
}

/// The memory that a compositor wants for a picture.
#[derive(Debug, Clone, Copy)]
struct Buffer {
    format: Format,
    width: u32,
    height: u32,
    stride: u32,
}

impl Connect for Viewer {
    type Address = PathBuf;
    const SERVER: &'static str = SERVER;

    fn connect(socket: &PathBuf) -> Outcome<Self> {
        let link = Link::open(socket, Seen::default())?;
        let sway = Sway::open(link.peer, runtime_of(socket));
        Ok(Self { link, shm: None, sway })
    }

    fn is_alive(&mut self) -> bool {
        self.link.sync().is_ok()
    }
}

impl Viewer {
    /// Whether the compositor offers an interface.
    pub(super) fn offers(&self, interface: &str) -> bool {
        self.link.offers(interface)
    }

    /// The process of the compositor.
    pub(super) fn peer(&self) -> Option<u32> {
        self.link.peer
    }

    /// The screen that all screens make together, counted from its corner.
    pub(super) fn screen(&mut self) -> Outcome<Rect> {
        let (proxies, outputs) = self.outputs()?;
        proxies.iter().for_each(WlOutput::release);
        let whole = whole(&outputs);
        Ok(Rect::new(0, 0, whole.width(), whole.height()))
    }

    /// A picture of this part of the screen; what lies outside is cut off.
    pub(super) fn shoot(&mut self, area: Option<Rect>, cancel: &CancelToken) -> Outcome<Pixels> {
        let (proxies, outputs) = self.outputs()?;
        let picture = self.picture(&proxies, &outputs, area, cancel);
        proxies.iter().for_each(WlOutput::release);
        picture
    }

    fn picture(
        &mut self,
        proxies: &[WlOutput],
        outputs: &[Output],
        area: Option<Rect>,
        cancel: &CancelToken,
    ) -> Outcome<Pixels> {
        let whole = whole(outputs);
        let screen = Rect::new(0, 0, whole.width(), whole.height());
        let area = area.map_or(screen, |area| area.intersection(screen));
        if area.is_empty() {
            return Err(Failure::Reported(outside()));
        }
        let mut picture = Canvas::new(area)?;
        for (proxy, output) in proxies.iter().zip(outputs) {
            let own = Rect::new(
                output.left - whole.left,
                output.top - whole.top,
                output.left - whole.left + output.width,
                output.top - whole.top + output.height,
            );
            let part = area.intersection(own);
            if part.is_empty() {
                continue;
            }
            if output.is_turned {
                return Err(Failure::Reported(Error::new(
                    Reason::Unsupported,
                    "Screens that are turned or mirrored cannot be pictured.",
                )));
            }
            let shot = self.capture(proxy, part, (own.left, own.top), cancel)?;
            picture.paint(&shot, part);
        }
        Ok(picture.pixels())
    }

    /// The screens that there are now.
    fn outputs(&mut self) -> Outcome<(Vec<WlOutput>, Vec<Output>)> {
        let manager: ZxdgOutputManagerV1 = self.link.bind(3)?;
        let handle = self.link.handle();
        let names: Vec<u32> = self.link.globals.contents().with_list(|list| {
            // From version 3 on what was asked for can be given back.
            let screens = list.iter().filter(|global| global.interface == "wl_output" && global.version >= 3);
            screens.map(|global| global.name).take(MOST_SCREENS).collect()
        });
        self.link.state.outputs = vec![Output::default(); names.len()];
        let registry = self.link.globals.registry();
        let bind = |(place, name): (usize, &u32)| registry.bind::<WlOutput, _, _>(*name, 3, &handle, place);
        let proxies: Vec<WlOutput> = names.iter().enumerate().map(bind).collect();
        let details: Vec<ZxdgOutputV1> = proxies
            .iter()
            .enumerate()
            .map(|(place, output)| manager.get_xdg_output(output, &handle, place))
            .collect();
        self.link.sync()?;
        details.iter().for_each(ZxdgOutputV1::destroy);
        manager.destroy();
        Ok((proxies, std::mem::take(&mut self.link.state.outputs)))
    }

    /// Lets the compositor write a part of a screen into memory that both have.
    fn capture(
        &mut self,
        output: &WlOutput,
        part: Rect,
        (left, top): (i32, i32),
        cancel: &CancelToken,
    ) -> Outcome<Shot> {
        let limit = Instant::now() + cancel.deadline().remaining().min(DRAWN_WITHIN);
        let manager: ZwlrScreencopyManagerV1 = self.link.bind(1)?;
        (self.link.state.buffer, self.link.state.is_inverted) = (None, false);
        (self.link.state.is_ready, self.link.state.has_failed) = (false, false);
        let (x, y) = (part.left - left, part.top - top);
        let handle = self.link.handle();
        let frame = manager.capture_output_region(0, output, x, y, part.width(), part.height(), &handle, ());
        let shot = self.copied(&frame, limit);
        frame.destroy();
        manager.destroy();
        shot
    }

    /// What is in a frame.
    fn copied(&mut self, frame: &ZwlrScreencopyFrameV1, limit: Instant) -> Outcome<Shot> {
        let shm = match &self.shm {
            Some(shm) => shm.clone(),
            None => self.shm.insert(self.link.bind(1)?).clone(),
        };
        let handle = self.link.handle();
        self.wait(limit, |seen| seen.buffer.is_some())?;
        let buffer = self.link.state.buffer.ok_or_else(not_drawn)?;
        let swaps = match buffer.format {
            Format::Xrgb8888 | Format::Argb8888 => false,
            Format::Xbgr8888 | Format::Abgr8888 => true,
            other => return Err(Failure::Refused(format!("pixels of an unknown layout, {other:?}"))),
        };
        let bytes = buffer.stride as usize * buffer.height as usize;
        let is_odd = (buffer.stride as usize) < buffer.width as usize * PIXEL;
        if bytes > LARGEST || bytes == 0 || is_odd {
            return Err(Failure::Refused(format!("a picture of {bytes} bytes")));
        }
        let refused = |cause: &dyn std::fmt::Display| Failure::Refused(format!("no shared memory: {cause}"));
        let memory =
            memfd_create("fingertip-screen", MemfdFlags::CLOEXEC).map_err(|error| refused(&error))?;
        ftruncate(&memory, bytes as u64).map_err(|error| refused(&error))?;
        let [size, width, height, stride] =
            [bytes as u64, buffer.width.into(), buffer.height.into(), buffer.stride.into()]
                .map(|number| i32::try_from(number).unwrap_or(i32::MAX));
        let pool = shm.create_pool(memory.as_fd(), size, &handle, ());
        let shared = pool.create_buffer(0, width, height, stride, buffer.format, &handle, ());
        frame.copy(&shared);
        let drawn = self.wait(limit, |seen| seen.is_ready);
        shared.destroy();
        pool.destroy();
        drawn?;
        let mut data = vec![0; bytes];
        File::from(memory).read_exact_at(&mut data, 0).map_err(|error| refused(&error))?;
        let Buffer { width, height, stride, .. } = buffer;
        let is_inverted = self.link.state.is_inverted;
        Ok(Shot { width, height, stride: stride as usize, data, swaps, is_inverted })
    }

    fn wait(&mut self, limit: Instant, is_so: impl Fn(&Seen) -> bool) -> Outcome<()> {
        let is_over = self.link.until(limit, |seen| is_so(seen) || seen.has_failed)?;
        if is_over && !self.link.state.has_failed { Ok(()) } else { Err(not_drawn()) }
    }
}

/// The area of all screens.
fn whole(outputs: &[Output]) -> Rect {
    let areas = outputs.iter().map(|output| output.area());
    let union = |a: Rect, b: Rect| {
        Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
    };
    areas.reduce(union).unwrap_or_default()
}

fn not_drawn() -> Failure {
    Failure::Reported(
        Error::new(Reason::ActionFailed, "The compositor drew no picture of the screen.")
            .with_guidance("The screen may be switched off; try again."),
    )
}

impl Dispatch<WlRegistry, GlobalListContents> for Seen {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

impl Dispatch<WlOutput, usize> for Seen {
    fn event(
        seen: &mut Self,
        _: &WlOutput,
        event: wl_output::Event,
        place: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let (wl_output::Event::Geometry { transform, .. }, Some(output)) =
            (event, seen.outputs.get_mut(*place))
        {
            output.is_turned = transform != WEnum::Value(Transform::Normal);
        }
    }
}

impl Dispatch<ZxdgOutputV1, usize> for Seen {
    fn event(
        seen: &mut Self,
        _: &ZxdgOutputV1,
        event: zxdg_output_v1::Event,
        place: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let Some(output) = seen.outputs.get_mut(*place) else { return };
        match event {
            zxdg_output_v1::Event::LogicalPosition { x, y } => (output.left, output.top) = (x, y),
            zxdg_output_v1::Event::LogicalSize { width, height } => {
                (output.width, output.height) = (width, height);
            }
            _ => {}
        }
    }
}

impl Dispatch<ZwlrScreencopyFrameV1, ()> for Seen {
    fn event(
        seen: &mut Self,
        _: &ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        use zwlr_screencopy_frame_v1::Event;
        match event {
            Event::Buffer { format: WEnum::Value(format), width, height, stride } => {
                seen.buffer = Some(Buffer { format, width, height, stride });
            }
            Event::Flags { flags: WEnum::Value(flags) } => {
                seen.is_inverted = flags.contains(Flags::YInvert);
            }
            Event::Ready { .. } => seen.is_ready = true,
            Event::Failed => seen.has_failed = true,
            _ => {}
        }
    }
}

delegate_noop!(Seen: ZxdgOutputManagerV1);
delegate_noop!(Seen: ZwlrScreencopyManagerV1);
delegate_noop!(Seen: WlShmPool);
delegate_noop!(Seen: ignore WlShm);
delegate_noop!(Seen: ignore WlBuffer);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_beside_each_other_are_one() {
        let left = Output { left: -10, width: 10, height: 5, ..Output::default() };
        let right = Output { width: 20, height: 8, ..Output::default() };
        assert_eq!(whole(&[left, right]), Rect::new(-10, 0, 20, 8));
        assert_eq!(whole(&[]), Rect::default());
    }
}
