//! The only display.

use crate::world::DISPLAY;

/// Its number.
const MAIN: u32 = 1;

/// A rectangle as it crosses the C interface.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CGRect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGMainDisplayID() -> u32 {
    MAIN
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGDisplayBounds(display: u32) -> CGRect {
    if display == MAIN {
        CGRect { x: DISPLAY.x, y: DISPLAY.y, width: DISPLAY.width, height: DISPLAY.height }
    } else {
        CGRect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CGGetActiveDisplayList(
    most: u32,
    displays: *mut u32,
    count: *mut u32,
) -> i32 {
    // SAFETY: the caller has room for `most` numbers and for the count.
    unsafe {
        if most > 0 && !displays.is_null() {
            *displays = MAIN;
        }
        *count = 1;
    }
    0
}
