//! Core Graphics: the window list and input events.

use std::ffi::{c_double, c_ulong};
use std::ptr::NonNull;

use objc2_core_foundation::{CFArray, CFRetained, CFString, CGPoint, CGRect};

use super::opaque;

pub(crate) type CGWindowID = u32;
pub(crate) type CGKeyCode = u16;
pub(crate) type CGDirectDisplayID = u32;
pub(crate) const kCGNullWindowID: CGWindowID = 0;

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CGWindowListOption(pub(crate) u32);
bitflags::bitflags! {
    impl CGWindowListOption: u32 {
        const OptionAll = 0;
        const OptionOnScreenOnly = 1 << 0;
        const OptionOnScreenAboveWindow = 1 << 1;
        const OptionOnScreenBelowWindow = 1 << 2;
        const OptionIncludingWindow = 1 << 3;
        const ExcludeDesktopElements = 1 << 4;
    }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CGEventFlags(pub(crate) u64);
bitflags::bitflags! {
    impl CGEventFlags: u64 {
        const MaskAlphaShift = 65536;
        const MaskShift = 131_072;
        const MaskControl = 262_144;
        const MaskAlternate = 524_288;
        const MaskCommand = 1_048_576;
        const MaskHelp = 4_194_304;
        const MaskSecondaryFn = 8_388_608;
        const MaskNumericPad = 2_097_152;
        const MaskNonCoalesced = 256;
    }
}

/// The enumerations of Core Graphics are numbers with names, any of which the C side may send.
macro_rules! numbers {
    ($(enum $name:ident { $($constant:ident = $value:literal,)* })*) => {$(
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);
        impl $name {
            $(pub(crate) const $constant: Self = Self($value);)*
        }
    )*};
}

numbers! {
    enum CGEventTapLocation {
        HIDEventTap = 0,
        SessionEventTap = 1,
        AnnotatedSessionEventTap = 2,
    }
    enum CGEventType {
        Null = 0,
        LeftMouseDown = 1,
        LeftMouseUp = 2,
        RightMouseDown = 3,
        RightMouseUp = 4,
        MouseMoved = 5,
        LeftMouseDragged = 6,
        RightMouseDragged = 7,
        KeyDown = 10,
        KeyUp = 11,
        FlagsChanged = 12,
        ScrollWheel = 22,
        OtherMouseDown = 25,
        OtherMouseUp = 26,
        OtherMouseDragged = 27,
    }
    enum CGMouseButton {
        Left = 0,
        Right = 1,
        Center = 2,
    }
    enum CGScrollEventUnit {
        Pixel = 0,
        Line = 1,
    }
    enum CGEventField {
        MouseEventNumber = 0,
        MouseEventClickState = 1,
        MouseEventPressure = 2,
        MouseEventButtonNumber = 3,
        ScrollWheelEventDeltaAxis1 = 11,
        ScrollWheelEventDeltaAxis2 = 12,
        ScrollWheelEventDeltaAxis3 = 13,
    }
}

unsafe extern "C" {
    pub(crate) static kCGWindowNumber: &'static CFString;
    pub(crate) static kCGWindowLayer: &'static CFString;
    pub(crate) static kCGWindowBounds: &'static CFString;
    pub(crate) static kCGWindowAlpha: &'static CFString;
    pub(crate) static kCGWindowOwnerPID: &'static CFString;
    pub(crate) static kCGWindowOwnerName: &'static CFString;
    pub(crate) static kCGWindowName: &'static CFString;
    pub(crate) static kCGWindowIsOnscreen: &'static CFString;
}

pub(crate) fn CGWindowListCopyWindowInfo(
    option: CGWindowListOption,
    relative_to_window: CGWindowID,
) -> Option<CFRetained<CFArray>> {
    unsafe extern "C-unwind" {
        fn CGWindowListCopyWindowInfo(
            option: CGWindowListOption,
            relative_to_window: CGWindowID,
        ) -> Option<NonNull<CFArray>>;
    }
    // SAFETY: any numbers are valid arguments; a Copy function hands over one reference.
    unsafe { CGWindowListCopyWindowInfo(option, relative_to_window).map(|list| CFRetained::from_raw(list)) }
}

