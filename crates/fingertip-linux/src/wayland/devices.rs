//! Our own pointer and keyboard.
//!
//! They are made when the session is opened and kept: applications take notice of a new device only a moment later, and would
//! lose what is pressed before. What is held is let go when its guard goes, however the call ends; a compositor lets go of it
//! by itself when the connection ends.

use std::io::Write;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::target::{Direction, Key, Modifiers};
use fingertip_core::{Point, Rect};
use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::globals::GlobalListContents;
use wayland_client::protocol::wl_keyboard::{KeyState, KeymapFormat};
use wayland_client::protocol::wl_pointer::{Axis, AxisSource, ButtonState};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_client::{Connection, Dispatch, QueueHandle, WEnum, delegate_noop};
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use super::hands::Hands;
use super::keymap::{Keymap, ROOM, Stroke, held, named, no_such_key};
use super::link::Link;
use super::sway::{Layout, Sway};
use super::{SERVER, no_windows, runtime_of};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Connect};

/// How long applications may take to notice the first pointer and keyboard of a session.
const NOTICED_WITHIN: Duration = Duration::from_millis(400);
/// How many keys are sent before it is asked again who has the keyboard.
const BURST: usize = 64;
/// How far one notch of the wheel goes, as compositors count.
const NOTCH: f64 = 15.0;
/// Places are told to the half of a pixel, which aims at the middle of one.
const PARTS: u32 = 2;

/// A pointer, a keyboard, and who would receive what they do.
pub(super) struct Devices {
    link: Link<Seat>,
    pointer: ZwlrVirtualPointerV1,
    keyboard: ZwpVirtualKeyboardV1,
    keymap: Keymap,
    sway: Sway,
    /// From when on everybody has noticed them.
    noticed: Instant,
    made: Instant,
}

/// What the events of the seat have told.
#[derive(Default)]
pub(super) struct Seat {
    has: Option<Capability>,
}

impl Connect for Devices {
    type Address = PathBuf;
    const SERVER: &'static str = SERVER;

    fn connect(socket: &PathBuf) -> Outcome<Self> {
        let mut link = Link::open(socket, Seat::default())?;
        let sway = Sway::open(link.peer, runtime_of(socket)).ok_or_else(no_windows)?;
        let seat: WlSeat = link.bind(1)?;
        link.sync()?;
        let usual = Capability::Pointer | Capability::Keyboard;
        let is_new = !link.state.has.is_some_and(|has| has.contains(usual));
        let pointers: ZwlrVirtualPointerManagerV1 = link.bind(1)?;
        let keyboards: ZwpVirtualKeyboardManagerV1 = link.bind(1)?;
        let pointer = pointers.create_virtual_pointer(Some(&seat), &link.handle(), ());
        let keyboard = keyboards.create_virtual_keyboard(&seat, &link.handle(), ());
        let made = Instant::now();
        let noticed = if is_new { made + NOTICED_WITHIN } else { made };
        let keymap = Keymap::default();
        let mut devices = Self { link, pointer, keyboard, keymap, sway, noticed, made };
        devices.tell_keymap()?;
        devices.link.sync()?;
        Ok(devices)
    }

    fn is_alive(&mut self) -> bool {
        self.link.sync().is_ok()
    }
}

impl Hands for Devices {
    type Layout = Layout;

    fn be_noticed(&self, cancel: &CancelToken) -> Outcome<()> {
        cancel.rest_until(self.noticed)
    }

    fn layout(&mut self) -> Outcome<Layout> {
        self.sway.layout()
    }

    fn sync(&mut self) -> Outcome<()> {
        self.link.sync()
    }

    fn flush(&self) -> Outcome<()> {
        self.link.flush()
    }

    fn point(&self, at: Point, screen: Rect) {
        let [width, height] =
            [screen.width(), screen.height()].map(|side| u32::try_from(side).unwrap_or_default());
        let part = |value: f64, side: u32| {
            // Beyond the screen is its edge.
            (value.floor().clamp(0.0, f64::from(side.saturating_sub(1))) as u32) * PARTS + 1
        };
        let (x, y) = (part(at.x, width), part(at.y, height));
        self.pointer.motion_absolute(self.now(), x, y, width * PARTS, height * PARTS);
        self.pointer.frame();
    }

    fn button(&self, button: u32, is_down: bool) {
        let state = if is_down { ButtonState::Pressed } else { ButtonState::Released };
        self.pointer.button(self.now(), button, state);
        self.pointer.frame();
    }

