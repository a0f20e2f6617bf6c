//! Input events: made, changed, and posted to the desktop.

use std::ffi::{c_ulong, c_void};
use std::sync::Mutex;

use crate::ledger::{fault, lock};
use crate::object::{Body, Object, Ref, get};
use crate::world;

/// How many UTF-16 units of text a posted key event keeps. Apple documents no limit; this one is known from use.
const MOST_UNITS: usize = 20;
/// `kCGMouseEventClickState`.
const CLICK_STATE: u32 = 1;
/// `kCGScrollWheelEventDeltaAxis1` and 2.
const SCROLL_AXES: [u32; 2] = [11, 12];

/// An event before it is posted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Event {
    pub(crate) kind: u32,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) clicks: i64,
    pub(crate) scroll: [i32; 2],
    pub(crate) scrolls_by_line: bool,
    pub(crate) key: u16,
    pub(crate) flags: u64,
    pub(crate) text: Option<Vec<u16>>,
}

/// The types of events, as Core Graphics numbers them.
pub(crate) mod kinds {
    pub(crate) const LEFT_DOWN: u32 = 1;
    pub(crate) const LEFT_UP: u32 = 2;
    pub(crate) const RIGHT_DOWN: u32 = 3;
    pub(crate) const LEFT_DRAGGED: u32 = 6;
    pub(crate) const KEY_DOWN: u32 = 10;
    pub(crate) const KEY_UP: u32 = 11;
    pub(crate) const SCROLL: u32 = 22;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CGPoint {
    x: f64,
    y: f64,
}

fn make(event: Event, who: &'static str) -> Ref {
    Object::make(Body::Event(Mutex::new(event)), who)
}

fn change<T>(reference: Ref, who: &str, act: impl FnOnce(&mut Event) -> T) -> Option<T> {
    match get(reference, who).map(|object| &object.body) {
        Some(Body::Event(event)) => Some(act(&mut lock(event))),
        Some(_) => {
            fault(format!("{who}: not a CGEvent"));
            None
        }
        None => None,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventCreate(_source: *const c_void) -> Ref {
    let (x, y) = world::with(|world| world.pointer.place);
    make(Event { x, y, ..Event::default() }, "CGEventCreate")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventCreateKeyboardEvent(_source: *const c_void, key: u16, down: bool) -> Ref {
    let kind = if down { kinds::KEY_DOWN } else { kinds::KEY_UP };
    make(Event { kind, key, ..Event::default() }, "CGEventCreateKeyboardEvent")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventCreateMouseEvent(
    _source: *const c_void,
    kind: u32,
    at: CGPoint,
    _button: u32,
) -> Ref {
    make(Event { kind, x: at.x, y: at.y, clicks: 1, ..Event::default() }, "CGEventCreateMouseEvent")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventCreateScrollWheelEvent2(
    _source: *const c_void,
    units: u32,
    _wheels: u32,
    vertical: i32,
    horizontal: i32,
    _third: i32,
) -> Ref {
    let (x, y) = world::with(|world| world.pointer.place);
    let scroll = [vertical, horizontal];
    let event = Event { kind: kinds::SCROLL, x, y, scroll, scrolls_by_line: units == 1, ..Event::default() };
    make(event, "CGEventCreateScrollWheelEvent2")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventGetLocation(event: Ref) -> CGPoint {
    change(event, "CGEventGetLocation", |event| CGPoint { x: event.x, y: event.y })
        .unwrap_or(CGPoint { x: 0.0, y: 0.0 })
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventSetLocation(event: Ref, at: CGPoint) {
    change(event, "CGEventSetLocation", |event| (event.x, event.y) = (at.x, at.y));
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventGetFlags(event: Ref) -> u64 {
    change(event, "CGEventGetFlags", |event| event.flags).unwrap_or(0)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventSetFlags(event: Ref, flags: u64) {
    change(event, "CGEventSetFlags", |event| event.flags = flags);
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CGEventKeyboardSetUnicodeString(
    event: Ref,
    length: c_ulong,
    text: *const u16,
) {
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(MOST_UNITS);
    // SAFETY: the caller passes at least that many units.
    let units = unsafe { std::slice::from_raw_parts(text, length) }.to_vec();
    change(event, "CGEventKeyboardSetUnicodeString", |event| event.text = Some(units));
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventGetIntegerValueField(event: Ref, field: u32) -> i64 {
    change(event, "CGEventGetIntegerValueField", |event| match field {
        CLICK_STATE => event.clicks,
        field if field == SCROLL_AXES[0] => i64::from(event.scroll[0]),
        field if field == SCROLL_AXES[1] => i64::from(event.scroll[1]),
        _ => 0,
    })
    .unwrap_or(0)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventSetIntegerValueField(event: Ref, field: u32, value: i64) {
    change(event, "CGEventSetIntegerValueField", |event| match field {
        CLICK_STATE => event.clicks = value,
        field if field == SCROLL_AXES[0] => event.scroll[0] = value as i32,
        field if field == SCROLL_AXES[1] => event.scroll[1] = value as i32,
        _ => {}
    });
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventSetDoubleValueField(event: Ref, _field: u32, _value: f64) {
    change(event, "CGEventSetDoubleValueField", |_| ());
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventPost(_tap: u32, event: Ref) {
    if let Some(event) = change(event, "CGEventPost", |event| event.clone()) {
        world::with(|world| world.post(&event, None));
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGEventPostToPid(pid: i32, event: Ref) {
    if let Some(event) = change(event, "CGEventPostToPid", |event| event.clone()) {
        world::with(|world| world.post(&event, Some(pid)));
    }
}
