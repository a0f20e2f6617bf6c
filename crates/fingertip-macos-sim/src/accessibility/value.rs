//! `AXValue`: points, sizes, ranges and errors in a box.

use std::ffi::c_void;

use super::convert::kinds;
use crate::ledger::fault;
use crate::object::{Body, Object, Ref, get};

/// How many bytes a kind has; none for an unknown one.
fn size(kind: u32) -> usize {
    match kind {
        kinds::POINT | kinds::SIZE | kinds::RANGE => 16,
        kinds::RECT => 32,
        kinds::ERROR => 4,
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXValueCreate(kind: u32, plain: *const c_void) -> Ref {
    let size = size(kind);
    if size == 0 {
        return std::ptr::null();
    }
    let mut bytes = [0_u8; 32];
    // SAFETY: the caller passes a struct of that kind.
    unsafe { std::ptr::copy_nonoverlapping(plain.cast::<u8>(), bytes.as_mut_ptr(), size) };
    Object::make(Body::Value { kind, bytes }, "AXValueCreate")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXValueGetType(reference: Ref) -> u32 {
    match get(reference, "AXValueGetType").map(|object| &object.body) {
        Some(Body::Value { kind, .. }) => *kind,
        _ => {
            fault("AXValueGetType: not an AXValue".into());
            0
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXValueGetValue(reference: Ref, kind: u32, out: *mut c_void) -> u8 {
    match get(reference, "AXValueGetValue").map(|object| &object.body) {
        Some(Body::Value { kind: actual, bytes }) if *actual == kind => {
            // SAFETY: the caller has room for a struct of that kind.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast::<u8>(), size(kind)) };
            1
        }
        Some(Body::Value { .. }) => 0,
        _ => {
            fault("AXValueGetValue: not an AXValue".into());
            0
        }
    }
}
