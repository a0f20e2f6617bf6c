//! Pictures of the screens that the session of remote control shares, handed over by PipeWire.
//!
//! A stream lives for one picture. The compositor draws for it from the moment it is linked, so that its first whole frame is
//! the screen as it is now; with that frame the stream ends, and nothing more is drawn for us. Frames come in memory that both
//! have: what only a graphics card could read is not asked for.
//!
//! The library is one of C and wants a thread of its own, which this has. Whoever waits for a picture waits no longer than its
//! call, and a stream that nobody waits for any more ends.

use std::cell::Cell;
use std::io::Cursor;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::target::Pixels;
use fingertip_core::{Error, Reason, Rect};
use pipewire::buffer::Buffer;
use pipewire::context::ContextRc;
use pipewire::core::{CoreRc, PW_ID_CORE};
use pipewire::keys;
use pipewire::loop_::Timeout;
use pipewire::main_loop::MainLoopRc;
use pipewire::properties::properties;
use pipewire::spa::buffer::{ChunkFlags, DataType};
use pipewire::spa::param::ParamType;
use pipewire::spa::param::format::{FormatProperties, MediaSubtype, MediaType};
use pipewire::spa::param::video::{VideoFormat, VideoInfoRaw};
use pipewire::spa::pod::serialize::PodSerializer;
use pipewire::spa::pod::{ChoiceValue, Object, Pod, Property, Value, object, property};
use pipewire::spa::utils::{Choice, ChoiceEnum, ChoiceFlags, Direction, Fraction, Rectangle, SpaTypes};
use pipewire::stream::{Stream, StreamFlags, StreamRc, StreamState};
use zbus::zvariant::OwnedFd;

use super::Shared;
use super::portal::CAST;
use super::session::{Options, PORTAL_PATH, Session, Way, call, not_shared};
use crate::display::Offers;
use crate::display::canvas::{Canvas, LARGEST, PIXEL, Shot};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Connect};

/// What this adds to what is given.
pub(super) const OFFERED: Offers = Offers::PICTURES;

/// How long PipeWire may take to hand over one frame.
const DRAWN_WITHIN: Duration = Duration::from_secs(3);
/// How long it may take to say that it is there.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);
/// How long the loop runs before it is looked whether anybody still waits.
const SLICE: Duration = Duration::from_millis(20);
/// The longest side of a screen.
const LONGEST_SIDE: u32 = 1 << 15;
/// The most frames a second that are taken; for one picture it does not matter.
const FASTEST: u32 = 240;

/// The library, ready to connect.
pub(super) struct Camera {
    shared: Arc<Shared>,
    context: ContextRc,
    /// What runs all of it.
    main: MainLoopRc,
}

impl Connect for Camera {
    type Address = Arc<Shared>;
    const SERVER: &'static str = "PipeWire server";

    fn connect(shared: &Arc<Shared>) -> Outcome<Self> {
        pipewire::init();
        let main = MainLoopRc::new(None).map_err(|error| lost(&error))?;
        let context = ContextRc::new(&main, None).map_err(|error| lost(&error))?;
        Ok(Self { shared: Arc::clone(shared), context, main })
    }

    /// It is not connected between two pictures.
    fn is_alive(&mut self) -> bool {
        true
    }
}

/// Whether PipeWire answers in this session.
pub(super) fn answers(camera: &mut Camera, cancel: &CancelToken) -> Outcome<()> {
    let remote = Remote::new(camera.context.connect_rc(None).map_err(|error| lost(&error))?);
    let is_done = Rc::new(Cell::new(false));
    let done = Rc::clone(&is_done);
    let _listener = remote.core.add_listener_local().done(move |_, _| done.set(true)).register();
    remote.core.sync(0).map_err(|error| lost(&error))?;
    let answer = camera.until(&remote, ANSWERED_WITHIN, cancel, || is_done.get().then_some(Ok(())));
    answer?.unwrap_or_else(|| Err(Failure::Lost("it does not answer".to_owned())))
}