    fn turn_wheel(&self, direction: Direction) {
        let (axis, notches) = match direction {
            Direction::Up => (Axis::VerticalScroll, -1),
            Direction::Down => (Axis::VerticalScroll, 1),
            Direction::Left => (Axis::HorizontalScroll, -1),
            Direction::Right => (Axis::HorizontalScroll, 1),
        };
        self.pointer.axis_source(AxisSource::Wheel);
        self.pointer.axis_discrete(self.now(), axis, NOTCH * f64::from(notches), notches);
        self.pointer.frame();
    }

    fn press(&mut self, key: Key, modifiers: Modifiers) -> Outcome<()> {
        let stroke = match key {
            Key::Character(character) if !character.is_control() => {
                self.keymap_with(&[character])?.stroke(character)
            }
            Key::Character(_) => None,
            key => named(key),
        };
        self.stroke(stroke.ok_or_else(no_such_key)?, modifiers)
    }

    fn piece(&self, text: &[char]) -> usize {
        const { assert!(BURST <= ROOM) };
        text.len().min(BURST)
    }

    fn write(&mut self, piece: &[char], _: &CancelToken) -> Outcome<()> {
        let keymap = self.keymap_with(piece)?;
        let strokes: Option<Vec<Stroke>> = piece.iter().map(|character| keymap.stroke(*character)).collect();
        for stroke in strokes.ok_or_else(no_such_key)? {
            self.stroke(stroke, Modifiers::empty())?;
        }
        Ok(())
    }

    fn begin_writing(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn end_writing(&mut self) -> Outcome<()> {
        Ok(())
    }
}

impl Devices {
    /// The keymap, once it has these characters.
    fn keymap_with(&mut self, text: &[char]) -> Outcome<&Keymap> {
        if self.keymap.learn(text) {
            self.tell_keymap()?;
        }
        Ok(&self.keymap)
    }

    /// Presses and releases a key while these modifiers are held.
    fn stroke(&mut self, stroke: Stroke, modifiers: Modifiers) -> Outcome<()> {
        let modifiers = if stroke.shift { modifiers | Modifiers::SHIFT } else { modifiers };
        let (keys, bits) = held(modifiers);
        for key in &keys {
            self.key(*key, KeyState::Pressed);
        }
        self.keyboard.modifiers(bits, 0, 0, 0);
        self.key(stroke.code, KeyState::Pressed);
        self.key(stroke.code, KeyState::Released);
        for key in keys.iter().rev() {
            self.key(*key, KeyState::Released);
        }
        self.keyboard.modifiers(0, 0, 0, 0);
        // All of it goes in one piece: nothing stays down.
        self.link.flush()
    }

    fn key(&self, code: u32, state: KeyState) {
        self.keyboard.key(self.now(), code, state.into());
    }

    fn tell_keymap(&self) -> Outcome<()> {
        let refused =
            |error: &dyn std::fmt::Display| Failure::Refused(format!("no memory for a keymap: {error}"));
        let mut text = self.keymap.text().into_bytes();
        text.push(0);
        let memory =
            memfd_create("fingertip-keymap", MemfdFlags::CLOEXEC).map_err(|error| refused(&error))?;
        let mut file = std::fs::File::from(memory);
        file.write_all(&text).map_err(|error| refused(&error))?;
        let length = u32::try_from(text.len()).map_err(|error| refused(&error))?;
        self.keyboard.keymap(KeymapFormat::XkbV1.into(), file.as_fd(), length);
        self.link.flush()
    }

    /// Milliseconds since the devices were made; the protocol's numbers begin anew when they are used up.
    fn now(&self) -> u32 {
        self.made.elapsed().as_millis() as u32
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Seat {
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

impl Dispatch<WlSeat, ()> for Seat {
    fn event(
        seat: &mut Self,
        _: &WlSeat,
        event: wl_seat::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_seat::Event::Capabilities { capabilities: WEnum::Value(has) } = event {
            seat.has = Some(has);
        }
    }
}

delegate_noop!(Seat: ZwlrVirtualPointerManagerV1);
delegate_noop!(Seat: ZwlrVirtualPointerV1);
delegate_noop!(Seat: ZwpVirtualKeyboardManagerV1);
delegate_noop!(Seat: ZwpVirtualKeyboardV1);