pub(crate) fn CGPreflightScreenCaptureAccess() -> bool {
    unsafe extern "C-unwind" {
        fn CGPreflightScreenCaptureAccess() -> bool;
    }
    // SAFETY: a getter without arguments.
    unsafe { CGPreflightScreenCaptureAccess() }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CGError(pub(crate) i32);
impl CGError {
    pub(crate) const Success: Self = Self(0);
}

pub(crate) fn CGMainDisplayID() -> CGDirectDisplayID {
    unsafe extern "C-unwind" {
        fn CGMainDisplayID() -> CGDirectDisplayID;
    }
    // SAFETY: a getter without arguments.
    unsafe { CGMainDisplayID() }
}

pub(crate) fn CGDisplayBounds(display: CGDirectDisplayID) -> CGRect {
    unsafe extern "C-unwind" {
        fn CGDisplayBounds(display: CGDirectDisplayID) -> CGRect;
    }
    // SAFETY: any number is a valid argument.
    unsafe { CGDisplayBounds(display) }
}

unsafe extern "C-unwind" {
    pub(crate) fn CGGetActiveDisplayList(
        max_displays: u32,
        active_displays: *mut CGDirectDisplayID,
        display_count: *mut u32,
    ) -> CGError;
}

opaque!(CGEvent, CGEventGetTypeID);
opaque!(CGEventSource, CGEventSourceGetTypeID);

impl CGEvent {
    pub(crate) fn new(source: Option<&CGEventSource>) -> Option<CFRetained<CGEvent>> {
        unsafe extern "C-unwind" {
            fn CGEventCreate(source: Option<&CGEventSource>) -> Option<NonNull<CGEvent>>;
        }
        // SAFETY: a Create function hands over one reference.
        unsafe { CGEventCreate(source).map(|event| CFRetained::from_raw(event)) }
    }

    pub(crate) fn new_mouse_event(
        source: Option<&CGEventSource>,
        mouse_type: CGEventType,
        mouse_cursor_position: CGPoint,
        mouse_button: CGMouseButton,
    ) -> Option<CFRetained<CGEvent>> {
        unsafe extern "C-unwind" {
            fn CGEventCreateMouseEvent(
                source: Option<&CGEventSource>,
                mouse_type: CGEventType,
                mouse_cursor_position: CGPoint,
                mouse_button: CGMouseButton,
            ) -> Option<NonNull<CGEvent>>;
        }
        // SAFETY: plain values; a Create function hands over one reference.
        unsafe {
            CGEventCreateMouseEvent(source, mouse_type, mouse_cursor_position, mouse_button)
                .map(|event| CFRetained::from_raw(event))
        }
    }

    pub(crate) fn new_keyboard_event(
        source: Option<&CGEventSource>,
        virtual_key: CGKeyCode,
        key_down: bool,
    ) -> Option<CFRetained<CGEvent>> {
        unsafe extern "C-unwind" {
            fn CGEventCreateKeyboardEvent(
                source: Option<&CGEventSource>,
                virtual_key: CGKeyCode,
                key_down: bool,
            ) -> Option<NonNull<CGEvent>>;
        }
        // SAFETY: plain values; a Create function hands over one reference.
        unsafe {
            CGEventCreateKeyboardEvent(source, virtual_key, key_down).map(|event| CFRetained::from_raw(event))
        }
    }

    pub(crate) fn new_scroll_wheel_event2(
        source: Option<&CGEventSource>,
        units: CGScrollEventUnit,
        wheel_count: u32,
        wheel1: i32,
        wheel2: i32,
        wheel3: i32,
    ) -> Option<CFRetained<CGEvent>> {
        unsafe extern "C-unwind" {
            fn CGEventCreateScrollWheelEvent2(
                source: Option<&CGEventSource>,
                units: CGScrollEventUnit,
                wheel_count: u32,
                wheel1: i32,
                wheel2: i32,
                wheel3: i32,
            ) -> Option<NonNull<CGEvent>>;
        }
        // SAFETY: plain values; a Create function hands over one reference.
        unsafe {
            CGEventCreateScrollWheelEvent2(source, units, wheel_count, wheel1, wheel2, wheel3)
                .map(|event| CFRetained::from_raw(event))
        }
    }

    pub(crate) fn location(event: Option<&CGEvent>) -> CGPoint {
        unsafe extern "C-unwind" {
            fn CGEventGetLocation(event: Option<&CGEvent>) -> CGPoint;
        }
        // SAFETY: a getter.
        unsafe { CGEventGetLocation(event) }
    }

    pub(crate) fn set_location(event: Option<&CGEvent>, location: CGPoint) {
        unsafe extern "C-unwind" {
            fn CGEventSetLocation(event: Option<&CGEvent>, location: CGPoint);
        }
        // SAFETY: a setter of plain values.
        unsafe { CGEventSetLocation(event, location) }
    }

    pub(crate) fn flags(event: Option<&CGEvent>) -> CGEventFlags {
        unsafe extern "C-unwind" {
            fn CGEventGetFlags(event: Option<&CGEvent>) -> CGEventFlags;
        }
        // SAFETY: a getter.
        unsafe { CGEventGetFlags(event) }
    }

    pub(crate) fn set_flags(event: Option<&CGEvent>, flags: CGEventFlags) {
        unsafe extern "C-unwind" {
            fn CGEventSetFlags(event: Option<&CGEvent>, flags: CGEventFlags);
        }
        // SAFETY: a setter of plain values.
        unsafe { CGEventSetFlags(event, flags) }
    }

    pub(crate) unsafe fn keyboard_set_unicode_string(
        event: Option<&CGEvent>,
        string_length: c_ulong,
        unicode_string: *const u16,
    ) {
        unsafe extern "C-unwind" {
            fn CGEventKeyboardSetUnicodeString(
                event: Option<&CGEvent>,
                string_length: c_ulong,
                unicode_string: *const u16,
            );
        }
        // SAFETY: pointer and length belong together by the caller's duty.
        unsafe { CGEventKeyboardSetUnicodeString(event, string_length, unicode_string) }
    }

    pub(crate) fn integer_value_field(event: Option<&CGEvent>, field: CGEventField) -> i64 {
        unsafe extern "C-unwind" {
            fn CGEventGetIntegerValueField(event: Option<&CGEvent>, field: CGEventField) -> i64;
        }
        // SAFETY: a getter.
        unsafe { CGEventGetIntegerValueField(event, field) }
    }

    pub(crate) fn set_integer_value_field(event: Option<&CGEvent>, field: CGEventField, value: i64) {
        unsafe extern "C-unwind" {
            fn CGEventSetIntegerValueField(event: Option<&CGEvent>, field: CGEventField, value: i64);
        }
        // SAFETY: a setter of plain values.
        unsafe { CGEventSetIntegerValueField(event, field, value) }
    }

    pub(crate) fn set_double_value_field(event: Option<&CGEvent>, field: CGEventField, value: c_double) {
        unsafe extern "C-unwind" {
            fn CGEventSetDoubleValueField(event: Option<&CGEvent>, field: CGEventField, value: c_double);
        }
        // SAFETY: a setter of plain values.
        unsafe { CGEventSetDoubleValueField(event, field, value) }
    }

    pub(crate) fn post(tap: CGEventTapLocation, event: Option<&CGEvent>) {
        unsafe extern "C-unwind" {
            fn CGEventPost(tap: CGEventTapLocation, event: Option<&CGEvent>);
        }
        // SAFETY: the event lives through the call.
        unsafe { CGEventPost(tap, event) }
    }

    pub(crate) fn post_to_pid(pid: libc::pid_t, event: Option<&CGEvent>) {
        unsafe extern "C-unwind" {
            fn CGEventPostToPid(pid: libc::pid_t, event: Option<&CGEvent>);
        }
        // SAFETY: the event lives through the call.
        unsafe { CGEventPostToPid(pid, event) }
    }
}