/// A picture of this part of the screen. What of it is not shared is black.
pub(super) fn shoot(camera: &mut Camera, area: Rect, cancel: &CancelToken) -> Outcome<Pixels> {
    let opening = camera.shared.access.session(cancel.deadline());
    let session = camera.shared.runtime.wait_for(opening).map_err(Failure::Reported)?;
    let parts: Vec<(Option<u32>, Rect, Rect)> = session
        .streams
        .iter()
        .map(|stream| (stream.node, stream.area, stream.area.intersection(area)))
        .filter(|(_, _, part)| !part.is_empty())
        .collect();
    if parts.is_empty() {
        return Err(not_shared());
    }
    let mut canvas = Canvas::new(area)?;
    let remote = camera.remote(&session)?;
    for (node, screen, part) in parts {
        let shot = camera.frame(&remote, node.ok_or_else(not_drawn)?, (screen, part), cancel)?;
        canvas.paint(&shot, part);
    }
    Ok(canvas.pixels())
}

/// A connection to PipeWire, and what went wrong on it.
struct Remote {
    core: CoreRc,
    failed: Rc<Cell<Option<String>>>,
    _errors: pipewire::core::Listener,
}

impl Remote {
    fn new(core: CoreRc) -> Self {
        let failed = Rc::new(Cell::new(None));
        let fails = Rc::clone(&failed);
        let errors = core.add_listener_local().error(move |id, _, _, why| {
            // Those of a stream are told by the stream.
            if id == PW_ID_CORE {
                fails.set(Some(why.to_owned()));
            }
        });
        let _errors = errors.register();
        Self { core, failed, _errors }
    }
}

impl Camera {
    /// What the session of remote control lets us see: the portal hands over a connection of its own, on which there is
    /// nothing else.
    fn remote(&self, session: &Session) -> Outcome<Remote> {
        let core = match session.way {
            Way::Mutter => self.context.connect_rc(None),
            Way::Portal => {
                let body = (&session.path, Options::default());
                let opening =
                    call(&session.bus, Way::Portal.service(), PORTAL_PATH, CAST, "OpenPipeWireRemote", &body);
                let reply = self.shared.runtime.wait_for(opening)?;
                let told: Result<OwnedFd, _> = reply.body().deserialize();
                let fd = told.map_err(|error| Failure::Refused(error.to_string()))?;
                self.context.connect_fd_rc(fd.into(), None)
            }
        };
        core.map(Remote::new).map_err(|error| lost(&error))
    }

    /// The next whole frame of a screen, cut to a part of it.
    fn frame(
        &self,
        remote: &Remote,
        node: u32,
        (screen, part): (Rect, Rect),
        cancel: &CancelToken,
    ) -> Outcome<Shot> {
        let about = properties! {
            *keys::MEDIA_TYPE => "Video",
            *keys::MEDIA_CATEGORY => "Capture",
            *keys::MEDIA_ROLE => "Screen",
        };
        let stream = StreamRc::new(remote.core.clone(), "fingertip", about).map_err(|error| lost(&error))?;
        // The library calls back through C, which a panic must not reach: nothing here can be borrowed twice.
        let taken: Rc<Cell<Option<Outcome<Shot>>>> = Rc::default();
        let (takes, fails) = (Rc::clone(&taken), Rc::clone(&taken));
        let listener = stream
            .add_local_listener_with_user_data(None::<Layout>)
            .state_changed(move |_, _, _, state| {
                if let StreamState::Error(why) = state {
                    fails.set(Some(Err(Failure::Refused(why))));
                }
            })
            .param_changed(|stream, layout, id, param| {
                if id == ParamType::Format.as_raw() {
                    *layout = param.and_then(Layout::read);
                    if layout.is_some() {
                        take_memory(stream);
                    }
                }
            })
            .process(move |stream, layout| {
                while let Some(mut buffer) = stream.dequeue_buffer() {
                    let Some(layout) = layout else { continue };
                    takes.set(takes.take().or_else(|| layout.cut(&mut buffer, screen, part).map(Ok)));
                }
            })
            .register()
            .map_err(|error| lost(&error))?;
        let format = bytes(formats())?;
        let mut formats = [Pod::from_bytes(&format).ok_or_else(not_drawn)?];
        let flags = StreamFlags::AUTOCONNECT | StreamFlags::MAP_BUFFERS;
        stream.connect(Direction::Input, Some(node), flags, &mut formats).map_err(|error| lost(&error))?;
        let frame = self.until(remote, DRAWN_WITHIN, cancel, || taken.take());
        drop(listener);
        frame?.unwrap_or_else(|| Err(not_drawn()))
    }

