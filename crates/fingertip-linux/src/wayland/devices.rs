//! Our own pointer and keyboard.
//!
//! They are made when the session is opened and kept: applications take notice of a new device only a moment later, and would
//! lose what is pressed before. What is held is let go when its guard goes, however the call ends; a compositor lets go of it
//! by itself when the connection ends.

use std::io::Write;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::target::{Direction, Modifiers};
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

use super::keymap::{Keymap, Stroke, held};
use super::link::Link;
use super::sway::Sway;
use super::{SERVER, no_windows, runtime_of};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{Connect, Leash};

/// How long applications may take to notice the first pointer and keyboard of a session.
const NOTICED_WITHIN: Duration = Duration::from_millis(400);
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
    pub(super) sway: Sway,
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

impl Devices {
    /// Waits until applications have noticed the devices.
    pub(super) fn be_noticed(&self, leash: &Leash) -> Outcome<()> {
        leash.rest_until(self.noticed)
    }

    /// Waits until the compositor has done everything.
    pub(super) fn sync(&mut self) -> Outcome<()> {
        self.link.sync()
    }

    /// Puts the pointer on a place of the screen.
    pub(super) fn point(&self, at: Point, screen: Rect) {
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

    /// Presses or releases a button.
    fn button(&self, button: u32, state: ButtonState) {
        self.pointer.button(self.now(), button, state);
        self.pointer.frame();
    }

    /// Turns the wheel by one notch.
    pub(super) fn turn_wheel(&self, direction: Direction) {
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

    /// The keymap, once it has these characters.
    pub(super) fn keymap_with(&mut self, text: &[char]) -> Outcome<&Keymap> {
        if self.keymap.learn(text) {
            self.tell_keymap()?;
        }
        Ok(&self.keymap)
    }

    /// Presses and releases a key while these modifiers are held.
    pub(super) fn stroke(&mut self, stroke: Stroke, modifiers: Modifiers) -> Outcome<()> {
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

/// A button that is down; let go when this goes.
pub(super) struct Held<'a> {
    devices: &'a mut Devices,
    button: u32,
}

impl<'a> Held<'a> {
    pub(super) fn press(devices: &'a mut Devices, button: u32) -> Self {
        devices.button(button, ButtonState::Pressed);
        Self { devices, button }
    }

    pub(super) fn devices(&mut self) -> &mut Devices {
        self.devices
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.devices.button(self.button, ButtonState::Released);
        if self.devices.link.flush().is_err() {
            tracing::warn!("a button could not be released: the compositor is gone");
        }
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