    /// Runs the loop until there is a result; `None` when there is none within this time.
    fn until<T>(
        &self,
        remote: &Remote,
        within: Duration,
        cancel: &CancelToken,
        result: impl Fn() -> Option<T>,
    ) -> Outcome<Option<T>> {
        let limit = Instant::now() + within;
        loop {
            cancel.rest(Duration::ZERO)?;
            self.main.loop_().iterate(Timeout::Finite(SLICE));
            if let Some(result) = result() {
                return Ok(Some(result));
            }
            if let Some(why) = remote.failed.take() {
                return Err(Failure::Lost(why));
            }
            if Instant::now() >= limit {
                return Ok(None);
            }
        }
    }
}

/// How the frames of a stream are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    width: u32,
    height: u32,
    /// Whether red and blue stand the other way round.
    swaps: bool,
}

impl Layout {
    /// What was agreed on; `None` where it is none of what we asked for.
    fn read(agreed: &Pod) -> Option<Self> {
        let mut video = VideoInfoRaw::new();
        video.parse(agreed).ok()?;
        let swaps = match video.format() {
            VideoFormat::BGRx | VideoFormat::BGRA => false,
            VideoFormat::RGBx | VideoFormat::RGBA => true,
            _ => return None,
        };
        let Rectangle { width, height } = video.size();
        Some(Self { width, height, swaps })
    }

    /// A part of the frame in a buffer; `None` where there is no whole one, as when only the pointer moved.
    fn cut(&self, buffer: &mut Buffer<'_>, screen: Rect, part: Rect) -> Option<Shot> {
        let data = buffer.datas_mut().first_mut()?;
        let (start, size, stride) = {
            let chunk = data.chunk();
            if chunk.flags().contains(ChunkFlags::CORRUPTED) {
                return None;
            }
            (chunk.offset() as usize, chunk.size(), usize::try_from(chunk.stride()).ok()?)
        };
        if size == 0 {
            return None;
        }
        self.cut_from(data.data()?.get(start..)?, stride, screen, part)
    }

    /// A part of the screen out of a frame that has all of it. What the other program tells of its memory is not relied on.
    fn cut_from(&self, frame: &[u8], stride: usize, screen: Rect, part: Rect) -> Option<Shot> {
        let across = |x: i32| scaled(x - screen.left, screen.width(), self.width);
        let down = |y: i32| scaled(y - screen.top, screen.height(), self.height);
        let (left, right) = (across(part.left)?, across(part.right)?);
        let (top, bottom) = (down(part.top)?, down(part.bottom)?);
        let (width, height) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
        let line = width.checked_mul(PIXEL)?;
        if width == 0
            || height == 0
            || right.checked_mul(PIXEL)? > stride
            || line.checked_mul(height)? > LARGEST
        {
            return None;
        }
        let mut data = Vec::with_capacity(line * height);
        for y in top..bottom {
            let start = y.checked_mul(stride)?.checked_add(left * PIXEL)?;
            data.extend_from_slice(frame.get(start..start.checked_add(line)?)?);
        }
        let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
        Some(Shot { width, height, stride: line, data, swaps: self.swaps, is_inverted: false })
    }
}

/// A distance in the units of places as one in pixels.
fn scaled(distance: i32, length: i32, pixels: u32) -> Option<usize> {
    let (distance, length) = (u64::try_from(distance).ok()?, u64::try_from(length).ok()?);
    usize::try_from((distance * u64::from(pixels)).checked_div(length)?).ok()
}

/// Which frames are taken: of four bytes a pixel, in the memory of the machine.
fn formats() -> Object {
    let side = |width| Rectangle { width, height: width };
    object!(
        SpaTypes::ObjectParamFormat,
        ParamType::EnumFormat,
        property!(FormatProperties::MediaType, Id, MediaType::Video),
        property!(FormatProperties::MediaSubtype, Id, MediaSubtype::Raw),
        property!(
            FormatProperties::VideoFormat,
            Choice,
            Enum,
            Id,
            VideoFormat::BGRx,
            VideoFormat::BGRx,
            VideoFormat::BGRA,
            VideoFormat::RGBx,
            VideoFormat::RGBA
        ),
        property!(
            FormatProperties::VideoSize,
            Choice,
            Range,
            Rectangle,
            side(1024),
            side(1),
            side(LONGEST_SIDE)
        ),
        property!(
            FormatProperties::VideoFramerate,
            Choice,
            Range,
            Fraction,
            Fraction { num: 60, denom: 1 },
            Fraction { num: 0, denom: 1 },
            Fraction { num: FASTEST, denom: 1 }
        ),
    )
}

/// Asks for frames in memory that can be read.
fn take_memory(stream: &Stream) {
    let kinds = [DataType::MemFd, DataType::MemPtr].map(|kind| 1 << kind.as_raw());
    let readable = kinds.into_iter().fold(0, |all, kind| all | kind);
    let kinds = ChoiceEnum::Flags { default: readable, flags: vec![readable] };
    let value = Value::Choice(ChoiceValue::Int(Choice(ChoiceFlags::empty(), kinds)));
    let key = pipewire::spa::sys::SPA_PARAM_BUFFERS_dataType;
    let asked = Object {
        type_: SpaTypes::ObjectParamBuffers.as_raw(),
        id: ParamType::Buffers.as_raw(),
        properties: vec![Property::new(key, value)],
    };
    let Ok(asked) = bytes(asked) else { return };
    let Some(pod) = Pod::from_bytes(&asked) else { return };
    if let Err(error) = stream.update_params(&mut [pod]) {
        tracing::debug!(%error, "PipeWire may hand over frames that cannot be read");
    }
}

fn bytes(object: Object) -> Outcome<Vec<u8>> {
    let written = PodSerializer::serialize(Cursor::new(Vec::new()), &Value::Object(object));
    let (cursor, _) = written.map_err(|error| Failure::Refused(format!("{error:?}")))?;
    Ok(cursor.into_inner())
}

fn lost(error: &pipewire::Error) -> Failure {
    Failure::Lost(format!("PipeWire: {error}"))
}

fn not_drawn() -> Failure {
    let seconds = DRAWN_WITHIN.as_secs();
    Failure::Reported(
        Error::new(
            Reason::ActionFailed,
            format!("PipeWire handed over no picture of the screen within {seconds} seconds."),
        )
        .with_guidance("The screen may be switched off. PipeWire and WirePlumber must run in this session."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame whose pixels tell where they are.
    fn frame(width: usize, height: usize, stride: usize) -> Vec<u8> {
        let mut bytes = vec![0xee; stride * height];
        for y in 0..height {
            for x in 0..width {
                bytes[y * stride + x * PIXEL..][..PIXEL].copy_from_slice(&[x as u8, y as u8, 7, 0]);
            }
        }
        bytes
    }

    #[test]
    fn a_part_of_a_screen_beside_another_is_cut_out() {
        let layout = Layout { width: 4, height: 3, swaps: false };
        let screen = Rect::new(100, 50, 104, 53);
        let shot = layout.cut_from(&frame(4, 3, 20), 20, screen, Rect::new(101, 51, 103, 53)).unwrap();
        assert_eq!((shot.width, shot.height, shot.stride), (2, 2, 8));
        assert_eq!(shot.data, [1, 1, 7, 0, 2, 1, 7, 0, 1, 2, 7, 0, 2, 2, 7, 0]);
    }

    #[test]
    fn a_screen_with_a_scale_has_more_pixels_than_places() {
        let layout = Layout { width: 8, height: 6, swaps: true };
        let shot =
            layout.cut_from(&frame(8, 6, 32), 32, Rect::new(0, 0, 4, 3), Rect::new(1, 1, 2, 2)).unwrap();
        assert_eq!((shot.width, shot.height, shot.swaps), (2, 2, true));
        assert_eq!(shot.data[..4], [2, 2, 7, 0]);
    }

    #[test]
    fn memory_that_is_smaller_than_it_is_told_gives_no_picture() {
        let layout = Layout { width: 4, height: 3, swaps: false };
        let screen = Rect::new(0, 0, 4, 3);
        let whole = frame(4, 3, 16);
        assert!(layout.cut_from(&whole, 16, screen, screen).is_some());
        assert!(layout.cut_from(&whole[..47], 16, screen, screen).is_none());
        assert!(layout.cut_from(&whole, 15, screen, screen).is_none());
        assert!(layout.cut_from(&whole, usize::MAX, screen, screen).is_none());
        assert!(layout.cut_from(&whole, 16, Rect::default(), screen).is_none());
        let wide = Layout { width: u32::MAX, ..layout };
        assert!(wide.cut_from(&whole, 16, screen, screen).is_none());
    }
}
